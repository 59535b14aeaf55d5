import type { Expression, Range } from '../readers/terraform/hcl/ast';
import { lineStart, nextLine, type TextEdit } from './text-edit';

/** `name = value`: an argument of a block, or an entry of an object. */
export interface Setting {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: Expression;
}

/** Arguments whose places are their own: what is written beside them isn't a setting like others. */
const META_ARGUMENTS: ReadonlySet<string> = new Set(['count', 'for_each', 'depends_on', 'provider']);

/** The last arguments of a body that stand in lines directly below each other, each in one line. */
export function lastRun(text: string, attributes: readonly Setting[]): readonly Setting[] {
  const run: Setting[] = [];
  for (const one of attributes.toReversed()) {
    const isPlain = !META_ARGUMENTS.has(one.name) && !text.slice(one.nameRange.start, one.value.range.end).includes('\n');
    const [below] = run;
    if (below === undefined) {
      if (isPlain) run.push(one);
      continue;
    }
    if (!isPlain || nextLine(text, one.value.range.end) !== lineStart(text, below.nameRange.start)) break;
    run.unshift(one);
  }
  return run;
}

/** Whether the signs of arguments stand below each other, one blank behind the longest name. */
export function isAligned(text: string, run: readonly Setting[]): boolean {
  const width = Math.max(...run.map(({ name }) => name.length));
  return run.every(({ name, nameRange }) => text.startsWith(`${' '.repeat(width - name.length + 1)}=`, nameRange.end));
}

export function realign(text: string, run: readonly Setting[], width: number): TextEdit[] {
  return run.flatMap(({ name, nameRange }): TextEdit[] => {
    const sign = text.indexOf('=', nameRange.end);
    const wanted = ' '.repeat(width - name.length + 1);
    return text.slice(nameRange.end, sign) === wanted ? [] : [{ start: nameRange.end, end: sign, text: wanted }];
  });
}

/** Arguments in lines directly above and below one. */
function runAround(text: string, attributes: readonly Setting[], index: number): readonly Setting[] {
  const touches = (above: Setting | undefined, below: Setting | undefined): boolean =>
    above !== undefined && below !== undefined && isOneLine(text, above) && isOneLine(text, below) && nextLine(text, above.value.range.end) === lineStart(text, below.nameRange.start);
  let first = index;
  let last = index;
  while (touches(attributes[first - 1], attributes[first])) first--;
  while (touches(attributes[last], attributes[last + 1])) last++;
  return attributes.slice(first, last + 1);
}

function isOneLine(text: string, { nameRange, value }: Setting): boolean {
  return !text.slice(nameRange.start, value.range.end).includes('\n');
}

/** Closes up what stood below each other with a setting that goes. */
export function closedUp(text: string, settings: readonly Setting[], index: number): readonly TextEdit[] {
  const run = runAround(text, settings, index);
  const others = run.filter((one) => one !== settings[index]);
  return others.length > 0 && isAligned(text, run) ? realign(text, others, Math.max(...others.map(({ name }) => name.length))) : [];
}
