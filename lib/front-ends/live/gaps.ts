import type { Addon, AccessEntry, EksResource, KubernetesManifest, NodeGroup, PodIdentityAssociation } from '../../eks';
import { Absent, Known, Unknown, type Source } from '../../value';
import { AnswerNode } from './answer-node';
import { OBJECTS, type AnswerKey } from './answers';
import type { Dump } from './dump';

/*
 * What a dump doesn't hold isn't what the cluster doesn't have. For what rules would otherwise miss, there are resources of which nothing is known, so that they say
 * that they can't tell.
 */

/** Parts of a cluster of which EKS lists the names, and then describes each. */
interface Part {
  readonly lists: readonly AnswerKey[];
  readonly described: AnswerKey;
  /** The names, or what else tells one from others, in a list. */
  readonly listed: (item: AnswerNode) => string;
  readonly nameOf: (node: AnswerNode) => string;
  /** What prints the list, and one of it. */
  readonly calls: readonly [list: string, one: string];
  readonly make?: (dump: Dump, name: string | undefined, reason: string, source: AnswerNode) => EksResource;
}

const ownName = (item: AnswerNode): string => item.label;
const at =
  (key: string) =>
  (node: AnswerNode): string =>
    node.child(key).label;

const PARTS: readonly Part[] = [
  {
    lists: ['nodegroups'],
    described: 'nodegroup',
    listed: ownName,
    nameOf: at('nodegroupName'),
    calls: ['aws eks list-nodegroups', 'aws eks describe-nodegroup'],
    make: unseenGroup,
  },
  {
    lists: ['addons'],
    described: 'addon',
    listed: ownName,
    nameOf: at('addonName'),
    calls: ['aws eks list-addons', 'aws eks describe-addon'],
    make: unseenAddon,
  },
  {
    lists: ['associations', 'podIdentityAssociations'],
    described: 'association',
    listed: at('associationArn'),
    nameOf: at('associationArn'),
    calls: ['aws eks list-pod-identity-associations', 'aws eks describe-pod-identity-association'],
    make: unseenAssociation,
  },
  {
    lists: ['accessEntries'],
    described: 'accessEntry',
    listed: ownName,
    nameOf: at('principalArn'),
    calls: ['aws eks list-access-entries', 'aws eks describe-access-entry'],
    make: unseenEntry,
  },
  {
    lists: ['fargateProfileNames'],
    described: 'fargateProfile',
    listed: ownName,
    nameOf: at('fargateProfileName'),
    calls: ['aws eks list-fargate-profiles', 'aws eks describe-fargate-profile'],
  },
];

/** What is missing, in words: `aws eks describe-addon of coredns`. */
export function missingAnswers(dump: Dump): readonly string[] {
  return [
    ...(dump.all('cluster').length === 0 ? ['aws eks describe-cluster'] : []),
    ...PARTS.flatMap((part) => gapsOf(dump, part).map(({ call }) => call)),
    ...(dump.answersOf('OpenIDConnectProviderList').length === 0 ? ['aws iam list-open-id-connect-providers'] : []),
    ...(dump.answersOf(OBJECTS).length === 0 ? ["kubectl's objects"] : []),
  ];
}

/** Resources that stand for what is missing. */
export function missingParts(dump: Dump): readonly EksResource[] {
  return [
    ...PARTS.flatMap((part) =>
      gapsOf(dump, part).flatMap(({ name, call }) =>
        part.make === undefined ? [] : [part.make(dump, name, `${call} isn't in ${dump.folder}`, placeOf(dump))],
      ),
    ),
    ...unseenObjects(dump),
  ];
}

interface Gap {
  /** Undefined where it isn't known what there is. */
  readonly name: string | undefined;
  readonly call: string;
}

function gapsOf(dump: Dump, { lists, described, listed, nameOf, calls: [list, one] }: Part): readonly Gap[] {
  const answers = lists.flatMap((key) => dump.answersOf(key).map((answer) => ({ ...answer, key })));
  const isWhole = answers.length > 0 && answers.every((answer) => dump.isWhole(answer));
  const known = new Set(dump.all(described).map(nameOf));
  const names = answers.flatMap(({ root, key }) => root.child(key).items.map(listed));
  return [
    ...(isWhole ? [] : [{ name: undefined, call: answers.length === 0 ? list : `the rest of ${list}` }]),
    ...[...new Set(names)]
      .filter((name) => !known.has(name))
      .map((name) => ({ name: shortName(name), call: `${one} of ${shortName(name)}` })),
  ];
}

function shortName(name: string): string {
  return name.startsWith('arn:') ? name.replace(/^.*[/:]/, '') : name;
}

function placeOf(dump: Dump): AnswerNode {
  const [answer] = dump.answersOf('cluster').concat(dump.answers);
  if (answer === undefined) throw new Error('a dump holds an answer at least');
  return AnswerNode.root(answer.root.document, answer.file);
}

