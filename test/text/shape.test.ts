import { runInNewContext } from 'node:vm';
import { isMap, problemsOf, propertyText, schemaOf, type Shape } from '../../lib/text/shape';

/** What is wrong with a value: where, and what is said. */
function problems(shape: Shape, value: unknown): string[] {
  return problemsOf(shape, value).map(({ path, message }) =>
    path.length === 0 ? message : `${propertyText(path)}: ${message}`,
  );
}

const text: Shape = { kind: 'text', what: 'a name' };
const word: Shape = { kind: 'text', pattern: '^\\p{L}+$', what: 'a word' };
const level: Shape = { kind: 'choice', values: ['off', 'error'] };
const property = (shape: Shape) => ({ shape, description: 'D' });
const rule: Shape = {
  kind: 'object',
  properties: { level: property(level), name: property(text) },
  required: ['name'],
};

/** Lists in lists, or maps in maps. */
const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
  levels === 0 ? 1 : wrap(nested(levels - 1, wrap));

describe('values that fit', () => {
  it.each<[string, Shape, unknown]>([
    ['a text', text, ''],
    ['a text of a pattern', word, 'née'],
    ['a choice', level, 'off'],
    ['a map of named parts', rule, { level: 'error', name: 'a' }],
    ['a part that is undefined', rule, { level: undefined, name: 'a' }],
    ['other names', { kind: 'object', properties: {}, additional: text }, { toString: 'a' }],
    ['a map of any names', { kind: 'map', value: text }, { a: 'b', c: undefined }],
    [
      'a map without a prototype',
      { kind: 'map', value: text },
      Object.assign(Object.create(null) as object, { a: 'b' }),
    ],
    ['a list', { kind: 'list', item: text }, ['a', 'b']],
    ['a scalar that is a text', { kind: 'scalar' }, 'a'],
    ['a scalar that is a number', { kind: 'scalar' }, 0],
    ['a scalar that is a boolean', { kind: 'scalar' }, false],
    ['JSON', { kind: 'json' }, { a: [null, { b: true, c: 1.5 }], d: 'e', f: undefined }],
    ['nothing, for JSON', { kind: 'json' }, null],
    ['lists of JSON as deep as they may be', { kind: 'json' }, nested(65, (inner) => [inner])],
    ['maps of JSON as deep as they may be', { kind: 'json' }, nested(65, (inner) => ({ inner }))],
    ['anything', { kind: 'anything' }, () => 1],
    ['the first of two', { kind: 'either', shapes: [level, rule] }, 'off'],
    ['the second of two', { kind: 'either', shapes: [level, rule] }, { name: 'a' }],
    [
      'one of two in one of two',
      {
        kind: 'either',
        shapes: [level, { kind: 'either', shapes: [{ kind: 'scalar' }, { kind: 'map', value: text }] }],
      },
      5,
    ],
  ])('%s', (_, shape, value) => {
    expect(problems(shape, value)).toEqual([]);
  });
});

