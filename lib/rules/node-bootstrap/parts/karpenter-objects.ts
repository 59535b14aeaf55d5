import type { Judgement } from '../../../engine';
import {
  alternativesOf,
  dataAt,
  objectName,
  placeIn,
  resourceName,
  type Cluster,
  type ClusterView,
  type Data,
  type EksModel,
  type KubernetesManifest,
} from '../../../eks';
import { oldestKarpenter } from '../../../knowledge';
import { compareVersions } from '../../../knowledge/versions';
import { listWith, movedField } from './moved-field';
import type { KarpenterProblem } from './karpenter-problem';
import { rewrittenLines } from './rewritten-object';
import { FILLED_IN } from './karpenter-validations';

/*
 * Objects of Karpenter, their APIs, and which versions of Karpenter serve these.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds of 0.31 to 1.14.
 */

const CODE = { kubernetes: '{{code}}' } as const;

/** What is said of objects of every kind. */
export const KARPENTER_MESSAGES = {
  refused: {
    text: '{{kind}} "{{name}}" {{problem}}. The API server refuses the object, so Karpenter starts no node with it.',
    fix: { summary: '{{advice}}', code: CODE, safety: 'needs-decision' },
  },
  dropped: {
    text: '{{kind}} "{{name}}" {{problem}}. {{effect}}',
    fix: { summary: '{{advice}}', code: CODE, safety: 'needs-decision' },
  },
  notServed: {
    text: '{{kind}} "{{name}}" is of `{{api}}`, which {{served}}. {{because}}, so the object can\'t be applied, and its nodes never start.',
    fix: { summary: '{{advice}}', safety: 'needs-decision' },
  },
  noSuchKind: {
    text: '{{kind}} "{{name}}" is of `{{api}}`, in which no Karpenter has a kind `{{kind}}`. The object can\'t be applied, so Karpenter starts no node by it.',
    fix: { summary: '{{advice}}', safety: 'needs-decision' },
  },
  old: {
    text: '{{kind}} "{{name}}" is of `{{api}}`, which {{served}}. No Karpenter that runs on a Kubernetes version with support from EKS has it.',
    fix: { summary: '{{advice}}', safety: 'needs-decision' },
  },
} as const;

export type KarpenterMessage = keyof typeof KARPENTER_MESSAGES;

/** An API of Karpenter, and which of its versions serve it. */
interface Api {
  readonly kind: string;
  readonly version: string;
  readonly from?: string;
  readonly before?: string;
}

const SERVED: Readonly<Record<string, Pick<Api, 'from' | 'before'>>> = {
  'karpenter.sh/v1alpha5': { before: '0.33' },
  'karpenter.k8s.aws/v1alpha1': { before: '0.33' },
  'karpenter.sh/v1beta1': { from: '0.32', before: '1.1' },
  'karpenter.k8s.aws/v1beta1': { from: '0.32', before: '1.1' },
  'karpenter.sh/v1': { from: '1.0' },
  'karpenter.k8s.aws/v1': { from: '1.0' },
};

/** The versions in which each kind is there. Source: the definitions in pkg/apis/crds, of 0.31 to 1.14. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  Provisioner: ['karpenter.sh/v1alpha5'],
  NodePool: ['karpenter.sh/v1beta1', 'karpenter.sh/v1'],
  AWSNodeTemplate: ['karpenter.k8s.aws/v1alpha1'],
  EC2NodeClass: ['karpenter.k8s.aws/v1beta1', 'karpenter.k8s.aws/v1'],
};

/** What became of the kinds that ended with the alpha versions. */
const SUCCESSORS: Readonly<Record<string, string>> = { Provisioner: 'NodePool', AWSNodeTemplate: 'EC2NodeClass' };

/** Undefined for an object of something else than Karpenter, and of a version that it never had. */
export function apiOf({ object }: KubernetesManifest): Api | undefined {
  const [kind, version] = [dataAt(object, 'kind'), dataAt(object, 'apiVersion')];
  if (typeof kind !== 'string' || typeof version !== 'string' || !Object.hasOwn(KINDS, kind)) return undefined;
  return Object.hasOwn(SERVED, version) ? { kind, version, ...SERVED[version] } : undefined;
}

/** The objects of some kinds, with the version of Karpenter that their clusters have or may have; what is wrong with their APIs is told first. */
export function* judgeObjects<Message extends string = KarpenterMessage>(
  model: EksModel,
  kinds: readonly string[],
  judge: (object: KarpenterObject) => Iterable<Judgement<Message>>,
): Generator<Judgement<Message | KarpenterMessage>> {
  for (const view of model.clusterViews)
    for (const manifest of view.manifests) {
      const api = apiOf(manifest);
      if (api !== undefined && kinds.includes(api.kind)) yield* judgeObject(manifest, api, view, model, judge);
    }
}

