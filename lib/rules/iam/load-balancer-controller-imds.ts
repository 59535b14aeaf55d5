import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  alternativesOf,
  amiFamilyOf,
  imdsWorkloadsOf,
  launchTemplateOf,
  runsOnFargate,
  type ClusterView,
  type ImdsWorkload,
} from '../../eks';
import { isPureAutoMode } from '../../eks/analysis/cni';

/*
 * Unless it is told its VPC, the controller asks the instance metadata service when it starts. On Fargate there is none, and on nodes of Auto Mode
 * pods are one hop too far away. Nodes whose hop limit the input tells are judged by imds-hop-limit.
 * Source: kubernetes-sigs/aws-load-balancer-controller, docs/deploy/installation.md; Amazon EKS user guide, "Install AWS Load Balancer Controller
 * with Helm" and "Automate cluster infrastructure with EKS Auto Mode".
 */

type Message = 'fargate' | 'auto-mode';

const fix = {
  summary: 'Give the controller {{settings}}, so that it asks for nothing.',
  safety: 'needs-decision',
} as const;

export const loadBalancerControllerImds = defineRule<Message>({
  id: 'load-balancer-controller-imds',
  subject: 'iam',
  title: "The AWS Load Balancer Controller is told what it can't look up",
  severity: 'error',
  since: '0.1.0',
  messages: {
    fargate: {
      text: '{{controller}} {{lack}} runs on Fargate, where there is no instance metadata service: it ends at start-up{{symptom}}, and no load balancer is made.',
      fix,
    },
    'auto-mode': {
      text: '{{controller}} {{lack}} runs on nodes of Auto Mode, where pods are one hop too far away from the instance metadata service and nobody can change that: it ends at start-up{{symptom}}, and no load balancer is made.',
      fix: {
        ...fix,
        summary:
          'Give the controller {{settings}}, so that it asks for nothing. Auto Mode makes load balancers by itself; without other nodes the controller may be superfluous.',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews)
      for (const workload of imdsWorkloadsOf(view))
        if (workload.name === 'AWS Load Balancer Controller') yield* judge(workload, view);
  },
});

function* judge(workload: ImdsWorkload, view: ClusterView): Generator<Judgement<Message>> {
  const { resource, lack, isOpen, scheduling, name } = workload;
  if (isOpen === true) return;
  if (lack === undefined) {
    yield { verdict: 'pass', resource };
    return;
  }
  const fargate = runsOnFargate(view, scheduling, resource.exists);
  const place = fargate === 'yes' ? 'fargate' : fargate === 'no' && isPureAutoMode(view) ? 'auto-mode' : undefined;
  if (place !== undefined) {
    yield {
      verdict: 'fail',
      resource,
      message: place,
      severity: place === 'fargate' ? 'error' : 'warning',
      data: {
        controller: `${name} ("${resourceName(resource)}")`,
        lack: lack.text,
        symptom: lack.symptom === undefined ? '' : ` with \`${lack.symptom}\``,
        settings:
          'kind' in resource && resource.kind === 'manifest'
            ? '`--aws-vpc-id` and `--aws-region`'
            : '`vpcId` and `region`',
      },
    };
    return;
  }
  const doubt = fargate === 'maybe' ? 'whether it runs on Fargate is not known' : doubtOfNodes(view);
  if (doubt !== undefined)
    yield {
      verdict: 'unverifiable',
      resource,
      reason: `the controller runs ${lack.text} and reads instance metadata, for which pods need a hop limit of 2: ${doubt}`,
    };
}

/** Why the hop limit of the nodes isn't known; undefined if the groups tell it, of which imds-hop-limit speaks. */
function doubtOfNodes(view: ClusterView): string | undefined {
  const groups = [...view.nodeGroups, ...view.selfManagedNodeGroups];
  if (groups.length === 0) return 'its nodes are not part of the input';
  const open = groups.find((group) =>
    alternativesOf(launchTemplateOf(group)).some(
      ({ value }) =>
        value.kind === 'unknown' ||
        (value.kind === 'known' &&
          alternativesOf(value.value.metadata.hopLimit).some(({ value: hop }) => hop.kind === 'unknown')) ||
        (value.kind === 'absent' &&
          alternativesOf(amiFamilyOf(group, view)).some(({ value: family }) => family.kind === 'unknown')),
    ),
  );
  return open === undefined ? undefined : `that of node group "${resourceName(open)}" is not known`;
}
