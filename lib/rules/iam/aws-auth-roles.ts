import { defineRule, type Judgement, type Severity } from '../../engine';
import {
  alternativesOf,
  dataAt,
  isAwsAuth,
  isDataMap,
  placeIn,
  Unknown,
  type ClusterView,
  type KubernetesManifest,
  type Source,
} from '../../eks';
import { correctedLines, type CorrectedLines } from '../../eks/user-data/correction';
import { SourceText } from '../../eks/user-data/source-text';
import { parseDocument } from '../../languages';

/*
 * The authenticator of EKS looks a role up in `mapRoles` by an ARN that it makes of the session's, which has no path.
 * Sources: kubernetes-sigs/aws-iam-authenticator, pkg/arn/arn.go, pkg/mapper/configmap/configmap.go and renderTemplate in pkg/server/server.go; EKS user guide, "Grant IAM users access to
 * Kubernetes with a ConfigMap".
 */

/** What is written there has had no effect so far. */
const LETS_IN = {
  safety: 'needs-decision',
  repairsIn: { kubernetes: [{ kind: 'lines', field: 'mapRoles' }] },
  effect: 'lets in who has the role, as the entry says',
} as const;

export const awsAuthRoles = defineRule<Message>({
  id: 'aws-auth-roles',
  subject: 'iam',
  title: 'The roles and users of the ConfigMap `aws-auth` are ones that EKS finds there',
  severity: 'error',
  since: '0.1.0',
  messages: {
    path: {
      text: '`aws-auth` maps the role `{{arn}}` by an ARN with a path. EKS looks for it without one, so it never finds this entry: {{effect}}.{{mode}}',
      fix: {
        summary: 'Write the ARN without the path: `{{without}}`. The role itself keeps its path.',
        code: { kubernetes: 'rolearn: {{without}}' },
        ...LETS_IN,
      },
    },
    assumedRole: {
      text: '`aws-auth` maps `{{arn}}`, which is a session of a role. EKS looks for the role, as `{{without}}`, so it never finds this entry: {{effect}}.{{mode}}',
      fix: {
        summary: 'Write the ARN of the role: `{{without}}`.',
        code: { kubernetes: 'rolearn: {{without}}' },
        ...LETS_IN,
      },
    },
    noIdentity: {
      text: '`aws-auth` maps `{{arn}}`, which is {{what}}. Nobody signs in as one, so EKS never looks for this entry: {{effect}}.{{mode}}',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    userOfNodes: {
      text: '`aws-auth` maps the user `{{arn}}` to the name of a node (`EC2PrivateDNSName`). EKS finds that by the session of a role, which a user has none of, so it lets nobody in by this entry.{{mode}}',
      fix: {
        summary: 'Give the user a name of its own, such as `{{name}}`: the other is for the roles of nodes.',
        code: { kubernetes: 'username: {{name}}' },
        safety: 'needs-decision',
      },
    },
    placeholder: {
      text: '`aws-auth` maps `{{arn}}` to the name of a node (`EC2PrivateDNSName`), but not in the letters and braces that the authenticator looks for. It fills in nothing, so {{effect}}.{{mode}}',
      fix: {
        summary: 'Write `EC2PrivateDNSName` in exactly these letters, with two braces on either side and no space.',
        code: { kubernetes: 'username: system:node:{{right}}' },
        safety: 'needs-decision',
      },
    },
    otherKey: {
      text: '`aws-auth` has `{{key}}` where EKS reads `{{right}}`, so {{effect}}.{{mode}}',
      fix: { summary: 'Write `{{right}}` in place of `{{key}}`.', safety: 'needs-decision' },
    },
    noText: {
      text: '`{{key}}` of `aws-auth` is {{what}}, but a ConfigMap holds texts only. The API server refuses the object, so none of what it maps is there.',
      fix: {
        summary: 'Make a text of it: with `|` behind `{{key}}:`, the lines below stay as they are.',
        code: { kubernetes: '{{key}}: |\n  - {{arnKey}}: {{arnInCode}}\n    username: somebody\n    groups: [team]' },
        safety: 'needs-decision',
      },
    },
    malformed: {
      text: '`mapRoles` of `aws-auth` {{problem}}. EKS drops all of it: no role that only this ConfigMap lets in can authenticate, nodes included, and they become NotReady.{{mode}}',
      fix: {
        summary: 'Write a list of maps in YAML, as text.',
        code: {
          kubernetes: [
            'mapRoles: |',
            '  - rolearn: arn:aws:iam::111122223333:role/nodes',
            '    username: system:node:{{dnsName}}',
            '    groups:',
            '      - system:bootstrappers',
            '      - system:nodes',
          ].join('\n'),
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      const mode = modeOf(view);
      for (const manifest of view.manifests) {
        if (!isAwsAuth(manifest.object)) continue;
        yield* judgeTexts(manifest);
        // Else EKS doesn't look at it.
        if (mode === 'API') continue;
        const severity = mode === 'CONFIG_MAP' ? 'error' : 'warning';
        yield* judgeKeys(manifest, severity);
        yield* judge(manifest, severity);
        yield* judgeUsers(manifest, severity);
      }
    }
  },
});

type Message =
  | 'path'
  | 'assumedRole'
  | 'noIdentity'
  | 'userOfNodes'
  | 'placeholder'
  | 'otherKey'
  | 'noText'
  | 'malformed';

/** How a cluster knows roles, where that is the same whatever conditions hold. Without a word, EKS goes by the ConfigMap alone; an entry shows that it doesn't. */
function modeOf({ cluster, accessEntries }: ClusterView): string | undefined {
  if (cluster === undefined) return undefined;
  const modes = new Set(
    alternativesOf(cluster.authenticationMode).map(({ value }) =>
      value.kind === 'known' ? value.value : value.kind === 'absent' && accessEntries.length === 0 ? 'CONFIG_MAP' : '',
    ),
  );
  const [mode, ...others] = modes;
  return others.length > 0 || mode === '' ? undefined : mode;
}

/** What the API server takes for texts. */
function* judgeTexts(manifest: KubernetesManifest): Generator<Judgement<Message>> {
  for (const key of ['mapRoles', 'mapUsers', 'mapAccounts']) {
    const data = dataAt(manifest.object, 'data', key) ?? undefined;
    if (data === undefined || data instanceof Unknown || typeof data === 'string') continue;
    const isOfUsers = key === 'mapUsers';
    yield {
      resource: manifest,
      source: placeIn(manifest, 'data', key),
      verdict: 'fail',
      message: 'noText',
      data: {
        key,
        what: Array.isArray(data) ? 'a list' : typeof data === 'object' ? 'a map' : `a ${typeof data}`,
        arnKey: isOfUsers ? 'userarn' : 'rolearn',
        arnInCode: `arn:aws:iam::111122223333:${isOfUsers ? 'user/somebody' : 'role/somebody'}`,
      },
      about: key,
    };
  }
}

/** What the ConfigMap is read by: in exactly these letters. */
function* judgeKeys(manifest: KubernetesManifest, severity: Severity): Generator<Judgement<Message>> {
  const data = dataAt(manifest.object, 'data');
  if (!isDataMap(data)) return;
  for (const key of Object.keys(data)) {
    const right = ['mapRoles', 'mapUsers', 'mapAccounts'].find(
      (one) => one !== key && one.toLowerCase() === key.replace(/[_-]/, '').toLowerCase(),
    );
    if (right === undefined) continue;
    yield {
      ...{ resource: manifest, source: placeIn(manifest, 'data', key), verdict: 'fail', severity, about: key },
      message: 'otherKey',
      data: { key, right, effect: 'none of what it maps is let in by it', mode: modeText(severity, 'each of them') },
    };
  }
}

function* judge(manifest: KubernetesManifest, severity: Severity): Generator<Judgement<Message>> {
  const mapRoles = dataAt(manifest.object, 'data', 'mapRoles') ?? undefined;
  if (mapRoles === undefined) return;
  const place = placeIn(manifest, 'data', 'mapRoles');
  const text = mapRoles instanceof Unknown ? mapRoles.text : mapRoles;
  if (typeof text !== 'string') {
    if (mapRoles instanceof Unknown)
      yield {
        resource: manifest,
        verdict: 'unverifiable',
        reason: `what \`aws-auth\` maps isn't known: ${mapRoles.reason}`,
      };
    return;
  }
  const mode = modeText(severity, 'the role');
  const list = listIn(text);
  if (typeof list === 'string') {
    // What isn't known may put it right.
    if (mapRoles instanceof Unknown)
      yield {
        resource: manifest,
        verdict: 'unverifiable',
        reason: `what \`aws-auth\` maps isn't known: ${mapRoles.reason}`,
      };
    else
      yield {
        ...{ resource: manifest, source: place, verdict: 'fail', message: 'malformed', severity },
        data: { problem: list, mode, dnsName: NODE_NAME },
      };
    return;
  }
  let isRight = true;
  for (const item of list) {
    const arn = fieldOf(item, 'rolearn');
    if (typeof arn !== 'string') {
      const key = arn === undefined ? Object.keys(item ?? {}).find((one) => /^role[_-]arn$/i.test(one)) : undefined;
      if (key === undefined) continue;
      isRight = false;
      yield {
        ...{ resource: manifest, source: placeOf(place, text, key), verdict: 'fail', severity, about: key },
        message: 'otherKey',
        data: { key, right: 'rolearn', effect: `it drops the entry, and ${effectOf(item)}`, mode },
      };
      continue;
    }
    const wrong = judgePlaceholder(item, arn, { manifest, place, text, severity, key: 'mapRoles' });
    if (wrong !== undefined) {
      isRight = false;
      yield wrong;
    }
    const nobody = judgeIdentity({ manifest, place, text, severity, key: 'mapRoles' }, arn, item);
    if (nobody !== undefined) {
      isRight = false;
      yield nobody;
      continue;
    }
    const ofSession = roleOfSession(arn);
    const without = ofSession ?? withoutPath(arn);
    if (without === undefined) continue;
    isRight = false;
    const effect = effectOf(item);
    yield {
      ...{ resource: manifest, source: placeOf(place, text, arn), verdict: 'fail', severity },
      message: ofSession === undefined ? 'path' : 'assumedRole',
      data: { arn, without, effect, mode },
      about: arn,
      corrected: correctedArn(place, text, arn, without),
    };
  }
  if (isRight) yield { resource: manifest, verdict: 'pass' };
}

/** A user needs no role; what is said of its entry is that nobody is let in by it. */
function* judgeUsers(manifest: KubernetesManifest, severity: Severity): Generator<Judgement<Message>> {
  const text = dataAt(manifest.object, 'data', 'mapUsers') ?? undefined;
  if (typeof text !== 'string') return;
  const list = listIn(text);
  if (typeof list === 'string') return;
  const place = placeIn(manifest, 'data', 'mapUsers');
  for (const item of list) {
    const arn = fieldOf(item, 'userarn');
    const nobody =
      typeof arn === 'string'
        ? judgeIdentity({ manifest, place, text, severity, key: 'mapUsers' }, arn, item)
        : undefined;
    if (nobody !== undefined) yield nobody;
  }
}

interface Mapping {
  readonly manifest: KubernetesManifest;
  readonly place: Source;
  readonly text: string;
  readonly severity: Severity;
  readonly key: 'mapRoles' | 'mapUsers';
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

/** An entry by which nobody can be let in, whoever it is about. */
function judgeIdentity(
  { manifest, place, text, severity, key }: Mapping,
  arn: string,
  item: unknown,
): Judgement<Message> | undefined {
  const [, kind = '', name = ''] = /^arn:[^:]*:iam::[^:]*:([a-z-]+)\/(?:[^/]+\/)*([^/]+)$/.exec(arn) ?? [];
  const about = {
    resource: manifest,
    source: placeOf(place, text, arn),
    verdict: 'fail',
    severity,
    about: arn,
  } as const;
  const mode = modeText(severity, key === 'mapUsers' ? 'the user' : 'the role');
  const [what, advice] = (Object.hasOwn(NO_IDENTITIES, kind) ? NO_IDENTITIES[kind] : undefined) ?? [];
  if (what !== undefined && advice !== undefined) {
    const effect = isOfNodes(item) ? 'the nodes with it never join' : 'it gives nobody access';
    return { ...about, message: 'noIdentity', data: { arn, what, advice, effect, mode } };
  }
  const username = fieldOf(item, 'username');
  if (kind !== 'user' || typeof username !== 'string' || !username.includes(NODE_NAME)) return undefined;
  return { ...about, message: 'userOfNodes', data: { arn, name, mode } };
}

/** A name of nodes that stays as it is written, which no node has. Those that other tools fill in are left alone. */
function judgePlaceholder(
  item: unknown,
  arn: string,
  { manifest, place, text, severity }: Mapping,
): Judgement<Message> | undefined {
  const username = fieldOf(item, 'username');
  if (typeof username !== 'string' || !isOfNodes(item) || username.includes(NODE_NAME)) return undefined;
  if (!/\{\{?\s*EC2PrivateDNSName\b/i.test(username)) return undefined;
  return {
    ...{ resource: manifest, source: placeOf(place, text, username), verdict: 'fail', severity, about: arn },
    message: 'placeholder',
    data: { arn, right: NODE_NAME, effect: effectOf(item), mode: modeText(severity, 'the role') },
  };
}

function effectOf(item: unknown): string {
  return isOfNodes(item) ? 'the nodes with it never join' : 'who has it gets no access';
}

/** The authenticator fills it in. */
const NODE_NAME = '{{EC2PrivateDNSName}}';

function isOfNodes(item: unknown): boolean {
  const groups = fieldOf(item, 'groups');
  return Array.isArray(groups) && groups.includes('system:nodes');
}

function modeText(severity: Severity, who: string): string {
  return severity === 'error' ? '' : ` An access entry for ${who} would let it in all the same.`;
}

/** The line with the ARN put right, where it stands in one alone. */
function correctedArn(place: Source, text: string, arn: string, without: string): CorrectedLines | undefined {
  const start = text.indexOf(arn);
  if (start < 0 || text.includes(arn, start + 1)) return undefined;
  const written = SourceText.of(text, (offset) => place.inText?.(text, offset) ?? place);
  return correctedLines(written, { start, end: start + arn.length, text: without });
}

function placeOf(place: Source, text: string, arn: string): Source {
  return place.inText?.(text, Math.max(0, text.indexOf(arn))) ?? place;
}

/** The entries of a list; a string says what is wrong with it. */
function listIn(text: string): readonly unknown[] | string {
  // What the authenticator skips.
  if (/^(?:``|""|'')?$/.test(text.trim())) return [];
  const { root, diagnostics } = parseDocument(text, 'mapRoles', false, 'last');
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (root === undefined && error !== undefined) return `isn't YAML (line ${error.line} of its text: ${error.message})`;
  return Array.isArray(root) ? (root as readonly unknown[]) : 'is no list';
}

function fieldOf(item: unknown, key: string): unknown {
  if (typeof item !== 'object' || item === null) return undefined;
  // The authenticator takes the keys of an entry in any case.
  const written = Object.keys(item).find((one) => one.toLowerCase() === key);
  return written === undefined ? undefined : (item as Readonly<Record<string, unknown>>)[written];
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