/** An object of v1. */
export interface KarpenterObject {
  readonly manifest: KubernetesManifest;
  readonly view: ClusterView;
  readonly name: string;
  /** The versions of Karpenter that the cluster may have. */
  readonly versions: { readonly from?: string; readonly to?: string };
}

function* judgeObject<Message extends string>(
  manifest: KubernetesManifest,
  api: Api,
  view: ClusterView,
  model: EksModel,
  judge: (object: KarpenterObject) => Iterable<Judgement<Message>>,
): Generator<Judgement<Message | KarpenterMessage>> {
  const name = objectName(manifest);
  const { kind, version } = api;
  if (KINDS[kind]?.includes(version) === false) {
    const corrected = SUCCESSORS[kind] === undefined ? undefined : rewrittenLines(manifest, view);
    const advice = corrected === undefined ? adviceForKind(kind) : adviceOfLines(kind);
    const data = { kind, name, api: version, advice };
    yield {
      corrected,
      resource: manifest,
      source: placeIn(manifest, 'apiVersion'),
      verdict: 'fail',
      message: 'noSuchKind',
      data,
      about: `${kind}/${name} kind`,
    };
    return;
  }
  const old = judgeApi(manifest, api, view, model);
  const found = version.endsWith('/v1') ? [...judge({ manifest, view, name, versions: versionsFor(view) })] : [];
  if (old !== undefined) yield old;
  yield* found;
  if (old === undefined && found.length === 0) yield { resource: manifest, verdict: 'pass' };
}

function versionsFor(view: ClusterView): KarpenterObject['versions'] {
  const running = karpenterOf(view);
  if (running !== undefined) return { from: running.version, to: running.version };
  const needed = oldestFor(view);
  return needed === undefined ? {} : { from: needed.oldest };
}

/** Of a field that the API doesn't have. */
const DROPPED =
  'What applies it asks for no strict validation, so the API server takes the object and drops the field with a warning: nodes start without what it says.';

/** What the API server says of an object, as judgements. */
export function* judgeProblems(
  object: KarpenterObject,
  problems: Iterable<KarpenterProblem>,
): Generator<Judgement<KarpenterMessage>> {
  for (const one of problems) {
    const failure = failureOf(object, one);
    if (one.kind !== 'field') {
      yield { ...failure, message: 'refused' };
      continue;
    }
    const isLenient = object.manifest.isLenient === true;
    const effect = isLenient
      ? DROPPED
      : "kubectl refuses a field that the API doesn't have, as all that applies it strictly; what else applies it drops it.";
    yield {
      ...failure,
      message: 'dropped',
      ...(isLenient ? { severity: 'warning' } : {}),
      data: { ...failure.data, effect },
    };
  }
}

/** A problem as a judgement without its message. */
export function failureOf(
  { manifest, name }: KarpenterObject,
  { kind: what, path, problem, advice, code, severity, becomes, sets }: KarpenterProblem,
) {
  const written = dataAt(manifest.object, 'kind');
  const kind = typeof written === 'string' ? written : '';
  const moved =
    becomes !== undefined
      ? movedField(manifest, { kind, name }, path, becomes)
      : sets === undefined
        ? undefined
        : listWith(manifest, kind, sets);
  return {
    resource: manifest,
    source: placeIn(manifest, 'spec', ...path),
    verdict: 'fail',
    ...(severity === undefined ? {} : { severity }),
    data: { kind, name, problem, advice, code: moved ?? placed(code, kind, ['spec', ...path]) },
    about: `${kind}/${name} ${what} ${path.join('.')}`.trim(),
  } as const;
}

/** Code with the part of the object that it goes into, which a name alone doesn't tell. */
function placed(code: string, kind: string, path: readonly string[]): string {
  const [, key = ''] = /^(\w+):/.exec(code) ?? [];
  const index = path.indexOf(key);
  const before = index < 0 ? path : path.slice(0, index);
  if (key === '' || before.some((step) => /^\d+$/.test(step))) return code;
  // What is missing stands beside what the problem is about.
  if (index < 0 && key !== 'template' && path.length > 2) return code;
  const at = index < 0 ? ['spec'] : path.slice(0, index);
  return `# in the ${at.join('.')} of the ${kind}:\n${code}`;
}

