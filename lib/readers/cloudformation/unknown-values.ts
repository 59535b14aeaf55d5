import { always, Known, Unknown, type Plain, type Source, type Value, type When } from '../../model';
import type { Cursor } from './cursor';

/** Text of which parts are known: literals between values that are not. */
export class ComposedText extends Unknown {
  constructor(
    readonly pieces: readonly TextPart[],
    source: Source,
  ) {
    const unknown = pieces.filter((piece) => piece.kind === 'unknown');
    const [first] = unknown;
    super(
      first?.reason ?? 'it is composed of unknown parts',
      source,
      pieces.map((piece) => (piece.kind === 'known' ? piece.value : placeholder(piece))).join(''),
      unknown.every((piece) => piece.symbol !== undefined)
        ? pieces.map((piece) => (piece.kind === 'known' ? piece.value : `\${${piece.symbol ?? ''}}`)).join('')
        : undefined,
    );
  }
}

/** Part of a composed text; the source of a known one is the place where it stands. */
export type TextPart = Known<string> | Unknown;

/** Text that is known as a whole, but was put together from several places. */
export class JoinedText extends Known<string> {
  constructor(
    readonly pieces: readonly Known<string>[],
    source: Source,
    note: string | undefined,
  ) {
    super(pieces.map((piece) => piece.value).join(''), source, note);
  }
}

/** The base64 of a text that is known. */
export class Base64Text extends Known<string> {
  constructor(
    readonly decoded: Known<string>,
    source: Source,
  ) {
    super(Buffer.from(decoded.value).toString('base64'), source, decoded.note);
  }
}

/** The base64 of a text that is known in parts: which part of the base64 that makes unknown depends on lengths. */
export class UnknownBase64 extends Unknown {
  constructor(
    readonly decoded: Unknown,
    source: Source,
  ) {
    super(decoded.reason, source, undefined, decoded.symbol === undefined ? undefined : `base64(${decoded.symbol})`);
  }
}

/** The value of an SSM parameter, looked up at deployment; its path is known and often tells enough. */
export class SsmParameterValue extends Unknown {
  constructor(
    readonly parameterPath: string,
    source: Source,
  ) {
    const text = `{{resolve:ssm:${parameterPath}}}`;
    super(`SSM parameter ${parameterPath} is looked up at deployment`, source, text, text);
  }
}

/** An attribute of a resource of the input; `Ref` counts as attribute `Ref`. */
export class ResourceAttribute extends Unknown {
  constructor(
    /** Where the resource is declared. */
    readonly declaration: Cursor,
    readonly attribute: string,
    source: Source,
  ) {
    const { template, key } = declaration;
    const model = template.models.get(String(key));
    const suffix = attribute === 'Ref' ? '' : `.${attribute}`;
    super(
      `${key} gets its ${attribute === 'Ref' ? 'id' : attribute} at deployment`,
      source,
      `\${${key}${suffix}}`,
      `${template.id}/${key}${suffix}`,
      model === undefined ? undefined : { resource: model, attribute },
    );
  }
}

/** A parameter's default, which some conditions rule out. */
export class ParameterDefault<T> extends Known<T> {
  constructor(
    value: T,
    source: Source,
    note: string,
    /** What the parameter is when the assumption holds. */
    readonly under: (when: When) => Plain<T>,
  ) {
    super(value, source, note);
  }
}

/** How an unknown value shows within a text. */
export function placeholder(unknown: Unknown): string {
  return unknown.text ?? '${?}';
}

/** Joins pieces of text; a single unknown piece stays what it is, with its reference. */
export function compose(parts: readonly Plain<string>[], source: Source): Plain<string> {
  const pieces: TextPart[] = [];
  let note: string | undefined;
  for (const part of parts) {
    if (part.kind === 'known') {
      note ??= part.note;
      if (part instanceof JoinedText) pieces.push(...part.pieces);
      else if (part.value !== '') pieces.push(part);
    } else if (part.kind === 'unknown') {
      if (part instanceof ComposedText) pieces.push(...part.pieces);
      else pieces.push(part);
    }
  }
  const [first] = pieces;
  if (pieces.length === 1 && first?.kind === 'unknown') return at(first, source);
  return pieces.every((piece) => piece.kind === 'known') ? new JoinedText(pieces, source, note) : new ComposedText(pieces, source);
}

/** The same unknown value, seen from another place. */
export function at(unknown: Unknown, source: Source): Unknown {
  if (unknown.source === source) return unknown;
  if (unknown instanceof ComposedText) return new ComposedText(unknown.pieces, source);
  if (unknown instanceof UnknownBase64) return new UnknownBase64(unknown.decoded, source);
  if (unknown instanceof SsmParameterValue) return new SsmParameterValue(unknown.parameterPath, source);
  if (unknown instanceof ResourceAttribute) return new ResourceAttribute(unknown.declaration, unknown.attribute, source);
  return new Unknown(unknown.reason, source, unknown.text, unknown.symbol, unknown.reference);
}

/** The most alternatives that one text is written out for. */
const MAX_ALTERNATIVES = 64;

/** One combination of alternatives of several values. */
export interface Combination<T> {
  readonly when: When;
  readonly values: readonly Plain<T>[];
}

/** All combinations of alternatives that can occur together; `undefined` if there are too many to look at. */
export function combine<T>(values: readonly Value<T>[]): readonly Combination<T>[] | undefined {
  let rows: { when: When; values: Plain<T>[] }[] = [{ when: always, values: [] }];
  for (const value of values) {
    if (value.kind !== 'choice') {
      for (const row of rows) row.values.push(value);
      continue;
    }
    const next: typeof rows = [];
    for (const row of rows) {
      for (const alternative of value.alternatives) {
        const when = row.when.and(alternative.when);
        if (when !== undefined) next.push({ when, values: [...row.values, alternative.value] });
      }
    }
    if (next.length > MAX_ALTERNATIVES) return undefined;
    rows = next;
  }
  for (const { when, values: row } of rows) {
    if (when === always) continue;
    for (const [index, value] of row.entries()) if (value instanceof ParameterDefault) row[index] = (value as ParameterDefault<T>).under(when);
  }
  return rows;
}
