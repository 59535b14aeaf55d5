import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { runs } from '../../share';
import { evaluate } from '../../../lib/terraform/evaluation/evaluate';
import type { Expression, TemplatePart } from '../../../lib/languages/hcl/ast';
import { ComposedText, UnknownBase64 } from '../../../lib/value/composed-text';
import {
  TerraformList,
  TerraformMap,
  TerraformSet,
  type TerraformItem,
  type TerraformValue,
} from '../../../lib/terraform/terraform-value';
import type { Plain } from '../../../lib/value';
import { parsed, scopeOf } from './scopes';

const recorded = (
  JSON.parse(readFileSync(join(__dirname, 'expressions.json'), 'utf8')) as readonly (readonly [string, string])[]
).map(([text]) => text);

/** Literals of an expression that a variable could stand for. */
function literalsOf(tree: unknown, found: Expression[] = []): Expression[] {
  if (Array.isArray(tree)) tree.forEach((one) => literalsOf(one, found));
  else if (typeof tree === 'object' && tree !== null) {
    if ('kind' in tree && tree.kind === 'literal') found.push(tree as Expression);
    else Object.values(tree).forEach((one) => literalsOf(one, found));
  }
  return found;
}

function replaced<T>(tree: T, literal: Expression, by: Expression): T {
  if ((tree as unknown) === literal) return by as unknown as T;
  if (Array.isArray(tree)) return tree.map((one: unknown) => replaced(one, literal, by)) as unknown as T;
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([key, one]: [string, unknown]) => [key, replaced(one, literal, by)]),
  ) as T;
}

/** Whether a value may turn out to be another one, which is known. */
function mayBe(open: TerraformValue, known: TerraformValue): boolean {
  if (open.kind === 'choice') return open.alternatives.some(({ value }) => mayBe(value, known));
  if (known.kind === 'choice') return known.alternatives.some(({ value }) => mayBe(open, value));
  if (known.kind === 'unknown') return true;
  if (open.kind === 'unknown')
    return (
      !(open instanceof ComposedText) ||
      (known.kind === 'known' && typeof known.value !== 'object' && fits(open, String(known.value)))
    );
  if (open.kind === 'absent' || known.kind === 'absent') return open.kind === known.kind;
  return mayBeItem(open.value, known.value);
}

/** Whether the known pieces of a text are in another one, in their order. */
function fits({ pieces }: ComposedText, text: string): boolean {
  let at = 0;
  return pieces.every((piece: Plain<string>, index) => {
    if (piece.kind !== 'known' || piece.value === '') return true;
    const found = index === 0 ? (text.startsWith(piece.value) ? 0 : -1) : text.indexOf(piece.value, at);
    at = found + piece.value.length;
    return found >= 0 && (index < pieces.length - 1 || text.endsWith(piece.value));
  });
}

function mayBeItem(open: TerraformItem, known: TerraformItem): boolean {
  if (open instanceof TerraformSet && known instanceof TerraformList) return open.items.length >= known.items.length;
  if (open instanceof TerraformList && known instanceof TerraformList)
    return (
      open.items.length === known.items.length &&
      open.items.every((item, index) => mayBe(item, known.items[index] ?? item))
    );
  if (open instanceof TerraformMap && known instanceof TerraformMap) {
    for (const [key, entry] of known.entries) {
      const mine = open.entry(key);
      if (mine === undefined || !mayBe(mine, entry)) return false;
    }
    return [...open.entries.keys()].every((key) => known.entries.has(key) || known.more !== undefined);
  }
  // A number becomes a text next to another text; whoever reads it takes either.
  return typeof open !== 'object' && typeof known !== 'object' && String(open) === String(known);
}

/** An unknown value as a plain one and as a part of text that is known in parts. */
const unknowns: readonly (readonly [string, Expression])[] = [['a variable', parsed('var.x')]];

describe('what is not known', () => {
  const expressions = recorded.map((text) => ({ text, expression: parsed(text) }));

  it.each(unknowns)('never makes something else known: %s', (_, unknown) => {
    const wrong: string[] = [];
    for (const { text, expression } of expressions) {
      for (const literal of literalsOf(expression)) {
        const open = evaluate(replaced(expression, literal, unknown), scopeOf());
        for (const other of ['"a"', '1', '0', 'true', '""', 'null', '["a"]', '{}']) {
          const value = evaluate(replaced(expression, literal, parsed(other)), scopeOf());
          // In YAML a list stands below its key: the blank behind the key goes.
          if (text.startsWith('yamlencode') && other === '["a"]') continue;
          if (!mayBe(open, value))
            wrong.push(`${text}: ${literal.kind === 'literal' ? String(literal.value) : ''} as ${other}`);
        }
        if (!mayBe(open, evaluate(expression, scopeOf())))
          wrong.push(`${text}: ${literal.kind === 'literal' ? String(literal.value) : ''}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('never makes something else known where texts are known in parts', () => {
    const wrong: string[] = [];
    for (const { text, expression } of expressions) {
      // How a text is written in YAML depends on the line breaks in it; what it says doesn't.
      if (text.startsWith('yamlencode')) continue;
      for (const literal of literalsOf(expression)) {
        if (literal.kind !== 'literal' || typeof literal.value !== 'string') continue;
        const [start, end] = [literal.value.slice(0, 1), literal.value.slice(1)];
        const parts: TemplatePart[] = [
          { kind: 'text', text: start, range: literal.range },
          { kind: 'interpolation', value: parsed('var.x') },
        ];
        const open = evaluate(
          replaced(expression, literal, { kind: 'template', parts, range: literal.range }),
          scopeOf(),
        );
        for (const value of [end, '', 'a', 'b-', ',', ' ', '\n', `${end}x`]) {
          const known = evaluate(replaced(expression, literal, { ...literal, value: start + value }), scopeOf());
          if (!mayBe(open, known)) wrong.push(`${text}: ${literal.value} as ${start}${value}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('evaluating', () => {
  it('never throws, whatever is called with whatever', () => {
    const names = [
      ...new Set(recorded.flatMap((text) => [...text.matchAll(/\b([a-z]\w*)\(/g)].map((match) => match[1] ?? ''))),
    ];
    const argument = fc.constantFrom(
      'null',
      'true',
      '0',
      '-1',
      '1.5',
      '1e400',
      '"x"',
      '""',
      '"/(a+)+/"',
      '"10.0.0.0/8"',
      '[]',
      '["a", null]',
      '{}',
      '{ a = [1] }',
      'toset(["b", "a"])',
      'var.x',
      '[var.x]',
      '{ a = var.x }',
      '"a${var.x}"',
      'var.y ? 1 : "b"',
      'merge(var.z, { a = 1 })',
      '[for k in ["a"] : k if var.y]',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(argument, { maxLength: 4 }),
        fc.boolean(),
        (name, args, expands) => {
          const value = evaluate(
            parsed(`${name}(${args.join(', ')}${expands && args.length > 0 ? '...' : ''})`),
            scopeOf(),
          );
          expect(['known', 'absent', 'unknown', 'choice']).toContain(value.kind);
          if (value instanceof UnknownBase64) expect(value.decoded.kind).toBe('unknown');
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});
