import { correctedLines, type CorrectedLines } from '../../../eks/user-data/correction';
import type { Source } from '../../../eks';
import { SourceText } from '../../../eks/user-data/source-text';
import type { Judgement } from '../../../engine';
import { listOf } from '../../../text/in-words';
import {
  effectOf,
  fieldOf,
  groupsOf,
  isFilledIn,
  isOfNodes,
  isOfNodesOnly,
  modeText,
  NODE_NAME,
  OF_NODES,
  placeOf,
  type Mapping,
} from './aws-auth-list';

/** What is said of entries of `aws-auth`. */
export type EntryMessage =
  | 'path'
  | 'assumedRole'
  | 'noIdentity'
  | 'noArn'
  | 'userOfNodes'
  | 'placeholder'
  | 'otherKey'
  | 'account'
  | 'noNodes'
  | 'noNodeName'
  | 'groupsText'
  | 'twice';

type EntryJudgement = Judgement<EntryMessage>;

/** What is wrong with the entries of `mapRoles`. */
export function* judgeRoles(mapping: Mapping, list: readonly unknown[]): Generator<EntryJudgement> {
  for (const [index, item] of list.entries()) {
    const arn = fieldOf(item, 'rolearn');
    if (typeof arn !== 'string') {
      yield* judgeKey(mapping, item, arn);
      continue;
    }
    if (isIdle(mapping, item, arn)) continue;
    const replaced = judgeRepeated(mapping, list, index, arn);
    const noGroups = judgeGroupsText(mapping, item, arn);
    if (replaced !== undefined) yield replaced;
    else if (noGroups === undefined) yield* judgeNodes(mapping, item, arn);
    if (noGroups !== undefined) yield noGroups;
    yield* judgeArn(mapping, item, arn);
  }
}

/** Whether an entry makes no difference, however it is written. */
function isIdle({ holders }: Mapping, item: unknown, arn: string): boolean {
  return holders.isLetIn(arn) || (isOfNodesOnly(item) && holders.isOfNoNodes(arn));
}

/** A user needs no role; what is said of its entry is that nobody is let in by it. */
export function* judgeUsers(mapping: Mapping, list: readonly unknown[]): Generator<EntryJudgement> {
  for (const [index, item] of list.entries()) {
    const arn = fieldOf(item, 'userarn');
    if (typeof arn !== 'string' || mapping.holders.isLetIn(arn)) continue;
    const replaced = judgeRepeated(mapping, list, index, arn);
    if (replaced !== undefined) yield replaced;
    const noGroups = judgeGroupsText(mapping, item, arn);
    if (noGroups !== undefined) yield noGroups;
    yield* judgeArn(mapping, item, arn);
  }
}

