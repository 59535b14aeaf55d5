import { UNKNOWN_AMI } from '../knowledge/published-amis';
import {
  Absent,
  alternativesOf,
  always,
  flatMapValue,
  Known,
  launchTemplateOf,
  mapValue,
  nowhere,
  Unknown,
  whereExists,
  type AmiFamily,
  type EksResource,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type NodeGroup,
  type Resource,
  type SelfManagedNodeGroup,
  type Source,
  type UserData,
  type Value,
  type When,
} from '../eks';
import { CLOUDFORMATION } from '../front-ends/cloudformation/dialects';
import { userDataFamilies } from '../eks/user-data/detect-bootstrap';
import type { UserDataDocument } from '../eks/user-data/document';

/** What launches with user data: resources of a template as far as they concern it, or stand-ins for what a lone file leaves out. */

/** What the user says about user data that doesn't say it itself. */
export interface UserDataQuestion {
  /** Logical id of the launch template, in a template with several. */
  readonly id: string | undefined;
  readonly family: AmiFamily | undefined;
  readonly bootstrapBy: 'eks' | 'user' | 'unknown';
  readonly kubernetesVersion: string | undefined;
}

/**
 * The families that user data may be for where EKS bootstraps and nobody says which: whose signs it has, else those that have its
 * format. None if neither tells.
 */
export function familiesFor(
  { family, bootstrapBy }: UserDataQuestion,
  { text, format }: UserDataDocument,
): readonly AmiFamily[] {
  if (family !== undefined || bootstrapBy !== 'eks') return [];
  const signs = [...userDataFamilies(text)];
  if (signs.length > 0) return signs;
  return format === 'multipart' || format === 'shell-script' || format === 'cloud-config' ? ['AL2', 'AL2023'] : [];
}

/** A launch template, the one assumption under which it is looked at, and the resources around it. */
export interface Surroundings {
  readonly template: LaunchTemplate;
  readonly when: When;
  readonly resources: readonly EksResource[];
}

/** What the rules judge. */
export interface UserDataLaunch {
  readonly launchTemplate: LaunchTemplate;
  /** The launch template, what uses it, and the rest. */
  readonly resources: readonly EksResource[];
}

type Group = NodeGroup | SelfManagedNodeGroup;

/**
 * The launch template with a certain user data, and what uses it under the assumption: groups that exist, and name it, only under
 * another one are left out, and so are alternatives of their settings. A group of its own stands for users that the input doesn't
 * hold, and for those that the question is about.
 */
export function launchWith(
  userData: Known<UserData>,
  { template, when, resources }: Surroundings,
  question: UserDataQuestion,
): UserDataLaunch {
  const isAsked = question.family !== undefined || question.bootstrapBy !== 'unknown';
  const exists = template.exists.and(when) ?? when;
  const limited = overriding(template, { exists });
  const users = isAsked ? [] : resources.filter(isGroup).flatMap((group) => userUnder(when, group, template) ?? []);
  const imageId =
    users.length > 0 ? template.imageId : imageFor(question, whereExists(limited, template.imageId), userData.source);
  const launchTemplate = overriding(limited, { userData, source: userData.source, imageId });
  const others = resources.filter((resource) => resource !== template && !isGroup(resource));
  const groups =
    users.length > 0
      ? users.map((user) => redirected(user, template, launchTemplate))
      : [impliedGroup(launchTemplate, question)];
  return { launchTemplate, resources: [launchTemplate, ...others, ...groups] };
}

function isGroup(resource: EksResource): resource is Group {
  return resource.kind === 'node-group' || resource.kind === 'self-managed-node-group';
}

/** A group as it is under an assumption; undefined if it doesn't exist then, or has another launch template. */
function userUnder(when: When, group: Group, template: LaunchTemplate): Group | undefined {
  const exists = group.exists.and(when);
  if (exists === undefined) return undefined;
  const limited = overriding(group, { exists });
  return alternativesOf(launchTemplateOf(limited)).some(
    ({ value }) => value.kind === 'known' && value.value === template,
  )
    ? limited
    : undefined;
}

