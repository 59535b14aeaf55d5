import { AspectPriority, Aspects, Stack } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { ClusterMembers, type CniMember, type NodeGroupMember as Member } from '../engine-neutral/cluster-members';
import type { ICluster } from './cluster';
import { waitForStack } from './stack-order';

export type { CniMember } from '../engine-neutral/cluster-members';
export type NodeGroupMember = Member<iam.IRole, ec2.ISubnet>;

const members = new ClusterMembers<ICluster, iam.IRole, ec2.ISubnet>({
  isSameStack: (one, other) => Stack.of(one) === Stack.of(other),
  wait: (later, first) => {
    later.node.addDependency(first);
  },
  waitForStack,
  onceComplete: (construct, action) => {
    let done = false;
    const visit = (visited: IConstruct): void => {
      if (visited !== construct || done) return;
      done = true;
      action();
    };
    Aspects.of(construct).add({ visit }, { priority: AspectPriority.MUTATING });
  },
});

export const registerCni = (cluster: ICluster, cni: CniMember): CniMember | undefined =>
  members.registerCni(cluster, cni);
export const registerBeforeNodes = (cluster: ICluster, addon: IConstruct): void => {
  members.registerBeforeNodes(cluster, addon);
};
export const registerAfterNodes = (cluster: ICluster, addon: IConstruct): void => {
  members.registerAfterNodes(cluster, addon);
};
export const registerPodSecurityGroupPolicy = (cluster: ICluster, policy: IConstruct): void => {
  members.registerPodSecurityGroupPolicy(cluster, policy);
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
