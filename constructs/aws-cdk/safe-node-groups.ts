import { FeatureFlags, Token, type InjectionContext } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as eks from 'aws-cdk-lib/aws-eks';
import type * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { EKS_DEFAULT_AL2023 } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import { acceleratorOf, amiType as amiTypeNamed } from '../../lib/knowledge';
import { AmiFamily, resolveAmi, type OperatingSystem } from '../engine-neutral/ami-family';
import { plainVolumes } from '../engine-neutral/node-volumes';
import { ClusterFacts } from './cluster';
import { ConstructionError } from './construction-error';
import { blockDevices } from './node-volumes';
import { SafeDefault, type SafeDefaultsProps } from './safe-defaults-props';
import { waiveHopLimit } from './scanner-waivers';
import { cdkTokens } from './tokens';

type NodegroupProps = eks.NodegroupProps | eksv2.NodegroupProps;

/** What becomes of the props of a node group, before the group exists. */
export interface SafeNodeGroup {
  readonly props: NodegroupProps;
  readonly changes: readonly Decision[];
  readonly left: readonly Decision[];
  /** The launch template that it gets. */
  readonly launchTemplate: ec2.LaunchTemplate | undefined;
}

interface Decision {
  readonly setting: string;
  readonly reason: string;
}

/** Fills in what the props of CDK's `Nodegroup` don't say. */
export function safeNodeGroup(given: NodegroupProps, at: InjectionContext, wanted: SafeDefaultsProps): SafeNodeGroup {
  const changes: Decision[] = [];
  const left: Decision[] = [];
  const sets = (setting: SafeDefault): boolean => wanted.except?.includes(setting) !== true;
  let props = given;
  if (sets(SafeDefault.FORCE_UPDATE) && given.forceUpdate === undefined) {
    props = { ...props, forceUpdate: false };
    changes.push({
      setting: 'forceUpdate: false',
      reason: "CDK's default, true, lets updates end pods whatever their disruption budgets say",
    });
  }
  // With a template of the user's own, the AMI may be in it.
  if (given.launchTemplateSpec !== undefined) return { props, changes, left, launchTemplate: undefined };
  const keepsName = given.nodegroupName !== undefined && wanted.namedNodeGroups !== true;
  const type = sets(SafeDefault.AMI_TYPE) ? safeAmiType(given, at.scope) : undefined;
  if (type !== undefined && keepsName) left.push({ setting: `amiType: ${type}`, reason: NAMED });
  else if (type !== undefined) {
    props = { ...props, amiType: type as eksv2.NodegroupAmiType };
    changes.push({
      setting: `amiType: ${type}`,
      reason: "CDK's default is AL2, of which EKS has no AMIs from Kubernetes 1.33 on",
    });
  }
  if (!sets(SafeDefault.LAUNCH_TEMPLATE)) return { props, changes, left, launchTemplate: undefined };
  const os = systemOf(props.amiType);
  const hindrance = keepsName ? NAMED : hindranceOf(given, os);
  if (hindrance !== undefined) {
    left.push({ setting: 'launchTemplate', reason: hindrance });
    return { props, changes, left, launchTemplate: undefined };
  }
  const launchTemplate = safeLaunchTemplate(at.scope, `${at.id}LaunchTemplate`, os, given.diskSize);
  const { diskSize: _, ...others } = props;
  changes.push(newTemplate(launchTemplate));
  return {
    props: {
      ...others,
      launchTemplateSpec: { id: launchTemplate.launchTemplateId ?? '', version: launchTemplate.latestVersionNumber },
    },
    changes,
    left,
    launchTemplate,
  };
}

/** Tokens are required, and an answer may go two hops: into a pod with a network namespace of its own. */
export const SAFE_METADATA = { HttpTokens: 'required', HttpPutResponseHopLimit: 2 } as const;

/** A launch template with the metadata options that pods need, and the volumes that the AMI has. */
export function safeLaunchTemplate(
  scope: Construct,
  id: string,
  os: OperatingSystem | undefined,
  diskSize: number | undefined,
): ec2.LaunchTemplate {
  const template = new ec2.LaunchTemplate(scope, freeId(scope, id), {
    httpEndpoint: true,
    requireImdsv2: true,
    httpPutResponseHopLimit: SAFE_METADATA.HttpPutResponseHopLimit,
    ...(os === undefined ? {} : { blockDevices: blockDevices(plainVolumes(os, diskSize)) }),
  });
  waiveHopLimit(template);
  return template;
}

/** What is said of a group with a new template. */
export function newTemplate({ node }: ec2.LaunchTemplate): Decision {
  return {
    setting: `launchTemplate: ${node.path}`,
    reason:
      'without one AL2023 starts with a hop limit of 1, and pods get no answer from the instance metadata service; a deployed group is replaced',
  };
}

/** Why a group with a name stays as it is. */
export const NAMED =
  'the group has a nodegroupName, and a group that is deployed already would be replaced by one of the same name, which CloudFormation refuses; set namedNodeGroups if it is new, or gets another name';

/** The AMI type that CDK should choose; undefined if it does, or if only the user can tell. */
function safeAmiType({ amiType, instanceTypes = [], cluster }: NodegroupProps, scope: Construct): string | undefined {
  if (amiType !== undefined || instanceTypes.length === 0) return undefined;
  const names = instanceTypes.map(String);
  const isAl2023 = FeatureFlags.of(scope).isEnabled(EKS_DEFAULT_AL2023) === true;
  if (isAl2023 && names.every((name) => acceleratorOf(name) === undefined)) return undefined;
  try {
    return resolveAmi(scope, cdkTokens, {
      amiFamily: AmiFamily.AL2023,
      amiType: undefined,
      architecture: undefined,
      instanceTypes: names,
      kubernetesVersion: new ClusterFacts(cluster).kubernetesVersion,
      hasCustomAmi: false,
    }).amiType;
  } catch (error) {
    // Types of two architectures, which CDK refuses itself, or of one that isn't known.
    if (error instanceof ConstructionError) return undefined;
    throw error;
  }
}

/** Without AMI type and instance types EKS starts AL2023; undefined if it isn't known. */
export function systemOf(type: string | undefined): OperatingSystem | undefined {
  if (type === undefined) return 'AL2023';
  const family = Token.isUnresolved(type) ? undefined : amiTypeNamed(type)?.family;
  return family === 'CUSTOM' ? undefined : family;
}

/** Why the group can't have a launch template of ours. */
export function hindranceOf(
  {
    remoteAccess,
    diskSize,
    capacityType,
  }: Pick<Partial<Readonly<Record<keyof NodegroupProps, unknown>>>, 'remoteAccess' | 'diskSize' | 'capacityType'>,
  os: OperatingSystem | undefined,
): string | undefined {
  if (remoteAccess !== undefined)
    return 'the group has remoteAccess, which EKS refuses beside a launch template; use Session Manager, or write the template yourself';
  if (capacityType === 'CAPACITY_BLOCK') return 'a capacity block needs a template that names its reservation';
  if (os === undefined && diskSize !== undefined)
    return "the group's diskSize has to move into the template, and which of the AMI's devices that is isn't known";
  return undefined;
}

function freeId(scope: Construct, id: string): string {
  return scope.node.tryFindChild(id) === undefined ? id : freeId(scope, `Safe${id}`);
}
