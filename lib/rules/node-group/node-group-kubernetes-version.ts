import { defineRule, resourceName, type Judgement } from '../../engine';
import { parseMinor } from '../../knowledge';
import {
  Absent,
  bootsByResource,
  casesOf,
  doubtOf,
  flatMapCases,
  launchTemplateOf,
  under,
  whereExists,
  type Cluster,
  type EksModel,
  type LaunchTemplate,
  type NodeBoot,
  type NodeGroup,
  type Plain,
  type When,
} from '../../eks';
import { judgeCases, undecided, unverifiable, type Outcome } from '../parts/case-judgements';
import { judgeLaunches, type LaunchOutcome } from '../parts/launch-judgements';

/*
 * A kubelet may be older than the API server, by some minor versions, but never newer. EKS is stricter with a new group:
 * it takes the version of the cluster only.
 * Source: EKS API, CreateNodegroup and UpdateNodegroupVersion; Kubernetes, version skew policy.
 */

/** How many minor versions a kubelet may lag, from this version of the API server on and before. */
const SKEW = { from: 28, lag: 3, lagBefore: 2 } as const;

const GROUP_FOLLOWS =
  'leaves the version of the group to EKS, which creates it with that of the cluster and updates it when it is asked to';

const CODE = {
  cloudformation: "# leave Version out: the group then follows its cluster, or write\nVersion: '{{cluster}}'",
  'aws-cdk':
    "// leave `version` (CfnNodegroup) out: the group then follows its cluster, or write\nversion: '{{cluster}}',",
  terraform: 'version = aws_eks_cluster.main.version',
};

export const nodeGroupKubernetesVersion = defineRule<Message>({
  id: 'node-group-kubernetes-version',
  subject: 'node-group',
  title: 'The Kubernetes version of a node group fits its cluster',
  severity: 'error',
  since: '0.1.0',
  messages: {
    ahead: {
      text: 'Node group "{{group}}" asks for Kubernetes {{version}}, but its cluster has {{cluster}}. EKS refuses nodes that are newer than the control plane.',
      fix: {
        summary: 'Upgrade the cluster first, or leave the version of the group out.',
        code: CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'remove', field: 'version' }],
        effect: GROUP_FOLLOWS,
      },
    },
    tooOld: {
      text: 'Node group "{{group}}" has Kubernetes {{version}}, {{lag}} minor versions behind its cluster ({{cluster}}), and a kubelet may lag by {{allowed}} at most. EKS can\'t create the group, and nodes that exist aren\'t supported by the control plane.',
      fix: {
        summary: 'Update the group to the version of its cluster, or replace it by a new one.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    refused: {
      text: 'Node group "{{group}}" is created with Kubernetes {{version}} in a cluster with {{cluster}}. EKS creates a group only with the version of its cluster, so the apply stops.',
      fix: {
        summary: 'Give the group the version of its cluster, or leave its version out.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    behind: {
      text: 'Node group "{{group}}" has Kubernetes {{version}} and its cluster {{cluster}}. EKS refuses to create a group that is behind its cluster; one that exists keeps its old version until it is updated.',
      fix: {
        summary: 'Update the group to the version of its cluster, or leave its version out.',
        code: CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'remove', field: 'version' }],
        effect: GROUP_FOLLOWS,
      },
    },
    imageAhead: {
      text: '{{where}} starts nodes with Kubernetes {{version}} (AMI `{{image}}`), but their cluster has {{cluster}}. Kubernetes supports no kubelet that is newer than the control plane.',
      fix: {
        summary: 'Take the AMI of Kubernetes {{cluster}}, or upgrade the cluster first.',
        summaryIn: { eksctl: 'Write the version of the cluster, {{cluster}}, or `auto`, which takes it over.' },
        safety: 'needs-decision',
      },
    },
    imageTooOld: {
      text: '{{where}} starts nodes with Kubernetes {{version}} (AMI `{{image}}`), {{lag}} minor versions behind their cluster ({{cluster}}). A kubelet may lag by {{allowed}} at most.',
      fix: {
        summary: 'Take the AMI of Kubernetes {{cluster}}.',
        summaryIn: { eksctl: 'Write the version of the cluster, {{cluster}}, or `auto`, which takes it over.' },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) {
      if (nodeGroup.version.kind === 'absent') yield { verdict: 'pass', resource: nodeGroup };
      else yield* judge(nodeGroup, model);
    }
    yield* judgeLaunches(bootsByResource(model), judgeImage);
  },
});

type Message = 'imageAhead' | 'imageTooOld' | 'ahead' | 'tooOld' | 'refused' | 'behind';

function judge(nodeGroup: NodeGroup, model: EksModel): Iterable<Judgement<Message>> {
  const { cluster, name } = model.viewOf(nodeGroup);
  const values = {
    own: nodeGroup.version,
    ofCluster: cluster?.version ?? new Absent(nodeGroup.source),
    template: launchTemplateOf(nodeGroup),
  };
  return judgeCases(nodeGroup, values, ({ own, ofCluster, template }, given) =>
    withoutImage(nodeGroup, template, given).map((when) => ({
      ...judgeVersion({ nodeGroup, cluster, clusterName: name }, own, ofCluster),
      when,
    })),
  );
}