/** Ids of accounts: what is written counts, as a number may have lost its zeros. */
export function* judgeAccounts(mapping: Mapping): Generator<EntryJudgement> {
  const written = mapping.text.replaceAll(/#.*/g, '').match(/(?<![\w.-])[\d-]+(?![\w.-])/g) ?? [];
  for (const account of new Set(written.filter((one) => /^\d[\d-]*$/.test(one) && !isAccount(one))))
    yield {
      ...failing(mapping, account),
      message: 'account',
      data: {
        account: `\`${account}\``,
        where: mapping.key,
        effect: 'nobody of that account is let in by it',
        mode: modeText(mapping.severity, 'each of them'),
      },
    };
}

function* judgeKey(mapping: Mapping, item: unknown, arn: unknown): Generator<EntryJudgement> {
  const key = arn === undefined ? Object.keys(item ?? {}).find((one) => /^role[_-]arn$/i.test(one)) : undefined;
  if (key === undefined) return;
  yield {
    ...failing(mapping, key),
    message: 'otherKey',
    data: { key, right: 'rolearn', effect: `it drops the entry, and ${effectOf(item)}`, mode: modeOf(mapping) },
  };
}

/** A text is no list: the authenticator logs that, and keeps the entry without groups. Source: kubernetes-sigs/aws-iam-authenticator, configmap.go, ParseMap. */
function judgeGroupsText(mapping: Mapping, item: unknown, arn: string): EntryJudgement | undefined {
  const groups = fieldOf(item, 'groups');
  if (typeof groups !== 'string' || groups.trim() === '' || isFilledIn(groups)) return undefined;
  return {
    ...failing(mapping, arn),
    message: 'groupsText',
    data: { arn, groups, mode: modeOf(mapping) },
  };
}

/** Of two entries for one identity the last is taken, whole. Source: kubernetes-sigs/aws-iam-authenticator, configmap.go, saveMap. */
function judgeRepeated(
  mapping: Mapping,
  list: readonly unknown[],
  index: number,
  arn: string,
): EntryJudgement | undefined {
  // Two blanks of a form that is to be filled in, such as `<>`, are nobody yet.
  if (!/^arn:|\$\{|\{\{/.test(arn)) return undefined;
  const key = mapping.key === 'mapUsers' ? 'userarn' : 'rolearn';
  const last = list.findLast((one) => {
    const other = fieldOf(one, key);
    return typeof other === 'string' && sameArn(mapping, other, arn);
  });
  const item = list[index];
  if (last === undefined || last === item) return undefined;
  const [groups, taken] = [groupsOf(item), groupsOf(last)];
  if (groups === undefined || taken === undefined) return undefined;
  const lost = groups.filter((group) => !taken.includes(group)).map((group) => `\`${group}\``);
  const [name, otherName] = [fieldOf(item, 'username'), fieldOf(last, 'username')];
  const isOfNode =
    typeof name === 'string' && name.endsWith(NODE_NAME) && typeof otherName === 'string' && name !== otherName;
  if (isOfNode) lost.push('the name of a node');
  if (lost.length === 0) return undefined;
  const before = list.slice(0, index).filter((one) => fieldOf(one, key) === arn).length;
  return {
    ...failing(mapping, arn, before),
    message: 'twice',
    data: {
      arn,
      lost: listOf(lost),
      groups: [...new Set([...taken, ...groups])].join(', '),
      // Nodes join by that name alone; people may have any.
      named: isOfNode ? ', with the `username` of this one, by which nodes join' : '',
      mode: modeOf(mapping),
    },
  };
}

/** Of users it counts how they are written. */
function sameArn({ key }: Mapping, one: string, other: string): boolean {
  return key === 'mapUsers' ? one === other : one.toLowerCase() === other.toLowerCase();
}

/** Whether an entry can be for nothing but nodes. */
function isOfNodesAlone(item: unknown): boolean {
  const groups = groupsOf(item) ?? [];
  return (
    OF_NODES.slice(0, 2).every((group) => groups.includes(group)) && groups.every((group) => OF_NODES.includes(group))
  );
}

/** What makes nodes of instances: a name, and a group. Source: kubernetes/kubernetes, pkg/auth/nodeidentifier/default.go. */
function* judgeNodes(mapping: Mapping, item: unknown, arn: string): Generator<EntryJudgement> {
  const username = fieldOf(item, 'username');
  if (typeof username !== 'string') return;
  const data = { arn, effect: effectOf(item), mode: modeOf(mapping) };
  // Names that other tools fill in are left alone.
  if (isOfNodes(item) && !username.includes(NODE_NAME) && /\{\{?\s*EC2PrivateDNSName\b/i.test(username))
    yield { ...failing(mapping, username), message: 'placeholder', data: { ...data, right: NODE_NAME }, about: arn };
  const isName = username.startsWith('system:node:') || isFilledIn(username) || username.trim() === '';
  if (!isName && isOfNodesAlone(item)) {
    yield { ...failing(mapping, arn), message: 'noNodeName', data: { ...data, username, right: NODE_NAME } };
    return;
  }
  if (!/^system:node:\{\{(?:EC2PrivateDNSName|SessionName(?:Raw)?)\}\}$/.test(username)) return;
  const groups = groupsOf(item);
  // Administrators may do what nodes do.
  if (groups === undefined || groups.includes('system:nodes') || groups.includes('system:masters')) return;
  // Roles of Kubernetes may be bound to groups of one's own.
  const isSure = groups.every((group) => group.startsWith('system:') || group.startsWith('eks:'));
  const all = [...new Set(['system:bootstrappers', 'system:nodes', ...groups])];
  yield {
    ...failing(mapping, arn),
    ...(isSure ? {} : { severity: 'warning' as const }),
    message: 'noNodes',
    data: { ...data, groups: all.join(', '), username },
  };
}

function* judgeArn(mapping: Mapping, item: unknown, arn: string): Generator<EntryJudgement> {
  const nobody = judgeForm(mapping, arn, item) ?? judgeAccount(mapping, arn) ?? judgeIdentity(mapping, arn, item);
  if (nobody !== undefined) {
    yield nobody;
    return;
  }
  const ofSession = roleOfSession(arn);
  // A user is found with its path, and a role by that of `mapUsers`, too.
  const without = ofSession ?? withoutPath(arn);
  if (without === undefined) return;
  yield {
    ...failing(mapping, arn),
    message: ofSession === undefined ? 'path' : 'assumedRole',
    data: { arn, without, effect: effectOf(item), mode: modeOf(mapping) },
    corrected: correctedArn(mapping.place, mapping.text, arn, without),
  };
}

/** A name in the place of an ARN, or an ARN with a colon too few. Words in capitals are blanks of a form, as `ROLE_ARN`. */
function judgeForm(mapping: Mapping, arn: string, item: unknown): EntryJudgement | undefined {
  const kind = mapping.key === 'mapUsers' ? 'user' : 'role';
  const [, partition = '', rest = ''] = /^arn:([a-z-]+):iam:(\d{12}:(?:role|user)\/.+)$/.exec(arn) ?? [];
  const isName = /^[\w+=.@-]+$/.test(arn) && /[a-z]/.test(arn) && /[-_.\d]/.test(arn) && !TO_FILL_IN.test(arn);
  if (rest === '' && !isName) return undefined;
  return {
    ...failing(mapping, arn),
    message: 'noArn',
    data: {
      arn,
      what: rest === '' ? 'is a name and no ARN' : 'has one colon between `iam` and the account in place of two',
      right: rest === '' ? `arn:aws:iam::ACCOUNT:${kind}/${arn}` : `arn:${partition}:iam::${rest}`,
      effect: effectOf(item),
      mode: modeOf(mapping),
    },
  };
}

/** Words of a blank in small letters, as `your-node-role-arn`. */
const TO_FILL_IN = /x{3}|(?:^|[-_.])(?:arn|change|example|here|insert|placeholder|replace|todo|your)(?:$|[-_.])/i;

function judgeAccount(mapping: Mapping, arn: string): EntryJudgement | undefined {
  const [, account] = /^arn:[^:]*:(?:iam|sts)::([\d-]*):/.exec(arn) ?? [];
  if (account === undefined || isAccount(account)) return undefined;
  return {
    ...failing(mapping, arn),
    message: 'account',
    data: {
      account: account === '' ? 'An empty text' : `\`${account}\``,
      where: `${arn}\` in \`${mapping.key}`,
      effect: 'nobody is let in by this entry',
      mode: modeOf(mapping),
    },
  };
}

/** One digit alone is a blank, however often it stands there. */
export function isAccount(text: string): boolean {
  return /^\d{12}$/.test(text) || /^(\d)\1+$/.test(text);
}

/** What people take for an identity, and what to map instead. */
const NO_IDENTITIES: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  'instance-profile': [
    'an instance profile',
    'Write the ARN of the role that the profile holds, `arn:aws:iam::ACCOUNT:role/NAME`: its name may be another one.',
  ],
  group: ['a group', 'Map a role that the members of the group may assume, or the users one by one.'],
  policy: ['a policy', 'Map the role, or the user, that has the policy.'],
};

/** What is no identity because its service has none. Source: kubernetes-sigs/aws-iam-authenticator, pkg/arn/arn.go, which knows `iam` and `sts`. */
function ofOtherService(arn: string, item: unknown): readonly [what: string, advice: string] | undefined {
  const [, service] = /^arn:[^:]*:([a-z\d-]+):[^:]*:[^:]*:./.exec(arn) ?? [];
  if (service === undefined || service === 'iam' || service === 'sts') return undefined;
  const who = isOfNodes(item) ? 'role of the nodes' : 'role or the user that is to be let in';
  return [`a resource of the service \`${service}\``, `Map the ${who}, such as \`arn:aws:iam::ACCOUNT:role/NAME\`.`];
}

/** An entry by which nobody can be let in, whoever it is about. */
function judgeIdentity(mapping: Mapping, arn: string, item: unknown): EntryJudgement | undefined {
  const [, kind = '', name = ''] = /^arn:[^:]*:iam::[^:]*:([a-z-]+)\/(?:[^/]+\/)*([^/]+)$/.exec(arn) ?? [];
  const about = failing(mapping, arn);
  const mode = modeOf(mapping);
  const [what, advice] =
    (Object.hasOwn(NO_IDENTITIES, kind) ? NO_IDENTITIES[kind] : undefined) ?? ofOtherService(arn, item) ?? [];
  if (what !== undefined && advice !== undefined) {
    const effect = isOfNodes(item) ? 'the nodes with it never join' : 'it gives nobody access';
    return { ...about, message: 'noIdentity', data: { arn, what, advice, effect, mode } };
  }
  const username = fieldOf(item, 'username');
  if (kind !== 'user' || typeof username !== 'string' || !username.includes(NODE_NAME)) return undefined;
  return { ...about, message: 'userOfNodes', data: { arn, name, mode } };
}

function failing({ manifest, place, text, severity }: Mapping, written: string, nth = 0) {
  const source = placeOf(place, text, written, nth);
  return { resource: manifest, source, verdict: 'fail', severity, about: written } as const;
}

function modeOf({ severity, key }: Mapping): string {
  return modeText(severity, key === 'mapUsers' ? 'the user' : 'the role');
}

/** The line with the ARN put right, where it stands in one alone. */
function correctedArn(place: Source, text: string, arn: string, without: string): CorrectedLines | undefined {
  const start = text.indexOf(arn);
  if (start < 0 || text.includes(arn, start + 1)) return undefined;
  const written = SourceText.of(text, (offset) => place.inText?.(text, offset) ?? place);
  return correctedLines(written, { start, end: start + arn.length, text: without });
}

/** An ARN without the path of its role; undefined if it has none, or it isn't known whether it has. */
function withoutPath(arn: string): string | undefined {
  const [, head = '', path = '', name = ''] = /^(arn:[^:]*:iam::[^:]*:role\/)((?:[^/${}]+\/)+)([^/]+)$/.exec(arn) ?? [];
  return path === '' ? undefined : `${head}${name}`;
}

/** The ARN of a role, from that of one of its sessions; undefined for anything else. */
function roleOfSession(arn: string): string | undefined {
  const [, partition = '', account = '', name = ''] =
    /^arn:([^:]*):sts::([^:]*):assumed-role\/(?:[^/${}]+\/)*?([^/${}]+)\/[^/]+$/.exec(arn) ?? [];
  return name === '' ? undefined : `arn:${partition}:iam::${account}:role/${name}`;
}
