/**
 * The fields of nodeadm's NodeConfig, `node.eks.aws/v1alpha1`. Source: awslabs/amazon-eks-ami @ 81fec2e (2026-07),
 * `nodeadm/api/v1alpha1/nodeconfig_types.go` and `nodeadm/crds`.
 */
export interface NodeConfigField {
  readonly type: 'block' | 'string' | 'base64' | 'boolean' | 'map' | 'string-list' | 'boolean-map' | 'map-of-maps';
  /** The values (or keys of a map) that nodeadm acts on. */
  readonly values?: readonly string[];
  /** Values that do no harm, and that aren't worth recommending. */
  readonly alsoWorks?: readonly string[];
  /** nodeadm lower-cases the value before it uses it. */
  readonly ignoreCase?: boolean;
  readonly nonEmpty?: boolean;
}

export const NODE_CONFIG_FIELDS: ReadonlyMap<string, NodeConfigField> = new Map<string, NodeConfigField>([
  ['apiVersion', { type: 'string' }],
  ['kind', { type: 'string' }],
  ['metadata', { type: 'map' }],
  ['spec', { type: 'block' }],
  ['spec.cluster', { type: 'block' }],
  ['spec.cluster.name', { type: 'string', nonEmpty: true }],
  ['spec.cluster.apiServerEndpoint', { type: 'string', nonEmpty: true }],
  ['spec.cluster.certificateAuthority', { type: 'base64' }],
  ['spec.cluster.cidr', { type: 'string', nonEmpty: true }],
  ['spec.cluster.enableOutpost', { type: 'boolean' }],
  ['spec.cluster.id', { type: 'string' }],
  ['spec.kubelet', { type: 'block' }],
  ['spec.kubelet.config', { type: 'map' }],
  ['spec.kubelet.flags', { type: 'string-list' }],
  ['spec.kubelet.maxPodsExpression', { type: 'string', nonEmpty: true }],
  ['spec.containerd', { type: 'block' }],
  ['spec.containerd.config', { type: 'string' }],
  ['spec.containerd.baseRuntimeSpec', { type: 'map' }],
  ['spec.instance', { type: 'block' }],
  ['spec.instance.localStorage', { type: 'block' }],
  [
    'spec.instance.localStorage.strategy',
    { type: 'string', values: ['RAID0', 'RAID10', 'Mount'], alsoWorks: ['none'], ignoreCase: true },
  ],
  ['spec.instance.localStorage.mountPath', { type: 'string' }],
  ['spec.instance.localStorage.disabledMounts', { type: 'string-list', values: ['Containerd', 'PodLogs', 'SOCI'] }],
  ['spec.instance.environment', { type: 'map-of-maps' }],
  ['spec.instance.network', { type: 'block' }],
  ['spec.instance.network.nameservers', { type: 'string-list' }],
  ['spec.instance.network.domains', { type: 'string-list' }],
  ['spec.featureGates', { type: 'boolean-map', values: ['InstanceIdNodeName', 'FastImagePull'] }],
]);
