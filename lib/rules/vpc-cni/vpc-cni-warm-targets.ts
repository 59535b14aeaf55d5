// The warm targets decide how many addresses the CNI keeps ready; some combinations keep none, or make others void.
// Source: aws/amazon-vpc-cni-k8s, README and docs/eni-and-ip-target.md.
import { defineRule } from '../../engine';
import { ADDON_ROLLS } from '../parts/repair-effects';
import type { EksModel } from '../../eks';
import { awsNodeNumber, awsNodeSetting } from '../../eks/networking/cni-environment';
import type { CniNumber, CniSettings } from '../../eks/networking/cni-settings';
import { named } from '../parts/about';
import { judgeCniSettings, type CniOutcome, type JudgedCase } from './parts/cni-judgements';

const TARGETS = ['MINIMUM_IP_TARGET', 'WARM_IP_TARGET', 'WARM_ENI_TARGET', 'WARM_PREFIX_TARGET'] as const;
type Target = (typeof TARGETS)[number];

type MessageId = 'no-warm-ip' | 'no-warm-prefix' | 'no-minimum' | 'overridden' | 'ipv6';

const both = {
  cloudformation: 'ConfigurationValues: \'{"env":{"MINIMUM_IP_TARGET":"{{minimum}}","WARM_IP_TARGET":"{{warm}}"}}\'',
  'aws-cdk': "configurationValues: { env: { MINIMUM_IP_TARGET: '{{minimum}}', WARM_IP_TARGET: '{{warm}}' } },",
  terraform:
    'configuration_values = jsonencode({ env = { MINIMUM_IP_TARGET = "{{minimum}}", WARM_IP_TARGET = "{{warm}}" } })',
} as const;

export const vpcCniWarmTargets = defineRule<MessageId>({
  id: 'vpc-cni-warm-targets',
  subject: 'vpc-cni',
  title: 'The warm targets of the VPC CNI go together',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    'no-warm-ip': {
      text: '{{what}} sets MINIMUM_IP_TARGET to {{minimum}} {{without}} WARM_IP_TARGET: nodes keep exactly {{minimum}} addresses, and every pod beyond them waits until EC2 assigns one.',
      fix: {
        summary: 'Set `WARM_IP_TARGET` too, for instance to `"{{warm}}"`.',
        code: both,
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'env.WARM_IP_TARGET', to: '"{{warm}}"' }],
        effect: ADDON_ROLLS,
      },
    },
    'no-warm-prefix': {
      text: '{{what}} sets MINIMUM_IP_TARGET to {{minimum}} {{without}} WARM_IP_TARGET: with prefix delegation nodes keep {{addresses}} addresses, and every {{prefix}} pods beyond them one has to wait until EC2 assigns another prefix.',
      fix: {
        summary: 'Set `WARM_IP_TARGET` too, for instance to `"{{warm}}"`.',
        code: both,
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'env.WARM_IP_TARGET', to: '"{{warm}}"' }],
        effect: ADDON_ROLLS,
      },
    },
    'no-minimum': {
      text: '{{what}} sets WARM_IP_TARGET to {{warm}} without MINIMUM_IP_TARGET: nodes call EC2 each time a few pods come or go, which is throttled in large clusters.',
      fix: {
        summary: 'Set `MINIMUM_IP_TARGET` to about the number of pods of a node, for instance `"{{minimum}}"`.',
        code: both,
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'env.MINIMUM_IP_TARGET', to: '"{{minimum}}"' }],
        effect: ADDON_ROLLS,
      },
    },
    overridden: {
      text: '{{what}} sets {{ignored}}, which the CNI ignores because {{because}} is set too.',
      fix: { summary: 'Remove {{ignored}}, or {{because}}.', safety: 'needs-decision' },
    },
    ipv6: {
      text: '{{what}} sets {{ignored}} in an IPv6 cluster, where the CNI ignores all warm targets.',
      fix: { summary: 'Remove {{ignored}}.', safety: 'safe' },
    },
  },
  *check(model: EksModel) {
    yield* judgeCniSettings<MessageId>(model, judge);
  },
});

/** Addresses of an IPv4 prefix, /28. */
const PREFIX = 16;

/** A value to propose where the user's own is missing. */
const SOME_WARM = '2';
const SOME_MINIMUM = '10';

