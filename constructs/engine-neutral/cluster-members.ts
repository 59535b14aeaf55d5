import type { IConstruct } from 'constructs';
import type { AmiType } from '../../lib/knowledge';
import type { CniMember } from './cni-member';

export type { CniMember } from './cni-member';

/** A node group that this library made. `Role` and `Subnet` are what the engine has for them. */
export interface NodeGroupMember<Role, Subnet> {
  /** The node group's resource. */
  readonly construct: IConstruct;
  readonly os: Exclude<AmiType['family'], 'CUSTOM'>;
  readonly role: Role;
  /** Instance types, or tokens for them. */
  readonly instanceTypes: readonly string[];
  readonly subnets: readonly Subnet[];
  readonly labels: Readonly<Record<string, string>>;
}

/** How an engine orders what is deployed. */
export interface DeploymentOrder {
  /** Whether one can be told to wait for the other: across stacks that could close a cycle. */
  isSameStack(one: IConstruct, other: IConstruct): boolean;
  /** Has everything in `later` wait for everything in `first`; both are of the same stack. */
  wait(later: IConstruct, first: IConstruct): void;
  /**
   * Has the whole stack of `later` wait for that of `first`, unless that could close a cycle; tells whether it now does. Asked when the app has added everything.
   */
  waitForStack(later: IConstruct, first: IConstruct): boolean;
  /** Runs an action when the app has added everything to a construct. */
  onceComplete(construct: IConstruct, action: () => void): void;
}

interface Members<Member> {
  cni: CniMember | undefined;
  readonly nodeGroups: Member[];
  /** Add-ons without which nodes don't become Ready, or don't work. */
  readonly beforeNodes: IConstruct[];
  /** Add-ons whose pods need nodes. */
  readonly afterNodes: IConstruct[];
  readonly podSecurityGroupPolicies: IConstruct[];
  /** What Windows node groups of a cluster share, by a name of its own. */
  readonly shared: Map<string, IConstruct>;
}

/**
 * Which add-on gives the VPC CNI of a cluster an identity of its own, and which node groups wait for it. Held outside the
 * constructs, because neither side should need to be told about the other.
 */
export class ClusterMembers<Cluster extends object, Role, Subnet> {
  private readonly members = new WeakMap<Cluster, Members<NodeGroupMember<Role, Subnet>>>();

  constructor(private readonly order: DeploymentOrder) {}

  /** The add-on that was registered for the cluster before; the first one stays. */
  registerCni(cluster: Cluster, cni: CniMember): CniMember | undefined {
    const known = this.membersOf(cluster);
    if (known.cni !== undefined) return known.cni;
    known.cni = cni;
    this.registerBeforeNodes(cluster, cni.construct);
    for (const policy of known.podSecurityGroupPolicies) this.orderAfter(policy, cni.construct);
    return undefined;
  }

  /** Something that the cluster's nodes wait for. */
  registerBeforeNodes(cluster: Cluster, addon: IConstruct): void {
    const known = this.membersOf(cluster);
    known.beforeNodes.push(addon);
    for (const { construct } of known.nodeGroups) this.nodesAfter(construct, addon);
  }

  /** Something that waits for the Linux nodes of its own stack. */
  registerAfterNodes(cluster: Cluster, addon: IConstruct): void {
    const known = this.membersOf(cluster);
    known.afterNodes.push(addon);
    for (const { construct, os } of known.nodeGroups) if (os !== 'WINDOWS') this.orderAfter(addon, construct);
  }

  /** Pods get groups from the time on that the add-on does its part. */
  registerPodSecurityGroupPolicy(cluster: Cluster, policy: IConstruct): void {
    const known = this.membersOf(cluster);
    known.podSecurityGroupPolicies.push(policy);
    if (known.cni !== undefined) this.orderAfter(policy, known.cni.construct);
  }

  registerNodeGroup(cluster: Cluster, nodeGroup: NodeGroupMember<Role, Subnet>): void {
    const known = this.membersOf(cluster);
    known.nodeGroups.push(nodeGroup);
    for (const addon of known.beforeNodes) this.nodesAfter(nodeGroup.construct, addon);
    if (nodeGroup.os !== 'WINDOWS') for (const addon of known.afterNodes) this.orderAfter(addon, nodeGroup.construct);
  }

  /** The node groups that this library made for the cluster. */
  nodeGroupsOf(cluster: Cluster): readonly NodeGroupMember<Role, Subnet>[] {
    return this.members.get(cluster)?.nodeGroups ?? [];
  }

  /** Something that a cluster has once, and that its node groups wait for: made by the first one that asks for it. */
  sharedBefore(cluster: Cluster, nodeGroup: IConstruct, name: string, make: () => IConstruct): void {
    const { shared } = this.membersOf(cluster);
    const found = shared.get(name) ?? make();
    shared.set(name, found);
    this.orderAfter(nodeGroup, found);
  }

  /**
   * Whether the CNI has permissions of its own by the time that the nodes of this group start: of an add-on in the same stack, or in one that is
   * deployed before.
   */
  cniHasOwnRoleBefore(cluster: Cluster, nodeGroup: IConstruct): boolean {
    const { cni } = this.membersOf(cluster);
    if (cni === undefined || !cni.hasOwnRole) return false;
    return this.order.isSameStack(cni.construct, nodeGroup) || this.order.waitForStack(nodeGroup, cni.construct);
  }

  /** The vpc-cni add-on that this library made for the cluster. */
  cniOf(cluster: Cluster): CniMember | undefined {
    return this.members.get(cluster)?.cni;
  }

  private membersOf(cluster: Cluster): Members<NodeGroupMember<Role, Subnet>> {
    let found = this.members.get(cluster);
    if (found === undefined) {
      found = {
        cni: undefined,
        nodeGroups: [],
        beforeNodes: [],
        afterNodes: [],
        podSecurityGroupPolicies: [],
        shared: new Map(),
      };
      this.members.set(cluster, found);
    }
    return found;
  }

  /** Nodes become Ready only when the CNI works, and a node group waits for that. Across stacks it shows at the end whether they can. */
  private nodesAfter(nodes: IConstruct, addon: IConstruct): void {
    if (this.order.isSameStack(addon, nodes)) this.order.wait(nodes, addon);
    else this.order.onceComplete(nodes, () => this.order.waitForStack(nodes, addon));
  }

  /** Across stacks a dependency could close a cycle. */
  private orderAfter(later: IConstruct, first: IConstruct): void {
    if (this.order.isSameStack(first, later)) this.order.wait(later, first);
  }
}
