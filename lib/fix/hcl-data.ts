import type { Repair } from '../engine/repair';
import type { Attribute, Block, Expression } from '../readers/terraform/hcl/ast';
import { dataChange } from './cloudformation';
import { changedJson, shallowest, type DataChange } from './embedded-json';
import { closedUp, isAligned, lastRun, realign, type Setting } from './hcl-runs';
import { isLiteral, literalText, setArgument, type HclText } from './hcl-edit';
import { indentationAt, lineBreakOf, lineEnd, nextLine, refuse, type EditPlan, type TextEdit } from './text-edit';
import type { TreePath } from './tree';
import type { Scalar } from './tree-edit';

/** Changes data that an argument holds as `jsonencode({ … })` or as JSON in quotes. */
export function changeHclData(hcl: HclText, block: Block, path: readonly string[], repair: Extract<Repair, { kind: 'setData' | 'moveData' }>, decided: (value: Expression) => string | undefined): EditPlan {
  const [name = ''] = path;
  const change = dataChange(repair);
  const attribute = block.body.attributes.find((one) => one.name === name);
  if (attribute === undefined) {
    if (change.kind === 'moveData') return refuse('it stands elsewhere than in the resource itself');
    return setArgument(hcl, block, path, { expression: `jsonencode({ ${memberText(change.at, change.to)} })` });
  }
  const { value } = attribute;
  if (value.kind === 'literal' && typeof value.value === 'string') return changeQuoted(hcl, attribute, value.value, change);
  const [argument] = value.kind === 'call' && value.name === 'jsonencode' ? value.args : [];
  if (argument?.kind !== 'object') return refuse(decided(value) ?? 'the configuration values are written in a way that a machine had better leave alone');
  return change.kind === 'setData' ? setEntry(hcl.text, argument, change.at, { text: literalText(change.to) }) : moveEntry(hcl.text, argument, change);
}

function changeQuoted({ text }: HclText, { value }: Attribute, content: string, change: DataChange): EditPlan {
  const { start, end } = value.range;
  const changed = changedJson(content, change);
  if ('refusal' in changed) return changed;
  if (literalText(content) !== text.slice(start, end)) return refuse('the configuration values are written in a way that a machine had better leave alone');
  return { edits: [{ start, end, text: literalText(changed.text) }] };
}

