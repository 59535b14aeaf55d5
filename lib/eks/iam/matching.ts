import { type Plain, textOf, type Value } from '../../value';
import { arnCovers, arnsIntersect, globsIntersect, literalGlob, parseGlob } from './glob';

/** Whether something matches, or `maybe` when that depends on what isn't known. */
export type Match = 'yes' | 'no' | 'maybe';

/** One matches: yes if any surely does. */
export function anyOf(matches: Iterable<Match>): Match {
  let result: Match = 'no';
  for (const match of matches) {
    if (match === 'yes') return 'yes';
    if (match === 'maybe') result = 'maybe';
  }
  return result;
}

/** One of two matches. */
export function either(a: Match, b: Match): Match {
  if (a === 'yes' || b === 'yes') return 'yes';
  return a === 'maybe' || b === 'maybe' ? 'maybe' : 'no';
}

/** Whether any of the items matches: yes if one surely does. */
export function anyMatch<T>(items: readonly T[], match: (item: T) => Match): Match {
  let result: Match = 'no';
  for (const item of items) {
    const one = match(item);
    if (one === 'yes') return 'yes';
    if (one === 'maybe') result = 'maybe';
  }
  return result;
}

/** All match: no if any surely doesn't. */
export function allOf(matches: Iterable<Match>): Match {
  let result: Match = 'yes';
  for (const match of matches) {
    if (match === 'no') return 'no';
    if (match === 'maybe') result = 'maybe';
  }
  return result;
}

export function not(match: Match): Match {
  return match === 'maybe' ? 'maybe' : match === 'yes' ? 'no' : 'yes';
}

/** Whether it matches whatever alternative of the value comes true. An absent alternative matches nothing. */
export function matchValue(
  value: Value<string>,
  fn: (plain: Exclude<Plain<string>, { kind: 'absent' }>) => Match,
): Match {
  if (value.kind !== 'choice') return value.kind === 'absent' ? 'no' : fn(value);
  return agreed(value.alternatives.map(({ value: plain }) => (plain.kind === 'absent' ? 'no' : fn(plain))));
}

/** What all alternatives say, else `maybe`. */
export function agreed(matches: Iterable<Match>): Match {
  const [first = 'no', ...others] = new Set(matches);
  return others.length === 0 ? first : 'maybe';
}

/**
 * Actions that IAM checks against the resource `*` and nothing else: a statement that names resources never grants
 * them. EC2: its `Describe*` calls have no resource-level permissions (EC2 user guide, as quoted by others in 2021); Route 53:
 * ExternalDNS, docs/tutorials/aws.md. Only calls that rules ask for are listed; one without source stays out.
 */
const ACTIONS_WITHOUT_RESOURCE = new Set(
  [
    'ec2:DescribeAvailabilityZones',
    'ec2:DescribeInstances',
    'ec2:DescribeInstanceTypes',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSecurityGroups',
    'ec2:DescribeSubnets',
    'ec2:DescribeTags',
    'route53:ListHostedZones',
  ].map((action) => action.toLowerCase()),
);

/** What is asked: an action on a resource, or on some resource that matches a pattern. */
export class Request {
  readonly action: string;
  /** The resource as a pattern; `undefined` when the action knows no resources, so that only `*` matches. */
  readonly resource: string | undefined;

  constructor(action: string, resource: string) {
    this.action = action.toLowerCase();
    this.resource = ACTIONS_WITHOUT_RESOURCE.has(this.action) ? undefined : resource;
  }
}

/** Whether the pattern of a statement names the action. Actions are compared without regard to case. */
export function matchAction(pattern: Value<string>, action: string): Match {
  return matchValue(pattern, (plain) => {
    const text = textOf(plain)?.toLowerCase();
    if (text === undefined) return 'maybe';
    if (plain.kind === 'known' && !/[*?]/.test(text)) return text === action ? 'yes' : 'no';
    const wanted = literalGlob(action);
    if (globsIntersect(parseGlob(text, 'own-partition'), wanted)) return 'yes';
    return globsIntersect(parseGlob(text, 'any'), wanted) ? 'maybe' : 'no';
  });
}

/** Whether the pattern of a statement takes in some resource that is asked for. */
export function matchSomeResource(pattern: Value<string>, asked: string | undefined): Match {
  if (asked === '*') return matchValue(pattern, () => 'yes');
  const wanted = asked === undefined ? literalGlob('*') : parseGlob(asked, 'any');
  return matchValue(pattern, (plain) => {
    const text = textOf(plain);
    if (text === undefined) return 'maybe';
    if (arnsIntersect(parseGlob(text, 'own-environment'), wanted)) return 'yes';
    return arnsIntersect(parseGlob(text, 'any'), wanted) ? 'maybe' : 'no';
  });
}

/** Whether the pattern of a statement takes in all resources that are asked for; `maybe` when it takes in some. */
export function matchAllResources(pattern: Value<string>, asked: string | undefined): Match {
  const wanted = asked === undefined ? literalGlob('*') : parseGlob(asked, 'any');
  return matchValue(pattern, (plain) => {
    const text = textOf(plain);
    if (text === undefined) return 'maybe';
    if (arnCovers(parseGlob(text, 'own-partition'), wanted)) return 'yes';
    return arnsIntersect(parseGlob(text, 'any'), wanted) ? 'maybe' : 'no';
  });
}
