import { nowhere, type Source, type Unknown } from '../../value';

/** A stretch of a text that is decided later; a placeholder stands for it. */
export interface UnknownPart {
  /** Offset of its first character in the text. */
  readonly start: number;
  /** Offset behind its last character. */
  readonly end: number;
  readonly unknown: Unknown;
  /** The text that it is the base64 of, where that is known: what CDK puts into a MIME part. */
  readonly encoded?: SourceText;
}

/** How the input writes a value that is known: by `var.name`, or in a template by `${Name}`. */
export interface WrittenReference {
  readonly expression: string;
}

/** 1-based line and column. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A piece of a text: characters of the input, or something unknown. */
export type TextPiece =
  | {
      readonly text: string;
      readonly sourceAt: (offset: number) => Source;
      /** The reference that all of it is the value of. @default - it is written as it is, or elsewhere */
      readonly reference?: WrittenReference | undefined;
    }
  | { readonly unknown: Unknown; readonly encoded?: SourceText };

/** Where the characters of a text come from. */
interface Origin {
  sourceAt(offset: number): Source;
  positionAt(offset: number): TextPosition;
  referenceAt(offset: number): WrittenReference | undefined;
}

/**
 * A text out of an input, such as user data, with the way back from each character to the place where it stands there:
 * through `Fn::Join`, escapes, base64.
 *
 * Unknown parts show as a number of eight digits in {@link text}: a word that JSON, YAML, TOML, shells and PowerShell all
 * read as one value, inside quotes and outside. Parsers must ask {@link unknownIn} before they believe what they read.
 * For people there is {@link show}.
 */
export class SourceText {
  private constructor(
    readonly text: string,
    readonly unknownParts: readonly UnknownPart[],
    private readonly origin: Origin,
  ) {}

  /** A text without unknown parts. */
  static of(text: string, sourceAt: (offset: number) => Source = () => nowhere): SourceText {
    return SourceText.compose([{ text, sourceAt }]);
  }

  static compose(pieces: readonly TextPiece[]): SourceText {
    const starts: number[] = [];
    const unknownParts: UnknownPart[] = [];
    let text = '';
    for (const piece of pieces) {
      starts.push(text.length);
      if ('text' in piece) {
        text += piece.text;
        continue;
      }
      const start = text.length;
      text += placeholder(unknownParts.length);
      unknownParts.push({ ...piece, start, end: text.length });
    }
    const sourceAt = (offset: number): Source => {
      const index = Math.max(0, lastAtOrBefore(starts, offset));
      const piece = pieces[index];
      if (piece === undefined) return nowhere;
      return 'text' in piece ? piece.sourceAt(offset - (starts[index] ?? 0)) : piece.unknown.source;
    };
    const referenceAt = (offset: number): WrittenReference | undefined => {
      const piece = pieces[Math.max(0, lastAtOrBefore(starts, offset))];
      return piece !== undefined && 'text' in piece ? piece.reference : undefined;
    };
    const lines = new Lines(text);
    return new SourceText(text, unknownParts, { sourceAt, referenceAt, positionAt: (offset) => lines.at(offset) });
  }

  /** Whether nothing in it is unknown. */
  get isKnown(): boolean {
    return this.unknownParts.length === 0;
  }

  /** Where a character stands in the input. */
  sourceAt(offset: number): Source {
    return this.origin.sourceAt(offset);
  }

  /** The reference that a character belongs to the value of; the same object for all of one value. */
  referenceAt(offset: number): WrittenReference | undefined {
    return this.origin.referenceAt(offset);
  }

  /** Line and column of a character in the outermost text, the one that a node sees: those of a slice count from there. */
  positionAt(offset: number): TextPosition {
    return this.origin.positionAt(offset);
  }

  /** The first unknown part between two offsets, if there is one. */
  unknownIn(start: number, end: number): UnknownPart | undefined {
    const part = this.unknownParts[this.firstEndingBehind(start)];
    return part !== undefined && part.start < end ? part : undefined;
  }

  /** Index of the first unknown part that ends behind an offset; they stand in order. */
  private firstEndingBehind(offset: number): number {
    let low = 0;
    let high = this.unknownParts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.unknownParts[middle]?.end ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  slice(start: number, end = this.text.length): SourceText {
    const unknownParts: UnknownPart[] = [];
    for (let index = this.firstEndingBehind(start); index < this.unknownParts.length; index++) {
      const part = this.unknownParts[index];
      if (part === undefined || part.start >= end) break;
      unknownParts.push({ ...part, start: Math.max(part.start, start) - start, end: Math.min(part.end, end) - start });
    }
    return this.derive(this.text.slice(start, end), (offset) => start + offset, unknownParts);
  }

  /**
   * A text that this one holds in another form, such as the content of a base64 part.
   * @param toOffset where in this text the thing stands that a character of the new text comes from
   */
  derive(text: string, toOffset: (offset: number) => number, unknownParts: readonly UnknownPart[] = []): SourceText {
    const { origin } = this;
    return new SourceText(text, unknownParts, {
      sourceAt: (offset) => origin.sourceAt(toOffset(offset)),
      positionAt: (offset) => origin.positionAt(toOffset(offset)),
      referenceAt: (offset) => origin.referenceAt(toOffset(offset)),
    });
  }

  /** The same text with other places for its characters. */
  relocate(sourceAt: (offset: number) => Source): SourceText {
    const unknownParts = this.unknownParts.map((part) =>
      part.encoded === undefined ? part : { ...part, encoded: part.encoded.relocate(() => sourceAt(part.start)) },
    );
    return new SourceText(this.text, unknownParts, {
      sourceAt,
      positionAt: (offset) => this.positionAt(offset),
      referenceAt: () => undefined,
    });
  }

  /** The text between two offsets as people should see it, with `${…}` for what is unknown. */
  show(start = 0, end = this.text.length): string {
    let shown = '';
    let from = start;
    for (let index = this.firstEndingBehind(start); index < this.unknownParts.length; index++) {
      const part = this.unknownParts[index];
      if (part === undefined || part.start >= end) break;
      shown += this.text.slice(from, Math.max(from, part.start)) + (part.unknown.text ?? '${?}');
      from = part.end;
    }
    return shown + this.text.slice(from, end);
  }
}

/** Digits only, and always as many, so that it stays one word and no offset depends on what is unknown. */
function placeholder(index: number): string {
  return String(70000000 + (index % 10000000));
}

/** Index of the last of ascending numbers that isn't greater; -1 if there is none. */
export function lastAtOrBefore(ascending: readonly number[], limit: number): number {
  let low = -1;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Line starts of a text, found when the first position is asked for. LF, CRLF and a lone CR end lines, as for MIME readers. */
class Lines {
  private starts: number[] | undefined;

  constructor(private readonly text: string) {}

  at(offset: number): TextPosition {
    const starts = (this.starts ??= [
      0,
      ...Array.from(this.text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length),
    ]);
    const index = Math.max(0, lastAtOrBefore(starts, offset));
    return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 };
  }
}
