import {
  NAMES_NO_TEMPLATE,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type LaunchTemplateVersion,
  type Reference,
} from '../../../eks';
import { flatMapValue, Known, type Plain, Unknown, type Value } from '../../../value';
import { Block } from '../../../cloudformation/block';
import type { Cursor } from '../../../cloudformation/cursor';
import type { TemplateSet } from '../../../cloudformation/template-set';
import { ResourceAttribute } from '../../../cloudformation/unknown-values';
import { launchTemplateCalledLike, launchTemplateNamed } from './by-name';
import { referenceTo } from './references';

/** What EKS and EC2 Auto Scaling call the properties of a launch template specification that name the template. */
export interface SpecificationKeys {
  readonly id: string;
  readonly name: string;
}

/** A launch template specification; absent where the block is. */
export function readLaunchTemplateUse(
  specification: Block,
  keys: SpecificationKeys,
  set: TemplateSet,
): Value<LaunchTemplateUse> {
  return flatMapValue(specification.map, (plain) => (plain.kind === 'known' ? useOf(plain, keys, set) : plain));
}

function useOf(specification: Known<Cursor>, keys: SpecificationKeys, set: TemplateSet): Value<LaunchTemplateUse> {
  const { source } = specification;
  const block = Block.of(specification, set.evaluator);
  const written = {
    id: block.string(keys.id),
    name: block.string(keys.name),
    version: flatMapValue(block.string('Version'), readVersion),
    source,
  };
  const use = (template: Reference<LaunchTemplate>) => new Known<LaunchTemplateUse>({ template, ...written }, source);
  const byName = (name: string) => launchTemplateNamed(name, specification.value.template);
  return flatMapValue(
    referenceTo<LaunchTemplate>(block.item(keys.id), 'launch-template'),
    (id): Value<LaunchTemplateUse> => {
      if (id.kind === 'known') return use(id.value);
      if (id.kind === 'unknown') return use(unknownTemplate(id));
      const alike = launchTemplateCalledLike(written.name, specification.value.template);
      if (alike !== undefined) return use({ text: alike.id, target: alike });
      return flatMapValue(
        referenceTo<LaunchTemplate>(block.item(keys.name), 'launch-template', byName),
        (name): Value<LaunchTemplateUse> => {
          if (name.kind === 'known') return use(name.value);
          if (name.kind === 'unknown') {
            const target = launchTemplateCalledLike(name, specification.value.template);
            return use(target === undefined ? unknownTemplate(name) : { text: target.id, target });
          }
          return new Unknown(NAMES_NO_TEMPLATE, source);
        },
      );
    },
  );
}

function unknownTemplate({ text, reason }: Unknown): Reference<LaunchTemplate> {
  return text === undefined
    ? { text: 'an unknown launch template', target: undefined, unknown: reason }
    : { text, target: undefined };
}

function readVersion(plain: Plain<string>): Plain<LaunchTemplateVersion> {
  if (plain.kind === 'absent') return plain;
  if (plain.kind === 'known') return new Known({ text: plain.value, tracks: undefined }, plain.source, plain.note);
  if (
    plain instanceof ResourceAttribute &&
    plain.declaration.template.typeOf(String(plain.declaration.key)) === 'AWS::EC2::LaunchTemplate'
  ) {
    const { attribute, declaration } = plain;
    const tracks =
      attribute === 'LatestVersionNumber' ? 'latest' : attribute === 'DefaultVersionNumber' ? 'default' : undefined;
    if (tracks !== undefined) return new Known({ text: `${declaration.key}.${attribute}`, tracks }, plain.source);
  }
  return plain;
}
