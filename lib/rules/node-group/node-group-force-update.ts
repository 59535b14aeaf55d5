import { defineRule, isL1, resourceName } from '../../engine';
import { casesOf } from '../../eks';

/*
 * With force on, a node group update that meets a PodDisruptionBudget deletes the pods anyway. EKS and Terraform have
 * it off by default; CDK's Nodegroup turns it on unless told otherwise.
 * Source: EKS user guide, "Understand each phase of node updates"; aws-cdk-lib, NodegroupOptions.forceUpdate.
 */
export const nodeGroupForceUpdate = defineRule<'forced'>({
  id: 'node-group-force-update',
  subject: 'node-group',
  title: 'Node group updates respect PodDisruptionBudgets',
  severity: 'warning',
  strictSeverity: 'error',
  since: '0.1.0',
  symptom: [
    'During a node group update, all replicas of a workload are gone at once although its PodDisruptionBudget allows one. Nothing fails: the update reports success, and the outage looks like',
    "the workload's own.",
  ].join('\n'),
  why: [
    'An update drains node after node. Without force, a drain that a PodDisruptionBudget blocks for 15 minutes ends the update with `PodEvictionFailure` and the old nodes stay; with force, EKS deletes the',
    'remaining pods and goes on. The EKS API, CloudFormation and Terraform leave force off. The `Nodegroup` construct of the AWS CDK writes `ForceUpdateEnabled: true` unless `forceUpdate: false` is given.',
  ].join('\n'),
  limits:
    "- Scaling down and zone rebalancing don't respect PodDisruptionBudgets with any setting.\n- A forced update that is started by hand is not visible.",
  ignore:
    'For groups whose pods may all go at once, such as batch workers, or where an update must not be held up by a budget that allows no disruption.',
  sources: [
    {
      title: 'Amazon EKS user guide: Understand each phase of node updates',
      url: 'https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html',
    },
    {
      title: 'AWS CDK: NodegroupOptions.forceUpdate',
      url: 'https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.aws_eks.NodegroupOptions.html#forceupdate',
    },
    {
      title: 'AWS CloudFormation: AWS::EKS::Nodegroup, ForceUpdateEnabled',
      url: 'https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-eks-nodegroup.html#cfn-eks-nodegroup-forceupdateenabled',
    },
  ],
  messages: {
    forced: {
      text: 'Node group "{{group}}" updates with force{{origin}}: pods that a PodDisruptionBudget holds back for 15 minutes are deleted anyway, so an update can take down a whole workload.',
      fix: {
        summary: "Turn force off, and let an update that can't drain fail with `PodEvictionFailure`.",
        code: {
          cloudformation: 'ForceUpdateEnabled: false',
          'aws-cdk':
            "forceUpdate: false,\n// or `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk', which has it off",
          terraform: 'force_update_version = false',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) {
      for (const { when, values } of casesOf(nodeGroup, { force: nodeGroup.forceUpdate })) {
        const { force } = values;
        if (force.kind === 'absent' || (force.kind === 'known' && !force.value)) {
          yield { resource: nodeGroup, verdict: 'pass', when };
          continue;
        }
        const common = { resource: nodeGroup, source: force.source, when };
        if (force.kind === 'unknown') {
          yield {
            ...common,
            verdict: 'unverifiable',
            reason: `whether updates are forced isn't known: ${force.reason}`,
          };
        } else {
          const origin =
            nodeGroup.frontEnd === 'aws-cdk' && !isL1(nodeGroup)
              ? ' (what CDK writes unless `forceUpdate` is false)'
              : '';
          yield { ...common, verdict: 'fail', message: 'forced', data: { group: resourceName(nodeGroup), origin } };
        }
      }
    }
  },
});
