import { TerraformModule, TerraformResource } from 'cdktf';
import type { IConstruct } from 'constructs';
import { nodeProblems as problems, type CniDemands } from '../engine-neutral/vpc-cni-nodes';
import type { ClusterFacts } from './cluster';
import type { NodeGroupMember } from './cluster-members';
import { knownCidr, knownZone } from './subnet';
import { isToken } from './tokens';

/** What may bring other nodes than those of this library's node groups, to whatever cluster; a chart or a manifest may be an autoscaler. */
const CAPACITY: ReadonlySet<string> = new Set([
  'aws_autoscaling_group',
  'aws_eks_fargate_profile',
  'aws_eks_node_group',
  'aws_instance',
  'helm_release',
  'kubectl_manifest',
  'kubernetes_manifest',
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
        scope.node.root.node.findAll().some((other) => mayBringNodes(other) && !own.has(other)),
      isToken,
      zoneOf: knownZone,
      cidrOf: knownCidr,
    },
    nodeGroups,
  );
}

/** Whether a construct may bring nodes. What a module declares isn't known at synthesis, so every module may. */
function mayBringNodes(construct: IConstruct): boolean {
  return (
    construct instanceof TerraformModule ||
    (TerraformResource.isTerraformResource(construct) && CAPACITY.has(construct.terraformResourceType))
  );
}
