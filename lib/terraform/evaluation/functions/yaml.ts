import { Absent, Known, Unknown, type Plain, type Source } from '../../../value';
import { compose, ComposedText, type TextPart } from '../../../value/composed-text';
import { ResourceObject } from '../../resource-object';
import { compareTexts, TerraformList, TerraformMap, TerraformSet, type TerraformValue } from '../../terraform-value';
import { hasOrder } from '../collections';
import { numberText } from '../numbers';
import { CallUnknown } from './function';

/** Deeper nesting than any data has. */
const MOST_LEVELS = 100;

/** A value as `yamlencode()` writes it: zclconf/go-cty-yaml, encode.go. Parts that aren't known stay pieces of the text. */
export function encodeYaml(value: TerraformValue, source: Source): Plain<string> {
  const writer = new Writer(source);
  writer.value(value, 0, 'root');
  return writer.text();
}

/** Lines of texts in quotes are broken behind so many characters. */
const WIDTH = 80;

/** What a value stands behind: a key, a hyphen, or nothing. */
type Position = 'root' | 'key' | 'item';

class Writer {
  private readonly pieces: Plain<string>[] = [];
  private pending = '';

  constructor(private readonly source: Source) {}

  text(): Plain<string> {
    this.flush();
    const [only, second] = this.pieces;
    return only?.kind === 'known' && second === undefined
      ? new Known(only.value, this.source, only.note)
      : compose(this.pieces, this.source);
  }

  /** @param column where the lines of the value begin */
  value(value: TerraformValue, column: number, position: Position): void {
    if (column > MOST_LEVELS * 2) throw new CallUnknown('it is nested too deeply');
    if (value.kind === 'choice') throw new CallUnknown('it depends on conditions');
    if (value.kind === 'known' && value.value instanceof TerraformList) this.list(value.value, column, position);
    else if (value.kind === 'known' && value.value instanceof TerraformMap) this.map(value.value, column, position);
    else {
      if (position !== 'root') this.pending += ' ';
      this.scalar(value, column, position);
    }
  }

  private scalar(value: TerraformValue, column: number, position: Position): void {
    // Where nothing else is, dots mark the end of what has no quotes.
    const end = position === 'root' ? '\n...\n' : '\n';
    if (value.kind === 'absent') this.pending += `null${end}`;
    else if (value.kind === 'known' && typeof value.value === 'number') this.pending += numberIn(value.value) + end;
    else if (value.kind === 'known' && typeof value.value === 'boolean') this.pending += String(value.value) + end;
    else if (value.kind === 'known' && typeof value.value === 'string')
      this.string([new Known(value.value, value.source, value.note)], column, position);
    else if (value instanceof ComposedText) this.string(value.pieces, column, position);
    else if (value.kind === 'unknown') {
      this.piece(value);
      this.pending += '\n';
    }
  }

  private string(pieces: readonly TextPart[], column: number, position: Position): void {
    const isLong = pieces.some((piece) => piece.kind === 'known' && piece.value.includes('\n'));
    const [only, second] = pieces;
    if (isLong && !pieces.some((piece) => piece.kind === 'known' && /\t| \n| $/.test(piece.value)))
      this.block(pieces, column, position);
    else if (only?.kind === 'known' && second === undefined)
      this.piece(
        new Known(`"${this.folded(quoted(only.value), column)}"\n`, { locate: () => only.source.locate() }, only.note),
      );
    else {
      this.pending += '"';
      for (const piece of pieces)
        this.piece(
          piece.kind === 'known'
            ? new Known(quoted(piece.value), { locate: () => piece.source.locate() }, piece.note)
            : piece,
        );
      this.pending += '"\n';
    }
  }

  /** Lines that are too long are broken at blanks: yaml_emitter_write_double_quoted in yaml/libyaml, src/emitter.c. */
  private folded(text: string, column: number): string {
    let at = this.column() + 1;
    if (at + text.length <= WIDTH) return text;
    let result = '';
    let isBlank = false;
    for (const [index, character] of Array.from(text).entries()) {
      if (character === ' ' && !isBlank && at > WIDTH && index > 0 && index < text.length - 1) {
        result += `\n${' '.repeat(column)}${text[index + 1] === ' ' ? '\\' : ''}`;
        at = column;
        isBlank = true;
        continue;
      }
      isBlank = character === ' ';
      result += character;
      at++;
    }
    return result;
  }

