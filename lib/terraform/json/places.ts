import type { Source, SourceLocation } from '../../value';
import { escapedOffset, skipBlank, skipString, stringAt } from '../../languages/json/json-scanner';
import { LineIndex } from '../../languages/positions';
import type { Range } from '../../languages/hcl/ast';

/** A string whose characters don't stand in the file as they are. */
interface EscapedString {
  /** Where its characters begin in the range of offsets behind the end of the file. */
  readonly base: number;
  /** Offset of its opening quote in the file. */
  readonly quote: number;
}

/**
 * Places in a JSON text. The characters of a string with escapes get offsets of their own, behind those of the file, so that whoever counts
 * characters of a template's text from its range gets to the place where that character is written.
 */
export class JsonPlaces {
  private readonly lines: LineIndex;
  private readonly escaped: EscapedString[] = [];
  private readonly bases = new Map<number, number>();
  private end: number;

  constructor(
    readonly file: string,
    private readonly text: string,
  ) {
    this.lines = new LineIndex(text);
    this.end = text.length + 1;
  }

  /** The offset that the first character of a string has in ranges. */
  baseOf(range: Range, value: string): number {
    const quote = range.start;
    // Without escapes the string is as long as what is between its quotes.
    if (range.end - quote - 2 === value.length) return quote + 1;
    const known = this.bases.get(quote);
    if (known !== undefined) return known;
    const base = this.end;
    this.end += value.length + 1;
    this.escaped.push({ base, quote });
    this.bases.set(quote, base);
    return base;
  }

  /** Offset in the file of an offset in a range. */
  offsetOf(offset: number): number {
    const string = this.stringOf(offset);
    return string === undefined ? offset : escapedOffset(this.text, string.quote + 1, offset - string.base);
  }

  position(offset: number): { readonly line: number; readonly column: number } {
    return this.lines.at(this.offsetOf(offset));
  }

  /** Offset of the character that stands `count` characters behind the first of a text, which may be a template's with `$${` for `${`. */
  behind(place: number, text: string, count: number): number {
    const string = this.stringOf(place);
    const start = string === undefined ? this.valueOf(place) : place;
    const quote = string?.quote ?? this.text.lastIndexOf('"', start);
    const value = stringAt(this.text, quote, skipString(this.text, quote));
    const first = string === undefined ? (start === quote ? 0 : start - quote - 1) : start - string.base;
    const base = string?.base ?? this.baseOf({ start: quote, end: skipString(this.text, quote) }, value);
    return base + first + writtenLength(value, first, text, count);
  }

  /** Where the value of a key starts; any other place stays what it is. */
  private valueOf(offset: number): number {
    if (this.text[offset] !== '"') return offset;
    const colon = skipBlank(this.text, skipString(this.text, offset));
    if (this.text[colon] !== ':') return offset;
    const value = skipBlank(this.text, colon + 1);
    return this.text[value] === '"' ? value : offset;
  }

  /** The reference that the text at a place is, if it is nothing else. */
  referenceAt(offset: number): string | undefined {
    const start = this.valueOf(this.offsetOf(offset));
    return REFERENCE.exec(this.text.slice(start, start + LONGEST_REFERENCE))?.[1];
  }

  private stringOf(offset: number): EscapedString | undefined {
    if (offset <= this.text.length) return undefined;
    let low = 0;
    let high = this.escaped.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.escaped[middle]?.base ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.escaped[low];
  }
}

const REFERENCE = /^"\$\{([A-Za-z_][\w-]*(?:\.[\w-]+|\[\w+\])+)\}"/;
const LONGEST_REFERENCE = 300;

/** How many characters of a template's text stand for the first `count` characters that it gives. */
function writtenLength(written: string, first: number, text: string, count: number): number {
  if (written.startsWith(text, first)) return count;
  let i = first;
  for (let left = count; left > 0 && i < written.length; left--) {
    const character = written[i];
    i += (character === '$' || character === '%') && written[i + 1] === character && written[i + 2] === '{' ? 2 : 1;
  }
  return i - first;
}

/** A place in a file of JSON. */
export class JsonPlace implements Source {
  constructor(
    private readonly places: JsonPlaces,
    private readonly start: number,
    private readonly property: string | undefined,
  ) {}

  locate(): SourceLocation {
    const { file } = this.places;
    return {
      file,
      ...this.places.position(this.start),
      ...(this.property === undefined ? {} : { property: this.property }),
    };
  }

  get expression(): string | undefined {
    return this.places.referenceAt(this.start);
  }

  inText(text: string, offset: number): Source {
    return new JsonPlace(this.places, this.places.behind(this.start, text, offset), this.property);
  }

  /** A place, when it gets into JSON; the file behind it may be huge. */
  toJSON(): SourceLocation {
    return this.locate();
  }
}
