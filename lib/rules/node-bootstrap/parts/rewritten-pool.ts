import { dataAt, isDataMap, type Data, type DataMap } from '../../../eks';

/*
 * The `spec` of a NodePool of v1 that says what an object of the versions before it does. Undefined where somebody has to decide on something.
 * Sources: aws/karpenter-provider-aws, pkg/apis/v1alpha5/provisioner.go (the defaults of requirements), upgrading/v1beta1-migration.md and
 * upgrading/v1-migration.md of its documentation.
 */

const OF_PROVISIONER: ReadonlySet<string> = new Set([
  ...['requirements', 'labels', 'annotations', 'taints', 'startupTaints', 'limits', 'weight', 'consolidation'],
  ...['ttlSecondsAfterEmpty', 'ttlSecondsUntilExpired', 'providerRef', 'provider'],
]);

/** @param nodeClass the name of the class that the pool refers to */
export function poolOfProvisioner(spec: DataMap, nodeClass: string): DataMap | undefined {
  if (Object.keys(spec).some((key) => !OF_PROVISIONER.has(key))) return undefined;
  const requirements = withDefaults(listAt(spec, 'requirements'), isDataMap(spec['labels']) ? spec['labels'] : {});
  const { labels, annotations, taints, startupTaints, weight } = spec;
  const disruption = disruptionOf(spec);
  const expiry = expiryOf(spec);
  if (requirements === undefined || disruption === undefined || expiry === undefined) return undefined;
  const metadata = given({ labels, annotations });
  const resources = dataAt(spec, 'limits', 'resources');
  return given({
    template: given({
      metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
      spec: given({
        nodeClassRef: classNamed(nodeClass),
        requirements,
        taints,
        startupTaints,
        expireAfter: expiry,
      }),
    }),
    disruption,
    limits: isDataMap(resources) ? resources : undefined,
    weight,
  });
}

function classNamed(name: string): DataMap {
  return { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name };
}

/** The label that the pool of a node was in; pools have another one. */
const OF_PROVISIONERS = 'karpenter.sh/provisioner-name';

const INSTANCES = [
  'node.kubernetes.io/instance-type',
  'karpenter.k8s.aws/instance-family',
  'karpenter.k8s.aws/instance-category',
  'karpenter.k8s.aws/instance-generation',
];

/** What Karpenter required of its own accord beside what a Provisioner said; pools say it themselves. */
function withDefaults(own: readonly Data[], labels: DataMap): readonly Data[] | undefined {
  const keys = [...own.map((one) => dataAt(one, 'key')), ...Object.keys(labels)];
  if (keys.some((key) => typeof key !== 'string' || key === OF_PROVISIONERS)) return undefined;
  const lacks = (...names: readonly string[]): boolean => !names.some((name) => keys.includes(name));
  return [
    ...own,
    ...(lacks('kubernetes.io/os') ? [requirement('kubernetes.io/os', 'In', 'linux')] : []),
    ...(lacks('kubernetes.io/arch') ? [requirement('kubernetes.io/arch', 'In', 'amd64')] : []),
    ...(lacks('karpenter.sh/capacity-type') ? [requirement('karpenter.sh/capacity-type', 'In', 'on-demand')] : []),
    ...(lacks(...INSTANCES)
      ? [
          requirement('karpenter.k8s.aws/instance-category', 'In', 'c', 'm', 'r'),
          requirement('karpenter.k8s.aws/instance-generation', 'Gt', '2'),
        ]
      : []),
  ];
}

function requirement(key: string, operator: string, ...values: readonly string[]): DataMap {
  return { key, operator, values };
}

/** What v1alpha5 did with nodes that aren't needed: nothing, unless the Provisioner said so. */
function disruptionOf({ consolidation, ttlSecondsAfterEmpty: empty }: DataMap): DataMap | undefined {
  const enabled = dataAt(consolidation ?? null, 'enabled');
  if (enabled === true) return { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' };
  if (typeof empty === 'number') return { consolidationPolicy: 'WhenEmpty', consolidateAfter: `${empty}s` };
  const isNone = (data: Data | undefined): boolean => data === undefined || data === null || data === false;
  return isNone(enabled) && isNone(empty) ? { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' } : undefined;
}

function expiryOf({ ttlSecondsUntilExpired: expired }: DataMap): string | undefined {
  if (expired === undefined || expired === null) return 'Never';
  return typeof expired === 'number' ? `${expired}s` : undefined;
}

/** @param spec of a NodePool of v1beta1 */
export function poolOfBeta(spec: DataMap): DataMap | undefined {
  const { template, disruption = {} } = spec;
  const own = dataAt(template ?? null, 'spec');
  if (!isDataMap(template) || !isDataMap(own) || !isDataMap(disruption) || isDataMap(own['kubelet'])) return undefined;
  const { kubelet: _, nodeClassRef, ...others } = own;
  const name = dataAt(nodeClassRef ?? null, 'name');
  const kind = dataAt(nodeClassRef ?? null, 'kind') ?? 'EC2NodeClass';
  if (typeof name !== 'string' || kind !== 'EC2NodeClass') return undefined;
  const { expireAfter, consolidationPolicy: policy, consolidateAfter, ...budgets } = disruption;
  const isWhenEmpty = policy === 'WhenEmpty';
  if (policy !== undefined && !isWhenEmpty && policy !== 'WhenUnderutilized') return undefined;
  if (isWhenEmpty && consolidateAfter === undefined) return undefined;
  return {
    ...spec,
    template: { ...template, spec: given({ nodeClassRef: classNamed(name), ...others, expireAfter }) },
    disruption: {
      consolidationPolicy: isWhenEmpty ? policy : 'WhenEmptyOrUnderutilized',
      consolidateAfter: consolidateAfter ?? '0s',
      ...budgets,
    },
  };
}

function listAt(spec: DataMap, key: string): readonly Data[] {
  const list = spec[key];
  return Array.isArray(list) ? (list as readonly Data[]) : [];
}

/** A map of what is there. */
export function given(map: Readonly<Record<string, Data | undefined>>): DataMap {
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => (value === undefined || value === null ? [] : [[key, value]])),
  );
}