describe('values that do not fit', () => {
  it.each<[string, Shape, unknown, string[]]>([
    ['a number for a text', text, 5, ['expected a name, found 5']],
    ['a text that the pattern does not take', word, 'a b', ['expected a word, found "a b"']],
    ['nothing for a text', text, undefined, ['expected a name, found nothing']],
    ['another choice', level, 'of', ['expected off or error, found "of"; did you mean "off"?']],
    ['a choice in a list', level, ['off'], ['expected off or error, found a list']],
    ['another choice of one', { kind: 'choice', values: ['off'] }, 'x', ['expected off, found "x"']],
    ['another choice of three', { kind: 'choice', values: ['a', 'b', 'c'] }, true, ['expected a, b or c, found true']],
    ['a list for a map', rule, [], ['expected a map with level and name, found a list']],
    ['a text for a map of any names', { kind: 'map', value: text }, 'a', ['expected a map, found "a"']],
    ['a wrong value in a map', { kind: 'map', value: text }, { a: 'b', c: 1 }, ['c: expected a name, found 1']],
    ['a map for a list', { kind: 'list', item: text }, {}, ['expected a list, found a map']],
    [
      'wrong items',
      { kind: 'list', item: text },
      ['a', 1, null],
      ['[1]: expected a name, found 1', '[2]: expected a name, found nothing'],
    ],
    ['a list for a scalar', { kind: 'scalar' }, [1], ['expected a text, number or boolean, found a list']],
    ['a number that is none', { kind: 'scalar' }, NaN, ['expected a text, number or boolean, found NaN']],
    ['a number without end', { kind: 'scalar' }, Infinity, ['expected a text, number or boolean, found Infinity']],
    [
      'a number without end in JSON',
      { kind: 'json' },
      { a: [Infinity] },
      ['expected a value that JSON can hold, found a map'],
    ],
    ['a function in JSON', { kind: 'json' }, [() => 1], ['expected a value that JSON can hold, found a list']],
    [
      'an object of a class in JSON',
      { kind: 'json' },
      { a: new Map() },
      ['expected a value that JSON can hold, found a map'],
    ],
    [
      'one wrong value among right ones in JSON',
      { kind: 'json' },
      { a: 1, b: [1, undefined] },
      ['expected a value that JSON can hold, found a map'],
    ],
    [
      'lists that are too deep',
      { kind: 'json' },
      nested(66, (inner) => [inner]),
      ['expected a value that JSON can hold, found a list'],
    ],
    [
      'maps that are too deep',
      { kind: 'json' },
      nested(66, (inner) => ({ inner })),
      ['expected a value that JSON can hold, found a map'],
    ],
    [
      'none of two',
      { kind: 'either', shapes: [level, rule] },
      5,
      ['expected off or error, or a map with level and name, found 5'],
    ],
    [
      'nearly one choice of two',
      { kind: 'either', shapes: [level, rule] },
      'eror',
      ['expected off or error, or a map with level and name, found "eror"; did you mean "error"?'],
    ],
    [
      'nearly a text of two',
      { kind: 'either', shapes: [word, { kind: 'list', item: word }] },
      '1',
      ['expected a word, or a list, found "1"'],
    ],
    [
      'a list of two with a wrong item',
      { kind: 'either', shapes: [word, { kind: 'list', item: word }] },
      ['1'],
      ['[0]: expected a word, found "1"'],
    ],
    [
      'a map of two with a wrong part',
      { kind: 'either', shapes: [level, rule] },
      { name: 5 },
      ['name: expected a name, found 5'],
    ],
    [
      'neither JSON nor anything is left out',
      { kind: 'either', shapes: [{ kind: 'list', item: text }, { kind: 'json' }] },
      () => 1,
      ['expected a value that JSON can hold, found a function'],
    ],
  ])('%s', (_, shape, value, expected) => {
    expect(problems(shape, value)).toEqual(expected);
  });
});

