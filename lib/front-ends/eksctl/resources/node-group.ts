import type {
  LaunchTemplate,
  NodeGroup,
  NodeLabel,
  NodeTaint,
  RemoteAccess,
  Role,
  SelfManagedNodeGroup,
  Subnet,
} from '../../../eks';
import { NODE_GROUP } from '../../../eks/resources/node-group';
import { parseMinor } from '../../../knowledge';
import { Absent, Known, Unknown, type Plain, type Value } from '../../../value';
import { referenceFrom } from '../../parts/references';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { amiTypeFor, decidingType } from '../families';
import { familyIn, namesOf, sizesIn, typesIn } from '../group-settings';
import { managedUserData, selfManagedUserData } from '../user-data';
import { readByTable } from './by-table';
import { imageLookedUp, imageNamed, launchTemplateOf, ownTemplateUse, useOf } from './launch-template';
import { nodeRole } from './node-role';

/** Source: awslabs/amazon-eks-ami, CHANGELOG, AL2023. */
const FIRST_OF_DEFAULT = 23;

/** What a group comes to. */
interface GroupParts<G> {
  readonly group: G;
  /** Undefined where the group names one of somebody else. */
  readonly template: LaunchTemplate | undefined;
  readonly role: Role | undefined;
}

/** An item of `managedNodeGroups`. Source: cfn/builder/managed_nodegroup.go. */
export function readManagedGroup(file: ConfigFile, node: ConfigNode): GroupParts<NodeGroup> {
  const group = node.asResource();
  const none = new Absent(group);
  const types = typesIn(group, group.child('instanceTypes'));
  const sizes = sizesIn(group);
  const own = ownTemplateUse(group);
  const image = own.kind === 'absent' ? imageOfManaged(group) : none;
  const { role, reference } = nodeRole(file, group, { isManaged: true, type: 'managedNodeGroups' });
  const table = readByTable(NODE_GROUP, group, file);
  const parts: Omit<NodeGroup, 'launchTemplate'> = {
    ...file.resource('managedNodeGroups', idOf(group), group),
    ...table,
    kind: 'node-group',
    cluster: file.reference,
    amiType: own.kind === 'absent' ? amiTypeOf(file, group, types, image) : familyAlone(group),
    // In a capacity block the type stands in the template, which comes to the same.
    instanceTypes: types,
    subnets: subnetsOf(group),
    capacityType: capacityType(group),
    version: none,
    releaseImage: none,
    nodeRole: reference,
    forceUpdate: none,
    diskSize: none,
    remoteAccess: remoteAccess(group),
    labels: labels(group),
    taints: taints(group.child('taints')),
    updateConfig: withoutStrategy(table.updateConfig),
    minSize: sizes.min,
    maxSize: sizes.max,
    desiredSize: sizes.desired,
  };
  if (own.kind !== 'absent') return { group: { ...parts, launchTemplate: own }, template: undefined, role };
  return withOwnTemplate(
    parts,
    (owner) =>
      launchTemplateOf(file, group, owner, {
        imageId: image,
        instanceType: none,
        userData: managedUserData(file, group),
        // eksctl puts the cluster's group among them, as EKS does where nobody names any.
        securityGroups: none,
      }),
    role,
  );
}

