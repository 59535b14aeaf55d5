import type { IConstruct } from 'constructs';
import type { CheckResult } from '../../lib/check';
import { resourceName, type Finding, type Severity } from '../../lib/engine';
import { Sayings } from '../../lib/reports/alike';
import { listText } from '../../lib/reports/prose';
import { variantOf } from '../../lib/reports/variants';
import { createdAt } from './user-source';

/** A finding, and those that its violation tells as well. */
export interface Grouped {
  readonly finding: Finding;
  /** What it says, and of whom else it holds. */
  readonly message: string;
  /** The paths of the constructs of those others. */
  readonly paths: readonly string[];
  /** What the fix of some of them has otherwise, by a line or more for each. */
  readonly variants: readonly string[];
}

/** Words in which a message may differ from that of the group. */
const MOST_DIFFERENT = 60;

/**
 * CDK prints a block of several lines for each violation. What says the same of resources of a stack that one line of the app makes is one violation, and so is
 * what is information alone, wherever it is. What people accepted stands for itself, because CDK takes it out by its construct.
 */
export function grouped(
  findings: readonly Finding[],
  result: CheckResult,
  levelOf: (finding: Finding) => Severity,
  app: IConstruct | undefined,
): readonly Grouped[] {
  const sayings = new Sayings(result);
  const lineOf = userLines(app);
  const groups: Group[] = [];
  const byKey = new Map<string, Group[]>();
  for (const finding of findings) {
    const level = levelOf(finding);
    const line = level === 'info' ? level : lineOf(finding.resource.path);
    const isAlone = line === undefined || finding.resource.suppressions.length > 0;
    const key = isAlone ? undefined : JSON.stringify([finding.resource.stack, level, line, sayings.kindOf(finding)]);
    const known = key === undefined ? [] : (byKey.get(key) ?? []);
    if (known.some((group) => group.takes(finding))) continue;
    const group = new Group(finding, sayings);
    groups.push(group);
    if (key !== undefined) byKey.set(key, [...known, group]);
  }
  return groups;
}

class Group implements Grouped {
  readonly paths: string[] = [];
  readonly variants: string[] = [];
  private readonly names: string[] = [];
  private readonly resources: Set<Finding['resource']>;

  constructor(
    readonly finding: Finding,
    private readonly sayings: Sayings,
  ) {
    this.resources = new Set([finding.resource]);
  }

  get message(): string {
    const { message } = this.finding;
    return this.names.length === 0 ? message : `${message} The same holds for ${listText(this.names)}.`;
  }

  /** One resource may have a defect several times, which is told of each. */
  takes(other: Finding): boolean {
    if (this.resources.has(other.resource)) return false;
    const variant = variantOf(other, this.finding, (text) => this.sayings.nameless(text));
    const difference = unmarked(this.sayings.difference(other.message, this.finding.message));
    if (variant === undefined || difference.length > MOST_DIFFERENT) return false;
    this.resources.add(other.resource);
    this.paths.push(other.resource.path ?? other.resource.id);
    const name = resourceName(other.resource);
    this.names.push(difference === '' ? name : `${name} (${difference})`);
    const { words, code } = variant;
    if (words !== '' || code.length > 0) this.variants.push([`For ${name}: ${words}`.trimEnd(), ...code].join('\n'));
    return true;
  }
}

/** The line of the user's code that made the construct at a path. */
function userLines(app: IConstruct | undefined): (path: string | undefined) => string | undefined {
  const byPath = new Map((app?.node.findAll() ?? []).map((construct) => [construct.node.path, construct]));
  return (path) => {
    const construct = path === undefined ? undefined : byPath.get(path);
    return construct === undefined ? undefined : createdAt(construct);
  };
}

/** Without the marks around what differs. */
function unmarked(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charAt(start) === '(') start++;
  while (end > start && ').,;:'.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
