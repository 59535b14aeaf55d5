import { defineRule, resourceName, type Judgement } from '../../engine';
import { parseMinor } from '../../knowledge';
import { beforeOf, type Cluster, type Plain } from '../../eks';
import { judgeCases, undecided, unverifiable, type Outcome } from '../parts/case-judgements';

/*
 * EKS updates a control plane by one minor version at a time, and takes it back by one, for seven days after the update.
 * Source: EKS user guide, "Update existing cluster to new Kubernetes version" and "Rollback cluster to previous Kubernetes version".
 */

const CODE = {
  cloudformation: "Version: '{{next}}'",
  'aws-cdk': "version: eks.KubernetesVersion.of('{{next}}'),",
  terraform: 'version = "{{next}}"',
};

const KEPT = {
  cloudformation: "Version: '{{before}}'",
  'aws-cdk': "version: eks.KubernetesVersion.of('{{before}}'),",
  terraform: 'version = "{{before}}"',
};

export const clusterVersionStep = defineRule<Message>({
  id: 'cluster-version-step',
  subject: 'node-group',
  title: 'A cluster that exists changes its Kubernetes version by one minor version at a time',
  severity: 'error',
  since: '0.1.0',
  messages: {
    skips: {
      text: 'Cluster "{{cluster}}" is updated from Kubernetes {{before}} to {{version}}, but EKS updates a control plane by one minor version at a time: the deployment stops with "Unsupported Kubernetes minor version update from {{before}} to {{version}}".',
      fix: {
        summary: 'Update to {{next}} first, with its own deployment, then nodes and add-ons, and go on from there.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
    backwards: {
      text: 'Cluster "{{cluster}}" goes back from Kubernetes {{before}} to {{version}}. EKS rolls a control plane back by one minor version at most, so the deployment stops.',
      fix: {
        summary:
          'Keep {{before}}, or create a cluster with Kubernetes {{version}} next to this one and move the workloads.',
        code: KEPT,
        safety: 'needs-decision',
      },
    },
    rollback: {
      text: 'Cluster "{{cluster}}" goes back from Kubernetes {{before}} to {{version}}. EKS does so only within seven days after the update in place, and leaves node groups and add-ons at the newer version.',
      fix: {
        summary:
          'Keep {{before}} unless the rollback is meant; then bring node groups and add-ons back to {{version}} first.',
        code: KEPT,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const cluster of model.clusters) yield* judge(cluster);
  },
});

type Message = 'skips' | 'backwards' | 'rollback';

function judge(cluster: Cluster): Iterable<Judgement<Message>> {
  const before = beforeOf(cluster);
  if (before === undefined || cluster.planned === undefined || cluster.planned.action === 'replace') return [];
  return judgeCases(cluster, { version: cluster.version, before: before.version }, (values) => [
    judgeStep(cluster, values.before, values.version),
  ]);
}

function judgeStep(cluster: Cluster, before: Plain<string>, version: Plain<string>): Outcome<Message> {
  // Nothing is asked for, so the version stays.
  if (version.kind === 'absent') return { verdict: 'pass' };
  if (version.kind === 'unknown') return undecided("its Kubernetes version isn't known", version);
  if (before.kind !== 'known')
    return unverifiable(
      `the Kubernetes version that it has now isn't known${before.kind === 'unknown' ? `: ${before.reason}` : ''}`,
      version.source,
    );
  if (before.value === version.value) return { verdict: 'pass' };
  const from = parseMinor(before.value);
  const to = parseMinor(version.value);
  if (from === undefined || to === undefined)
    return unverifiable(
      `"${(to === undefined ? version : before).value.slice(0, 40)}" is no version like 1.33`,
      version.source,
    );
  if (to === from + 1) return { verdict: 'pass' };
  const data = { cluster: resourceName(cluster), before: before.value, version: version.value, next: `1.${from + 1}` };
  const fail = {
    verdict: 'fail',
    source: version.source,
    data,
    related: [{ message: `the version that the cluster has now: ${before.value}`, source: before.source }],
  } as const;
  if (to > from) return { ...fail, message: 'skips' };
  return to === from - 1 ? { ...fail, message: 'rollback', severity: 'warning' } : { ...fail, message: 'backwards' };
}
