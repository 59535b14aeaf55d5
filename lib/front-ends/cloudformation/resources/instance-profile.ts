import type { Reference, Role } from '../../../eks';
import { flatMapValue, Unknown, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import { member } from '../../../cloudformation/cursor';
import type { Template } from '../../../cloudformation/template';
import { ResourceAttribute } from '../../../cloudformation/unknown-values';
import { conditionalItems } from '../../../value/conditional-items';
import { roleReference } from './references';

/** The role in an instance profile. @param profile its name or ARN */
export function roleOfProfile(profile: Value<string>, { set: { evaluator } }: Template): Value<Reference<Role>> {
  return flatMapValue(profile, (plain): Value<Reference<Role>> => {
    if (plain.kind === 'absent') return plain;
    if (plain instanceof ResourceAttribute && member(plain.declaration.raw, 'Type') === 'AWS::IAM::InstanceProfile') {
      // There is always exactly one.
      const roles = Block.at(plain.declaration, evaluator).block('Properties').list('Roles');
      const [role] = conditionalItems(roles);
      if (role !== undefined) return roleReference(role, plain.declaration.template);
    }
    const [text, reason] = plain.kind === 'unknown' ? [plain.text, plain.reason] : [plain.value, undefined];
    return new Unknown(reason ?? `instance profile ${text} is not part of the input`, plain.source, text);
  });
}
