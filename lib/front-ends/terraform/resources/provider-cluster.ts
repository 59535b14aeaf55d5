import type { Cluster, Reference } from '../../../eks';
import { alternativesOf, Known, type Source, Unknown, type Value } from '../../../value';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import type { TerraformInstance } from '../../../terraform/instance';
import { clusterReference } from './references';
import { LinkedBlock } from './linked-block';
import type { Registry } from './registry';

/** Data sources that name the cluster which a provider is configured for. */
const LOOKUPS = ['data.aws_eks_cluster', 'data.aws_eks_cluster_auth'] as const;

/** Resources that name their cluster. */
const PARTS = [
  'aws_eks_node_group',
  'aws_eks_addon',
  'aws_eks_fargate_profile',
  'aws_eks_access_entry',
  'aws_eks_pod_identity_association',
] as const;

const indexes = new WeakMap<Registry, ProviderClusters>();

/** The cluster that the Kubernetes and Helm providers of an instance talk to. */
export function clusterOfProvider(instance: TerraformInstance, registry: Registry): Value<Reference<Cluster>> {
  let index = indexes.get(registry);
  if (index === undefined) indexes.set(registry, (index = new ProviderClusters(registry)));
  return index.of(instance);
}

/**
 * Nothing in a resource of the Kubernetes provider names a cluster: its provider does, which instances don't show. A stack
 * nearly always has one cluster, and where it has several, each has a module of its own.
 */
class ProviderClusters {
  /** Clusters at or below each module of a stack. */
  private readonly byModule = new Map<string, Set<Cluster>>();
  /** What names a cluster in a stack without one. */
  private readonly named = new Map<string, Map<string, Value<Reference<Cluster>>>>();

  constructor(private readonly registry: Registry) {
    for (const model of registry.resources) if (model.kind === 'cluster') this.addCluster(model);
    for (const type of LOOKUPS) for (const instance of registry.instancesOf(type)) this.addName(instance, 'name');
    for (const type of PARTS) for (const instance of registry.instancesOf(type)) this.addName(instance, 'cluster_name');
  }

  of({ stack, module, source }: TerraformInstance): Value<Reference<Cluster>> {
    for (const place of modulesAbove(module)) {
      const clusters = this.byModule.get(placeKey(stack, place));
      const [only] = clusters ?? [];
      if (only === undefined) continue;
      return clusters?.size === 1
        ? new Known({ text: only.id, target: only }, source)
        : unknown('there are several clusters, and its provider tells which one it is for', source);
    }
    const [name, other] = [...(this.named.get(stack)?.values() ?? [])];
    return name === undefined || other !== undefined ? unknown('its provider tells the cluster', source) : name;
  }

  private addCluster(cluster: Cluster): void {
    const instance = this.registry.instanceOf(cluster);
    for (const place of modulesAbove(instance?.module ?? '')) {
      const key = placeKey(cluster.stack, place);
      const set = this.byModule.get(key);
      if (set === undefined) this.byModule.set(key, new Set([cluster]));
      else set.add(cluster);
    }
  }

  private addName(instance: TerraformInstance, attribute: string): void {
    const { stack } = instance;
    const item: TerraformValue = new LinkedBlock(instance.attributes, this.registry).item(attribute);
    const reference = clusterReference(item, { registry: this.registry, stack, module: instance.module });
    for (const { value } of alternativesOf(asText(item))) {
      const key =
        value.kind === 'known'
          ? value.value
          : value.kind === 'unknown'
            ? (value.symbol ?? `of ${instance.address}`)
            : undefined;
      if (key === undefined) continue;
      const names = this.named.get(stack);
      if (names === undefined) this.named.set(stack, new Map([[key, reference]]));
      else if (!names.has(key)) names.set(key, reference);
    }
  }
}

/** A module and those that it stands in, the root module last. */
function modulesAbove(module: string): readonly string[] {
  const result: string[] = [];
  for (
    let place = module;
    place !== '';
    place = place.replace(/(?:^|\.)module\.[^.[\]]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?$/, '')
  ) {
    // What can't be taken apart ends the way.
    if (result.at(-1) === place) break;
    result.push(place);
  }
  return [...result, ''];
}

function placeKey(stack: string, module: string): string {
  return `${stack}\n${module}`;
}

function unknown(reason: string, source: Source): Unknown {
  return new Unknown(reason, source);
}
