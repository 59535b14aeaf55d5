import { checkTemplates } from '../../lib/check';
import { compose } from '../../lib/value/composed-text';
import { expressionsIn, parseEmbedded } from '../../lib/value/embedded-text';
import { Known, LIMITS, nowhere, TOO_MUCH_DATA, Unknown, withLimits, writtenAs } from '../../lib/value';

const parse = (text: string) => parseEmbedded(new Known(text, nowhere));

describe('an alias of YAML', () => {
  it('is what it names, as often as one likes', () => {
    expect(parse('a: &a {x: 1}\nb: *a')).toEqual({ kind: 'parsed', data: { a: { x: 1 }, b: { x: 1 } } });
    expect(parse(`a: &a x\nb: [${Array(500).fill('*a').join(', ')}]`)).toMatchObject({ kind: 'parsed' });
  });

  it.each(['env: &a\n  X: *a\n', '&a [*a]', 'a: &a\n  b: &b {c: *a}\nd: *b'])(
    'within what it names is malformed: %j',
    (text) => {
      expect(parse(text)).toMatchObject({ kind: 'malformed' });
    },
  );

  it('that merges what it stands in ends, too', () => {
    expect(parse('%YAML 1.1\n---\na: &a\n  x:\n    - <<: [*a]')).toMatchObject({ kind: 'unknown' });
  });

  it('that multiplies beyond the limit leaves the text unknown, and told about', () => {
    const lines = Array.from(
      'bcdefghij',
      (name, index) =>
        `${name}: &${name} [${Array(9)
          .fill(`*${'abcdefghi'.charAt(index)}`)
          .join(', ')}]`,
    );
    const { result, beyond } = withLimits(() => parse(`a: &a [x, x, x, x, x, x, x, x, x]\n${lines.join('\n')}`));
    expect(result).toMatchObject({
      kind: 'unknown',
      unknown: { reason: expect.stringContaining('aliases') as string },
    });
    expect(beyond).toHaveLength(1);
  });
});

it('what begins as JSON may be YAML, and if it is neither, JSON says why', () => {
  expect(parse('{"a": 1, "a": 2}')).toEqual({ kind: 'parsed', data: { a: 2 } });
  expect(parse('{a: 1, "b": [2,]}')).toEqual({ kind: 'parsed', data: { a: 1, b: [2] } });
  expect(parse('{"a": [1')).toMatchObject({ kind: 'malformed', reason: expect.stringContaining('JSON') as string });
});

it.each(['a: [1\nb: {', ' - {a: 1\n- [', 'a\n{'])(
  'what begins as YAML is none of JSON, whatever brackets it has: %j',
  (text) => {
    expect(parse(text)).not.toMatchObject({ reason: expect.stringContaining('JSON') as string });
  },
);

