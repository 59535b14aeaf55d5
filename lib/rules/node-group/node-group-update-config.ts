import { defineRule, resourceName, type Judgement } from '../../engine';
import { undecided, unverifiable, type Outcome } from '../parts/case-judgements';
import { LATER_UPDATES } from '../parts/repair-effects';
import { casesOf, type NodeGroup, type Plain, type Source, type UpdateConfig, type When } from '../../eks';
import { presenceOf } from '../parts/presence';
import { writtenCode } from '../parts/written-code';

/*
 * An update takes `maxUnavailable` nodes of a group at once, as a number or as a percentage: one of the two, 1 to 100.
 * Source: EKS API, NodegroupUpdateConfig; EKS user guide, "Understand each phase of node updates".
 */

/** The setting that is there gets another value, so that it doesn't stand beside the other one. */
const AMOUNT_CODE = {
  cloudformation: ['UpdateConfig:', '  {{inTemplate}}'].join('\n'),
  'aws-cdk': '{{inCdk}},',
  terraform: ['update_config {', '  {{inTerraform}}', '}'].join('\n'),
};

/** The percentage stays as it is. */
const BOTH_CODE = {
  cloudformation: ['UpdateConfig:', '  MaxUnavailablePercentage: {{inTemplate}}'].join('\n'),
  'aws-cdk': 'maxUnavailablePercentage: {{inCdk}},',
};

function amountCode(setting: 'maxUnavailable' | 'maxUnavailablePercentage'): Readonly<Record<string, string>> {
  return setting === 'maxUnavailable'
    ? { inTemplate: 'MaxUnavailable: 1', inCdk: 'maxUnavailable: 1', inTerraform: 'max_unavailable = 1' }
    : {
        inTemplate: 'MaxUnavailablePercentage: 33',
        inCdk: 'maxUnavailablePercentage: 33',
        inTerraform: 'max_unavailable_percentage = 33',
      };
}

const STRATEGY_FIX = {
  summary: 'Use strategy `DEFAULT`, which launches new nodes first, unless there is no capacity for them.',
  code: {
    cloudformation: 'UpdateConfig:\n  UpdateStrategy: DEFAULT',
    'aws-cdk': [
      '// Of a ManagedNodeGroup',
      'updateStrategy: UpdateStrategy.DEFAULT,',
      '// Of a CfnNodegroup',
      "updateConfig: { updateStrategy: 'DEFAULT' },",
    ].join('\n'),
    terraform: ['update_config {', '  max_unavailable = 1', '  update_strategy = "DEFAULT"', '}'].join('\n'),
  },
  safety: 'needs-decision',
  repairs: [{ kind: 'set', field: 'updateConfig.strategy', to: 'DEFAULT' }],
  effect: LATER_UPDATES,
} as const;

/** One amount, as the code of the fix has it. */
const THIRD = [
  { kind: 'set', field: 'updateConfig.maxUnavailablePercentage', to: 33 },
  { kind: 'remove', field: 'updateConfig.maxUnavailable', ifSet: true },
] as const;

export const nodeGroupUpdateConfig = defineRule<Message>({
  id: 'node-group-update-config',
  subject: 'node-group',
  title: 'A node group update takes a valid number of nodes at once, and not all of them',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: ['both', 'outOfRange', 'aboveMaximum'],
  messages: {
    both: {
      text: 'Node group "{{group}}" sets both maxUnavailable ({{count}}) and maxUnavailablePercentage ({{percentage}}). {{who}} takes one of them and refuses {{what}}.',
      fix: {
        summary: 'Keep one of the two, and remove the other.',
        code: BOTH_CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'remove', field: 'updateConfig.maxUnavailable' }],
        effect: LATER_UPDATES,
      },
    },
    outOfRange: {
      text: 'Node group "{{group}}" sets {{setting}} to {{value}}. EKS takes whole numbers from 1 to 100 and refuses the group.',
      fix: {
        summary: 'Write a whole number from 1 to 100.',
        code: AMOUNT_CODE,
        safety: 'needs-decision',
        repairs: THIRD,
        effect: LATER_UPDATES,
      },
    },
    aboveMaximum: {
      text: 'Node group "{{group}}" sets maxUnavailable to {{value}}{{maximum}}: eksctl refuses the whole file, and makes nothing.',
      fix: {
        summary: 'Write less than the group has nodes.',
        code: AMOUNT_CODE,
        safety: 'needs-decision',
      },
    },
    allAtOnce: {
      text: 'Node group "{{group}}" sets {{setting}} to {{value}}{{maximum}}: an update may drain every node of the group at once, with all pods that no PodDisruptionBudget holds.',
      fix: {
        summary: 'Leave some of the nodes running during an update.',
        code: AMOUNT_CODE,
        safety: 'needs-decision',
        repairs: THIRD,
        effect: LATER_UPDATES,
      },
    },
    minimalOfOne: {
      text: 'Node group "{{group}}" has a desired size of {{desired}} and updates with strategy MINIMAL: EKS terminates its node before it launches the new one, so its pods have no place meanwhile.',
      fix: STRATEGY_FIX,
    },
    minimal: {
      text: 'Node group "{{group}}" updates with strategy MINIMAL: EKS terminates nodes before it launches new ones, so the group runs with fewer nodes during an update.',
      fix: STRATEGY_FIX,
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) {
      if (nodeGroup.updateConfig.kind === 'absent') yield { verdict: 'pass', resource: nodeGroup };
      else yield* judge(nodeGroup);
    }
  },
});

