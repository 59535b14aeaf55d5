import { unverifiable } from '../parts/case-judgements';
import { NEW_GROUP, NEW_GROUPS_ONLY } from '../parts/eksctl-advice';
import { defineRule, type Severity } from '../../engine';
import {
  amiFamilyName,
  amiFamilyOf,
  cases,
  flatMapCases,
  KARPENTER_DRIFTS,
  under,
  whereExists,
  type AmiFamily,
  type AnyNodeGroup,
  type ClusterView,
  type LaunchTemplate,
  type NodeBoot,
  type Plain,
} from '../../eks';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { GROUP_REPLACED, NODES_ROLL } from '../parts/repair-effects';
import { LAUNCH_TEMPLATE_CODE, METADATA_OPTIONS_CODE, movedSettings } from '../parts/metadata-options-code';
import { doWithoutMetadata, lacksMetadata, effectsOf, ENOUGH, type ShortNodes } from './parts/hop-limit-effects';
import { judgeMetadata, unseenOptions } from './parts/metadata-judgements';
import {
  LEAST,
  MOST,
  NODE_CLASS_CODE,
  judgeNodeClasses,
  numberOf,
  type NodeClassMessage,
  type HopLimitOne,
} from './parts/node-class-hop-limit';

/*
 * A pod is one network hop further from the instance metadata service than its node, and the answer that carries an
 * IMDSv2 token dies at the hop limit. On AL2023 managed nodes that limit is 1 unless somebody says 2, which nobody
 * notices before the first controller that asks IMDS for its VPC, region or credentials.
 * Source: Amazon EKS user guide, "Upgrade from AL2 to AL2023" and "Customize managed nodes with launch templates".
 */

/** Tokens and hop limit, as the fix has them. */
const DECLARED = [
  { kind: 'set', field: 'metadata.httpTokens', to: 'required' },
  { kind: 'set', field: 'metadata.hopLimit', to: 2 },
] as const;

/** The same, where 1 is written, which may be meant. */
const WIDENED = [
  { kind: 'set', field: 'metadata.httpTokens', to: 'required' },
  { kind: 'set', field: 'metadata.hopLimit', to: 2, unlessExplained: true },
] as const;

const TWO = [{ kind: 'set', field: 'metadata.hopLimit', to: 2 }] as const;

