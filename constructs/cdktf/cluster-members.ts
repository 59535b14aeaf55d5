import { dependable, TerraformResource, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { ClusterMembers, type CniMember, type NodeGroupMember as Member } from '../engine-neutral/cluster-members';
import type { ICluster } from './cluster';
import { onceComplete } from './once-complete';
import type { IRole } from './role';
import type { ISubnet } from './subnet';

export type { CniMember } from '../engine-neutral/cluster-members';
export type NodeGroupMember = Member<IRole, ISubnet>;

const members = new ClusterMembers<ICluster, IRole, ISubnet>({
  isSameStack: (one, other) => TerraformStack.of(one) === TerraformStack.of(other),
  wait: (later, first) => {
    for (const resource of resourcesOf(later)) waitFor(resource, first);
  },
  waitForStack: (later, first) => {
    const [consumer, producer] = [TerraformStack.of(later), TerraformStack.of(first)];
    // By now all references between stacks are dependencies. A stack of another app is nothing that this one could wait for.
    if (consumer.node.root !== producer.node.root || producer.dependsOn(consumer)) return false;
    consumer.addDependency(producer);
    return true;
  },
  onceComplete,
});

export const registerCni = (cluster: ICluster, cni: CniMember): CniMember | undefined =>
  members.registerCni(cluster, cni);
export const registerBeforeNodes = (cluster: ICluster, addon: IConstruct): void => {
  members.registerBeforeNodes(cluster, addon);
};
export const registerAfterNodes = (cluster: ICluster, addon: IConstruct): void => {
  members.registerAfterNodes(cluster, addon);
};
export const registerNodeGroup = (cluster: ICluster, nodeGroup: NodeGroupMember): void => {
  members.registerNodeGroup(cluster, nodeGroup);
};
export const nodeGroupsOf = (cluster: ICluster): readonly NodeGroupMember[] => members.nodeGroupsOf(cluster);
export const sharedBefore = (cluster: ICluster, nodeGroup: IConstruct, name: string, make: () => IConstruct): void => {
  members.sharedBefore(cluster, nodeGroup, name, make);
};
export const cniHasOwnRoleBefore = (cluster: ICluster, nodeGroup: IConstruct): boolean =>
  members.cniHasOwnRoleBefore(cluster, nodeGroup);
export const cniOf = (cluster: ICluster): CniMember | undefined => members.cniOf(cluster);

/** Writes `depends_on`, for resources of the same stack: CDKTF makes none of the dependencies between constructs. */
export function waitFor(resource: TerraformResource, first: IConstruct): void {
  const stack = TerraformStack.of(resource);
  const names = resourcesOf(first).flatMap((before) =>
    TerraformStack.of(before) === stack ? [dependable(before)] : [],
  );
  if (names.length > 0) resource.dependsOn = [...new Set([...(resource.dependsOn ?? []), ...names])];
}

/** A construct's main resource, which waits for its others; without one, all of them. */
function resourcesOf(construct: IConstruct): TerraformResource[] {
  if (TerraformResource.isTerraformResource(construct)) return [construct];
  const main: unknown = construct.node.defaultChild;
  if (TerraformResource.isTerraformResource(main)) return [main];
  return construct.node
    .findAll()
    .filter((child): child is TerraformResource => TerraformResource.isTerraformResource(child));
}