/** The cases in which the group has no AMI of its own; one in a launch template that can't be seen doesn't count. */
function withoutImage(nodeGroup: NodeGroup, template: Plain<LaunchTemplate>, given: When): readonly When[] {
  if (template.kind !== 'known') return [given];
  return casesOf(nodeGroup, { image: template.value.imageId }, given).flatMap(({ when, values: { image } }) =>
    image.kind === 'absent' ? [when] : [],
  );
}

/** The version of an AMI that a launch template looks up, against that of the cluster. */
function judgeImage({ nodeGroup, view, template, when: given }: NodeBoot): readonly LaunchOutcome<Message>[] {
  if (template.kind !== 'known' || view.cluster === undefined) return [];
  const values = {
    image: under(given, whereExists(nodeGroup, template.value.imageId)),
    cluster: whereExists(nodeGroup, view.cluster.version),
  };
  return flatMapCases(values, ({ image, cluster }, caseWhen): readonly LaunchOutcome<Message>[] => {
    const when = given.and(caseWhen);
    if (
      when === undefined ||
      image.kind !== 'known' ||
      image.value.kubernetesVersion === undefined ||
      cluster.kind !== 'known'
    )
      return [];
    const { text, kubernetesVersion: version } = image.value;
    const minor = parseMinor(version);
    const clusterMinor = parseMinor(cluster.value);
    if (
      minor === undefined ||
      clusterMinor === undefined ||
      doubtOf(image, when) !== undefined ||
      doubtOf(cluster, when) !== undefined
    )
      return [];
    const lag = clusterMinor - minor;
    const allowed = allowedLag(clusterMinor);
    if (lag >= 0 && lag <= allowed) return [];
    const data = { image: text, version, cluster: cluster.value, lag: String(lag), allowed: String(allowed) };
    const related = [{ message: `version of the cluster: ${cluster.value}`, source: cluster.source }];
    return [
      {
        verdict: 'fail',
        message: lag < 0 ? 'imageAhead' : 'imageTooOld',
        severity: 'warning',
        source: image.source,
        data,
        related,
        when,
      },
    ];
  });
}

function allowedLag(clusterMinor: number): number {
  return clusterMinor < SKEW.from ? SKEW.lagBefore : SKEW.lag;
}

interface Group {
  readonly nodeGroup: NodeGroup;
  readonly cluster: Cluster | undefined;
  readonly clusterName: string;
}

function judgeVersion(
  { nodeGroup, cluster, clusterName }: Group,
  own: Plain<string>,
  ofCluster: Plain<string>,
): Outcome<Message> {
  if (own.kind === 'absent') return { verdict: 'pass' };
  if (cluster === undefined)
    return unverifiable(`it has a version, and cluster ${clusterName} is not part of the input`, own.source);
  if (ofCluster.kind === 'absent')
    return unverifiable(`it has a version, and cluster ${resourceName(cluster)} declares none`, own.source);
  if (isSame(own, ofCluster, nodeGroup.stack === cluster.stack)) return { verdict: 'pass' };
  if (own.kind === 'unknown') return undecided("its Kubernetes version isn't known", own);
  if (ofCluster.kind === 'unknown')
    return unverifiable(`the version of its cluster isn't known: ${ofCluster.reason}`, own.source);
  const minor = parseMinor(own.value);
  const clusterMinor = parseMinor(ofCluster.value);
  // What the API makes of `v1.33` or `1.33.2` isn't documented.
  if (minor === undefined) return unverifiable(noVersion(own.value), own.source);
  if (clusterMinor === undefined)
    return unverifiable(`the version of its cluster can't be told: ${noVersion(ofCluster.value)}`, own.source);
  const lag = clusterMinor - minor;
  const allowed = allowedLag(clusterMinor);
  const fail = {
    verdict: 'fail',
    source: own.source,
    data: {
      group: resourceName(nodeGroup),
      version: own.value,
      cluster: ofCluster.value,
      lag: String(lag),
      allowed: String(allowed),
    },
    related: [{ message: `version of the cluster: ${ofCluster.value}`, source: ofCluster.source }],
  } as const;
  if (lag < 0) return { ...fail, message: 'ahead' };
  if (lag > allowed) return { ...fail, message: 'tooOld' };
  const { planned } = nodeGroup;
  return planned?.action === 'create' || planned?.action === 'replace'
    ? { ...fail, message: 'refused' }
    : { ...fail, message: 'behind', severity: 'warning' };
}

/** Whether both are the same text, known or not; what a symbol stands for may differ from stack to stack. */
function isSame(own: Plain<string>, ofCluster: Plain<string>, inOneStack: boolean): boolean {
  if (own.kind === 'known' && ofCluster.kind === 'known') return own.value === ofCluster.value;
  return (
    inOneStack &&
    own.kind === 'unknown' &&
    ofCluster.kind === 'unknown' &&
    own.symbol !== undefined &&
    own.symbol === ofCluster.symbol
  );
}

function noVersion(text: string): string {
  return `"${text.slice(0, 40)}" is no version like 1.33`;
}
