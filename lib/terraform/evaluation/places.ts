import {
  Absent,
  Choice,
  decidedAt,
  Known,
  type Decided,
  type Source,
  type SourceLocation,
  type WrittenLine,
} from '../../value';
import { Base64Text, JoinedText } from '../../value/composed-text';
import { pathText, type ValueStep } from '../address';
import type { Range } from '../../languages/hcl/ast';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import { flatMap, listLike } from './choices';
import type { Scope } from './scope';

/** Where a value is used: the key that it is written for, and its attribute path below the resource. */
export interface ValuePlace {
  readonly source: Source;
  /** `metadata_options[0].http_tokens` */
  readonly property?: string;
}

/** The literal text that a value stands for, and where it is written. */
interface WrittenText {
  readonly scope: Pick<Scope, 'place'>;
  readonly range: Range;
  readonly value: string;
}

/** A place of the expression that is being evaluated: what has another one comes from elsewhere. */
export class Here implements Source {
  isOfYaml?: true;
  isDecoded?: true;

  constructor(
    readonly owner: object,
    readonly property: string | undefined,
    private readonly place: Source,
    private readonly text?: WrittenText,
    /** Whether what is in the value has no property of its own, as what is in an encoded text. */
    private readonly isFlat = false,
    /** Whether it is in a value that is written at the place as a whole. */
    private readonly isWithin = false,
  ) {}

  get expression(): string | undefined {
    return this.isWithin ? undefined : this.place.expression;
  }

  get wholeExpression(): string | undefined {
    return this.isWithin ? undefined : this.place.wholeExpression;
  }

  lineWith(pattern: RegExp | string): WrittenLine | undefined {
    return this.place.lineWith?.(pattern);
  }

  locate(): SourceLocation {
    const location = this.place.locate();
    return this.property === undefined || location.property === this.property
      ? location
      : { ...location, property: this.property };
  }

  inText(text: string, offset: number): Source {
    const { property } = this;
    // How the text was written counts, not what was made of it.
    if (this.text === undefined) return this.place.inText?.(text, offset) ?? this;
    const { scope, range, value } = this.text;
    const place = scope.place(range, property);
    if (place.inText !== undefined) return place.inText(value, offset);
    return range.end - range.start === value.length
      ? scope.place({ start: range.start + offset, end: range.end }, property)
      : place;
  }

  /** The same place with a property below the one that it has. */
  child(step: ValueStep, place?: Source): Here {
    return new Here(this.owner, this.below(step), place ?? this.place, undefined, this.isFlat, place === undefined);
  }

  /** The property of something in the value that stands here. */
  below(step: ValueStep): string | undefined {
    return this.isFlat ? this.property : below(this.property, step);
  }

  /** The same place for what is not in the value as it is. */
  flat(): Here {
    return new Here(this.owner, this.property, this.place, this.text, true, this.isWithin);
  }

  /** The same place for what a text there is read as: nothing in it has a name there. */
  decoded(language: 'json' | 'yaml'): Here {
    const here = new Here(this.owner, this.property, this.place, this.text, this.isFlat, this.isWithin);
    here.isDecoded = true;
    if (language === 'yaml') here.isOfYaml = true;
    return here;
  }

  /** The same place for a text that is written there. */
  ofText(text: WrittenText): Here {
    return new Here(this.owner, this.property, this.place, text, false, this.isWithin);
  }

  /** The same place for a text that is written elsewhere. */
  ofTextAt(source: Source): Source {
    return source.inText === undefined ? this : new TextFromElsewhere(this, source);
  }
}

class TextFromElsewhere implements Source {
  constructor(
    private readonly use: Source,
    private readonly written: Source,
  ) {}

  locate(): SourceLocation {
    return this.use.locate();
  }

  get expression(): string | undefined {
    return this.use.expression;
  }

  get wholeExpression(): string | undefined {
    return this.use.wholeExpression;
  }

  lineWith(pattern: RegExp | string): WrittenLine | undefined {
    return this.use.lineWith?.(pattern);
  }

  inText(text: string, offset: number): Source {
    return this.written.inText?.(text, offset) ?? this;
  }
}

/** The place of a value within a text: that of the value, which the text names by a reference. */
export class Interpolated implements Source {
  readonly from?: string;
  readonly decided?: Decided | undefined;
  readonly isModuleDefault?: 'yes' | 'maybe' | undefined;

  constructor(
    private readonly value: Source,
    private readonly reference: Source,
  ) {
    const { from, decided, isModuleDefault } = value;
    if (from !== undefined) this.from = from;
    if (decided !== undefined) this.decided = decided;
    if (isModuleDefault !== undefined) this.isModuleDefault = isModuleDefault;
  }

  locate(): SourceLocation {
    return this.value.locate();
  }

