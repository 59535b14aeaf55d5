// Network policies of the VPC CNI are enforced by the node agent with eBPF programs on the pods' interfaces; some settings take the
// agent away, or put other programs in its place. Source: aws/amazon-vpc-cni-k8s, README.
import { defineRule } from '../../engine';
import { unverifiable } from '../parts/case-judgements';
import { ADDON_ROLLS } from '../parts/repair-effects';
import type { EksModel } from '../../eks';
import { awsNodeSetting } from '../../eks/networking/cni-environment';
import { parseSwitch, type CniSettings, type CniSwitch } from '../../eks/networking/cni-settings';
import { judgeCniSettings, type CniOutcome, type JudgedCase } from './parts/cni-judgements';

type MessageId = 'bandwidth-plugin' | 'no-agent' | 'strict-without-policies';

const BANDWIDTH = 'ENABLE_BANDWIDTH_PLUGIN';
const MODE = 'NETWORK_POLICY_ENFORCING_MODE';

export const vpcCniNetworkPolicy = defineRule<MessageId>({
  id: 'vpc-cni-network-policy',
  subject: 'vpc-cni',
  title: 'Network policies of the VPC CNI can be enforced',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'bandwidth-plugin': {
      text: "{{what}} turns network policies on together with ENABLE_BANDWIDTH_PLUGIN: both put traffic control programs on the pods' interfaces, and network policies are not enforced.",
      fix: {
        summary:
          'Remove `ENABLE_BANDWIDTH_PLUGIN`, or enforce network policies with another engine and turn `enableNetworkPolicy` off.',
        safety: 'needs-decision',
      },
    },
    'no-agent': {
      text: '{{what}} turns network policies on and removes the node agent (nodeAgent.enabled is false): nothing on the nodes enforces them, and all traffic is let through.',
      fix: {
        summary: 'Remove `nodeAgent.enabled`, whose default is `true`.',
        code: {
          cloudformation: 'ConfigurationValues: \'{"nodeAgent":{"enabled":true}}\'',
          'aws-cdk': 'configurationValues: { nodeAgent: { enabled: true } },',
        },
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'nodeAgent.enabled', to: 'true' }],
        effect: ADDON_ROLLS,
      },
    },
    'strict-without-policies': {
      text: '{{what}} sets NETWORK_POLICY_ENFORCING_MODE to {{mode}}, but enableNetworkPolicy is not on: network policies are not enforced, and the mode does not change that.',
      fix: {
        summary:
          'Set `enableNetworkPolicy` to `"true"` (in strict mode every pod then needs a policy), or remove the mode.',
        code: {
          cloudformation:
            'ConfigurationValues: \'{"enableNetworkPolicy":"true","env":{"NETWORK_POLICY_ENFORCING_MODE":"strict"}}\'',
          'aws-cdk':
            "configurationValues: { enableNetworkPolicy: 'true', env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } },",
          terraform:
            'configuration_values = jsonencode({ enableNetworkPolicy = "true", env = { NETWORK_POLICY_ENFORCING_MODE = "strict" } })',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    yield* judgeCniSettings<MessageId>(model, judge);
  },
});

function judge({ settings }: JudgedCase): readonly CniOutcome<MessageId>[] {
  const policies = settings.switch('enableNetworkPolicy');
  const agent = settings.switch('nodeAgent.enabled');
  const bandwidth = bandwidthOf(settings);
  const mode = strictModeOf(settings);
  switch (policies.kind) {
    case 'on':
      return orPass([
        ...conflict(bandwidth.kind === 'on', bandwidth, BANDWIDTH, 'bandwidth-plugin'),
        ...conflict(agent.kind === 'off', agent, 'nodeAgent.enabled', 'no-agent'),
      ]);
    case 'off':
      if (mode === undefined) return policies.isConfigured ? [{ verdict: 'pass' }] : [];
      if (mode.text === undefined) return [unverifiable(`${MODE} is not known (${mode.reason})`)];
      return [{ verdict: 'fail', severity: 'warning', message: 'strict-without-policies', data: { mode: mode.text } }];
    case 'unknown': {
      const reason = `whether network policies are on is not known (${policies.unknown.reason})`;
      // With the defaults of everything else both answers are right.
      return bandwidth.kind === 'off' && agent.kind === 'on' && mode === undefined
        ? [{ verdict: 'pass' }]
        : [unverifiable(reason)];
    }
  }
}

function conflict(
  isConflict: boolean,
  found: CniSwitch,
  name: string,
  message: MessageId,
): readonly CniOutcome<MessageId>[] {
  if (found.kind === 'unknown') return [unverifiable(`${name} is not known (${found.unknown.reason})`)];
  return isConflict ? [{ verdict: 'fail', message }] : [];
}

function orPass(outcomes: readonly CniOutcome<MessageId>[]): readonly CniOutcome<MessageId>[] {
  return outcomes.length === 0 ? [{ verdict: 'pass' }] : outcomes;
}

function bandwidthOf(settings: CniSettings): CniSwitch {
  const setting = awsNodeSetting(settings, BANDWIDTH);
  if (setting.kind === 'unknown') return setting;
  return { kind: parseSwitch(setting.text ?? '') === true ? 'on' : 'off', isConfigured: setting.kind === 'configured' };
}

/** The strict mode as it is written; no text if it isn't known whether it is written; undefined for any other mode. */
function strictModeOf(
  settings: CniSettings,
): { readonly text: string } | { readonly text: undefined; readonly reason: string } | undefined {
  const setting = awsNodeSetting(settings, MODE);
  if (setting.kind === 'unknown') return { text: undefined, reason: setting.unknown.reason };
  return setting.kind === 'configured' && setting.text.toLowerCase() === 'strict' ? { text: setting.text } : undefined;
}