/** A name that no object can have. Source: apimachinery, util/validation, IsDNS1123Subdomain. */
export function* judgeName({ manifest }: KarpenterObject): Generator<Judgement<KarpenterMessage>> {
  const { object } = manifest;
  const [kind, name] = [dataAt(object, 'kind'), dataAt(object, 'metadata', 'name')];
  if (typeof kind !== 'string' || typeof name !== 'string' || FILLED_IN.test(name)) return;
  const labels = name.split('.');
  if (name.length <= 253 && labels.every((label) => /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/.test(label))) return;
  const right = name
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== '')
    .join('-');
  yield {
    ...{ resource: manifest, source: placeIn(manifest, 'metadata', 'name'), verdict: 'fail', message: 'refused' },
    data: {
      ...{ kind, name },
      problem: 'has a name that no object may have',
      advice:
        'Write small letters, digits, `-` and `.`, a letter or digit first and last, and the same where it is referred to.',
      code: `# in the metadata of the ${kind}:\nname: ${right}`,
    },
    about: `${kind}/${name} name`,
  };
}

/** What to write instead of a kind that its version lacks. */
function adviceForKind(kind: string): string {
  const successor = SUCCESSORS[kind];
  const right = KINDS[successor ?? kind]?.at(-1) ?? '';
  return successor === undefined
    ? `Write \`apiVersion: ${right}\`, and the fields as that version has them.`
    : `Write it as \`${successor}\` of \`${right}\`, which has other fields: the guides for migrations of Karpenter tell them one by one.`;
}

/** Source: Karpenter documentation, "v1beta1 Migration". */
const CONVERT =
  'of `go install github.com/aws/karpenter/tools/karpenter-convert/cmd/karpenter-convert@release-v0.32.x`, writes one of `v1beta1`. Write `v1` there in the place of `v1beta1`, and check that file: what v1 has otherwise is told field by field.';

/** Of an object that is written anew as a whole. */
function adviceOfLines(kind: string): string {
  const successor = SUCCESSORS[kind] ?? kind;
  const api = KINDS[successor]?.at(-1) ?? '';
  return `Write it as ${successor === 'NodePool' ? 'a' : 'an'} ${successor} of \`${api}\`, which says the same; its defaults are other ones, and stand there as well. Karpenter 1.0 or later has that API, its CRDs first.`;
}

/** Source: aws/karpenter-provider-aws, tools/karpenter-convert of 0.32, which refuses such a template. */
const WITHOUT_TEMPLATE =
  'Write it as an EC2NodeClass of `karpenter.k8s.aws/v1`, which takes no launch template: `aws ec2 describe-launch-template-versions` tells the AMI, the profile, the security groups and the user data, which go to its `amiSelectorTerms` with `amiFamily`, `instanceProfile`, `securityGroupSelectorTerms` and `userData`.';

/** What has to be done with an object of an old API. */
function wayOf({ kind, version }: Api, { object }: KubernetesManifest): string {
  if (kind === 'AWSNodeTemplate' && dataAt(object, 'spec', 'launchTemplate') !== undefined) return WITHOUT_TEMPLATE;
  if (version.includes('alpha'))
    return kind === 'Provisioner'
      ? `Write it as a NodePool of \`karpenter.sh/v1\`: \`karpenter-convert -f FILE\`, ${CONVERT}`
      : `Write it as an EC2NodeClass of \`karpenter.k8s.aws/v1\`: \`karpenter-convert -f FILE | envsubst\`, with the name of the nodes' role in the environment variable \`KARPENTER_NODE_ROLE\`, ${CONVERT}`;
  return version.endsWith('/v1')
    ? updateFor({ version })
    : 'Write it in `v1`, whose node classes hold `kubelet` and name their AMIs by `amiSelectorTerms`; Karpenter 1.0 has both APIs, for the way there.';
}

/** What has to be done where Karpenter is older than the API. */
function updateFor({ version }: Pick<Api, 'version'>): string {
  return version.endsWith('/v1')
    ? 'Update Karpenter to 1.0 or later, its CRDs first.'
    : 'Update Karpenter, its CRDs first: 0.32 to 1.0 have this API, and 1.0 and later have `v1`.';
}

