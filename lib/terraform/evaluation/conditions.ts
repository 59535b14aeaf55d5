import { assuming, Hints, Unknown, type Atom, type Logic, type Plain, type Source, type When } from '../../value';
import type { TerraformItem } from '../terraform-value';
import { InvalidValue } from './unknowns';

/** More cases than this are not told apart. */
export const MOST_CASES = 64;

/** Something that isn't known, of which conditions ask whether it is this or that. */
interface Subject {
  /** Equal symbols are equal values. */
  readonly symbol: string;
  /** `var.env` */
  readonly text: string;
  readonly hints: Hints;
}

/** What a condition says of known and unknown values. */
export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean }
  /** The value is a certain one, which is written as JSON. */
  | { readonly kind: 'is'; readonly subject: Subject; readonly literal: string }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'and' | 'or'; readonly left: Formula; readonly right: Formula };

/** A boolean that isn't known, but what it stands on is. */
export class UnknownTest extends Unknown {
  constructor(
    readonly formula: Formula,
    reason: string,
    source: Source,
    text: string | undefined,
    symbol: string | undefined,
  ) {
    super(reason, source, text, symbol);
  }

  override at(source: Source): UnknownTest {
    return source === this.source ? this : new UnknownTest(this.formula, this.reason, source, this.text, this.symbol);
  }
}

/** What is assumed of one value: it is the literal, or it is none of several. */
class Limit implements Atom {
  readonly logic = VALUES;

  constructor(
    readonly of: Subject,
    readonly is: string | undefined,
    readonly isNot: readonly string[],
  ) {}

  get subject(): string {
    return this.of.symbol;
  }

  get text(): string {
    const { of, is, isNot } = this;
    if (is !== undefined) return `${of.text} is ${is}`;
    const [only, second] = isNot;
    return second === undefined ? `${of.text} is not ${only ?? ''}` : `${of.text} is none of ${isNot.join(', ')}`;
  }

  and(other: Atom): Limit | undefined {
    if (!(other instanceof Limit)) return undefined;
    const is = this.is ?? other.is;
    if (other.is !== undefined && other.is !== is) return undefined;
    if (is !== undefined)
      return this.isNot.includes(is) || other.isNot.includes(is) ? undefined : this.is === undefined ? other : this;
    const isNot = [...new Set([...this.isNot, ...other.isNot])].sort();
    if (isNot.length === this.isNot.length) return this;
    return isNot.length === other.isNot.length ? other : new Limit(this.of, undefined, isNot);
  }

  /** Of a boolean the only other value; what is compared with other values can be anything else. */
  not(): readonly Limit[] {
    const { of, is, isNot } = this;
    if (is === undefined) return isNot.map((literal) => new Limit(of, literal, []));
    const other = is === 'true' ? 'false' : is === 'false' ? 'true' : undefined;
    return [other === undefined ? new Limit(of, undefined, [is]) : new Limit(of, other, [])];
  }
}

/** Values of Terraform are independent of each other, as far as anybody knows. */
const VALUES: Logic = {
  compare: (one, other) => (String(one.subject) < String(other.subject) ? -1 : 1),
  /** What is assumed of one value alone may be chosen by anybody. */
  isUnlikely(atoms) {
    const hinted = Array.from(atoms.values()).flatMap((atom) =>
      atom instanceof Limit && atom.of.hints !== Hints.none ? [atom] : [],
    );
    return hinted.length > 1 && !isSeen(hinted);
  },
};

/** Whether one of the files that hint at values, or the defaults, gives all of them. */
function isSeen(limits: readonly Limit[]): boolean {
  const sets = limits.map(({ of }) => new Map(of.hints.values.map(({ note = '', value }) => [note, value] as const)));
  const files = new Set(sets.flatMap((values) => [...values.keys()]));
  const isGiven = (limit: Limit, file: string | undefined, values: ReadonlyMap<string, unknown>): boolean => {
    if (file !== undefined && values.has(file)) return allows(limit, values.get(file));
    const { otherwise } = limit.of.hints;
    if (otherwise === undefined || otherwise.kind === 'unknown' || (file !== undefined && hasCompanion(file, values)))
      return false;
    return allows(limit, otherwise.kind === 'absent' ? null : otherwise.value);
  };
  /** Whether another file that sets none of what this one does sets the value: both may be given together. */
  const hasCompanion = (file: string, values: ReadonlyMap<string, unknown>): boolean =>
    Array.from(values.keys()).some((other) => !sets.some((set) => set.has(file) && set.has(other)));
  return [undefined, ...files].some((file) =>
    limits.every((limit, index) => isGiven(limit, file, sets[index] ?? new Map<string, unknown>())),
  );
}

