import { CfnParameter, CfnResource, Reference, Stack, Tokenization, type IAspect } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import type { IConstruct } from 'constructs';
import { amiType as amiTypeNamed, compareVersions } from '../../lib/knowledge';
import type { SafeDecisions } from './safe-decisions';
import { SafeDefault, type SafeDefaultsProps } from './safe-defaults-props';
import {
  hindranceOf,
  NAMED,
  newTemplate,
  SAFE_METADATA,
  safeLaunchTemplate,
  systemOf,
  type SafeNodeGroup,
} from './safe-node-groups';
import { waiveHopLimit } from './scanner-waivers';

const ADDON = 'AWS::EKS::Addon';
const NODE_GROUP = 'AWS::EKS::Nodegroup';
const LAUNCH_TEMPLATE = 'AWS::EC2::LaunchTemplate';
const LAUNCH_CONFIGURATION = 'AWS::AutoScaling::LaunchConfiguration';

const CLUSTERS: readonly unknown[] = [eks.Cluster, eksv2.Cluster].map((type) => type.PROPERTY_INJECTION_ID);

/** Whether a resource is of a kind that `SafeResources` may change wherever it stands. */
export function isSafeDefaultsTarget(construct: IConstruct): boolean {
  return CfnResource.isCfnResource(construct) && [ADDON, NODE_GROUP].includes(construct.cfnResourceType);
}

/** Whether a resource is an add-on, a node group, or what a cluster starts its own nodes from. */
export function isOfNodesOrAddon(construct: IConstruct): boolean {
  if (isSafeDefaultsTarget(construct)) return true;
  const isTemplate =
    CfnResource.isCfnResource(construct) && [LAUNCH_TEMPLATE, LAUNCH_CONFIGURATION].includes(construct.cfnResourceType);
  return isTemplate && isOfCluster(construct);
}

/** What is changed where. */
interface SafeResourcesScope extends SafeDefaultsProps {
  /** Whether node groups of L2 constructs get a launch template, too, which had none when they were constructed. */
  readonly includesMadeL2?: boolean;
}

/** Fills in what the resources of a tree don't say: what L2 constructs have no properties for, and all of L1 constructs. */
export class SafeResources implements IAspect {
  private readonly nodeGroups = new WeakMap<IConstruct, Map<string, SafeNodeGroup>>();
  private readonly done = new WeakSet<IConstruct>();

  constructor(
    private readonly props: SafeResourcesScope,
    private readonly log: SafeDecisions,
  ) {}

  /** Remembers what was decided on a node group of CDK, which is constructed next. */
  expect(scope: IConstruct, id: string, group: SafeNodeGroup): void {
    const inScope = this.nodeGroups.get(scope) ?? new Map<string, SafeNodeGroup>();
    this.nodeGroups.set(scope, inScope.set(id, group));
  }

  /** Called by CDK for each construct. */
  visit(construct: IConstruct): void {
    if (!CfnResource.isCfnResource(construct) || this.done.has(construct)) return;
    this.done.add(construct);
    switch (construct.cfnResourceType) {
      case ADDON:
        if (this.mayChange(construct)) this.fillAddon(construct);
        break;
      case NODE_GROUP:
        this.fillNodeGroup(construct);
        break;
      case LAUNCH_TEMPLATE:
        if (isOfCluster(construct)) {
          this.tellOfAl2(construct, ['LaunchTemplateData', 'ImageId']);
          this.fillMetadata(construct, ['LaunchTemplateData', 'MetadataOptions']);
        }
        break;
      case LAUNCH_CONFIGURATION:
        if (isOfCluster(construct)) {
          this.tellOfAl2(construct, ['ImageId']);
          this.fillMetadata(construct, ['MetadataOptions']);
        }
        break;
      default:
    }
  }

  private fillAddon(addon: CfnResource): void {
    if (this.sets(SafeDefault.RESOLVE_CONFLICTS))
      this.fill(
        addon,
        ['ResolveConflicts'],
        'PRESERVE',
        'an update would fail on, or undo, what was changed in the cluster',
      );
    if (this.sets(SafeDefault.PRESERVE_ON_DELETE))
      this.fill(addon, ['PreserveOnDelete'], true, 'nodes lose the software when the stack loses the add-on');
    const name = propertiesOf(addon).AddonName;
    const version = typeof name === 'string' ? this.props.addonVersions?.[name] : undefined;
    if (version !== undefined) this.fill(addon, ['AddonVersion'], version, 'the version of addonVersions');
  }

