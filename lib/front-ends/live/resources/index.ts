import type { Addon, AddonPodIdentity, Cluster, EksResource, Subnet } from '../../../eks';
import { ADDON } from '../../../eks/resources/addon';
import { CLUSTER } from '../../../eks/resources/cluster';
import { SUBNET } from '../../../eks/resources/subnet';
import { asAnswer } from '../../../eks/resources/table';
import { Absent, Known, Unknown, type Value } from '../../../value';
import type { AnswerNode } from '../answer-node';
import type { Dump } from '../dump';
import { missingParts } from '../gaps';
import { awsNodeIn, readObjects } from '../objects';
import { readAccessEntries, readAssociations, readFargateProfiles, readProviders } from './access';
import { readByTable, roleReference, type Scope } from './by-table';
import { effectiveConfiguration, liveEnvironment, placeInDaemonSet, storedConfiguration, type LiveAddon } from './cni';
import { readNodeGroups } from './node-groups';
import { rolesOf } from './policies';

const ANSWERED_CLUSTER = asAnswer(CLUSTER, 'eks:cluster');
const ANSWERED_ADDON = asAnswer(ADDON, 'eks:addon');

/** All that the answers of one folder tell of. */
export function resourcesOf(dump: Dump): readonly EksResource[] {
  const roles = rolesOf(dump);
  const subnets = new Map(dump.items('Subnets').map((node) => [node.child('SubnetId').label, readSubnet(node, dump)]));
  const scope: Scope = { dump, targets: { roles, subnets } };
  const [cluster] = dump.all('cluster');
  if (cluster !== undefined) dump.cluster = readCluster(cluster.asResource(), scope);
  return [
    ...(dump.cluster === undefined ? [] : [dump.cluster]),
    ...readNodeGroups(scope),
    ...dump.all('addon').map((node) => readAddon(node.asResource(), scope)),
    ...readAssociations(scope),
    ...readAccessEntries(scope),
    ...readFargateProfiles(scope),
    ...roles.values(),
    ...readProviders(scope),
    ...subnets.values(),
    ...readObjects(dump),
    ...missingParts(dump),
  ];
}

function readCluster(node: AnswerNode, scope: Scope): Cluster {
  return {
    ...scope.dump.resource('eks:cluster', node.child('name').label, node),
    ...readByTable(ANSWERED_CLUSTER, node, scope),
    kind: 'cluster',
    environment: scope.dump.environment,
    bootstrapSelfManagedAddons: new Unknown("EKS doesn't tell afterwards", node),
  };
}

function readSubnet(node: AnswerNode, dump: Dump): Subnet {
  const subnet = node.asResource();
  const tags = subnet.child('Tags');
  return {
    ...dump.resource('ec2:subnet', subnet.child('SubnetId').label, subnet),
    ...readByTable(SUBNET, subnet, { dump, targets: { roles: new Map(), subnets: new Map() } }),
    kind: 'subnet',
    tagKeys:
      tags.items.length === 0
        ? new Absent(tags.place)
        : new Known(
            tags.items.map((tag) => tag.child('Key').text),
            tags,
          ),
  };
}

function readAddon(node: AnswerNode, scope: Scope): Addon {
  const { dump } = scope;
  const none = new Absent(node);
  const isCni = node.child('addonName').label === 'vpc-cni';
  const stored = storedConfiguration(node.child('configurationValues'));
  const daemonSet = isCni ? awsNodeIn(dump) : undefined;
  const live = liveEnvironment(daemonSet);
  const addon: LiveAddon = {
    ...dump.resource('eks:addon', node.child('addonName').label, node),
    ...readByTable(ANSWERED_ADDON, node, scope),
    kind: 'addon',
    environment: dump.environment,
    // EKS doesn't keep what an update was asked to do.
    resolveConflictsOnCreate: none,
    resolveConflictsOnUpdate: none,
    preserveOnDelete: none,
    configuration: isCni
      ? effectiveConfiguration(stored, node.child('addonVersion').label || undefined, live, daemonSet ?? node)
      : stored,
    podIdentityAssociations: associationsOf(node.child('podIdentityAssociations'), scope),
    stored,
    live,
    placeOf: (path) => placeInDaemonSet(daemonSet, path),
  };
  return addon;
}

/** EKS answers the ARNs of the associations that belong to an add-on. */
function associationsOf(list: AnswerNode, { dump, targets }: Scope): Value<readonly AddonPodIdentity[]> {
  if (list.items.length === 0) return new Absent(list.place);
  const all = new Map(dump.all('association').map((node) => [node.child('associationArn').label, node]));
  const found = list.items.map((item) => all.get(item.label));
  const known = found.filter((node) => node !== undefined);
  if (known.length < found.length)
    return new Unknown(`aws eks describe-pod-identity-association of it isn't in ${dump.folder}`, list);
  return new Known(
    known.map(
      (node): AddonPodIdentity => ({
        serviceAccount: node.child('serviceAccount').text,
        role: roleReference(node.child('roleArn'), targets),
        source: node,
      }),
    ),
    list,
  );
}