type ObjectExpression = Extract<Expression, { kind: 'object' }>;
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
function entriesTo(object: ObjectExpression, path: TreePath): { readonly owner: ObjectExpression; readonly entry: Entry }[] {
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

/** @param value the text of an expression, of one line */
function setEntry(text: string, object: ObjectExpression, path: TreePath, value: { readonly text: string }): EditPlan {
  const found = entriesTo(object, path);
  const last = found.at(-1);
  if (found.length === path.length && last !== undefined) {
    const { range } = last.entry.value;
    if (!isLiteral(last.entry.value)) return refuse(`it is decided by \`${text.slice(range.start, range.end)}\``);
    return { edits: [{ start: range.start, end: range.end, text: value.text }] };
  }
  const place = newPlace(object, path, value.text);
  return place === undefined ? refuse('what it would stand in is no map') : { edits: addition(text, place.owner, place.member) };
}

/** Where a member has to be added so that there is a value at a path, and the member. */
function newPlace(object: ObjectExpression, path: TreePath, value: string): { readonly owner: ObjectExpression; readonly member: string } | undefined {
  const found = entriesTo(object, path);
  const owner = found.at(-1)?.entry.value ?? object;
  if (owner.kind !== 'object') return undefined;
  const missing = path.slice(found.length);
  const member = missing.slice(0, -1).reduceRight((inner, key) => `${keyText(key)} = { ${inner} }`, `${keyText(missing.at(-1) ?? '')} = ${value}`);
  return { owner, member };
}

function settingsOf(text: string, { entries }: ObjectExpression): Setting[] {
  return entries.map(({ key, value }) => ({ name: text.slice(key.range.start, key.range.end), nameRange: key.range, value }));
}

function addition(text: string, owner: ObjectExpression, member: string): TextEdit[] {
  const { entries, range } = owner;
  const last = entries.at(-1);
  if (last === undefined) return [{ start: range.start, end: range.end, text: `{ ${member} }` }];
  const { end } = last.value.range;
  const isMultiLine = text.slice(range.start, entries[0]?.key.range.start).includes('\n');
  if (!isMultiLine) return [{ start: end, end, text: `, ${member}` }];
  const at = lineEnd(text, end);
  const comma = /^\s*,/.test(text.slice(end, at)) ? ',' : '';
  const name = member.slice(0, member.indexOf(' = '));
  const run = lastRun(text, settingsOf(text, owner));
  // Only what stands directly below each other is aligned.
  const isBelow = run.at(-1)?.nameRange === last.key.range && isAligned(text, run);
  const width = isBelow ? Math.max(name.length, ...run.map((one) => one.name.length)) : name.length;
  const added = { start: at, end: at, text: `${lineBreakOf(text)}${indentationAt(text, last.key.range.start)}${name.padEnd(width)}${member.slice(name.length)}${comma}` };
  return [...(isBelow ? realign(text, run, width) : []), added];
}

function moveEntry(text: string, object: ObjectExpression, { at, to }: Extract<DataChange, { kind: 'moveData' }>): EditPlan {
  const from = entriesTo(object, at);
  const moved = from.at(-1)?.entry.value;
  if (from.length < at.length || moved === undefined || moved.kind === 'object') return refuse('more than a plain value would have to move');
  if (entriesTo(object, to).length === to.length) return refuse(`\`${to.join('.')}\` is set, too`);
  const value = text.slice(moved.range.start, moved.range.end);
  if (value.includes('\n')) return refuse('it is written over several lines');
  const place = newPlace(object, to, value);
  if (place === undefined) return refuse('what it would stand in is no map');
  const pruned = from[shallowest(from.map(({ owner }) => owner.entries.length)) - 1];
  const isInside = pruned !== undefined && pruned.entry.value.range.start <= place.owner.range.start && place.owner.range.end <= pruned.entry.value.range.end;
  const gone = isInside ? from.at(-1) : pruned;
  if (gone === undefined) return refuse('it stands elsewhere than in the resource itself');
  if (gone.owner === place.owner && gone.owner.entries.at(-1) === gone.entry) {
    return { edits: [{ start: gone.entry.key.range.start, end: gone.entry.value.range.end, text: place.member }] };
  }
  const removal = removalOf(text, gone.owner, gone.entry);
  const added = addition(text, place.owner, place.member);
  const clashes = (one: TextEdit): boolean => added.some((other) => one.start < other.end && other.start < one.end);
  if (clashes(removal)) return refuse('it stands beside the place where it belongs');
  const isWholeLine = removal.text === '' && text.slice(0, removal.end).endsWith('\n');
  const closing = isWholeLine ? closedUp(text, settingsOf(text, gone.owner), gone.owner.entries.indexOf(gone.entry)) : [];
  return { edits: [removal, ...added, ...(closing.some(clashes) ? [] : closing)] };
}

function removalOf(text: string, owner: ObjectExpression, entry: Entry): TextEdit {
  const index = owner.entries.indexOf(entry);
  const { start } = entry.key.range;
  const { end } = entry.value.range;
  const lineFrom = start - indentationAt(text, start).length;
  const isOwnLine = /(?:^|\n)$/.test(text.slice(Math.max(0, lineFrom - 1), lineFrom)) && /^[ \t]*,?[ \t]*(?:(?:#|\/\/)[^\n]*)?\r?(?:\n|$)/.test(text.slice(end));
  if (isOwnLine) return { start: lineFrom, end: nextLine(text, end), text: '' };
  const next = owner.entries[index + 1];
  if (next !== undefined) return { start, end: next.key.range.start, text: '' };
  const previous = owner.entries[index - 1];
  return previous === undefined ? { start: owner.range.start, end: owner.range.end, text: '{}' } : { start: previous.value.range.end, end, text: '' };
}