export const imdsHopLimit = defineRule<Message>({
  id: 'imds-hop-limit',
  subject: 'imds',
  title: 'Nodes declare an instance metadata hop limit that their pods can live with',
  severity: 'error',
  since: '0.1.0',
  options: {
    hopLimitOne: {
      description: 'What to make of a hop limit that is deliberately declared as 1.',
      allowed: ['error', 'warning', 'allow'],
      default: 'error',
    },
  },
  messages: {
    groupDefault: {
      text: '{{where}} has no launch template and runs AL2023 ({{because}}), which EKS starts with IMDSv2 required and a hop limit of 1: a pod is one hop too far away to get a token. {{effect}}',
      fix: {
        summary:
          "{{roleFirst}}Create the group with a launch template that requires tokens and sets the hop limit to 2 (an existing group can't adopt one). Set 1 there instead if every workload has its own role, region and VPC id.{{moved}}",
        code: LAUNCH_TEMPLATE_CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'newTemplate', field: 'launchTemplate' }],
        effect: GROUP_REPLACED,
      },
    },
    templateDefault: {
      text: '{{where}} leaves the hop limit of instance metadata open on AL2023 ({{because}}): AWS documents both 1 and 2, and with 1 a pod is one hop too far away to get an IMDSv2 token. {{effect}}',
      fix: {
        summary:
          '{{roleFirst}}Declare tokens and hop limit together: 2 for pods that use instance metadata, 1 if every workload has its own role, region and VPC id.',
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: DECLARED,
        effect: NODES_ROLL,
      },
    },
    templateUndeclared: {
      text: '{{where}} leaves the hop limit of instance metadata to EKS, the account and the AMI ({{because}}). AWS documents 2 for it, but nothing here holds it there: should it come out as 1 with tokens required, pods get no answer from IMDS{{consumers}}.',
      fix: {
        summary:
          'Declare tokens and hop limit together: 2 for pods that use instance metadata, 1 if every workload has its own role, region and VPC id.',
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: DECLARED,
        effect: NODES_ROLL,
      },
    },
    one: {
      text: '{{where}} sets the hop limit of instance metadata to 1 while IMDSv2 tokens are required ({{tokens}}), so pods without host networking get no token; AWS advises that as hardening, but only where every pod has its own role and needs nothing else from IMDS. {{effect}}',
      fix: {
        summary:
          '{{roleFirst}}Set the hop limit to 2. If 1 is meant, give each workload its own role, region and VPC id, and suppress this rule with that reason (or set its option `hopLimitOne` to `allow`).',
        summaryIn: {
          eksctl: `{{roleFirst}}Take \`disablePodIMDS\` out: eksctl then gives a hop limit of 2. If it is meant, give each workload its own role, region and VPC id, and suppress this rule with that reason (or set its option \`hopLimitOne\` to \`allow\`). ${NEW_GROUP}`,
        },
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: WIDENED,
        // The name of `disablePodIMDS` says what is meant.
        repairsIn: { eksctl: [] },
        effect: NODES_ROLL,
        effectIn: NEW_GROUPS_ONLY,
      },
    },
    oneWithoutRequiredTokens: {
      text: '{{where}} sets the hop limit of instance metadata to 1, but {{tokens}}. {{fallback}}',
      fix: {
        summary:
          'Require tokens, and decide on the hop limit: 2 for pods that use instance metadata, 1 to keep them out.',
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: WIDENED,
        repairsIn: { eksctl: [] },
        effect: NODES_ROLL,
      },
    },
    wide: {
      text: '{{where}} sets the hop limit of instance metadata to {{hop}}: pods need 2, containers nested in pods 3, and every further hop lets token responses travel further from the node than anything on it needs.',
      fix: {
        summary: 'Set the hop limit to 2, unless nested containers need {{hop}}.',
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: TWO,
        effect: NODES_ROLL,
      },
    },
    outOfRange: {
      text: '{{where}} sets the hop limit of instance metadata to {{hop}}, but EC2 takes whole numbers from 1 to 64 only: the deployment fails before a node starts.',
      fix: {
        summary: 'Set the hop limit to 2.',
        code: METADATA_OPTIONS_CODE,
        safety: 'safe',
        repairs: TWO,
      },
    },
    nodeClassWide: {
      text: 'EC2NodeClass "{{name}}" sets `httpPutResponseHopLimit` to {{hop}}: pods need 2, containers nested in pods 3, and every further hop lets token responses travel further from the node than anything on it needs.',
      fix: {
        summary: 'Set the hop limit to 2, unless nested containers need {{hop}}.',
        code: NODE_CLASS_CODE,
        safety: 'needs-decision',
        repairsIn: { kubernetes: TWO },
        effect: KARPENTER_DRIFTS,
      },
    },
    nodeClassOutOfRange: {
      text: 'EC2NodeClass "{{name}}" sets `httpPutResponseHopLimit` to {{hop}}, but only whole numbers from 1 to 64 are accepted: the object is refused, and Karpenter starts no node with it.',
      fix: {
        summary: 'Set the hop limit to 2.',
        code: NODE_CLASS_CODE,
        safety: 'safe',
        repairsIn: { kubernetes: TWO },
      },
    },
    nodeClassDefault: {
      text: 'EC2NodeClass "{{name}}" {{leaves}}: pods without host networking get no token. {{effect}}',
      fix: {
        summary:
          '{{roleFirst}}Declare `spec.metadataOptions`: a hop limit of 2, or 1 if every workload has its own role, region and VPC id.',
        code: NODE_CLASS_CODE,
        safety: 'needs-decision',
        repairsIn: { kubernetes: DECLARED },
        effect: KARPENTER_DRIFTS,
      },
    },
    nodeClassOne: {
      text: 'EC2NodeClass "{{name}}" sets `httpPutResponseHopLimit` to 1 ({{tokens}}), so pods without host networking get no IMDSv2 token; AWS advises that as hardening, but only where every pod has its own role and needs nothing else from IMDS. {{effect}}',
      fix: {
        summary:
          '{{roleFirst}}Set the hop limit to 2. If 1 is meant, give each workload its own role, region and VPC id, and suppress this rule with that reason (or set its option `hopLimitOne` to `allow`).',
        code: NODE_CLASS_CODE,
        safety: 'needs-decision',
        repairsIn: { kubernetes: WIDENED },
        effect: KARPENTER_DRIFTS,
      },
    },
  },
  *check(model, { options }) {
    const one = options['hopLimitOne'] as HopLimitOne;
    yield* judgeMetadata(
      model,
      (launch) => judgeLaunch(launch, one),
      (launches) => {
        const { effect, consumers, roleFirst, related } = effectsOf(nodesOf(launches), model);
        return {
          data: { effect, consumers, roleFirst, ...movedSettings(launches.map(({ nodeGroup }) => nodeGroup)) },
          related,
        };
      },
    );
    yield* judgeNodeClasses(model, one);
  },
});

