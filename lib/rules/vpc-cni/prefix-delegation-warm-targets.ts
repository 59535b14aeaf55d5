// With prefix delegation the CNI keeps whole prefixes ready, by one of three targets; with none above 0 aws-node refuses to start.
// Source: aws/amazon-vpc-cni-k8s, cmd/aws-vpc-cni/main.go.
import { defineRule } from '../../engine';
import { unverifiable } from '../parts/case-judgements';
import { ADDON_ROLLS } from '../parts/repair-effects';
import type { EksModel } from '../../eks';
import { prefixWarmTargets } from '../../eks/networking/cni-environment';
import { judgeCniSettings, type CniOutcome, type JudgedCase } from './parts/cni-judgements';

type MessageId = 'no-target';

export const prefixDelegationWarmTargets = defineRule<MessageId>({
  id: 'prefix-delegation-warm-targets',
  subject: 'vpc-cni',
  title: 'Prefix delegation has a warm target above 0',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'no-target': {
      text: '{{what}} has prefix delegation {{why}} with {{found}}, and no other warm target above 0: aws-node exits at start on every node (CrashLoopBackOff), so new nodes stay NotReady and new pods get no address.',
      fix: {
        summary: 'Set `WARM_PREFIX_TARGET` to `"1"`, or to save addresses `WARM_IP_TARGET` and `MINIMUM_IP_TARGET`.',
        code: {
          cloudformation:
            'ConfigurationValues: \'{"env":{"ENABLE_PREFIX_DELEGATION":"true","WARM_PREFIX_TARGET":"1"}}\'',
          'aws-cdk': "configurationValues: { env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '1' } },",
          terraform:
            'configuration_values = jsonencode({ env = { ENABLE_PREFIX_DELEGATION = "true", WARM_PREFIX_TARGET = "1" } })',
        },
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'env.WARM_PREFIX_TARGET', to: '"1"' }],
        effect: ADDON_ROLLS,
      },
    },
  },
  *check(model: EksModel) {
    yield* judgeCniSettings<MessageId>(model, judge);
  },
});

function judge({ settings, addon, ipFamily }: JudgedCase): readonly CniOutcome<MessageId>[] {
  const targets = prefixWarmTargets(settings, ipFamily, addon !== undefined);
  switch (targets.kind) {
    case 'not-needed':
      return [];
    case 'set':
      return [{ verdict: 'pass' }];
    case 'unknown':
      return [unverifiable(targets.reason)];
    case 'missing': {
      const isWritten = settings.switch('env.ENABLE_PREFIX_DELEGATION').kind === 'on';
      return [
        {
          verdict: 'fail',
          message: 'no-target',
          data: { found: targets.found, why: isWritten ? 'on' : 'on (EKS sets it in IPv6 clusters)' },
        },
      ];
    }
  }
}