describe('a text of which parts are not known', () => {
  const unknown = (name: string) => new Unknown('it has no value', nowhere, `\${${name}}`);
  const parsed = (...parts: readonly (string | Unknown)[]) => {
    const text = compose(
      parts.map((part) => (typeof part === 'string' ? new Known(part, nowhere) : part)),
      nowhere,
    );
    return parseEmbedded(text as Known<string> | Unknown);
  };

  it.each([
    ['JSON', ['{"a":"x-', unknown('a'), '-y","b":', unknown('b'), ',"c":"', unknown('c'), '","d":"d"}']],
    ['YAML', ['a: x-', unknown('a'), '-y\nb: ', unknown('b'), '\nc: ', unknown('c'), '\nd: d\n']],
  ])('has values in %s of which parts are not known', (_, parts) => {
    const of = (text: string): unknown => expect.objectContaining({ kind: 'unknown', text }) as unknown;
    expect(parsed(...parts)).toMatchObject({
      kind: 'parsed',
      data: { a: of('x-${a}-y'), b: of('${b}'), c: of('${c}'), d: 'd' },
    });
  });

  it('has quotes within its texts', () => {
    expect(parsed('{"a":"x\\"y-', unknown('a'), '","b":', unknown('b'), '}')).toMatchObject({
      kind: 'parsed',
      data: { a: { text: 'x"y-${a}' }, b: { text: '${b}' } },
    });
  });

  it('may have what stands for such parts, and is read without', () => {
    expect(parsed('{"a":"x\uE0E07\uE0E1-', unknown('a'), '"}')).toMatchObject({
      kind: 'parsed',
      data: { a: { text: 'x-${a}' } },
    });
  });

  it('has keys that show what is not known of them', () => {
    expect(parsed('{"a-', unknown('k'), '":1}')).toEqual({ kind: 'parsed', data: { 'a-${k}': 1 } });
  });

  it('is not known where it can not be read, whatever the parts are', () => {
    expect(parsed('{"a":', unknown('a'))).toMatchObject({ kind: 'unknown' });
    expect(parse('{"a":')).toMatchObject({ kind: 'malformed' });
  });

  it('tells the references that known values are written as', () => {
    const written = (text: string, expression: string) => new Known(text, writtenAs(nowhere, expression));
    const text = compose(
      [
        new Known('{"a":"', nowhere),
        written('arn:a', 'aws_x.a.arn'),
        new Known('","b":[1,{"c":"', nowhere),
        written('c', 'var.c'),
        new Known('"}],"d":"d"}', nowhere),
      ],
      nowhere,
    ) as Known<string>;
    expect([...expressionsIn(text)]).toEqual([
      ['a', 'aws_x.a.arn'],
      ['b[1].c', 'var.c'],
    ]);
    expect(expressionsIn(new Known('{"a":1}', nowhere)).size).toBe(0);
  });
});

it('what is longer than all texts of an input may be is unknown, and told about', () => {
  const { result, beyond } = withLimits(() => parse(`a: ${'x'.repeat(5000)}`), 0.001);
  expect(result).toMatchObject({ kind: 'unknown', unknown: { reason: TOO_MUCH_DATA } });
  expect(beyond).toHaveLength(1);
});

it.each([
  ['JSON', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
  ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ['YAML', (depth: number) => `a: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`],
])('%s that is nested too deeply is unknown, and told about', (_, nested) => {
  expect(parse(nested(LIMITS.depth))).toMatchObject({ kind: 'parsed' });
  for (const depth of [LIMITS.depth + 1, 50_000]) {
    const { result, beyond } = withLimits(() => parse(nested(depth)));
    expect(result).toMatchObject({
      kind: 'unknown',
      unknown: { reason: 'its data is nested more than 256 levels deep' },
    });
    expect(beyond).toHaveLength(1);
  }
});

it('what nobody can read of one resource keeps no finding of others', () => {
  const addon = (ConfigurationValues: string) => ({
    Type: 'AWS::EKS::Addon',
    Properties: { AddonName: 'vpc-cni', ClusterName: 'main', AddonVersion: 'v1.20.0-eksbuild.1', ConfigurationValues },
  });
  const rulesOf = (bad: string) => {
    const { findings, diagnostics } = checkTemplates([
      {
        file: 't.json',
        content: { Resources: { Bad: addon(bad), Good: { ...addon('{"env":{"ENABLE_PREFIX_DELEGATIN":"true"}}') } } },
      },
    ]);
    expect(findings.filter(({ rule }) => rule === 'rule-crashed')).toEqual([]);
    return {
      ofGood: findings
        .filter(({ resource, verdict }) => resource.id === 'Good' && verdict === 'fail')
        .map(({ rule }) => rule),
      diagnostics,
    };
  };
  const plain = rulesOf('{}');
  expect(plain.ofGood).not.toEqual([]);
  expect(rulesOf('&a [*a]')).toEqual(plain);
  expect(rulesOf('['.repeat(50_000) + ']'.repeat(50_000))).toMatchObject({
    ofGood: plain.ofGood,
    diagnostics: [
      {
        severity: 'error',
        message: 'its data is nested more than 256 levels deep, so what depends on it is not judged',
        file: 't.json',
      },
    ],
  });
});