  private fillNodeGroup(resource: CfnResource): void {
    const { scope: group } = resource.node;
    const decided =
      group?.node.scope === undefined ? undefined : this.nodeGroups.get(group.node.scope)?.get(group.node.id);
    if (group !== undefined && decided !== undefined) {
      for (const change of decided.changes) this.log.changed({ construct: group, ...change });
      for (const left of decided.left) this.log.left({ construct: group, ...left });
      if (decided.launchTemplate !== undefined) renameForTemplate(resource);
    } else if (this.mayAddTemplate(resource) && this.sets(SafeDefault.LAUNCH_TEMPLATE)) {
      this.addLaunchTemplate(resource);
    }
    const template = launchTemplateOf(resource);
    if (template !== undefined && this.mayChange(template))
      this.fillMetadata(template, ['LaunchTemplateData', 'MetadataOptions']);
  }

  private addLaunchTemplate(resource: CfnResource): void {
    const properties = propertiesOf(resource);
    if (properties.LaunchTemplate !== undefined) return;
    const { AmiType: amiType, DiskSize: diskSize, NodegroupName: name } = properties;
    const isKnown = (value: unknown): boolean =>
      value === undefined || typeof value === 'string' || typeof value === 'number';
    const os = isKnown(amiType) ? systemOf(amiType as string | undefined) : undefined;
    const hindrance =
      name !== undefined && this.props.namedNodeGroups !== true
        ? NAMED
        : !isKnown(diskSize)
          ? "the group's DiskSize has to move into the template, and isn't known"
          : hindranceOf({ remoteAccess: properties.RemoteAccess, diskSize, capacityType: properties.CapacityType }, os);
    if (hindrance !== undefined) {
      this.log.left({ construct: resource, setting: 'launchTemplate', reason: hindrance });
      return;
    }
    const template = safeLaunchTemplate(
      Stack.of(resource),
      `${resource.node.id}LaunchTemplate`,
      os,
      diskSize as number | undefined,
    );
    resource.addPropertyOverride('LaunchTemplate.Id', template.launchTemplateId);
    resource.addPropertyOverride('LaunchTemplate.Version', template.latestVersionNumber);
    resource.addPropertyDeletionOverride('DiskSize');
    renameForTemplate(resource);
    this.log.changed({ construct: resource, ...newTemplate(template) });
  }

  /**
   * What `addAutoScalingGroupCapacity` starts by itself. Another image wouldn't do: AL2023 needs a NodeConfig with the service CIDR, which AL2 asks EKS for and
   * CloudFormation has no attribute of.
   */
  private tellOfAl2(resource: CfnResource, path: readonly string[]): void {
    const image = path.reduce<unknown>((at, key) => (isMap(at) ? at[key] : undefined), propertiesOf(resource));
    const version = al2VersionOf(resource, image);
    const { maxVersion } = amiTypeNamed('AL2_x86_64') ?? {};
    if (version === undefined || maxVersion === undefined || compareVersions(version, maxVersion) <= 0) return;
    this.log.left({
      construct: resource,
      setting: 'machineImageType',
      reason: `EKS has no AMI of AL2 for Kubernetes ${version}, and AL2023 needs the cluster's service CIDR in its user data, which the cluster doesn't tell: take machineImageType: BOTTLEROCKET, or a SelfManagedNodeGroup with serviceCidr`,
    });
  }

  private fillMetadata(resource: CfnResource, path: readonly string[]): void {
    if (!this.sets(SafeDefault.METADATA_OPTIONS)) return;
    for (const [name, value] of Object.entries(SAFE_METADATA)) {
      const isSet = this.fill(resource, [...path, name], value, METADATA_REASONS[name as keyof typeof SAFE_METADATA]);
      if (isSet && name === 'HttpPutResponseHopLimit') waiveHopLimit(resource);
    }
  }

