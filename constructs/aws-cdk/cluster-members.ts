import { Stack } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { ClusterMembers, type CniMember, type NodeGroupMember as Member } from '../engine-neutral/cluster-members';
import type { ICluster } from './cluster';

export type { CniMember } from '../engine-neutral/cluster-members';
export type NodeGroupMember = Member<iam.IRole, ec2.ISubnet>;

const members = new ClusterMembers<ICluster, iam.IRole, ec2.ISubnet>({
  isSameStack: (one, other) => Stack.of(one) === Stack.of(other),
  wait: (later, first) => {
    later.node.addDependency(first);
  },
});

export const registerCni = (cluster: ICluster, cni: CniMember): CniMember | undefined =>
  members.registerCni(cluster, cni);
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
