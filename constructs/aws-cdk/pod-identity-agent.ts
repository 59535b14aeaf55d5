import { CfnResource } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import type { Construct, IConstruct } from 'constructs';
import { newestAddonVersion } from '../../lib/knowledge';
import { AGENT_ADDON, refuseUnknownAgent } from '../engine-neutral/vpc-cni-choices';
import { PodIdentityAgent, ResolveConflicts } from '../engine-neutral/vpc-cni-options';
import type { ICluster } from './cluster';

/** Where CDK's clusters put the agent add-on when it is first asked for. */
const CDK_AGENT_ID = 'EksPodIdentityAgentAddon';

/** The agents of clusters for which CDK makes none. */
const installed = new WeakMap<ICluster, IConstruct>();

/** The agent add-on, to be deployed first: the cluster's own, that of another construct, or a new one. Undefined when somebody else looks after it. */
export function podIdentityAgent(
  scope: Construct,
  cluster: ICluster,
  asked: PodIdentityAgent | undefined,
  kubernetesVersion: string | undefined,
): IConstruct | undefined {
  if (asked === PodIdentityAgent.MANAGED_ELSEWHERE) return undefined;
  const isNew = cluster.node.tryFindChild(CDK_AGENT_ID) === undefined;
  const agent = cluster.eksPodIdentityAgent;
  const version = kubernetesVersion === undefined ? undefined : newestAddonVersion(AGENT_ADDON, kubernetesVersion);
  if (agent !== undefined) {
    if (isNew && version !== undefined) pinVersion(agent, version);
    return agent;
  }
  const known = installed.get(cluster);
  if (known !== undefined) return known;
  if (asked === undefined) return refuseUnknownAgent(scope);
  const made = new eks.CfnAddon(scope, 'PodIdentityAgent', {
    addonName: AGENT_ADDON,
    clusterName: cluster.clusterName,
    resolveConflicts: ResolveConflicts.PRESERVE,
    preserveOnDelete: true,
    ...(version === undefined ? {} : { addonVersion: version }),
  });
  installed.set(cluster, made);
  return made;
}

/** Pins the version of an add-on that CDK has just made; CDK itself leaves it to whatever EKS has as default that day. */
function pinVersion(addon: IConstruct, version: string): void {
  const resource = addon.node.defaultChild;
  if (CfnResource.isCfnResource(resource)) resource.addPropertyOverride('AddonVersion', version);
}
