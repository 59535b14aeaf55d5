import {
  always,
  launchTemplateOf,
  resourceName,
  type ClusterView,
  type LaunchTemplate,
  type NodeGroup,
  type NodeLabel,
  type NodeTaint,
  type Reference,
  type Subnet,
} from '../eks';
import { isLiveNodeGroup } from '../front-ends/live/resources/node-groups';
import { compareVersions } from '../knowledge';
import { Absent, flatMapValue, Known, Unknown, type Plain, type Value } from '../value';
import { roleNameOf } from './addons';
import type { DriftItem } from './drift';
import { compareSettings, shown, type ComparedSetting, type Comparison, type Pair } from './settings';
import { deploymentOf, looksAtCluster, plainOf, textOf } from './values';

/** What the code makes of the node groups that the cluster has, and which only one of them has. */
export function nodeGroupDrift(
  code: ClusterView,
  live: ClusterView,
  withScaling: boolean,
): Comparison & { readonly unseen: readonly string[] } {
  const items: DriftItem[] = [];
  const same: string[] = [];
  const unseen: string[] = [];
  const running = live.nodeGroups.filter(({ isImplied }) => isImplied !== true);
  const pairs = pairsOf(code.nodeGroups, running);
  for (const [group, found] of pairs) {
    if (found === undefined) continue;
    if (group.exists !== always)
      unseen.push(`The code has node group ${found.id} only when ${group.exists.text}; it is compared as if it did.`);
    const { items: own, same: equal } = groupDrift({ code: group, live: found }, withScaling);
    items.push(...own);
    same.push(...equal);
  }
  const paired = new Set([...pairs.values()]);
  const isWhole = live.nodeGroups.every(({ isImplied }) => isImplied !== true);
  if (!isWhole)
    unseen.push(
      'Not all node groups of the cluster are in the dump: aws eks list-nodegroups, aws eks describe-nodegroup.',
    );
  for (const [group, found] of pairs)
    if (found === undefined)
      items.push({
        subject: 'node group',
        name: textOf(group, group.name) ?? resourceName(group),
        status: isWhole ? 'created' : 'unknown',
        text: isWhole
          ? `The code has it and the cluster does not: ${deploymentOf(group)} creates it.`
          : "Whether the cluster has it isn't known.",
        inCode: group.source,
      });
  for (const group of running)
    if (!paired.has(group))
      items.push({
        subject: 'node group',
        name: group.id,
        status: 'not in code',
        text: 'The cluster has it and the code does not: a deployment leaves it alone.',
        inLive: group.source,
      });
  return { items, same, unseen };
}

/** By name; one that the engine names itself by how its name begins; what is left over by there being one of each. */
function pairsOf(
  code: readonly NodeGroup[],
  live: readonly NodeGroup[],
): ReadonlyMap<NodeGroup, NodeGroup | undefined> {
  const left = new Set(live);
  const pairs = new Map<NodeGroup, NodeGroup | undefined>();
  const take = (group: NodeGroup, found: NodeGroup | undefined): void => {
    if (found === undefined || pairs.has(group)) return;
    pairs.set(group, found);
    left.delete(found);
  };
  for (const group of code) {
    const name = textOf(group, group.name);
    take(group, name === undefined ? undefined : [...left].find(({ id }) => id === name));
  }
  const open = code.filter((group) => !pairs.has(group) && textOf(group, group.name) === undefined);
  for (const group of open) {
    const starting = [...left].filter(({ id }) => beginnings(group).some((start) => id.startsWith(start)));
    if (starting.length === 1) take(group, starting[0]);
  }
  const rest = open.filter((group) => !pairs.has(group));
  if (rest.length === 1 && left.size === 1 && rest[0] !== undefined) take(rest[0], [...left][0]);
  for (const group of code) if (!pairs.has(group)) pairs.set(group, undefined);
  return pairs;
}

