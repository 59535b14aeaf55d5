import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { nodeProblems as problems, type CniDemands } from '../engine-neutral/vpc-cni-nodes';
import type { ClusterFacts } from './cluster';
import type { NodeGroupMember } from './cluster-members';
import { isToken } from './tokens';
import { knownCidr, knownZone } from './vpc-cni-subnets';

/** What may bring other nodes than those of this library's node groups, to whatever cluster; a chart may be an autoscaler. */
const CAPACITY: ReadonlySet<string> = new Set([
  'AWS::AutoScaling::AutoScalingGroup',
  'AWS::EKS::FargateProfile',
  'AWS::EKS::Nodegroup',
  'Custom::AWSCDK-EKS-FargateProfile',
  'Custom::AWSCDK-EKS-HelmChart',
]);

/** What the add-on of a cluster can't do with the nodes that the app shows; each as a sentence. */
export function nodeProblems(
  demands: CniDemands,
  scope: IConstruct,
  facts: ClusterFacts,
  nodeGroups: readonly NodeGroupMember[],
): string[] {
  return problems(
    demands,
    {
      isDefinedHere: facts.isDefinedHere,
      hasAutoMode: facts.hasAutoMode,
      hasOtherCapacity: (own) =>
        scope.node.root.node
          .findAll()
          .some((other) => CfnResource.isCfnResource(other) && CAPACITY.has(other.cfnResourceType) && !own.has(other)),
      isToken,
      zoneOf: knownZone,
      cidrOf: knownCidr,
    },
    nodeGroups,
  );
}
