import type { Reference, Role } from '../../../eks';
import { flatMapValue, Unknown, type Plain, type Value } from '../../../value';
import type { TerraformInstance } from '../../../terraform/instance';
import type { TerraformItem, TerraformValue } from '../../../terraform/terraform-value';
import { LinkedBlock } from './linked-block';
import { roleReference, type ReferenceScope } from './references';

/** The role in an instance profile. @param profile its name or ARN, the references in it not yet resolved */
export function roleOfProfile(profile: TerraformValue, { registry, stack }: ReferenceScope): Value<Reference<Role>> {
  return flatMapValue(profile, (plain): Value<Reference<Role>> => {
    if (plain.kind === 'absent') return plain;
    const declared = declaredProfile(plain, { registry, stack });
    if (declared !== undefined) {
      const role = new LinkedBlock(declared.attributes, registry).text('role');
      return roleReference(role, { registry, stack: declared.stack, module: declared.module });
    }
    if (plain.kind === 'unknown') return new Unknown(plain.reason, plain.source, plain.text);
    const text = typeof plain.value === 'string' ? plain.value : 'of another shape';
    return new Unknown(`instance profile ${text} is not part of the input`, plain.source, text);
  });
}

function declaredProfile(
  plain: Plain<TerraformItem>,
  { registry, stack }: ReferenceScope,
): TerraformInstance | undefined {
  const instance = registry.referenced(plain)?.instance;
  if (instance !== undefined)
    return instance.mode === 'managed' && instance.type === 'aws_iam_instance_profile' ? instance : undefined;
  const name = plain.kind === 'known' && typeof plain.value === 'string' ? nameIn(plain.value) : undefined;
  if (name === undefined) return undefined;
  const [found, ...others] = registry.instancesOf('aws_iam_instance_profile').filter((one) => {
    const own = one.stack === stack ? registry.text(one, 'name') : undefined;
    return own?.kind === 'known' && own.value === name;
  });
  return others.length === 0 ? found : undefined;
}

function nameIn(text: string): string | undefined {
  return text.startsWith('arn:') ? /:instance-profile\/(?:.*\/)?([^/]+)$/.exec(text)?.[1] : text;
}
