import {
  indentationAt,
  isBlank,
  isDirective,
  lineBreakOf,
  lineEnd,
  lineStart,
  nextLine,
  refuse,
  type EditPlan,
  type TextEdit,
} from './text-edit';
import {
  NOT_CLEAR,
  NOTHING_ELSE,
  walk,
  whyShared,
  type Tree,
  type TreeCollection,
  type TreeEntry,
  type TreeNode,
  type TreePath,
} from './tree';
import {
  scalarText,
  mannerOf,
  inlineMember,
  inlineValue,
  memberLines,
  columnIndent,
  isPlainText,
  type TreeValue,
} from './tree-values';

/** Sets the value at a path, and makes the maps that lead there. */
export function setIn(tree: Tree, path: TreePath, value: TreeValue): EditPlan {
  const { node, missing, refusal, entries } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  if (missing.length === 0) return replaceScalar(tree, node, value);
  if (node.kind === 'scalar') {
    const parent = entries.at(-1);
    return parent === undefined ? refuse(NOT_CLEAR) : fillEmpty(tree, parent.owner, parent.entry, missing, value);
  }
  return node.kind === 'map'
    ? insert(tree, node, entries.at(-1), missing, value)
    : refuse('a list stands where a map is expected');
}

/** Sets a member that isn't there, and says whether others can be put beside it in the same way. */
export function addMember(tree: Tree, path: TreePath, value: TreeValue): EditPlan {
  const plan = setIn(tree, path, value);
  const { node, missing } = walk(tree, path);
  const [edit, ...others] = 'edits' in plan ? plan.edits : [];
  const [member] = missing;
  if (node.kind !== 'map' || member === undefined || missing.length > 1 || edit === undefined || others.length > 0)
    return plan;
  // Behind another language's comma, or a key in quotes, the next one would be written otherwise.
  const isBehind = node.style === 'block' ? /^\r?\n/.test(edit.text) : edit.text.startsWith(',');
  const isAlike = tree.language === 'json' || isPlainText(member);
  return isBehind && isAlike && edit.start === edit.end ? { edits: [{ ...edit, member }] } : plan;
}

/** Removes the member at a path. */
export function removeAt(tree: Tree, path: TreePath): EditPlan {
  const { missing, entries } = walk(tree, path);
  const last = entries.at(-1);
  if (missing.length > 0 || last === undefined) return refuse('it stands elsewhere than in the resource itself');
  // What leads there is nobody else's, or the walk would have ended.
  const refusal = whyShared(last.entry.value);
  if (refusal !== undefined) return refuse(refusal);
  return removeEntry(tree, last.owner, last.entry);
}

function replaceScalar(tree: Tree, node: TreeNode, value: TreeValue): EditPlan {
  const { text, language } = tree;
  if (node.kind !== 'scalar') return refuse('a map or list stands where a plain value is expected');
  const { start, end, style } = node;
  if (typeof value === 'object') {
    if (text.slice(start, end).includes('\n') || style === 'none') return refuse(NOT_CLEAR);
    return { edits: [{ start, end, text: inlineValue(mannerOf(tree, []), value) }] };
  }
  if (style === 'none') return fillGap(text, start, scalarText(value, language, undefined));
  // Block scalars, which begin with `|` or `>`, have several lines as well; replacing them isn't supported.
  if (text.slice(start, end).includes('\n')) return refuse(NOT_CLEAR);
  return { edits: [{ start, end, text: scalarText(value, language, style) }] };
}

/** A value directly behind a colon; blanks in front of a comment stay, those at the end of the line don't. */
function fillGap(text: string, start: number, value: string): EditPlan {
  const end = lineEnd(text, start);
  return { edits: [{ start, end: isBlank(text, start, end) ? end : start, text: ` ${value}` }] };
}

type Parent = { readonly owner: TreeCollection; readonly entry: TreeEntry } | undefined;

