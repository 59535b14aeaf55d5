import { ACCESS_ENTRY, ACCESS_POLICY_ASSOCIATION, POD_IDENTITY_ASSOCIATION } from '../../../eks/resources/access';
import { ADDON } from '../../../eks/resources/addon';
import { CLUSTER } from '../../../eks/resources/cluster';
import { FARGATE_PROFILE } from '../../../eks/resources/fargate-profile';
import { LAUNCH_TEMPLATE } from '../../../eks/resources/launch-template';
import { NODE_GROUP } from '../../../eks/resources/node-group';
import { asProvided, asSpec, type ResourceTable } from '../../../eks/resources/table';

/*
 * Controllers that make clusters, node groups and add-ons of objects whose specs are the arguments of the API: by the names of the API, or by those of
 * the Terraform provider.
 * Sources: the definitions of aws-controllers-k8s/eks-controller, ec2-controller and iam-controller (config/crd/bases), and of
 * crossplane-contrib/provider-upjet-aws (package/crds).
 */

export type EngineName = 'ack' | 'crossplane';

/** Groups of their APIs, without the version. */
const GROUPS: readonly (readonly [engine: EngineName, group: RegExp])[] = [
  ['ack', /^(?:eks|ec2|iam)\.services\.k8s\.aws\//],
  ['crossplane', /^(?:eks|ec2|iam)\.aws(?:\.m)?\.upbound\.io\//],
];

/** The controller of an object of some API. */
export function engineOf(apiVersion: string): EngineName | undefined {
  return GROUPS.find(([, group]) => group.test(apiVersion))?.[0];
}

/** By kind of resource: what its objects are called, and the table of its settings before it is renamed. */
const TABLES = {
  cluster: [CLUSTER, 'Cluster', 'Cluster'],
  nodeGroup: [NODE_GROUP, 'Nodegroup', 'NodeGroup'],
  addon: [ADDON, 'Addon', 'Addon'],
  association: [POD_IDENTITY_ASSOCIATION, 'PodIdentityAssociation', 'PodIdentityAssociation'],
  accessEntry: [ACCESS_ENTRY, 'AccessEntry', 'AccessEntry'],
  fargateProfile: [FARGATE_PROFILE, 'FargateProfile', 'FargateProfile'],
  launchTemplate: [LAUNCH_TEMPLATE, 'LaunchTemplate', 'LaunchTemplate'],
} as const;

const ACK_ADDON = asSpec(ADDON, 'Addon');

/** Tables of settings as the specs have them. */
export const ACK_TABLES = {
  cluster: asSpec(CLUSTER, 'Cluster'),
  nodeGroup: asSpec(NODE_GROUP, 'Nodegroup'),
  // Called like the names of other objects there.
  addon: { ...ACK_ADDON, settings: { ...ACK_ADDON.settings, name: { type: 'text', cloudFormation: 'name' } } },
  association: asSpec(POD_IDENTITY_ASSOCIATION, 'PodIdentityAssociation'),
  accessEntry: asSpec(ACCESS_ENTRY, 'AccessEntry'),
  fargateProfile: asSpec(FARGATE_PROFILE, 'FargateProfile'),
  launchTemplate: { ...asSpec(LAUNCH_TEMPLATE, 'LaunchTemplate'), root: 'data' },
} as const;

export const CROSSPLANE_TABLES = {
  cluster: asProvided(CLUSTER, 'Cluster'),
  nodeGroup: asProvided(NODE_GROUP, 'NodeGroup'),
  addon: asProvided(ADDON, 'Addon'),
  association: asProvided(POD_IDENTITY_ASSOCIATION, 'PodIdentityAssociation'),
  accessEntry: asProvided(ACCESS_ENTRY, 'AccessEntry'),
  accessPolicy: asProvided(ACCESS_POLICY_ASSOCIATION, 'AccessPolicyAssociation'),
  fargateProfile: asProvided(FARGATE_PROFILE, 'FargateProfile'),
  launchTemplate: asProvided(LAUNCH_TEMPLATE, 'LaunchTemplate'),
} as const;

/** The table of a kind of object, with that of CloudFormation; undefined if none has it. */
export function tablesOf(
  engine: EngineName,
  kind: string,
): { readonly template: ResourceTable; readonly own: ResourceTable } | undefined {
  const found = Object.entries(TABLES).find(
    ([, [, ack, crossplane]]) => kind === (engine === 'ack' ? ack : crossplane),
  );
  if (found === undefined) return undefined;
  const [name, [template]] = found;
  const tables: Readonly<Record<string, ResourceTable>> = engine === 'ack' ? ACK_TABLES : CROSSPLANE_TABLES;
  const own = tables[name];
  return own === undefined ? undefined : { template, own };
}

/** Where the settings of a kind of object begin. */
export function rootOf(engine: EngineName, kind: string): readonly string[] {
  if (engine === 'crossplane') return ['spec', 'forProvider'];
  return kind === 'LaunchTemplate' ? ['spec', 'data'] : ['spec'];
}

/** Kinds that are read: those of the tables, and what they refer to. */
const KINDS: ReadonlySet<string> = new Set([
  ...Object.values(TABLES).flatMap(([, ...kinds]) => kinds),
  ...['Role', 'Policy', 'RolePolicy', 'RolePolicyAttachment', 'AccessPolicyAssociation'],
]);

/** Whether an object is one from which a controller makes something that rules look at. */
export function isOfController(apiVersion: unknown, kind: unknown): boolean {
  return (
    typeof apiVersion === 'string' && typeof kind === 'string' && engineOf(apiVersion) !== undefined && KINDS.has(kind)
  );
}
