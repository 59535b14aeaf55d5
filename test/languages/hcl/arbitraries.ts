import * as fc from 'fast-check';
import type {
  Attribute,
  BinaryOperator,
  Block,
  Body,
  Expression,
  ObjectEntry,
  SplatStep,
  TemplatePart,
} from '../../../lib/languages/hcl/ast';

const range = { start: 0, end: 0 };

const word = fc.constantFrom('a', 'b', 'var', 'each', 'aws_eks_cluster', 'with-dash', '_x1', 'é', 'e1', 'EOT');
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'EOT',
      ' ',
      '\n',
      '\n',
      '\t',
      '\r',
      '"',
      '\\',
      '\\n',
      '$',
      '%',
      '{',
      '}',
      '${',
      '%{',
      '~',
      '#',
      '//',
      '/*',
      'é',
      '😀',
      '\u0000',
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));
const operator = fc.constantFrom<BinaryOperator>('==', '!=', '<', '<=', '>', '>=', '&&', '||', '+', '-', '*', '/', '%');
const literal = fc
  .oneof(
    text,
    fc.nat(),
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
    fc.boolean(),
    fc.constant(null),
  )
  .map((value): Expression => ({ kind: 'literal', value, range }));
const variable = word.map((name): Expression => ({ kind: 'variable', name, range }));

/** Trees that a text can say, without ranges that mean anything. */
export const expressions: fc.Arbitrary<Expression> = fc.letrec<{
  expression: Expression;
  rest: SplatStep[];
  step: SplatStep;
  part: TemplatePart;
  parts: TemplatePart[];
  template: Expression;
  operator: Expression;
  collection: Expression;
  loop: Expression;
}>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    literal,
    variable,
    tie('operator'),
    tie('collection'),
    tie('loop'),
    tie('template'),
  ),
  operator: fc.oneof(
    fc
      .tuple(operator, tie('expression'), tie('expression'))
      .map(([sign, left, right]): Expression => ({ kind: 'binary', operator: sign, left, right, range })),
    fc
      .tuple(fc.constantFrom('!' as const, '-' as const), tie('expression'))
      .map(([sign, operand]): Expression => ({ kind: 'unary', operator: sign, operand, range })),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([test, yes, no]): Expression => ({ kind: 'conditional', test, yes, no, range })),
    fc.tuple(tie('expression'), word).map(([of, name]): Expression => ({ kind: 'attribute', of, name, range })),
    fc.tuple(tie('expression'), tie('expression')).map(([of, key]): Expression => ({ kind: 'index', of, key, range })),
    fc.tuple(tie('expression'), tie('rest')).map(([of, rest]): Expression => ({ kind: 'splat', of, rest, range })),
  ),
  // A splat within a splat takes all that follows it, so it's last.
  rest: fc
    .tuple(
      fc.array(tie('step'), { maxLength: 3 }),
      fc.option(fc.array(tie('step'), { maxLength: 2 }), { nil: undefined, freq: 3 }),
    )
    .map(([steps, last]) => [...steps, ...(last === undefined ? [] : [{ kind: 'splat', rest: last } as const])]),
  step: fc.oneof(
    word.map((name): SplatStep => ({ kind: 'attribute', name })),
    tie('expression').map((key): SplatStep => ({ kind: 'index', key })),
  ),
  collection: fc.oneof(
    fc
      .tuple(
        fc.constantFrom('f', 'jsonencode', 'provider::aws::arn_parse'),
        fc.array(tie('expression'), { maxLength: 3 }),
        fc.boolean(),
      )
      .map(
        ([name, args, expands]): Expression => ({
          kind: 'call',
          name,
          args,
          expandsLast: expands && args.length > 0,
          range,
        }),
      ),
    fc.array(tie('expression'), { maxLength: 3 }).map((items): Expression => ({ kind: 'tuple', items, range })),
    fc
      .array(
        fc.record<ObjectEntry>({
          key: fc.oneof(
            text.map((value): Expression => ({ kind: 'literal', value, range })),
            tie('expression'),
          ),
          value: tie('expression'),
        }),
        { maxLength: 3 },
      )
      .map((entries): Expression => ({ kind: 'object', entries, range })),
  ),
  loop: fc
    .record({
      keyName: fc.option(word, { nil: undefined }),
      valueName: word,
      in: tie('expression'),
      key: fc.option(tie('expression'), { nil: undefined }),
      value: tie('expression'),
      condition: fc.option(tie('expression'), { nil: undefined }),
      groups: fc.boolean(),
    })
    .map((loop): Expression => ({ kind: 'for', ...loop, groups: loop.groups && loop.key !== undefined, range })),
  part: fc.oneof(
    text.filter((raw) => raw !== '').map((raw): TemplatePart => ({ kind: 'text', text: raw, range })),
    tie('expression').map((value): TemplatePart => ({ kind: 'interpolation', value })),
    fc
      .tuple(tie('expression'), tie('parts'), tie('parts'))
      .map(([test, yes, no]): TemplatePart => ({ kind: 'if', test, yes, no })),
    fc.tuple(fc.option(word, { nil: undefined }), word, tie('expression'), tie('parts')).map(
      ([keyName, valueName, collection, parts]): TemplatePart => ({
        kind: 'for',
        keyName,
        valueName,
        in: collection,
        parts,
      }),
    ),
  ),
  parts: fc
    .array(tie('part'), { maxLength: 3 })
    .map((parts) => parts.filter((part, index) => part.kind !== 'text' || parts[index - 1]?.kind !== 'text')),
  template: tie('parts').map(
    (parts): Expression =>
      parts.some(({ kind }) => kind !== 'text')
        ? { kind: 'template', parts, range }
        : { kind: 'literal', value: 'text', range },
  ),
})).expression;

const attributes = fc
  .uniqueArray(fc.tuple(word, expressions), { selector: ([name]) => name, maxLength: 4 })
  .map((all) => all.map(([name, value]): Attribute => ({ name, nameRange: range, value })));

export const bodies: fc.Arbitrary<Body> = fc.letrec<{ body: Body; block: Block }>((tie) => ({
  body: fc
    .tuple(attributes, fc.array(tie('block'), { maxLength: 2, depthIdentifier: 'body' }))
    .map(([own, blocks]): Body => ({ attributes: own, blocks, range })),
  block: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'body' },
    fc
      .tuple(word, attributes)
      .map(
        ([type, own]): Block => ({ type, labels: [], headRange: range, body: { attributes: own, blocks: [], range } }),
      ),
    fc
      .tuple(word, fc.array(text, { maxLength: 3 }), tie('body'))
      .map(([type, labels, body]): Block => ({ type, labels, headRange: range, body })),
  ),
})).body;
