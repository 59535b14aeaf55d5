import { AspectPriority, Aspects, CfnResource } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import type { Construct, IConstruct } from 'constructs';
import {
  ipamProblem,
  needsAccessEntry,
  NO_LINUX_NODES,
  sharedRoleProblem,
  windowsProps,
  type WindowsNodeAccess,
  type WindowsOptions,
  type WithoutWindows,
} from '../engine-neutral/windows-node-group';
import { ClusterFacts } from './cluster';
import { cniOf, nodeGroupsOf, sharedBefore } from './cluster-members';
import { ManagedNodeGroup } from './managed-node-group';
import type { ManagedNodeGroupProps } from './managed-node-group-props';
import { grantResourceController } from './resource-controller';
import { cdkTokens } from './tokens';

export { WindowsNodeAccess } from '../engine-neutral/windows-node-group';

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

/** The options of `ManagedNodeGroup` that Windows has, and what goes with them. */
export interface WindowsNodeGroupProps extends Omit<ManagedNodeGroupProps, WithoutWindows>, WindowsOptions {
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
    private readonly ownProps: WindowsNodeGroupProps,
  ) {
    super(scope, id, windowsProps(scope, id, cdkTokens, ownProps));
    const facts = new ClusterFacts(ownProps.cluster);
    grantResourceController(facts);
    this.accessEntry = this.letIn(facts);
    this.enableIpam(facts);
    this.node.addValidation({
      validate: () => [...this.ipamProblems(facts), ...this.roleProblems(), ...this.linuxProblems(facts)],
    });
  }

  /** Before the node group: EKS would make an entry of type EC2_LINUX for a role that has none. */
  private letIn(facts: ClusterFacts): eks.CfnAccessEntry | undefined {
    const { cluster, customAmi, nodeAccess } = this.ownProps;
    if (
      !needsAccessEntry(this, {
        hasCustomAmi: customAmi !== undefined,
        mode: facts.authenticationMode,
        access: nodeAccess,
      })
    )
      return undefined;
    let made: eks.CfnAccessEntry | undefined;
    sharedBefore(cluster, this.nodegroup, `access entry of ${this.role.roleArn}`, () => {
      made = new eks.CfnAccessEntry(this, 'AccessEntry', {
        clusterName: cluster.clusterName,
        principalArn: this.role.roleArn,
        type: 'EC2_WINDOWS',
      });
      return made;
    });
    return made;
  }

  /** Decided after construction, because the add-on may be defined later than the node group. */
  private enableIpam(facts: ClusterFacts): void {
    const { cluster, windowsIpam } = this.ownProps;
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
    const { cluster, windowsIpam } = this.ownProps;
    const cni = cniOf(cluster);
    if (cni !== undefined) return ipamProblem(cni);
    if (windowsIpam === WindowsIpam.MANAGED_ELSEWHERE || facts.hasKubectl) return [];
    return [
      'nothing switches on the management of addresses for Windows nodes, whose pods would get none; define a VpcCniAddon with windowsIpam for the cluster, give the cluster a kubectl provider, or say WindowsIpam.MANAGED_ELSEWHERE',
    ];
  }

  private roleProblems(): string[] {
    const { roleArn } = this.role;
    const others = [
      ...nodeGroupsOf(this.ownProps.cluster)
        .filter((member) => member.os !== 'WINDOWS' && member.role.roleArn === roleArn)
        .map((member) => member.construct),
      ...this.linuxNodeGroups().filter((nodeGroup) => Reflect.get(nodeGroup, 'nodeRole') === roleArn),
    ];
    return sharedRoleProblem(others[0]);
  }

  private linuxProblems(facts: ClusterFacts): string[] {
    if (!facts.isDefinedHere || facts.hasAutoMode || this.ownProps.linuxNodesElsewhere === true) return [];
    if (this.linuxNodeGroups().length > 0 || this.resources((type) => OTHER_CAPACITY.has(type)).length > 0) return [];
    return [NO_LINUX_NODES];
  }

  /** Node groups of the app that aren't known to be Windows, of whatever cluster. */
  private linuxNodeGroups(): CfnResource[] {
    const windows = new Set<IConstruct>(
      nodeGroupsOf(this.ownProps.cluster).flatMap((member) => (member.os === 'WINDOWS' ? [member.construct] : [])),
    );
    return this.resources((type) => type === 'AWS::EKS::Nodegroup').filter((resource) => {
      const amiType: unknown = Reflect.get(resource, 'amiType');
      return !windows.has(resource) && !(typeof amiType === 'string' && amiType.startsWith('WINDOWS_'));
    });
  }

  private resources(isWanted: (type: string) => boolean): CfnResource[] {
    return this.node.root.node
      .findAll()
      .filter(
        (construct): construct is CfnResource =>
          CfnResource.isCfnResource(construct) && isWanted(construct.cfnResourceType),
      );
  }
}

/** What may bring Linux capacity besides node groups: charts and manifests may install an autoscaler such as Karpenter. */
const OTHER_CAPACITY: ReadonlySet<string> = new Set([
  'AWS::AutoScaling::AutoScalingGroup',
  'AWS::EKS::FargateProfile',
  'Custom::AWSCDK-EKS-FargateProfile',
  'Custom::AWSCDK-EKS-HelmChart',
]);
