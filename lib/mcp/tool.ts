import type { Workspace } from './workspace';

/** A tool that agents call. All of them only read. */
export interface Tool {
  /** As agents call it: words with underscores. */
  readonly name: string;
  /** A few words for people. */
  readonly title: string;
  /** When to use it, for the model that chooses. */
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input: ObjectSchema;
  /** JSON Schema of the structured answer. @default - the answer is text */
  readonly output?: ObjectSchema;
  /**
   * Answers a call whose arguments fit the schema.
   * @throws ToolError for what the caller can mend
   */
  readonly call: (given: Given, workspace: Workspace, signal: AbortSignal) => Answer | Promise<Answer>;
}

/** Arguments that fit the schema of a tool. */
export type Given = Readonly<Record<string, unknown>>;

/** Text, or data that are told as text as well. */
export type Answer = { readonly text: string } | { readonly data: Readonly<Record<string, unknown>> };

/** The part of JSON Schema that describes arguments and answers. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: boolean;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema | ObjectSchema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

/** What the caller did wrong, in words for it. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export function textOf(given: Given, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

export function textsOf(given: Given, name: string): readonly string[] {
  const value = given[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** An option of the command, where a value is given for it. */
export function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
