import { amiMatching, amiNamed, UNKNOWN_AMI, type AmiFacts } from '../../../knowledge/published-amis';
import type { Image } from '../../../eks';
import { Absent, alternativesOf, flatMapValue, Known, type Plain, textOf, type Value } from '../../../value';
import { conditionalItems } from '../../../value/conditional-items';
import { imageAt, imageFrom, withVersionFrom } from '../../parts/image';
import type { TerraformInstance } from '../../../terraform/instance';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import { LinkedBlock } from './linked-block';
import type { ReferenceScope } from './references';
import type { Registry } from './registry';

/** Accounts that publish AMIs for EKS, as data sources name them. Source: EKS user guide and awslabs/amazon-eks-ami. */
const PUBLISHERS: ReadonlySet<string> = new Set(['amazon', '602401143452']);

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
      return found === undefined ? image : new Known({ ...found, text: text.value }, image.source, image.note);
    });
  });
}

/** What a data source looks up; undefined if it doesn't tell. */
function lookedUp(instance: TerraformInstance, attribute: string, registry: Registry): Image | undefined {
  if (instance.type === 'aws_ssm_parameter' && (attribute === 'value' || attribute === 'insecure_value')) {
    const name = registry.text(instance, 'name');
    const path = name.kind === 'choice' ? undefined : textOf(name);
    return path === undefined || name.kind === 'choice' ? undefined : withVersionFrom(imageAt(path), name);
  }
  if (instance.type !== 'aws_ami' || (attribute !== 'id' && attribute !== 'image_id')) return undefined;
  const facts = factsOf(instance, registry);
  if (facts.family === undefined && facts.architecture === undefined && facts.kubernetesVersion === undefined)
    return undefined;
  return { text: `\${${instance.address}.${attribute}}`, ...facts };
}

/** What an `aws_ami` may find, by all that it is asked for; what it has found, if a plan tells. */
function factsOf(instance: TerraformInstance, registry: Registry): Omit<Image, 'text'> {
  const block = new LinkedBlock(instance.attributes, registry);
  const names = namesOf(block);
  const wanted = filterOf(block, 'architecture');
  const [architecture, ...others] =
    wanted?.map((value) =>
      value.kind === 'known' && (value.value === 'arm64' || value.value === 'x86_64') ? value.value : undefined,
    ) ?? [];
  const owners = conditionalItems(block.texts('owners'));
  const isPublished =
    owners.length > 0 && owners.every((owner) => owner.kind === 'known' && PUBLISHERS.has(owner.value));
  const [wantedName, ...otherNames] = filterOf(block, 'name') ?? [];
  const facts = {
    family: agreed(names, ({ family }) => family),
    architecture: agreed(names, (name) => name.architecture) ?? (others.length === 0 ? architecture : undefined),
    kubernetesVersion: agreed(names, ({ kubernetesVersion }) => kubernetesVersion),
    ...(isPublished ? { isPublished } : {}),
  };
  return wantedName === undefined || wantedName.kind === 'choice' || otherNames.length > 0
    ? facts
    : withVersionFrom(facts, wantedName);
}

/** What is told by all names alike. */
function agreed<T>(names: readonly AmiFacts[], told: (facts: AmiFacts) => T | undefined): T | undefined {
  const all = new Set(names.map(told));
  const [only] = all;
  return all.size === 1 ? only : undefined;
}

/** What the names tell that an `aws_ami` may find, one by one. */
function namesOf(block: LinkedBlock): readonly AmiFacts[] {
  const told = (values: readonly Value<string>[], read: (name: string) => AmiFacts): readonly AmiFacts[] =>
    values.flatMap(alternativesOf).map(({ value }) => {
      const text = textOf(value);
      return text === undefined ? UNKNOWN_AMI : read(text);
    });
  const found = block.text('name');
  if (found.kind === 'known') return told([found], amiNamed);
  const filtered = filterOf(block, 'name');
  return filtered === undefined ? told([block.text('name_regex')], amiMatching) : told(filtered, amiNamed);
}

/** The values of the first filter of a name. */
function filterOf(block: LinkedBlock, wanted: string): readonly Value<string>[] | undefined {
  const filter = block.allBlocks('filter').find((one) => {
    const name = one.string('name');
    return name.kind === 'known' && name.value === wanted;
  });
  return filter === undefined ? undefined : conditionalItems(filter.list('values')).map(asText);
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
  for (const [type, attributes] of [
    ['data.aws_ssm_parameter', ['value', 'insecure_value']],
    ['data.aws_ami', ['id', 'image_id']],
  ] as const) {
    for (const instance of registry.instancesOf(type)) {
      for (const attribute of attributes) {
        const id = registry.text(instance, attribute);
        const image =
          id.kind === 'known' && id.value.startsWith('ami-') ? lookedUp(instance, attribute, registry) : undefined;
        if (id.kind === 'known' && image !== undefined) byId.set(id.value, image);
      }
    }
  }
  return byId;
}
