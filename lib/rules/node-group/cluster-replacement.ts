import { defineRule, resourceName, type Judgement } from '../../engine';
import { beforeOf, type Cluster } from '../../eks';
import { judgeCases, type Outcome } from '../parts/case-judgements';
import { attributesText } from './parts/replaced-group';

/*
 * Some attributes of a cluster can't be changed, so that a plan deletes it and creates another.
 * Source: AWS provider, aws_eks_cluster; EKS API, DeleteCluster; hashicorp/terraform-provider-aws, issue 39137.
 */

const FIX = {
  summary: summaryWith('bootstrap_self_managed_addons'),
  summaryIn: { pulumi: summaryWith('bootstrapSelfManagedAddons') },
  code: {
    terraform: ['lifecycle {', '  ignore_changes  = [{{attributes}}]', '  prevent_destroy = true', '}'].join('\n'),
  },
  safety: 'needs-decision',
} as const;

/** @param argument that counts on creation alone */
function summaryWith(argument: string): string {
  return `Undo the change of {{because}}. One that only says how the cluster was created, such as \`${argument}\`, can be ignored from now on; for one that is needed, create a second cluster and move the workloads.`;
}

export const clusterReplacement = defineRule<Message>({
  id: 'cluster-replacement',
  subject: 'node-group',
  title: 'No change replaces a cluster that exists',
  severity: 'error',
  since: '0.1.0',
  messages: {
    destroyed: {
      text: 'Cluster "{{cluster}}" is replaced because of {{because}}: EKS deletes its control plane with every Kubernetes object in it. The new one has another endpoint and OIDC issuer, which nodes and IAM roles don\'t know.',
      fix: FIX,
    },
    nameTaken: {
      text: 'Cluster "{{cluster}}" is replaced because of {{because}}, and the new one is created while the old one still has the name "{{name}}", which EKS refuses. Deleted first, the cluster would take every Kubernetes object with it.',
      fix: FIX,
    },
  },
  *check(model) {
    for (const cluster of model.clusters) yield* judge(cluster);
  },
});

type Message = 'destroyed' | 'nameTaken';

function judge(cluster: Cluster): Iterable<Judgement<Message>> {
  const { planned } = cluster;
  const before = beforeOf(cluster);
  if (planned === undefined || before === undefined) return [];
  // Nothing forces it, so it is meant.
  if (planned.action !== 'replace' || planned.replacedBecause.length === 0)
    return [{ verdict: 'pass', resource: cluster }];
  const data = {
    cluster: resourceName(cluster),
    because: attributesText(planned.replacedBecause),
    attributes: planned.replacedBecause.join(', '),
  };
  const values = { name: cluster.name, before: before.name };
  return judgeCases(cluster, values, ({ name, before: old }): readonly Outcome<Message>[] =>
    planned.isCreatedFirst && name.kind === 'known' && old.kind === 'known' && name.value === old.value
      ? [{ verdict: 'fail', message: 'nameTaken', data: { ...data, name: name.value } }]
      : [{ verdict: 'fail', message: 'destroyed', data }],
  );
}
