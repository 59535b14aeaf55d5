import type { DataRepair } from '../engine/repair';
import type { Block, Expression } from '../languages/hcl/ast';
import { dataChange } from './data-change';
import { changedJson, shallowest, type DataChange } from './embedded-json';
import { literalText, setArgument } from './hcl-edit';
import { closedUp, isAligned, placeOf, realign, renameIn, type Setting } from './hcl-runs';
import type { HclText } from './hcl-text';
import { indentationAt, lineBreakOf, lineStart, refuse, type EditPlan, type TextEdit } from './text-edit';
import { NOT_CLEAR, type TreePath } from './tree';
import type { Scalar } from './tree-values';

const COMMENT_BESIDE = 'a comment stands beside it';
const NOT_PLAIN = 'the configuration values are written in a way that a machine had better leave alone';

/** Changes data that an argument holds as `jsonencode({ … })` or as JSON in quotes. */
export function changeHclData(
  hcl: HclText,
  block: Block,
  path: readonly string[],
  repair: DataRepair,
  decided: (value: Expression) => string | undefined,
): EditPlan {
  const [name = ''] = path;
  const change = dataChange(repair);
  const attribute = block.body.attributes.find((one) => one.name === name);
  if (attribute === undefined) {
    if (change.kind !== 'setData') return refuse('it stands elsewhere than in the resource itself');
    return setArgument(hcl, block, path, { expression: newData(change) });
  }
  return changeDataIn(hcl, attribute.value, change, decided);
}

/** Data as an expression that holds nothing else. */
export function newData({ at, to }: Extract<DataChange, { kind: 'setData' }>): string {
  return `jsonencode({ ${memberText(at, to)} })`;
}

/** The same as {@link changeHclData}, of the value that holds the data. */
export function changeDataIn(
  hcl: HclText,
  value: Expression,
  change: DataChange,
  decided: (value: Expression) => string | undefined,
): EditPlan {
  if (value.kind === 'literal' && typeof value.value === 'string') return changeQuoted(hcl, value, value.value, change);
  const [argument] = value.kind === 'call' && value.name === 'jsonencode' ? value.args : [];
  if (argument?.kind !== 'object') return refuse(decided(value) ?? NOT_PLAIN);
  switch (change.kind) {
    case 'setData':
      return setEntry(hcl, argument, change.at, literalText(change.to));
    case 'moveData':
      return moveEntry(hcl, argument, change);
    case 'renameData':
      return renameEntry(hcl, argument, change);
    case 'removeData':
      return removeWhole(hcl, argument, change.at);
  }
}

function changeQuoted({ text }: HclText, { range }: Expression, content: string, change: DataChange): EditPlan {
  const { start, end } = range;
  const changed = changedJson(content, change);
  if ('refusal' in changed) return changed;
  if (literalText(content) !== text.slice(start, end)) return refuse(NOT_PLAIN);
  return { edits: [{ start, end, text: literalText(changed.text) }] };
}

export type ObjectExpression = Extract<Expression, { kind: 'object' }>;
type Entry = ObjectExpression['entries'][number];

function memberText(path: TreePath, value: Scalar): string {
  const [first = '', ...rest] = path;
  return `${keyText(first)} = ${rest.length === 0 ? literalText(value) : `{ ${memberText(rest, value)} }`}`;
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
}

function nameOf({ key }: Entry): string | undefined {
  if (key.kind === 'literal') return String(key.value);
  return key.kind === 'variable' ? key.name : undefined;
}

/** The entries that lead to a path, as far as they are there. */
function entriesTo(
  object: ObjectExpression,
  path: TreePath,
): { readonly owner: ObjectExpression; readonly entry: Entry }[] {
  const found: { owner: ObjectExpression; entry: Entry }[] = [];
  let owner = object;
  for (const step of path) {
    const entry = owner.entries.find((one) => nameOf(one) === step);
    if (entry === undefined) break;
    found.push({ owner, entry });
    if (entry.value.kind !== 'object') break;
    owner = entry.value;
  }
  return found;
}

/** The entry at a path. */
export function entryAt(object: ObjectExpression, path: TreePath): Entry | undefined {
  const found = entriesTo(object, path);
  return found.length === path.length ? found.at(-1)?.entry : undefined;
}