  /** Sets a property that isn't there, and tells whether it did. One that depends on a condition stays. */
  private fill(resource: CfnResource, path: readonly string[], value: unknown, reason: string): boolean {
    let at: unknown = propertiesOf(resource);
    for (const key of path) {
      if (isMap(at) && Object.keys(at).some((name) => name === 'Ref' || name.startsWith('Fn::'))) {
        this.log.left({
          construct: resource,
          setting: path.join('.'),
          reason: `it depends on ${Object.keys(at).join()}`,
        });
        return false;
      }
      at = isMap(at) ? at[key] : undefined;
    }
    if (at !== undefined) return false;
    resource.addPropertyOverride(path.join('.'), value);
    this.log.changed({ construct: resource, setting: `${path.join('.')}: ${String(value)}`, reason });
    return true;
  }

  private sets(setting: SafeDefault): boolean {
    return this.props.except?.includes(setting) !== true;
  }

  private mayAddTemplate(resource: CfnResource): boolean {
    return this.props.includesMadeL2 === true || (this.props.includeL1 === true && !isOfL2(resource));
  }

  private mayChange(resource: CfnResource): boolean {
    return this.props.includeL1 === true || isOfL2(resource);
  }
}

const METADATA_REASONS: Readonly<Record<keyof typeof SAFE_METADATA, string>> = {
  HttpTokens: 'IMDSv1 gives the credentials of the node to whoever can make it send a request',
  HttpPutResponseHopLimit: 'pods reach the instance metadata service over two hops',
};

/** A group that is deployed without a template can't be given one; under another logical id CloudFormation makes a new group. */
function renameForTemplate(resource: CfnResource): void {
  const logicalId: unknown = Stack.of(resource).resolve(resource.logicalId);
  resource.overrideLogicalId(`${String(logicalId)}WithLaunchTemplate`);
}

/** The launch template of the app that a node group refers to, in whichever stack. */
function launchTemplateOf(nodeGroup: CfnResource): CfnResource | undefined {
  const given: unknown = Reflect.get(nodeGroup, 'launchTemplate');
  const id: unknown = isMap(given) ? given.id : undefined;
  if (typeof id !== 'string') return undefined;
  const token = Tokenization.reverseString(id).firstToken;
  if (!Reference.isReference(token)) return undefined;
  const { target } = token;
  return CfnResource.isCfnResource(target) && target.cfnResourceType === LAUNCH_TEMPLATE ? target : undefined;
}

/** Kubernetes version of the AL2 image that a parameter of the template asks for. */
function al2VersionOf(resource: CfnResource, image: unknown): string | undefined {
  const stack = Stack.of(resource);
  const name = isMap(image) ? image.Ref : undefined;
  const parameter = stack.node.children.find(
    (child): child is CfnParameter => child instanceof CfnParameter && stack.resolve(child.logicalId) === name,
  );
  const path: unknown = parameter?.default;
  return typeof path === 'string'
    ? /^\/aws\/service\/eks\/optimized-ami\/(\d+\.\d+)\/amazon-linux-2[-/]/.exec(path)?.[1]
    : undefined;
}

/** Whether CDK's L2 constructs made a resource: their classes have an id for property injection. */
function isOfL2({ node: { scope } }: CfnResource): boolean {
  return injectionIdOf(scope) !== undefined;
}

/** Whether a cluster made a resource for nodes of its own. */
function isOfCluster({ node }: CfnResource): boolean {
  return node.scopes.some((scope) => CLUSTERS.includes(injectionIdOf(scope)));
}

function injectionIdOf(construct: IConstruct | undefined): unknown {
  const type: unknown = construct?.constructor;
  return typeof type === 'function' ? Reflect.get(type, 'PROPERTY_INJECTION_ID') : undefined;
}

/** What a resource renders, raw overrides included. */
function propertiesOf(resource: CfnResource): Readonly<Record<string, unknown>> {
  const rendered: unknown = Stack.of(resource).resolve(resource._toCloudFormation());
  const [definition] = isMap(rendered) && isMap(rendered.Resources) ? Object.values(rendered.Resources) : [];
  return isMap(definition) && isMap(definition.Properties) ? definition.Properties : {};
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