function judge({ settings, ipFamily }: JudgedCase): readonly CniOutcome<MessageId>[] {
  if (TARGETS.every((name) => awsNodeSetting(settings, name).kind === 'default')) return [];
  const outcomes = ipFamily === 'ipv6' ? inIpv6(settings) : inIpv4(settings);
  return outcomes.length === 0 ? [{ verdict: 'pass' }] : outcomes;
}

function inIpv6(settings: CniSettings): readonly CniOutcome<MessageId>[] {
  const ignored = [
    ...above(settings, 0, 'MINIMUM_IP_TARGET', 'WARM_IP_TARGET'),
    ...above(settings, 1, 'WARM_ENI_TARGET', 'WARM_PREFIX_TARGET'),
  ];
  return ignored.length === 0
    ? []
    : [
        {
          verdict: 'fail',
          severity: 'info',
          message: 'ipv6',
          data: { ignored: ignored.join(' and ') },
          about: named(ignored),
        },
      ];
}

function inIpv4(settings: CniSettings): readonly CniOutcome<MessageId>[] {
  const minimum = awsNodeNumber(settings, 'MINIMUM_IP_TARGET');
  const warm = awsNodeNumber(settings, 'WARM_IP_TARGET');
  const pair = judgePair(minimum, warm, settings);
  const ignored = above(settings, 1, 'WARM_ENI_TARGET', 'WARM_PREFIX_TARGET');
  const because = above(settings, 0, 'WARM_IP_TARGET', 'MINIMUM_IP_TARGET');
  if (ignored.length === 0 || because.length === 0) return pair;
  return [
    ...pair,
    {
      verdict: 'fail',
      severity: 'info',
      message: 'overridden',
      data: { ignored: ignored.join(' and '), because: because.join(' or ') },
      about: named(ignored),
    },
  ];
}

function judgePair(minimum: CniNumber, warm: CniNumber, settings: CniSettings): readonly CniOutcome<MessageId>[] {
  if (minimum.kind === 'unknown') return [unverifiable('MINIMUM_IP_TARGET', minimum.unknown.reason)];
  if (warm.kind === 'unknown') return [unverifiable('WARM_IP_TARGET', warm.unknown.reason)];
  const [floor, free] = [numberOf(minimum), numberOf(warm)];
  const delegation = settings.switch('env.ENABLE_PREFIX_DELEGATION');
  if (floor > 0 && free <= 0) {
    // A 0 that somebody wrote is a choice.
    const isChosen = warm.kind === 'number' && free === 0;
    if (delegation.kind === 'unknown') return [unverifiable('ENABLE_PREFIX_DELEGATION', delegation.unknown.reason)];
    const hasPrefixes = delegation.kind === 'on';
    const addresses = String(Math.ceil(floor / PREFIX) * PREFIX);
    const data = {
      minimum: String(floor),
      warm: SOME_WARM,
      without: isChosen ? 'and no' : 'without',
      addresses,
      prefix: String(PREFIX),
    };
    return [
      {
        verdict: 'fail',
        ...(isChosen || hasPrefixes ? { severity: 'info' } : {}),
        message: hasPrefixes ? 'no-warm-prefix' : 'no-warm-ip',
        data,
      },
    ];
  }
  if (floor > 0 || free <= 0) return [];
  if (delegation.kind === 'unknown') return [unverifiable('ENABLE_PREFIX_DELEGATION', delegation.unknown.reason)];
  // Prefixes come 16 addresses at a time, so that the calls are few.
  return delegation.kind === 'on'
    ? []
    : [
        {
          verdict: 'fail',
          severity: 'info',
          message: 'no-minimum',
          data: { warm: String(free), minimum: SOME_MINIMUM },
        },
      ];
}

/** Those of the targets that are written and above a number. */
function above(settings: CniSettings, bound: number, ...names: readonly Target[]): readonly Target[] {
  return names.filter((name) => {
    const target = awsNodeNumber(settings, name);
    return target.kind === 'number' && target.isConfigured && target.value > bound;
  });
}

/** What isn't set, or negative, counts as 0. */
function numberOf(target: Exclude<CniNumber, { kind: 'unknown' }>): number {
  return target.kind === 'number' ? target.value : 0;
}

function unverifiable(name: Target | 'ENABLE_PREFIX_DELEGATION', reason: string): CniOutcome<MessageId> {
  return { verdict: 'unverifiable', reason: `${name} is not known (${reason})` };
}
