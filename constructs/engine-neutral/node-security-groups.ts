import type { IConstruct } from 'constructs';
import { refuse } from './construction-error';
import type { NodeGroupPlan } from './managed-node-group';

/*
 * The security groups of nodes. EKS attaches the cluster's own only where the launch template names none. Source: Amazon EKS user guide, "Customize managed
 * nodes with launch templates".
 */

/** More than EC2 ever takes for a network interface; the quota of an account is five unless it was raised. */
const MOST_GROUPS = 16;

export const REMOTE_ACCESS_GROUP = 'Remote access to EKS nodes';
export const EFA_GROUP = 'Elastic Fabric Adapters of EKS nodes';

/** The options about security groups, in whatever form the engine has for these. */
export interface SecurityGroupOptions {
  readonly securityGroups?: readonly unknown[];
  readonly clusterSecurityGroup?: boolean;
  readonly remoteAccess?: unknown;
}

/** Whether EFA needs a group of its own, because no other is known to let all traffic through between its members in both directions. */
export function efaNeedsGroup(
  plan: NodeGroupPlan,
  { clusterSecurityGroup }: SecurityGroupOptions,
  isSelfManaged: boolean,
): boolean {
  if (plan.efaInterfaces === undefined) return false;
  return isSelfManaged || clusterSecurityGroup === false || !plan.clusterGroupHasEfa;
}

/**
 * Whether the launch template names groups; refuses nodes without a way to the control plane.
 *
 * @param own number of groups besides the cluster's
 */
export function namesGroups(
  scope: IConstruct,
  plan: NodeGroupPlan,
  { clusterSecurityGroup, securityGroups = [] }: SecurityGroupOptions,
  own: number,
  isSelfManaged: boolean,
): boolean {
  if (clusterSecurityGroup === false && securityGroups.length === 0)
    refuse(
      scope,
      'clusterSecurityGroup is false without securityGroups; the nodes would reach neither the control plane nor each other: list groups that allow it',
    );
  return own > 0 || plan.efaInterfaces !== undefined || isSelfManaged;
}

/**
 * The cluster's group for a launch template that names groups; undefined if nobody wants it.
 *
 * @param why it isn't known, and how to give it
 */
export function clusterGroupOf<Group>(
  scope: IConstruct,
  options: SecurityGroupOptions,
  group: Group | undefined,
  why: string,
): Group | undefined {
  if (options.clusterSecurityGroup === false) return undefined;
  if (group === undefined) {
    const cause = ['securityGroups', 'remoteAccess', 'efa'].find((name) => Reflect.get(options, name) !== undefined);
    refuse(
      scope,
      `${cause === undefined ? 'nodes that EKS does not manage need' : `${cause} puts security groups into the launch template, so EKS no longer adds`} the cluster's security group, and ${why}, or say clusterSecurityGroup: false`,
    );
  }
  return group;
}

export function refuseTooManyGroups(scope: IConstruct, count: number): void {
  if (count > MOST_GROUPS)
    refuse(scope, `securityGroups come to ${count}; a network interface has at most ${MOST_GROUPS}`);
}

/** How operators reach nodes. */
export function remoteAccessPort(
  scope: IConstruct,
  plan: NodeGroupPlan,
  sources: number,
): { readonly port: number; readonly description: string } {
  if (sources === 0)
    refuse(scope, 'remoteAccess.from is empty; name the security groups that may connect, or use Session Manager');
  return plan.ami.os === 'WINDOWS'
    ? { port: 3389, description: 'RDP for operators' }
    : { port: 22, description: 'SSH for operators' };
}