/** An item of `nodeGroups`. Source: cfn/builder/nodegroup.go. */
export function readSelfManagedGroup(file: ConfigFile, node: ConfigNode): GroupParts<SelfManagedNodeGroup> {
  const group = node.asResource();
  const none = new Absent(group);
  const listed = group.at('instancesDistribution', 'instanceTypes');
  const types = typesIn(group, listed);
  const first = namesOf(types)?.[0];
  const named = imageNamed(group);
  const { role, reference } = nodeRole(file, group, { isManaged: false, type: 'nodeGroups' });
  const parts: Omit<SelfManagedNodeGroup, 'launchTemplate'> = {
    ...file.resource('nodeGroups', idOf(group), group),
    kind: 'self-managed-node-group',
    cluster: file.reference,
    instanceTypes: listed.isWritten || types.kind === 'unknown' ? types : none,
    subnets: subnetsOf(group),
    maxSize: sizesIn(group).max,
    ...apartOf(group),
    // The rule stands in the group's own security group.
    remoteAccess: group.at('securityGroups', 'withLocal').raw === false ? none : remoteAccess(group),
  };
  return withOwnTemplate(
    parts,
    (owner) =>
      launchTemplateOf(file, group, owner, {
        imageId: named.kind === 'absent' ? imageLookedUp(file, group) : named,
        instanceType:
          first === undefined
            ? new Unknown('eksctl selects it', group)
            : new Known(first, group.child('instanceType').place),
        userData: selfManagedUserData(file, group),
        instanceRole: reference,
        securityGroups: none,
        networkInterfaces: [{ subnet: none, securityGroups: selfManagedSecurityGroups(group), source: group }],
      }),
    role,
  );
}

/** The template names its group, and the group its template. */
function withOwnTemplate<G extends NodeGroup | SelfManagedNodeGroup>(
  parts: Omit<G, 'launchTemplate'>,
  make: (owner: G) => LaunchTemplate,
  role: Role | undefined,
): GroupParts<G> {
  const group = { ...parts } as { -readonly [K in keyof G]: G[K] };
  const template = make(group);
  group.launchTemplate = useOf(template, group.source as ConfigNode) as G['launchTemplate'];
  return { group, template, role };
}

function idOf(group: ConfigNode): string {
  const name = group.child('name').text;
  return name.kind === 'known'
    ? name.value
    : ((name.kind === 'unknown' ? name.text : undefined) ?? `group ${String(group.path.at(-1))}`);
}

/** Ubuntu has no AMI type of EKS: eksctl looks an AMI up. */
function imageOfManaged(group: ConfigNode): ReturnType<typeof imageNamed> {
  const family = familyIn(group);
  const named = imageNamed(group);
  return named.kind === 'absent' && family.kind === 'known' && family.value.startsWith('Ubuntu')
    ? new Unknown(`eksctl looks up the AMI of ${family.value}`, family.source, `AMI of ${family.value}`)
    : named;
}

function amiTypeOf(
  { version }: ConfigFile,
  group: ConfigNode,
  types: Value<readonly Value<string>[]>,
  image: Plain<unknown>,
): Plain<string> {
  if (image.kind !== 'absent') return new Absent(group);
  const family = familyIn(group);
  if (family.kind !== 'known') return family;
  const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
  // Today's eksctl makes no such cluster, which is told of the version.
  if (!group.child('amiFamily').isWritten && minor !== undefined && minor < FIRST_OF_DEFAULT)
    return new Unknown(
      `${family.value}, which eksctl takes by default, begins with Kubernetes 1.${FIRST_OF_DEFAULT}`,
      family.source,
    );
  const names = namesOf(types);
  const deciding = names === undefined ? undefined : decidingType(names);
  if (deciding === undefined)
    return new Unknown(
      `the AMI type depends on the instance type, and eksctl knows it only when it runs`,
      family.source,
    );
  return new Known(amiTypeFor(family.value, deciding), family.source, family.note);
}

/** With a template of somebody else eksctl looks into it first. */
function familyAlone(group: ConfigNode): Plain<string> {
  return new Unknown(
    'eksctl chooses the AMI type when it has looked into the launch template',
    group.child('launchTemplate'),
  );
}

/** Subnets by their ids, or by their names among those of the VPC. Without a list eksctl takes all that fit. */
function subnetsOf(group: ConfigNode): NodeGroup['subnets'] {
  const { texts } = group.child('subnets');
  if (texts.kind === 'unknown') return texts;
  if (texts.kind === 'absent' || texts.value.length === 0)
    return new Unknown('eksctl takes the subnets of the VPC that fit', texts.source);
  return new Known(
    texts.value.map((text) => referenceFrom<Subnet>(text, 'subnet')),
    texts.source,
  );
}

