import type { Data, DataMap } from '../../../value';
import { dataAt, isDataMap, Unknown } from '../../../value';
import { dataOf } from './data';
import { Manifest, metadataOf } from './kubernetes';
import type { Registry } from './registry';
import type { TerraformInstance } from '../../../terraform/instance';

type Constructor = new (instance: TerraformInstance, registry: Registry) => Manifest;

/** An object that resources of the Kubernetes provider spell in blocks. */
interface Kind {
  readonly kind: string;
  readonly apiVersion: string | ((spec: Data | undefined) => Data);
  /** Older and newer names of what sends it in this version. */
  readonly types: readonly string[];
  /** What sends it in a newer version. @default - these do, or nothing does */
  readonly successor?: string;
}

/** Source: hashicorp/terraform-provider-kubernetes, what the functions for Create of each resource call. */
const KINDS: readonly Kind[] = [
  { kind: 'Deployment', apiVersion: 'apps/v1', types: ['kubernetes_deployment', 'kubernetes_deployment_v1'] },
  { kind: 'StatefulSet', apiVersion: 'apps/v1', types: ['kubernetes_stateful_set', 'kubernetes_stateful_set_v1'] },
  { kind: 'DaemonSet', apiVersion: 'apps/v1', types: ['kubernetes_daemonset', 'kubernetes_daemon_set_v1'] },
  { kind: 'Job', apiVersion: 'batch/v1', types: ['kubernetes_job', 'kubernetes_job_v1'] },
  { kind: 'CronJob', apiVersion: 'batch/v1', types: ['kubernetes_cron_job_v1'] },
  {
    kind: 'CronJob',
    apiVersion: 'batch/v1beta1',
    types: ['kubernetes_cron_job'],
    successor: 'kubernetes_cron_job_v1',
  },
  { kind: 'Pod', apiVersion: 'v1', types: ['kubernetes_pod', 'kubernetes_pod_v1'] },
  { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1', types: ['kubernetes_pod_disruption_budget_v1'] },
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1beta1',
    types: ['kubernetes_pod_disruption_budget'],
    successor: 'kubernetes_pod_disruption_budget_v1',
  },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    types: ['kubernetes_horizontal_pod_autoscaler_v2'],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    types: ['kubernetes_horizontal_pod_autoscaler_v1'],
  },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2beta2',
    types: ['kubernetes_horizontal_pod_autoscaler_v2beta2'],
    successor: 'kubernetes_horizontal_pod_autoscaler_v2',
  },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: versionOfScaler,
    types: ['kubernetes_horizontal_pod_autoscaler'],
    successor: 'kubernetes_horizontal_pod_autoscaler_v2',
  },
  {
    kind: 'Ingress',
    apiVersion: 'extensions/v1beta1',
    types: ['kubernetes_ingress'],
    successor: 'kubernetes_ingress_v1',
  },
  {
    kind: 'PodSecurityPolicy',
    apiVersion: 'policy/v1beta1',
    types: ['kubernetes_pod_security_policy', 'kubernetes_pod_security_policy_v1beta1'],
  },
  {
    kind: 'CSIDriver',
    apiVersion: 'storage.k8s.io/v1beta1',
    types: ['kubernetes_csi_driver'],
    successor: 'kubernetes_csi_driver_v1',
  },
];

/** The second version of the API is called for blocks that the first one lacks. Source: useV2Beta2 of the provider. */
function versionOfScaler(spec: Data | undefined): Data {
  const written = ['metrics', 'metric', 'behavior'].map((key) => dataAt(spec, key));
  if (written.some((block) => block !== undefined && !(block instanceof Unknown))) return 'autoscaling/v2beta2';
  const unknown = written.find((block) => block instanceof Unknown);
  return unknown instanceof Unknown ? new Unknown(unknown.reason, unknown.source) : 'autoscaling/v1';
}

/** How each of them is read. */
export const TYPED_OBJECTS: readonly (readonly [type: string, reader: Constructor])[] = KINDS.flatMap(
  ({ kind, apiVersion, types, successor }) => {
    class TypedObject extends Manifest {
      readonly isWrittenInBlocks = true;
      readonly successor = successor;

      protected read(): Data {
        const spec = this.withoutIgnored(toKubernetes('spec', dataOf(this.attributes.item('spec'), this.registry)));
        return {
          apiVersion: typeof apiVersion === 'string' ? apiVersion : apiVersion(spec),
          kind,
          metadata: metadataOf(this.attributes, this.registry),
          ...(spec === undefined ? {} : { spec }),
        };
      }

      /** Where changes of the spec are ignored, something else sets how many pods there are. */
      private withoutIgnored(spec: Data | undefined): Data | undefined {
        const isIgnored = this.instance.ignoredChanges?.some((name) => name === 'all' || name === 'spec') === true;
        if (!isIgnored || !isDataMap(spec)) return spec;
        return Object.fromEntries(Object.entries<Data>(spec).filter(([key]) => key !== 'replicas'));
      }
    }
    return types.map((type) => [type, TypedObject] as const);
  },
);

/** Blocks of which there may be many, each an item of a list that Kubernetes calls so. */
const LISTS: Readonly<Record<string, string>> = {
  container: 'containers',
  env: 'env',
  env_from: 'envFrom',
  init_container: 'initContainers',
  match_expressions: 'matchExpressions',
  match_fields: 'matchFields',
  metric: 'metrics',
  node_selector_term: 'nodeSelectorTerms',
  port: 'ports',
  toleration: 'tolerations',
  topology_spread_constraint: 'topologySpreadConstraints',
  volume: 'volumes',
  volume_mount: 'volumeMounts',
};

/** Maps with keys of the user's own. */
const MAPS = new Set(['annotations', 'labels', 'limits', 'match_labels', 'node_selector', 'requests']);

/** What the provider has as a text where Kubernetes has a number, or a text as well. */
const NUMBERS = new Set(['max_unavailable', 'min_available', 'replicas']);

/** An attribute or block as the object has it; undefined if nothing is written. */
function toKubernetes(name: string, data: Data): Data | undefined {
  if (data === null || data === '') return undefined;
  if (data instanceof Unknown || MAPS.has(name)) return data;
  if (NUMBERS.has(name) && typeof data === 'string' && /^-?\d{1,9}$/.test(data)) return Number(data);
  if (Array.isArray(data)) {
    const items = data as readonly Data[];
    if (items.length === 0) return undefined;
    if (!items.some((item) => isDataMap(item) || item instanceof Unknown)) return items;
    // Of other blocks there is one at most.
    return name in LISTS ? items.map(itemOf) : itemOf(items[0] ?? null);
  }
  return isDataMap(data) ? (name in LISTS ? [blockOf(data)] : blockOf(data)) : data;
}

function itemOf(item: Data): Data {
  return isDataMap(item) ? blockOf(item) : item;
}

function blockOf(block: DataMap): DataMap {
  return Object.fromEntries(
    Object.entries<Data>(block).flatMap(([name, data]): [string, Data][] => {
      const made = toKubernetes(name, data);
      if (made === undefined) return [];
      // `port` is a block of a container, and an attribute of a probe.
      return [[(Array.isArray(made) ? LISTS[name] : undefined) ?? camelCase(name), made]];
    }),
  );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
