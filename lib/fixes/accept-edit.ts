import { directiveText } from '../languages/comments/directive';
import { LineIndex } from '../languages/positions';
import type { Block, Range } from '../languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../languages/hcl/children';
import type { Decision } from './edit';
import type { HclText } from './hcl-text';
import { indentationAt, lineBreakOf, lineStart, refuse, type EditPlan } from './text-edit';
import { NOT_CLEAR, walk, type Tree, type TreePath } from './tree';
import { appendTo } from './list-edit';
import { setIn } from './tree-edit';
import type { TreeValue } from './tree-values';

/*
 * A decision to live with findings, written where the dialect has it: in a comment above the resource; in JSON, which has none, in what stands for one.
 */

/** Above a block, or in the call of a module above the line that the findings point at. */
export function acceptInHcl(
  { text }: HclText,
  block: Block | undefined,
  decision: Decision & { readonly line: number },
  isCall: boolean,
): EditPlan {
  if (block === undefined) return refuse('it stands in no block of this file');
  const { start } = block.headRange;
  const lines = new LineIndex(text);
  const isInside =
    isCall && lines.at(start).line < decision.line && decision.line <= lines.at(block.body.range.end).line;
  if (!isInside) return commentAbove(text, start, '#', decision);
  const at = startOfLine(text, decision.line);
  // A line of a text is no place for a comment.
  const [around] = block.body.attributes.flatMap(({ value }) => textAround(value, at));
  return commentAbove(text, around === undefined ? at : startOfLine(text, lines.at(around.start).line), '#', decision);
}

/** The text of several lines in which a place is; none if it is in no text. */
function textAround(node: SyntaxNode, at: number): readonly Range[] {
  if (!('range' in node) || at <= node.range.start || node.range.end <= at) return [];
  return node.kind === 'template' || node.kind === 'literal'
    ? [node.range]
    : childrenOf(node).flatMap((child) => textAround(child, at));
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let left = line - 1; left > 0; left--) at = text.indexOf('\n', at) + 1;
  return at;
}

function commentAbove(text: string, offset: number, mark: string, { rules, reason, until }: Decision): EditPlan {
  const at = lineStart(text, offset);
  // An item of a list has its dash in front.
  if (!/^\s*(?:- +)*$/.test(text.slice(at, offset))) return refuse(NOT_CLEAR);
  const indent = indentationAt(text, nextWord(text, at));
  const comment = `${indent}${mark} ${directiveText(rules, reason, until)}${lineBreakOf(text)}`;
  return { edits: [{ start: at, end: at, text: comment }] };
}

function nextWord(text: string, offset: number): number {
  let at = offset;
  while (/[ \t]/.test(text[at] ?? '')) at++;
  return at;
}

/** In YAML in a comment above the resource; in JSON, or in braces, in its `Metadata`. */
export function acceptInTemplate(tree: Tree, id: string, decision: Decision): EditPlan {
  const { missing, refusal, entries } = walk(tree, ['Resources', id]);
  const last = entries.at(-1);
  if (missing.length > 0 || last === undefined)
    return refuse(refusal ?? `${id} isn't written as a resource of its own`);
  if (tree.language === 'yaml' && last.owner.style === 'block')
    return commentAbove(tree.text, last.entry.start, '#', decision);
  const { rules, reason, until } = decision;
  const items = rules.map((rule): TreeValue => ({ rule, reason, ...(until === undefined ? {} : { until }) }));
  return addTo(tree, ['Resources', id, 'Metadata', 'eks-guardrails', 'suppress'], items);
}

/** In YAML in a comment above the resource, which may be the whole document; elsewhere in a key of its own, if the language has one. */
export function acceptAt(tree: Tree, holder: TreePath, key: TreePath | undefined, decision: Decision): EditPlan {
  const { node, missing, refusal, entries } = walk(tree, holder);
  if (missing.length > 0 || node.kind === 'scalar') return refuse(refusal ?? NOT_CLEAR);
  if (node.style === 'block') {
    const first = entries.at(-1)?.entry ?? node.entries()[0];
    return first === undefined ? refuse(NOT_CLEAR) : commentAbove(tree.text, first.start, '#', decision);
  }
  if (key === undefined) return refuse(NOT_CLEAR);
  const path = [...holder, ...key];
  if (walk(tree, path).missing.length === 0) return refuse('a decision stands there already: add the rule to it');
  const text = directiveText(decision.rules, decision.reason, decision.until).replace(/^\S+\s+/, '');
  return setIn(tree, path, text);
}

/** In the key that Terraform leaves alone in every block. */
export function acceptInJsonConfiguration(tree: Tree, resource: TreePath, decision: Decision): EditPlan {
  const { node, missing } = walk(tree, resource);
  if (missing.length > 0) return refuse('it stands in no block of this file');
  if (node.kind !== 'map') return refuse(NOT_CLEAR);
  const path = [...resource, '//'];
  const text = directiveText(decision.rules, decision.reason, decision.until);
  const present = walk(tree, path);
  if (present.missing.length > 0) return setIn(tree, path, text);
  const { node: value } = present;
  if (value.kind === 'list') return appendTo(tree, path, [text]);
  if (value.kind !== 'scalar' || typeof value.value !== 'string') return refuse(NOT_CLEAR);
  return {
    edits: [{ start: value.start, end: value.end, text: `[${JSON.stringify(value.value)}, ${JSON.stringify(text)}]` }],
  };
}

function addTo(tree: Tree, path: TreePath, items: readonly TreeValue[]): EditPlan {
  const { node, missing, refusal } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  if (missing.length > 0) return setIn(tree, path, items);
  return node.kind === 'list' ? appendTo(tree, path, items) : refuse(NOT_CLEAR);
}
