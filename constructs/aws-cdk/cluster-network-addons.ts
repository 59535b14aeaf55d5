import { Annotations, AspectPriority, Aspects, Stack } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import { Construct, type IConstruct } from 'constructs';
import { isDay } from '../../lib/text/day';
import {
  COREDNS_ADDON,
  interfaceEndpointsFor,
  KUBE_PROXY_ADDON,
  lateNodesProblem,
  refuseAutoMode,
  refuseProxyMode,
  type ClusterNetworkAddonsOptions,
  type NetworkAddonOptions,
} from '../engine-neutral/network-addons';
import { chooseVersion, CNI_ADDON } from '../engine-neutral/vpc-cni-choices';
import { PodIdentityAgent, ResolveConflicts, type TakeOverOptions } from '../engine-neutral/vpc-cni-options';
import { ClusterFacts, kubernetesVersionOf, type ICluster } from './cluster';
import { nodeGroupsOf, registerAfterNodes, registerBeforeNodes } from './cluster-members';
import { refuse } from './construction-error';
import { podIdentityAgent } from './pod-identity-agent';
import { cdkTokens } from './tokens';
import { VpcCniAddon } from './vpc-cni-addon';
import type { VpcCniAddonProps } from './vpc-cni-addon-props';

export interface ClusterNetworkAddonsProps extends ClusterNetworkAddonsOptions {
  /** The cluster: of `aws-eks` or `aws-eks-v2`, defined in the app or imported. */
  readonly cluster: ICluster;

  /**
   * Options of the `VpcCniAddon`.
   *
   * @default - its defaults
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managing-vpc-cni.html
   */
  readonly vpcCni?: Omit<VpcCniAddonProps, 'cluster' | 'kubernetesVersion' | 'podIdentityAgent' | 'takeOver'>;

  /**
   * Take over self-managed copies whose fields somebody has changed, where the creation would otherwise end in `ConfigurationConflict`. As with a
   * `VpcCniAddon`, it holds for updates, too, until the option is taken out.
   *
   * @default - fields that were changed make the creation fail, and nothing is lost
   * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAddon.html
   */
  readonly takeOver?: TakeOverOptions;
}

/**
 * The add-ons without which a cluster with `bootstrapSelfManagedAddons: false` has no network: vpc-cni (a `VpcCniAddon`), kube-proxy, CoreDNS and the Pod Identity
 * agent. Versions are pinned, updates keep what was changed in the cluster, and deleting the stack leaves the software there. vpc-cni and kube-proxy come before
 * the node groups of this library, CoreDNS, whose pods need nodes, after those of its stack.
 *
 * What else gives CoreDNS its nodes it has to be told: `addons.coreDns?.node.addDependency(fargateProfile)`.
 *
 * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateCluster.html
 */
export class ClusterNetworkAddons extends Construct {
  readonly vpcCni: VpcCniAddon;
  readonly kubeProxy: eks.CfnAddon;
  /** Undefined with `coreDns: false`. */
  readonly coreDns: CoreDnsAddon | undefined;
  /** Undefined when it is managed elsewhere. */
  readonly podIdentityAgent: IConstruct | undefined;
  /**
   * Services whose interface endpoints a VPC without a way out must have for these add-ons and their nodes, such as `eks-auth`, by the names that
   * `InterfaceVpcEndpointAwsService` takes. Besides them images need a gateway endpoint for S3.
   *
   * @see https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html
   */
  readonly interfaceEndpoints: readonly string[];

  /** @throws ConstructionError for clusters with EKS Auto Mode, and for options that can't work on AWS */
  constructor(scope: Construct, id: string, props: ClusterNetworkAddonsProps) {
    super(scope, id);
    const { cluster, takeOver, coreDns = {}, podIdentityAgent: asked = PodIdentityAgent.INSTALL } = props;
    const facts = new ClusterFacts(cluster);
    refuseAutoMode(this, facts.hasAutoMode);
    refuseProxyMode(this, props.vpcCni?.podSecurityGroups, props.kubeProxy);
    if (takeOver !== undefined && !isDay(takeOver.until))
      refuse(this, `takeOver.until is "${takeOver.until}"; a day such as 2027-03-31 is needed`);
    const kubernetesVersion = kubernetesVersionOf(this, facts, props.kubernetesVersion);
    const common = {
      cluster,
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      ...(takeOver === undefined ? {} : { takeOver }),
    };
    this.podIdentityAgent = podIdentityAgent(this, cluster, asked, kubernetesVersion);
    const version = chooseVersion(this, props.vpcCni?.version, kubernetesVersion, cdkTokens, {
      addon: CNI_ADDON,
      option: 'vpcCni.version',
    });
    this.vpcCni = new VpcCniAddon(this, 'VpcCni', { ...props.vpcCni, ...common, version, podIdentityAgent: asked });
    this.kubeProxy = networkAddon(this, 'KubeProxy', KUBE_PROXY_ADDON, 'kubeProxy.version', {
      ...common,
      ...props.kubeProxy,
    });
    registerBeforeNodes(cluster, this.kubeProxy);
    this.coreDns = coreDns === false ? undefined : new CoreDnsAddon(this, 'CoreDns', { ...common, ...coreDns });
    this.interfaceEndpoints = interfaceEndpointsFor(this.vpcCni.identity, asked === PodIdentityAgent.INSTALL);
  }
}