describe('maps of named parts', () => {
  const parts = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`part${index}`, property(text)]));

  it.each<[string, Shape & { kind: 'object' }, unknown, string[]]>([
    [
      'name what is near',
      rule,
      { name: 'a', leve: 'off' },
      ['leve: there is no setting "leve"; did you mean "level"?'],
    ],
    [
      'name all, if nothing is',
      rule,
      { name: 'a', toString: 1 },
      ['toString: there is no setting "toString"; the settings are level, name'],
    ],
    [
      'name what there is otherwise',
      { ...rule, noun: 'option' },
      { name: 'a', x: 1 },
      ['x: there is no option "x"; the options are level, name'],
    ],
    [
      'name none, where none is',
      { kind: 'object', properties: {} },
      { x: 1 },
      ['x: there is no setting "x"; there are no settings here'],
    ],
    [
      'name twelve',
      { kind: 'object', properties: parts(12) },
      { x: 1 },
      [expect.stringMatching(/; the settings are part0, .*, part11$/) as string],
    ],
    [
      'name no more than twelve',
      { kind: 'object', properties: parts(13) },
      { x: 1 },
      ['x: there is no setting "x"; "eks-guardrails rules" lists all of them'],
    ],
    [
      'tell why a name is none',
      { ...rule, whyNot: { names: 'one is enough' } },
      { name: 'a', names: 'b', toString: 1 },
      ['names: one is enough', 'toString: there is no setting "toString"; the settings are level, name'],
    ],
    [
      'check what other names hold',
      { ...rule, additional: level, whyNot: { x: 'never told' } },
      { name: 'a', x: 'of' },
      ['x: expected off or error, found "of"; did you mean "off"?'],
    ],
    ['miss what is needed', rule, {}, ['"name" is missing; it is a name']],
    ['miss what is needed and undefined', rule, { name: undefined }, ['"name" is missing; it is a name']],
    [
      'miss what nothing describes',
      { kind: 'object', properties: {}, required: ['a'] },
      {},
      ['"a" is missing; it is needed'],
    ],
    [
      'are told with their parts up to six',
      { kind: 'object', properties: { inner: property({ kind: 'object', properties: parts(6) }) } },
      { inner: 1 },
      ['inner: expected a map with part0, part1, part2, part3, part4 and part5, found 1'],
    ],
    [
      'are told without them from seven',
      { kind: 'object', properties: { inner: property({ kind: 'object', properties: parts(7) }) } },
      { inner: 1 },
      ['inner: expected a map, found 1'],
    ],
  ])('%s', (_, shape, value, expected) => {
    expect(problems(shape, value)).toEqual(expected);
  });
});

describe('what is found', () => {
  class Own {}
  it.each<[unknown, string]>([
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
    [null, 'nothing'],
    [true, 'true'],
    [0, '0'],
    [10n, 'a bigint'],
    [Symbol('s'), 'a symbol'],
    [() => 1, 'a function'],
    [{ a: 1 }, 'a map'],
    [new Own(), 'an object of class Own'],
    [new Date(0), 'an object of class Date'],
    [new (class {})(), 'an object of class unknown'],
    [Object.create({ constructor: 'none' }), 'an object of class unknown'],
  ])('%p', (value, found) => {
    expect(problems({ kind: 'choice', values: ['a'] }, value)).toEqual([`expected a, found ${found}`]);
  });
});

it.each<[unknown, boolean]>([
  [{}, true],
  [Object.create(null), true],
  [runInNewContext('({ a: 1 })'), true],
  [[], false],
  [runInNewContext('[]'), false],
  [null, false],
  [undefined, false],
  ['a', false],
  [() => 1, false],
  [new Map(), false],
  [new (class {})(), false],
])('%p is a map: %s', (value, expected) => {
  expect(isMap(value)).toBe(expected);
});

it('a way to a value is told as people write it', () => {
  expect([propertyText(['ignores', 0, 'reason']), propertyText([1, 'a']), propertyText([])]).toEqual([
    'ignores[0].reason',
    '[1].a',
    '',
  ]);
});

it('the JSON Schema of a shape says the same', () => {
  const shape: Shape = {
    kind: 'object',
    properties: {
      a: property({ kind: 'list', item: text }),
      b: property({ kind: 'map', value: word }),
      c: property({ kind: 'either', shapes: [level, { kind: 'scalar' }, { kind: 'json' }] }),
      d: property({ kind: 'object', properties: {}, additional: { kind: 'anything' } }),
    },
    required: ['a'],
  };
  expect(schemaOf(shape)).toEqual({
    type: 'object',
    properties: {
      a: { description: 'D', type: 'array', items: { type: 'string' } },
      b: { description: 'D', type: 'object', additionalProperties: { type: 'string', pattern: '^\\p{L}+$' } },
      c: { description: 'D', anyOf: [{ enum: ['off', 'error'] }, { type: ['string', 'number', 'boolean'] }, {}] },
      d: { description: 'D', type: 'object', properties: {}, additionalProperties: {} },
    },
    required: ['a'],
    additionalProperties: false,
  });
});
