import type {
  AccessEntry,
  AccessPolicyAssociation,
  Addon,
  AddonConfiguration,
  Cluster,
  EksResource,
  FargateProfile,
  FargateSelector,
  LaunchTemplate,
  LaunchTemplateUse,
  NodeGroup,
  NodeLabel,
  PodIdentityAssociation,
} from '../../../eks';
import { Absent, flatMapValue, Known, mapValue, Unknown, type Plain, type Value } from '../../../value';
import { parseEmbedded } from '../../../value/embedded-text';
import { firstOf } from '../../../value/first-of';
import { imageFrom } from '../../parts/image';
import { userDataFromBase64 } from '../../parts/user-data-text';
import { ACK_TABLES, CROSSPLANE_TABLES } from './engines';
import { readProvided, readSpec, type Scope } from './references';
import { rolesOf } from './roles';
import { Made, type SpecObject } from './spec-object';
import type { SpecNode } from './spec-node';

/** All that controllers make of some objects. */
export function resourcesOfControllers(objects: readonly SpecObject[]): readonly EksResource[] {
  const scopeOf = (from: SpecObject): Scope => ({ from, clusters, roles, templates });
  const clusters = new Made<Cluster>();
  const templates = new Made<LaunchTemplate>();
  const roles = rolesOf(objects);
  const each = <T>(kinds: readonly string[], read: (object: SpecObject, scope: Scope) => T): readonly T[] =>
    objects.filter(({ kind }) => kinds.includes(kind)).map((object) => read(object, scopeOf(object)));
  for (const object of objects)
    if (object.kind === 'LaunchTemplate') templates.add(object, readTemplate(object, scopeOf(object)));
  for (const object of objects)
    if (object.kind === 'Cluster') clusters.add(object, readCluster(object, scopeOf(object)));
  return [
    ...clusters.resources,
    ...each(['Nodegroup', 'NodeGroup'], readNodeGroup),
    ...each(['Addon'], readAddon),
    ...each(['PodIdentityAssociation'], readAssociation),
    ...each(['AccessEntry'], readAccessEntry),
    ...each(['AccessPolicyAssociation'], readAccessPolicy),
    ...each(['FargateProfile'], readFargateProfile),
    ...templates.resources,
    ...roles.resources,
  ];
}

function readCluster(object: SpecObject, scope: Scope): Cluster {
  const { spec, environment, awsName: name } = object;
  const table =
    object.engine === 'ack'
      ? readSpec(ACK_TABLES.cluster, spec, scope)
      : readProvided(CROSSPLANE_TABLES.cluster, spec, scope);
  return { ...object.resource(), ...table, kind: 'cluster', environment, name };
}

function readNodeGroup(object: SpecObject, scope: Scope): NodeGroup {
  const { spec, awsName: name } = object;
  const none = new Absent(spec);
  const table =
    object.engine === 'ack'
      ? // ACK has no argument for it, and asks for no update by force.
        { ...readSpec(ACK_TABLES.nodeGroup, spec, scope), forceUpdate: none }
      : readProvided(CROSSPLANE_TABLES.nodeGroup, spec, scope);
  const use = spec.block('launchTemplate');
  const hasOwnImage = spec.child('amiType').label === 'CUSTOM';
  return {
    ...object.resource(),
    ...table,
    kind: 'node-group',
    name,
    releaseImage: hasOwnImage ? none : flatMapValue(table.releaseVersion, imageFrom),
    launchTemplate: readUse(use, scope),
    labels: labels(spec.child('labels')),
  };
}

function labels(node: SpecNode): Plain<readonly NodeLabel[]> {
  if (!node.isMap) return node.absence;
  return new Known(
    node.keys.map((key): NodeLabel => {
      const source = node.child(key);
      return { key: new Known(key, source), value: source.text, source };
    }),
    node,
  );
}

function readUse(node: SpecNode, { from, templates }: Scope): Plain<LaunchTemplateUse> {
  if (!node.isWritten) return node.absence;
  const [id, name, version] = [node.child('id').text, node.child('name').text, node.child('version').text];
  const named = name.kind === 'known' ? name.value : undefined;
  const target =
    named === undefined
      ? undefined
      : templates.find(from, ({ awsName }) => awsName.kind === 'known' && awsName.value === named);
  const text = named ?? (id.kind === 'known' ? id.value : 'a launch template');
  return new Known(
    {
      template: { text, target },
      version: mapValue(version, (written) => ({
        text: written,
        tracks: written === '$Latest' ? 'latest' : written === '$Default' ? 'default' : undefined,
      })),
      id,
      name,
      source: node,
    },
    node,
  );
}

