import type { Attribute, Block, Body, Expression } from '../readers/terraform/hcl/ast';
import { parseHcl } from '../readers/terraform/hcl/parser';
import { indentationAt, isBlank, lineBreakOf, lineEnd, lineStart, nextLine, refuse, type EditPlan, type TextEdit } from './text-edit';
import { closedUp, isAligned, lastRun, realign } from './hcl-runs';
import type { Scalar } from './tree-edit';

/** What an argument is set to; an expression is written as it is. */
export type HclValue = Scalar | { readonly expression: string };

/** An HCL file that is edited. */
export interface HclText {
  readonly text: string;
  readonly body: Body;
}

/** Undefined if it can't be read without problems. */
export function hclText(text: string): HclText | undefined {
  const { body, problems } = parseHcl(text);
  return problems.length > 0 ? undefined : { text, body };
}

/** The block of a resource; undefined if the file doesn't declare it. */
export function resourceBlock({ body }: HclText, type: string, name: string): Block | undefined {
  return body.blocks.find((block) => block.type === 'resource' && block.labels[0] === type && block.labels[1] === name);
}

/** Sets an argument; all steps of the path but the last are blocks. */
export function setArgument(hcl: HclText, block: Block, path: readonly string[], value: HclValue, index?: number): EditPlan {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return setAttribute(hcl, block, name, value);
  const found = nestedBlock(block, name, index);
  if ('refusal' in found) return found;
  if (found.block !== undefined) return setArgument(hcl, found.block, name === '*' ? rest : rest.filter((step) => step !== '*'), value, index);
  return { edits: [appendBlock(hcl.text, block, name, rest, value)] };
}

/** Removes an argument or a nested block. */
export function removeArgument(hcl: HclText, block: Block, path: readonly string[], index?: number): EditPlan {
  const [name = '', ...rest] = path.filter((step) => step !== '*');
  if (rest.length > 0) {
    const found = nestedBlock(block, name, index);
    if ('refusal' in found) return found;
    return found.block === undefined ? refuse('it stands elsewhere than in the resource itself') : removeArgument(hcl, found.block, rest);
  }
  const attribute = block.body.attributes.find((one) => one.name === name);
  if (attribute !== undefined) {
    const decided = decidedElsewhere(hcl.text, attribute.value);
    return decided === undefined ? removeAttribute(hcl.text, block, attribute) : refuse(decided);
  }
  const found = nestedBlock(block, name, index);
  if ('refusal' in found) return found;
  if (found.block === undefined) return refuse('it stands elsewhere than in the resource itself');
  const decided = allValues(found.block.body).flatMap((value) => decidedElsewhere(hcl.text, value) ?? [])[0];
  return decided === undefined ? { edits: [wholeLines(hcl.text, found.block.headRange.start, found.block.body.range.end)] } : refuse(decided);
}

function allValues(body: Body): readonly Expression[] {
  return [...body.attributes.map(({ value }) => value), ...body.blocks.flatMap((block) => allValues(block.body))];
}

type Found = { readonly block: Block | undefined } | { readonly refusal: string };

function nestedBlock({ body }: Block, name: string, index: number | undefined): Found {
  if (body.blocks.some(({ type, labels }) => type === 'dynamic' && labels[0] === name)) return refuse(`it is made by a dynamic block (\`dynamic "${name}"\`)`);
  if (body.attributes.some((one) => one.name === name)) return refuse(`\`${name}\` is written as an argument, not as a block`);
  const blocks = body.blocks.filter(({ type }) => type === name);
  if (blocks.length > 1 && index === undefined) return refuse(`there are several \`${name}\` blocks`);
  return { block: blocks[index ?? 0] };
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
      return value.parts.every(({ kind }) => kind === 'text') ? undefined : decidedBy(text, value);
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

export function isLiteral(value: Expression): boolean {
  return value.kind === 'literal' || (value.kind === 'template' && value.parts.every(({ kind }) => kind === 'text'));
}

export function literalText(value: HclValue): string {
  if (typeof value === 'object') return value.expression;
  return typeof value === 'string' ? JSON.stringify(value).replaceAll('${', '$${').replaceAll('%{', '%%{') : String(value);
}

function setAttribute({ text }: HclText, block: Block, name: string, value: HclValue): EditPlan {
  const { body } = block;
  const present = body.attributes.find((one) => one.name === name);
  if (present !== undefined) {
    const { range } = present.value;
    if (!isLiteral(present.value)) return refuse(decidedBy(text, present.value));
    if (text.slice(range.start, range.end).includes('\n')) return refuse('it is written over several lines');
    return { edits: [{ start: range.start, end: range.end, text: literalText(value) }] };
  }
  const inside = text.slice(body.range.start + 1, body.range.end - 1);
  if (!inside.includes('\n')) return { edits: unfold(text, block, `${name} = ${literalText(value)}`) };
  const run = lastRun(text, body.attributes);
  const lineBreak = lineBreakOf(text);
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) {
    const indent = `${indentationAt(text, block.headRange.start)}  `;
    const at = lineEnd(text, body.range.start);
    const gap = body.blocks.length + body.attributes.length > 0 ? lineBreak : '';
    return { edits: [{ start: at, end: at, text: `${lineBreak}${indent}${name} = ${literalText(value)}${gap}` }] };
  }
  const indent = indentationAt(text, first.nameRange.start);
  const aligned = isAligned(text, run);
  const width = aligned ? Math.max(name.length, ...run.map((one) => one.name.length)) : name.length;
  const at = lineEnd(text, last.value.range.end);
  const added = { start: at, end: at, text: `${lineBreak}${indent}${name.padEnd(width)} = ${literalText(value)}` };
  return { edits: [...(aligned ? realign(text, run, width) : []), added] };
}

