import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  bootCasesOf,
  casesOf,
  launchesOfGroup,
  type BootCase,
  type EksModel,
  type NodeGroup,
  type NodeLabel,
  type Plain,
  type When,
} from '../../eks';
import { correctedLines, type CorrectedLines } from '../../eks/user-data/correction';
import { labelMaybeReservedBy } from '../../eks/user-data/node-labels';
import { EVERY_FAMILY, judgeUserData } from '../parts/boot-judgements';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { withOwnDomain, type LabelsCode } from './parts/labels-code';
import { masked, userDataLabelsOf, type UserDataLabel } from './parts/user-data-labels';

/*
 * kubelet doesn't let a node give itself labels of Kubernetes' own domains, but for a short list: it exits. The labels of a managed node
 * group reach it in the same flag.
 * Source: kubernetes/kubernetes, staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go and cmd/kubelet/app/options/options.go.
 */

const LATER =
  'Labels such as `node-role.kubernetes.io/…` can be put on nodes once they have joined, by `kubectl label` or a controller.';

const FIX = {
  summary: `Use a domain of your own. ${LATER}`,
  code: { cloudformation: '{{inTemplate}}', 'aws-cdk': '{{inCdk}}', terraform: '{{inTerraform}}' },
  safety: 'needs-decision',
} as const;

