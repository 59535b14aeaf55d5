import type { Expression, Range } from '../languages/hcl/ast';
import type { HclText } from './hcl-text';
import { lineStart, type TextEdit } from './text-edit';

/** `name = value`: an argument of a block, or an entry of an object. */
export interface Setting {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: Expression;
}

/** Arguments behind which nothing else is written, where there are others. */
const META_ARGUMENTS: ReadonlySet<string> = new Set(['count', 'for_each', 'depends_on', 'provider']);

/** Where a further argument is written: behind the last one of one line. */
export interface Place {
  readonly behind: Setting;
  /** What stands directly above and below, which is aligned with it. */
  readonly run: readonly Setting[];
}

export function placeOf(
  hcl: HclText,
  settings: readonly Setting[],
  isMeta = (name: string): boolean => META_ARGUMENTS.has(name),
): Place | undefined {
  const index = settings.findLastIndex((one) => isOneLine(hcl, one) && !isMeta(one.name));
  const behind = settings[index];
  return behind === undefined ? undefined : { behind, run: runAround(hcl, settings, index) };
}

/** Whether the signs of arguments stand below each other, one blank behind the longest name. */
export function isAligned({ text }: HclText, run: readonly Setting[]): boolean {
  const width = Math.max(...run.map(({ name }) => name.length));
  return run.every(({ name, nameRange }) => text.startsWith(`${' '.repeat(width - name.length + 1)}=`, nameRange.end));
}

export function realign({ text }: HclText, run: readonly Setting[], width: number): TextEdit[] {
  return run.flatMap(({ name, nameRange }): TextEdit[] => {
    const sign = text.indexOf('=', nameRange.end);
    const wanted = ' '.repeat(width - name.length + 1);
    return text.slice(nameRange.end, sign) === wanted ? [] : [{ start: nameRange.end, end: sign, text: wanted }];
  });
}

/** Arguments in lines directly above and below one. */
function runAround(hcl: HclText, settings: readonly Setting[], index: number): readonly Setting[] {
  const touches = (above: Setting | undefined, below: Setting | undefined): boolean =>
    above !== undefined &&
    below !== undefined &&
    isRow(hcl, above) &&
    isRow(hcl, below) &&
    hcl.nextLine(above.value.range.end) === lineStart(hcl.text, below.nameRange.start);
  let first = index;
  let last = index;
  while (touches(settings[first - 1], settings[first])) first--;
  while (touches(settings[last], settings[last + 1])) last++;
  return settings.slice(first, last + 1);
}

function isOneLine({ text }: HclText, { nameRange, value }: Setting): boolean {
  return !text.slice(nameRange.start, value.range.end).includes('\n');
}

/** Whether `terraform fmt` aligns it with others: what has brackets over several lines stands apart. */
function isRow(hcl: HclText, setting: Setting): boolean {
  return isOneLine(hcl, setting) || hcl.text.startsWith('<<', setting.value.range.start);
}

/** Aligns what stands below each other when the lines between two offsets go. */
export function joinedUp(hcl: HclText, settings: readonly Setting[], from: number, to: number): readonly TextEdit[] {
  const above = settings.findIndex((one) => isRow(hcl, one) && hcl.nextLine(one.value.range.end) === from);
  const below = settings.findIndex((one) => isRow(hcl, one) && lineStart(hcl.text, one.nameRange.start) === to);
  if (above < 0 || below < 0) return [];
  const runs = [runAround(hcl, settings, above), runAround(hcl, settings, below)];
  return runs.every((run) => isAligned(hcl, run))
    ? realign(hcl, runs.flat(), Math.max(...runs.flat().map(({ name }) => name.length)))
    : [];
}

/** Closes up what stood below each other with a setting that goes. */
export function closedUp(hcl: HclText, settings: readonly Setting[], index: number): readonly TextEdit[] {
  const run = runAround(hcl, settings, index);
  const others = run.filter((one) => one !== settings[index]);
  return others.length > 0 && isAligned(hcl, run)
    ? realign(hcl, others, Math.max(...others.map(({ name }) => name.length)))
    : [];
}

/** Gives a setting another name, and keeps the signs of those above and below it where they belong. */
export function renameIn(hcl: HclText, settings: readonly Setting[], index: number, name: string): TextEdit[] {
  const setting = settings[index];
  if (setting === undefined) return [];
  const { start, end } = setting.nameRange;
  const run = runAround(hcl, settings, index);
  if (run.length < 2 || !isAligned(hcl, run)) return [{ start, end, text: name }];
  const others = run.filter((one) => one !== setting);
  const width = Math.max(name.length, ...others.map((one) => one.name.length));
  const sign = hcl.text.indexOf('=', end);
  return [...realign(hcl, others, width), { start, end: sign, text: `${name.padEnd(width)} ` }];
}