function capacityType(group: ConfigNode): Plain<string> {
  const market = group.at('instanceMarketOptions', 'marketType').text;
  if (market.kind === 'known' && market.value === 'capacity-block') return new Known('CAPACITY_BLOCK', market.source);
  const spot = group.child('spot').boolean;
  return spot.kind === 'known' ? (spot.value ? new Known('SPOT', spot.source) : new Absent(spot.source)) : spot;
}

function labels(group: ConfigNode): Plain<readonly NodeLabel[]> {
  const map = group.child('labels');
  if (!map.isWritten) return new Absent(group);
  return new Known(
    map.keys.map(
      (key): NodeLabel => ({ key: new Known(key, map.child(key)), value: map.child(key).text, source: map.child(key) }),
    ),
    map,
  );
}

/** A list, or in self-managed groups a map of keys to `value:Effect`. */
function taints(node: ConfigNode): Plain<readonly NodeTaint[]> {
  if (!node.isWritten) return new Absent(node.place);
  const listed = node.items.map(
    (item): NodeTaint => ({
      key: item.child('key').text,
      value: item.child('value').text,
      effect: item.child('effect').text,
      source: item,
    }),
  );
  const mapped = node.keys.map((key): NodeTaint => {
    const item = node.child(key);
    const [value = '', effect = ''] = item.label.split(':');
    return { key: new Known(key, item), value: new Known(value, item), effect: new Known(effect, item), source: item };
  });
  return new Known([...listed, ...mapped], node);
}

function withoutStrategy(
  config: ReturnType<typeof readByTable<typeof NODE_GROUP>>['updateConfig'],
): NodeGroup['updateConfig'] {
  if (config.kind !== 'known') return config;
  return new Known({ ...config.value, strategy: new Absent(config.value.source) }, config.source);
}

/** The local group lets in nothing but the control plane. Source: cfn/builder/nodegroup.go, makeNodeIngressRules. */
function apartOf(group: ConfigNode): Pick<SelfManagedNodeGroup, 'apart'> {
  const block = group.child('securityGroups');
  const shared = block.child('withShared');
  return shared.raw === false &&
    block.child('attachIDs').texts.kind !== 'unknown' &&
    block.child('attachIDs').items.length === 0
    ? { apart: shared }
    : {};
}

/** Groups that the file attaches, the one that all nodes share, and one for the group alone. */
function selfManagedSecurityGroups(group: ConfigNode): Plain<readonly Value<string>[]> {
  const block = group.child('securityGroups');
  const attached = block.child('attachIDs').texts;
  const made = (key: string, title: string): readonly Value<string>[] => {
    const wanted = block.child(key).boolean;
    return wanted.kind === 'known' && !wanted.value ? [] : [new Unknown(`eksctl makes it`, group, `\${${title}}`)];
  };
  const all = [
    ...(attached.kind === 'known' ? attached.value : []),
    ...made('withShared', 'shared node security group'),
    ...made('withLocal', 'security group of the node group'),
  ];
  return new Known(all, block.place);
}

/** SSH is open as soon as a key is given, unless `allow` is false. It isn't the remote access of EKS, but comes to the same. */
function remoteAccess(group: ConfigNode): Plain<RemoteAccess> {
  const ssh = group.child('ssh');
  if (!ssh.isWritten) return new Absent(group);
  const allow = ssh.child('allow').boolean;
  const key = ['publicKeyName', 'publicKeyPath', 'publicKey']
    .map((name) => ssh.child(name))
    .find(({ text }) => text.kind !== 'absent');
  if (allow.kind === 'unknown') return allow;
  const isOpen = allow.kind === 'known' ? allow.value : key !== undefined;
  // In private networks it is open to the VPC alone.
  const isPrivate = group.child('privateNetworking').boolean;
  if (!isOpen || (isPrivate.kind === 'known' && isPrivate.value)) return new Absent(group);
  if (isPrivate.kind === 'unknown') return isPrivate;
  return new Known(
    {
      sshKey: key?.text ?? new Known('~/.ssh/id_rsa.pub', allow.source, 'the default of eksctl'),
      sourceSecurityGroups: ssh.child('sourceSecurityGroupIds').texts,
      source: ssh,
    },
    ssh,
  );
}