export interface CoreDnsAddonProps extends NetworkAddonOptions, Pick<ClusterNetworkAddonsProps, 'takeOver'> {
  /** The cluster: of `aws-eks` or `aws-eks-v2`, defined in the app or imported. */
  readonly cluster: ICluster;

  /**
   * Kubernetes version of an imported cluster, `1.34`. A cluster of the app has its own.
   *
   * @default - the cluster's; unknown for imported clusters
   */
  readonly kubernetesVersion?: string;
}

/**
 * The managed add-on of CoreDNS, behind the node groups of its stack. `ClusterNetworkAddons` makes one; on its own it is for nodes that come with another stack than
 * the other add-ons.
 */
export class CoreDnsAddon extends Construct {
  readonly addon: eks.CfnAddon;

  /** @throws ConstructionError for clusters with EKS Auto Mode, and versions that EKS doesn't offer for the cluster */
  constructor(scope: Construct, id: string, props: CoreDnsAddonProps) {
    super(scope, id);
    const { cluster } = props;
    const facts = new ClusterFacts(cluster);
    refuseAutoMode(this, facts.hasAutoMode);
    const kubernetesVersion = kubernetesVersionOf(this, facts, props.kubernetesVersion);
    this.addon = networkAddon(this, 'Resource', COREDNS_ADDON, 'version', {
      ...props,
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    });
    registerAfterNodes(cluster, this);
    this.warnOfLateNodes(cluster);
  }

  /** A warning and no refusal, because it isn't documented that CloudFormation waits for CoreDNS to become active. */
  private warnOfLateNodes(cluster: ICluster): void {
    let done = false;
    const visit = (visited: IConstruct): void => {
      if (visited !== this || done) return;
      done = true;
      const stack = Stack.of(this);
      const nodes = nodeGroupsOf(cluster).filter(({ os }) => os !== 'WINDOWS');
      const elsewhere = nodes.flatMap(({ construct }) => (Stack.of(construct) === stack ? [] : [construct]));
      // A stack that this one waits for has its nodes before.
      const late = elsewhere.filter((construct) => !stack.dependencies.includes(Stack.of(construct)));
      const problem =
        late.length < elsewhere.length ? undefined : lateNodesProblem(nodes.length - elsewhere.length, late);
      if (problem !== undefined) Annotations.of(this).addWarningV2('eks-guardrails:core-dns-before-nodes', problem);
    };
    Aspects.of(this).add({ visit }, { priority: AspectPriority.READONLY });
  }
}

function networkAddon(
  scope: Construct,
  id: string,
  addonName: string,
  option: string,
  { cluster, kubernetesVersion, version, configurationValues, takeOver }: CoreDnsAddonProps,
): eks.CfnAddon {
  if (takeOver !== undefined && !isDay(takeOver.until))
    refuse(scope, `takeOver.until is "${takeOver.until}"; a day such as 2027-03-31 is needed`);
  return new eks.CfnAddon(scope, id, {
    addonName,
    addonVersion: chooseVersion(scope, version, kubernetesVersion, cdkTokens, { addon: addonName, option }),
    clusterName: cluster.clusterName,
    resolveConflicts: takeOver === undefined ? ResolveConflicts.PRESERVE : ResolveConflicts.OVERWRITE,
    preserveOnDelete: true,
    ...(configurationValues === undefined || Object.keys(configurationValues).length === 0
      ? {}
      : { configurationValues: Stack.of(scope).toJsonString(configurationValues) }),
  });
}
