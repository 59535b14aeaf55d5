import * as fc from 'fast-check';
import type { Attribute, Block, Body, Expression } from '../../../lib/languages/hcl/ast';
import { parseHcl } from '../../../lib/languages/hcl/parser';
import { parseJsonConfiguration } from '../../../lib/terraform/json';
import { cpuTime } from '../../cpu-time';
import { expressions } from '../../languages/hcl/arbitraries';
import { Renderer, type Choose } from '../../languages/hcl/render';
import { bare } from '../../languages/hcl/syntax-helpers';
import { itWithAll, runs } from '../../share';

const range = { start: 0, end: 0 };
const names = fc.constantFrom('a', 'with-dash', '_x1', 'é', 'name', 'tags', 'constructor', '__proto__');
const attributes = fc
  .uniqueArray(fc.tuple(names, expressions), { selector: ([name]) => name, maxLength: 4 })
  .map((all) => all.map(([name, value]): Attribute => ({ name, nameRange: range, value })));

function block(
  type: string,
  labels: readonly string[],
  own: readonly Attribute[],
  blocks: readonly Block[] = [],
): Block {
  return { type, labels, headRange: range, body: { attributes: own, blocks, range } };
}

const labels = fc.constantFrom('a', 'b', 'c-d', '_e');
const nested = fc.oneof(
  attributes.map((own) => block('lifecycle', [], own)),
  attributes.map((own) => block('connection', [], own)),
  fc.tuple(labels, attributes).map(([label, own]) => block('provisioner', [label], own)),
  // Not of a name that an attribute has, too.
  fc
    .tuple(fc.constantFrom('b', 'c-d', '_e'), expressions, attributes)
    .map(([label, value, own]) =>
      block('dynamic', [label], [{ name: 'for_each', nameRange: range, value }], [block('content', [], own)]),
    ),
);

/** Files that JSON can say as well: in resources it has no nested blocks but those of the language. */
const files: fc.Arbitrary<Body> = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('resource', 'data'), labels, labels, attributes, fc.array(nested, { maxLength: 3 }))
        .map(([type, first, second, own, blocks]) => block(type, [first, second], own, blocks)),
      fc
        .tuple(fc.constantFrom('module', 'provider', 'output'), labels, attributes)
        .map(([type, label, own]) => block(type, [label], own)),
      attributes.map((own) => block('locals', [], own)),
    ),
    { maxLength: 4 },
  )
  .map((blocks) => ({ attributes: [], blocks, range }));

/** A choice among `count` ways, from a list of numbers. */
function chooser(numbers: readonly number[]): Choose {
  let next = 0;
  return (count) => (numbers[next++ % numbers.length] ?? 0) % count;
}

/** Writes a file as JSON of Terraform, by hand, because keys may be written twice and `__proto__` is one like others. */
class JsonRenderer {
  private readonly hcl: Renderer;

  constructor(private readonly choose: Choose) {
    this.hcl = new Renderer(choose);
  }

  body({ attributes: own, blocks }: Body): string {
    return this.object([
      ...own.map(({ name, value }) => [name, this.expression(value)] as const),
      ...blocks.map((inner) => [inner.type, this.labelled(inner)] as const),
    ]);
  }

  private labelled({ labels: all, body }: Block): string {
    return all
      .toReversed()
      .reduce((inner, label) => this.maybeList(this.object([[label, inner]])), this.maybeList(this.body(body)));
  }

  private maybeList(text: string): string {
    return this.choose(2) === 0 ? `[${this.gap()}${text}]` : text;
  }

  private object(members: readonly (readonly [string, string])[]): string {
    return `{${this.gap()}${members.map(([name, value]) => `${this.text(name)}${this.gap()}:${this.gap()}${value}`).join(`${this.gap()},`)}${this.gap()}}`;
  }

  private expression(tree: Expression): string {
    const interpolated = (): string => this.text(`\${${this.hcl.expression(tree)}}`);
    if (this.choose(3) === 0) return interpolated();
    if (tree.kind === 'literal')
      return typeof tree.value === 'string' ? this.text(escaped(tree.value)) : JSON.stringify(tree.value);
    if (tree.kind === 'tuple') return `[${tree.items.map((item) => this.expression(item)).join(',')}]`;
    if (tree.kind !== 'object') return interpolated();
    const keys = tree.entries.flatMap(({ key }) =>
      key.kind === 'literal' && typeof key.value === 'string' ? [key.value] : [],
    );
    if (new Set(keys).size < tree.entries.length) return interpolated();
    return this.object(tree.entries.map(({ value }, index) => [escaped(keys[index] ?? ''), this.expression(value)]));
  }

  private text(value: string): string {
    const written = JSON.stringify(value);
    return this.choose(4) === 0
      ? written.replaceAll(/[$a]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
      : written;
  }

  private gap(): string {
    return ['', ' ', '\n', '\t', '\r\n'][this.choose(5)] ?? '';
  }
}

/** A text as a template that means it. */
function escaped(text: string): string {
  return text.replaceAll(/([$%])\{/g, '$1$1{');
}

const numbers = fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 });

describe('what JSON and HCL say', () => {
  test('is the same', () => {
    fc.assert(
      fc.property(files, numbers, (file, choices) => {
        const text = new JsonRenderer(chooser(choices)).body(file);
        const { body, problems } = parseHcl(new Renderer(chooser(choices)).file(file));
        expect(problems).toEqual([]);
        const read = parseJsonConfiguration(text, 'x.tf.json');
        expect(read.diagnostics).toEqual([]);
        expect(bare(read.body)).toEqual(bare(body));
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '"resource":',
    '"a"',
    '"${',
    '}"',
    '%{',
    '\\u00',
    '\\',
    'null',
    '1',
    '"dynamic":',
    '"for_each":',
    '"//":',
    '"locals":',
    ' ',
    '\n',
  );
  test('is read without throwing, and so are its bodies', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
          fc.json(),
          fc.object().map((content) => JSON.stringify({ resource: content, locals: content, module: { m: content } })),
        ),
        (text) => {
          const file = parseJsonConfiguration(text, 'x.tf.json');
          for (const { body: inner, headRange } of file.body.blocks) {
            for (const { nameRange, value } of inner.attributes)
              expect(file.place(nameRange).locate().line + file.place(value.range).locate().line).toBeGreaterThan(1);
            expect(file.place(headRange).locate().column).toBeGreaterThan(0);
          }
          for (const { line, column } of file.diagnostics) expect(Math.min(line, column)).toBeGreaterThan(0);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('large files', () => {
  /** Milliseconds of work for a file of so many resources. */
  function cost(count: number): number {
    const resource: Record<string, unknown> = {};
    for (let i = 0; i < count; i++)
      resource[`r${i}`] = {
        name: `a "quoted" \${upper("\${var.x}")}\n`,
        list: ['a', 'b', { c: '\n' }],
        '//': { metadata: { path: `S/R${i}` } },
      };
    const text = JSON.stringify({ resource: { aws_x: resource }, locals: [resource] }, null, 2);
    const elapsed = cpuTime();
    const file = parseJsonConfiguration(text, 'x.tf.json');
    for (const { body: inner } of file.body.blocks)
      for (const { value } of inner.attributes) file.place(value.range).locate();
    return elapsed();
  }

  itWithAll('take time by their size', () => {
    cost(200);
    const small = cost(500);
    const large = cost(4000);
    expect(large).toBeLessThan(small * 8 * 4 + 1000);
  });
});