/** `block { a = 1 }` gets lines of its own. */
function unfold(text: string, { headRange, body }: Block, item: string): TextEdit[] {
  const outer = indentationAt(text, headRange.start);
  const lineBreak = lineBreakOf(text);
  const [only] = body.attributes;
  const { start, end } = body.range;
  if (only === undefined) return [{ start: start + 1, end: end - 1, text: `${lineBreak}${outer}  ${item}${lineBreak}${outer}` }];
  const name = item.slice(0, item.indexOf(' '));
  const width = Math.max(name.length, only.name.length);
  return [
    { start: start + 1, end: only.nameRange.start, text: `${lineBreak}${outer}  ` },
    ...realign(text, [only], width),
    { start: only.value.range.end, end: end - 1, text: `${lineBreak}${outer}  ${name.padEnd(width)}${item.slice(name.length)}${lineBreak}${outer}` },
  ];
}

function removeAttribute(text: string, block: Block, attribute: Attribute): EditPlan {
  const { body } = block;
  const { nameRange, value } = attribute;
  if (!text.slice(body.range.start, nameRange.start).includes('\n')) return { edits: [{ start: body.range.start, end: body.range.end, text: '{}' }] };
  const edits = [wholeLines(text, nameRange.start, value.range.end)];
  edits.push(...closedUp(text, body.attributes, body.attributes.indexOf(attribute)));
  return { edits };
}

/** The lines of an item, and an empty one before it that nothing would then keep apart. */
function wholeLines(text: string, start: number, end: number): TextEdit {
  let from = lineStart(text, start);
  const to = nextLine(text, end);
  const above = from === 0 ? from : lineStart(text, from - 1);
  const nextIsGap = isBlank(text, to, lineEnd(text, to)) || /^[ \t]*\}/.test(text.slice(to, lineEnd(text, to)));
  if (above < from && isBlank(text, above, from) && nextIsGap) from = above;
  return { start: from, end: to, text: '' };
}

/** A new block at the end of one, an empty line before it. */
function appendBlock(text: string, { headRange, body }: Block, name: string, rest: readonly string[], value: HclValue): TextEdit {
  const outer = indentationAt(text, headRange.start);
  const lineBreak = lineBreakOf(text);
  const lines = blockLines(name, rest, value, `${outer}  `);
  const { start, end } = body.range;
  const inside = text.slice(start + 1, end - 1);
  const closing = end - 1;
  if (inside.trim() === '') return { start: start + 1, end: closing, text: [``, ...lines, outer].join(lineBreak) };
  if (!inside.includes('\n')) {
    return { start: start + 1, end: closing, text: [``, `${outer}  ${inside.trim()}`, '', ...lines, outer].join(lineBreak) };
  }
  const at = lineStart(text, closing);
  return { start: at, end: at, text: `${lineBreak}${lines.join(lineBreak)}${lineBreak}` };
}

function blockLines(name: string, rest: readonly string[], value: HclValue, indent: string): string[] {
  const [next = '', ...further] = rest;
  const inner = further.length === 0 ? [`${indent}  ${next} = ${literalText(value)}`] : blockLines(next, further, value, `${indent}  `);
  return [`${indent}${name} {`, ...inner, `${indent}}`];
}
