import { defineRule, type Judgement, type Severity } from '../../engine';
import {
  alternativesOf,
  dataAt,
  isAwsAuth,
  isDataMap,
  placeIn,
  Unknown,
  type ClusterView,
  type Data,
  type KubernetesManifest,
} from '../../eks';
import { judgeAccounts, judgeRoles, judgeUsers, type EntryMessage } from './parts/aws-auth-entries';
import { holdersOf, type Holders } from './parts/aws-auth-holders';
import { judgeUnread } from './parts/aws-auth-unread';
import { listIn, modeText, NODE_NAME, type Mapping } from './parts/aws-auth-list';
import { unverifiable } from '../parts/case-judgements';

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
    noArn: {
      text: '`aws-auth` maps `{{arn}}`, which {{what}}. EKS looks for the whole ARN, so it never finds this entry: {{effect}}.{{mode}}',
      fix: { summary: 'Write the whole ARN: `{{right}}`.', safety: 'needs-decision' },
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
    account: {
      text: '{{account}} in `{{where}}` of `aws-auth` is no account id, which has 12 digits. EKS never finds it: {{effect}}.{{mode}}',
      fix: {
        summary:
          'Write all 12 digits of the account, with the zeros that it begins with, and nothing between them: with credentials of that account, `aws sts get-caller-identity --query Account --output text` prints them. An entry that is left of an example lets nobody in and can go.',
        safety: 'needs-decision',
      },
    },
    noNodes: {
      text: '`aws-auth` maps the role `{{arn}}` to the name of a node, and not to the group `system:nodes`. Kubernetes takes only who is in it for a node, so the nodes with the role never join.{{mode}}',
      fix: {
        summary: 'Give the entry the groups of nodes: `groups: [{{groups}}]`.',
        code: { kubernetes: 'groups: [{{groups}}]' },
        safety: 'needs-decision',
      },
    },
    noNodeName: {
      text: '`aws-auth` maps the role `{{arn}}` to the groups of nodes and to the name `{{username}}`. Kubernetes takes for a node only who is called `system:node:` and the name of the node, so the nodes with the role never join.{{mode}}',
      fix: {
        summary:
          'Write `system:node:` and then `EC2PrivateDNSName` in two braces, for which the authenticator fills in the name of each node.',
        code: { kubernetes: 'username: system:node:{{right}}' },
        safety: 'needs-decision',
      },
    },
    groupsText: {
      text: '`aws-auth` has the text `{{groups}}` as the groups of `{{arn}}`, where EKS reads a list. It keeps the entry without groups, so who has it signs in and may do nothing.{{mode}}',
      fix: {
        summary: 'Write a list: `groups: [{{groups}}]`.',
        code: { kubernetes: 'groups: [{{groups}}]' },
        safety: 'needs-decision',
      },
    },
    twice: {
      text: '`aws-auth` maps `{{arn}}` more than once, and EKS takes the last entry alone. It leaves out what this one has: {{lost}}.{{mode}}',
      fix: {
        summary: 'Write one entry with the groups of all, `groups: [{{groups}}]`{{named}}, and take the others out.',
        code: { kubernetes: 'groups: [{{groups}}]' },
        safety: 'needs-decision',
      },
    },
    namespace: {
      text: 'This `aws-auth` is in the namespace `{{namespace}}`. EKS reads the one of `kube-system` alone, so nobody is let in by it.{{mode}}',
      fix: {
        summary:
          'Write `namespace: kube-system`, into the ConfigMap that is there already: applied as a whole, it replaces the entries of the nodes.',
        code: { kubernetes: 'namespace: kube-system' },
        safety: 'needs-decision',
      },
    },
    unread: {
      text: '`aws-auth` maps {{who}}, but cluster {{cluster}} has the authentication mode `API`. EKS then goes by access entries alone and never reads the ConfigMap: {{effect}}.',
      fix: {
        summary:
          "Give each of them an access entry, one of type `EC2_LINUX` where it is the role of nodes, and take it out of the ConfigMap; or make the cluster with the mode `API_AND_CONFIG_MAP`, to which one that exists can't go back.",
        safety: 'needs-decision',
      },
    },
    noText: {
      text: '`{{key}}` of `aws-auth` is {{what}}, but a ConfigMap holds texts only. The API server refuses the object, so none of what it maps is there.',
      fix: {
        summary: 'Make a text of it: with `|` behind `{{key}}:`, the lines below stay as they are.',
        code: { kubernetes: '{{key}}: |\n  - {{arnKey}}: {{arnInCode}}\n    username: somebody\n    groups: [team]' },
        safety: 'needs-decision',
      },
    },
    malformedUsers: {
      text: '`mapUsers` of `aws-auth` {{problem}}. EKS drops all of it: no user that only this ConfigMap lets in gets access.{{mode}}',
      fix: {
        summary: 'Write a list of maps in YAML, as text.',
        code: {
          kubernetes: [
            'mapUsers: |',
            '  - userarn: arn:aws:iam::111122223333:user/somebody',
            '    username: somebody',
            '    groups: [team]',
          ].join('\n'),
        },
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
      const severity = mode === 'CONFIG_MAP' ? 'error' : 'warning';
      for (const manifest of view.manifests) {
        if (isAwsAuth(manifest.object)) {
          yield* judgeTexts(manifest);
          if (mode === 'API') {
            if (view.cluster !== undefined) yield* judgeUnread(view.cluster, view, manifest, model);
            continue;
          }
          yield* judgeKeys(manifest, severity);
          yield* judge(manifest, severity, holdersOf(view, manifest, model));
        } else if (mode !== 'API') yield* judgeNamespace(manifest, severity);
      }
    }
  },
});

