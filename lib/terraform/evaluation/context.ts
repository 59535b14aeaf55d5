import type { Source, Steps } from '../../value';
import type { ValueStep } from '../address';
import type { Expression, Range } from '../../languages/hcl/ast';
import type { TerraformValue } from '../terraform-value';
import type { Here } from './places';
import type { Scope } from './scope';

type EvaluateIn = (expression: Expression, context: Context, here: Here) => TerraformValue;

export interface Budget {
  /** How many more parts of expressions are worked out. */
  left: number;
  /** What it takes of what all values of the input may take. */
  readonly steps: Steps;
  /** How often a key was taken for one of a collection of which the keys aren't known. */
  doubts: number;
}

/** What an expression is evaluated with. */
export class Context {
  constructor(
    readonly scope: Scope,
    /** One for the whole value. */
    readonly budget: Budget,
    private readonly evaluateIn: EvaluateIn,
  ) {}

  evaluate(expression: Expression, here: Here): TerraformValue {
    return this.evaluateIn(expression, this, here);
  }

  /** The place of a part below a value that is used somewhere. */
  place(range: Range, here: Here, step: ValueStep): Source {
    return this.scope.place(range, here.below(step));
  }

  /** With names of a `for` in addition. */
  with(names: ReadonlyMap<string, TerraformValue>): Context {
    return new Context(withNames(this.scope, names), this.budget, this.evaluateIn);
  }

  /** With another scope altogether, as templates in files have. */
  within(scope: Scope): Context {
    return new Context(scope, this.budget, this.evaluateIn);
  }
}

/** A scope with names of its own. */
export function withNames(scope: Scope, names: ReadonlyMap<string, TerraformValue>): Scope {
  return new InnerScope(scope, names);
}

class InnerScope implements Scope {
  constructor(
    private readonly outer: Scope,
    private readonly names: ReadonlyMap<string, TerraformValue>,
  ) {}

  resolve(names: readonly string[]): ReturnType<Scope['resolve']> {
    const own = this.names.get(names[0] ?? '');
    return own === undefined ? this.outer.resolve(names) : { value: own, used: 1 };
  }

  textOf(range: Range): string | undefined {
    return this.outer.textOf?.(range);
  }

  place(...place: Parameters<Scope['place']>): Source {
    return this.outer.place(...place);
  }

  readFile(path: string): ReturnType<Scope['readFile']> {
    return this.outer.readFile(path);
  }

  listFiles(folder: string): readonly string[] | undefined {
    return this.outer.listFiles?.(folder);
  }
}
