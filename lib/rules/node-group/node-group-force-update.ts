import { defineRule, resourceName } from '../../engine';
import { judgeCases, undecided, type Outcome } from '../parts/case-judgements';
import { LATER_UPDATES } from '../parts/repair-effects';

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
  isAboutCode: true,
  messages: {
    forced: {
      text: 'Node group "{{group}}" updates with force{{origin}}: pods that a PodDisruptionBudget holds back for 15 minutes are deleted anyway, so an update can take down a whole workload.',
      fix: {
        summary: "Turn force off, and let an update that can't drain fail with `PodEvictionFailure`.",
        code: {
          cloudformation: 'ForceUpdateEnabled: false',
          'aws-cdk': 'forceUpdate: false,',
          terraform: 'force_update_version = false',
        },
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'forceUpdate', to: false }],
        effect: LATER_UPDATES,
      },
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) {
      yield* judgeCases(nodeGroup, { force: nodeGroup.forceUpdate }, ({ force }): readonly Outcome<'forced'>[] => {
        if (force.kind === 'absent' || (force.kind === 'known' && !force.value)) return [{ verdict: 'pass' }];
        if (force.kind === 'unknown') return [undecided("whether updates are forced isn't known", force)];
        const isByCdk = nodeGroup.dialect.fixes.isByConstruct?.(nodeGroup) === true;
        const origin = isByCdk ? ' (what CDK writes unless `forceUpdate` is false)' : '';
        const data = { group: resourceName(nodeGroup), origin };
        return [{ verdict: 'fail', message: 'forced', source: force.source, data }];
      });
    }
  },
});
