import type { IConstruct } from 'constructs';
import { refuse } from './construction-error';
import {
  PodIdentityKind,
  PodSecurityGroupMode,
  type PodIdentityAgent,
  type PodSecurityGroupOptions,
} from './vpc-cni-options';

export const KUBE_PROXY_ADDON = 'kube-proxy';
export const COREDNS_ADDON = 'coredns';

/** Version and settings of an add-on. */
export interface NetworkAddonOptions {
  /**
   * Version of the add-on, `v1.35.3-eksbuild.19`.
   *
   * @default - the newest one that this library's table has for the cluster's Kubernetes version; needed when that version isn't known
   */
  readonly version?: string;

  /**
   * Configuration values, by the keys of the add-on's schema (`aws eks describe-addon-configuration`). Not checked.
   *
   * @default - none
   */
  readonly configurationValues?: Readonly<Record<string, unknown>>;
}

/** The options of `ClusterNetworkAddons` that every engine has. */
export interface ClusterNetworkAddonsOptions {
  /**
   * Kubernetes version of an imported cluster, `1.34`. A cluster of the app has its own.
   *
   * @default - the cluster's; unknown for imported clusters
   */
  readonly kubernetesVersion?: string;

  /**
   * Version and settings of kube-proxy.
   *
   * @default - the newest version, the add-on's own settings
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managing-kube-proxy.html
   */
  readonly kubeProxy?: NetworkAddonOptions;

  /**
   * Version and settings of CoreDNS; `false` leaves it to a `CoreDnsAddon` in the stack of the nodes, or to whoever installs another DNS.
   *
   * @default - the newest version, the add-on's own settings
   * @see https://docs.aws.amazon.com/eks/latest/userguide/managing-coredns.html
   */
  readonly coreDns?: NetworkAddonOptions | false;

  /**
   * Who installs the Pod Identity agent.
   *
   * @default PodIdentityAgent.INSTALL
   * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html
   */
  readonly podIdentityAgent?: PodIdentityAgent;
}

/** Refuses a cluster whose nodes have all of it built in. */
export function refuseAutoMode(scope: IConstruct, hasAutoMode: boolean): void {
  if (hasAutoMode)
    refuse(
      scope,
      'the cluster has EKS Auto Mode, whose nodes bring the CNI, kube-proxy, DNS and the Pod Identity agent themselves; leave these add-ons out. For node groups beside those nodes use VpcCniAddon, CoreDnsAddon and the other add-ons one by one',
    );
}

/**
 * Refuses a mode of kube-proxy with which pods that have security groups of their own reach no Services. Sources: aws/amazon-vpc-cni-k8s, README, "POD_SECURITY_GROUP_ENFORCING_MODE";
 * Amazon EKS best practices, "Security groups per pod".
 */
export function refuseProxyMode(
  scope: IConstruct,
  podSecurityGroups: PodSecurityGroupOptions | undefined,
  kubeProxy: NetworkAddonOptions | undefined,
): void {
  const mode = kubeProxy?.configurationValues?.mode;
  if (podSecurityGroups === undefined || podSecurityGroups.mode === PodSecurityGroupMode.STANDARD) return;
  if (mode === 'ipvs' || mode === 'nftables')
    refuse(
      scope,
      `kubeProxy.configurationValues.mode is ${mode}, and vpcCni.podSecurityGroups has the mode STRICT, which works with iptables only: such pods would reach no Services; leave the mode of kube-proxy out, or say PodSecurityGroupMode.STANDARD`,
    );
}

/**
 * Interface endpoints that nodes with these add-ons need in a VPC without a way out. Images come from S3, by a gateway endpoint. Sources: Amazon EKS user guide,
 * "Deploy private clusters with limited internet access" and "Set up the Amazon EKS Pod Identity Agent".
 */
export function interfaceEndpointsFor(identity: PodIdentityKind | undefined, hasAgent: boolean): readonly string[] {
  return [
    'ec2',
    'ecr.api',
    'ecr.dkr',
    ...(hasAgent || identity === PodIdentityKind.POD_IDENTITY ? ['eks-auth'] : []),
    ...(identity === PodIdentityKind.IRSA ? ['sts'] : []),
  ];
}

/**
 * What is wrong when all known Linux nodes of the cluster come with other stacks, which wait for the one with CoreDNS: its pods have nowhere to run, and the
 * add-on doesn't become active. Source: hashicorp/terraform-provider-aws, which waits 20 minutes for ACTIVE; eksctl-io/eksctl issue 4607.
 */
export function lateNodesProblem(inStack: number, elsewhere: readonly IConstruct[]): string | undefined {
  const [first] = elsewhere;
  if (inStack > 0 || first === undefined) return undefined;
  return `CoreDNS needs nodes, and the node group ${first.node.path} comes with another stack, which is deployed after this one; say coreDns: false here, and define a CoreDnsAddon in that stack`;
}
