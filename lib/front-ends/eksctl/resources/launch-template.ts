import type {
  BlockDevice,
  Image,
  LaunchTemplate,
  LaunchTemplateUse,
  MetadataOptions,
  NetworkInterface,
  Reference,
  Role,
  UserData,
} from '../../../eks';
import { UNKNOWN_AMI } from '../../../knowledge/published-amis';
import { Absent, Known, Unknown, type Plain, type Resource, type Value } from '../../../value';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { amiFamilyOf, isBottlerocket, isWindows } from '../families';
import { amiIn, familyIn } from '../group-settings';

const DEFAULT_VOLUME_SIZE = 80;

interface LaunchParts {
  readonly imageId: Value<Image>;
  readonly instanceType: Value<string>;
  readonly userData: Value<UserData>;
  readonly securityGroups: Value<readonly Value<string>[]>;
  readonly networkInterfaces?: readonly NetworkInterface[];
  readonly instanceRole?: Value<Reference<Role>>;
}

/** The launch template that eksctl makes of the settings of a group. Source: cfn/builder/managed_launch_template.go, nodegroup.go. */
export function launchTemplateOf(
  file: ConfigFile,
  group: ConfigNode,
  owner: Resource,
  parts: LaunchParts,
): LaunchTemplate {
  const none = new Absent(group);
  const key = group.at('ssh', 'publicKeyName').text;
  const marketType = group.at('instanceMarketOptions', 'marketType').text;
  return {
    ...file.resource(`${owner.type}.launchTemplate`, owner.id, group),
    kind: 'launch-template',
    partOf: owner,
    name: none,
    imageId: parts.imageId,
    instanceType: parts.instanceType,
    metadata: metadataOptions(group),
    userData: parts.userData,
    instanceTagKeys: tagKeys(file, group),
    instanceProfile: none,
    ...(parts.instanceRole === undefined ? {} : { instanceRole: parts.instanceRole }),
    shutdownBehavior: none,
    hibernation: none,
    instanceRequirements: none,
    marketType,
    keyName: key,
    securityGroups: parts.securityGroups,
    networkInterfaces: parts.networkInterfaces ?? [],
    blockDevices: blockDevices(group),
  };
}

/** eksctl always writes the options, tokens and hop limit and nothing else. */
function metadataOptions(group: ConfigNode): MetadataOptions {
  const none = new Absent(group);
  const noPods = group.child('disablePodIMDS').boolean;
  const noV1 = group.child('disableIMDSv1').boolean;
  const isNodeOnly = noPods.kind === 'known' && noPods.value;
  const hopLimit: Plain<number> =
    noPods.kind === 'unknown'
      ? noPods
      : isNodeOnly
        ? new Known(1, noPods.source, 'disablePodIMDS')
        : new Known(2, noPods.source, 'set by eksctl');
  const tokens = (value: string, { source }: Plain<boolean>): Known<string> =>
    new Known(value, source, 'set by eksctl');
  const httpTokens: Plain<string> = isNodeOnly
    ? tokens('required', noPods)
    : noV1.kind === 'unknown'
      ? noV1
      : noV1.kind === 'known' && !noV1.value
        ? noPods.kind === 'unknown'
          ? noPods
          : tokens('optional', noV1)
        : tokens('required', noV1);
  return {
    httpTokens,
    hopLimit,
    httpEndpoint: none,
    instanceTags: none,
    ...(isNodeOnly ? { isForNodesOnly: true } : {}),
  };
}

/** Tags of the group, of the cluster, and those that eksctl adds. */
function tagKeys(file: ConfigFile, group: ConfigNode): readonly Value<string>[] {
  const written = [group.child('tags'), file.root.at('metadata', 'tags')].flatMap((tags) =>
    tags.keys.map((key): Value<string> => new Known(key, tags.child(key))),
  );
  return [
    ...written,
    ...['alpha.eksctl.io/nodegroup-name', 'Name'].map((key) => new Known(key, group, 'set by eksctl')),
  ];
}

function blockDevices(group: ConfigNode): readonly BlockDevice[] {
  const family = familyIn(group);
  const known = family.kind === 'known' ? family.value : '';
  const name = group.child('volumeName').text;
  const size = group.child('volumeSize').number;
  const device = isBottlerocket(known) ? '/dev/xvdb' : isWindows(known) ? '/dev/sda1' : '/dev/xvda';
  const first: BlockDevice = {
    name: name.kind === 'absent' ? new Known(device, group, 'set by eksctl') : name,
    size: size.kind === 'absent' ? new Known(DEFAULT_VOLUME_SIZE, group, 'the default of eksctl') : size,
    source: group.child('volumeSize').place,
  };
  // Those without a name are dropped.
  const others = group.child('additionalVolumes').items.flatMap((volume): BlockDevice[] => {
    const own = volume.child('volumeName').text;
    const ownSize = volume.child('volumeSize').number;
    return own.kind === 'absent'
      ? []
      : [
          {
            name: own,
            size: ownSize.kind === 'absent' ? new Known(DEFAULT_VOLUME_SIZE, volume) : ownSize,
            source: volume,
          },
        ];
  });
  return [first, ...others];
}

/** The AMI that a group names, of the family that it declares; absent where EKS chooses one. */
export function imageNamed(group: ConfigNode): Plain<Image> {
  const ami = amiIn(group);
  if (ami.kind === 'absent') return ami;
  const family = familyIn(group);
  const facts = { ...UNKNOWN_AMI, family: family.kind === 'known' ? amiFamilyOf(family.value) : undefined };
  if (ami.kind === 'unknown')
    return facts.family === undefined ? ami : new Known({ text: ami.text ?? 'of its own', ...facts }, ami.source);
  return new Known({ text: ami.value, ...facts }, ami.source);
}

/** The AMI that eksctl looks up for a family, by the version of the file. Source: ctl/create/nodegroup.go, checkNodeGroupVersion. */
export function imageLookedUp({ version }: ConfigFile, group: ConfigNode): Plain<Image> {
  const family = familyIn(group);
  if (family.kind !== 'known') return new Unknown('its AMI family is not known', group);
  return new Known(
    {
      ...UNKNOWN_AMI,
      text: `of ${family.value} that eksctl looks up`,
      family: amiFamilyOf(family.value),
      ...(version.kind === 'known' ? { kubernetesVersion: version.value } : {}),
      isPublished: true,
    },
    family.source,
    family.note,
  );
}

/** How a group refers to the template that eksctl makes of it: it follows each change. */
export function useOf(template: LaunchTemplate, group: ConfigNode): Known<LaunchTemplateUse> {
  const none = new Absent(group);
  return new Known(
    {
      template: { text: template.id, target: template },
      version: new Known({ text: 'set by eksctl', tracks: 'latest' }, group),
      id: none,
      name: none,
      source: group,
    },
    group,
  );
}

/** A template that the group names by its id; nothing here declares it. */
export function ownTemplateUse(group: ConfigNode): Plain<LaunchTemplateUse> {
  const block = group.child('launchTemplate');
  if (!block.isWritten) return new Absent(group);
  const id = block.child('id').text;
  const version = block.child('version').text;
  return new Known(
    {
      template: { text: id.kind === 'known' ? id.value : 'an unknown launch template', target: undefined },
      version:
        version.kind === 'known' ? new Known({ text: version.value, tracks: undefined }, version.source) : version,
      id,
      name: new Absent(block),
      source: block,
    },
    block,
  );
}
