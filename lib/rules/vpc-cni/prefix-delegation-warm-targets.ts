// With prefix delegation the CNI keeps whole prefixes ready, by one of three targets; with none above 0 aws-node refuses to start.
// Source: aws/amazon-vpc-cni-k8s, cmd/aws-vpc-cni/main.go.
import { defineRule } from '../../engine';
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
  symptom: [
    'All aws-node pods go into `CrashLoopBackOff` with `Setting WARM_PREFIX_TARGET = 0 is not supported while WARM_IP_TARGET/MINIMUM_IP_TARGET is not set`. Running pods keep their',
    'addresses; new pods stay `ContainerCreating`, and new nodes never become `Ready`.',
  ].join('\n'),
  why: [
    'In this mode the CNI allocates prefixes of 16 addresses ahead of demand. `WARM_PREFIX_TARGET` says how many, `WARM_IP_TARGET` and `MINIMUM_IP_TARGET` say it in addresses and win over it. The add-on',
    'and the Helm chart bring `WARM_PREFIX_TARGET: "1"`, so it takes an explicit `"0"`, often copied from a setup without prefix delegation, to have none. In IPv6 clusters EKS turns prefix',
    'delegation on by itself, and the check is the same.',
  ].join('\n'),
  limits:
    'The add-on and the Helm chart aws-vpc-cni are judged; an own manifest of the DaemonSet, and what kubectl changed, are not. Values of `extraEnv` count.',
  ignore: 'Never with an unmodified CNI: it does not start.',
  sources: [
    {
      title: 'aws/amazon-vpc-cni-k8s: cmd/aws-vpc-cni/main.go, validateEnvVars',
      url: 'https://github.com/aws/amazon-vpc-cni-k8s/blob/master/cmd/aws-vpc-cni/main.go',
    },
    {
      title: 'aws/amazon-vpc-cni-k8s: docs/prefix-and-ip-target.md',
      url: 'https://github.com/aws/amazon-vpc-cni-k8s/blob/master/docs/prefix-and-ip-target.md',
    },
    {
      title: 'Amazon EKS user guide: assign more IP addresses to nodes with prefixes',
      url: 'https://docs.aws.amazon.com/eks/latest/userguide/cni-increase-ip-addresses-procedure.html',
    },
  ],
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
      return [{ verdict: 'unverifiable', reason: targets.reason }];
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
