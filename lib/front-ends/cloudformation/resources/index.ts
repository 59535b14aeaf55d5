import type { EksResource } from '../../../eks';
import { RESOURCE_TABLES } from '../../../eks/resources';
import { isWhole } from '../../../eks/resources/table';
import type { Template } from '../../../cloudformation/template';
import type { NotRead } from '../../parts/not-read';
import { EksAccessEntry } from './access-entry';
import { EksAddon } from './addon';
import { wholeReader } from './by-table';
import { readAutoScalingGroups } from './auto-scaling-group';
import { CustomResourceCluster, NativeCluster } from './cluster';
import { CustomResourceFargateProfile, EksFargateProfile } from './fargate-profile';
import { CustomResourceHelmRelease, CustomResourceManifest, CustomResourcePatch } from './kubernetes';
import { LaunchConfiguration } from './launch-configuration';
import { Ec2LaunchTemplate } from './launch-template';
import { Ec2Route, Ec2RouteTable, Ec2RouteTableAssociation, Ec2Vpc, Ec2VpcEndpoint } from './network';
import { EksNodegroup } from './node-group';
import { IamOidcProvider } from './oidc-provider';
import { partsIn } from './parts';
import { IamRole } from './role';
import { Ec2SecurityGroup, SECURITY_GROUP_RULE_TYPES } from './security-group';
import { Ec2Subnet } from './subnet';
import { unreadTemplate } from './unread-templates';

type Constructor = new (
  template: Template,
  id: string,
  raw: Readonly<Record<string, unknown>>,
  type: string,
) => EksResource;

/** How each resource type is read. Types are told by their name, whatever construct wrote them. */
const READERS: ReadonlyMap<unknown, Constructor> = new Map<string, Constructor>([
  ...[
    NativeCluster,
    CustomResourceCluster,
    EksNodegroup,
    Ec2LaunchTemplate,
    LaunchConfiguration,
    EksAccessEntry,
    EksAddon,
    Ec2Vpc,
    Ec2Subnet,
    Ec2RouteTable,
    Ec2Route,
    Ec2RouteTableAssociation,
    Ec2VpcEndpoint,
    EksFargateProfile,
    CustomResourceFargateProfile,
    ...RESOURCE_TABLES.filter(isWhole).map(wholeReader),
  ].flatMap((reader) => reader.types.map((type): [string, Constructor] => [type, reader])),
  ['AWS::EC2::SecurityGroup', Ec2SecurityGroup],
  ['AWS::IAM::Role', IamRole],
  ['AWS::IAM::OIDCProvider', IamOidcProvider],
  ['Custom::AWSCDKOpenIdConnectProvider', IamOidcProvider],
  ['Custom::AWSCDK-EKS-KubernetesPatch', CustomResourcePatch],
  ['Custom::AWSCDK-EKS-HelmChart', CustomResourceHelmRelease],
]);

/** Resources that say something about other resources and are read with those. */
const POLICY_TYPES: ReadonlySet<unknown> = new Set([
  'AWS::IAM::Policy',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::RolePolicy',
]);

const MANIFEST_TYPE = 'Custom::AWSCDK-EKS-KubernetesResource';

const AUTO_SCALING_GROUP_TYPE = 'AWS::AutoScaling::AutoScalingGroup';

/** Types of the AWS Quick Starts and custom resources that set up something in a cluster, by their name; CDK's own are read above, or tell nothing. */
const MAY_HOLD_EKS = /^AWSQS::(?:EKS|Kubernetes)::|^Custom::(?!AWSCDK).*(?:EKS|Eks|Kube|Helm)/;

export interface ResourceIndex {
  readonly resources: EksResource[];
  /** Logical ids of resources that are read when all others are known ({@link readLater}). */
  readonly later: { readonly manifests: string[]; readonly autoScalingGroups: string[] };
  /** Logical ids of resources of EKS that nothing here reads, by type. */
  readonly unread: ReadonlyMap<string, readonly string[]>;
  /** Resources that declare others in templates which nothing here reads. */
  readonly unreadTemplates: readonly NotRead[];
  /** Of all resources, of any type. */
  readonly count: number;
}

/** Finds the resources of a template that the model knows. Others cost one look at their type. */
export function indexResources(template: Template): ResourceIndex {
  const section = template.section('Resources');
  const resources: EksResource[] = [];
  const later: ResourceIndex['later'] = { manifests: [], autoScalingGroups: [] };
  const unread = new Map<string, string[]>();
  const unreadTemplates: NotRead[] = [];
  let count = 0;
  if (section === undefined) return { resources, later, unread, unreadTemplates, count };
  const declared = section.raw as Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  for (const id of template.resourceIds) {
    const raw = declared[id];
    if (typeof raw !== 'object' || raw === null) continue;
    const { Type: type } = raw;
    if (typeof type !== 'string') continue;
    count++;
    if (!template.isOfCdk && hasConstructPath(raw)) template.isOfCdk = true;
    const reader = READERS.get(type);
    if (reader !== undefined) {
      if (!mayExist(template, id, raw)) continue;
      const resource = new reader(template, id, raw, type);
      template.models.set(id, resource);
      resources.push(resource);
    } else if (type === MANIFEST_TYPE) later.manifests.push(id);
    else if (type === AUTO_SCALING_GROUP_TYPE) later.autoScalingGroups.push(id);
    else if (POLICY_TYPES.has(type) && mayExist(template, id, raw)) partsIn(template).policies.push(id);
    else if (SECURITY_GROUP_RULE_TYPES.has(type) && mayExist(template, id, raw))
      partsIn(template).securityGroupRules.push(id);
    else if (MAY_HOLD_EKS.test(type) && mayExist(template, id, raw)) {
      const others = unread.get(type);
      if (others === undefined) unread.set(type, [id]);
      else others.push(id);
    } else if (mayExist(template, id, raw)) {
      const one = unreadTemplate(template, id, type, raw);
      if (one !== undefined) unreadTemplates.push(one);
    }
  }
  return { resources, later, unread, unreadTemplates, count };
}

/** Reads what shows only in references to other resources, and so when all those are known: in manifests, and in the tags that make an Auto Scaling group a node group. */
export function readLater(template: Template, { manifests, autoScalingGroups }: ResourceIndex['later']): EksResource[] {
  return [...readAutoScalingGroups(template, autoScalingGroups), ...readManifests(template, manifests)];
}

function readManifests(template: Template, ids: readonly string[]): EksResource[] {
  const declared = template.section('Resources')?.raw as
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
  return ids.flatMap((id): EksResource[] => {
    const raw = declared?.[id];
    return raw === undefined || template.existence(id) === undefined
      ? []
      : CustomResourceManifest.all(template, id, raw, MANIFEST_TYPE);
  });
}

function mayExist(template: Template, id: string, raw: Readonly<Record<string, unknown>>): boolean {
  return (raw.Condition === undefined && template.parent === undefined) || template.existence(id) !== undefined;
}

function hasConstructPath(raw: Readonly<Record<string, unknown>>): boolean {
  const { Metadata: metadata } = raw;
  return typeof metadata === 'object' && metadata !== null && 'aws:cdk:path' in metadata;
}
