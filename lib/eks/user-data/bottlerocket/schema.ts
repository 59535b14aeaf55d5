/**
 * The settings below `settings.kubernetes` and what type each has. Bottlerocket's API server refuses a setting that it
 * doesn't know, or of another type, and a refusal ends the boot.
 * Sources: bottlerocket-os/bottlerocket-project-website, `data/settings/*\/kubernetes.toml` (1.14 to 1.51);
 * bottlerocket-os/bottlerocket-settings-sdk, `bottlerocket-settings-models/settings-extensions/kubernetes/src/lib.rs`.
 */

export type SettingType =
  | 'string'
  | 'boolean'
  | 'integer'
  /** Integers that older versions knew as strings only. */
  | 'integer-or-string'
  | 'string-list'
  /** An IP address or a list of them. */
  | 'addresses'
  /** Keys of the user's own, string values. */
  | 'strings'
  /** Label keys and values. */
  | 'labels'
  /** Taint keys; `value:Effect`, or a list of them. */
  | 'taints'
  /** Names of the user's own, each with a block of settings. */
  | 'blocks';

const BY_TYPE: Readonly<Record<SettingType, readonly string[]>> = {
  string: [
    'api-server',
    'authentication-mode',
    'bootstrap-token',
    'cloud-provider',
    'cluster-certificate',
    'cluster-domain',
    'cluster-name',
    'container-log-max-size',
    'container-log-monitor-interval',
    'cpu-manager-policy',
    'cpu-manager-reconcile-period',
    'hostname-override',
    'hostname-override-source',
    'image-maximum-gc-age',
    'image-minimum-gc-age',
    'memory-manager-policy',
    'memory-swap-behavior',
    'node-ip',
    'pod-infra-container-image',
    'provider-id',
    'reserved-cpus',
    'server-certificate',
    'server-key',
    'shutdown-grace-period',
    'shutdown-grace-period-for-critical-pods',
    'topology-manager-policy',
    'topology-manager-scope',
  ],
  boolean: [
    'cpu-cfs-quota-enforced',
    'device-ownership-from-security-context',
    'fail-cgroup-v1',
    'seccomp-default',
    'server-tls-bootstrap',
    'single-process-oom-kill',
    'standalone-mode',
    'static-pods-enabled',
  ],
  integer: [
    'container-log-max-files',
    'container-log-max-workers',
    'event-burst',
    'event-qps',
    'eviction-max-pod-grace-period',
    'ids-per-pod',
    'kube-api-burst',
    'kube-api-qps',
    'log-level',
    'max-parallel-image-pulls',
    'max-pods',
    'pod-pids-limit',
    'registry-burst',
    'registry-qps',
  ],
  'integer-or-string': ['image-gc-high-threshold-percent', 'image-gc-low-threshold-percent'],
  'string-list': ['allowed-unsafe-sysctls', 'cpu-manager-policy-options'],
  addresses: ['cluster-dns-ip'],
  strings: ['eviction-hard', 'eviction-soft', 'eviction-soft-grace-period', 'kube-reserved', 'system-reserved'],
  labels: ['node-labels'],
  taints: ['node-taints'],
  blocks: ['credential-providers', 'memory-manager-reserved-memory', 'static-pods'],
};

/** Type of each setting below `settings.kubernetes`. */
export const KUBERNETES_SETTINGS: ReadonlyMap<string, SettingType> = new Map(
  (Object.keys(BY_TYPE) as SettingType[]).flatMap((type) => BY_TYPE[type].map((name) => [name, type] as const)),
);

/**
 * The effects that Kubernetes knows. Bottlerocket takes any word, and kubelet doesn't start with another one.
 * Source: bottlerocket-os/bottlerocket-settings-sdk, modeled-types, KubernetesTaintValue.
 */
export const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
export type TaintEffect = (typeof TAINT_EFFECTS)[number];

/** Without these a node of `aws-k8s` variants joins no cluster. EKS supplies them unless the node group has an AMI of its own. */
export const JOIN_SETTINGS = ['api-server', 'cluster-certificate', 'cluster-name'] as const;
export type JoinSetting = (typeof JOIN_SETTINGS)[number];
