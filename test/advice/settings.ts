import { isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import type { Body, Expression } from '../../lib/languages/hcl/ast';
import { parseHcl } from '../../lib/languages/hcl/parser';

/*
 * What a text sets, place by place, to see what an advice loses. Values that change are what it is for; a place that nothing sets any more is a loss.
 */

/** @param isSpared whether a place may go, by its steps */
export function lostSettings(
  before: string,
  after: string,
  language: 'HCL' | 'YAML',
  isSpared: (steps: readonly string[]) => boolean,
): readonly string[] {
  const settingsOf = language === 'HCL' ? settingsOfHcl : settingsOfYaml;
  const now = settingsOf(after).map((steps) => JSON.stringify(steps));
  const kept = new Set(now);
  return settingsOf(before)
    .filter((steps) => {
      const key = JSON.stringify(steps);
      // A text became a map of settings, or a map with a variable in it.
      return !kept.has(key) && !now.some((one) => one.startsWith(`${key.slice(0, -1)},`)) && !isSpared(steps);
    })
    .map((steps) => steps.join('.'));
}

type Steps = readonly string[];

function settingsOfHcl(text: string): readonly Steps[] {
  return ofBody(parseHcl(text).body, [], text);
}

function ofBody({ attributes, blocks }: Body, path: Steps, text: string): readonly Steps[] {
  return [
    ...attributes.flatMap(({ name, value }) => ofExpression(value, [...path, name], text)),
    ...blocks.flatMap(({ type, labels, body }) => [
      [...path, type, ...labels],
      ...ofBody(body, [...path, type, ...labels], text),
    ]),
  ];
}

function ofExpression(value: Expression, path: Steps, text: string): readonly Steps[] {
  if (value.kind === 'object')
    return value.entries.flatMap((entry) => ofExpression(entry.value, [...path, keyOf(entry.key, text)], text));
  if (value.kind === 'tuple')
    return value.items.flatMap((item) =>
      item.kind === 'call' || item.kind === 'object' ? ofExpression(item, path, text) : [[...path, textOf(item, text)]],
    );
  // What encodes or merges maps stands for what is in them.
  if (value.kind === 'call') return value.args.flatMap((one) => ofExpression(one, path, text));
  return [path];
}

function keyOf(key: Expression, text: string): string {
  return key.kind === 'literal' ? String(key.value) : textOf(key, text);
}

function textOf({ range }: Expression, text: string): string {
  return text.slice(range.start, range.end);
}

function settingsOfYaml(text: string): readonly Steps[] {
  return parseAllDocuments(text, { logLevel: 'silent' }).flatMap((document, index) =>
    ofNode((document as { contents: unknown }).contents, [String(index)]),
  );
}

function ofNode(node: unknown, path: Steps): readonly Steps[] {
  if (isMap(node))
    return node.items.flatMap(({ key, value }) =>
      // What takes the place of a group has another logical id.
      ofNode(value, [...path, String(isScalar(key) ? key.value : key).replace(/Anew$/, '')]),
    );
  if (isSeq(node)) {
    // `!If [a, b, c]` is `Fn::If: [a, b, c]`.
    const at = node.tag === '!If' ? [...path, 'Fn::If'] : path;
    return node.items.flatMap((item) =>
      isScalar(item)
        ? item.tag === '!Ref' && item.value === NOTHING
          ? []
          : [[...at, ...shortForm(item.tag, String(item.value))]]
        : isMap(item) && item.get('Ref') === NOTHING
          ? []
          : ofItem(item, at),
    );
  }
  return [path, ...wordsOf(node).map((word) => [...path, word])];
}

/** What sets nothing in a case. */
const NOTHING = 'AWS::NoValue';

/** An item of a list by its name, if it has one. */
function ofItem(item: unknown, path: Steps): readonly Steps[] {
  const name = isMap(item) ? (item.get('name') ?? item.get('key') ?? item.get('DeviceName')) : undefined;
  return ofNode(item, [...path, typeof name === 'string' ? name : '']);
}

/** `!Ref Name` as `Ref: Name`. */
function shortForm(tag: string | undefined, value: string): Steps {
  if (tag?.startsWith('!') !== true || tag.startsWith('!!')) return [value];
  return ['', tag === '!Ref' || tag === '!Condition' ? tag.slice(1) : `Fn::${tag.slice(1)}`];
}

/** Commands and settings of a text of several lines, or of JSON within a text. */
function wordsOf(node: unknown): readonly string[] {
  const value = isScalar(node) ? node.value : undefined;
  return typeof value === 'string' && /\n|^\s*\{/.test(value) ? (value.match(/[A-Za-z_][\w-]{3,}/g) ?? []) : [];
}
