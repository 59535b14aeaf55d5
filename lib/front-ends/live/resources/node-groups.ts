import type { LaunchTemplate, LaunchTemplateUse, MetadataOptions, NodeGroup, NodeLabel } from '../../../eks';
import { LAUNCH_TEMPLATE } from '../../../eks/resources/launch-template';
import { NODE_GROUP } from '../../../eks/resources/node-group';
import { asAnswer } from '../../../eks/resources/table';
import { Absent, flatMapValue, Known, mapValue, Unknown, type Plain, type Source, type Value } from '../../../value';
import { firstOf } from '../../../value/first-of';
import { imageFrom } from '../../parts/image';
import { userDataFromBase64 } from '../../parts/user-data-text';
import type { AnswerNode } from '../answer-node';
import type { Dump } from '../dump';
import { readByTable, type Scope } from './by-table';

const ANSWERED = asAnswer(NODE_GROUP, 'eks:nodegroup');

/** A node group that runs, with what its instances have. */
export interface LiveNodeGroup extends NodeGroup {
  readonly instances: readonly AnswerNode[];
}

export function isLiveNodeGroup(group: NodeGroup): group is LiveNodeGroup {
  return 'instances' in group;
}

/** All node groups, and the versions of launch templates that they use. */
export function readNodeGroups(scope: Scope): readonly (NodeGroup | LaunchTemplate)[] {
  const { dump } = scope;
  const instances = instancesByGroup(dump);
  const templates = new Map<string, LaunchTemplate>();
  const groups = dump.all('nodegroup').map((node): { group: NodeGroup; own: LaunchTemplate | undefined } => {
    const running = instances.get(node.child('nodegroupName').label) ?? [];
    const used = versionUsed(dump, node.child('launchTemplate'));
    const template = used === undefined ? undefined : templateOf(used, running, scope, templates);
    return readNodeGroup(node, template, running, scope);
  });
  return [...groups.flatMap(({ group, own }) => (own === undefined ? [group] : [group, own])), ...templates.values()];
}

function readNodeGroup(
  node: AnswerNode,
  template: LaunchTemplate | undefined,
  running: readonly AnswerNode[],
  scope: Scope,
): { readonly group: NodeGroup; readonly own: LaunchTemplate | undefined } {
  const group = node.asResource();
  const none = new Absent(group);
  const table = readByTable(ANSWERED, group, scope);
  const parts: LiveNodeGroup = {
    ...scope.dump.resource('eks:nodegroup', group.child('nodegroupName').label, group),
    ...table,
    kind: 'node-group',
    // Of a group with an AMI of its own EKS answers its id there.
    releaseImage: group.child('amiType').label === 'CUSTOM' ? none : flatMapValue(table.releaseVersion, imageFrom),
    launchTemplate: useOf(group.child('launchTemplate'), template),
    labels: labels(group.child('labels')),
    instances: running,
  };
  if (parts.launchTemplate.kind !== 'absent') return { group: parts, own: undefined };
  // EKS makes a template of its own, of which the instances tell.
  const observed = observedOptions(running, {
    hopLimit: none,
    httpTokens: none,
    httpEndpoint: none,
    instanceTags: none,
  });
  if (observed.hopLimit.kind === 'absent') return { group: parts, own: undefined };
  const own = ownTemplate(scope.dump, parts, observed);
  return { group: { ...parts, launchTemplate: useOfOwn(own, group) }, own };
}

function labels(node: AnswerNode): Plain<readonly NodeLabel[]> {
  if (node.keys.length === 0) return new Absent(node.place);
  return new Known(
    node.keys.map((key): NodeLabel => {
      const source = node.child(key);
      return { key: new Known(key, source), value: new Known(source.label, source), source };
    }),
    node,
  );
}

function useOf(node: AnswerNode, template: LaunchTemplate | undefined): Plain<LaunchTemplateUse> {
  if (!node.isWritten) return new Absent(node.place);
  const { id, name, version } = { id: node.child('id'), name: node.child('name'), version: node.child('version') };
  const tracks = version.label === '$Latest' ? 'latest' : version.label === '$Default' ? 'default' : undefined;
  return new Known(
    {
      template: { text: name.label === '' ? id.label : name.label, target: template },
      version: version.isWritten ? new Known({ text: version.label, tracks }, version) : new Absent(node),
      id: id.text,
      // EKS answers both, of which a request takes one.
      name: new Absent(node),
      source: node,
    },
    node,
  );
}

function useOfOwn(template: LaunchTemplate, source: Source): Known<LaunchTemplateUse> {
  const none = new Absent(source);
  return new Known(
    {
      template: { text: template.id, target: template },
      version: new Known({ text: 'made by EKS', tracks: 'latest' }, source),
      id: none,
      name: none,
      source,
    },
    source,
  );
}

function ownTemplate(dump: Dump, owner: NodeGroup, metadata: MetadataOptions): LaunchTemplate {
  const none = new Absent(owner.source);
  return {
    ...dump.resource('ec2:launch-template', owner.id, owner.source),
    kind: 'launch-template',
    partOf: owner,
    name: none,
    imageId: none,
    instanceType: none,
    metadata,
    userData: none,
    instanceTagKeys: [],
    instanceProfile: none,
    shutdownBehavior: none,
    hibernation: none,
    instanceRequirements: none,
    marketType: none,
    keyName: none,
    securityGroups: none,
    networkInterfaces: [],
    blockDevices: [],
  };
}