  get expression(): string | undefined {
    return this.reference.expression;
  }

  inText(text: string, offset: number): Source {
    return this.value.inText?.(text, offset) ?? this;
  }
}

/** The place of a piece of a value within a text, all of which the text names by a reference. */
export class InterpolatedPiece extends Interpolated {
  constructor(
    piece: Source,
    readonly pieceOf: { readonly expression: string },
  ) {
    super(piece, piece);
  }
}

/** `metadata_options[0]` and `http_tokens` are `metadata_options[0].http_tokens`; what stands in no resource has no property. */
export function below(property: string | undefined, step: ValueStep): string | undefined {
  if (property === undefined) return undefined;
  const text = pathText([step]);
  return property === '' || text.startsWith('[') ? property + text : `${property}.${text}`;
}

/** More values than this keep the places that they have. */
const MOST_VALUES = 20_000;

/** The value as it is used here: what comes from elsewhere gets the place of use. Pieces of texts keep the places where they are written. */
export function usedAt(value: TerraformValue, here: Here, budget = { left: MOST_VALUES }): TerraformValue {
  if (budget.left-- <= 0) return value;
  if (value.kind === 'choice') {
    const alternatives = value.alternatives.map((one) => ({
      when: one.when,
      value: usedAt(one.value, here, budget) as typeof one.value,
    }));
    return alternatives.every((one, index) => one.value === value.alternatives[index]?.value)
      ? value
      : new Choice(alternatives);
  }
  const isHere = value.source instanceof Here && value.source.owner === here.owner;
  const source = isHere ? value.source : here;
  if (value.kind === 'absent') return isHere ? value : new Absent(decidedAt(source, value.source.decided));
  if (value.kind === 'unknown') return isHere ? value : value.at(source);
  const { value: item, note } = value;
  if (typeof item === 'object') {
    const inner = usedItem(item, source, note, budget);
    return isHere && inner === item ? value : new Known(inner, source, note);
  }
  if (isHere) return value;
  if (value instanceof JoinedText) return new JoinedText(value.pieces, source, note);
  if (value instanceof Base64Text) return new Base64Text(value.decoded, source);
  const use = typeof item === 'string' ? here.ofTextAt(value.source) : source;
  return new Known(item, decidedAt(use, value.source.decided), note);
}

function usedItem(
  item: TerraformList | TerraformMap,
  here: Here,
  note: string | undefined,
  budget: { left: number },
): TerraformItem {
  if (item instanceof TerraformList) {
    const items = item.items.map((one, index) => usedAt(withNote(one, note, undefined), here.child(index), budget));
    return items.every((one, index) => one === item.items[index]) ? item : listLike(item, items);
  }
  // Resources and outputs of modules are looked into when somebody asks.
  if (!isEager(item)) return item;
  let changed = false;
  const entries = new Map<string, TerraformValue>();
  for (const [key, entry] of item.entries) {
    const used = usedAt(withNote(entry, note, key), here.child(key), budget);
    if (used !== entry) changed = true;
    entries.set(key, used);
  }
  const unsure = item.unsure.map((entry) => {
    const used = usedAt(withNote(entry.value, note, undefined), here, budget);
    if (used !== entry.value) changed = true;
    return { key: entry.key, value: used };
  });
  const more = item.more?.at(here.owner === (item.more.source as Partial<Here>).owner ? item.more.source : here);
  if (!changed && more === item.more) return item;
  return more === undefined ? new TerraformMap(entries) : new TerraformMap(entries, more, unsure);
}

/** Whether the entries of a map are there, and not worked out when somebody asks. */
export function isEager(item: TerraformItem): item is TerraformMap {
  return item instanceof TerraformMap && item.constructor === TerraformMap && item.entries instanceof Map;
}

/**
 * A value that says where it comes from, unless it does already.
 * @param key what it is called there
 */
export function withNote(value: TerraformValue, note: string | undefined, key: string | undefined): TerraformValue {
  if (note !== undefined && value.kind === 'choice') return flatMap(value, (plain) => withNote(plain, note, key));
  // Whoever leaves a setting out by a name, as by `default = null`, gives it there.
  if (note !== undefined && key !== undefined && value.kind === 'absent')
    return new Absent(decidedAt(value.source, { by: note, at: value.source, key }));
  if (note === undefined || value.kind !== 'known' || value.note !== undefined) return value;
  if (value instanceof JoinedText) return new JoinedText(value.pieces, value.source, note);
  if (value instanceof Base64Text) return value;
  const { source } = value;
  // What is decoded there has no name there.
  const name = source instanceof Here && source.isDecoded === true ? undefined : key;
  // What is in a list or map says it by itself.
  return new Known(
    value.value,
    typeof value.value === 'object' ? source : decidedAt(source, { by: note, at: source, key: name }),
    note,
  );
}
