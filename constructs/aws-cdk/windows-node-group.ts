import { AspectPriority, Aspects, CfnResource, Token } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import type { Construct, IConstruct } from 'constructs';
import { AmiFamily } from './ami-family';
import { ClusterFacts } from './cluster';
import { cniOf, nodeGroupsOf, sharedBefore } from './cluster-members';
import { ConstructionError, refuse } from './construction-error';
import { ManagedNodeGroup } from './managed-node-group';
import type { ManagedNodeGroupProps } from './managed-node-group-props';
import { grantResourceController } from './resource-controller';

/** Who switches on the management of addresses for Windows nodes, without which their pods get none. */
export enum WindowsIpam {
  /**
   * The cluster's `VpcCniAddon`, which must have `windowsIpam`; without such an add-on a ConfigMap `kube-system/amazon-vpc-cni` that
   * CDK applies through the cluster's kubectl provider. It stays in the cluster when the node group is deleted.
   */
  AUTOMATIC = 'AUTOMATIC',
  /** Somebody else: the ConfigMap is there already, or another vpc-cni add-on has `enableWindowsIpam`. */
  MANAGED_ELSEWHERE = 'MANAGED_ELSEWHERE',
}

/** Who lets Windows nodes with an own AMI into the cluster, so that they may also run kube-proxy. */
export enum WindowsNodeAccess {
  /** An access entry of type EC2_WINDOWS that this construct makes. The cluster's authentication mode must include API. */
  ACCESS_ENTRY = 'ACCESS_ENTRY',
  /** The `aws-auth` ConfigMap, with the group `eks:kube-proxy-windows`, or an access entry that is there already. */
  MANAGED_ELSEWHERE = 'MANAGED_ELSEWHERE',
}

/** The options of `ManagedNodeGroup` that Windows has, and what goes with them. */
export interface WindowsNodeGroupProps extends Omit<ManagedNodeGroupProps, 'al2Reason' | 'amiFamily' | 'architecture' | 'bottlerocketSettings' | 'nodeConfig' | 'shellScripts'> {
  /**
   * Edition of Windows; with `customAmi` any will do. 2025 needs Kubernetes 1.35.
   *
   * @default AmiFamily.WINDOWS_CORE_2022
   */
  readonly amiFamily?: AmiFamily;

  /**
   * Who switches on the management of addresses for Windows nodes.
   *
   * @default WindowsIpam.AUTOMATIC
   * @see https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html
   */
  readonly windowsIpam?: WindowsIpam;

  /**
   * Who lets the nodes into the cluster; only with `customAmi`, because otherwise EKS does it.
   *
   * @default - by the authentication mode of a cluster of the app: an access entry where it includes API, else a mapping in `aws-auth`; must be said for imported clusters
   */
  readonly nodeAccess?: WindowsNodeAccess;

  /**
   * The app doesn't show the Linux or Fargate nodes of the cluster, which CoreDNS and other add-ons need.
   *
   * @default false
   */
  readonly linuxNodesElsewhere?: boolean;
}

/**
 * A managed node group of Windows nodes, with what the cluster needs besides:
 *
 * - addresses for Windows pods, from the `VpcCniAddon` of the cluster (`windowsIpam`) or by ConfigMap;
 * - the policy AmazonEKSVPCResourceController on the cluster's role, when the app defines it;
 * - a node role that no Linux node has, since a role is one or the other for access entries;
 * - for an own AMI the permission to join and to run kube-proxy: an access entry of type EC2_WINDOWS, or the group `eks:kube-proxy-windows` in `aws-auth`;
 * - Linux or Fargate nodes, which must be visible in the app that defines the cluster.
 *
 * Clusters with IPv6 can't have Windows nodes; security groups for pods and custom networking don't apply to them.
 */
