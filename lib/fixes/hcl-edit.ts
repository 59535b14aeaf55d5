import type { Attribute, Block, Body, Expression } from '../languages/hcl/ast';
import { withoutInterpolation } from '../text/hcl-escapes';
import type { HclText } from './hcl-text';
import { closedUp, isAligned, joinedUp, placeOf, realign } from './hcl-runs';
import {
  indentationAt,
  isBlank,
  lineBreakOf,
  lineEnd,
  lineStart,
  refuse,
  type EditPlan,
  type TextEdit,
} from './text-edit';
import { NO_FREE_NAME, REMOTE_ACCESS_MOVES, resourceLines, useLines } from './new-template';
import { NOT_CLEAR, NOTHING_ELSE } from './tree';
import type { Scalar } from './tree-values';

/** What an argument is set to; an expression is written as it is. */
export type HclValue = Scalar | { readonly expression: string };

/** Sets an argument; all steps of the path but the last are blocks. */
export function setArgument(
  hcl: HclText,
  block: Block,
  path: readonly string[],
  value: HclValue,
  index?: number,
): EditPlan {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return setAttribute(hcl, block, name, value);
  const found = nestedBlock(block, name, index);
  if ('refusal' in found) return found;
  if (found.block !== undefined)
    return setArgument(hcl, found.block, name === '*' ? rest : rest.filter((step) => step !== '*'), value, index);
  return { edits: [appendBlock(hcl, block, name, rest, value)] };
}

/** Removes an argument or a nested block. */
export function removeArgument(hcl: HclText, block: Block, path: readonly string[], index?: number): EditPlan {
  const [name = '', ...rest] = path.filter((step) => step !== '*');
  if (rest.length > 0) {
    const found = nestedBlock(block, name, index);
    if ('refusal' in found) return found;
    return found.block === undefined
      ? refuse('it stands elsewhere than in the resource itself')
      : removeArgument(hcl, found.block, rest);
  }
  const attribute = block.body.attributes.find((one) => one.name === name);
  if (attribute !== undefined) {
    const decided = decidedElsewhere(hcl.text, attribute.value);
    return decided === undefined ? removeAttribute(hcl, block, attribute) : refuse(decided);
  }
  const found = nestedBlock(block, name, index);
  if ('refusal' in found) return found;
  if (found.block === undefined) return refuse('it stands elsewhere than in the resource itself');
  const decided = allValues(found.block.body).flatMap((value) => decidedElsewhere(hcl.text, value) ?? [])[0];
  return decided === undefined ? removeBlock(hcl, block, found.block) : refuse(decided);
}

function allValues(body: Body): readonly Expression[] {
  return [...body.attributes.map(({ value }) => value), ...body.blocks.flatMap((block) => allValues(block.body))];
}

type Found = { readonly block: Block | undefined } | { readonly refusal: string };

function nestedBlock({ body }: Block, name: string, index: number | undefined): Found {
  if (body.blocks.some(({ type, labels }) => type === 'dynamic' && labels[0] === name))
    return refuse(madeByDynamic(name));
  if (body.attributes.some((one) => one.name === name))
    return refuse(`\`${name}\` is written as an argument, not as a block`);
  const blocks = body.blocks.filter(({ type }) => type === name);
  if (blocks.length > 1 && index === undefined) return refuse(`there are several \`${name}\` blocks`);
  return { block: blocks[index ?? 0] };
}

export function madeByDynamic(name: string): string {
  return `it is made by a dynamic block (\`dynamic "${name}"\`)`;
}

/** Roots of references that anything may stand behind. */
const DECIDING: ReadonlySet<string> = new Set(['var', 'local', 'module', 'each', 'count', 'path', 'terraform', 'self']);

/** Why a value isn't decided where it is written; a reference to another resource is. */
export function decidedElsewhere(text: string, value: Expression): string | undefined {
  switch (value.kind) {
    case 'literal':
      return undefined;
    case 'variable':
      return DECIDING.has(value.name) ? decidedBy(text, value) : undefined;
    case 'attribute':
    case 'index':
      return decidedElsewhere(text, value.of) === undefined ? undefined : decidedBy(text, value);
    case 'tuple':
      return value.items.map((item) => decidedElsewhere(text, item)).find((reason) => reason !== undefined);
    case 'template':
    case 'splat':
    case 'call':
    case 'conditional':
    case 'unary':
    case 'binary':
    case 'object':
    case 'for':
    case 'invalid':
      return decidedBy(text, value);
  }
}

function decidedBy(text: string, { range }: Expression): string {
  const source = text.slice(range.start, range.end).replaceAll(/\s+/g, ' ');
  return `it is decided by \`${source.length > 60 ? `${source.slice(0, 59)}…` : source}\``;
}

export function literalText(value: HclValue): string {
  if (typeof value === 'object') return value.expression;
  return typeof value === 'string' ? withoutInterpolation(JSON.stringify(value)) : JSON.stringify(value);
}

