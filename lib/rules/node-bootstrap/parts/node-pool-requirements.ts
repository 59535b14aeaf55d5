import {
  alternativesOf,
  dataAt,
  isDataMap,
  placeIn,
  Unknown,
  type ClusterView,
  type Data,
  type Value,
} from '../../../eks';
import { isZoneId, parseZone } from '../../../eks/networking/zones';
import type { Judgement } from '../../../engine';
import { listOf } from '../../../text/in-words';
import type { KarpenterObject } from './karpenter-objects';
import { FILLED_IN, itemsOf, textAt } from './karpenter-validations';

/*
 * What the API server takes of a node pool, and Karpenter finds nothing for.
 * Source: kubernetes-sigs/karpenter, pkg/apis/v1/labels.go, WellKnownValuesForRequirements, and nodeclaim_validation.go.
 */

/** The values that instances have, of labels that have few. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'karpenter.sh/capacity-type': ['on-demand', 'spot', 'reserved'],
  'kubernetes.io/arch': ['amd64', 'arm64'],
  'kubernetes.io/os': ['linux', 'windows'],
};

/** What else people call them. */
const MEANT: Readonly<Record<string, string>> = {
  'x86-64': 'amd64',
  x86: 'amd64',
  aarch64: 'arm64',
  arm: 'arm64',
  ondemand: 'on-demand',
};

/** Requirements with values that no instance has. */
export function* judgeRequirements({
  manifest,
  name,
}: KarpenterObject): Generator<Judgement<'noInstance' | 'otherValue'>> {
  const requirements = itemsOf(dataAt(manifest.object, 'spec', 'template', 'spec', 'requirements'));
  for (const [index, requirement] of requirements.entries()) {
    if (requirement instanceof Unknown || textAt(requirement, 'operator') !== 'In') continue;
    const key = textAt(requirement, 'key');
    const known = Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
    const values = itemsOf(dataAt(requirement, 'values'));
    if (known === undefined || values.length === 0 || !values.every(isPlainText)) continue;
    const others = values.filter((value) => !known.includes(value));
    if (others.length === 0) continue;
    const right = new Set(values.flatMap((value) => meant(value, known)));
    yield {
      resource: manifest,
      source: placeIn(manifest, 'spec', 'template', 'spec', 'requirements', String(index), 'values'),
      verdict: 'fail',
      ...(others.length === values.length ? { message: 'noInstance' } : { message: 'otherValue', severity: 'warning' }),
      data: {
        name,
        key,
        others: listOf(others.map((value) => `\`${value}\``)),
        known: known.map((value) => `\`${value}\``).join(', '),
        values: [...right].map((value) => `"${value}"`).join(', '),
      },
      about: `NodePool/${name} ${key}`,
    };
  }
}

/** Labels whose values the region of the cluster bounds. Source: Kubernetes, "Well-Known Labels, Annotations and Taints". */
const PLACES: Readonly<Record<string, 'zone' | 'region'>> = {
  'topology.kubernetes.io/zone': 'zone',
  'failure-domain.beta.kubernetes.io/zone': 'zone',
  'topology.kubernetes.io/region': 'region',
  'failure-domain.beta.kubernetes.io/region': 'region',
};

/** Requirements with zones or regions in which the cluster has no nodes; only where it is known what region it is in. */
export function* judgePlaces({ manifest, name, view }: KarpenterObject): Generator<Judgement<'elsewhere'>> {
  const region = regionOf(view);
  if (region === undefined) return;
  const requirements = itemsOf(dataAt(manifest.object, 'spec', 'template', 'spec', 'requirements'));
  for (const [index, requirement] of requirements.entries()) {
    if (requirement instanceof Unknown || textAt(requirement, 'operator') !== 'In') continue;
    const key = textAt(requirement, 'key');
    const kind = Object.hasOwn(PLACES, key) ? PLACES[key] : undefined;
    const values = itemsOf(dataAt(requirement, 'values'));
    if (kind === undefined || !values.every(isPlainText)) continue;
    const others = values.filter((value) => (kind === 'region' ? value : parseZone(value)?.region) !== region);
    if (others.length === 0) continue;
    yield {
      resource: manifest,
      source: placeIn(manifest, 'spec', 'template', 'spec', 'requirements', String(index), 'values'),
      verdict: 'fail',
      message: 'elsewhere',
      severity: 'warning',
      data: {
        name,
        key,
        region,
        others: listOf(others.map((value) => `\`${value}\``)),
        effect:
          others.length === values.length
            ? 'Karpenter starts no node with the pool'
            : 'none of what it means is started',
        advice: adviceFor(kind, others, region),
      },
      about: `NodePool/${name} ${key}`,
    };
  }
}

