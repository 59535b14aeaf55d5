import type { DocumentPath } from '../../languages';

/** What a report doesn't hold as it should, and where. */
export class FieldProblem extends Error {
  constructor(
    readonly path: DocumentPath,
    message: string,
  ) {
    super(message);
  }
}

/** A value of a JSON document that knows where it stands, and what it has to be. Every question throws a {@link FieldProblem} where the answer is no. */
export class Field {
  constructor(
    readonly value: unknown,
    private readonly path: DocumentPath = [],
  ) {}

  /** A member of a map; of what is none, nothing. */
  at(key: string): Field {
    const { value } = this;
    const isThere = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
    return new Field(isThere ? (value as Readonly<Record<string, unknown>>)[key] : undefined, [...this.path, key]);
  }

  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  get text(): string {
    if (typeof this.value === 'string') return this.value;
    throw this.problem('a text');
  }

  /** A text, or nothing where nothing stands. */
  get textIfAny(): string | undefined {
    return this.isThere ? this.text : undefined;
  }

  /** @param least the smallest number that it may be */
  number(least: number): number {
    if (Number.isInteger(this.value) && (this.value as number) >= least) return this.value as number;
    throw this.problem(`a whole number from ${least} on`);
  }

  oneOf<T extends string>(...values: readonly T[]): T {
    const found = values.find((value) => value === this.value);
    if (found !== undefined) return found;
    throw this.problem(values.map((value) => `"${value}"`).join(' or '));
  }

  get items(): readonly Field[] {
    if (Array.isArray(this.value))
      return this.value.map((item: unknown, index) => new Field(item, [...this.path, index]));
    throw this.problem('a list');
  }

  /** The items of a list, none where nothing stands. */
  get itemsIfAny(): readonly Field[] {
    return this.isThere ? this.items : [];
  }

  problem(expected: string): FieldProblem {
    const name = this.path.at(-1);
    const what = typeof name === 'string' ? `"${name}"` : 'this';
    return this.isThere
      ? new FieldProblem(this.path, `${what} is not ${expected}`)
      : new FieldProblem(this.path.slice(0, -1), `${what} is missing; it is ${expected}`);
  }
}