function setAttribute(hcl: HclText, block: Block, name: string, value: HclValue): EditPlan {
  const { text } = hcl;
  const { body } = block;
  const present = body.attributes.find((one) => one.name === name);
  if (present !== undefined) {
    const { range } = present.value;
    if (present.value.kind !== 'literal') return refuse(decidedBy(text, present.value));
    if (text.slice(range.start, range.end).includes('\n')) return refuse('it is written over several lines');
    return { edits: [{ start: range.start, end: range.end, text: literalText(value) }] };
  }
  const inside = text.slice(body.range.start + 1, body.range.end - 1);
  return inside.includes('\n')
    ? addLine(hcl, block, name, literalText(value))
    : { edits: unfold(hcl, block, name, literalText(value)) };
}

/** A line for an argument in a block that has lines of its own. */
function addLine(hcl: HclText, { headRange, body }: Block, name: string, value: string): EditPlan {
  const { text } = hcl;
  const lineBreak = lineBreakOf(text);
  const place = placeOf(hcl, body.attributes);
  const at = hcl.lineEnd(place === undefined ? body.range.start + 1 : place.behind.value.range.end);
  // Behind a comment that ends in the line of the closing brace.
  if (at >= body.range.end) return refuse(NOT_CLEAR);
  if (place === undefined) {
    const gap = body.blocks.length + body.attributes.length > 0 ? lineBreak : '';
    return {
      edits: [
        { start: at, end: at, text: `${lineBreak}${indentationAt(text, headRange.start)}  ${name} = ${value}${gap}` },
      ],
    };
  }
  const { behind, run } = place;
  const aligned = isAligned(hcl, run);
  const width = aligned ? Math.max(name.length, ...run.map((one) => one.name.length)) : name.length;
  const added = {
    start: at,
    end: at,
    text: `${lineBreak}${indentationAt(text, behind.nameRange.start)}${name.padEnd(width)} = ${value}`,
  };
  return { edits: [...(aligned ? realign(hcl, run, width) : []), added] };
}

/** `block { a = 1 }` gets lines of its own. */
function unfold(hcl: HclText, { headRange, body }: Block, name: string, value: string): TextEdit[] {
  const { text } = hcl;
  const outer = indentationAt(text, headRange.start);
  const lineBreak = lineBreakOf(text);
  const [only] = body.attributes;
  const { start, end } = body.range;
  const inner = `${lineBreak}${outer}  `;
  if (only === undefined) {
    const comment = text.slice(start + 1, end - 1).trim();
    return [
      {
        start: start + 1,
        end: end - 1,
        text: `${comment === '' ? '' : inner}${comment}${inner}${name} = ${value}${lineBreak}${outer}`,
      },
    ];
  }
  const before = text.slice(start + 1, only.nameRange.start).trim();
  const behind = text.slice(only.value.range.end, end - 1).trim();
  const width = Math.max(name.length, only.name.length);
  return [
    { start: start + 1, end: only.nameRange.start, text: before === '' ? inner : `${inner}${before}${inner}` },
    ...realign(hcl, [only], width),
    {
      start: only.value.range.end,
      end: end - 1,
      text: `${behind === '' ? '' : ` ${behind}`}${inner}${name.padEnd(width)} = ${value}${lineBreak}${outer}`,
    },
  ];
}

function removeBlock(hcl: HclText, block: Block, inner: Block): EditPlan {
  const lines = removeItem(hcl, block, inner.headRange.start, inner.body.range.end);
  return 'refusal' in lines
    ? lines
    : { edits: lines.edits.flatMap((edit) => [edit, ...joinedUp(hcl, block.body.attributes, edit.start, edit.end)]) };
}

function removeAttribute(hcl: HclText, block: Block, attribute: Attribute): EditPlan {
  const { attributes } = block.body;
  const lines = removeItem(hcl, block, attribute.nameRange.start, attribute.value.range.end);
  return 'refusal' in lines
    ? lines
    : { edits: [...lines.edits, ...closedUp(hcl, attributes, attributes.indexOf(attribute))] };
}

