import type { Body, Expression } from '../../../lib/languages/hcl/ast';
import { parseExpression, parseHcl, parseTemplate } from '../../../lib/languages/hcl/parser';

/** A tree without its ranges: what a text means, wherever it stands. */
export function bare(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(bare);
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([key]) => !/^(range|.*Range)$/.test(key))
      .map(([key, value]) => [key, bare(value)]),
  );
}

/** The tree of a text that has no problems. */
export function expression(text: string): Expression {
  const { value, problems } = parseExpression(text);
  expect(problems).toEqual([]);
  return value;
}

export function template(text: string): Expression {
  const { value, problems } = parseTemplate(text);
  expect(problems).toEqual([]);
  return value;
}

export function body(text: string): Body {
  const parsed = parseHcl(text);
  expect(parsed.problems).toEqual([]);
  return parsed.body;
}

/** Value of the first attribute of a file. */
export function firstValue(text: string): Expression | undefined {
  return body(text).attributes[0]?.value;
}

/** Problems as `line:column message`. */
export function problemsOf(text: string): string[] {
  return parseHcl(text).problems.map(({ message, offset }) => {
    const before = text.slice(0, offset).split('\n');
    return `${before.length}:${(before.at(-1) ?? '').length + 1} ${message}`;
  });
}

/** A tree in one line, as Lisp would write it: short enough to compare by eye. */
export function short(tree: Expression | undefined): string {
  if (tree === undefined) return 'nothing';
  switch (tree.kind) {
    case 'literal':
      return JSON.stringify(tree.value);
    case 'variable':
      return tree.name;
    case 'attribute':
      return `${short(tree.of)}.${tree.name}`;
    case 'index':
      return `${short(tree.of)}[${short(tree.key)}]`;
    case 'conditional':
      return `(if ${short(tree.test)} ${short(tree.yes)} ${short(tree.no)})`;
    case 'unary':
      return `(${tree.operator} ${short(tree.operand)})`;
    case 'binary':
      return `(${tree.operator} ${short(tree.left)} ${short(tree.right)})`;
    case 'call':
      return `${tree.name}(${tree.args.map(short).join(' ')}${tree.expandsLast ? '...' : ''})`;
    case 'tuple':
      return `[${tree.items.map(short).join(' ')}]`;
    case 'object':
      return `{${tree.entries.map(({ key, value }) => `${short(key)}:${short(value)}`).join(' ')}}`;
    case 'invalid':
      return `invalid<${tree.text}>`;
    case 'template':
    case 'splat':
    case 'for':
      return JSON.stringify(bare(tree));
  }
}
