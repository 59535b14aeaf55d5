import {
  alternativesOf,
  type Addon,
  type AddonPodIdentity,
  type AttachedPolicy,
  type Cluster,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type NodeGroup,
  type PodIdentityAssociation,
  type Reference,
  type SelfManagedNodeGroup,
  type Subnet,
  type Value,
} from '../../eks';
import { givenName, ofAddress } from './names';

/** What a drawing says of resources, in a few words each. */

const LATER = 'known only at deployment';

/** A value in a few words; undefined if it isn't written. */
export function shown(value: Value<string | number>): string | undefined {
  const texts = alternativesOf<string | number>(value).flatMap(({ value: plain }) => {
    if (plain.kind === 'absent') return [];
    return [plain.kind === 'known' ? String(plain.value) : (plain.text ?? LATER)];
  });
  return texts.length === 0 ? undefined : [...new Set(texts)].join(' or ');
}

/** Why what a drawing says of a resource isn't known, by what it is: `version is known only at deployment: parameter Version has no default`. */
export function notesOf(resource: Cluster | NodeGroup | SelfManagedNodeGroup | LaunchTemplate | Addon): string[] {
  return settingsOf(resource).flatMap(([name, value]) =>
    alternativesOf<unknown>(value).flatMap(({ value: plain }) =>
      plain.kind === 'unknown' && plain.text === undefined ? [`${name} is ${LATER}: ${plain.reason}`] : [],
    ),
  );
}

function settingsOf(
  resource: Cluster | NodeGroup | SelfManagedNodeGroup | LaunchTemplate | Addon,
): [string, Value<unknown>][] {
  switch (resource.kind) {
    case 'cluster':
      return [
        ['Kubernetes version', resource.version],
        ['IP family', resource.ipFamily],
      ];
    case 'node-group':
      return [
        ['AMI type', resource.amiType],
        ['instance types', resource.instanceTypes],
        ['minimum size', resource.minSize],
        ['maximum size', resource.maxSize],
        ['release', resource.releaseVersion],
        ['launch template', resource.launchTemplate],
      ];
    case 'self-managed-node-group':
      return [['instance types', resource.instanceTypes]];
    case 'launch-template':
      return [
        ['AMI', resource.imageId],
        ['hop limit', resource.metadata.hopLimit],
        ['whether tokens are required', resource.metadata.httpTokens],
        ['instance type', resource.instanceType],
      ];
    case 'addon':
      return [
        ['name', resource.name],
        ['version', resource.version],
        ['conflict mode', resource.resolveConflictsOnUpdate],
        ['configuration', resource.configuration],
      ];
  }
}

export function clusterLines({ version, ipFamily, autoMode }: Cluster): string[] {
  const kubernetes = shown(version);
  const family = shown(ipFamily);
  const isAuto = alternativesOf(autoMode).some(({ value }) => value.kind === 'known' && value.value);
  return line(
    kubernetes === undefined ? 'Kubernetes: default version' : `Kubernetes ${kubernetes}`,
    family === undefined ? undefined : family.replaceAll('ipv', 'IPv'),
    isAuto ? 'Auto Mode' : undefined,
  );
}

export function nodeGroupLines(group: NodeGroup): string[] {
  const { amiType, launchTemplate, capacityType, instanceTypes, minSize, maxSize, version, releaseVersion } = group;
  const capacity = shown(capacityType);
  const [least, most] = [size(minSize), size(maxSize)];
  const nodes =
    least === undefined && most === undefined
      ? undefined
      : least === most
        ? `${least ?? ''} ${least === '1' ? 'node' : 'nodes'}`
        : `${least ?? '…'} to ${most ?? '…'} nodes`;
  const release = about('release', shown(releaseVersion) ?? shown(version));
  return [
    ...line(
      about('AMI type', shown(amiType)) ??
        (hasOwnImage(launchTemplate) ? 'AMI of the launch template' : 'AMI type not written'),
      capacity === 'SPOT' ? 'Spot' : undefined,
      release,
    ),
    ...line(listed(instanceTypes), nodes),
  ];
}

/** In a place where there is no room for more; a note says why. */
function size(value: Value<string | number>): string | undefined {
  return shown(value)?.replaceAll(LATER, '?');
}

function hasOwnImage(launchTemplate: NodeGroup['launchTemplate']): boolean {
  return templatesOf(launchTemplate).some(
    ({ target }) => target !== undefined && alternativesOf(target.imageId).some(({ value }) => value.kind !== 'absent'),
  );
}

export function selfManagedLines({ instanceTypes }: SelfManagedNodeGroup): string[] {
  return ['self-managed (Auto Scaling group)', ...line(listed(instanceTypes))];
}

