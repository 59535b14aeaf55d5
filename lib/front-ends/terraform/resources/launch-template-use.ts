import {
  NAMES_NO_TEMPLATE,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type LaunchTemplateVersion,
  type Reference,
} from '../../../eks';
import { Absent, flatMapValue, Known, type Plain, type Source, Unknown, type Value } from '../../../value';
import { referenceFrom } from '../../parts/references';
import { asText } from '../../../terraform/terraform-value';
import { LinkedBlock } from './linked-block';
import type { ReferenceScope } from './references';

/** What the resources call the attributes of a launch template specification that name the template. */
export interface SpecificationKeys {
  readonly id: string;
  readonly name: string;
}

/** A launch template specification; absent where the block is. */
export function readLaunchTemplateUse(
  specification: LinkedBlock,
  keys: SpecificationKeys,
  scope: ReferenceScope,
): Value<LaunchTemplateUse> {
  return flatMapValue(specification.value, (plain): Value<LaunchTemplateUse> => {
    if (plain.kind !== 'known') return plain;
    return useOf(new LinkedBlock(plain, scope.registry), plain.source, keys, scope);
  });
}

function useOf(
  block: LinkedBlock,
  source: Source,
  keys: SpecificationKeys,
  { registry, stack }: ReferenceScope,
): Value<LaunchTemplateUse> {
  const ids = block.text(keys.id);
  const names = block.text(keys.name);
  const version = flatMapValue(asText(block.item('version')), readVersion);
  const byText = (text: string) => registry.launchTemplate(text, stack);
  return flatMapValue(ids, (id): Value<LaunchTemplateUse> => {
    const use = (template: Reference<LaunchTemplate>, name: Value<string>) =>
      new Known<LaunchTemplateUse>({ template, version, id, name, source }, source);
    // The provider refuses both; it tells the name of a template that is given by its id.
    if (id.kind !== 'absent')
      return flatMapValue(referenceFrom<LaunchTemplate>(id, 'launch-template', byText), (template) =>
        use(templateOf(template), new Absent(source)),
      );
    const alike = registry.launchTemplateCalledLike(names, stack);
    if (alike !== undefined) return use({ text: alike.id, target: alike }, names);
    return flatMapValue(names, (name): Value<LaunchTemplateUse> => {
      if (name.kind === 'absent') return new Unknown(NAMES_NO_TEMPLATE, source);
      const target = registry.launchTemplateCalledLike(name, stack);
      if (target !== undefined) return use({ text: target.id, target }, name);
      return flatMapValue(referenceFrom<LaunchTemplate>(name, 'launch-template', byText), (template) =>
        use(templateOf(template), name),
      );
    });
  });
}

function templateOf(template: Plain<Reference<LaunchTemplate>>): Reference<LaunchTemplate> {
  if (template.kind === 'known') return template.value;
  const text = template.kind === 'unknown' ? template.text : undefined;
  if (text !== undefined || template.kind !== 'unknown')
    return { text: text ?? 'an unknown launch template', target: undefined };
  return { text: 'an unknown launch template', target: undefined, unknown: template.reason };
}

const TRACKING: Readonly<Record<string, LaunchTemplateVersion['tracks']>> = {
  latest_version: 'latest',
  default_version: 'default',
};

function readVersion(plain: Plain<string>): Plain<LaunchTemplateVersion> {
  if (plain.kind === 'absent') return plain;
  if (plain.kind === 'known')
    return plain.value === ''
      ? new Absent(plain.source)
      : new Known({ text: plain.value, tracks: undefined }, plain.source, plain.note);
  const { reference } = plain;
  const resource: { readonly kind?: string; readonly id?: string } | undefined = reference?.resource;
  const tracks =
    resource?.kind === 'launch-template' && reference !== undefined && Object.hasOwn(TRACKING, reference.attribute)
      ? TRACKING[reference.attribute]
      : undefined;
  return tracks === undefined || reference === undefined
    ? plain
    : new Known({ text: `${resource?.id ?? ''}.${reference.attribute}`, tracks }, plain.source);
}
