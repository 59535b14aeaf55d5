import type { IConstruct } from 'constructs';
import { AmiFamily } from './ami-family';
import type { AuthenticationMode } from './cluster';
import type { CniMember } from './cni-member';
import { ConstructionError, refuse } from './construction-error';
import type { NodeGroupOptions } from './node-group-options';
import type { TokenTools } from './tokens';

/** Who lets Windows nodes with an own AMI into the cluster, so that they may also run kube-proxy. */
export enum WindowsNodeAccess {
  /** An access entry of type EC2_WINDOWS that this construct makes. The cluster's authentication mode must include API. */
  ACCESS_ENTRY = 'ACCESS_ENTRY',
  /** The `aws-auth` ConfigMap, with the group `eks:kube-proxy-windows`, or an access entry that is there already. */
  MANAGED_ELSEWHERE = 'MANAGED_ELSEWHERE',
}

/** The options of a node group that Windows has none of. */
export type WithoutWindows =
  | 'al2Reason'
  | 'amiFamily'
  | 'architecture'
  | 'bottlerocketSettings'
  | 'efa'
  | 'instanceStore'
  | 'nodeConfig'
  | 'nodeRepair'
  | 'shellScripts';

/** The options that a group of Windows nodes has besides those of a node group. */
export interface WindowsOptions {
  /**
   * Edition of Windows; with `customAmi` any will do. 2025 needs Kubernetes 1.35.
   *
   * @default AmiFamily.WINDOWS_CORE_2022
   */
  readonly amiFamily?: AmiFamily;

  /**
   * The app doesn't show the Linux or Fargate nodes of the cluster, which CoreDNS and other add-ons need.
   *
   * @default false
   */
  readonly linuxNodesElsewhere?: boolean;
}

/** The options with an edition of Windows, if they are such. */
export function windowsProps<Props extends Pick<NodeGroupOptions, 'amiFamily' | 'amiType'>>(
  scope: IConstruct,
  id: string,
  tokens: TokenTools,
  props: Props,
): Props {
  const { amiFamily, amiType } = props;
  const isOther =
    (amiFamily !== undefined && !amiFamily.startsWith('WINDOWS_')) ||
    (amiType !== undefined && !tokens.isToken(amiType) && !amiType.startsWith('WINDOWS_'));
  if (isOther) {
    throw new ConstructionError(
      `${scope.node.path}/${id}`,
      `${amiFamily === undefined ? 'amiType' : 'amiFamily'} is ${String(amiFamily ?? amiType)}, which isn't Windows; use ManagedNodeGroup`,
    );
  }
  return amiFamily === undefined && amiType === undefined
    ? { ...props, amiFamily: AmiFamily.WINDOWS_CORE_2022 }
    : props;
}

/** How the nodes get in: by themselves with EKS's own AMI. */
export interface NodeAccess {
  readonly hasCustomAmi: boolean;
  /** The cluster's; undefined when it isn't known. */
  readonly mode: AuthenticationMode | undefined;
  readonly access: WindowsNodeAccess | undefined;
}

/** Whether an access entry has to be made for the nodes; refuses what can't let them in. */
export function needsAccessEntry(scope: IConstruct, { hasCustomAmi, mode, access }: NodeAccess): boolean {
  if (!hasCustomAmi) {
    if (access !== undefined)
      refuse(
        scope,
        `nodeAccess is ${access} without customAmi; EKS lets the nodes of its own AMIs in by itself: leave nodeAccess out`,
      );
    return false;
  }
  if (mode === undefined && access === undefined) {
    refuse(
      scope,
      "customAmi is set on an imported cluster, and nodeAccess isn't; EKS doesn't know that the AMI is Windows: say WindowsNodeAccess.ACCESS_ENTRY if the cluster has access entries, MANAGED_ELSEWHERE if aws-auth maps the role with eks:kube-proxy-windows",
    );
  }
  if (mode === 'CONFIG_MAP' && access === WindowsNodeAccess.ACCESS_ENTRY) {
    refuse(
      scope,
      "nodeAccess is ACCESS_ENTRY and the cluster's authentication mode is CONFIG_MAP, which has no access entries; leave nodeAccess out",
    );
  }
  return mode !== 'CONFIG_MAP' && access !== WindowsNodeAccess.MANAGED_ELSEWHERE;
}

/** What the add-on of the cluster leaves undone for Windows nodes. */
export function ipamProblem(cni: CniMember): string[] {
  return cni.windowsIpam
    ? []
    : [
        `the vpc-cni add-on ${cni.construct.node.path} doesn't manage the addresses of Windows nodes, whose pods would get none; set windowsIpam on it`,
      ];
}

/** A role that a Linux node group has too. */
export function sharedRoleProblem(linux: IConstruct | undefined): string[] {
  return linux === undefined
    ? []
    : [
        `role is that of the Linux node group ${linux.node.path} too; an access entry makes a role Linux or Windows, not both: give each its own`,
      ];
}

export const NO_LINUX_NODES =
  "the app has no Linux and no Fargate nodes, and CoreDNS runs on nothing else; add a Linux node group, or say linuxNodesElsewhere if the app doesn't show them";