function insert(tree: Tree, node: TreeCollection, parent: Parent, path: TreePath, value: TreeValue): EditPlan {
  const { text } = tree;
  const entries = node.entries();
  const manner = mannerOf(tree, entries);
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return fillBraces(tree, node, path, value);
  const isMultiLine = text.slice(node.start, first.start).includes('\n');
  const isEmpty = last.value.kind === 'scalar' && last.value.style === 'none';
  const behind = isEmpty && /[ \t]/.test(text[last.end] ?? '') ? last.end + 1 : last.end;
  if (node.style === 'flow' && !isMultiLine)
    return { edits: [{ start: behind, end: behind, text: `,${manner.gap}${inlineMember(manner, path, value)}` }] };
  const indent = columnIndent(text, first.start);
  const outer = parent === undefined ? '' : columnIndent(text, parent.entry.start);
  const step =
    indent.startsWith(outer) && indent.length > outer.length && parent?.owner.kind === 'map'
      ? indent.slice(outer.length)
      : '  ';
  const lines = memberLines(path, value, manner, node.style, indent, step);
  const lineBreak = lineBreakOf(text);
  const end = contentEnd(text, last);
  if (end === undefined) {
    // Behind a text that keeps its last lines nothing can be written without changing it.
    if (node.style === 'flow') return refuse(NOT_CLEAR);
    return {
      edits: [
        {
          start: last.start,
          end: last.start,
          text: `${lines.join(lineBreak).slice(indent.length)}${lineBreak}${indent}`,
        },
      ],
    };
  }
  const at = lineEnd(text, end);
  const rest = text.slice(end, at);
  const added = `${lineBreak}${lines.join(lineBreak)}`;
  if (node.style === 'block')
    return /^[ \t]*(?:#.*)?$/.test(rest) ? { edits: [{ start: at, end: at, text: added }] } : refuse(NOT_CLEAR);
  if (/^[ \t]*(?:#.*)?$/.test(rest))
    return {
      edits: joined([
        { start: end, end, text: ',' },
        { start: at, end: at, text: added },
      ]),
    };
  if (/^[ \t]*,[ \t]*(?:#.*)?$/.test(rest)) return { edits: [{ start: at, end: at, text: added }] };
  // The closing brace stands in the line of the last member.
  return { edits: [{ start: end, end, text: `,${added}` }] };
}

function joined([one, other]: readonly [TextEdit, TextEdit]): TextEdit[] {
  return one.end === other.start ? [{ start: one.start, end: other.end, text: one.text + other.text }] : [one, other];
}

/** Where the text of an entry ends; undefined for a block scalar that keeps the lines behind it. */
export function contentEnd(text: string, { end, value }: TreeEntry): number | undefined {
  const last = lastScalar(value);
  if (last !== undefined && /^[|>][^\n]*\+/.test(text.slice(last.start, last.start + 8))) return undefined;
  return end - (text.slice(0, end).length - text.slice(0, end).trimEnd().length);
}

function lastScalar(node: TreeNode): TreeNode | undefined {
  let last: TreeNode | undefined = node;
  while (last !== undefined && last.kind !== 'scalar') last = last.entries().at(-1)?.value;
  return last;
}

/** `{}` gets its first member. */
function fillBraces(tree: Tree, node: TreeCollection, path: TreePath, value: TreeValue): EditPlan {
  if (node.style === 'block' || !isBlank(tree.text, node.start + 1, node.end - 1)) return refuse(NOT_CLEAR);
  const manner = mannerOf(tree, []);
  return {
    edits: [
      { start: node.start, end: node.end, text: `{${manner.gap}${inlineMember(manner, path, value)}${manner.gap}}` },
    ],
  };
}

/** `key:` without a value gets a map. */
function fillEmpty(tree: Tree, owner: TreeCollection, entry: TreeEntry, path: TreePath, value: TreeValue): EditPlan {
  if (owner.style === 'flow' || owner.kind === 'list' || entry.value.kind !== 'scalar' || entry.value.style !== 'none')
    return refuse(NOT_CLEAR);
  const { text } = tree;
  const at = lineEnd(text, entry.start);
  if (!/:[ \t]*(?:#.*)?$/.test(text.slice(entry.start, at))) return refuse(NOT_CLEAR);
  const indent = columnIndent(text, entry.start);
  const lineBreak = lineBreakOf(text);
  return {
    edits: [
      {
        start: at,
        end: at,
        text: `${lineBreak}${memberLines(path, value, mannerOf(tree, owner.entries()), 'block', `${indent}  `, '  ').join(lineBreak)}`,
      },
    ],
  };
}

function removeEntry({ text }: Tree, owner: TreeCollection, entry: TreeEntry): EditPlan {
  const entries = owner.entries();
  const index = entries.findIndex(({ start }) => start === entry.start);
  const previous = entries[index - 1];
  const next = entries[index + 1];
  if (owner.style === 'flow') {
    if (next !== undefined) return withoutComments(text, entry.start, next.start);
    return previous === undefined ? refuse(NOTHING_ELSE) : withoutComments(text, previous.end, entry.end);
  }
  if (owner.kind === 'list') return refuse(NOT_CLEAR);
  if (previous === undefined && next === undefined) return refuse(NOTHING_ELSE);
  const end = contentEnd(text, entry);
  if (end === undefined) return refuse(NOT_CLEAR);
  const startsLine = isBlank(text, lineStart(text, entry.start), entry.start);
  if (startsLine) {
    const from = commentAbove(text, entry.start);
    const comment = text.slice(from, lineStart(text, entry.start));
    if (isDirective(comment)) return refuse('a comment above it tells a tool what to ignore');
    if (comment !== '' && !endsThere(text, entry.start, nextLine(text, end)))
      return refuse('the comment above it may be about what follows, too');
    return { edits: [{ start: from, end: nextLine(text, end), text: '' }] };
  }
  // `- key: value` begins with it: what follows takes its place.
  if (next === undefined || !isBlank(text, nextLine(text, end), next.start)) return refuse(NOT_CLEAR);
  return { edits: [{ start: entry.start, end: next.start, text: '' }] };
}

/** Where the comment begins that stands in lines directly above an item, as deep as it; where the line of the item begins if there is none. */
function commentAbove(text: string, start: number): number {
  const indent = indentationAt(text, start);
  let from = lineStart(text, start);
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (!text.startsWith(`${indent}#`, above)) break;
    from = above;
  }
  return from;
}

/** Whether the items that a comment may be about end with one: an empty line, another comment, or nothing as deep follows it. */
function endsThere(text: string, start: number, next: number): boolean {
  const indent = indentationAt(text, start);
  const line = text.slice(next, lineEnd(text, next));
  return isBlank(line, 0, line.length) || line.trimStart().startsWith('#') || !line.startsWith(indent);
}

function withoutComments(text: string, start: number, end: number): EditPlan {
  return /(?:^|\s)#/.test(text.slice(start, end))
    ? refuse('a comment stands beside it')
    : { edits: [{ start, end, text: '' }] };
}

/** Puts a function of CloudFormation around a value. */
export function wrapIn(tree: Tree, path: TreePath, name: 'Base64'): EditPlan {
  const { text, language } = tree;
  const { missing, entries, node } = walk(tree, path);
  const last = entries.at(-1);
  if (missing.length > 0 || last === undefined || (node.kind === 'scalar' && node.style === 'none'))
    return refuse('it stands elsewhere than in the resource itself');
  const { owner, entry } = last;
  if (language === 'json' || owner.style === 'flow') {
    if (language === 'yaml' && text.slice(entry.start, node.end).includes('\n')) return refuse(NOT_CLEAR);
    const { gap, blank } = mannerOf(tree, owner.entries());
    const colon = language === 'json' ? node.start : text.indexOf(':', entry.start) + 2;
    return {
      edits: [
        { start: colon, end: colon, text: `{${gap}"Fn::${name}":${language === 'json' ? blank : ' '}` },
        { start: node.end, end: node.end, text: `${gap}}` },
      ],
    };
  }
  const colon = text.indexOf(':', entry.start) + 1;
  const between = text.slice(colon, node.start).trim();
  if (node.refusal === undefined && between === '' && node.kind === 'scalar')
    return { edits: [{ start: node.start, end: node.start, text: `!${name} ` }] };
  // A tag can't have another one before it: the function gets a line of its own, and what is in it goes deeper.
  const lineBreak = lineBreakOf(text);
  const indent = columnIndent(text, entry.start);
  const end = text.slice(0, node.end).trimEnd().length;
  const value = text.slice(colon, end).replaceAll(/\n(?=[^\r\n])/g, '\n  ');
  return { edits: [{ start: colon, end, text: `${lineBreak}${indent}  Fn::${name}:${value}` }] };
}
