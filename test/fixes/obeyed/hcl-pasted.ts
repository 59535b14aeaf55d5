import type { Block, Body, Expression } from '../../../lib/languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../../lib/languages/hcl/children';
import { parseHcl } from '../../../lib/languages/hcl/parser';
import { CannotPaste } from './cannot-paste';

/*
 * Obeys an advice word by word: what is printed is pasted where it says, and nothing else changes. An argument is replaced or added, a block
 * that is there is merged, a resource goes to the end of the file, and `# in ADDRESS` names another place.
 */

/** Where code goes: the body of a block, or an object within a call. */
type Place =
  | { readonly kind: 'body'; readonly body: Body }
  | { readonly kind: 'object'; readonly object: ObjectExpression };

type ObjectExpression = Extract<Expression, { kind: 'object' }>;

/** Blocks that stand for themselves. */
const OF_FILES = new Set(['resource', 'data', 'module', 'provider', 'locals', 'variable']);

/** A comment that names another place, and what follows it. */
const HEADER =
  /^# in (?:\S+\.(?:tf|tofu), )?(\S+?(?:(?:, | and )[\w-]+\.[\w.-]+)*)(?:, which Terraform replaces)?(?:, without (.+?))?:?$/;

/** What the code below takes the place of. */
const INSTEAD = /^# in the place of (\w+):$/;

/** An object that opens in a line of the file, and what it is called. */
const PLACED = /^# in \S+:(\d+), (.+?)(?:, in place of its \w+)?:$/;

/** Values of a chart that go behind those which are there. */
const BEHIND = /^# behind the other values of (\S+), over which Helm merges them:$/;

/** A line of the file, which holds the value. */
const LINE = /^# \S+:(\d+), .*:$/;

/**
 * @param address of the resource that the finding is about, where the code names no other
 * @throws CannotPaste where the advice leaves open what to do
 */