/** How names begin that nobody wrote: CloudFormation makes them of the logical id, Terraform of a prefix. */
function beginnings(group: NodeGroup): readonly string[] {
  const name = plainOf(group, group.name);
  const beginning = name.kind === 'unknown' ? knownBeginning(name) : undefined;
  const prefix = group.namePrefix === undefined ? undefined : knownBeginning(plainOf(group, group.namePrefix));
  return [beginning, prefix, name.kind === 'absent' ? `${group.id}-` : undefined].filter(
    (one): one is string => one !== undefined && one !== '',
  );
}

/** What a text surely begins with. */
function knownBeginning(plain: Plain<string>): string | undefined {
  if (plain.kind === 'known') return plain.value;
  return plain.kind === 'unknown' ? plain.text?.split('${')[0] : undefined;
}

function groupDrift({ code, live }: Pair<NodeGroup>, withScaling: boolean): Comparison {
  const name = live.id;
  const settings = compareSettings('node group', name, { code, live }, [...SETTINGS, ...(withScaling ? SCALING : [])]);
  const items = [...settings.items, ...versionItems(name, { code, live })];
  const same = [...settings.same];
  const templates = templateDrift(name, { code, live });
  items.push(...templates.items, ...instanceItems(name, live));
  same.push(...templates.same);
  return { items, same };
}

const sorted = (list: Value<readonly Value<string>[]>): Value<unknown> =>
  flatMapValue(list, (plain): Plain<unknown> => {
    if (plain.kind !== 'known') return plain;
    const open = plain.value.find((one) => one.kind !== 'known');
    return open?.kind === 'unknown'
      ? open
      : new Known(plain.value.flatMap((one) => (one.kind === 'known' ? [one.value] : [])).toSorted(), plain.source);
  });

const subnetIds = (list: Value<readonly Value<Reference<Subnet>>[]>): Value<unknown> =>
  flatMapValue(list, (plain): Plain<unknown> => {
    if (plain.kind !== 'known') return plain;
    const ids = plain.value.map((one) => (one.kind === 'known' ? one.value.text : ''));
    // What the code makes has an id that only AWS knows.
    return ids.every((id) => id.startsWith('subnet-'))
      ? new Known(ids.toSorted(), plain.source)
      : new Absent(plain.source);
  });

const labelMap = (list: Value<readonly NodeLabel[]>): Value<unknown> => keyed(list, ({ key, value }) => [key, value]);

const taintMap = (list: Value<readonly NodeTaint[]>): Value<unknown> =>
  flatMapValue(list, (plain): Plain<unknown> => {
    if (plain.kind !== 'known') return plain;
    const open = plain.value.flatMap((one) => [one.key, one.value, one.effect]).find((one) => one.kind === 'unknown');
    if (open?.kind === 'unknown') return open;
    const text = (value: Value<string>): string => (value.kind === 'known' ? value.value : '');
    return new Known(
      plain.value
        .map(
          ({ key, value, effect }) => `${text(key)}=${text(value)}:${text(effect).toUpperCase().replaceAll('-', '_')}`,
        )
        .toSorted(),
      plain.source,
    );
  });

function keyed<T>(
  list: Value<readonly T[]>,
  pair: (item: T) => readonly [Value<string>, Value<string>],
): Value<unknown> {
  return flatMapValue(list, (plain): Plain<unknown> => {
    if (plain.kind !== 'known') return plain;
    const entries: [string, string][] = [];
    for (const item of plain.value) {
      const [key, value] = pair(item);
      if (key.kind !== 'known' || value.kind === 'choice') return new Unknown("one of them isn't known", plain.source);
      if (value.kind === 'unknown') return value;
      entries.push([key.value, value.kind === 'known' ? value.value : '']);
    }
    return new Known(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), plain.source);
  });
}

