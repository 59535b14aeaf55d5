import type { Cluster, LookedUp } from '../../../eks';
import { alternativesOf } from '../../../value';
import { asText } from '../../../terraform/terraform-value';
import { LinkedBlock } from './linked-block';
import { clusterReference } from './references';
import type { Registry } from './registry';

/*
 * What data sources look up of clusters: a plan fails, or an apply, where it isn't there. Sources: hashicorp/terraform-provider-aws,
 * internal/service/eks/addon_data_source.go and internal/service/iam/openid_connect_provider_data_source.go.
 */

const byRegistry = new WeakMap<Registry, ReadonlyMap<object, readonly LookedUp[]>>();

export function lookedUpOf(cluster: Cluster, registry: Registry): readonly LookedUp[] {
  let found = byRegistry.get(registry);
  if (found === undefined) byRegistry.set(registry, (found = lookUp(registry)));
  return found.get(cluster) ?? [];
}

function lookUp(registry: Registry): ReadonlyMap<object, readonly LookedUp[]> {
  const found = new Map<object, LookedUp[]>();
  const add = (cluster: object | undefined, one: LookedUp): void => {
    if (cluster === undefined) return;
    const list = found.get(cluster);
    if (list === undefined) found.set(cluster, [one]);
    else list.push(one);
  };
  for (const instance of registry.instancesOf('data.aws_eks_addon')) {
    const { attributes, exists, stack, module } = instance;
    const block = new LinkedBlock(attributes, registry);
    const cluster = clusterReference(block.item('cluster_name'), { registry, stack, module });
    if (cluster.kind === 'known') add(cluster.value.target, { kind: 'addon', name: block.text('addon_name'), exists });
  }
  for (const { attributes, exists } of registry.instancesOf('data.aws_iam_openid_connect_provider'))
    for (const { value } of alternativesOf(asText(new LinkedBlock(attributes, registry).item('url'))))
      if (value.kind === 'unknown') add(value.reference?.resource, { kind: 'oidc-provider', exists });
  return found;
}