/** Takes out the lines of an argument or block, the comments above that are about it alone, and an empty line before it that nothing would then keep apart. */
function removeItem(hcl: HclText, { body }: Block, start: number, end: number): EditPlan {
  if (body.attributes.length + body.blocks.length === 1) return refuse(NOTHING_ELSE);
  const { text } = hcl;
  if (!hcl.isFirstInLine(start) || !hcl.isLastInLine(end)) return refuse(NOT_CLEAR);
  const to = hcl.nextLine(end);
  const line = lineStart(text, start);
  let from = hcl.commentsAbove(line);
  const below = text.slice(to, lineEnd(text, to)).trim();
  const isLast = below === '' || below.startsWith('}');
  if (hcl.hasDirective(from, line)) return refuse('a comment above it tells a tool what to ignore');
  if (from < line && !isLast && !/^(?:#|\/[/*])/.test(below))
    return refuse('the comment above it may be about what follows, too');
  const above = from === 0 ? from : lineStart(text, from - 1);
  if (above < from && isBlank(text, above, from) && isLast) from = above;
  return { edits: [{ start: from, end: to, text: '' }] };
}

/** A new block at the end of one, an empty line before it. */
function appendBlock(hcl: HclText, block: Block, name: string, rest: readonly string[], value: HclValue): TextEdit {
  return appendLines(hcl, block, blockLines(name, rest, value, `${indentationAt(hcl.text, block.headRange.start)}  `));
}

function appendLines({ text }: HclText, { headRange, body }: Block, lines: readonly string[]): TextEdit {
  const outer = indentationAt(text, headRange.start);
  const lineBreak = lineBreakOf(text);
  const { start, end } = body.range;
  const inside = text.slice(start + 1, end - 1);
  const closing = end - 1;
  if (inside.trim() === '') return { start: start + 1, end: closing, text: [``, ...lines, outer].join(lineBreak) };
  if (!inside.includes('\n')) {
    return {
      start: start + 1,
      end: closing,
      text: [``, `${outer}  ${inside.trim()}`, '', ...lines, outer].join(lineBreak),
    };
  }
  const at = lineStart(text, closing);
  // A comment ends before the brace.
  if (!isBlank(text, at, closing))
    return { start: closing, end: closing, text: ['', '', ...lines, outer].join(lineBreak) };
  return { start: at, end: at, text: `${lineBreak}${lines.join(lineBreak)}${lineBreak}` };
}

function blockLines(name: string, rest: readonly string[], value: HclValue, indent: string): string[] {
  const [next = '', ...further] = rest;
  const inner =
    further.length === 0
      ? [`${indent}  ${next} = ${literalText(value)}`]
      : blockLines(next, further, value, `${indent}  `);
  return [`${indent}${name} {`, ...inner, `${indent}}`];
}

/** Makes Base64 of what an argument holds. */
export function encodeArgument({ text }: HclText, block: Block, path: readonly string[]): EditPlan {
  const [name, ...rest] = path;
  const attribute = rest.length > 0 ? undefined : block.body.attributes.find((one) => one.name === name);
  if (attribute === undefined) return refuse('it stands elsewhere than in the resource itself');
  const { value } = attribute;
  const isText =
    value.kind === 'literal' || value.kind === 'template' || (value.kind === 'call' && TEXT_FUNCTIONS.has(value.name));
  if (!isText) return refuse(decidedBy(text, value));
  const { start, end } = value.range;
  const isHeredoc = text.startsWith('<<', start);
  const close = isHeredoc && text[end - 1] !== '\n' ? `${lineBreakOf(text)}${indentationAt(text, start)})` : ')';
  return {
    edits: [
      { start, end: start, text: 'base64encode(' },
      { start: end, end, text: close },
    ],
  };
}

const TEXT_FUNCTIONS: ReadonlySet<string> = new Set(['file', 'templatefile', 'join', 'format']);

/** Gives a node group a launch template of its own, beside it. */
export function addTemplate(hcl: HclText, block: Block, name: string | undefined): EditPlan {
  const { text } = hcl;
  const isDynamic = (what: string): boolean =>
    block.body.blocks.some(({ type, labels }) => type === 'dynamic' && labels[0] === what);
  const has = (what: string): boolean =>
    isDynamic(what) ||
    block.body.blocks.some(({ type }) => type === what) ||
    block.body.attributes.some((one) => one.name === what);
  if (has('launch_template'))
    return refuse(isDynamic('launch_template') ? madeByDynamic('launch_template') : NOT_CLEAR);
  if (has('remote_access')) return refuse(REMOTE_ACCESS_MOVES);
  if (name === undefined) return refuse(NO_FREE_NAME);
  const disk = block.body.attributes.find((one) => one.name === 'disk_size');
  if (disk !== undefined && disk.value.kind !== 'literal') return refuse(decidedBy(text, disk.value));
  const size = disk?.value.kind === 'literal' ? Number(disk.value.value) : undefined;
  const removal = disk === undefined ? { edits: [] } : removeAttribute(hcl, block, disk);
  if ('refusal' in removal) return removal;
  const outer = indentationAt(text, block.headRange.start);
  const lineBreak = lineBreakOf(text);
  const use = appendLines(
    hcl,
    block,
    useLines(name).map((line) => `${outer}  ${line}`),
  );
  const end = hcl.lineEnd(block.body.range.end);
  const resource = ['', ...resourceLines(name, size)].map((line) => (line === '' ? '' : outer + line));
  const added = { start: end, end, text: `${lineBreak}${resource.join(lineBreak)}` };
  return { edits: [...removal.edits, use, added] };
}