type Message = 'both' | 'outOfRange' | 'aboveMaximum' | 'allAtOnce' | 'minimalOfOne' | 'minimal';

function judge(nodeGroup: NodeGroup): readonly Judgement<Message>[] {
  const configs = casesOf(nodeGroup, { config: nodeGroup.updateConfig });
  const judgements = (
    judgeOne: (config: UpdateConfig, when: When) => readonly Judgement<Message>[],
  ): readonly Judgement<Message>[] =>
    configs.flatMap(({ when, values: { config } }): readonly Judgement<Message>[] => {
      if (config.kind === 'known') return judgeOne(config.value, when);
      if (config.kind === 'absent') return [{ verdict: 'pass', resource: nodeGroup, when }];
      return [{ ...undecided("its update configuration isn't known", config), resource: nodeGroup, when }];
    });
  const amounts = judgements((config, when) => amountsOf(nodeGroup, config, when));
  const strategies = judgements((config, when) => strategiesOf(nodeGroup, config, when));
  // A configuration that isn't known at all says so once.
  return [
    ...amounts,
    ...strategies.filter(
      ({ verdict, reason }) => verdict !== 'unverifiable' || !amounts.some((amount) => amount.reason === reason),
    ),
  ];
}

function amountsOf(nodeGroup: NodeGroup, config: UpdateConfig, given: When): readonly Judgement<Message>[] {
  const values = {
    count: config.maxUnavailable,
    percentage: config.maxUnavailablePercentage,
    maximum: nodeGroup.maxSize,
  };
  return casesOf(nodeGroup, values, given).flatMap(({ when, values: amounts }) =>
    judgeAmounts(nodeGroup, amounts).map((outcome) => ({ ...outcome, resource: nodeGroup, when })),
  );
}

type Amount = Plain<number | string>;

function judgeAmounts(
  nodeGroup: NodeGroup,
  { count, percentage, maximum }: Record<'count' | 'percentage' | 'maximum', Amount>,
): readonly Outcome<Message>[] {
  const group = resourceName(nodeGroup);
  // It looks before EKS does. Source: eksctl-io/eksctl, pkg/apis/eksctl.io/v1alpha5/validation.go, ValidateManagedNodeGroup.
  const isOfEksctl = nodeGroup.dialect.name === 'eksctl';
  if (presenceOf(count) === 'set' && presenceOf(percentage) === 'set') {
    const kept = writtenCode(percentage, '33', false);
    const data = {
      ...{ group, count: textOfAmount(count), percentage: textOfAmount(percentage) },
      ...{ inTemplate: kept.yaml, inCdk: kept.cdk },
      ...(isOfEksctl ? { who: 'eksctl', what: 'the whole file' } : { who: 'EKS', what: 'the group' }),
    };
    const related = [{ message: 'maxUnavailablePercentage', source: percentage.source }];
    return [{ verdict: 'fail', message: 'both', source: count.source, data, related }];
  }
  for (const [setting, amount] of [
    ['maxUnavailable', count],
    ['maxUnavailablePercentage', percentage],
  ] as const) {
    if (amount.kind === 'known' && !isInRange(amount.value)) {
      return [
        {
          verdict: 'fail',
          message: 'outOfRange',
          source: amount.source,
          data: { group, setting, value: shown(amount.value), ...amountCode(setting) },
        },
      ];
    }
  }
  for (const amount of [count, percentage]) {
    if (amount.kind === 'unknown') return [undecided("how many nodes an update takes at once isn't known", amount)];
  }
  if (percentage.kind === 'known')
    return [judgePercentage(group, Number(percentage.value), percentage.source, maximum)];
  return [
    count.kind === 'known'
      ? judgeCount(group, Number(count.value), count.source, maximum, isOfEksctl)
      : { verdict: 'pass' },
  ];
}

