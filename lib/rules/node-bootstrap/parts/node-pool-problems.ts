import { dataAt, isAmongPatches, isDataMap, type ClusterView, type DataMap } from '../../../eks';
import { KarpenterDefinitions } from '../../../knowledge';
import { fieldProblems } from './karpenter-field-problems';
import type { KarpenterObject } from './karpenter-objects';
import type { KarpenterProblem } from './karpenter-problem';
import { linesOf } from './moved-field';
import { NODE_POOL_CHECKS } from './node-pool-validations';

/** What of a NodePool of `karpenter.sh/v1` is refused, or dropped. What lacks most of what each one has is a part of one. */
export function nodePoolProblems(object: KarpenterObject): readonly KarpenterProblem[] {
  const { manifest, versions } = object;
  const spec = dataAt(manifest.object, 'spec', 'template', 'spec');
  const isWhole =
    isDataMap(spec) &&
    (Object.hasOwn(spec, 'nodeClassRef') || Object.hasOwn(spec, 'requirements')) &&
    !isAmongPatches(manifest);
  const definitions = new KarpenterDefinitions('NodePool', versions);
  return [
    ...(isDataMap(spec) ? [...(isWhole ? referenceProblem(spec) : []), ...kubeletProblem(spec, object)] : []),
    ...fieldProblems(manifest, { definitions, checks: NODE_POOL_CHECKS, isWhole }),
  ];
}

/** Whether it lacks something that each pool has, where patches are kept. */
export function isPatchOfPool({ manifest }: KarpenterObject): boolean {
  const spec = dataAt(manifest.object, 'spec', 'template', 'spec');
  const isWhole = ['nodeClassRef', 'requirements'].every((key) => (dataAt(spec, key) ?? undefined) !== undefined);
  return !isWhole && isAmongPatches(manifest);
}

function referenceProblem({ nodeClassRef }: DataMap): readonly KarpenterProblem[] {
  if (!isDataMap(nodeClassRef)) return [];
  const missing = ['group', 'kind', 'name'].filter((key) => (nodeClassRef[key] ?? undefined) === undefined);
  const { name, apiVersion } = nodeClassRef;
  if (missing.length === 0)
    return (apiVersion ?? undefined) === undefined
      ? []
      : [
          {
            kind: 'field',
            // Nothing is lost with it.
            severity: 'warning',
            path: ['template', 'spec', 'nodeClassRef', 'apiVersion'],
            problem: 'has an `apiVersion` in its `nodeClassRef`, which v1 has replaced with `group`',
            advice: 'Take `apiVersion` out.',
            code: '',
            becomes: '',
          },
        ];
  return [
    {
      kind: 'node-class-ref',
      path: ['template', 'spec', 'nodeClassRef'],
      problem: `leaves ${missing.map((key) => `\`${key}\``).join(' and ')} out of its \`nodeClassRef\`, which v1 demands`,
      advice: 'Name the node class by group, kind and name; `apiVersion` there is of v1beta1.',
      code: `nodeClassRef:\n  group: karpenter.k8s.aws\n  kind: EC2NodeClass\n  name: ${typeof name === 'string' ? name : 'default'}`,
    },
  ];
}

/** A field of the kubelet that it no longer has, whatever the object. */
const GONE = 'containerRuntime';

function kubeletProblem(spec: DataMap, object: KarpenterObject): readonly KarpenterProblem[] {
  const { kubelet } = spec;
  if ((kubelet ?? undefined) === undefined) return [];
  const hasGone = isDataMap(kubelet) && Object.hasOwn(kubelet, GONE);
  const moved = isDataMap(kubelet)
    ? linesOf(Object.fromEntries(Object.entries(kubelet).filter(([key]) => key !== GONE)))
    : [];
  return [
    {
      kind: 'field',
      path: ['template', 'spec', 'kubelet'],
      problem: 'sets `kubelet`, which v1 has moved to the EC2NodeClass',
      advice: [
        moved.length === 0 && hasGone
          ? ''
          : 'Move it to `spec.kubelet` of the EC2NodeClass; pools that need other values need a node class of their own.',
        hasGone ? `Leave \`${GONE}\` out: Karpenter has no such field, as all its nodes run containerd.` : '',
      ]
        .filter((one) => one !== '')
        .join(' '),
      code: moved.length === 0 ? '' : movedCode(moved, spec, object),
    },
  ];
}

/** What the node class gets and the pool loses. Nothing where pools of one class disagree: each of them then needs a class of its own. */
function movedCode(
  moved: readonly string[],
  { nodeClassRef, kubelet }: DataMap,
  { view, name }: KarpenterObject,
): string {
  const of = dataAt(nodeClassRef, 'name');
  const settings = typeof of === 'string' ? kubeletsOf(view).get(of) : undefined;
  const isOther = [...(settings ?? [])].some((one) => one !== JSON.stringify(kubelet ?? null));
  if (typeof of !== 'string' || isOther) return '';
  return [
    `# in the spec of the EC2NodeClass "${of}":`,
    'kubelet:',
    ...moved.map((line) => `  ${line}`),
    `# in the spec.template.spec of the NodePool "${name}", without kubelet`,
  ].join('\n');
}

/** The settings of the kubelet in the pools of each node class, which are compared for each of these. */
const kubelets = new WeakMap<ClusterView, ReadonlyMap<string, ReadonlySet<string>>>();

function kubeletsOf(view: ClusterView): ReadonlyMap<string, ReadonlySet<string>> {
  let found = kubelets.get(view);
  if (found === undefined) {
    const byClass = new Map<string, Set<string>>();
    for (const { object } of view.manifests) {
      const spec = dataAt(object, 'spec', 'template', 'spec');
      const name = dataAt(spec, 'nodeClassRef', 'name');
      if (!isDataMap(spec) || typeof name !== 'string') continue;
      const others = byClass.get(name) ?? new Set();
      byClass.set(name, others.add(JSON.stringify(dataAt(spec, 'kubelet') ?? null)));
    }
    found = byClass;
    kubelets.set(view, found);
  }
  return found;
}