type Message = EntryMessage | 'unread' | 'malformed' | 'malformedUsers' | 'namespace' | 'noText';

const KEYS = ['mapRoles', 'mapUsers', 'mapAccounts'];

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
  for (const key of KEYS) {
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

/** Whether a text has a list with nothing in it, as of a variable that nobody sets. */
function mapsNothing(text: Data): boolean {
  const list = typeof text === 'string' ? listIn(text) : undefined;
  return text === null || (list !== undefined && typeof list !== 'string' && list.length === 0);
}

/** What the ConfigMap is read by: in exactly these letters. */
function* judgeKeys(manifest: KubernetesManifest, severity: Severity): Generator<Judgement<Message>> {
  const data = dataAt(manifest.object, 'data');
  if (!isDataMap(data)) return;
  for (const key of Object.keys(data)) {
    const right = KEYS.find((one) => one !== key && one.toLowerCase() === key.replace(/[_-]/, '').toLowerCase());
    if (right === undefined) continue;
    const isEmpty = mapsNothing(data[key] ?? null);
    yield {
      ...{ resource: manifest, source: placeIn(manifest, 'data', key), verdict: 'fail', about: key },
      message: 'otherKey',
      severity: isEmpty ? 'info' : severity,
      data: {
        key,
        right,
        effect: isEmpty ? 'whoever is added to its empty list is not let in' : 'none of what it maps is let in by it',
        mode: isEmpty ? '' : modeText(severity, 'each of them'),
      },
    };
  }
}

/** One that EKS doesn't look at. Those of other names, or without mappings, are something else. */
function* judgeNamespace(manifest: KubernetesManifest, severity: Severity): Generator<Judgement<Message>> {
  const { object } = manifest;
  if (dataAt(object, 'kind') !== 'ConfigMap' || dataAt(object, 'metadata', 'name') !== 'aws-auth') return;
  const data = dataAt(object, 'data');
  if (!isDataMap(data) || !KEYS.some((key) => Object.hasOwn(data, key))) return;
  const namespace = dataAt(object, 'metadata', 'namespace') ?? undefined;
  if (namespace === undefined)
    yield {
      resource: manifest,
      verdict: 'unverifiable',
      reason:
        'EKS reads the `aws-auth` of `kube-system` alone, and this one leaves its namespace to whoever applies it',
    };
  else if (typeof namespace === 'string')
    yield {
      ...{ resource: manifest, source: placeIn(manifest, 'metadata', 'namespace'), verdict: 'fail' },
      message: 'namespace',
      severity: KEYS.every((key) => mapsNothing(data[key] ?? null)) ? 'info' : severity,
      data: { namespace, mode: modeText(severity, 'each of them') },
    };
}

function* judge(manifest: KubernetesManifest, severity: Severity, holders: Holders): Generator<Judgement<Message>> {
  const mapping = (key: Mapping['key'], text: string): Mapping => ({
    ...{ manifest, place: placeIn(manifest, 'data', key), text, severity, key, holders },
  });
  const accounts = dataAt(manifest.object, 'data', 'mapAccounts');
  if (typeof accounts === 'string') yield* judgeAccounts(mapping('mapAccounts', accounts));
  const users = dataAt(manifest.object, 'data', 'mapUsers');
  const listOfUsers = typeof users === 'string' ? listIn(users) : '';
  if (typeof users === 'string' && typeof listOfUsers !== 'string')
    yield* judgeUsers(mapping('mapUsers', users), listOfUsers);
  if (typeof users === 'string' && typeof listOfUsers === 'string' && listOfUsers !== '')
    yield {
      ...{ resource: manifest, source: placeIn(manifest, 'data', 'mapUsers'), verdict: 'fail', severity },
      message: 'malformedUsers',
      data: { problem: listOfUsers, mode: modeText(severity, 'the user') },
    };
  const roles = dataAt(manifest.object, 'data', 'mapRoles') ?? undefined;
  const text = roles instanceof Unknown ? roles.text : roles;
  const list = typeof text === 'string' ? listIn(text) : '';
  if (typeof text === 'string' && typeof list !== 'string') {
    const problems = [...judgeRoles(mapping('mapRoles', text), list)];
    if (problems.length === 0) yield { resource: manifest, verdict: 'pass' };
    yield* problems;
  } else if (roles instanceof Unknown)
    // What isn't known may put it right.
    yield { resource: manifest, ...unverifiable(`what \`aws-auth\` maps isn't known: ${roles.reason}`) };
  else if (typeof list === 'string' && list !== '')
    yield {
      ...{ resource: manifest, source: placeIn(manifest, 'data', 'mapRoles'), verdict: 'fail', severity },
      message: 'malformed',
      data: { problem: list, mode: modeText(severity, 'the role'), dnsName: NODE_NAME },
    };
}
