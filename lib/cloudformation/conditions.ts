import { always, assuming, atomsOf, type Atom, type Atoms, type Logic, type When } from '../value';
import { member, type Cursor } from './cursor';
import type { Template } from './template';
import { readFormula, type Variable, type Operand, type Formula } from './condition-formulas';

/** A named condition of one template. */
export class Condition {
  private memo: Formula | undefined;
  private decision: { readonly value: boolean | undefined } | undefined;

  constructor(
    readonly template: Template,
    readonly name: string,
    private readonly cursor: Cursor | undefined,
  ) {}

  get id(): string {
    return `${this.template.id}/${this.name}`;
  }

  /** The truth of a condition that constants alone decide. */
  get decided(): boolean | undefined {
    if (this.decision === undefined) {
      const canBe = (value: boolean) => satisfiable(new Map([[this, new Literal(this, value)]]));
      const value = !canBe(true) ? false : !canBe(false) ? true : undefined;
      this.decision = { value };
    }
    return this.decision.value;
  }

  get formula(): Formula {
    if (this.memo === undefined) {
      // A condition that refers to itself is free within its own definition.
      this.memo = { kind: 'free', id: this.id };
      if (this.cursor !== undefined) this.memo = readFormula(this.cursor);
    }
    return this.memo;
  }
}

/** "This condition has this value." */
class Literal implements Atom {
  constructor(
    readonly subject: Condition,
    readonly value: boolean,
  ) {}

  get logic(): TemplateLogic {
    return logicOf(this.subject);
  }

  get text(): string {
    return `condition ${this.subject.name} is ${this.value}`;
  }

  and(other: Atom): Literal | undefined {
    return other instanceof Literal && other.value === this.value ? this : undefined;
  }

  not(): readonly Literal[] {
    return [new Literal(this.subject, !this.value)];
  }
}

/** All atoms of a {@link TemplateLogic} are these. */
type Literals = ReadonlyMap<Condition, Literal>;

/** Conditions of the templates of one set: which can hold together follows from the values that parameters can have. */
class TemplateLogic implements Logic {
  isPossible(atoms: Atoms): boolean {
    return satisfiable(atoms as Literals);
  }

  isChosen(atoms: Atoms): boolean {
    return !satisfiable(atoms as Literals, 'usual');
  }
}

const logics = new WeakMap<object, TemplateLogic>();

function logicOf({ template }: Condition): TemplateLogic {
  let logic = logics.get(template.set);
  if (logic === undefined) logics.set(template.set, (logic = new TemplateLogic()));
  return logic;
}

/** Stands for all values that no condition mentions. */
const ANY_OTHER = '\0any';

/** The only value that is possible; undefined if there are several, or it is none that is written down. */
export function onlyValue(values: ReadonlySet<string>): string | undefined {
  const [first] = values;
  return values.size === 1 && first?.startsWith('\0') === false ? first : undefined;
}

/**
 * Which values a parameter can have under an assumption: those that conditions mention, `constant` if it is possible,
 * and one in place of all others. `undefined` if the assumption says nothing of it, or there is too much to try.
 */
export function possibleValues(
  when: When,
  variable: Variable,
  constant: string | undefined,
): ReadonlySet<string> | undefined {
  for (const [logic, atoms] of atomsOf(when))
    if (logic instanceof TemplateLogic) return possible(atoms as Literals, variable, constant ?? ANY_OTHER);
  return undefined;
}

/** What has to hold at a place of a template: the branches that it stands in, and what they belong to. */
export function assumptionAt(place: Cursor): When {
  let when = always;
  const add = (other: When | undefined) => {
    // What can't hold is never asked for, except by a report on the template as such.
    if (other !== undefined) when = when.and(other) ?? when;
  };
  for (let cursor = place, { parent } = cursor; parent !== undefined; cursor = parent, { parent } = cursor) {
    if (parent.key === 'Fn::If' && (cursor.key === 1 || cursor.key === 2)) {
      const name = member(parent.raw, 0);
      if (typeof name === 'string') add(assume(parent.template.condition(name), cursor.key === 1));
    } else if (parent.parent !== undefined && parent.parent.parent === undefined) {
      if (parent.key === 'Resources' || parent.key === 'Outputs')
        add(place.template.existence(String(cursor.key), parent.key));
    }
  }
  return when;
}