  /** How many characters stand in the line that is being written. */
  private column(): number {
    let text = this.pending;
    for (let index = this.pieces.length - 1; index >= 0 && !text.includes('\n'); index--) {
      const piece = this.pieces[index];
      if (piece?.kind !== 'known') break;
      text = piece.value + text;
    }
    return text.length - text.lastIndexOf('\n') - 1;
  }

  /** `|` with the lines below. */
  private block(pieces: readonly TextPart[], column: number, position: Position): void {
    const [first, last] = [pieces[0], pieces.at(-1)];
    for (const piece of pieces) if (piece.kind === 'known') checkLines(piece.value);
    const start = first?.kind === 'known' ? first.value : '';
    const end = last?.kind === 'known' ? last.value : '';
    if (start.startsWith('\n') || /^\n*$/.test(start + end))
      throw new CallUnknown('texts that begin with a new line are not written');
    const chomping = end.endsWith('\n\n') ? '+' : end.endsWith('\n') ? '' : '-';
    const indentation = ' '.repeat(position === 'root' ? 2 : Math.max(2, column));
    this.pending += `|${start.startsWith(' ') ? '2' : ''}${chomping}\n${indentation}`;
    for (const piece of pieces) {
      if (piece.kind === 'unknown') this.piece(piece);
      else
        this.piece(
          new Known(
            piece.value
              .replace(piece === last ? /(?<!\n)\n+$/ : /(?!)/, '')
              .replaceAll(/\n(?=[^\n])/g, `\n${indentation}`),
            { locate: () => piece.source.locate() },
            piece.note,
          ),
        );
    }
    const breaks = /(?<!\n)\n*$/.exec(end)?.[0].length ?? 0;
    this.pending += '\n'.repeat(Math.max(1, breaks));
  }

  private list(list: TerraformList, column: number, position: Position): void {
    if (list instanceof TerraformSet && !hasOrder(list))
      throw new CallUnknown('the order of the items of a set is not known');
    if (list.items.length === 0) {
      this.pending += position === 'root' ? '[]\n' : ' []\n';
      return;
    }
    // A list below a key stands at the column of the key, one in a list behind its hyphen.
    const own = position === 'key' ? column - 2 : column;
    if (position === 'key') this.pending += '\n';
    if (position === 'item') this.pending += ' ';
    for (const [index, item] of list.items.entries()) {
      this.pending += `${index > 0 || position === 'key' ? ' '.repeat(own) : ''}-`;
      this.value(item, own + 2, 'item');
    }
  }

  private map(map: TerraformMap, column: number, position: Position): void {
    if (map instanceof ResourceObject || map.more !== undefined)
      throw new CallUnknown(map.more?.reason ?? 'it is known only after apply');
    if (map.entries.size === 0) {
      this.pending += position === 'root' ? '{}\n' : ' {}\n';
      return;
    }
    if (position === 'key') this.pending += '\n';
    if (position === 'item') this.pending += ' ';
    for (const [index, key] of [...map.entries.keys()].sort(compareTexts).entries()) {
      if (key.includes('\n') || key.length > 100) throw new CallUnknown('keys of several lines are not written');
      this.pending += `${index > 0 || position === 'key' ? ' '.repeat(column) : ''}"${quoted(key)}":`;
      this.value(map.entries.get(key) ?? new Absent(this.source), column + 2, 'key');
    }
  }

  private piece(piece: Known<string> | Unknown): void {
    if (this.pending !== '') this.pieces.push(new Known(this.pending, this.source));
    this.pending = '';
    this.pieces.push(piece);
  }

  private flush(): void {
    if (this.pending !== '') this.pieces.push(new Known(this.pending, this.source));
    this.pending = '';
  }
}

function numberIn(number: number): string {
  const text = numberText(number);
  if (text === undefined) throw new CallUnknown('it has more digits than are looked at');
  return text;
}

/** Within quotes. What is escaped in other ways than JSON's isn't written. */
function quoted(text: string): string {
  if (/[^\n\t -~\u00a1-\u024f]/.test(text)) throw new CallUnknown('characters of that kind are not written');
  return text.replaceAll(/["\\]/g, '\\$&').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** Lines that YAML can't hold as they are. */
function checkLines(text: string): void {
  if (/[^\n -~\u00a1-\u024f]| \n| $/.test(text)) throw new CallUnknown('characters of that kind are not written');
}
