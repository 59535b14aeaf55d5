import { unverifiable } from '../parts/case-judgements';
import { NEW_GROUP, NEW_GROUPS_ONLY } from '../parts/eksctl-advice';
import { defineRule, launchSourceName, type Judgement } from '../../engine';
import {
  alternativesOf,
  amiFamilyName,
  amiFamilyOf,
  cases,
  dataAt,
  flatMapCases,
  KARPENTER_DRIFTS,
  nodeClassBoots,
  objectName,
  placeIn,
  under,
  Unknown,
  whereExists,
  type AmiFamily,
  type EksModel,
  type LaunchTemplate,
  type NodeBoot,
  type Plain,
  type Resource,
} from '../../eks';
import { documentOf } from '../../eks/analysis/node-boot';
import { tokenlessReadIn } from '../../eks/user-data/metadata-reads';
import { keepsMetadataFromPods } from '../../eks/user-data/metadata-block';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { GROUP_REPLACED, NODES_ROLL } from '../parts/repair-effects';
import { LAUNCH_TEMPLATE_CODE, METADATA_OPTIONS_CODE, movedSettings } from '../parts/metadata-options-code';
import { isNodeClass } from './parts/hop-limit-effects';
import { nodeClassCode } from './parts/node-class-options';
import { judgeMetadata, unseenOptions } from './parts/metadata-judgements';

/*
 * With IMDSv1 on, one plain GET request reads the credentials of the node role: any pod can send it, and so can any
 * web server that fetches a URL for an attacker. A low hop limit doesn't help, because it holds for IMDSv2 only.
 * Source: Amazon EC2 user guide, "Configure the instance metadata service options".
 */

/** A hop limit that is declared stays: imds-hop-limit judges it. */
const REQUIRED = [
  { kind: 'set', field: 'metadata.httpTokens', to: 'required' },
  { kind: 'set', field: 'metadata.hopLimit', to: 2, unlessSet: true },
] as const;

export const imdsV1 = defineRule<Message>({
  id: 'imds-v1',
  subject: 'imds',
  title: 'Nodes answer metadata requests only with an IMDSv2 token',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    optional: {
      text: "{{where}} sets metadata tokens to `optional`, so IMDSv1 stays on: any pod, and any forged request through one, can read the node role's credentials without a token{{hop}}.",
      fix: {
        summary: 'Require tokens, and set the hop limit to 2 so that pods can still fetch one.{{scripts}}',
        summaryIn: {
          eksctl: `Require tokens, as eksctl does by default, with a hop limit of 2, so that pods can still fetch one.{{scripts}} ${NEW_GROUP}`,
        },
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: REQUIRED,
        effect: NODES_ROLL,
        effectIn: NEW_GROUPS_ONLY,
      },
    },
    leftOut: {
      text: "{{where}} doesn't declare metadata tokens on AL2 ({{because}}), which leaves IMDSv1 on: any pod, and any forged request through one, can read the node role's credentials without a token{{hop}}.",
      fix: {
        summary:
          "Require tokens in the group's {{template}}, and set the hop limit to 2 so that pods can still fetch one.{{scripts}}",
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: REQUIRED,
        effect: NODES_ROLL,
      },
    },
    withoutTemplate: {
      text: "{{where}} has no launch template and runs AL2 ({{because}}), which leaves IMDSv1 on: any pod, and any forged request through one, can read the node role's credentials without a token.",
      fix: {
        summary:
          "Create a new group, best with AL2023 where EKS supports the cluster's version, whose launch template requires tokens and sets the hop limit to 2; an existing group can't adopt a launch template.{{moved}}",
        code: LAUNCH_TEMPLATE_CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'newTemplate', field: 'launchTemplate' }],
        effect: GROUP_REPLACED,
      },
    },
    nodeOnly: {
      text: '{{where}} leaves IMDSv1 on. Its user data keeps the metadata service from pods with iptables, so what is left are the node itself and pods with host networking, and every forged request through them.',
      fix: {
        summary: 'Require tokens; IMDSv2 also keeps forged requests out.{{scripts}}',
        code: METADATA_OPTIONS_CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'metadata.httpTokens', to: 'required' }],
        effect: NODES_ROLL,
      },
    },
    nodeClass: {
      text: 'EC2NodeClass "{{name}}" sets `httpTokens` to `optional`, so IMDSv1 stays on: any pod, and any forged request through one, can read the node role\'s credentials without a token.',
      fix: {
        summary: "Set `spec.metadataOptions.httpTokens` to `required`, which is also Karpenter's default.{{scripts}}",
        code: {
          kubernetes: '{{nodeClassInYaml}}',
          terraform: '{{nodeClassInTerraform}}',
          'aws-cdk': '{{nodeClassInCdk}}',
        },
        safety: 'needs-decision',
        repairsIn: { kubernetes: [{ kind: 'set', field: 'metadata.httpTokens', to: 'required' }] },
        effect: KARPENTER_DRIFTS,
      },
    },
  },
  *check(model) {
    yield* judgeMetadata(model, judgeLaunch, (launches) => ({
      data: { ...movedSettings(launches.map(({ nodeGroup }) => nodeGroup)), scripts: scriptsOf(launches) },
    }));
    yield* judgeNodeClasses(model);
  },
});

type Message = 'nodeOnly' | 'optional' | 'leftOut' | 'withoutTemplate' | 'nodeClass';