export function removeEntryAt(hcl: HclText, object: ObjectExpression, path: TreePath): EditPlan {
  const found = entriesTo(object, path);
  const last = found.at(-1);
  if (last === undefined || found.length < path.length) return refuse('it stands elsewhere than in the call itself');
  const decided = last.entry.value.kind === 'literal' || last.entry.value.kind === 'object';
  return decided ? removalOf(hcl, last.owner, last.entry) : refuse(NOT_CLEAR);
}

/** Takes out what is at a path, and what holds nothing else. */
function removeWhole(hcl: HclText, object: ObjectExpression, path: TreePath): EditPlan {
  const found = entriesTo(object, path);
  const pruned = found[shallowest(found.map(({ owner }) => owner.entries.length)) - 1];
  if (found.length < path.length || pruned === undefined)
    return refuse('it stands elsewhere than in the resource itself');
  const { owner, entry } = pruned;
  const removal = removalOf(hcl, owner, entry);
  const isWholeLine =
    'edits' in removal && removal.edits.every((one) => one.text === '' && hcl.text.slice(0, one.end).endsWith('\n'));
  return isWholeLine
    ? { edits: [...removal.edits, ...closedUp(hcl, settingsOf(hcl, owner), owner.entries.indexOf(entry))] }
    : removal;
}

function renameEntry(
  hcl: HclText,
  object: ObjectExpression,
  { at, to }: Extract<DataChange, { kind: 'renameData' }>,
): EditPlan {
  const found = entriesTo(object, at);
  const last = found.at(-1);
  if (found.length < at.length || last === undefined) return refuse('it stands elsewhere than in the resource itself');
  const { owner, entry } = last;
  if (owner.entries.some((one) => nameOf(one) === to)) return refuse(`\`${to}\` is set, too`);
  const name = hcl.text.startsWith('"', entry.key.range.start) ? JSON.stringify(to) : keyText(to);
  return { edits: renameIn(hcl, settingsOf(hcl, owner), owner.entries.indexOf(entry), name) };
}

/** @param value the text of an expression, of one line */
export function setEntry(hcl: HclText, object: ObjectExpression, path: TreePath, value: string): EditPlan {
  const found = entriesTo(object, path);
  const last = found.at(-1);
  if (found.length === path.length && last !== undefined) {
    const { range } = last.entry.value;
    if (last.entry.value.kind !== 'literal')
      return refuse(`it is decided by \`${hcl.text.slice(range.start, range.end)}\``);
    return { edits: [{ start: range.start, end: range.end, text: value }] };
  }
  const place = newPlace(object, path, value);
  return place === undefined ? refuse('what it would stand in is no map') : addition(hcl, place.owner, place.member);
}

/** Where a member has to be added so that there is a value at a path, and the member. */
function newPlace(
  object: ObjectExpression,
  path: TreePath,
  value: string,
): { readonly owner: ObjectExpression; readonly member: string } | undefined {
  const found = entriesTo(object, path);
  const owner = found.at(-1)?.entry.value ?? object;
  if (owner.kind !== 'object') return undefined;
  const missing = path.slice(found.length);
  const member = missing
    .slice(0, -1)
    .reduceRight((inner, key) => `${keyText(key)} = { ${inner} }`, `${keyText(missing.at(-1) ?? '')} = ${value}`);
  return { owner, member };
}

function settingsOf({ text }: HclText, { entries }: ObjectExpression): Setting[] {
  return entries.map(({ key, value }) => ({
    name: text.slice(key.range.start, key.range.end),
    nameRange: key.range,
    value,
  }));
}

function addition(hcl: HclText, owner: ObjectExpression, member: string): EditPlan {
  const { text } = hcl;
  const { entries, range } = owner;
  const last = entries.at(-1);
  if (last === undefined)
    return hcl.hasComment(range.start, range.end)
      ? refuse(COMMENT_BESIDE)
      : { edits: [{ start: range.start, end: range.end, text: `{ ${member} }` }] };
  const { end } = last.value.range;
  const isMultiLine = text.slice(range.start, entries[0]?.key.range.start).includes('\n');
  if (!isMultiLine) return { edits: [{ start: end, end, text: `, ${member}` }] };
  const at = hcl.lineEnd(end);
  // The closing brace stands in the line of the last entry, or behind a comment that begins there.
  if (at >= range.end) return refuse(NOT_CLEAR);
  const comma = /^\s*,/.test(text.slice(end, at)) ? ',' : '';
  const name = member.slice(0, member.indexOf(' = '));
  const place = placeOf(hcl, settingsOf(hcl, owner), () => false);
  // Only what stands directly below each other is aligned.
  const run = place?.behind.nameRange === last.key.range && isAligned(hcl, place.run) ? place.run : [];
  const width = Math.max(name.length, ...run.map((one) => one.name.length));
  const added = {
    start: at,
    end: at,
    text: `${lineBreakOf(text)}${indentationAt(text, last.key.range.start)}${name.padEnd(width)}${member.slice(name.length)}${comma}`,
  };
  return { edits: [...realign(hcl, run, width), added] };
}

