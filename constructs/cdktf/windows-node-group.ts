import { EksAccessEntry } from '@cdktf/provider-aws/lib/eks-access-entry';
import { TerraformModule, TerraformResource, TerraformStack } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import { refuse } from '../engine-neutral/construction-error';
import {
  ipamProblem,
  needsAccessEntry,
  NO_LINUX_NODES,
  sharedRoleProblem,
  windowsProps,
  WindowsNodeAccess,
  type WindowsOptions,
  type WithoutWindows,
} from '../engine-neutral/windows-node-group';
import { ClusterFacts } from './cluster';
import { cniOf, nodeGroupsOf, sharedBefore, waitFor } from './cluster-members';
import { ManagedNodeGroup } from './managed-node-group';
import type { ManagedNodeGroupProps } from './managed-node-group-props';
import { resolvedText } from './resolved-text';
import { grantResourceController } from './resource-controller';
import { cdktfTokens } from './tokens';

export { WindowsNodeAccess } from '../engine-neutral/windows-node-group';

/** Who switches on the management of addresses for Windows nodes, without which their pods get none. */
export enum WindowsIpam {
  /** The cluster's `VpcCniAddon`, which must have `windowsIpam`. */
  AUTOMATIC = 'AUTOMATIC',
  /** Somebody else: the ConfigMap `kube-system/amazon-vpc-cni` has `enable-windows-ipam`, or another vpc-cni add-on has `enableWindowsIpam`. */
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
   * @default - an access entry if the authentication mode of a cluster of the app includes API; must be said for other clusters
   */
  readonly nodeAccess?: WindowsNodeAccess;
}

/**
 * A managed node group of Windows nodes, with what the cluster needs besides:
 *
 * - addresses for Windows pods, from the `VpcCniAddon` of the cluster (`windowsIpam`);
 * - the policy AmazonEKSVPCResourceController on the cluster's role, when the stack defines both;
 * - a node role that no Linux node has, since a role is one or the other for access entries;
 * - for an own AMI the permission to join and to run kube-proxy: an access entry of type EC2_WINDOWS;
 * - Linux or Fargate nodes, which must be visible in the app that defines the cluster.
 *
 * Clusters with IPv6 can't have Windows nodes; security groups for pods and custom networking don't apply to them.
 */
export class WindowsNodeGroup extends ManagedNodeGroup {
  /** The access entry of the node role; undefined when EKS or somebody else makes it, or another node group of the same role has. */
  readonly accessEntry: EksAccessEntry | undefined;

  /** @throws ConstructionError for options that can't work on AWS, with both of their names */
  constructor(
    scope: Construct,
    id: string,
    private readonly ownProps: WindowsNodeGroupProps,
  ) {
    super(scope, id, windowsProps(scope, id, cdktfTokens, ownProps));
    const facts = new ClusterFacts(ownProps.cluster, this);
    const controller = grantResourceController(this, facts);
    if (controller !== undefined && TerraformStack.of(controller) === TerraformStack.of(this))
      waitFor(this.nodegroup, controller);
    this.accessEntry = this.letIn(facts);
    this.node.addValidation({
      validate: () => [...this.ipamProblems(), ...this.roleProblems(), ...this.linuxProblems(facts)],
    });
  }

  /** Before the node group: EKS would make an entry of type EC2_LINUX for a role that has none. */
  private letIn(facts: ClusterFacts): EksAccessEntry | undefined {
    const { cluster, customAmi, nodeAccess } = this.ownProps;
    const mode = facts.authenticationMode;
    const isNeeded = needsAccessEntry(this, { hasCustomAmi: customAmi !== undefined, mode, access: nodeAccess });
    if (customAmi !== undefined && mode === 'CONFIG_MAP' && nodeAccess === undefined) {
      refuse(
        this,
        "customAmi is set, and the cluster's authentication mode is CONFIG_MAP, which has no access entries; map the node role in aws-auth with the group eks:kube-proxy-windows and say WindowsNodeAccess.MANAGED_ELSEWHERE, or set authenticationMode API_AND_CONFIG_MAP on the cluster",
      );
    }
    if (!isNeeded) return undefined;
    let made: EksAccessEntry | undefined;
    sharedBefore(cluster, this.nodegroup, `access entry of ${resolvedText(this, this.role.arn)}`, () => {
      made = new EksAccessEntry(this, 'AccessEntry', {
        ...facts.place,
        clusterName: facts.clusterName,
        principalArn: this.role.arn,
        type: 'EC2_WINDOWS',
      });
      facts.putInRegion(made);
      return made;
    });
    return made;
  }

  private ipamProblems(): string[] {
    const cni = cniOf(this.ownProps.cluster);
    if (cni !== undefined) return ipamProblem(cni);
    if (this.ownProps.windowsIpam === WindowsIpam.MANAGED_ELSEWHERE) return [];
    return [
      'nothing switches on the management of addresses for Windows nodes, whose pods would get none; define a VpcCniAddon with windowsIpam for the cluster, or say WindowsIpam.MANAGED_ELSEWHERE',
    ];
  }

  private roleProblems(): string[] {
    const arn = resolvedText(this, this.role.arn);
    const isShared = (other: string | undefined): boolean => other !== undefined && resolvedText(this, other) === arn;
    const members = nodeGroupsOf(this.ownProps.cluster)
      .filter((member) => member.os !== 'WINDOWS' && isShared(member.role.arn))
      .map((member) => member.construct);
    const stack = TerraformStack.of(this);
    const others = this.linuxNodeGroups().filter(
      (nodeGroup) =>
        TerraformStack.of(nodeGroup) === stack && isShared(String(Reflect.get(nodeGroup, 'nodeRoleArnInput'))),
    );
    return sharedRoleProblem([...members, ...others][0]);
  }

  private linuxProblems(facts: ClusterFacts): string[] {
    if (!facts.isDefinedHere || facts.hasAutoMode || this.ownProps.linuxNodesElsewhere === true) return [];
    return this.linuxNodeGroups().length > 0 || this.all().some(mayBringCapacity) ? [] : [NO_LINUX_NODES];
  }

  /** Node groups of the app that aren't known to be Windows, of whatever cluster. */
  private linuxNodeGroups(): TerraformResource[] {
    const windows = new Set<IConstruct>(
      nodeGroupsOf(this.ownProps.cluster).flatMap((member) => (member.os === 'WINDOWS' ? [member.construct] : [])),
    );
    return this.all().filter((construct): construct is TerraformResource => {
      if (!TerraformResource.isTerraformResource(construct) || construct.terraformResourceType !== 'aws_eks_node_group')
        return false;
      const amiType: unknown = Reflect.get(construct, 'amiTypeInput');
      return !windows.has(construct) && !(typeof amiType === 'string' && amiType.startsWith('WINDOWS_'));
    });
  }

  private all(): IConstruct[] {
    return this.node.root.node.findAll();
  }
}

/** What may bring Linux capacity besides node groups: charts and manifests may install an autoscaler such as Karpenter, modules may hold anything. */
const OTHER_CAPACITY: ReadonlySet<string> = new Set([
  'aws_autoscaling_group',
  'aws_eks_fargate_profile',
  'helm_release',
  'kubectl_manifest',
  'kubernetes_manifest',
]);

function mayBringCapacity(construct: IConstruct): boolean {
  return (
    construct instanceof TerraformModule ||
    (TerraformResource.isTerraformResource(construct) && OTHER_CAPACITY.has(construct.terraformResourceType))
  );
}
