import { withCommonNames, type Finding } from '../engine';
import { difference } from '../text/line-difference';

/** What a fix says that another one doesn't. */
export interface Variant {
  /** Empty if it says the same. */
  readonly words: string;
  /** Lines of its code, under its own names. Empty if it has the same. */
  readonly code: readonly string[];
}

/** Changed lines of code beyond which it is easier to read by itself. */
const MOST_LINES = 12;

/** An item of a list that is no map: a text, a reference. */
const NAMELESS_ITEM = /^ *- (?!\w+:(?: |$))/;

/** Combinations of lines beyond which it takes longer to compare codes than to read both. */
const MOST_COMPARED = 40_000;

function lineCount({ fixCode = '' }: Finding): number {
  return fixCode.split('\n').length;
}

/** A sentence or line, as it is told and as it is compared. */
interface Piece {
  readonly text: string;
  readonly saying: string;
  /** What has another value is still of the same kind. */
  readonly kind: string;
}

/**
 * What the fix of one finding says that the fix of another doesn't; undefined unless it says all the rest, too, with another value at most.
 * @param nameless a text without the names of resources
 */
export function variantOf(one: Finding, other: Finding, nameless: (text: string) => string): Variant | undefined {
  if ((one.fixCode === undefined) !== (other.fixCode === undefined)) return undefined;
  if (one.fixCode !== other.fixCode && lineCount(one) * lineCount(other) > MOST_COMPARED) return undefined;
  const words = changed(sentencesOf(other, nameless), sentencesOf(one, nameless));
  const code = changed(linesOf(other, nameless), linesOf(one, nameless));
  if (words === undefined || code === undefined || code.length > MOST_LINES) return undefined;
  // An item has no name by which to find the one whose place it takes: the whole list tells.
  if (code.some((line) => NAMELESS_ITEM.test(line))) return undefined;
  return { words: words.join(' '), code };
}

function changed(old: readonly Piece[], now: readonly Piece[]): readonly string[] | undefined {
  const kinds = now.map(({ kind }) => kind);
  const added: string[] = [];
  let [before, after] = [0, 0];
  for (const { sign } of difference(
    old.map(({ saying }) => saying),
    now.map(({ saying }) => saying),
  )) {
    if (sign === '+') added.push(now[after]?.text ?? '');
    else if (sign === '-' && !kinds.includes(old[before]?.kind ?? '')) return undefined;
    if (sign !== '+') before++;
    if (sign !== '-') after++;
  }
  return added;
}

/** Where a value is written that a fix changes there: files of the same kind have it in other places, under other names. */
const PLACE = /^(?:# |The value stands in )\S+:\d+\b.*$/;

function sentencesOf({ fix }: Finding, nameless: (text: string) => string): readonly Piece[] {
  return fix.split(/(?<=\.) (?=[A-Z])/).map((text) => {
    const saying = nameless(text);
    return { text, saying, kind: saying.replace(PLACE, 'place').replaceAll(/`[^`]*`/g, '``') };
  });
}

function linesOf({ fixCode = '' }: Finding, nameless: (text: string) => string): readonly Piece[] {
  const sayings = nameless(withCommonNames(fixCode)).trimEnd().split('\n');
  let place = '';
  return fixCode
    .trimEnd()
    .split('\n')
    .map((text, index) => {
      const saying = sayings[index] ?? '';
      if (PLACE.test(text)) {
        place = text;
        return { text, saying: text, kind: 'place' };
      }
      // What goes to another place differs, even where it is the same.
      if (place !== '') return { text, saying: `${place} ${saying}`, kind: text.startsWith('#') ? text : 'value' };
      // A setting's name, or the beginning of a comment.
      return { text, saying, kind: saying.replace(/[:=,].*/, '').trim() };
    });
}
