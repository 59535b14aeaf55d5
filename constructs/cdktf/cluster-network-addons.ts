import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { TerraformStack, type TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { kubernetesVersionOf } from '../engine-neutral/cluster';
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
import { PodIdentityAgent, ResolveConflicts } from '../engine-neutral/vpc-cni-options';
import { ClusterFacts, type ICluster } from './cluster';
import { nodeGroupsOf, registerAfterNodes, registerBeforeNodes } from './cluster-members';
import { jsonText, jsonTokens } from './json-text';
import { podIdentityAgent } from './pod-identity-agent';
import { VpcCniAddon } from './vpc-cni-addon';
import type { VpcCniAddonProps } from './vpc-cni-addon-props';

export interface ClusterNetworkAddonsProps extends ClusterNetworkAddonsOptions {
  /** The cluster: `aws_eks_cluster`, the data source of that name, or attributes. */
  readonly cluster: ICluster;

  /**
   * Options of the `VpcCniAddon`.
   *
   * @default - its defaults
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managing-vpc-cni.html
   */
  readonly vpcCni?: Omit<VpcCniAddonProps, 'cluster' | 'kubernetesVersion' | 'podIdentityAgent'>;
}

/**
 * The add-ons without which a cluster with `bootstrap_self_managed_addons = false` has no network: vpc-cni (a `VpcCniAddon`), kube-proxy, CoreDNS and the Pod
 * Identity agent. Versions are pinned, updates keep what was changed in the cluster, and destroying the stack leaves the software there. vpc-cni and kube-proxy come
 * before the node groups of this library, CoreDNS, whose pods need nodes, after those of its stack. Self-managed copies are taken over when the add-ons are created.
 *
 * What else gives CoreDNS its nodes goes into `dependsOn` of `addons.coreDns?.addon`.
 *
 * @see https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateCluster.html
 */
export class ClusterNetworkAddons extends Construct {
  readonly vpcCni: VpcCniAddon;
  readonly kubeProxy: EksAddon;
  /** Undefined with `coreDns: false`. */
  readonly coreDns: CoreDnsAddon | undefined;
  /** Undefined when it is managed elsewhere. */
  readonly podIdentityAgent: TerraformResource | undefined;
  /**
   * Services whose interface endpoints a VPC without a way out must have for these add-ons and their nodes, such as `eks-auth`: the last part of
   * `com.amazonaws.REGION.SERVICE`. Besides them images need a gateway endpoint for S3.
   *
   * @see https://docs.aws.amazon.com/eks/latest/userguide/private-clusters.html
   */
  readonly interfaceEndpoints: readonly string[];

  /** @throws ConstructionError for clusters with EKS Auto Mode, and for options that can't work on AWS */
  constructor(scope: Construct, id: string, props: ClusterNetworkAddonsProps) {
    super(scope, id);
    const { cluster, coreDns = {}, podIdentityAgent: asked = PodIdentityAgent.INSTALL } = props;
    const facts = new ClusterFacts(cluster, this);
    refuseAutoMode(this, facts.hasAutoMode);
    refuseProxyMode(this, props.vpcCni?.podSecurityGroups, props.kubeProxy);
    const kubernetesVersion = kubernetesVersionOf(this, jsonTokens, facts.kubernetesVersion, props.kubernetesVersion);
    const common = { cluster, ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }) };
    this.podIdentityAgent = podIdentityAgent(this, facts, asked, kubernetesVersion);
    const version = chooseVersion(this, props.vpcCni?.version, kubernetesVersion, jsonTokens, {
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

export interface CoreDnsAddonProps extends NetworkAddonOptions {
  /** The cluster: `aws_eks_cluster`, the data source of that name, or attributes. */
  readonly cluster: ICluster;

  /**
   * Kubernetes version of a cluster that is made elsewhere, `1.34`.
   *
   * @default - the cluster's
   */
  readonly kubernetesVersion?: string;
}

/**
 * The managed add-on of CoreDNS, behind the node groups of its stack. `ClusterNetworkAddons` makes one; on its own it is for nodes that come with another stack than
 * the other add-ons.
 */
export class CoreDnsAddon extends Construct {
  readonly addon: EksAddon;

  /** @throws ConstructionError for clusters with EKS Auto Mode, and versions that EKS doesn't offer for the cluster */
  constructor(scope: Construct, id: string, props: CoreDnsAddonProps) {
    super(scope, id);
    const { cluster } = props;
    const facts = new ClusterFacts(cluster, this);
    refuseAutoMode(this, facts.hasAutoMode);
    const kubernetesVersion = kubernetesVersionOf(this, jsonTokens, facts.kubernetesVersion, props.kubernetesVersion);
    this.addon = networkAddon(this, 'Resource', COREDNS_ADDON, 'version', {
      ...props,
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    });
    registerAfterNodes(cluster, this.addon);
    this.node.addValidation({ validate: () => this.lateNodes(cluster) });
  }

  private lateNodes(cluster: ICluster): string[] {
    const stack = TerraformStack.of(this);
    const nodes = nodeGroupsOf(cluster).filter(({ os }) => os !== 'WINDOWS');
    const elsewhere = nodes.flatMap(({ construct }) => (TerraformStack.of(construct) === stack ? [] : [construct]));
    // A stack that this one waits for has its nodes before.
    if (elsewhere.some((construct) => stack.dependsOn(TerraformStack.of(construct)))) return [];
    const problem = lateNodesProblem(nodes.length - elsewhere.length, elsewhere);
    return problem === undefined ? [] : [problem];
  }
}

function networkAddon(
  scope: Construct,
  id: string,
  addonName: string,
  option: string,
  { cluster, kubernetesVersion, version, configurationValues }: CoreDnsAddonProps,
): EksAddon {
  const facts = new ClusterFacts(cluster, scope);
  const addon = new EksAddon(scope, id, {
    ...facts.place,
    addonName,
    addonVersion: chooseVersion(scope, version, kubernetesVersion, jsonTokens, { addon: addonName, option }),
    clusterName: facts.clusterName,
    resolveConflictsOnCreate: ResolveConflicts.OVERWRITE,
    resolveConflictsOnUpdate: ResolveConflicts.PRESERVE,
    preserve: true,
    ...(configurationValues === undefined || Object.keys(configurationValues).length === 0
      ? {}
      : { configurationValues: jsonText(configurationValues) }),
  });
  facts.putInRegion(addon);
  return addon;
}
