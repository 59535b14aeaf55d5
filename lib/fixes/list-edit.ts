import { indentationAt, isBlank, lineBreakOf, lineEnd, lineStart, refuse, type EditPlan } from './text-edit';
import { NOT_CLEAR, walk, type Tree, type TreeCollection, type TreeEntry, type TreePath } from './tree';
import { contentEnd, setIn } from './tree-edit';
import { columnIndent, inlineValue, mannerOf, valueLines, type TreeValue } from './tree-values';

/** Adds items behind those of a list, which is written as it was. */
export function appendTo(tree: Tree, path: TreePath, items: readonly TreeValue[]): EditPlan {
  const { text } = tree;
  const { node, refusal } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  if (node.kind !== 'list') return refuse(NOT_CLEAR);
  const entries = node.entries();
  const last = entries.at(-1);
  if (node.style === 'block') return last === undefined ? refuse(NOT_CLEAR) : appendLines(tree, node, last, items);
  const manner = mannerOf(tree, last?.value.kind === 'map' ? last.value.entries() : []);
  const written = items.map((item) => inlineValue(manner, item));
  if (last === undefined)
    return { edits: [{ start: node.start, end: node.end, text: `[${written.join(`,${manner.gap}`)}]` }] };
  const between = isBlank(text, lineStart(text, last.start), last.start)
    ? `${lineBreakOf(text)}${indentationAt(text, last.start)}`
    : manner.gap;
  return { edits: [{ start: last.end, end: last.end, text: written.map((one) => `,${between}${one}`).join('') }] };
}

/** Gives the items of a list other texts. */
export function setItems(tree: Tree, path: TreePath, items: readonly string[]): EditPlan {
  const { node, missing, refusal } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  const entries = missing.length > 0 || node.kind !== 'list' ? [] : node.entries();
  if (entries.length === 0 || entries.length !== items.length) return refuse(NOT_CLEAR);
  const plans = entries.map(({ key, value }, index) =>
    value.kind === 'scalar' && typeof value.value === 'string'
      ? value.value === items[index]
        ? { edits: [] }
        : setIn(tree, [...path, key], items[index] ?? '')
      : refuse(NOT_CLEAR),
  );
  const edits = plans.flatMap((plan) => ('refusal' in plan ? [] : plan.edits));
  return plans.find((plan) => 'refusal' in plan) ?? { edits };
}

/** In lines of their own, with their dashes below those that are there. */
function appendLines(tree: Tree, node: TreeCollection, last: TreeEntry, items: readonly TreeValue[]): EditPlan {
  const { text } = tree;
  const end = contentEnd(text, last);
  if (end === undefined || !/^[ \t]*(?:#.*)?$/.test(text.slice(end, lineEnd(text, end)))) return refuse(NOT_CLEAR);
  const indent = columnIndent(text, node.start);
  const manner = mannerOf(tree, last.value.kind === 'map' && last.value.style === 'flow' ? last.value.entries() : []);
  const lines =
    last.value.kind === 'map' && last.value.style === 'flow'
      ? items.map((item) => `${indent}- ${inlineValue(manner, item)}`)
      : valueLines(items, manner, 'block', indent, '').slice(1);
  const at = lineEnd(text, end);
  return { edits: [{ start: at, end: at, text: lines.map((line) => lineBreakOf(text) + line).join('') }] };
}