function textOfAmount(amount: Amount): string {
  if (amount.kind === 'known') return shown(amount.value);
  return amount.kind === 'unknown' ? (amount.text ?? 'decided at deployment') : 'none';
}

function isInRange(value: number | string): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 100;
}

/** Text that is no number may be anything, and long. */
function shown(value: number | string): string {
  const text = String(value);
  return typeof value === 'number' ? text : `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}

function judgePercentage(group: string, percentage: number, source: Source, maximum: Amount): Outcome<Message> {
  if (percentage < 100 || isSingle(maximum)) return { verdict: 'pass' };
  return {
    verdict: 'fail',
    message: 'allAtOnce',
    severity: 'warning',
    source,
    data: {
      group,
      setting: 'maxUnavailablePercentage',
      value: '100',
      maximum: '',
      ...amountCode('maxUnavailablePercentage'),
    },
  };
}

function judgeCount(
  group: string,
  count: number,
  source: Source,
  maximum: Amount,
  isOfEksctl: boolean,
): Outcome<Message> {
  const isAbove = isOfEksctl && maximum.kind === 'known' && typeof maximum.value === 'number' && count > maximum.value;
  // No group can do with less, whatever its size.
  if (count === 1 || (isSingle(maximum) && !isAbove)) return { verdict: 'pass' };
  if (maximum.kind !== 'known' || typeof maximum.value !== 'number') {
    const reason =
      maximum.kind === 'unknown'
        ? maximum.reason
        : maximum.kind === 'known'
          ? `${shown(maximum.value)} is no number`
          : 'none is written';
    return unverifiable(
      `whether ${count} nodes are all that it may have depends on its maximum size, which isn't known: ${reason}`,
      source,
    );
  }
  if (count < maximum.value) return { verdict: 'pass' };
  const from = maximum.source.from ?? maximum.note;
  const data = {
    group,
    ...amountCode('maxUnavailable'),
    setting: 'maxUnavailable',
    value: String(count),
    maximum: ` and has at most ${maximum.value} nodes${from === undefined ? '' : ` (${from})`}`,
  };
  return {
    verdict: 'fail',
    ...(isAbove
      ? { message: 'aboveMaximum' as const }
      : { message: 'allAtOnce' as const, severity: 'warning' as const }),
    source,
    data,
    related: [{ message: `maximum size ${maximum.value}`, source: maximum.source }],
  };
}

/** A group of at most one node, of which every update takes all. */
function isSingle(maximum: Amount): boolean {
  return maximum.kind === 'known' && typeof maximum.value === 'number' && maximum.value <= 1;
}

function strategiesOf(nodeGroup: NodeGroup, config: UpdateConfig, given: When): readonly Judgement<Message>[] {
  const asked = { strategy: config.strategy, desired: nodeGroup.desiredSize, capacity: nodeGroup.capacityType };
  return casesOf(nodeGroup, asked, given).map(({ when, values }): Judgement<Message> => {
    const common = { resource: nodeGroup, when };
    const { strategy, desired, capacity } = values;
    if (strategy.kind === 'absent' || (strategy.kind === 'known' && strategy.value === 'DEFAULT'))
      return { ...common, verdict: 'pass' };
    const { source } = strategy;
    if (strategy.kind === 'unknown')
      return { ...common, ...unverifiable(`its update strategy isn't known: ${strategy.reason}`, source) };
    if (strategy.value !== 'MINIMAL')
      return {
        ...common,
        verdict: 'unverifiable',
        reason: `update strategy ${shown(strategy.value)} is neither DEFAULT nor MINIMAL`,
        source,
      };
    // There are no more instances than the block has, so none can be launched first.
    if (capacity.kind === 'known' && capacity.value === 'CAPACITY_BLOCK') return { ...common, verdict: 'pass' };
    if (capacity.kind === 'unknown')
      return {
        ...common,
        verdict: 'unverifiable',
        reason: `whether its instances are of a capacity block, for which MINIMAL is right, isn't known: ${capacity.reason}`,
        source: capacity.source,
      };
    const group = resourceName(nodeGroup);
    if (desired.kind === 'known' && desired.value === 1) {
      const related = [{ message: `desired size ${desired.value}`, source: desired.source }];
      return {
        ...common,
        verdict: 'fail',
        message: 'minimalOfOne',
        severity: 'warning',
        source,
        data: { group, desired: String(desired.value) },
        related,
      };
    }
    return { ...common, verdict: 'fail', message: 'minimal', severity: 'info', source, data: { group } };
  });
}