export const nodeLabelReserved = defineRule<Message>({
  id: 'node-label-reserved',
  subject: 'launch-template',
  title: 'Nodes give themselves no labels of domains that Kubernetes or EKS keeps for itself',
  severity: 'error',
  since: '0.1.0',
  messages: {
    group: {
      text: 'Node group "{{group}}" sets the label `{{label}}`, which nodes mustn\'t give themselves. {{effect}}',
      fix: FIX,
    },
    eks: {
      text: 'Node group "{{group}}" sets the label `{{label}}`, whose domain EKS keeps for its own labels. It may refuse the group, or put a value of its own in place.',
      fix: { ...FIX, summary: 'Use a domain of your own.' },
    },
    userData: {
      text: "{{where}} sets the label `{{label}}` ({{setting}}, line {{line}} of the user data), which nodes mustn't give themselves. kubelet exits on it, so the nodes never join the cluster.",
      fix: {
        summary: `Use \`node.kubernetes.io/{{name}}\`, which kubelet accepts, or a domain of your own. ${LATER}`,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) yield* judgeGroup(nodeGroup, model);
    yield* judgeUserData(model, EVERY_FAMILY, (boot) => {
      const labels = userDataLabelsOf(boot).filter(({ key }) => !isOfGroup(key, boot));
      const outcomes = labels.flatMap((label) => judgeOwnLabel(label, labels, boot.when));
      return outcomes.length === 0 && labels.length > 0 ? passing(boot.when) : outcomes;
    });
  },
});

type Message = 'group' | 'eks' | 'userData';

/** Of kubelet's list it has a copy, and looks there before EKS is asked. Source: eksctl-io/eksctl, pkg/apis/eksctl.io/v1alpha5/validation.go, validateLabels. */
const BY_EKSCTL = 'eksctl refuses the whole file, and makes nothing.';

function* judgeGroup(nodeGroup: NodeGroup, model: EksModel): Generator<Judgement<Message>> {
  for (const { when, values } of casesOf(nodeGroup, { labels: nodeGroup.labels })) {
    const { labels } = values;
    if (labels.kind === 'absent') continue;
    if (labels.kind === 'unknown') {
      yield {
        resource: nodeGroup,
        verdict: 'unverifiable',
        reason: `its labels aren't known: ${labels.reason}`,
        source: labels.source,
        when,
      };
      continue;
    }
    const code = withOwnDomain(labels.value);
    const judgements = labels.value.flatMap((label) => judgeLabel(label, code, nodeGroup, when, model));
    if (judgements.length > 0) yield* judgements;
    else if (labels.value.length > 0) yield { resource: nodeGroup, verdict: 'pass', when };
  }
}

function judgeLabel(
  label: NodeLabel,
  code: LabelsCode,
  nodeGroup: NodeGroup,
  given: When,
  model: EksModel,
): readonly Judgement<Message>[] {
  return casesOf(nodeGroup, { key: label.key }, given).flatMap(
    ({ when, values: { key } }): readonly Judgement<Message>[] => {
      if (key.kind === 'absent') return [];
      const shown = shownKey(key);
      const common = {
        resource: nodeGroup,
        source: label.source,
        ...(shown === undefined ? {} : { about: shown }),
        when,
      };
      const owner =
        shown === undefined ? 'unknown' : labelMaybeReservedBy(key.kind === 'known' ? shown : masked(shown));
      if (owner === 'unknown') {
        const why = key.kind === 'unknown' ? `: ${key.reason}` : '';
        return [
          {
            ...common,
            verdict: 'unverifiable',
            reason: `the domain of ${shown === undefined ? 'a label' : `its label ${shown}`} isn't known${why}`,
          },
        ];
      }
      if (owner === undefined || shown === undefined) return [];
      const data = { group: resourceName(nodeGroup), label: shown, ...code };
      if (owner === 'kubelet' && nodeGroup.dialect.name === 'eksctl')
        return [{ ...common, verdict: 'fail', message: 'group', data: { ...data, effect: BY_EKSCTL } }];
      if (owner === 'eks') return [{ ...common, verdict: 'fail', message: 'eks', severity: 'warning', data }];
      if (!bringsOwnAmi(nodeGroup, model)) {
        return [
          {
            ...common,
            verdict: 'fail',
            message: 'group',
            data: {
              ...data,
              effect:
                "kubelet exits on it, so no node of the group joins the cluster, if EKS doesn't refuse the group to begin with.",
            },
          },
        ];
      }
      const effect =
        "kubelet would exit on it; what EKS does with the labels of a group whose launch template brings the AMI isn't documented.";
      return [{ ...common, verdict: 'fail', message: 'group', severity: 'warning', data: { ...data, effect } }];
    },
  );
}

/** Whether a label of user data is one of the group, which the tool that wrote it there refuses. */
function isOfGroup(key: string, { boot: { nodeGroup: group } }: BootCase): boolean {
  if (group.kind !== 'node-group' || group.dialect.name !== 'eksctl' || group.labels.kind !== 'known') return false;
  return group.labels.value.some((label) => label.key.kind === 'known' && label.key.value === key);
}

/** A key as it is written; undefined if nothing is known of it. */
function shownKey(key: Exclude<Plain<string>, { readonly kind: 'absent' }>): string | undefined {
  return key.kind === 'known' ? key.value : key.text;
}

/** Whether EKS has no part in the bootstrap of a group, whatever conditions say. */
function bringsOwnAmi(nodeGroup: NodeGroup, model: EksModel): boolean {
  const boots = launchesOfGroup(nodeGroup, model.viewOf(nodeGroup)).flatMap((launch) => bootCasesOf(launch));
  return boots.length > 0 && boots.every(({ bootstrapBy }) => bootstrapBy === 'user');
}

function judgeOwnLabel(
  label: UserDataLabel,
  all: readonly UserDataLabel[],
  when: When,
): readonly LaunchOutcome<Message>[] {
  const { key, shown, setting, source, line } = label;
  const owner = labelMaybeReservedBy(key);
  if (owner === 'unknown')
    return [
      {
        verdict: 'unverifiable',
        reason: `the domain of the label ${shown} on line ${line} of its user data isn't known`,
        source,
        when,
      },
    ];
  if (owner !== 'kubelet') return [];
  return [
    {
      verdict: 'fail',
      message: 'userData',
      data: { label: shown, name: nameIn(shown), setting, line: String(line) },
      about: shown,
      source,
      when,
      corrected: corrected(label, all),
    },
  ];
}

/** The line with the domain that kubelet accepts; whatever else is wrong in it as well, because several findings print the same line. */
function corrected({ body, line }: UserDataLabel, all: readonly UserDataLabel[]): CorrectedLines | undefined {
  const wrong = all.filter(
    (one) => one.body === body && one.line === line && labelMaybeReservedBy(one.key) === 'kubelet',
  );
  const corrections = wrong.map(({ shown, offset }) => {
    const start = body.text.indexOf(shown, offset);
    return { start, end: start + shown.lastIndexOf('/'), text: 'node.kubernetes.io' };
  });
  // A key that is quoted or put together stands otherwise in the text.
  const isPlain = wrong.every(({ offset }, index) => [0, 1].includes((corrections[index]?.start ?? -1) - offset));
  const inOrder = corrections.sort((one, other) => one.start - other.start);
  return isPlain ? correctedLines(body, ...inOrder) : undefined;
}

function nameIn(label: string): string {
  return label.slice(label.lastIndexOf('/') + 1);
}
