import { Absent, Known, LIMITS } from '../../../value';
import { ComposedText, TOO_LONG } from '../../../value/composed-text';
import { TerraformList, TerraformMap, type TerraformItem, type TerraformValue } from '../../terraform-value';
import { join, textOf } from '../texts';
import { derived } from '../unknowns';
import {
  CallBeyondLimit,
  CallFailure,
  CallUnknown,
  parts,
  whole,
  type Call,
  type Functions,
  type Result,
} from './function';
import { patternOf, type Pattern } from './regex';
import type { RegexMatch } from './regex-program';

export const PATTERNS: Functions = {
  replace: parts(3, 3, replace),
  regex: whole(2, 2, (call) => {
    const pattern = patternOf(call.text(0));
    const [match] = matchesIn(call.text(1), pattern, call, false);
    if (match === undefined) throw new CallFailure('the text does not match');
    return captured(match, pattern, call);
  }),
  regexall: whole(2, 2, (call) => {
    const pattern = patternOf(call.text(0));
    return new TerraformList(
      matchesIn(call.text(1), pattern, call, true).map((match) => captured(match, pattern, call)),
    );
  }),
};

/** So many steps of a regular expression take as long as working out a part of an expression. */
const STEPS = 20;

function matchesIn(
  text: string,
  { program }: Pattern,
  { context: { budget } }: Call,
  isAll: boolean,
): readonly RegexMatch[] {
  const most = budget.steps.left * STEPS;
  try {
    if (isAll) return [...program.all(text, most)];
    const match = program.first(text, most);
    return match === undefined ? [] : [match];
  } finally {
    budget.left -= Math.floor(program.taken / STEPS);
    budget.steps.take(Math.floor(program.taken / STEPS));
  }
}

/** The whole match, or its groups: by name if they have names. */
function captured(match: RegexMatch, { groups, names }: Pattern, call: Call): TerraformValue {
  const group = (index: number): TerraformValue =>
    match.groups[index] === undefined ? new Absent(call.here) : call.value(match.groups[index]);
  if (groups === 0) return group(0);
  const named = names.filter((name) => name !== undefined);
  if (named.length === 0)
    return call.value(new TerraformList(Array.from({ length: groups }, (_, index) => group(index + 1))));
  if (named.length < groups) throw new CallFailure('some groups have names and others have none');
  return call.value(
    new TerraformMap(new Map(named.map((name, index): [string, TerraformValue] => [name, group(index + 1)]))),
  );
}

/** Replaces a text, or what matches an expression between slashes. */
function replace(call: Call): Result {
  const [wanted, replacement] = [call.text(1), call.text(2)];
  const text = textOf(call.plain(0));
  const isPattern = wanted.length > 1 && wanted.startsWith('/') && wanted.endsWith('/');
  if (text.kind === 'known')
    return isPattern
      ? replacePattern(text.value, wanted.slice(1, -1), replacement, call)
      : replaceText(text.value, wanted, replacement);
  if (!(text instanceof ComposedText) || isPattern || wanted === '')
    throw new CallUnknown(text.kind === 'unknown' ? text.reason : 'it is null');
  return join(
    text.pieces.map((piece) => {
      if (piece.kind === 'unknown')
        return derived([piece, call.plain(1), call.plain(2)], call.here, (shown) => `replace(${shown.join(', ')})`);
      if (mayGoOn(piece.value, wanted)) throw new CallUnknown('what is replaced may be in a part that is not known');
      return new Known(replaceText(piece.value, wanted, replacement), call.here, piece.note);
    }),
    call.here,
  );
}

/** Of a longer text to replace, every beginning and every end would be looked for. */
const MOST_WANTED = 1000;

/** Whether an end of the text is a part of what is wanted, the rest of which may stand next to it. */
function mayGoOn(text: string, wanted: string): boolean {
  if (wanted.length > MOST_WANTED) return true;
  for (let length = 1; length < wanted.length; length++)
    if (text.endsWith(wanted.slice(0, length)) || text.startsWith(wanted.slice(-length))) return true;
  return wanted.length > text.length + 1 && wanted.includes(text);
}

function replaceText(text: string, wanted: string, replacement: string): string {
  const pieces = wanted === '' ? ['', ...Array.from(text), ''] : text.split(wanted);
  if (text.length + pieces.length * replacement.length > LIMITS.text) throw new CallBeyondLimit(TOO_LONG);
  return pieces.join(replacement);
}

function replacePattern(text: string, wanted: string, replacement: string, call: Call): TerraformItem {
  const pattern = patternOf(wanted);
  let result = '';
  let end = 0;
  for (const match of matchesIn(text, pattern, call, true)) {
    result += text.slice(end, match.start) + expanded(replacement, match, pattern);
    end = match.end;
    if (result.length > LIMITS.text) throw new CallBeyondLimit(TOO_LONG);
  }
  return result + text.slice(end);
}

/** `$1` and `${name}` in a replacement, as Go reads them: of a name without braces as many letters as there are. */
function expanded(replacement: string, match: RegexMatch, { groups, names }: Pattern): string {
  return replacement.replaceAll(
    /\$(?:\$|(\w+)|\{(\w+)\})/g,
    (whole: string, bare: string | undefined, braced: string | undefined) => {
      if (whole === '$$') return '$';
      const name = bare ?? braced ?? '';
      const index = /^\d+$/.test(name) ? Number(name) : names.indexOf(name) + 1;
      if (index === 0 && name !== '0') return '';
      return index <= groups ? (match.groups[index] ?? '') : '';
    },
  );
}
