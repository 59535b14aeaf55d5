import { lineStart } from './text-edit';
import type { Tree, TreeCollection, TreeEntry, TreePath } from './tree';

export type Scalar = string | number | boolean;

/** A function of CloudFormation, which YAML writes shorter: `!Ref Nodes`, `!GetAtt Nodes.Arn`. */
export class TemplateFunction {
  constructor(
    readonly name: 'Ref' | 'GetAtt',
    readonly argument: string,
  ) {}
}

/** What a member is set to. */
export type TreeValue = Scalar | TemplateFunction | TreeMap | readonly TreeValue[];

interface TreeMap {
  readonly [key: string]: TreeValue;
}

function isMap(value: TreeValue): value is TreeMap {
  return typeof value === 'object' && !(value instanceof TemplateFunction) && !Array.isArray(value);
}

function isList(value: TreeValue): value is readonly TreeValue[] {
  return Array.isArray(value);
}

/** A value as the language writes it, in the quotes that were there before. */
export function scalarText(value: Scalar, language: Tree['language'], style: string | undefined): string {
  if (typeof value !== 'string' || language === 'json' || style === 'double') return JSON.stringify(value);
  if (style === 'single') return `'${value.replaceAll("'", "''")}'`;
  if (isPlainText(value)) return value;
  return value.includes('"') && !value.includes("'") && !value.includes('\n') ? `'${value}'` : JSON.stringify(value);
}

/** Whether a text needs no quotes in YAML, neither in a block nor in brackets. */
export function isPlainText(text: string): boolean {
  return /^[A-Za-z_][\w.-]*(?:::[\w.-]+)*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
}

function keyText(key: string, language: Tree['language']): string {
  return language === 'json' || !isPlainText(key) ? JSON.stringify(key) : key;
}

/** How the members of a map are written. */
interface Manner {
  /** With keys and texts in quotes, or as YAML writes them. */
  readonly language: Tree['language'];
  /** Behind a colon. */
  readonly blank: '' | ' ';
  /** Behind a comma, and within braces. */
  readonly gap: '' | ' ';
}

/** As the last member is written; in a map without one, as the text begins. */
export function mannerOf({ text, language }: Tree, entries: readonly TreeEntry[]): Manner {
  const last = entries.at(-1);
  const before = entries.at(-2);
  const isTight =
    language === 'json' &&
    !/\s/.test(
      text
        .slice(0, 4096)
        .trim()
        .replaceAll(/"(?:[^"\\]|\\.)*"/g, ''),
    );
  if (last === undefined) return { language, blank: isTight ? '' : ' ', gap: isTight ? '' : ' ' };
  const isQuoted = language === 'json' || text[last.start] === '"';
  const blank = isQuoted && text[last.value.start - 1] === ':' ? '' : ' ';
  const comma = before === undefined ? undefined : /,([ \t]?)(?!\s)/.exec(text.slice(before.end, last.start + 1))?.[1];
  return { language: isQuoted ? 'json' : 'yaml', blank, gap: comma === undefined ? blank : comma === '' ? '' : ' ' };
}

/** `key: value`, or nested maps for several keys, in one line. */
export function inlineMember(manner: Manner, path: TreePath, value: TreeValue): string {
  const [first = '', ...rest] = path;
  return `${keyText(first, manner.language)}:${manner.blank}${inlineValue(manner, nested(rest, value))}`;
}

/** Maps within each other, around a value. */
function nested(path: TreePath, value: TreeValue): TreeValue {
  return path.reduceRight<TreeValue>((inner, key) => ({ [key]: inner }), value);
}

export function inlineValue(manner: Manner, value: TreeValue): string {
  const { language, gap } = manner;
  if (value instanceof TemplateFunction) return functionText(manner, value);
  if (isList(value)) return `[${value.map((item) => inlineValue(manner, item)).join(`,${gap}`)}]`;
  if (!isMap(value)) return scalarText(value, language, undefined);
  const members = Object.entries(value).map(([key, inner]) => inlineMember(manner, [key], inner));
  return `{${gap}${members.join(`,${gap}`)}${gap}}`;
}

function functionText(manner: Manner, { name, argument }: TemplateFunction): string {
  if (manner.language === 'yaml') return `!${name} ${argument}`;
  return name === 'Ref'
    ? inlineValue(manner, { Ref: argument })
    : inlineValue(manner, { 'Fn::GetAtt': argument.split('.') });
}

/** The same in lines of their own. */
export function memberLines(
  path: TreePath,
  value: TreeValue,
  manner: Manner,
  style: TreeCollection['style'],
  indent: string,
  step: string,
): string[] {
  const { language, blank } = manner;
  const [first = '', ...rest] = path;
  const lines = valueLines(nested(rest, value), manner, style, indent, step);
  const [opening = '', ...further] = lines;
  const key = `${indent}${keyText(first, language)}:`;
  return [opening === '' ? key : `${key}${style === 'block' ? ' ' : blank}${opening}`, ...further];
}

/** What stands behind a key, the first line without indentation; empty where everything stands below. */
export function valueLines(
  value: TreeValue,
  manner: Manner,
  style: TreeCollection['style'],
  indent: string,
  step: string,
): string[] {
  const inner = indent + step;
  if (isMap(value)) {
    const members = Object.entries(value).map(([key, one]) => memberLines([key], one, manner, style, inner, step));
    return style === 'block' ? ['', ...members.flat()] : ['{', ...separated(members), `${indent}}`];
  }
  if (!isList(value)) return [inlineValue(manner, value)];
  if (style === 'flow') {
    const items = value.map((item) => {
      const [opening = '', ...further] = valueLines(item, manner, style, inner, step);
      return [`${inner}${opening}`, ...further];
    });
    return ['[', ...separated(items), `${indent}]`];
  }
  return [
    '',
    ...value.flatMap((item) => {
      const [opening = '', ...further] = valueLines(item, manner, style, inner, '  ');
      // The first member of a map stands behind the dash.
      return opening === ''
        ? further.map((line, at) => (at === 0 ? `${inner}- ${line.trimStart()}` : line))
        : [`${inner}- ${opening}`, ...further];
    }),
  ];
}

/** Members with commas between. */
function separated(members: readonly (readonly string[])[]): string[] {
  return members.flatMap((lines, at) =>
    at === members.length - 1 ? lines : [...lines.slice(0, -1), `${lines.at(-1) ?? ''},`],
  );
}

/** Columns of a line up to an offset, where `- ` counts as indentation. */
export function columnIndent(text: string, offset: number): string {
  return text.slice(lineStart(text, offset), offset).replaceAll(/[^\t]/g, ' ');
}
