import * as fc from 'fast-check';
import { runs } from '../../share';
import type { Expression } from '../../../lib/languages/hcl/ast';
import { childrenOf, type SyntaxNode } from '../../../lib/languages/hcl/children';
import { parseExpression, parseHcl, parseTemplate } from '../../../lib/languages/hcl/parser';
import { bodies, expressions } from './arbitraries';
import { Renderer, type Choose } from './render';
import { bare } from './syntax-helpers';

/** Choices out of a list that starts again at its end. */
const choices = fc.array(fc.nat({ max: 999 }), { minLength: 1, maxLength: 40 }).map((list): (() => Choose) => () => {
  let index = 0;
  return (count) => (list[index++ % list.length] ?? 0) % count;
});

/** Bits of HCL: joined at random they reach more of the parser than characters do. */
const bits = fc
  .array(
    fc.constantFrom(
      'a',
      'resource "a" "b" {',
      '\n',
      '\r\n',
      '\r',
      '}',
      '{',
      '(',
      ')',
      '[',
      ']',
      '=',
      ':',
      '"',
      '\\',
      '${',
      '%{',
      '~}',
      'if',
      'else',
      'endif',
      'for x in',
      'endfor',
      '<<A\n',
      '<<-A\n',
      '\nA\n',
      '.',
      '*',
      '...',
      '=>',
      '::',
      '?',
      '1',
      '1.',
      '-',
      '!',
      '&&',
      '#',
      '//',
      '/*',
      '*/',
      '$',
      '😀',
      '\ud800',
      '\u0000',
      ' ',
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));
const texts = fc.oneof(
  bits,
  bits,
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('utf8')),
);

/** Expressions in a tree that a text of their own can say; keys are not, because a bare word is no reference there. */
function expressionsIn(node: SyntaxNode): Expression[] {
  const inner =
    node.kind === 'object'
      ? node.entries.flatMap(({ value }) => expressionsIn(value))
      : childrenOf(node).flatMap(expressionsIn);
  return 'range' in node && node.kind !== 'text' ? [node, ...inner] : inner;
}

describe('properties of the HCL parser', () => {
  it('reads back what is rendered, whatever way it is written', () => {
    fc.assert(
      fc.property(expressions, choices, (tree, choose) => {
        const text = new Renderer(choose()).expression(tree);
        const { value, problems } = parseExpression(text);
        expect({ text, problems, tree: bare(value) }).toEqual({ text, problems: [], tree: bare(tree) });
      }),
      { numRuns: runs(500) },
    );
  });

  it('reads back rendered files', () => {
    fc.assert(
      fc.property(bodies, choices, (tree, choose) => {
        const text = new Renderer(choose()).file(tree);
        const { body, problems } = parseHcl(text);
        expect({ text, problems, tree: bare(body) }).toEqual({ text, problems: [], tree: bare(tree) });
      }),
      { numRuns: runs(150) },
    );
  });

  it('gives each expression the range that says it', () => {
    fc.assert(
      fc.property(expressions, choices, (tree, choose) => {
        const text = new Renderer(choose()).expression(tree);
        for (const node of expressionsIn(parseExpression(text).value)) {
          // A heredoc's range ends at its marker, which counts only in a line that ends.
          const own = `${text.slice(node.range.start, node.range.end)}\n`;
          expect({ own, tree: bare(parseExpression(own).value) }).toEqual({ own, tree: bare(node) });
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('never throws, says what is wrong with what is invalid, and stays within the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { problems } of [parseHcl(text), parseTemplate(text), parseExpression(text)]) {
          for (const { offset } of problems) expect(offset >= 0 && offset <= text.length).toBe(true);
        }
        for (const { value, problems } of [parseTemplate(text), parseExpression(text)])
          expect(value.kind !== 'invalid' || problems.length > 0).toBe(true);
      }),
      { numRuns: runs(1500) },
    );
  });

  it.each(['= 1', '@', '[1, 2', '(', '{', '"x', '"${y', '"${f("', 'f(1 2)', '{ a b }', '1 1', ''])(
    'reads what stands behind a bad value: %s',
    (value) => {
      const { body, problems } = parseHcl(`a "b" {\n  x = ${value}\n  y = 1\n}\n\nz = "}"\n`);
      expect(problems.length).toBeGreaterThan(0);
      expect(body.attributes.map(({ name }) => name)).toContain('z');
      expect(body.blocks.map(({ type }) => type)).toEqual(['a']);
    },
  );
});