function moveEntry(
  hcl: HclText,
  object: ObjectExpression,
  { at, to }: Extract<DataChange, { kind: 'moveData' }>,
): EditPlan {
  const { text } = hcl;
  const from = entriesTo(object, at);
  const moved = from.at(-1)?.entry.value;
  if (from.length < at.length || moved === undefined || moved.kind === 'object')
    return refuse('more than a plain value would have to move');
  if (entriesTo(object, to).length === to.length) return refuse(`\`${to.join('.')}\` is set, too`);
  const value = text.slice(moved.range.start, moved.range.end);
  if (value.includes('\n')) return refuse('it is written over several lines');
  const place = newPlace(object, to, value);
  if (place === undefined) return refuse('what it would stand in is no map');
  const pruned = from[shallowest(from.map(({ owner }) => owner.entries.length)) - 1];
  const isInside =
    pruned !== undefined &&
    pruned.entry.value.range.start <= place.owner.range.start &&
    place.owner.range.end <= pruned.entry.value.range.end;
  const gone = isInside ? from.at(-1) : pruned;
  if (gone === undefined) return refuse('it stands elsewhere than in the resource itself');
  const { key, value: goneValue } = gone.entry;
  if (gone.owner === place.owner && gone.owner.entries.at(-1) === gone.entry) {
    if (hcl.hasComment(key.range.start, goneValue.range.end)) return refuse(COMMENT_BESIDE);
    return { edits: [{ start: key.range.start, end: goneValue.range.end, text: place.member }] };
  }
  const removal = removalOf(hcl, gone.owner, gone.entry);
  const added = addition(hcl, place.owner, place.member);
  if ('refusal' in removal) return removal;
  if ('refusal' in added) return added;
  const clashes = (one: TextEdit): boolean =>
    [...added.edits, ...removal.edits].some((other) => other !== one && one.start < other.end && other.start < one.end);
  if (removal.edits.some(clashes)) return refuse('it stands beside the place where it belongs');
  const isWholeLine = removal.edits.every((one) => one.text === '' && text.slice(0, one.end).endsWith('\n'));
  const closing = isWholeLine ? closedUp(hcl, settingsOf(hcl, gone.owner), gone.owner.entries.indexOf(gone.entry)) : [];
  return { edits: [...removal.edits, ...added.edits, ...(closing.some(clashes) ? [] : closing)] };
}

/** Takes an entry out. What moves leaves its comments behind, so there may be none. */
function removalOf(hcl: HclText, owner: ObjectExpression, entry: Entry): EditPlan {
  const { text } = hcl;
  const { start } = entry.key.range;
  const { end } = entry.value.range;
  const line = lineStart(text, start);
  const comma = /^[ \t]*,/.exec(text.slice(end, end + 80))?.[0].length ?? 0;
  if (hcl.isFirstInLine(start) && hcl.isLastInLine(end + comma)) {
    const to = hcl.nextLine(end);
    return hcl.commentsAbove(line) < line || hcl.hasComment(start, to)
      ? refuse(COMMENT_BESIDE)
      : { edits: [{ start: line, end: to, text: '' }] };
  }
  const index = owner.entries.indexOf(entry);
  const next = owner.entries[index + 1];
  const previous = owner.entries[index - 1];
  const edit =
    next !== undefined
      ? { start, end: next.key.range.start, text: '' }
      : previous !== undefined
        ? { start: previous.value.range.end, end, text: '' }
        : { start: owner.range.start, end: owner.range.end, text: '{}' };
  return hcl.hasComment(edit.start, edit.end) ? refuse(COMMENT_BESIDE) : { edits: [edit] };
}
