import { isDeepStrictEqual } from 'node:util';
import type { Body, Range } from '../languages/hcl/ast';
import type { HclText } from './hcl-text';
import type { TreePath } from './tree';

/** Whether two pieces of data differ elsewhere than at some paths. What leads there may be made, or go when nothing else is in it. */
export function dataDiffers(one: unknown, other: unknown, paths: readonly TreePath[]): boolean {
  return !isDeepStrictEqual(without(one, paths), without(other, paths));
}

/** What is left of data without the values at some paths, and without what holds nothing else. */
function without(data: unknown, paths: readonly TreePath[]): unknown {
  if (paths.length === 0) return data;
  if (typeof data !== 'object' || data === null || paths.some((path) => path.length === 0)) return undefined;
  const further = new Map<string | undefined, TreePath[]>();
  for (const [first, ...rest] of paths) {
    const same = further.get(first);
    if (same === undefined) further.set(first, [rest]);
    else same.push(rest);
  }
  const left = Object.entries(data).flatMap(([key, value]: [string, unknown]) => {
    const rest = without(value, further.get(key) ?? []);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/**
 * Whether two texts in HCL differ elsewhere than in some arguments or blocks of resources.
 * @param paths `resource` with type and name, or `module` with its name, and the name of the argument or block; without that, all of it
 * @param mayLoseComments because something goes
 */
export function hclDiffers(
  one: HclText,
  other: HclText,
  paths: readonly TreePath[],
  mayLoseComments: boolean,
): boolean {
  const changed = new Set(paths.map((path) => JSON.stringify(path)));
  const commentsOf = (hcl: HclText): readonly string[] =>
    hcl.commentsIn(0, hcl.text.length).map(({ start, end }) => hcl.text.slice(start, end));
  return (
    !isDeepStrictEqual(statementsOf(one, changed, mayLoseComments), statementsOf(other, changed, mayLoseComments)) ||
    (!mayLoseComments && !isDeepStrictEqual(commentsOf(one), commentsOf(other)))
  );
}

/** @param isWithoutComments values may have comments between their parts, which don't count then */
function statementsOf(hcl: HclText, changed: ReadonlySet<string>, isWithoutComments: boolean): readonly string[] {
  const statements: string[] = [];
  const textOf = ({ start, end }: Range): string =>
    isWithoutComments ? withoutComments(hcl, start, end) : hcl.text.slice(start, end);
  const add = ({ attributes, blocks }: Body, path: TreePath): void => {
    const isChanged = (name: string): boolean => changed.has(JSON.stringify([...path, name]));
    for (const { name, value } of attributes) {
      if (!isChanged(name)) statements.push(JSON.stringify([...path, name, textOf(value.range)]));
    }
    for (const { type, labels, body } of blocks) {
      if (isChanged(type) || changed.has(JSON.stringify([...path, type, ...labels]))) continue;
      statements.push(JSON.stringify([...path, type, ...labels]));
      add(body, [...path, type, ...labels]);
    }
  };
  add(hcl.body, []);
  return statements;
}

function withoutComments(hcl: HclText, start: number, end: number): string {
  let [text, at] = ['', start];
  for (const comment of hcl.commentsIn(start, end)) {
    text += hcl.text.slice(at, comment.start);
    at = comment.end;
  }
  return (text + hcl.text.slice(at, end)).replaceAll(/^[ \t]*\r?\n/gm, '');
}
