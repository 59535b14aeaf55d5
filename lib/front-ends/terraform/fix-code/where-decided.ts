import type { Range } from '../../../languages/hcl/ast';
import type { Resource, Source } from '../../../value';
import { codeParts } from './printed';

/*
 * Code that sets one argument, as it goes where the value of that argument stands: in the default of a variable, a local value, a file of values, or
 * an entry of a map in one of these.
 */

/** Undefined where the value has no name there, and where the code doesn't set it. What else the code has stays where it goes. */
export function codeWhereDecided(code: string, source: Source): string | undefined {
  const { decided } = source;
  if (decided?.key === undefined) return undefined;
  const { file, line } = decided.at.locate();
  if (file.endsWith('.json')) return undefined;
  // What is changed has to be what the finding points at.
  const setting = settingOf(source);
  const part = codeParts(code)?.find((one) => one.kind === 'argument' && one.name === setting);
  if (part?.kind !== 'argument') return undefined;
  const text = code.slice(part.value.range.start, part.value.range.end);
  const value = isConstant(part.value.kind) ? text : ofEntry(text, source);
  if (value === undefined) return undefined;
  // Behind the value a remark would swallow what closes a block or a map of one line.
  const remark = part.comment === undefined ? '' : `# ${part.comment}\n`;
  const there = `# ${file}:${line}, ${decided.by}:\n${remark}${keyText(decided.key)} = ${value}`;
  return [...restOf(code, part.value.range), there].join('\n');
}

/** What an entry of `for_each` has by a name, with something else for entries that leave it out. */
const OF_ENTRY =
  /^(?:each\.value\.\w+|each\.value\["\w+"\]|lookup\(each\.value, "\w+"(?:, .+)?\)|try\(each\.value\.\w+, .+\))$/;

/** What an expression gives one of several that a block makes, where each of them has it from an entry of its own: `each.value.version`. */
function ofEntry(text: string, { wholeExpression, decided }: Source): string | undefined {
  const [, value, others = ''] = /^each\.key == "[^"]+" \? ("[^"$]+") : (.+)$/.exec(text) ?? [];
  if (!OF_ENTRY.test(others) || others !== wholeExpression || decided?.key === undefined) return undefined;
  // An entry that leaves it out has no line of it, and what the type of the variable says is said to all entries.
  const line = decided.at.lineWith?.(`${decided.key} `);
  const isThere = line !== undefined && line.line === decided.at.locate().line;
  return isThere && /^[ \t]*=[ \t]*"/.test(line.text.slice(line.text.indexOf(`${decided.key} `) + decided.key.length))
    ? value
    : undefined;
}

/** The lines of the code without those of an argument, and without a place that nothing goes to any more; none where nothing is left. */
function restOf(code: string, value: Range): readonly string[] {
  const start = code.lastIndexOf('\n', value.start) + 1;
  const end = code.indexOf('\n', value.end);
  const rest = (code.slice(0, start) + (end < 0 ? '' : code.slice(end + 1)))
    .replaceAll(/^# in (?!.*\bwithout\b).*:\n(?=# |(?![\s\S]))/gm, '')
    .trimEnd();
  return rest === '' ? [] : [rest];
}

/** Code that sets one argument of another resource than the one of the finding, at the line that has it, before what says itself where it goes. */
export function codeAtLine(code: string, resource: Resource, source: Source): string | undefined {
  const { id, moduleInputsAt } = resource;
  const { file, line } = source.locate();
  if (moduleInputsAt !== undefined) return codeAtLineOfCall(code, moduleInputsAt, source);
  return /\.(?:tf|tofu)$/.test(file) && /^[\w-]+ *= \S.*(?:\n# in [^]*)?$/.test(code)
    ? `# ${file}:${line}, ${id}:\n${code}`
    : undefined;
}

/**
 * Code for an entry of a call, at the line that has the value now: keys may be put together, and what all entries have is written once. Undefined where
 * it isn't a literal in a line of its own name.
 */
function codeAtLineOfCall(code: string, at: string, source: Source): string | undefined {
  const [, setting = '', value] = /^# in [^\n]+:\n([\w-]+) *= *("[^"\n$]*")$/.exec(code) ?? [];
  const { file, line } = source.locate();
  const written = value === undefined ? undefined : source.lineWith?.(`${setting} `);
  if (written === undefined || written.line !== line || !/\.(?:tf|tofu)$/.test(file)) return undefined;
  const isLiteral = new RegExp(`^\\s*${setting} *= *"[^"$]*"\\s*(?:#.*)?$`).test(written.text);
  const call = /^((?:module\.[\w-]+\.)*module\.[\w-]+)/
    .exec(at)?.[1]
    ?.split(/\.(?=module\.)/)
    .at(-1);
  return isLiteral && call !== undefined ? `# ${file}:${line}, ${call}:\n${setting} = ${value}` : undefined;
}

function isConstant(kind: string): boolean {
  return kind === 'literal' || kind === 'template';
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
}

/** The last name of an attribute path: `ami_type` of `eks_managed_node_groups["a"].ami_type`. */
function settingOf(source: Source): string | undefined {
  return /(?:^|\.)([\w-]+)(?:\[\d+\])?$/.exec(source.locate().property ?? '')?.[1];
}