/** An update of these isn't possible. Source: CloudFormation, `AWS::EKS::Nodegroup`, and provider aws, `aws_eks_node_group`. */
const SETTINGS: readonly ComparedSetting<NodeGroup>[] = [
  { name: 'AMI type', of: ({ amiType }) => amiType, effect: 'replaced' },
  { name: 'instance types', of: ({ instanceTypes }) => sorted(instanceTypes), effect: 'replaced' },
  { name: 'capacity type', of: ({ capacityType }) => capacityType, effect: 'replaced' },
  { name: 'disk size', of: ({ diskSize }) => flatMapValue(diskSize, asText), effect: 'replaced' },
  { name: 'subnets', of: ({ subnets }) => subnetIds(subnets), effect: 'replaced' },
  {
    name: 'role',
    of: ({ nodeRole }) =>
      flatMapValue(nodeRole, (plain): Plain<unknown> => {
        if (plain.kind !== 'known') return plain;
        const name = roleNameOf(plain.value);
        return name === undefined ? new Absent(plain.source) : new Known(name, plain.source);
      }),
    effect: 'replaced',
  },
  {
    name: 'labels',
    of: ({ labels }) => labelMap(labels),
    consequence: 'Pods that select nodes by a label that goes are not moved, and find none when they start again.',
  },
  { name: 'taints', of: ({ taints }) => taintMap(taints) },
  {
    name: 'nodes that an update takes at once',
    of: ({ updateConfig }) =>
      flatMapValue(updateConfig, (plain): Plain<unknown> => {
        if (plain.kind !== 'known') return plain;
        const { maxUnavailable: count, maxUnavailablePercentage: share } = plain.value;
        if (count.kind === 'known') return new Known(String(count.value), plain.source);
        return share.kind === 'known' ? new Known(`${share.value}%`, plain.source) : new Absent(plain.source);
      }),
  },
];

function asText(plain: Plain<number | string>): Plain<string> {
  return plain.kind === 'known' ? new Known(String(plain.value), plain.source) : plain;
}

const SCALING: readonly ComparedSetting<NodeGroup>[] = [
  { name: 'least nodes', of: ({ minSize }) => flatMapValue(minSize, asText) },
  { name: 'most nodes', of: ({ maxSize }) => flatMapValue(maxSize, asText) },
  {
    name: 'desired nodes',
    of: (group) =>
      group.isDesiredSizeIgnored === true ? new Absent(group.source) : flatMapValue(group.desiredSize, asText),
    consequence: 'An autoscaler sets it as well.',
  },
];

/** A new version replaces the nodes one by one; EKS doesn't take groups back. */
function versionItems(name: string, { code, live }: Pair<NodeGroup>): readonly DriftItem[] {
  return (['version', 'releaseVersion'] as const).flatMap((key): readonly DriftItem[] => {
    const [written, has] = [plainOf(code, code[key]), plainOf(live, live[key])];
    if (written.kind !== 'known' || has.kind !== 'known' || written.value === has.value) return [];
    // Another release of the same version, and what AWS answers, is nobody's decision.
    if (written.source.readBack === 'surely') return [];
    const isOlder = compareVersions(`v${written.value.split('-')[0] ?? ''}`, `v${has.value.split('-')[0] ?? ''}`) < 0;
    return [
      {
        subject: 'node group',
        name,
        setting: key === 'version' ? 'Kubernetes version' : 'AMI release',
        status: isOlder ? 'stops' : 'changed',
        live: has.value,
        code: written.value,
        text: isOlder
          ? 'The code says an older one than what runs, maybe because somebody has updated the group by hand: if the deployment asks EKS for it, EKS refuses to take a group back.'
          : `${looksAtCluster(code) ? 'The next apply' : 'The next deployment that changes it'} replaces the nodes one by one.`,
        inCode: written.source,
        inLive: has.source,
      },
    ];
  });
}

const TEMPLATE_SETTINGS: readonly ComparedSetting<LaunchTemplate>[] = [
  {
    name: 'hop limit of instance metadata',
    of: ({ metadata }) => flatMapValue(metadata.hopLimit, asText),
    consequence: 'Nodes that start from then on have it.',
  },
  { name: 'IMDSv2 tokens', of: ({ metadata }) => metadata.httpTokens },
  { name: 'instance type', of: ({ instanceType }) => instanceType },
  {
    name: 'AMI',
    of: ({ imageId }) =>
      flatMapValue(imageId, (plain): Plain<string> => {
        if (plain.kind !== 'known') return plain;
        const { text } = plain.value;
        return text.startsWith('ami-')
          ? new Known(text, plain.source)
          : new Unknown(`it is looked up (${text})`, plain.source);
      }),
  },
  { name: 'key pair', of: ({ keyName }) => keyName },
  {
    name: 'user data',
    of: ({ userData }) =>
      flatMapValue(userData, (plain): Plain<unknown> => {
        if (plain.kind !== 'known') return plain;
        const { text } = plain.value;
        return text.isKnown
          ? // Nobody is shown what may hold secrets.
            new Known(fingerprint(text.text), plain.source)
          : new Unknown('parts of it are decided at deployment', plain.source);
      }),
  },
];

