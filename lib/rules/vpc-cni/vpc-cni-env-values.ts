// The API takes any text for most variables of the VPC CNI; what the programs can't read they ignore, or exit over, on the nodes.
// Source: aws/amazon-vpc-cni-k8s, cmd/aws-vpc-cni/main.go and utils/utils.go.
import { defineRule } from '../../engine';
import type { EksModel } from '../../eks';
import { prefixWarmTargets, WARM_TARGETS } from '../../eks/networking/cni-environment';
import { cniValueReport, type CniValueProblem } from '../../eks/networking/cni-values';
import { judgeCniSettings, type CniOutcome, type JudgedCase } from './parts/cni-judgements';
import { unverifiable } from '../parts/case-judgements';

type MessageId = CniValueProblem['effect'];

const write = { summary: 'Write {{allowed}} for `{{path}}`, or leave it out.', safety: 'needs-decision' } as const;

export const vpcCniEnvValues = defineRule<MessageId>({
  id: 'vpc-cni-env-values',
  subject: 'vpc-cni',
  title: 'The values of the VPC CNI settings can be read by the CNI',
  severity: 'error',
  since: '0.1.0',
  messages: {
    exits: {
      text: '{{what}} sets {{path}} to {{found}}, which {{defect}}: aws-node exits at start on every node (CrashLoopBackOff), so new nodes stay NotReady and new pods get no address.',
      fix: write,
    },
    'exits-later': {
      text: '{{what}} sets {{path}} to {{found}}, which {{defect}}. As soon as ENABLE_POD_ENI is "true", aws-node exits at start on every node.',
      fix: write,
    },
    stops: {
      text: '{{what}} sets {{path}} to {{found}}, which {{defect}}: ipamd stops on every node ("IPv6 is supported only in Prefix Delegation mode"), aws-node never becomes ready, and neither does a new node.',
      fix: write,
    },
    ignored: {
      text: '{{what}} sets {{path}} to {{found}}, which {{defect}}: {{consequence}}.',
      fix: write,
    },
  },
  *check(model: EksModel) {
    yield* judgeCniSettings<MessageId>(model, judge);
  },
});

function judge({ settings, addon, ipFamily }: JudgedCase): readonly CniOutcome<MessageId>[] {
  const managed = addon !== undefined;
  const { problems, doubts, judged } = cniValueReport(settings, { ipFamily, schemaFirst: managed });
  // A target that prefix delegation lacks is one defect, whatever is wrong with its value.
  const isTold = prefixWarmTargets(settings, ipFamily, managed).kind === 'missing';
  const outcomes = problems
    .filter(({ path }) => !isTold || !WARM_TARGETS.some((name) => path === `env.${name}`))
    .map(({ path, found, defect, consequence, allowed, effect }): CniOutcome<MessageId> => {
      return {
        verdict: 'fail',
        message: effect,
        ...(effect === 'exits' || effect === 'stops' ? {} : { severity: 'warning' }),
        data: { path, found, defect, consequence, allowed },
        about: path,
      };
    });
  if (doubts.length > 0) return [...outcomes, unverifiable(doubts.join('; '))];
  return outcomes.length === 0 && judged > 0 ? [{ verdict: 'pass' }] : outcomes;
}