/** The version of a template that a group uses, if the dump has it. */
function versionUsed(dump: Dump, use: AnswerNode): AnswerNode | undefined {
  if (!use.isWritten) return undefined;
  const [id, name, wanted] = ['id', 'name', 'version'].map((key) => use.child(key).label);
  const versions = dump
    .items('LaunchTemplateVersions')
    .filter(
      (one) =>
        one.child('LaunchTemplateId').label === id || (id === '' && one.child('LaunchTemplateName').label === name),
    );
  if (wanted === '$Latest')
    return versions.toSorted((a, b) => Number(b.child('VersionNumber').raw) - Number(a.child('VersionNumber').raw))[0];
  return versions.find((one) =>
    wanted === '$Default' || wanted === ''
      ? one.child('DefaultVersion').raw === true
      : one.child('VersionNumber').label === wanted,
  );
}

/** Several groups share a version. What its instances tell counts for the first of them. */
function templateOf(
  node: AnswerNode,
  running: readonly AnswerNode[],
  scope: Scope,
  known: Map<string, LaunchTemplate>,
): LaunchTemplate {
  const key = `${node.child('LaunchTemplateId').label} ${node.child('VersionNumber').label}`;
  let template = known.get(key);
  if (template === undefined) known.set(key, (template = readTemplate(node.asResource(), running, scope)));
  return template;
}

function readTemplate(node: AnswerNode, running: readonly AnswerNode[], scope: Scope): LaunchTemplate {
  const data = node.child('LaunchTemplateData');
  const profile = data.child('IamInstanceProfile');
  const options = data.child('MetadataOptions');
  const userData = data.child('UserData').text;
  const ids = data.child('SecurityGroupIds').texts;
  const table = readByTable(LAUNCH_TEMPLATE, node, scope);
  return {
    ...scope.dump.resource('ec2:launch-template', node.child('LaunchTemplateName').label, node),
    ...table,
    kind: 'launch-template',
    imageId: flatMapValue(data.child('ImageId').text, imageFrom),
    metadata: observedOptions(running, {
      httpTokens: options.child('HttpTokens').text,
      hopLimit: options.child('HttpPutResponseHopLimit').number,
      httpEndpoint: options.child('HttpEndpoint').text,
      instanceTags: options.child('InstanceMetadataTags').text,
    }),
    userData: userData.kind === 'known' ? userDataFromBase64(userData) : userData,
    instanceTagKeys: data
      .child('TagSpecifications')
      .items.filter((one) => one.child('ResourceType').label === 'instance')
      .flatMap((one) => one.child('Tags').items.map((tag): Value<string> => tag.child('Key').text)),
    instanceProfile: firstOf(profile.child('Arn').text, () => profile.child('Name').text),
    securityGroups: withClusterGroup(ids.kind === 'absent' ? data.child('SecurityGroups').texts : ids, scope.dump),
    networkInterfaces: table.networkInterfaces.map((one) => ({
      ...one,
      securityGroups: withClusterGroup(one.securityGroups, scope.dump),
    })),
    blockDevices: data.child('BlockDeviceMappings').items.map((device) => ({
      name: device.child('DeviceName').text,
      size: device.at('Ebs', 'VolumeSize').number,
      source: device,
    })),
  };
}

/** Groups by id, of which the one that EKS made for the cluster is told as templates tell it: as an attribute of the cluster. */
function withClusterGroup(
  groups: Value<readonly Value<string>[]>,
  { cluster, clusterGroup }: Dump,
): Value<readonly Value<string>[]> {
  if (cluster === undefined || clusterGroup === '') return groups;
  return mapValue(groups, (list) =>
    list.map(
      (one): Value<string> =>
        one.kind === 'known' && one.value === clusterGroup
          ? new Unknown('it is the cluster security group', one.source, one.value, undefined, {
              resource: cluster,
              attribute: 'ClusterSecurityGroupId',
            })
          : one,
    ),
  );
}

/** The instances that run, by their node groups. Source: EKS user guide, tags of managed nodes. */
function instancesByGroup(dump: Dump): ReadonlyMap<string, readonly AnswerNode[]> {
  const found = new Map<string, AnswerNode[]>();
  const clusters = dump.clusterNames;
  for (const reservation of dump.items('Reservations'))
    for (const instance of reservation.child('Instances').items) {
      const tag = (key: string): string =>
        instance
          .child('Tags')
          .items.find((one) => one.child('Key').label === key)
          ?.child('Value').label ?? '';
      const group = tag('eks:nodegroup-name');
      const isGone = /^(?:terminated|shutting-down)$/.test(instance.at('State', 'Name').label);
      if (group === '' || isGone || !clusters.includes(tag('eks:cluster-name'))) continue;
      const list = found.get(group) ?? [];
      found.set(group, list);
      list.push(instance);
    }
  return found;
}

const ENOUGH_HOPS = 2;

/**
 * What a template leaves open is what its instances have, if they all have the same and it is enough. Where it isn't, what rules say of a template that leaves it
 * open is borne out.
 */
function observedOptions(running: readonly AnswerNode[], written: MetadataOptions): MetadataOptions {
  const [first] = running;
  if (first === undefined) return written;
  const same = (key: string): AnswerNode | undefined => {
    const node = first.at('MetadataOptions', key);
    return running.every((one) => one.at('MetadataOptions', key).raw === node.raw) ? node : undefined;
  };
  const hops = same('HttpPutResponseHopLimit');
  const tokens = same('HttpTokens');
  const note = 'of the instances that run';
  const isEnough = hops !== undefined && Number(hops.raw) >= ENOUGH_HOPS;
  return {
    ...written,
    hopLimit:
      written.hopLimit.kind === 'absent' && isEnough ? new Known(Number(hops.raw), hops, note) : written.hopLimit,
    httpTokens:
      written.httpTokens.kind === 'absent' && tokens?.label === 'required'
        ? new Known('required', tokens, note)
        : written.httpTokens,
  };
}
