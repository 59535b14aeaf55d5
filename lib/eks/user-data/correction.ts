import type { Unknown } from '../../value';
import type { SourceText } from './source-text';

/** A piece of a text that is replaced; offsets in the text. */
export interface TextCorrection {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Lines of a file that are replaced, as they are written there. */
export interface CorrectedLines {
  readonly file: string;
  /** 1-based. */
  readonly first: number;
  /** They are lines of a text that a template has as a value, or in pieces, with `${…}` for what its functions fill in. @default - lines of the file */
  readonly isInValue?: true;
  /** All of that text with the correction, as `Fn::Sub` fills it in. @default - it can't be written so, or is too long to be shown */
  readonly whole?: string;
  /** They hold a value that somebody has to look up first, so that nothing writes them by itself. @default - they can be written as they are */
  readonly isOpen?: true;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Longest piece of a file that is shown to be replaced, in lines. */
const MOST_LINES = 40;

/** Nobody reads more of them; and where each of many mistakes stands in one long line, to show it for each takes as long as the square of their number. */
const MOST_CHARACTERS = 4_000;

/** What an input writes otherwise than the text has it: interpolation of Terraform and CloudFormation. */
const ESCAPED = /[$%]\{/;

/**
 * Corrections, in their order, as lines of the file that holds the text, or of the text where a template has that as a value. Undefined where it
 * isn't known how they are written.
 */
export function correctedLines(
  text: SourceText,
  ...corrections: readonly TextCorrection[]
): CorrectedLines | undefined {
  const all = text.text;
  const start = corrections[0]?.start ?? 0;
  const end = corrections.at(-1)?.end ?? 0;
  const from = start === 0 ? 0 : all.lastIndexOf('\n', start - 1) + 1;
  const found = all.indexOf('\n', end);
  const to = found < 0 ? all.length : found;
  if (to - from > MOST_CHARACTERS) return undefined;
  const old = linesIn(all, from, to);
  const place = placeOfLines(text, from, to) ?? placeInValue(text, from);
  if (place === undefined || old.length > MOST_LINES || all.slice(from, to).includes('\r')) return undefined;
  const writtenPart = (start: number, end: number) => writtenBetween(text, place, from, start, end);
  const before = old.map((line) => writtenPart(line.start, line.end));
  if (before.some((line) => line === undefined)) return undefined;
  let [whole, done]: [string, number] = ['', from];
  for (const correction of [...corrections, { start: to, end: to, text: '' }]) {
    const kept = writtenPart(done, correction.start);
    if (kept === undefined) return undefined;
    whole += kept + correction.text;
    done = correction.end;
  }
  // Lines that go leave none behind.
  const after = whole === '' && end > start ? [] : whole.split('\n');
  const indented = (line: string): string => (line === '' ? '' : place.indentation + line);
  const corrected = place.isInValue === true ? wholeText(text, corrections) : undefined;
  return {
    file: place.file,
    first: place.line,
    ...(place.isInValue === true ? { isInValue: true } : {}),
    ...(corrected === undefined ? {} : { whole: corrected }),
    before: before.flatMap((line) => (line === undefined ? [] : [indented(line)])),
    after: after.map(indented),
  };
}

interface TextLine {
  readonly start: number;
  readonly end: number;
}

function linesIn(text: string, from: number, to: number): readonly TextLine[] {
  const lines: TextLine[] = [];
  for (let start = from; start <= to; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 || found > to ? to : found;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

/** The whole of a text after corrections that need references filled in where it fills in none: only code for all of it can say that. */
export function correctedText(text: SourceText, ...corrections: readonly TextCorrection[]): CorrectedLines | undefined {
  const whole = wholeText(text, corrections);
  if (whole === undefined) return undefined;
  const { file } = text.sourceAt(0).locate();
  return { file, first: 1, isInValue: true, isOpen: true, whole, before: [], after: [] };
}

/** Lines around some that show whether these are lines of the file. */
const AROUND = 3;

/**
 * Where lines of a text are in a file, if each is a line there, with the same blanks in front. Two that aren't empty have to say so: those above, since
 * below them a template may leave out some, or else those around.
 */
function placeOfLines(text: SourceText, from: number, to: number): PlaceOfLines | undefined {
  return placeWith(text, from, to, 0) ?? placeWith(text, from, to, AROUND);
}

type PlaceOfLines = Place & { readonly indentation: string };

/** @param most how many lines below are asked */
function placeWith(text: SourceText, from: number, to: number, most: number): PlaceOfLines | undefined {
  const all = text.text;
  let [begin, end] = [from, to];
  let above = 0;
  for (; above < AROUND && begin > 0; above++) begin = begin < 2 ? 0 : all.lastIndexOf('\n', begin - 2) + 1;
  for (let below = 0; below < most && end < all.length; below++) {
    const found = all.indexOf('\n', end + 1);
    end = found < 0 ? all.length : found;
  }
  const seen = linesIn(all, begin, end).flatMap((line, index) => {
    const at = line.start + all.slice(line.start, line.end).search(/\S/);
    if (at < line.start || text.unknownIn(at, at + 1) !== undefined || text.referenceAt(at) !== undefined) return [];
    const first = text.sourceAt(at).locate();
    // The break behind it is its own, not one of `Fn::Join`.
    const behind = line.end < all.length ? text.sourceAt(line.end).locate().line : first.line;
    const column = first.column - (at - line.start);
    return [{ file: first.file, line: first.line - index + above, column, isWhole: behind === first.line }];
  });
  const [one, other] = seen;
  if (one === undefined || other === undefined || one.file === '') return undefined;
  const { file, line, column } = one;
  const isSame = seen.every(
    (place) => place.isWhole && place.file === file && place.line === line && place.column === column,
  );
  return isSame ? { file, line, indentation: ' '.repeat(column - 1) } : undefined;
}

/** Where the first line of some is in a file. */
interface Place {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly isInValue?: true;
}

/** JSON has a text as one value, or as pieces of `Fn::Join`, as YAML may. */
function placeInValue(text: SourceText, from: number): (Place & { readonly indentation: string }) | undefined {
  const { file } = text.sourceAt(0).locate();
  const line = text.text.slice(0, from).split('\n').length;
  return /\.(?:json|ya?ml|template)$/i.test(file) ? { file, line, isInValue: true, indentation: '' } : undefined;
}

/** What `Fn::Sub` can fill in without values of its own. */
const FILLED_IN = /^\$\{[\w:.]+\}$/;

/** A text with corrections as `Fn::Sub` has it; undefined where something of it can't be written so. */
function wholeText(text: SourceText, corrections: readonly TextCorrection[]): string | undefined {
  // What was taken out of a text is less than all of it.
  if (text.positionAt(0).line > 1) return undefined;
  let [whole, done]: [string, number] = ['', 0];
  for (const { start, end, text: added } of [...corrections, { start: text.text.length, end: done, text: '' }]) {
    const kept = substituted(text, done, start);
    if (kept === undefined) return undefined;
    whole += kept + added;
    done = end;
  }
  return whole.split('\n').length > MOST_LINES_OF_TEXT ? undefined : whole;
}

/** Longest text that is shown as a whole, in lines. */
const MOST_LINES_OF_TEXT = 60;

function substituted(text: SourceText, start: number, end: number): string | undefined {
  let written = '';
  for (let at = start; at < end; ) {
    const part = text.unknownIn(at, at + 1);
    const reference = text.referenceAt(at);
    if (part === undefined && reference === undefined) {
      const character = text.text.charAt(at);
      // `${` that belongs to the script.
      written += character === '{' && text.text.charAt(at - 1) === '$' ? '{!' : character;
      at++;
      continue;
    }
    const words = part === undefined ? inText(reference?.expression ?? '') : part.unknown.text;
    if (words === undefined || !FILLED_IN.test(words)) return undefined;
    written += words;
    if (part !== undefined) at = part.end;
    else
      do at++;
      while (at < end && text.referenceAt(at) === reference);
  }
  return written;
}

/**
 * A part of some lines as the file has it, with the words of the input for what is decided later or comes from elsewhere. Undefined where these aren't
 * known.
 * @param from where the lines begin
 */
function writtenBetween(
  text: SourceText,
  { file, line: first, isInValue }: Place,
  from: number,
  start: number,
  end: number,
): string | undefined {
  let line = first + (text.text.slice(from, start).match(/\n/g)?.length ?? 0);
  let written = '';
  for (let at = start; at < end; ) {
    const part = text.unknownIn(at, at + 1);
    if (part !== undefined) {
      const own = ownWords(part.unknown);
      if (own === undefined || part.start < at || part.end > end) return undefined;
      written += own;
      at = part.end;
      continue;
    }
    const reference = text.referenceAt(at);
    if (reference !== undefined) {
      if (at > 0 && text.referenceAt(at - 1) === reference) return undefined;
      do at++;
      while (at < text.text.length && text.referenceAt(at) === reference);
      if (at > end) return undefined;
      written += inText(reference.expression);
      continue;
    }
    const character = text.text.charAt(at);
    if (character === '\n') line++;
    else if (ESCAPED.test(text.text.slice(at, at + 2))) return undefined;
    else {
      const place = text.sourceAt(at).locate();
      if (place.file !== file || (isInValue !== true && place.line !== line)) return undefined;
    }
    written += character;
    at++;
  }
  return written;
}

/** An address of a resource within another module, which no text can name. */
export const WITHIN_MODULE = /\bmodule\.[\w-]+(?:\[[^\]]*\])?\.(?:module|data|[a-z\d]+_\w+)\.[\w-]+[.[]/;

/** What stands where a value will: the reference as it is written, or what it refers to. */
function ownWords({ source: { expression }, text }: Unknown): string | undefined {
  // A function of a template, such as `!Ref Cluster`, is another word in a text.
  if (expression !== undefined && !expression.startsWith('!')) return inText(expression);
  return text !== undefined && WITHIN_MODULE.test(text) ? undefined : text;
}

/** A reference as a text has it. */
function inText(expression: string): string {
  return expression.startsWith('${') ? expression : `\${${expression}}`;
}
