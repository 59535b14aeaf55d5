import { Absent, Known } from '../../../../value';
import { ComposedText } from '../../../composed-text';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../../value';
import { join, LONGEST_TEXT, textOf } from '../texts';
import { derived } from '../unknowns';
import { CallFailure, CallUnknown, parts, whole, type Call, type Functions, type Result } from './function';
import { checkLength, patternOf, type Pattern } from './regex';

export const PATTERNS: Functions = {
  replace: parts(3, 3, replace),
  regex: whole(2, 2, (call) => {
    const pattern = patternOf(call.text(0));
    const text = call.text(1);
    checkLength(pattern, text);
    const match = pattern.regex.exec(text);
    if (match === null) throw new CallFailure('the text does not match');
    return captured(match, pattern, call);
  }),
  regexall: whole(2, 2, (call) => {
    const pattern = patternOf(call.text(0), 'g');
    const text = call.text(1);
    checkLength(pattern, text);
    let end = -1;
    const matches = [...text.matchAll(pattern.regex)].filter((match) => {
      const counts = match[0] !== '' || match.index !== end;
      end = match.index + match[0].length;
      return counts;
    });
    return new TerraformList(matches.map((match) => captured(match, pattern, call)));
  }),
};

/** The whole match, or its groups: by name if they have names. */
function captured(match: RegExpExecArray | RegExpMatchArray, { groups, names }: Pattern, call: Call): TerraformValue {
  if (groups === 0) return call.value(match[0]);
  const group = (index: number): TerraformValue => (match[index + 1] === undefined ? new Absent(call.here) : call.value(match[index + 1] ?? ''));
  const named = names.filter((name) => name !== undefined);
  if (named.length === 0) return call.value(new TerraformList(Array.from({ length: groups }, (_, index) => group(index))));
  if (named.length < groups) throw new CallFailure('some groups have names and others have none');
  return call.value(new TerraformMap(new Map(named.map((name, index): [string, TerraformValue] => [name, group(index)]))));
}

/** Replaces a text, or what matches an expression between slashes. */
function replace(call: Call): Result {
  const [wanted, replacement] = [call.text(1), call.text(2)];
  const text = textOf(call.plain(0));
  const isPattern = wanted.length > 1 && wanted.startsWith('/') && wanted.endsWith('/');
  if (text.kind === 'known') return isPattern ? replacePattern(text.value, wanted.slice(1, -1), replacement) : replaceText(text.value, wanted, replacement);
  if (!(text instanceof ComposedText) || isPattern || wanted === '') throw new CallUnknown(text.kind === 'unknown' ? text.reason : 'it is null');
  return join(
    text.pieces.map((piece) => {
      if (piece.kind === 'unknown') return derived([piece, call.plain(1), call.plain(2)], call.here, (shown) => `replace(${shown.join(', ')})`);
      if (mayGoOn(piece.value, wanted)) throw new CallUnknown('what is replaced may be in a part that is not known');
      return new Known(replaceText(piece.value, wanted, replacement), call.here, piece.note);
    }),
    call.here,
  );
}

/** Whether an end of the text is a part of what is wanted, the rest of which may stand next to it. */
function mayGoOn(text: string, wanted: string): boolean {
  for (let length = 1; length < wanted.length; length++) if (text.endsWith(wanted.slice(0, length)) || text.startsWith(wanted.slice(-length))) return true;
  return wanted.length > text.length + 1 && wanted.includes(text);
}

function replaceText(text: string, wanted: string, replacement: string): string {
  const pieces = wanted === '' ? ['', ...Array.from(text), ''] : text.split(wanted);
  if (text.length + pieces.length * replacement.length > LONGEST_TEXT) throw new CallUnknown('it is too long');
  return pieces.join(replacement);
}

function replacePattern(text: string, wanted: string, replacement: string): TerraformItem {
  const pattern = patternOf(wanted, 'g');
  checkLength(pattern, text);
  let length = 0;
  let end = -1;
  return text.replace(pattern.regex, (...match: unknown[]) => {
    const offset = match.find((one) => typeof one === 'number') ?? 0;
    const before = end;
    end = offset + String(match[0]).length;
    // Go takes nothing right behind a match for no match.
    if (match[0] === '' && offset === before) return '';
    const result = expanded(replacement, match, pattern);
    length += result.length;
    if (length > LONGEST_TEXT) throw new CallUnknown('it is too long');
    return result;
  });
}

/** `$1` and `${name}` in a replacement, as Go reads them: of a name without braces as many letters as there are. */
function expanded(replacement: string, match: readonly unknown[], { groups, names }: Pattern): string {
  return replacement.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole: string, bare: string | undefined, braced: string | undefined) => {
    if (whole === '$$') return '$';
    const name = bare ?? braced ?? '';
    const index = /^\d+$/.test(name) ? Number(name) : names.indexOf(name) + 1;
    if (index === 0 && name !== '0') return '';
    const group = index <= groups ? match[index] : undefined;
    return typeof group === 'string' ? group : '';
  });
}
