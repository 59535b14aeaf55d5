import type { ConfigProblem } from '../../../eks';
import type { Group } from './group';
import { hasContent, refused, textOf } from './problem';

/* What instances a group has, and how they are bought. Source: apis/eksctl.io/v1alpha5/validation.go. */

export function capacityProblems(group: Group): readonly ConfigProblem[] {
  return [
    ...reservationProblems(group),
    ...(group.isManaged ? [] : [...distributionProblems(group), ...ownProblems(group)]),
  ];
}

const STRATEGIES = [
  'lowest-price',
  'diversified',
  'capacity-optimized',
  'capacity-optimized-prioritized',
  'price-capacity-optimized',
];

function reservationProblems({ node, name }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (node.child('instanceMarketOptions').isWritten && !node.child('capacityReservation').isWritten)
    problems.push(
      refused(
        node.child('instanceMarketOptions'),
        `\`instanceMarketOptions\` of group ${name} needs a \`capacityReservation\``,
        'Name the reservation.',
      ),
    );
  const reservation = node.child('capacityReservation');
  const preference = reservation.child('capacityReservationPreference');
  const target = reservation.child('capacityReservationTarget');
  const written = textOf(preference);
  if (preference.isWritten && target.isWritten)
    problems.push(
      refused(
        preference,
        `group ${name} names a capacity reservation, and a preference among others`,
        'Take `capacityReservationPreference` out, or `capacityReservationTarget`.',
      ),
    );
  else if (written !== undefined && !['open', 'none'].includes(written))
    problems.push(
      refused(preference, `there is no preference "${written}" for capacity reservations`, 'Write `open` or `none`.'),
    );
  if (target.child('capacityReservationID').isWritten && target.child('capacityReservationResourceGroupARN').isWritten)
    problems.push(
      refused(target, `group ${name} names a capacity reservation and a group of them`, 'Keep one of them.'),
    );
  const market = node.at('instanceMarketOptions', 'marketType');
  const type = textOf(market);
  if (reservation.isWritten && type !== undefined && type !== 'capacity-block')
    problems.push(refused(market, `there is no type of market "${type}"`, 'Write `capacity-block`.'));
  return problems;
}

/** Of self-managed groups, which alone have a distribution. */
function distributionProblems({ node, name }: Group): readonly ConfigProblem[] {
  const distribution = node.child('instancesDistribution');
  const selector = node.child('instanceSelector');
  const hasSelector = selector.keys.length > 0;
  const { text } = node.child('instanceType');
  const problems: ConfigProblem[] = [];
  if ((distribution.isWritten || hasSelector) && text.kind === 'known' && text.value !== 'mixed')
    problems.push(
      refused(
        node.child('instanceType'),
        `group ${name} has one \`instanceType\`, ${text.value}, and ${distribution.isWritten ? 'an `instancesDistribution`' : 'an `instanceSelector`'}`,
        'Take `instanceType` out, or write `mixed`.',
      ),
    );
  if (distribution.isWritten && !hasSelector && distribution.child('instanceTypes').texts.kind !== 'unknown') {
    const types = new Set(distribution.child('instanceTypes').items.map(({ label }) => label));
    if (types.size === 0 || types.size > 20)
      problems.push(
        refused(
          distribution,
          `the \`instancesDistribution\` of group ${name} has ${types.size === 0 ? 'no' : String(types.size)} instance types`,
          'List 1 to 20 of them in `instanceTypes`.',
        ),
      );
  }
  const base = distribution.child('onDemandBaseCapacity');
  const share = distribution.child('onDemandPercentageAboveBaseCapacity');
  const pools = distribution.child('spotInstancePools');
  const strategy = distribution.child('spotAllocationStrategy');
  for (const [number, least, most] of [
    [base, 0, Infinity],
    [share, 0, 100],
    [pools, 1, 20],
  ] as const)
    if (typeof number.raw === 'number' && (number.raw < least || number.raw > most))
      problems.push(
        refused(
          number,
          `\`${String(number.path.at(-1))}\` of group ${name} is ${number.raw}`,
          most === Infinity ? `Write ${least} or more.` : `Write ${least} to ${most}.`,
        ),
      );
  const written = textOf(strategy);
  if (written !== undefined && !STRATEGIES.includes(written))
    problems.push(
      refused(
        strategy,
        `there is no strategy "${written}" for Spot capacity`,
        `Write one of ${STRATEGIES.join(', ')}.`,
      ),
    );
  else if (pools.isWritten && written?.startsWith('capacity-optimized') === true)
    problems.push(
      refused(pools, `\`spotInstancePools\` of group ${name} does not go with the strategy ${written}`, 'Take it out.'),
    );
  return problems;
}

/** Source: Amazon EC2 Auto Scaling API Reference, SuspendProcesses. */
const PROCESSES = [
  'Launch',
  'Terminate',
  'AddToLoadBalancer',
  'AlarmNotification',
  'AZRebalance',
  'HealthCheck',
  'InstanceRefresh',
  'ReplaceUnhealthy',
  'ScheduledActions',
];

const DAY = 86_400;

/** What self-managed groups alone have. */
function ownProblems({ node, name }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const process of node.child('asgSuspendProcesses').items) {
    const written = textOf(process);
    if (written !== undefined && !PROCESSES.includes(written))
      problems.push(
        refused(process, `an Auto Scaling group has no process "${written}"`, `Write one of ${PROCESSES.join(', ')}.`),
      );
  }
  const lifetime = node.child('maxInstanceLifetime');
  if (typeof lifetime.raw === 'number' && lifetime.raw < DAY)
    problems.push(
      refused(
        lifetime,
        `instances of group ${name} are to live ${lifetime.raw} seconds`,
        `Write ${DAY}, a day, or more.`,
      ),
    );
  const runtime = node.child('containerRuntime');
  const engine = textOf(runtime);
  if (engine !== undefined && engine !== 'containerd')
    problems.push(
      refused(runtime, `nodes of group ${name} are to run ${engine}, which Kubernetes gave up in 1.24`, 'Take it out.'),
    );
  else if (engine !== undefined && node.child('overrideBootstrapCommand').isWritten)
    problems.push(
      refused(
        runtime,
        `\`containerRuntime\` of group ${name} does not go with \`overrideBootstrapCommand\``,
        'Take it out: nodes run containerd.',
      ),
    );
  const credits = node.child('cpuCredits');
  const distribution = node.child('instancesDistribution');
  const types = distribution.isWritten ? distribution.child('instanceTypes').items : [node.child('instanceType')];
  const names = types.map((type) => (hasContent(type) ? textOf(type) : ''));
  const value = textOf(credits);
  if (credits.isWritten && names.every((type) => type !== undefined && !type.startsWith('t')))
    problems.push(
      refused(
        credits,
        `group ${name} has \`cpuCredits\` and no instance type that takes them`,
        'Name one, such as `t3.large`, or take them out.',
      ),
    );
  else if (value !== undefined && !['unlimited', 'standard'].includes(value.toLowerCase()))
    problems.push(refused(credits, `there are no CPU credits "${value}"`, 'Write `standard` or `unlimited`.'));
  return problems;
}