function unseenAddon(dump: Dump, name: string | undefined, reason: string, source: AnswerNode): Addon {
  const unknown = new Unknown(reason, source);
  return {
    ...dump.resource('eks:addon', name ?? 'unseen add-on', source),
    isImplied: true,
    kind: 'addon',
    environment: dump.environment,
    cluster: dump.clusterOf(new Absent(source)),
    name: nameOf(name, reason, source),
    version: unknown,
    resolveConflictsOnCreate: unknown,
    resolveConflictsOnUpdate: unknown,
    configuration: unknown,
    namespace: unknown,
    serviceAccountRole: unknown,
    podIdentityAssociations: unknown,
    preserveOnDelete: unknown,
  };
}

function nameOf(name: string | undefined, reason: string, source: Source): Addon['name'] {
  return name === undefined ? new Unknown(reason, source) : new Known(name, source);
}

function unseenAssociation(
  dump: Dump,
  name: string | undefined,
  reason: string,
  source: AnswerNode,
): PodIdentityAssociation {
  const unknown = new Unknown(reason, source);
  return {
    ...dump.resource('eks:podidentityassociation', name ?? 'unseen association', source),
    isImplied: true,
    kind: 'pod-identity-association',
    cluster: dump.clusterOf(new Absent(source)),
    namespace: unknown,
    serviceAccount: unknown,
    role: unknown,
    disableSessionTags: unknown,
  };
}

function unseenEntry(dump: Dump, name: string | undefined, reason: string, source: AnswerNode): AccessEntry {
  const unknown = new Unknown(reason, source);
  return {
    ...dump.resource('eks:access-entry', name ?? 'unseen access entry', source),
    isImplied: true,
    kind: 'access-entry',
    cluster: dump.clusterOf(new Absent(source)),
    principal: unknown,
    entryType: unknown,
    groups: unknown,
    policies: unknown,
  };
}

function unseenGroup(dump: Dump, name: string | undefined, reason: string, source: AnswerNode): NodeGroup {
  const unknown = new Unknown(reason, source);
  return {
    ...dump.resource('eks:nodegroup', name ?? 'unseen node group', source),
    isImplied: true,
    kind: 'node-group',
    cluster: dump.clusterOf(new Absent(source)),
    name: nameOf(name, reason, source),
    amiType: unknown,
    instanceTypes: unknown,
    subnets: unknown,
    capacityType: unknown,
    version: unknown,
    releaseVersion: unknown,
    releaseImage: unknown,
    launchTemplate: unknown,
    nodeRole: unknown,
    forceUpdate: unknown,
    diskSize: unknown,
    remoteAccess: unknown,
    labels: unknown,
    taints: unknown,
    updateConfig: unknown,
    minSize: unknown,
    maxSize: unknown,
    desiredSize: unknown,
  };
}

/** Kinds of objects that rules look for in a cluster; `collect` asks for each by itself. */
export const KINDS_ASKED = [
  'daemonsets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'configmaps',
  'serviceaccounts',
  'poddisruptionbudgets.policy',
  'eniconfigs.crd.k8s.amazonaws.com',
  'securitygrouppolicies.vpcresources.k8s.aws',
] as const;

/** Kinds of Karpenter, its own and those of Auto Mode: `collect` asks for those that the cluster has, so that no rule waits for the others. */
export const KINDS_OF_KARPENTER = [
  'ec2nodeclasses.karpenter.k8s.aws',
  'nodeclasses.eks.amazonaws.com',
  'nodepools.karpenter.sh',
] as const;

/** Objects of kinds that nobody asked for, or that weren't answered, may be anything. */
function unseenObjects(dump: Dump): readonly KubernetesManifest[] {
  const asked = kindsAnswered(dump);
  const missing = KINDS_ASKED.filter((kind) => !asked.has(kind));
  if (missing.length === 0) return [];
  const source = placeOf(dump);
  const reason = `kubectl get ${missing.join(',')} isn't in ${dump.folder}`;
  return [
    {
      ...dump.resource('kubernetes:objects', 'unseen objects', source),
      isImplied: true,
      kind: 'manifest',
      environment: dump.environment,
      cluster: dump.clusterOf(new Absent(source)),
      object: new Unknown(reason, source),
    },
  ];
}

/** Which kinds were answered, by what `collect` has written down; without that, by nothing: a list may be one of a namespace alone. */
function kindsAnswered(dump: Dump): ReadonlySet<string> {
  return new Set(
    dump.callsAnswered.flatMap(({ call, isHere }) =>
      isHere ? (/^kubectl get (\S+)/.exec(call.child('call').label)?.[1] ?? []) : [],
    ),
  );
}