function readTemplate(object: SpecObject, scope: Scope): LaunchTemplate {
  const { spec, engine, awsName: name } = object;
  const isAck = engine === 'ack';
  const table = isAck
    ? readSpec(ACK_TABLES.launchTemplate, spec, scope)
    : readProvided(CROSSPLANE_TABLES.launchTemplate, spec, scope);
  const data = isAck ? spec.child('data') : spec;
  const options = data.child('metadataOptions');
  const profile = data.child('iamInstanceProfile');
  const userData = data.child('userData').text;
  const byId = isAck ? 'securityGroupIDs' : 'vpcSecurityGroupIds';
  const byName = isAck ? 'securityGroups' : 'securityGroupNames';
  const groups = data.child(byId).texts;
  return {
    ...object.resource(),
    ...table,
    kind: 'launch-template',
    name,
    imageId: flatMapValue(data.child(isAck ? 'imageID' : 'imageId').text, imageFrom),
    metadata: {
      httpTokens: options.child('httpTokens').text,
      hopLimit: options.child('httpPutResponseHopLimit').number,
      httpEndpoint: options.child('httpEndpoint').text,
      instanceTags: options.child('instanceMetadataTags').text,
    },
    userData: userData.kind === 'known' ? userDataFromBase64(userData) : userData,
    instanceTagKeys: data
      .child('tagSpecifications')
      .items.filter((one) => one.child('resourceType').label === 'instance')
      .flatMap((one) => tagKeys(one.child('tags'))),
    instanceProfile: firstOf(profile.child('arn').text, () => profile.child('name').text),
    securityGroups: groups.kind === 'absent' ? data.child(byName).texts : groups,
    blockDevices: data.child('blockDeviceMappings').items.map((device) => ({
      name: device.child('deviceName').text,
      size: device.at('ebs', 'volumeSize').number,
      source: device,
    })),
  };
}

/** A list of keys and values, or a map. */
function tagKeys(tags: SpecNode): readonly Value<string>[] {
  return tags.isList
    ? tags.items.map((tag) => tag.child('key').text)
    : tags.keys.map((key) => new Known(key, tags.child(key)));
}

function readAddon(object: SpecObject, scope: Scope): Addon {
  const { spec, environment, isRetained } = object;
  const table =
    object.engine === 'ack'
      ? {
          ...readSpec(ACK_TABLES.addon, spec, scope),
          preserveOnDelete: new Unknown('AWS Controllers for Kubernetes have no setting for it', spec),
        }
      : {
          ...readProvided(CROSSPLANE_TABLES.addon, spec, scope),
          version: spec.child('addonVersion').text,
          resolveConflictsOnCreate: spec.child('resolveConflictsOnCreate').text,
          resolveConflictsOnUpdate: spec.child('resolveConflictsOnUpdate').text,
        };
  return {
    ...object.resource(),
    ...table,
    kind: 'addon',
    environment,
    configuration: configurationOf(spec.child('configurationValues').text),
    ...(isRetained ? { preserveOnDelete: new Known(true, spec, 'the controller keeps it') } : {}),
  };
}

function configurationOf(text: Plain<string>): Plain<AddonConfiguration> {
  if (text.kind === 'absent') return text;
  const parsed = parseEmbedded(text);
  return parsed.kind === 'unknown' ? parsed.unknown : new Known<AddonConfiguration>(parsed, text.source);
}

function readAssociation(object: SpecObject, scope: Scope): PodIdentityAssociation {
  const table =
    object.engine === 'ack'
      ? readSpec(ACK_TABLES.association, object.spec, scope)
      : readProvided(CROSSPLANE_TABLES.association, object.spec, scope);
  return { ...object.resource(), ...table, kind: 'pod-identity-association' };
}

function readAccessEntry(object: SpecObject, scope: Scope): AccessEntry {
  const table =
    object.engine === 'ack'
      ? readSpec(ACK_TABLES.accessEntry, object.spec, scope)
      : { ...readProvided(CROSSPLANE_TABLES.accessEntry, object.spec, scope), policies: new Absent(object.spec) };
  return { ...object.resource(), ...table, kind: 'access-entry' };
}

/** Only Crossplane has them beside the entries. */
function readAccessPolicy(object: SpecObject, scope: Scope): AccessPolicyAssociation {
  const table = readProvided(CROSSPLANE_TABLES.accessPolicy, object.spec, scope);
  return { ...object.resource(), ...table, kind: 'access-policy-association' };
}

function readFargateProfile(object: SpecObject, scope: Scope): FargateProfile {
  const { spec } = object;
  const isAck = object.engine === 'ack';
  const { cluster, subnets } = isAck
    ? readSpec(ACK_TABLES.fargateProfile, spec, scope)
    : readProvided(CROSSPLANE_TABLES.fargateProfile, spec, scope);
  const selectors = mapValue(spec.child(isAck ? 'selectors' : 'selector').list, (items) =>
    items.map(
      (item): FargateSelector => ({
        namespace: item.child('namespace').text,
        hasLabels: item.child('labels').keys.length > 0,
      }),
    ),
  );
  return { ...object.resource(), kind: 'fargate-profile', cluster, subnets, selectors };
}