type Message =
  | 'groupDefault'
  | 'templateDefault'
  | 'templateUndeclared'
  | 'one'
  | 'oneWithoutRequiredTokens'
  | 'wide'
  | 'outOfRange'
  | NodeClassMessage;

function judgeLaunch(launch: NodeBoot, one: HopLimitOne): readonly LaunchOutcome<Message>[] {
  const unseen = unseenOptions(launch);
  if (unseen !== undefined) return [unseen];
  const { template } = launch;
  return template.kind === 'known' ? judgeTemplate(launch, template.value, one) : judgeWithoutTemplate(launch);
}

function judgeWithoutTemplate({ nodeGroup, view, template, when: launchWhen }: NodeBoot): LaunchOutcome<Message>[] {
  return cases({ family: under(launchWhen, amiFamilyOf(nodeGroup, view)) }).map(
    ({ when, values: { family } }): LaunchOutcome<Message> => {
      const place = { when, source: template.source };
      if (family.kind !== 'known')
        return { ...place, ...unverifiable(`the hop limit depends on the operating system: ${reasonOf(family)}`) };
      if (family.value !== 'AL2023') {
        const texts =
          "the user guide's chapter on launch templates names 2 for the default one, its chapter on AL2023 speaks of AL2023 alone";
        return {
          ...place,
          verdict: 'unverifiable',
          reason: `it has no launch template, and AWS's texts don't agree on the hop limit that EKS gives to ${amiFamilyName(family.value)} nodes: ${texts}`,
        };
      }
      return {
        ...place,
        verdict: 'fail',
        message: 'groupDefault',
        ...severityOfDefault(nodeGroup, view),
        data: { because: family.note ?? 'AL2023' },
      };
    },
  );
}

function judgeTemplate(
  { nodeGroup, view, when: launchWhen }: NodeBoot,
  template: LaunchTemplate,
  one: HopLimitOne,
): readonly LaunchOutcome<Message>[] {
  const { hopLimit, httpTokens, httpEndpoint } = template.metadata;
  const split = {
    hop: under(launchWhen, whereExists(nodeGroup, hopLimit)),
    tokens: whereExists(nodeGroup, httpTokens),
    endpoint: whereExists(nodeGroup, httpEndpoint),
    image: whereExists(nodeGroup, template.imageId),
    family: amiFamilyOf(nodeGroup, view),
  };
  return flatMapCases(split, ({ hop, tokens, endpoint, image, family }, when): readonly LaunchOutcome<Message>[] => {
    const place = { when, source: hop.source };
    if (hop.kind === 'unknown')
      return [{ ...place, verdict: 'unverifiable', reason: `its hop limit isn't known: ${hop.reason}` }];
    const limit = hop.kind === 'known' ? numberOf(hop.value) : undefined;
    if (hop.kind === 'known' && (limit === undefined || limit < LEAST || limit > MOST)) {
      return [{ ...place, verdict: 'fail', message: 'outOfRange', data: { hop: String(hop.value) } }];
    }
    // Without endpoint there is no limit to judge, and imds-endpoint-disabled says what that means.
    if (endpoint.kind === 'known' && endpoint.value === 'disabled') return [];
    if (limit === undefined) return [{ ...place, ...judgeUndeclared(nodeGroup, view, image, family) }];
    if (limit === LEAST)
      return [
        {
          ...place,
          ...judgeOne(tokens, family, levelOfOne(template, nodeGroup, view, one)),
        },
      ];
    if (limit > ENOUGH)
      return [{ ...place, verdict: 'fail', message: 'wide', severity: 'info', data: { hop: String(limit) } }];
    return passing(when);
  });
}

