import type { Resource, Source } from '../../../value';
import { codeParts } from './printed';

/*
 * Code that sets one argument, as it goes where the value of that argument stands: in the default of a variable, a local value, a file of values, or
 * an entry of a map in one of these.
 */

/** Undefined where the value has no name there or is one part of an expression, and where the code is more than one value. */
export function codeWhereDecided(code: string, source: Source): string | undefined {
  const { decided, expression } = source;
  if (decided?.key === undefined || expression === undefined) return undefined;
  const parts = codeParts(code)?.filter((part) => part.kind !== 'comment' || !/^in \S+:$/.test(part.text));
  const [part] = parts ?? [];
  if (parts?.length !== 1 || part?.kind !== 'argument' || !isConstant(part.value.kind)) return undefined;
  // What is changed has to be what the finding points at.
  if (settingOf(source) !== part.name) return undefined;
  const { file, line } = decided.at.locate();
  if (file.endsWith('.json')) return undefined;
  const value = code.slice(part.value.range.start, part.value.range.end);
  // Behind the value a remark would swallow what closes a block or a map of one line.
  const remark = part.comment === undefined ? '' : `# ${part.comment}\n`;
  return `# ${file}:${line}, ${decided.by}:\n${remark}${keyText(decided.key)} = ${value}`;
}

/** Code that sets one argument of another resource than the one of the finding, at the line that has it. */
export function codeAtLine(code: string, { id }: Resource, source: Source): string | undefined {
  const { file, line } = source.locate();
  return /\.(?:tf|tofu)$/.test(file) && /^[\w-]+ *= \S.*$/.test(code)
    ? `# ${file}:${line}, ${id}:\n${code}`
    : undefined;
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
