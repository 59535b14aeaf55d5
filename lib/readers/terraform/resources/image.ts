import { alternativesOf, flatMapValue, Known, textOf, type AmiFamily, type Image, type Plain, type Value } from '../../../model';
import { Absent } from '../../../value';
import { conditionalItems } from '../../conditional-items';
import { imageAt, imageFrom } from '../../image';
import type { TerraformInstance } from '../instance';
import { asText, type TerraformValue } from '../value';
import { LinkedBlock } from './linked-block';
import type { ReferenceScope } from './references';
import type { Registry } from './registry';

/**
 * Families by the names of the images that Amazon publishes for EKS. Sources: awslabs/amazon-eks-ami (doc/usage and its releases),
 * bottlerocket-os/bottlerocket (QUICKSTART-EKS), EKS User Guide, "Retrieve recommended Microsoft Windows AMI IDs".
 */
const NAMES: readonly (readonly [RegExp, AmiFamily])[] = [
  [/^\^?amazon-eks-node-al2023-/, 'AL2023'],
  [/^\^?amazon-eks-(?:arm64-|gpu-)?node-[\dv]/, 'AL2'],
  [/^\^?bottlerocket-aws-(?:k8s|eks)-/, 'BOTTLEROCKET'],
  [/^\^?Windows_Server-.*EKS_Optimized/, 'WINDOWS'],
];

/** The image that an attribute names, which often leads to the data source that looks it up. */
export function readImage(raw: TerraformValue, scope: ReferenceScope): Value<Image> {
  const { registry } = scope;
  return flatMapValue(raw, (plain): Value<Image> => {
    const reference = registry.referenced(plain);
    if (reference !== undefined && reference.instance.mode === 'data') {
      const image = lookedUp(reference.instance, reference.attribute, registry);
      if (image !== undefined) return new Known(image, plain.source);
    }
    return flatMapValue(asText(registry.link(plain)), (text): Plain<Image> => {
      if (text.kind === 'known' && text.value === '') return new Absent(text.source);
      const image = imageFrom(text);
      if (image.kind !== 'known' || image.value.family !== undefined || text.kind !== 'known') return image;
      const found = lookups(registry).get(text.value);
      return found === undefined ? image : new Known({ ...image.value, family: found.family }, image.source, image.note);
    });
  });
}

/** What a data source looks up; undefined if it doesn't tell. */
function lookedUp(instance: TerraformInstance, attribute: string, registry: Registry): Image | undefined {
  if (instance.type === 'aws_ssm_parameter' && (attribute === 'value' || attribute === 'insecure_value')) {
    const name = registry.text(instance, 'name');
    const path = name.kind === 'choice' ? undefined : textOf(name);
    return path === undefined ? undefined : imageAt(path);
  }
  if (instance.type !== 'aws_ami' || (attribute !== 'id' && attribute !== 'image_id')) return undefined;
  const family = familyOfNames(namesOf(instance, registry));
  return family === undefined ? undefined : { text: `\${${instance.address}.${attribute}}`, family };
}

/** Names that an `aws_ami` may find, patterns among them; the one that it has found if a plan tells. */
function namesOf(instance: TerraformInstance, registry: Registry): readonly Value<string>[] {
  const block = new LinkedBlock(instance.attributes, registry);
  const found = block.text('name');
  if (found.kind === 'known') return [found];
  const filters = block.allBlocks('filter').filter((filter) => {
    const name = filter.string('name');
    return name.kind === 'known' && name.value === 'name';
  });
  const [first] = filters;
  if (first !== undefined) return conditionalItems(first.list('values')).map(asText);
  return [block.text('name_regex')];
}

/** The family that all names belong to. */
function familyOfNames(names: readonly Value<string>[]): AmiFamily | undefined {
  const families = new Set(names.flatMap(alternativesOf).map(({ value }) => familyOfName(textOf(value))));
  const [only] = families;
  return families.size === 1 ? only : undefined;
}

function familyOfName(name: string | undefined): AmiFamily | undefined {
  return name === undefined ? undefined : NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

const known = new WeakMap<Registry, ReadonlyMap<string, Image>>();

/** Images that data sources have found already, by AMI id: a plan holds the id where the configuration names the data source. */
function lookups(registry: Registry): ReadonlyMap<string, Image> {
  let found = known.get(registry);
  if (found === undefined) known.set(registry, (found = collect(registry)));
  return found;
}

function collect(registry: Registry): ReadonlyMap<string, Image> {
  const byId = new Map<string, Image>();
  for (const [type, attributes] of [['data.aws_ssm_parameter', ['value', 'insecure_value']], ['data.aws_ami', ['id', 'image_id']]] as const) {
    for (const instance of registry.instancesOf(type)) {
      for (const attribute of attributes) {
        const id = registry.text(instance, attribute);
        const image = id.kind === 'known' && id.value.startsWith('ami-') ? lookedUp(instance, attribute, registry) : undefined;
        if (id.kind === 'known' && image !== undefined) byId.set(id.value, image);
      }
    }
  }
  return byId;
}