function allows({ is, isNot }: Limit, value: unknown): boolean {
  const isLiteral = (literal: string) => String(JSON.parse(literal)) === String(value);
  return is === undefined ? !isNot.some(isLiteral) : isLiteral(is);
}

/** What a boolean says; undefined if it can't be told from other unknown ones, or is none. */
export function formulaOf(value: Plain<TerraformItem>): Formula | undefined {
  if (value.kind === 'known') {
    if (value.value === true || value.value === 'true' || value.value === '1') return { kind: 'constant', value: true };
    return value.value === false || value.value === 'false' || value.value === '0'
      ? { kind: 'constant', value: false }
      : undefined;
  }
  if (value.kind === 'absent' || value instanceof InvalidValue) return undefined;
  return value instanceof UnknownTest ? value.formula : isFormula(value, true);
}

/** That an unknown value is a certain one; undefined if the value can't be told from other unknown ones. */
export function isFormula(unknown: Unknown, literal: string | number | boolean | null): Formula | undefined {
  if (unknown.symbol === undefined || unknown instanceof InvalidValue) return undefined;
  if (unknown instanceof UnknownTest && typeof literal === 'boolean')
    return literal ? unknown.formula : { kind: 'not', part: unknown.formula };
  const text =
    unknown.text === undefined ? 'a value that is not known' : unknown.text.replace(/^\$\{([^{}]*)\}$/, '$1');
  const subject = { symbol: unknown.symbol, text, hints: unknown.hints };
  if (literal === false) return { kind: 'not', part: { kind: 'is', subject, literal: 'true' } };
  return { kind: 'is', subject, literal: JSON.stringify(literal) };
}

/** The assumptions, of which no two hold at once, under one of which a condition is true, and those under which it is false. */
export interface Outcomes {
  readonly yes: Assumptions;
  readonly no: Assumptions;
}

type Assumptions = readonly When[] | 'always';

const memo = new WeakMap<Formula, { readonly outcomes: Outcomes | undefined }>();

/** When a condition is true and when it is false; undefined if that depends on too much at once. */
export function outcomesOf(formula: Formula): Outcomes | undefined {
  let known = memo.get(formula);
  // Formulas share parts.
  if (known === undefined) memo.set(formula, (known = { outcomes: findOutcomes(formula) }));
  return known.outcomes;
}

function findOutcomes(formula: Formula): Outcomes | undefined {
  switch (formula.kind) {
    case 'constant':
      return formula.value ? { yes: 'always', no: [] } : { yes: [], no: 'always' };
    case 'is': {
      const is = new Limit(formula.subject, formula.literal, []);
      return { yes: [assuming(is)], no: is.not().map(assuming) };
    }
    case 'not': {
      const part = outcomesOf(formula.part);
      return part && { yes: part.no, no: part.yes };
    }
    case 'and':
    case 'or': {
      const left = outcomesOf(formula.left);
      const right = outcomesOf(formula.right);
      if (left === undefined || right === undefined) return undefined;
      // Of "or" the left side decides where it is true, of "and" where it is false; elsewhere it is the right one that does.
      const [decided, open] = formula.kind === 'or' ? [left.yes, left.no] : [left.no, left.yes];
      const [same, other] = formula.kind === 'or' ? [right.yes, right.no] : [right.no, right.yes];
      const rest = product(open, same);
      const opposite = product(open, other);
      const all = rest && union(decided, rest);
      if (all === undefined || opposite === undefined) return undefined;
      return formula.kind === 'or' ? { yes: all, no: opposite } : { yes: opposite, no: all };
    }
  }
}

function product(some: Assumptions, others: Assumptions): Assumptions | undefined {
  if (some === 'always') return others;
  if (others === 'always') return some;
  const both = some.flatMap((one) => others.flatMap((other) => one.and(other) ?? []));
  return both.length > MOST_CASES ? undefined : both;
}

function union(some: Assumptions, others: Assumptions): Assumptions | undefined {
  if (some === 'always' || others === 'always') return 'always';
  return some.length + others.length > MOST_CASES ? undefined : [...some, ...others];
}