/** A group that uses one launch template in the place of another; where it says so stays. */
function redirected(group: Group, from: LaunchTemplate, to: LaunchTemplate): Group {
  const launchTemplate = mapValue(group.launchTemplate, (use) =>
    use.template.target === from ? { ...use, template: { ...use.template, target: to } } : use,
  );
  return overriding(group, { launchTemplate });
}

/** The AMI that decides on who bootstraps. */
function imageFor(
  { bootstrapBy, family }: UserDataQuestion,
  imageId: LaunchTemplate['imageId'],
  source: Source,
): LaunchTemplate['imageId'] {
  if (bootstrapBy === 'eks') return new Absent(source);
  if (bootstrapBy === 'user') return new Known({ text: 'of your own', ...UNKNOWN_AMI, family }, source);
  return flatMapValue(imageId, (image): LaunchTemplate['imageId'] =>
    image.kind === 'absent'
      ? new Unknown('nothing says whether the launch template has an AMI of its own (--bootstrap eks or user)', source)
      : image,
  );
}

/** An object like another one, with some of its properties replaced; the getters of the rest work as before. */
function overriding<T extends object>(original: T, properties: Partial<T>): T {
  return Object.create(original, Object.getOwnPropertyDescriptors(properties)) as T;
}

type Base = Omit<Resource, 'id' | 'type'>;

const BASE: Base = {
  path: undefined,
  stack: '',
  frontEnd: CLOUDFORMATION.name,
  dialect: CLOUDFORMATION,
  source: nowhere,
  suppressions: [],
  exists: always,
  isImplied: true,
};

/** The launch template of a lone file of user data. */
export function impliedTemplate(name: string, { source }: Known<UserData>): LaunchTemplate {
  const absent = new Absent(source);
  return {
    ...BASE,
    kind: 'launch-template',
    type: 'user data',
    id: name,
    source,
    name: absent,
    imageId: absent,
    instanceType: absent,
    metadata: { httpTokens: absent, hopLimit: absent, httpEndpoint: absent, instanceTags: absent },
    userData: absent,
    instanceTagKeys: [],
    instanceProfile: absent,
    shutdownBehavior: absent,
    hibernation: absent,
    instanceRequirements: absent,
    marketType: absent,
    keyName: absent,
    securityGroups: absent,
    networkInterfaces: [],
    blockDevices: [],
  };
}

/** An AMI type of each family, to tell the rules the operating system. */
const AMI_TYPES: Readonly<Record<AmiFamily, string>> = {
  AL2: 'AL2_x86_64',
  AL2023: 'AL2023_x86_64_STANDARD',
  BOTTLEROCKET: 'BOTTLEROCKET_x86_64',
  WINDOWS: 'WINDOWS_CORE_2022_x86_64',
};

function impliedGroup(
  template: LaunchTemplate,
  { family, bootstrapBy, kubernetesVersion }: UserDataQuestion,
): NodeGroup {
  const { source, exists, id } = template;
  const absent = new Absent(source);
  const use: LaunchTemplateUse = {
    template: { text: id, target: template },
    version: absent,
    id: absent,
    name: absent,
    source,
  };
  const known = <T>(value: T | undefined): Value<T> => (value === undefined ? absent : new Known(value, source));
  return {
    ...BASE,
    kind: 'node-group',
    type: 'node group',
    id: 'nodes',
    source,
    exists,
    cluster: new Unknown("the cluster isn't given", source),
    name: absent,
    amiType:
      family !== undefined
        ? new Known(AMI_TYPES[family], source)
        : bootstrapBy === 'eks'
          ? new Unknown("which system the nodes have isn't given (--family)", source)
          : new Known('CUSTOM', source),
    instanceTypes: absent,
    subnets: absent,
    capacityType: absent,
    version: known(kubernetesVersion),
    releaseVersion: absent,
    releaseImage: absent,
    launchTemplate: new Known(use, source),
    nodeRole: absent,
    forceUpdate: absent,
    diskSize: absent,
    remoteAccess: absent,
    labels: absent,
    taints: absent,
    updateConfig: absent,
    minSize: absent,
    maxSize: absent,
    desiredSize: absent,
  };
}