/** The assumption that a condition has a value; `undefined` if it can't have it. */
export function assume(condition: Condition, value: boolean): When | undefined {
  const { decided } = condition;
  if (decided !== undefined) return decided === value ? always : undefined;
  return assuming(new Literal(condition, value));
}

/** More combinations of parameter values than this, whole or in part, are not tried; the assumption then counts as possible. */
const MAX_TRIES = 10_000;

const answers = new WeakMap<object, Map<string, boolean>>();

/** @param values whether all values of parameters may be tried, or defaults alone where there are any */
function satisfiable(literals: Literals, values: 'all' | 'usual' = 'all'): boolean {
  const [first] = literals.keys();
  if (first === undefined) return true;
  const { set } = first.template;
  const known = answers.get(set) ?? new Map<string, boolean>();
  answers.set(set, known);
  const key = [values, ...Array.from(literals.values(), ({ subject, value }) => `${subject.id}=${value}`).sort()].join(
    '\n',
  );
  let answer = known.get(key);
  if (answer === undefined) {
    answer = explore(literals, { values }, () => true) ?? true;
    known.set(key, answer);
  }
  return answer;
}

const valueAnswers = new WeakMap<object, Map<string, ReadonlySet<string> | undefined>>();

function possible(literals: Literals, variable: Variable, constant: string): ReadonlySet<string> | undefined {
  const [first] = literals.keys();
  if (first === undefined) return undefined;
  const { set } = first.template;
  const known = valueAnswers.get(set) ?? new Map<string, ReadonlySet<string> | undefined>();
  valueAnswers.set(set, known);
  const key = [
    variable.id,
    constant,
    ...Array.from(literals.values(), ({ subject, value }) => `${subject.id}=${value}`).sort(),
  ].join('\n');
  if (!known.has(key)) {
    const values = new Set<string>();
    const about: Formula = { kind: 'equals', left: { variable }, right: { constant } };
    const answer = explore(literals, { about }, (assignment) => {
      values.add(assignment.get(variable.id) ?? ANY_OTHER);
      return false;
    });
    known.set(key, answer === undefined || values.size === 0 ? undefined : values);
  }
  return known.get(key);
}

/**
 * Goes through the assignments under which the literals hold, until `found` returns true.
 * @param options.about a formula whose variables and constants are to be tried too
 * @param options.values `usual`: parameters with defaults have those
 * @returns whether `found` returned true; undefined if there are too many assignments
 */
function explore(
  literals: Literals,
  { about, values: tried = 'all' }: { readonly about?: Formula; readonly values?: 'all' | 'usual' },
  found: (assignment: ReadonlyMap<string, string>) => boolean,
): boolean | undefined {
  // What is asked first decides most, and rules of templates know long lists of values.
  const wanted: Wanted[] = about === undefined ? [] : [{ formula: about }];
  wanted.push(...Array.from(literals.values(), ({ subject, value }) => ({ formula: subject.formula, value })));
  const domains = new Domains();
  for (const { formula } of wanted) domains.add(formula);
  for (const template of new Set([...literals.keys()].map((condition) => condition.template))) {
    for (const { formula, parameters } of template.restrictions) {
      if (![...parameters].some((name) => domains.has(`${template.id}/${name}`))) continue;
      wanted.push({ formula, value: true });
      domains.add(formula);
    }
  }
  const variables = domains.list(tried);
  if (variables === undefined) return undefined;
  const assignment = new Map<string, string>();
  let left = MAX_TRIES;
  const assign = (index: number, open: readonly Wanted[]): boolean => {
    if (left-- <= 0) return false;
    const undecided: Wanted[] = [];
    for (const one of open) {
      const truth = truthOf(one.formula, assignment);
      if (truth === undefined) undecided.push(one);
      else if (one.value !== undefined && truth !== one.value) return false;
    }
    const variable = variables[index];
    if (variable === undefined || undecided.length === 0) return found(assignment);
    const isFound = variable.values.some((value) => {
      assignment.set(variable.id, value);
      return assign(index + 1, undecided);
    });
    assignment.delete(variable.id);
    return isFound;
  };
  const isFound = assign(0, wanted);
  return isFound || left >= 0 ? isFound : undefined;
}