function judgeApi(
  manifest: KubernetesManifest,
  api: Api,
  view: ClusterView,
  model: EksModel,
): Judgement<KarpenterMessage> | undefined {
  const { kind, version, from, before } = api;
  const name = objectName(manifest);
  const served =
    before === undefined
      ? `Karpenter has since ${from ?? ''}`
      : `Karpenter ${version.includes('alpha') ? 'dropped with 0.33' : 'had from 0.32 to 1.0'}`;
  const corrected = before === undefined ? undefined : rewrittenLines(manifest, view);
  const common = { resource: manifest, source: placeIn(manifest, 'apiVersion'), corrected } as const;
  const advice = corrected === undefined ? wayOf(api, manifest) : adviceOfLines(kind);
  const data = { kind, name, api: version, served, advice };
  const running = karpenterOf(view);
  if (running !== undefined) {
    const serves =
      (before === undefined || compareVersions(running.version, before) < 0) &&
      (from === undefined || compareVersions(running.version, from) >= 0);
    if (serves) return undefined;
    const because = `The input has Karpenter ${running.version} (${running.name})`;
    const isTooOld = from !== undefined && compareVersions(running.version, from) < 0;
    return isTooOld
      ? {
          ...{ ...common, corrected: undefined, verdict: 'fail', message: 'notServed' },
          data: { ...data, because, advice: updateFor(api) },
        }
      : { ...common, verdict: 'fail', message: 'notServed', data: { ...data, because } };
  }
  if (before === undefined) return undefined;
  const needed = oldestFor(view);
  if (needed !== undefined && compareVersions(needed.oldest, before) >= 0) {
    const because = `Kubernetes ${needed.minor} needs Karpenter ${needed.oldest} or later`;
    return { ...common, verdict: 'fail', message: 'notServed', data: { ...data, because } };
  }
  // Whichever of the clusters it is for, if it is for one of them.
  const isOldForAll = view.cluster === undefined && model.clusters.every((cluster) => endsBefore(before, cluster));
  if (version.includes('alpha') && isOldForAll)
    return { ...common, verdict: 'fail', message: 'old', severity: 'warning', data };
  const reason = `whether the Karpenter of its cluster has \`${version}\`, which it ${served.replace('Karpenter ', '')}, isn't known`;
  return { resource: manifest, source: common.source, verdict: 'unverifiable', reason };
}

interface RunningKarpenter {
  readonly version: string;
  readonly name: string;
}

/** It is asked for each object of a cluster. */
const running = new WeakMap<ClusterView, { readonly found: RunningKarpenter | undefined }>();

/** The Karpenter of a cluster, where a chart or a Deployment tells its version. */
export function karpenterOf(view: ClusterView): RunningKarpenter | undefined {
  let known = running.get(view);
  if (known === undefined) {
    known = { found: findKarpenter(view) };
    running.set(view, known);
  }
  return known.found;
}

function findKarpenter(view: ClusterView): RunningKarpenter | undefined {
  const found = [
    ...view.helmReleases.flatMap((release) => {
      const { chart, version } = release;
      const isKarpenter = chart.kind === 'known' && /(?:^|\/)karpenter(?:-crd)?$/.test(chart.value);
      return isKarpenter && version.kind === 'known' ? [{ version: version.value, name: resourceName(release) }] : [];
    }),
    ...view.manifests.flatMap((manifest) => {
      const { object } = manifest;
      if (dataAt(object, 'kind') !== 'Deployment') return [];
      const containers = dataAt(object, 'spec', 'template', 'spec', 'containers');
      const images = Array.isArray(containers)
        ? (containers as readonly Data[]).map((one) => dataAt(one, 'image'))
        : [];
      return images.flatMap((image) => {
        const [, version] = typeof image === 'string' ? (/\/karpenter\/controller:v?([\d.]+)/.exec(image) ?? []) : [];
        return version === undefined ? [] : [{ version, name: resourceName(manifest) }];
      });
    }),
  ].flatMap(({ version, name }) => {
    const plain = /^v?(\d+\.\d+(?:\.\d+)?)$/.exec(version)?.[1];
    return plain === undefined ? [] : [{ version: plain, name }];
  });
  const [first, ...others] = found;
  return others.every(({ version }) => version === first?.version) ? first : undefined;
}

/** Whether every Karpenter that runs on a cluster is without what ended with a version. */
function endsBefore(before: string, cluster: Cluster): boolean {
  const needed = oldestFor({ cluster });
  return needed !== undefined && compareVersions(needed.oldest, before) >= 0;
}

/** The oldest Karpenter that the cluster may have, where its Kubernetes version is known, whatever conditions hold. */
function oldestFor({
  cluster,
}: Pick<ClusterView, 'cluster'>): { readonly oldest: string; readonly minor: string } | undefined {
  if (cluster === undefined) return undefined;
  const found = alternativesOf(cluster.version).map(({ value }) => {
    const oldest = value.kind === 'known' ? oldestKarpenter(value.value) : undefined;
    return oldest === undefined || value.kind !== 'known' ? undefined : { oldest, minor: value.value };
  });
  return found.reduce((least, one) =>
    least === undefined || one === undefined || compareVersions(one.oldest, least.oldest) >= 0 ? one && least : one,
  );
}