function fingerprint(text: string): string {
  return `${text.trim().split('\n').length} lines, ${Buffer.byteLength(text)} bytes, ${hashOf(text)}`;
}

/** Tells texts apart; FNV-1a. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function templateDrift(name: string, { code, live }: Pair<NodeGroup>): Comparison {
  const [used, running] = [plainOf(code, launchTemplateOf(code)), plainOf(live, launchTemplateOf(live))];
  const isOwn = (plain: Plain<LaunchTemplate>, group: NodeGroup): boolean =>
    plain.kind === 'known' && plain.value.partOf === group && !hasName(plain.value);
  const [hasCode, hasLive] = [
    used.kind !== 'absent' && !isOwn(used, code),
    running.kind !== 'absent' && !isOwn(running, live),
  ];
  if (code.dialect.name !== 'eksctl' && hasCode !== hasLive)
    return {
      items: [
        {
          subject: 'node group',
          name,
          setting: 'launch template',
          status: 'stops',
          live: hasLive ? textOfUse(live) : undefined,
          code: hasCode ? textOfUse(code) : undefined,
          text: `A group ${hasLive ? 'that was created with a launch template can not do without one' : 'that was created without a launch template can not adopt one'}: EKS refuses the update, and only a new group has it so.`,
          inCode: used.source,
          inLive: running.source,
        },
      ],
      same: [],
    };
  if (used.kind !== 'known' || running.kind !== 'known') {
    if (used.kind !== 'unknown' && running.kind !== 'unknown') return { items: [], same: [] };
    const reason = used.kind === 'unknown' ? used.reason : running.kind === 'unknown' ? running.reason : '';
    return {
      items: [
        {
          subject: 'launch template',
          name,
          status: 'unknown',
          text: `The template of node group ${name} can't be compared: ${reason}.`,
          inCode: used.source,
          inLive: running.source,
        },
      ],
      same: [],
    };
  }
  return compareSettings(
    'launch template',
    `of node group ${name}`,
    { code: used.value, live: running.value },
    TEMPLATE_SETTINGS,
  );
}

/** A template that EKS made has no id of its own in the answers. */
function hasName({ name }: LaunchTemplate): boolean {
  return name.kind === 'known';
}

function textOfUse(group: NodeGroup): string | undefined {
  const use = plainOf(group, group.launchTemplate);
  return use.kind === 'known' ? use.value.template.text : undefined;
}

/** Instances that started with an earlier version of their template, or that somebody has changed. */
function instanceItems(name: string, live: NodeGroup): readonly DriftItem[] {
  if (!isLiveNodeGroup(live)) return [];
  const template = plainOf(live, launchTemplateOf(live));
  const limit = template.kind === 'known' ? plainOf(template.value, template.value.metadata.hopLimit) : undefined;
  if (template.kind !== 'known' || limit?.kind !== 'known' || template.value.partOf !== undefined) return [];
  const others = live.instances.filter(
    (instance) => shown(instance.at('MetadataOptions', 'HttpPutResponseHopLimit').raw) !== shown(limit.value),
  );
  const [first] = others;
  if (first === undefined) return [];
  const has = first.at('MetadataOptions', 'HttpPutResponseHopLimit');
  return [
    {
      subject: 'node group',
      name,
      setting: 'hop limit of instance metadata',
      status: 'differs',
      live: has.label,
      code: shown(limit.value),
      text: `${others.length} of ${live.instances.length} instances have another hop limit than the version of the launch template that the group uses: they started before, or somebody has changed them, and nodes that start from now on have what the template says.`,
      inCode: limit.source,
      inLive: has,
    },
  ];
}