export class WindowsNodeGroup extends ManagedNodeGroup {
  /** The access entry of the node role; undefined when EKS or somebody else makes it, or another node group of the same role has. */
  readonly accessEntry: eks.CfnAccessEntry | undefined;

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    scope: Construct,
    id: string,
    private readonly windowsProps: WindowsNodeGroupProps,
  ) {
    super(scope, id, groupProps(scope, id, windowsProps));
    const facts = new ClusterFacts(windowsProps.cluster);
    grantResourceController(facts);
    this.accessEntry = this.letIn(facts);
    this.enableIpam(facts);
    this.node.addValidation({ validate: () => [...this.ipamProblems(facts), ...this.roleProblems(), ...this.linuxProblems(facts)] });
  }

  /** Before the node group: EKS would make an entry of type EC2_LINUX for a role that has none. */
  private letIn(facts: ClusterFacts): eks.CfnAccessEntry | undefined {
    const { cluster, customAmi, nodeAccess } = this.windowsProps;
    if (customAmi === undefined) {
      if (nodeAccess !== undefined) refuse(this, `nodeAccess is ${nodeAccess} without customAmi; EKS lets the nodes of its own AMIs in by itself: leave nodeAccess out`);
      return undefined;
    }
    const mode = facts.authenticationMode;
    if (mode === undefined && nodeAccess === undefined) {
      return refuse(
        this,
        'customAmi is set on an imported cluster, and nodeAccess isn\'t; EKS doesn\'t know that the AMI is Windows: say WindowsNodeAccess.ACCESS_ENTRY if the cluster has access entries, MANAGED_ELSEWHERE if aws-auth maps the role with eks:kube-proxy-windows',
      );
    }
    if (mode === 'CONFIG_MAP' && nodeAccess === WindowsNodeAccess.ACCESS_ENTRY) refuse(this, 'nodeAccess is ACCESS_ENTRY and the cluster\'s authentication mode is CONFIG_MAP, which has no access entries; leave nodeAccess out');
    if (mode === 'CONFIG_MAP' || nodeAccess === WindowsNodeAccess.MANAGED_ELSEWHERE) return undefined;
    let made: eks.CfnAccessEntry | undefined;
    sharedBefore(cluster, this.nodegroup, `access entry of ${this.role.roleArn}`, () => {
      made = new eks.CfnAccessEntry(this, 'AccessEntry', { clusterName: cluster.clusterName, principalArn: this.role.roleArn, type: 'EC2_WINDOWS' });
      return made;
    });
    return made;
  }

  /** Decided after construction, because the add-on may be defined later than the node group. */
  private enableIpam(facts: ClusterFacts): void {
    const { cluster, windowsIpam } = this.windowsProps;
    if (windowsIpam === WindowsIpam.MANAGED_ELSEWHERE) return;
    let done = false;
    const visit = (visited: IConstruct): void => {
      if (visited !== this || done || cniOf(cluster) !== undefined || !facts.hasKubectl) return;
      done = true;
      sharedBefore(cluster, this.nodegroup, 'Windows IPAM', () =>
        facts.applyManifest(this, 'Ipam', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'amazon-vpc-cni', namespace: 'kube-system' },
          data: { 'enable-windows-ipam': 'true' },
        }),
      );
    };
    Aspects.of(this).add({ visit }, { priority: AspectPriority.MUTATING });
  }

  private ipamProblems(facts: ClusterFacts): string[] {
    const { cluster, windowsIpam } = this.windowsProps;
    const cni = cniOf(cluster);
    if (cni !== undefined) {
      if (cni.windowsIpam) return [];
      return [`the vpc-cni add-on ${cni.construct.node.path} doesn't manage the addresses of Windows nodes, whose pods would get none; set windowsIpam on it`];
    }
    if (windowsIpam === WindowsIpam.MANAGED_ELSEWHERE || facts.hasKubectl) return [];
    return [
      'nothing switches on the management of addresses for Windows nodes, whose pods would get none; define a VpcCniAddon with windowsIpam for the cluster, give the cluster a kubectl provider, or say WindowsIpam.MANAGED_ELSEWHERE',
    ];
  }

  private roleProblems(): string[] {
    const { roleArn } = this.role;
    const others = [
      ...nodeGroupsOf(this.windowsProps.cluster).filter((member) => member.os !== 'WINDOWS' && member.role.roleArn === roleArn).map((member) => member.construct),
      ...this.linuxNodeGroups().filter((nodeGroup) => Reflect.get(nodeGroup, 'nodeRole') === roleArn),
    ];
    const [other] = others;
    if (other === undefined) return [];
    return [`role is that of the Linux node group ${other.node.path} too; an access entry makes a role Linux or Windows, not both: give each its own`];
  }

  private linuxProblems(facts: ClusterFacts): string[] {
    if (!facts.isDefinedHere || facts.hasAutoMode || this.windowsProps.linuxNodesElsewhere === true) return [];
    if (this.linuxNodeGroups().length > 0 || this.resources((type) => OTHER_CAPACITY.has(type)).length > 0) return [];
    return ['the app has no Linux and no Fargate nodes, and CoreDNS runs on nothing else; add a Linux node group, or say linuxNodesElsewhere if the app doesn\'t show them'];
  }

  /** Node groups of the app that aren't known to be Windows, of whatever cluster. */
  private linuxNodeGroups(): CfnResource[] {
    const windows = new Set<IConstruct>(nodeGroupsOf(this.windowsProps.cluster).flatMap((member) => (member.os === 'WINDOWS' ? [member.construct] : [])));
    return this.resources((type) => type === 'AWS::EKS::Nodegroup').filter((resource) => {
      const amiType: unknown = Reflect.get(resource, 'amiType');
      return !windows.has(resource) && !(typeof amiType === 'string' && amiType.startsWith('WINDOWS_'));
    });
  }

  private resources(isWanted: (type: string) => boolean): CfnResource[] {
    return this.node.root.node.findAll().filter((construct): construct is CfnResource => CfnResource.isCfnResource(construct) && isWanted(construct.cfnResourceType));
  }
}

/** What may bring Linux capacity besides node groups: charts and manifests may install an autoscaler such as Karpenter. */
const OTHER_CAPACITY: ReadonlySet<string> = new Set([
  'AWS::AutoScaling::AutoScalingGroup',
  'AWS::EKS::FargateProfile',
  'Custom::AWSCDK-EKS-FargateProfile',
  'Custom::AWSCDK-EKS-HelmChart',
]);

function groupProps(scope: Construct, id: string, props: WindowsNodeGroupProps): ManagedNodeGroupProps {
  const { amiFamily, amiType } = props;
  const isOther = (amiFamily !== undefined && !amiFamily.startsWith('WINDOWS_')) || (amiType !== undefined && !Token.isUnresolved(amiType) && !amiType.startsWith('WINDOWS_'));
  if (isOther) {
    throw new ConstructionError(`${scope.node.path}/${id}`, `${amiFamily === undefined ? 'amiType' : 'amiFamily'} is ${String(amiFamily ?? amiType)}, which isn't Windows; use ManagedNodeGroup`);
  }
  return amiFamily === undefined && amiType === undefined ? { ...props, amiFamily: AmiFamily.WINDOWS_CORE_2022 } : props;
}