type Judged = Omit<LaunchOutcome<Message>, 'when' | 'source'>;

function judgeUndeclared(
  nodeGroup: AnyNodeGroup,
  view: ClusterView,
  image: Plain<unknown>,
  family: Plain<AmiFamily>,
): Judged {
  const open = 'it sets no hop limit, and what applies then';
  if (nodeGroup.kind === 'self-managed-node-group')
    return unverifiable(`${open} to self-managed nodes is up to their AMI and the account`);
  if (family.kind !== 'known') return unverifiable(`${open} depends on the operating system: ${reasonOf(family)}`);
  const data = { because: family.note ?? amiFamilyName(family.value) };
  if (family.value !== 'AL2023') return { verdict: 'fail', message: 'templateUndeclared', severity: 'info', data };
  return image.kind === 'absent'
    ? { verdict: 'fail', message: 'templateDefault', ...severityOfDefault(nodeGroup, view), data }
    : { verdict: 'fail', message: 'templateUndeclared', severity: 'warning', data };
}

/** A limit that nobody declared does no more harm than a declared 1. */
function severityOfDefault(nodeGroup: AnyNodeGroup, view: ClusterView): { severity?: Severity } {
  return doWithoutMetadata(nodeGroup, view) ? { severity: 'warning' } : {};
}

/** A setting that is called after what it does is a decision; it is worth a warning where a workload that needs the service can be seen. */
function levelOfOne(
  { metadata: { isForNodesOnly } }: LaunchTemplate,
  nodeGroup: AnyNodeGroup,
  view: ClusterView,
  one: HopLimitOne,
): HopLimitOne {
  if (one !== 'error') return one;
  if (isForNodesOnly === true) return lacksMetadata(nodeGroup, view) ? 'warning' : 'info';
  return doWithoutMetadata(nodeGroup, view) ? 'warning' : one;
}

function judgeOne(tokens: Plain<string>, family: Plain<AmiFamily>, one: HopLimitOne): Judged {
  if (one === 'allow') return { verdict: 'pass' };
  const required =
    tokens.kind === 'known'
      ? tokens.value === 'required'
      : tokens.kind === 'absent' && family.kind === 'known' && family.value === 'AL2023';
  if (!required)
    return {
      verdict: 'fail',
      message: 'oneWithoutRequiredTokens',
      severity: 'warning',
      data: withoutRequiredTokens(tokens, family),
    };
  const declared = tokens.kind === 'known' ? '`required` is declared' : 'the default of AL2023';
  return { verdict: 'fail', message: 'one', ...severityOfOne(one), data: { tokens: declared } };
}

function severityOfOne(one: HopLimitOne): { severity?: Severity } {
  return one === 'warning' || one === 'info' ? { severity: one } : {};
}

function withoutRequiredTokens(tokens: Plain<string>, family: Plain<AmiFamily>): Record<string, string> {
  const v1Answers =
    'IMDSv1 still answers pods, so the limit protects nothing: SDKs wait for a token until they time out, then fall back to IMDSv1, which makes every start slow.';
  if (tokens.kind === 'known') return { tokens: `tokens are \`${tokens.value}\``, fallback: v1Answers };
  if (tokens.kind === 'absent' && family.kind === 'known' && family.value === 'AL2') {
    return { tokens: 'tokens are not declared, and AL2 does not require them', fallback: v1Answers };
  }
  const open =
    'Pods get no IMDSv2 token; if tokens turn out to be required, whatever reads region, VPC id or credentials from IMDS fails, and if not, SDKs fall back to IMDSv1 after a timeout.';
  if (tokens.kind === 'unknown')
    return { tokens: `whether tokens are required isn't known (${tokens.reason})`, fallback: open };
  return {
    tokens: 'tokens are not declared, so the AMI and the account decide whether they are required',
    fallback: open,
  };
}

/** The groups that start their nodes so, by cluster. */
function nodesOf(launches: readonly NodeBoot[]): readonly ShortNodes[] {
  const views = [...new Set(launches.map(({ view }) => view))];
  return views.map((view) => ({
    view,
    groups: [...new Set(launches.flatMap((launch) => (launch.view === view ? [launch.nodeGroup] : [])))],
  }));
}

function reasonOf(value: Plain<unknown>): string {
  return value.kind === 'unknown' ? value.reason : 'it is not declared';
}
