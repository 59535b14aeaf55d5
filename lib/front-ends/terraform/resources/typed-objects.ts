import type { Data, DataMap } from '../../../value';
import { isDataMap, Unknown } from '../../../value';
import { dataOf } from './data';
import { Manifest, metadataOf } from './kubernetes';
import type { Registry } from './registry';
import type { TerraformInstance } from '../../../terraform/instance';

type Constructor = new (instance: TerraformInstance, registry: Registry) => Manifest;

/** Resources of the Kubernetes provider that spell an object in blocks, by the kind of the object. Each has older and newer names. */
const KINDS: Readonly<Record<string, { readonly apiVersion: string; readonly types: readonly string[] }>> = {
  Deployment: { apiVersion: 'apps/v1', types: ['kubernetes_deployment', 'kubernetes_deployment_v1'] },
  StatefulSet: { apiVersion: 'apps/v1', types: ['kubernetes_stateful_set', 'kubernetes_stateful_set_v1'] },
  DaemonSet: { apiVersion: 'apps/v1', types: ['kubernetes_daemonset', 'kubernetes_daemon_set_v1'] },
  Job: { apiVersion: 'batch/v1', types: ['kubernetes_job', 'kubernetes_job_v1'] },
  CronJob: { apiVersion: 'batch/v1', types: ['kubernetes_cron_job', 'kubernetes_cron_job_v1'] },
  Pod: { apiVersion: 'v1', types: ['kubernetes_pod', 'kubernetes_pod_v1'] },
  PodDisruptionBudget: {
    apiVersion: 'policy/v1',
    types: ['kubernetes_pod_disruption_budget', 'kubernetes_pod_disruption_budget_v1'],
  },
  HorizontalPodAutoscaler: {
    apiVersion: 'autoscaling/v2',
    types: [
      'kubernetes_horizontal_pod_autoscaler',
      'kubernetes_horizontal_pod_autoscaler_v1',
      'kubernetes_horizontal_pod_autoscaler_v2',
      'kubernetes_horizontal_pod_autoscaler_v2beta2',
    ],
  },
};

/** How each of them is read. */
export const TYPED_OBJECTS: readonly (readonly [type: string, reader: Constructor])[] = Object.entries(KINDS).flatMap(
  ([kind, { apiVersion, types }]) => {
    class TypedObject extends Manifest {
      readonly isWrittenInBlocks = true;

      protected read(): Data {
        const spec = this.withoutIgnored(toKubernetes('spec', dataOf(this.attributes.item('spec'), this.registry)));
        return {
          apiVersion,
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