export function templateLines(template: LaunchTemplate): string[] {
  const { imageId, metadata, userData, instanceType } = template;
  const images = alternativesOf(imageId).flatMap(({ value }) => {
    if (value.kind === 'absent') return ['chosen by EKS'];
    if (value.kind === 'unknown') return [value.text ?? LATER];
    const { family, text } = value.value;
    return [family === undefined ? text : `for ${family}: ${text}`];
  });
  const hopLimit = shown(metadata.hopLimit);
  const tokens = shown(metadata.httpTokens);
  const hasUserData = alternativesOf(userData).some(({ value }) => value.kind !== 'absent');
  return [
    `AMI ${[...new Set(images)].join(' or ')}`,
    ...line(
      hopLimit === undefined ? undefined : `hop limit ${hopLimit}`,
      tokens === undefined ? undefined : `IMDSv2 ${tokens}`,
    ),
    ...line(about('instance type', shown(instanceType)), hasUserData ? 'user data' : undefined),
  ];
}

export function addonLines({ version, resolveConflictsOnUpdate, configuration }: Addon): string[] {
  const conflicts = shown(resolveConflictsOnUpdate);
  const isConfigured = alternativesOf(configuration).some(({ value }) => value.kind !== 'absent');
  return line(
    about('version', shown(version)) ?? 'default version',
    about('conflicts', conflicts),
    isConfigured ? 'configured' : undefined,
  );
}

export function podIdentityName({ namespace, serviceAccount }: PodIdentityAssociation): string {
  return `${shown(namespace) ?? '…'}/${shown(serviceAccount) ?? '…'}`;
}

export function subnetText(subnet: Subnet): string {
  const isPublic = alternativesOf(subnet.mapPublicIpOnLaunch).some(
    ({ value }) => value.kind === 'known' && value.value,
  );
  const known = [subnet.cidr, subnet.availabilityZone].map((value) =>
    value.kind === 'known' ? value.value : undefined,
  );
  // The CDK puts each subnet into a construct of its name.
  const name = givenName(subnet).replace(/^(?:.*\/)?([^/]+)\/Subnet$/, '$1');
  return [name, ...known, isPublic ? 'public IPs' : undefined].filter((part) => part !== undefined).join(' · ');
}

/** `AmazonEKSWorkerNodePolicy`, `Logs (inline)`. */
export function policyText(policy: AttachedPolicy): string {
  if (policy.kind === 'document') return `${policy.name === '' ? 'policy' : ofAddress(policy.name)} (inline)`;
  return withoutArn(about('policy', shown(policy.arn)) ?? `policy ${LATER}`);
}

/** The name at the end of an ARN. */
export function withoutArn(text: string): string {
  return /^arn:.*\//.test(text) ? text.slice(text.lastIndexOf('/') + 1) : text;
}

/** What a value refers to: resources of the input, and the names of others. What isn't known is left out. */
export function referencesOf<T>(value: Value<Reference<T>>): Reference<T>[] {
  return alternativesOf(value).flatMap(({ value: plain }) => (plain.kind === 'known' ? [plain.value] : []));
}

export function templatesOf(value: Value<LaunchTemplateUse>): Reference<LaunchTemplate>[] {
  return alternativesOf(value).flatMap(({ value: plain }) => (plain.kind === 'known' ? [plain.value.template] : []));
}

export function podIdentitiesOf({ podIdentityAssociations }: Addon): readonly AddonPodIdentity[] {
  return alternativesOf(podIdentityAssociations).flatMap(({ value: plain }) =>
    plain.kind === 'known' ? plain.value : [],
  );
}

export function subnetsOf(value: NodeGroup['subnets']): Reference<Subnet>[] {
  return alternativesOf(value).flatMap(({ value: plain }) =>
    plain.kind === 'known' ? plain.value.flatMap(referencesOf) : [],
  );
}

function listed(value: Value<readonly Value<string>[]>): string | undefined {
  const texts = alternativesOf(value).flatMap(({ value: plain }) => {
    if (plain.kind === 'absent') return [];
    return plain.kind === 'known' ? plain.value.map((item) => shown(item) ?? LATER) : [plain.text ?? LATER];
  });
  const unique = [...new Set(texts)].map((text) => about('instance types', text) ?? text);
  if (unique.length === 0) return undefined;
  return unique.length <= 2 ? unique.join(', ') : `${unique[0] ?? ''} and ${unique.length - 1} more types`;
}

/** What isn't known says what it is. */
function about(name: string, text: string | undefined): string | undefined {
  return text === LATER ? `${name} ${LATER}` : text;
}

/** One line of what there is, none if there is nothing; what isn't known says so in a line of its own. */
function line(...parts: readonly (string | undefined)[]): string[] {
  const there = parts.flatMap((part) => (part === undefined || part === '' ? [] : [part]));
  const known = there.filter((part) => !part.endsWith(LATER));
  return [...(known.length === 0 ? [] : [known.join(' · ')]), ...there.filter((part) => part.endsWith(LATER))];
}