function judgeLaunch(launch: NodeBoot): readonly LaunchOutcome<Message>[] {
  const { nodeGroup, view, template, when: launchWhen } = launch;
  const unseen = unseenOptions(launch);
  if (unseen !== undefined) return [unseen];
  const family = amiFamilyOf(nodeGroup, view);
  if (template.kind !== 'known') {
    return cases({ family: under(launchWhen, family) }).map(({ when, values }) => ({
      when,
      source: template.source,
      ...undeclared(values.family, undefined),
    }));
  }
  const { httpTokens, httpEndpoint, hopLimit } = template.value.metadata;
  const split = {
    tokens: under(launchWhen, whereExists(nodeGroup, httpTokens)),
    endpoint: whereExists(nodeGroup, httpEndpoint),
    hop: whereExists(nodeGroup, hopLimit),
    family,
  };
  return flatMapCases(split, (values, when): readonly LaunchOutcome<Message>[] => {
    const { tokens, endpoint } = values;
    // A switched-off endpoint answers neither version; imds-endpoint-disabled says what that means.
    if (endpoint.kind === 'known' && endpoint.value === 'disabled') return [];
    if (tokens.kind === 'known' && tokens.value === 'required') return passing(when);
    const place = { when, source: tokens.source };
    const hop =
      values.hop.kind === 'known' && Number(values.hop.value) === 1
        ? "; the hop limit of 1 doesn't prevent it, because it holds for IMDSv2 only"
        : '';
    const blocked = keepsFromPods(template.value);
    switch (tokens.kind) {
      case 'absent':
        return [
          { ...place, ...unlessBlocked(undeclared(values.family, hop, launchSourceName(template.value)), blocked) },
        ];
      case 'unknown':
        return [
          { ...place, verdict: 'unverifiable', reason: `whether it requires tokens isn't known: ${tokens.reason}` },
        ];
      case 'known':
        return [{ ...place, ...unlessBlocked(declared(tokens.value, hop), blocked) }];
    }
  });
}

/** Whether all that the user data may be keeps the metadata service from pods. */
function keepsFromPods(template: LaunchTemplate): boolean {
  return alternativesOf(template.userData).every(
    ({ value }) => value.kind === 'known' && keepsMetadataFromPods(documentOf(value.value)),
  );
}

/** What has to change first in user data that asks for metadata without a token. */
function scriptsOf(launches: readonly NodeBoot[]): string {
  const lines = launches.flatMap(({ template }) =>
    template.kind === 'known'
      ? alternativesOf(template.value.userData).flatMap(({ value }) =>
          value.kind === 'known' ? (tokenlessReadIn(documentOf(value.value)) ?? []) : [],
        )
      : [],
  );
  const [line] = lines;
  return line === undefined
    ? ''
    : ` Before that, have the request on line ${line} of the user data send a token in the header \`X-aws-ec2-metadata-token\`: without one it gets 401 then, and the script goes on with an empty or wrong value.`;
}

function unlessBlocked(
  outcome: Omit<LaunchOutcome<Message>, 'when'>,
  isBlocked: boolean,
): Omit<LaunchOutcome<Message>, 'when'> {
  return isBlocked && outcome.verdict === 'fail' ? { verdict: 'fail', message: 'nodeOnly', severity: 'info' } : outcome;
}

function declared(tokens: string, hop: string): Omit<LaunchOutcome<Message>, 'when'> {
  if (tokens === 'optional') return { verdict: 'fail', message: 'optional', data: { hop } };
  return unverifiable(`its tokens setting \`${tokens}\` is neither \`required\` nor \`optional\``);
}

/** @param hop what the hop limit means for it; undefined if there is no launch template */
function undeclared(
  family: Plain<AmiFamily>,
  hop: string | undefined,
  template = 'launch template',
): Omit<LaunchOutcome<Message>, 'when'> {
  const open = 'it declares no tokens setting, and the default';
  if (family.kind !== 'known') {
    const reason = family.kind === 'unknown' ? family.reason : 'it is not declared';
    return unverifiable(`${open} depends on the operating system: ${reason}`);
  }
  switch (family.value) {
    case 'AL2':
      return hop === undefined
        ? { verdict: 'fail', message: 'withoutTemplate', data: { because: family.note ?? 'AL2' } }
        : { verdict: 'fail', message: 'leftOut', data: { because: family.note ?? 'AL2', hop, template } };
    case 'AL2023':
      return { verdict: 'pass' };
    case 'BOTTLEROCKET':
    case 'WINDOWS':
      return unverifiable(`${open} of ${amiFamilyName(family.value)} nodes depends on the AMI release`);
  }
}

/** Karpenter requires tokens unless told otherwise. */
function* judgeNodeClasses(model: EksModel): Generator<Judgement<Message>> {
  const key = ({ stack, id }: Resource): string => `${stack} ${id}`;
  const boots = new Map(nodeClassBoots(model).map(({ resource, launches }) => [key(resource), launches]));
  for (const { manifests } of model.clusterViews) {
    for (const resource of manifests) {
      if (!isNodeClass(resource)) continue;
      const name = objectName(resource);
      const tokens = dataAt(resource.object, 'spec', 'metadataOptions', 'httpTokens');
      if (tokens instanceof Unknown) {
        yield {
          resource,
          verdict: 'unverifiable',
          reason: `whether EC2NodeClass "${name}" requires tokens isn't known: ${tokens.reason}`,
        };
      } else if (tokens === 'optional') {
        const source = placeIn(resource, 'spec', 'metadataOptions', 'httpTokens');
        yield {
          resource,
          source,
          verdict: 'fail',
          message: 'nodeClass',
          data: {
            name,
            scripts: scriptsOf(boots.get(key(resource)) ?? []),
            ...nodeClassCode(resource, { httpTokens: 'required' }, { httpPutResponseHopLimit: 2 }),
          },
          about: name,
        };
      } else {
        yield { resource, verdict: 'pass' };
      }
    }
  }
}
