import {
  dataAt,
  isDataMap,
  namespaceOf,
  objectName,
  selects,
  Unknown,
  type ClusterView,
  type Data,
  type KubernetesManifest,
  type SecurityGroupPolicy,
} from '../../../eks';

/** A manifest whose pods run on Windows nodes. */
export interface WindowsWorkload {
  readonly manifest: KubernetesManifest;
  /** For people: `Deployment web`. */
  readonly label: string;
  /** The labels of its pods. */
  readonly labels: Data | undefined;
}

/** Where each kind has the template of its pods; a Pod is its own. */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['Pod', []],
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].map(
    (kind) => [kind, ['spec', 'template']] as const,
  ),
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
]);

/**
 * The workloads that select Windows nodes, by namespace; those whose namespace isn't known are left out. Only the node selector counts,
 * as for the controller that gives pods their interfaces.
 * Source: aws/amazon-vpc-resource-controller-k8s, webhooks/core/pod_webhook.go.
 */
export function windowsWorkloadsOf({ manifests }: ClusterView): ReadonlyMap<string, readonly WindowsWorkload[]> {
  const found = new Map<string, WindowsWorkload[]>();
  for (const manifest of manifests) {
    const { object } = manifest;
    const kind = dataAt(object, 'kind');
    const path = typeof kind === 'string' ? TEMPLATES.get(kind) : undefined;
    const template = path === undefined ? undefined : dataAt(object, ...path);
    const namespace = namespaceOf(object);
    if (typeof kind !== 'string' || namespace === undefined || !isWindows(template)) continue;
    const workload = {
      manifest,
      label: `${kind} ${objectName(manifest)}`,
      labels: dataAt(template, 'metadata', 'labels'),
    };
    const list = found.get(namespace);
    if (list === undefined) found.set(namespace, [workload]);
    else list.push(workload);
  }
  return found;
}

function isWindows(template: Data | undefined): boolean {
  const isHostNetwork = dataAt(template, 'spec', 'hostNetwork') === true;
  return (
    !isHostNetwork &&
    ['kubernetes.io/os', 'beta.kubernetes.io/os'].some(
      (label) => dataAt(template, 'spec', 'nodeSelector', label) === 'windows',
    )
  );
}

/** Whether a policy fits the pods of a workload of its namespace. */
export function fitsPods(
  { podSelector, serviceAccountSelector, groupIds }: SecurityGroupPolicy,
  { labels }: WindowsWorkload,
): 'yes' | 'no' | 'maybe' {
  // Without groups, or without a selector, the controller ignores a policy.
  if (groupIds === undefined || (Array.isArray(groupIds) && groupIds.length === 0)) return 'no';
  if (podSelector === undefined && serviceAccountSelector === undefined) return 'no';
  const byPod = podSelector === undefined ? 'yes' : selects(podSelector, labels);
  if (byPod === 'no' || serviceAccountSelector === undefined) return byPod;
  // Which labels the service account has isn't looked up: it decides in rare cases only.
  return isAny(serviceAccountSelector) ? byPod : 'maybe';
}

function isAny(selector: Data): boolean {
  return !(selector instanceof Unknown) && isDataMap(selector) && Object.keys(selector).length === 0;
}