/** A formula and what it has to be. */
interface Wanted {
  readonly formula: Formula;
  /** @default - either, but one of both */
  readonly value?: boolean;
}

/** @returns undefined where variables without a value yet decide */
function truthOf(formula: Formula, assignment: ReadonlyMap<string, string>): boolean | undefined {
  const valueOf = (operand: Operand) =>
    'constant' in operand ? operand.constant : assignment.get(operand.variable.id);
  switch (formula.kind) {
    case 'constant':
      return formula.value;
    case 'equals': {
      const [left, right] = [valueOf(formula.left), valueOf(formula.right)];
      return left === undefined || right === undefined ? undefined : left === right;
    }
    case 'not': {
      const truth = truthOf(formula.part, assignment);
      return truth === undefined ? undefined : !truth;
    }
    case 'and':
    case 'or': {
      const decisive = formula.kind === 'or';
      let truth: boolean | undefined = !decisive;
      for (const part of formula.parts) {
        const one = truthOf(part, assignment);
        if (one === decisive) return decisive;
        if (one === undefined) truth = undefined;
      }
      return truth;
    }
    case 'free': {
      const value = assignment.get(formula.id);
      return value === undefined ? undefined : value === 'true';
    }
  }
}

/** Which values of each variable can make a difference. */
class Domains {
  private readonly variables = new Map<string, Variable & { readonly compared: Set<string> }>();
  private readonly shared = new Set<string>();
  private comparesVariables = false;
  private budget = 10_000;

  add(formula: Formula): void {
    // Formulas share parts, and a hostile template can nest them so that the whole is exponentially large.
    if (this.budget-- <= 0) return;
    switch (formula.kind) {
      case 'constant':
        return;
      case 'free':
        this.variable({ id: formula.id, allowed: ['true', 'false'] });
        return;
      case 'not':
        this.add(formula.part);
        return;
      case 'and':
      case 'or':
        for (const part of formula.parts) this.add(part);
        return;
      case 'equals':
        this.equals(formula.left, formula.right);
    }
  }

  has(id: string): boolean {
    return this.variables.has(id);
  }

  /** Undefined if there is too much to try. */
  list(tried: 'all' | 'usual'): { id: string; values: readonly string[] }[] | undefined {
    if (this.budget <= 0) return undefined;
    return [...this.variables].map(([id, { allowed, usual, compared }]) => {
      if (tried === 'usual' && usual !== undefined) return { id, values: [usual] };
      // Variables compared with each other can be equal to any constant, to each other, or to nothing else.
      const open = this.comparesVariables ? [...this.shared, ANY_OTHER, `\0${id}`] : [...compared, ANY_OTHER];
      return { id, values: allowed ?? open };
    });
  }

  private variable(variable: Variable): Set<string> {
    let entry = this.variables.get(variable.id);
    if (entry === undefined) {
      entry = { ...variable, compared: new Set() };
      this.variables.set(variable.id, entry);
    }
    return entry.compared;
  }

  private equals(left: Operand, right: Operand): void {
    if ('variable' in left && 'variable' in right) {
      this.comparesVariables = true;
      this.variable(left.variable);
      this.variable(right.variable);
      return;
    }
    const [operand, other] = 'variable' in left ? [left, right] : [right, left];
    if (!('variable' in operand) || !('constant' in other)) return;
    this.variable(operand.variable).add(other.constant);
    this.shared.add(other.constant);
  }
}
