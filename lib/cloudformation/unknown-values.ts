import { always, Default, type Plain, type Source, Unknown, type Value, type When } from '../value';
import type { Cursor } from './cursor';

/** The value of an SSM parameter, looked up at deployment; its path is known and often tells enough. */
export class SsmParameterValue extends Unknown {
  constructor(
    readonly parameterPath: string,
    source: Source,
    /** The text that names it, where that is put together. */
    readonly named?: Plain<string>,
  ) {
    const text = `{{resolve:ssm:${parameterPath}}}`;
    super(`SSM parameter ${parameterPath} is looked up at deployment`, source, text, text);
  }

  override at(source: Source): SsmParameterValue {
    return source === this.source ? this : new SsmParameterValue(this.parameterPath, source, this.named);
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

  override at(source: Source): ResourceAttribute {
    return source === this.source ? this : new ResourceAttribute(this.declaration, this.attribute, source);
  }
}

/** The parts of an unknown text, of which only the sign between them is known. It has no text itself: who takes it for an item would read the whole as one. */
export class SplitText extends Unknown {
  constructor(
    readonly whole: Unknown,
    readonly delimiter: string,
    source: Source,
  ) {
    super(
      whole.reason,
      source,
      undefined,
      whole.symbol === undefined ? undefined : `split(${delimiter},${whole.symbol})`,
    );
  }

  override at(source: Source): SplitText {
    return source === this.source ? this : new SplitText(this.whole, this.delimiter, source);
  }

  /** What the parts make with another sign between them: `Fn::Join` takes the scheme of a URL away in this way. */
  joinedBy(delimiter: string, source: Source): Unknown {
    const { whole } = this;
    if (delimiter === this.delimiter) return whole.at(source);
    const { reason, text, symbol } = whole;
    return new Unknown(
      reason,
      source,
      text === undefined ? undefined : text.replace(/\}?$/, (end) => `[${this.delimiter} → ${delimiter}]${end}`),
      symbol === undefined ? undefined : `join(${delimiter},split(${this.delimiter},${symbol}))`,
    );
  }
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
    for (const [index, value] of row.entries())
      if (value instanceof Default) row[index] = (value as Default<T>).under(when);
  }
  return rows;
}
