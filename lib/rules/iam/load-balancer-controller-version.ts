import { defineRule, resourceName, type Judgement } from '../../engine';
import { casesOf, controllersOf, dataAt, type ClusterView, type Controller } from '../../eks';
import {
  compareVersions,
  leastLoadBalancerController,
  newestLoadBalancerControllerChart,
  parseMinor,
} from '../../knowledge';

/*
 * Older versions of the controller use objects in API versions that newer ones of Kubernetes don't have any more.
 * Source: Amazon EKS user guide, "Update existing cluster to new Kubernetes version"; the controller's docs/deploy/installation.md.
 */

type Message = 'old-chart' | 'old-image' | 'old-kubernetes';

const text =
  'The AWS Load Balancer Controller of {{installer}} is {{version}} ({{because}}), but cluster {{cluster}} runs Kubernetes {{kubernetes}}, {{effect}}';

/** The first version that Kubernetes 1.22 serves all that it needs. */
const FIRST_WITHOUT_OLD_INGRESS = '2.4.1';
/** The first version for which Kubernetes has to be 1.22 or newer. */
const FIRST_FOR_1_22 = '2.5.0';
const NEWER_KUBERNETES = 22;

export const loadBalancerControllerVersion = defineRule<Message>({
  id: 'load-balancer-controller-version',
  subject: 'iam',
  title: 'The AWS Load Balancer Controller runs on the Kubernetes version of its cluster',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'old-chart': {
      text,
      fix: {
        summary:
          'Install a newer chart, {{newest}} for example, whose role needs the policy of that version, and apply its custom resource definitions first: Helm leaves those that are there as they are.',
        code: {
          cloudformation: 'Version: {{newest}}',
          'aws-cdk': "version: '{{newest}}',",
          terraform: 'version = "{{newest}}"',
        },
        safety: 'needs-decision',
      },
    },
    'old-image': {
      text,
      fix: {
        summary:
          'Run an image of v{{least}} or newer, with the custom resource definitions and the policy of that version.',
        safety: 'needs-decision',
      },
    },
    'old-kubernetes': {
      text: 'The AWS Load Balancer Controller of {{installer}} is {{version}} ({{because}}), which needs Kubernetes 1.22 or newer, but cluster {{cluster}} runs {{kubernetes}}.',
      fix: { summary: 'Upgrade the cluster, one minor version at a time.', safety: 'needs-decision' },
    },
  },
  *check(model) {
    for (const view of model.clusterViews)
      for (const controller of controllersOf(view))
        if (controller.software === 'aws-load-balancer-controller') yield* judge(controller, view);
  },
});

function* judge(controller: Controller, { cluster, name }: ClusterView): Generator<Judgement<Message>> {
  const { resource } = controller;
  if (cluster === undefined) {
    yield {
      verdict: 'unverifiable',
      resource,
      reason: `which version it has to be depends on the Kubernetes version, and cluster ${name} is not part of the input`,
    };
    return;
  }
  for (const { when: given, values } of casesOf(resource, {
    version: controller.version,
    kubernetes: cluster.version,
  })) {
    const { version, kubernetes } = values;
    const when = cluster.exists.and(given);
    if (when === undefined) continue;
    const open = [version, kubernetes].find(({ kind }) => kind !== 'known');
    if (version.kind !== 'known' || kubernetes.kind !== 'known' || parseMinor(kubernetes.value) === undefined) {
      yield {
        verdict: 'unverifiable',
        resource,
        when,
        reason: `whether it runs on the cluster's Kubernetes version is not known: ${open?.kind === 'unknown' ? open.reason : 'the cluster declares none'}`,
      };
      continue;
    }
    const least = leastLoadBalancerController(kubernetes.value);
    const isOldKubernetes =
      (parseMinor(kubernetes.value) ?? NEWER_KUBERNETES) < NEWER_KUBERNETES &&
      compareVersions(version.value, FIRST_FOR_1_22) >= 0;
    const isOld = least !== undefined && compareVersions(version.value, least) < 0;
    if (!isOld && !isOldKubernetes) {
      yield { verdict: 'pass', resource, when };
      continue;
    }
    // From there on only EndpointSlices, off by default, are asked for in a version that Kubernetes 1.25 doesn't have.
    const isSlices = isOld && compareVersions(version.value, FIRST_WITHOUT_OLD_INGRESS) >= 0;
    const isMild = isSlices && !asksForSlices(controller);
    const isByChart = version.note?.startsWith('chart ') === true;
    yield {
      verdict: 'fail',
      resource,
      when,
      source: version.source,
      message: isOldKubernetes ? 'old-kubernetes' : isByChart ? 'old-chart' : 'old-image',
      severity: isMild ? 'warning' : 'error',
      data: {
        installer: resourceName(resource),
        version: version.value,
        because: version.note ?? 'its image',
        cluster: resourceName(cluster),
        kubernetes: kubernetes.value,
        least: least ?? '',
        effect: isMild
          ? `which no longer has the version of EndpointSlices that it asks for. That bites only with \`enableEndpointSlices\`, which is off unless it is set: load balancers then get no targets. AWS asks for ${least} or newer.`
          : `for which it has to be ${least ?? ''} or newer: it asks for API versions that the cluster no longer has, and ${isSlices ? 'load balancers get no targets' : 'load balancers are neither made nor kept up'}.`,
        newest: newestLoadBalancerControllerChart(2)?.chart ?? '',
      },
      related: [{ message: `${resourceName(cluster)} runs ${kubernetes.value}`, source: kubernetes.source }],
    };
  }
}

/** Whether it is told to read targets from EndpointSlices. */
function asksForSlices({ values, args }: Controller): boolean {
  return (
    dataAt(values, 'enableEndpointSlices') === true ||
    args.includes('--enable-endpoint-slices') ||
    args.includes('--enable-endpoint-slices=true')
  );
}