/** The region of a cluster of the input, by its stack or the zones of its subnets; undefined where these name several. */
function regionOf({ cluster }: ClusterView): string | undefined {
  if (cluster === undefined) return undefined;
  if (cluster.environment.region !== undefined) return cluster.environment.region;
  const subnets = knownIn(cluster.subnets).flatMap((items) => items.flatMap((item) => knownIn(item)));
  const zones = subnets.flatMap(({ target }) => (target === undefined ? [] : knownIn(target.availabilityZone)));
  const [only, other] = new Set(zones.map((zone) => parseZone(zone)?.region));
  return other === undefined ? only : undefined;
}

function knownIn<T>(value: Value<T>): readonly T[] {
  return alternativesOf(value).flatMap(({ value: plain }) => (plain.kind === 'known' ? [plain.value] : []));
}

function adviceFor(kind: 'zone' | 'region', others: readonly string[], region: string): string {
  if (kind === 'region')
    return `Write \`${region}\`, or leave the requirement out: all nodes of the cluster are there.`;
  const meant = others.flatMap((zone) => {
    const letter = new RegExp(`^${region}[-_ ]([a-f])$`).exec(zone)?.[1];
    return letter === undefined ? [] : [`\`${region}${letter}\``];
  });
  if (meant.length === others.length) return `Write ${listOf(meant)} in ${meant.length === 1 ? 'its' : 'their'} place.`;
  return others.every(isZoneId)
    ? 'Write the names of the zones, or the key `topology.k8s.aws/zone-id`, which has their ids.'
    : `Write zones of ${region}, such as \`${region}a\`.`;
}

function isPlainText(data: Data): data is string {
  return typeof data === 'string' && !FILLED_IN.test(data);
}

/** The value that one stands for; none where that isn't clear. */
function meant(value: string, known: readonly string[]): readonly string[] {
  const plain = value.toLowerCase().replaceAll('_', '-');
  const one = known.includes(plain) ? plain : Object.hasOwn(MEANT, plain) ? MEANT[plain] : undefined;
  return one !== undefined && known.includes(one) ? [one] : [];
}

/** A node class that isn't in the input, where others are. It may be elsewhere. */
export function* judgeReference({ manifest, view }: KarpenterObject): Generator<Judgement<never>> {
  const reference = dataAt(manifest.object, 'spec', 'template', 'spec', 'nodeClassRef');
  if (!isDataMap(reference) || reference['group'] !== 'karpenter.k8s.aws') return;
  const name = textAt(reference, 'name');
  const { names, isOpen } = nodeClassesOf(view);
  if (name === '' || FILLED_IN.test(name) || isOpen || names.size === 0 || names.has(name)) return;
  const some = [...names].slice(0, MOST_NAMED).map((one) => `\`${one}\``);
  const rest = names.size - some.length;
  yield {
    resource: manifest,
    verdict: 'unverifiable',
    reason: `its node class \`${name}\` isn't in the input, which has ${listOf(rest === 0 ? some : [...some, `${rest} more`])}`,
  };
}

/** Node classes that a sentence names. */
const MOST_NAMED = 20;

interface NodeClassNames {
  readonly names: ReadonlySet<string>;
  /** One of them has a name that isn't known. */
  readonly isOpen: boolean;
}

/** They are asked for by each node pool of a cluster. */
const nodeClasses = new WeakMap<ClusterView, NodeClassNames>();

function nodeClassesOf(view: ClusterView): NodeClassNames {
  let found = nodeClasses.get(view);
  if (found === undefined) {
    const all = view.manifests.flatMap(({ object }) => {
      if (dataAt(object, 'kind') !== 'EC2NodeClass') return [];
      const name = dataAt(object, 'metadata', 'name');
      return [typeof name === 'string' ? name : ''];
    });
    found = { names: new Set(all), isOpen: all.some((one) => one === '' || FILLED_IN.test(one)) };
    nodeClasses.set(view, found);
  }
  return found;
}