export function pasted(file: string, address: string, printed: string): string {
  // Lines change first, where the numbers still hold.
  const parts = printed.split(/\n(?=# )/);
  let text = file;
  const others: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const [, at] = LINE.exec(parts[index]?.split('\n', 1)[0] ?? '') ?? [];
    if (at === undefined) others.push(parts[index] ?? '');
    else {
      let part = parts[index] ?? '';
      // A remark stands above the value.
      while (!part.includes('\n') || /^#[^\n]*(?:\n#[^\n]*)*$/.test(part)) part += `\n${parts[++index] ?? ''}`;
      text = atLine(text, Number(at), part.slice(part.indexOf('\n') + 1));
    }
  }
  const code = others.join('\n');
  const [, release] = BEHIND.exec(code.split('\n', 1)[0] ?? '') ?? [];
  if (release !== undefined) return behindValues(text, release, code.slice(code.indexOf('\n') + 1));
  let place = address;
  let lines: string[] = [];
  const flush = (): void => {
    // What goes to several places, and what stands for itself once.
    if (lines.some((line) => line.trim() !== ''))
      for (const [index, one] of place.split(/, | and /).entries())
        text = pastedAt(text, one, lines.join('\n'), index === 0);
    lines = [];
  };
  for (const line of code.split('\n')) {
    const [, other, without] = HEADER.exec(line) ?? [];
    const [, replaced] = INSTEAD.exec(line) ?? [];
    const [, opening, named = ''] = PLACED.exec(line) ?? [];
    if (opening !== undefined) {
      flush();
      place = `module.@${opening}${/\["([^"]+)"\](?: \(.*\))?$/.exec(named)?.[1] ?? ''}`;
      continue;
    }
    if (replaced !== undefined) text = removed(text, place, replaced);
    if (other === undefined) lines.push(line);
    else {
      flush();
      place = other;
      for (const name of without?.split(' and ') ?? []) text = removed(text, place, name);
    }
  }
  flush();
  return text;
}

function behindValues(text: string, address: string, item: string): string {
  const list = valueAt(placeAt(text, address, []), 'values');
  if (list?.kind !== 'tuple') throw new CannotPaste('its values are no list');
  const last = list.items.at(-1)?.range.end ?? list.range.start + 1;
  return `${text.slice(0, last)}${list.items.length === 0 ? '' : ','}\n${item}${text.slice(last)}`;
}

/** The value of what the line holds, replaced by that of the code, which has the same name, and what is said behind it. */
function atLine(file: string, line: number, printed: string): string {
  const code = printed.replaceAll(/^#.*\n/gm, '');
  const lines = file.split('\n');
  const [name = ''] = /^\S+/.exec(code) ?? [];
  const before = lines[line - 1] ?? '';
  const start = before.search(new RegExp(`"?\\b${name}"? *=`));
  if (start < 0) throw new CannotPaste(`line ${line} has no ${name}`);
  const end = endOfValue(before, start);
  // All of the value goes, and not the half of it that looks like one.
  const value = /^[^=]*= *(?:"[^"]*"|[\w.]+(?![\w.([]))(?=\s*(?:$|[,}#]|\/\/))/.exec(before.slice(start))?.[0];
  if (end === undefined && value === undefined) throw new CannotPaste(`where does ${name} of line ${line} end?`);
  lines[line - 1] = before.slice(0, start) + code + before.slice(end ?? start + (value ?? '').length);
  return lines.join('\n');
}

/** Where the value of an argument ends that has the rest of a line, but for a remark; undefined where a map of one line has more. */
function endOfValue(line: string, start: number): number | undefined {
  const rest = line
    .slice(start)
    .trimEnd()
    .replace(/,$/, '')
    .replace(/^"([^"]*)"/, ' $1 ');
  const { body, problems } = parseHcl(rest);
  const [attribute] = body.attributes;
  return problems.length > 0 || attribute === undefined ? undefined : start + attribute.value.range.end;
}

function pastedAt(file: string, address: string, code: string, withOthers = true): string {
  const { body, problems } = parseHcl(code);
  if (problems[0] !== undefined) throw new CannotPaste(`${problems[0].message} in\n${code}`);
  let text = file;
  const source = (range: { start: number; end: number }): string => code.slice(range.start, range.end);
  for (const { name, value } of body.attributes) text = withArgument(text, address, [], name, value, source);
  for (const block of body.blocks)
    if (!OF_FILES.has(block.type)) text = withBlock(text, address, [], block, source);
    else if (withOthers) text = withOther(text, address, code.slice(block.headRange.start, block.body.range.end));
  return text;
}

/** Behind the resource that the heading names, in whatever file that is, or at the end. */
function withOther(text: string, address: string, block: string): string {
  const place = /^(?:aws|kubernetes)_/.test(address) ? placeAt(text, address, []) : undefined;
  const end = place?.kind === 'body' ? place.body.range.end : text.length;
  return `${text.slice(0, end)}\n${block}\n${text.slice(end)}`;
}

function removed(text: string, address: string, name: string): string {
  const place = placeAt(text, address, []);
  if (place.kind === 'object') {
    const entry = place.object.entries.find(({ key }) => nameOf(key) === name);
    if (entry === undefined) throw new CannotPaste(`there is no ${name} to go without`);
    return text.slice(0, entry.key.range.start) + text.slice(entry.value.range.end);
  }
  const attribute = place.body.attributes.find((one) => one.name === name);
  const block = place.body.blocks.find((one) => one.type === name);
  const start = attribute?.nameRange.start ?? block?.headRange.start;
  const end = attribute?.value.range.end ?? block?.body.range.end;
  return start === undefined || end === undefined ? text : text.slice(0, start) + text.slice(end);
}

type SourceOf = (range: { start: number; end: number }) => string;

function withArgument(
  text: string,
  address: string,
  path: readonly string[],
  name: string,
  value: Expression,
  source: SourceOf,
): string {
  const place = placeAt(text, address, path);
  const before = valueAt(place, name);
  const isCall = address.startsWith('module.');
  if (before === undefined) return inserted(text, place, `${keyText(name)} = ${source(value.range)}`);
  // The arguments of a call hold what resources have as blocks.
  if (isCall && value.kind === 'object' && before.kind === 'object') {
    let merged = text;
    for (const entry of value.entries)
      merged = withArgument(merged, address, [...path, name], nameOf(entry.key), entry.value, source);
    return merged;
  }
  return text.slice(0, before.range.start) + source(value.range) + text.slice(before.range.end);
}

function withBlock(text: string, address: string, path: readonly string[], block: Block, source: SourceOf): string {
  const place = placeAt(text, address, path);
  if (place.kind === 'object') throw new CannotPaste(`a block ${block.type} in an object`);
  const there = place.body.blocks.filter((one) => one.type === block.type);
  if (there.length > 1) throw new CannotPaste(`which of the blocks ${block.type}?`);
  if (there.length === 0)
    return inserted(text, place, source({ start: block.headRange.start, end: block.body.range.end }));
  let merged = text;
  for (const { name, value } of block.body.attributes)
    merged = withArgument(merged, address, [...path, block.type], name, value, source);
  for (const inner of block.body.blocks) merged = withBlock(merged, address, [...path, block.type], inner, source);
  return merged;
}

function inserted(text: string, place: Place, code: string): string {
  const { end } = place.kind === 'body' ? place.body.range : place.object.range;
  const gap = place.kind === 'object' && !/[{,\n]\s*$/.test(text.slice(0, end - 1)) ? ',' : '';
  return `${text.slice(0, end - 1)}${gap}\n${code}\n${text.slice(end - 1)}`;
}

function keyText(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name);
}

function nameOf(key: Expression): string {
  if (key.kind === 'literal') return String(key.value);
  if (key.kind === 'variable') return key.name;
  throw new CannotPaste('a key that is computed');
}

function valueAt(place: Place, name: string): Expression | undefined {
  return place.kind === 'body'
    ? place.body.attributes.find((one) => one.name === name)?.value
    : place.object.entries.find(({ key }) => nameOf(key) === name)?.value;
}

function placeAt(text: string, address: string, path: readonly string[]): Place {
  const { body, problems } = parseHcl(text);
  if (problems[0] !== undefined) throw new CannotPaste(`${problems[0].message} in\n${text}`);
  const [, line, key] = /^module\.@(\d+)(.*)$/.exec(address) ?? [];
  if (line !== undefined) return path.reduce(stepInto, objectAt(text, Number(line), key ?? ''));
  // The key of an instance is none of a setting.
  const [type = '', name = '', ...rest] = stepsOf(address.replace(/^((?!module\.)[\w-]+\.[\w-]+)\[.*?\]/, '$1'));
  const [kind, first, inner] =
    type === 'module' ? ['module', name, rest] : type === 'data' ? ['data', name, rest] : ['resource', type, [name]];
  const block = body.blocks.find(
    (one) => one.type === kind && one.labels[0] === first && (kind === 'module' || one.labels[1] === inner[0]),
  );
  if (block === undefined) throw new CannotPaste(`there is no ${address}`);
  let place: Place = { kind: 'body', body: block.body };
  for (const step of [...(kind === 'module' ? inner : kind === 'resource' ? rest : []), ...path])
    place = stepInto(place, step);
  return place;
}

function stepInto(place: Place, step: string): Place {
  const written = valueAt(place, step);
  // What is encoded as a text.
  const value = written?.kind === 'call' && written.args.length === 1 ? written.args[0] : written;
  const nested: Block | undefined =
    place.kind === 'body' ? place.body.blocks.find((one) => one.type === step) : undefined;
  if (value?.kind === 'object') return { kind: 'object', object: value };
  if (value === undefined && nested !== undefined) return { kind: 'body', body: nested.body };
  throw new CannotPaste(`there is no ${step} there`);
}

/** The object that opens in a line: the value of the key, or the first. */
function objectAt(text: string, line: number, key: string): Place {
  const found: { readonly object: ObjectExpression; readonly key: string }[] = [];
  const visit = (node: SyntaxNode, name: string): void => {
    if (node.kind === 'object' && 'entries' in node) {
      if (text.slice(0, node.range.start).split('\n').length === line) found.push({ object: node, key: name });
      for (const entry of node.entries) visit(entry.value, entry.key.kind === 'literal' ? String(entry.key.value) : '');
    } else for (const child of childrenOf(node)) visit(child, name);
  };
  const all = (body: Body): void => {
    for (const { value, name } of body.attributes) visit(value, name);
    for (const block of body.blocks) all(block.body);
  };
  all(parseHcl(text).body);
  const object = (found.find((one) => one.key === key) ?? found[0])?.object;
  if (object === undefined) throw new CannotPaste(`no object opens in line ${line}`);
  return { kind: 'object', object };
}

/** `module.eks.eks_managed_node_groups["a b"]` as its steps; an index of a resource is none. */
function stepsOf(address: string): string[] {
  return [...address.matchAll(/([\w-]+)|\["([^"]+)"\]/g)]
    .map(([, word, key]) => word ?? key ?? '')
    .filter((step) => !/^\d+$/.test(step));
}
