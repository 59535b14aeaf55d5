import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { TerraformResource, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { newestAddonVersion } from '../../lib/knowledge';
import { AGENT_ADDON, refuseUnknownAgent } from '../engine-neutral/vpc-cni-choices';
import { PodIdentityAgent, ResolveConflicts } from '../engine-neutral/vpc-cni-options';
import type { ClusterFacts } from './cluster';
import { resolvedText } from './resolved-text';

/** The agent add-on, to be deployed first: the stack's own, or a new one. Undefined when somebody else looks after it. */
export function podIdentityAgent(
  scope: Construct,
  facts: ClusterFacts,
  asked: PodIdentityAgent | undefined,
  kubernetesVersion: string | undefined,
): TerraformResource | undefined {
  if (asked === PodIdentityAgent.MANAGED_ELSEWHERE) return undefined;
  const found = agentsOf(scope, facts)[0];
  if (found !== undefined) return found;
  if (asked === undefined && !facts.isDefinedHere) return refuseUnknownAgent(scope);
  const version = kubernetesVersion === undefined ? undefined : newestAddonVersion(AGENT_ADDON, kubernetesVersion);
  const agent = new EksAddon(scope, 'PodIdentityAgent', {
    ...facts.place,
    clusterName: facts.clusterName,
    addonName: AGENT_ADDON,
    preserve: true,
    resolveConflictsOnCreate: ResolveConflicts.OVERWRITE,
    resolveConflictsOnUpdate: ResolveConflicts.PRESERVE,
    ...(version === undefined ? {} : { addonVersion: version }),
  });
  facts.putInRegion(agent);
  return agent;
}

/** What is wrong with the agent in the whole stack; as sentences. */
export function agentProblems(scope: Construct, facts: ClusterFacts): string[] {
  const other = agentsOf(scope, facts).find((agent) => agent.node.scope !== scope);
  if (other === undefined || scope.node.tryFindChild('PodIdentityAgent') === undefined) return [];
  return [
    `the cluster has the add-on ${AGENT_ADDON} twice, as ${other.node.path} too; define that one before ${scope.node.path}, which then takes it, or say PodIdentityAgent.MANAGED_ELSEWHERE`,
  ];
}

/** The agent add-ons of the cluster in the stack. */
function agentsOf(scope: Construct, facts: ClusterFacts): TerraformResource[] {
  const name = resolvedText(scope, facts.clusterName);
  return TerraformStack.of(scope)
    .node.findAll()
    .filter(
      (child): child is TerraformResource =>
        TerraformResource.isTerraformResource(child) &&
        child.terraformResourceType === 'aws_eks_addon' &&
        Reflect.get(child, 'addonNameInput') === AGENT_ADDON &&
        resolvedText(scope, String(Reflect.get(child, 'clusterNameInput'))) === name,
    );
}
