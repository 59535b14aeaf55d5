import * as fc from 'fast-check';
import { runs } from '../share';
import { parseDocument } from '../../lib/languages';
import { parseDocuments } from '../../lib/languages/parse-document';

/** Diagnostics in short: `line:column message`. */
function problems(text: string, file = 'template.json'): string[] {
  return parseDocument(text, file).diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('a JSON document', () => {
  const text =
    '{\n  "Resources": {\n    "A": { "Type": "T", "List": [1, {"x": 1.30}] },\n    "B": { "Type": "U" }\n  }\n}';

  it.each([
    [[], '1:1'],
    [['Resources'], '2:3'],
    [['Resources', 'A'], '3:5'],
    [['Resources', 'B', 'Type'], '4:12'],
    [['Resources', 'A', 'List', 1], '3:37'],
    [['Resources', 'A', 'List', 1, 'x'], '3:38'],
    [['Resources', 'A', 'Missing', 'Deeper'], '3:5'],
  ])('locates %j at %s', (path, expected) => {
    const { line, column } = parseDocument(text, 'a.json').locate(path);
    expect(`${line}:${column}`).toBe(expected);
  });

  it('locates what stands deep in lists and maps', () => {
    const nested = Array.from({ length: 40 }).reduce<string>((inner) => `{"b":1,\n"a":[2,${inner}]}`, '3');
    const document = parseDocument(nested, 'a.json');
    const path = Array.from({ length: 40 }).flatMap(() => ['a', 1]);
    expect(document.locate(path)).toEqual({ line: 41, column: 8 });
    expect(document.locate([...path.slice(0, -2), 'b'])).toEqual({ line: 40, column: 9 });
  });

  it('gives back what a number was written as', () => {
    expect(parseDocument(text, 'a.json').scalarText(['Resources', 'A', 'List', 1, 'x'])).toBe('1.30');
  });

  it('locates keys with escapes and keys that look like structure', () => {
    const document = parseDocument(String.raw`{"a\"}": 1, "b\\": {"}{": [2]}}`, 'a.json');
    expect(document.locate(['a"}']).column).toBe(2);
    expect(document.locate(['b\\', '}{', 0]).column).toBe(28);
  });

  it.each([
    ['a comma too many', '{\n"a": 1,\n}', ['2:7 a comma with nothing behind it']],
    ['a comma missing', '{"a": 1\n"b": 2}', ['2:1 expected "," or "}", found """']],
    ['comments', '{// one\n"a": /* two */ 1}', ['1:2 JSON has no comments', '2:6 JSON has no comments']],
    [
      'a file that was cut off',
      '{"Resources": {\n"A"',
      ['2:4 the text ends here, but the "{" of line 1 is not closed'],
    ],
    ['a file that was cut off within a string', '{"Resources": "x', ['1:15 the string that starts here is not closed']],
    ['something behind the end', '{} x', ['1:4 unexpected "x" behind the end of the JSON value']],
    ['the wrong bracket', '{"a": [1}', ['1:9 "}" closes nothing here: the "[" of line 1 is open']],
    ['single quotes', "{'a': 1}", [`1:2 expected a key in double quotes, found "'"`]],
    ['no value', '{"a": }', ['1:7 expected a value, found "}"']],
    ['a number that is none', '{"a": 01}', ['1:7 expected a value, found "01"']],
    ['a tab in a string', '{"a": "\t"}', ['1:8 a control character (such as a tab) must be escaped in a JSON string']],
    ['an escape that is none', String.raw`{"a": "\x"}`, ['1:8 this is no escape sequence of JSON']],
    ['an escape that is none before one', String.raw`{"a": "\x\n"}`, ['1:8 this is no escape sequence of JSON']],
    ['an escape that is too short', String.raw`{"a": "\u12", "b": 1}`, ['1:8 this is no escape sequence of JSON']],
    ['no escape before a mistake', String.raw`{"a": "\u00E9\/", "b": 01}`, ['1:24 expected a value, found "01"']],
    ['a bracket for a value', '{"a": ]}', ['1:7 expected a value, found "]"']],
    ['a comma too many in a list', '{"a": [1,\n]}', ['1:9 a comma with nothing behind it']],
    ['no comma in an empty list or map', '{"a": [], "b": {}, "c": 01}', ['1:25 expected a value, found "01"']],
  ])('tells %s', (_, broken, expected) => {
    expect(problems(broken)).toEqual(expected);
    expect(parseDocument(broken, 'a.json').root).toBeUndefined();
  });

  it('tells each key that is written twice, and reads on', () => {
    const twice = '{"a": {"x:": 1, "x:": 2},\n "b": [{"y": 1}, {"y": 1}],\n "a": 3}';
    expect(problems(twice)).toEqual([
      '1:17 "x:" is written twice in one map, first in line 1; only one of them counts',
      '3:2 "a" is written twice in one map, first in line 1; only one of them counts',
    ]);
    expect(parseDocument(twice, 'a.json').root).toEqual({ a: 3, b: [{ y: 1 }, { y: 1 }] });
  });

  it('finds no key twice in any valid JSON, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const document = parseDocument(`[${json}]`, 'a.json');
        expect(document.diagnostics).toEqual([]);
        expect(document.root).toEqual(JSON.parse(`[${json}]`));
      }),
    );
  });

  it('locates every key of any JSON value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.array(fc.jsonValue()))), (value) => {
        const json = JSON.stringify(value, null, 1);
        const document = parseDocument(json, 'a.json');
        const lines = json.split('\n');
        for (const [outer, members] of Object.entries(value)) {
          for (const inner of Object.keys(members)) {
            const { line, column } = document.locate([outer, inner]);
            expect((lines[line - 1] ?? '').slice(column - 1)).toMatch(new RegExp(`^${escape(JSON.stringify(inner))}:`));
          }
        }
      }),
    );
  });
});

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

describe('a YAML document', () => {
  it.each([
    ['!Ref A', { Ref: 'A' }],
    ['!GetAtt A.B.C', { 'Fn::GetAtt': ['A', 'B.C'] }],
    ['!GetAtt A', { 'Fn::GetAtt': ['A'] }],
    ['!GetAtt [A, B]', { 'Fn::GetAtt': ['A', 'B'] }],
    ['!Sub "${A}"', { 'Fn::Sub': '${A}' }],
    ['!Join ["", [a, !Ref B]]', { 'Fn::Join': ['', ['a', { Ref: 'B' }]] }],
    ['!If [C, 1, !Ref "AWS::NoValue"]', { 'Fn::If': ['C', 1, { Ref: 'AWS::NoValue' }] }],
    ['!Condition C', { Condition: 'C' }],
    ['!GetAZs ""', { 'Fn::GetAZs': '' }],
    ['!Equals [!Ref A, yes]', { 'Fn::Equals': [{ Ref: 'A' }, 'yes'] }],
    ['!Base64\n  Fn::Sub: x', { 'Fn::Base64': { 'Fn::Sub': 'x' } }],
    ['!Transform {Name: X}', { 'Fn::Transform': { Name: 'X' } }],
  ])('reads %s in its long form', (yaml, expected) => {
    expect(parseDocument(`key: ${yaml}`, 'a.yaml')).toMatchObject({ root: { key: expected }, diagnostics: [] });
  });

  it.each([
    ['2012-10-17', '2012-10-17'],
    ['1.30', '1.30'],
    ['012345678901', '012345678901'],
    ['1.33', 1.33],
    ['3', 3],
    ['true', true],
    ['True', true],
    ['yes', 'yes'],
    ['~', null],
    ['NULL', null],
    ['"1"', '1'],
  ])('reads the scalar %s without losing what was written', (yaml, expected) => {
    expect(parseDocument(`key: ${yaml}`, 'a.yaml').root).toEqual({ key: expected });
  });

  it('locates keys, list items and what stands in short forms', () => {
    const document = parseDocument('a:\n  - b: !If\n      - C\n      - d: 1\n      - !Sub x\n', 'a.yaml');
    const at = (...path: (string | number)[]) => Object.values(document.locate(path)).join(':');
    expect(at('a')).toBe('1:1');
    expect(at('a', 0, 'b')).toBe('2:5');
    expect(at('a', 0, 'b', 'Fn::If', 1, 'd')).toBe('4:9');
    expect(at('a', 0, 'b', 'Fn::If', 2, 'Fn::Sub')).toBe('5:9');
  });

  it('gives back what a number or a truth value was written as', () => {
    const document = parseDocument('a: 1.30\nb: [0x10, True]\nc: text\n', 'a.yaml');
    const written = [['a'], ['b', 0], ['b', 1], ['b'], ['c'], ['a', 'missing']].map((path) =>
      document.scalarText(path),
    );
    expect(written).toEqual(['1.30', '0x10', 'True', undefined, undefined, undefined]);
  });

  it('has places within texts, and none within what is no text or is missing', () => {
    const document = parseDocument('a: text\nb: [1]\n', 'a.yaml');
    expect(document.locateInText(['a'], 2)).toEqual({ line: 1, column: 6 });
    for (const path of [['b'], ['a', 'missing'], ['c'], []]) expect(document.locateInText(path, 0)).toBeUndefined();
  });

  const FLOW = [
    'a:',
    '  b:',
    '    list: [1, {x: 2,',
    'y: "three',
    ' lines", z: [',
    '] },',
    '  # a comment',
    '4]',
    '    next: {k: plain',
    '  text}',
    '  c: 5',
    'd: [',
    ']',
    'e: 6',
    '',
  ].join('\n');

  it('reads lists and maps in brackets whose lines are indented less than what holds them, as other parsers do', () => {
    const document = parseDocument(FLOW, 'a.yaml');
    expect(document.diagnostics).toEqual([]);
    expect(document.root).toEqual({
      a: { b: { list: [1, { x: 2, y: 'three lines', z: [] }, 4], next: { k: 'plain text' } }, c: 5 },
      d: [],
      e: 6,
    });
    const places = [['a', 'b', 'list', 1, 'y'], ['a', 'b', 'list', 2], ['a', 'b', 'next', 'k'], ['a', 'c'], ['e']];
    expect(places.map((path) => document.locate(path))).toEqual([
      { line: 4, column: 1 },
      { line: 8, column: 1 },
      { line: 9, column: 12 },
      { line: 11, column: 3 },
      { line: 14, column: 1 },
    ]);
  });

  it('tells a bracket that is never closed once', () => {
    expect(problems('a:\n  b: [1,\nc: 2\n', 'a.yaml')).toHaveLength(1);
  });

  it.each([
    ['a comment', 'a: 1 # b\u2028c: 2', 9],
    ['a comment before a carriage return', 'a: 1 # b\rc: 2', 9],
    ['a comment of its own line', 'a: 1\n# b\u0085c: 2\n', 4],
    ['a text without quotes', 'a: b\u2029c', 5],
    ['a block', 'a: |\n  b\u2028c: 2\n', 4],
  ])('is not read where a line ends for other parsers alone, in %s', (_, text, column) => {
    expect(parseDocument(text, 'a.yaml')).toMatchObject({
      root: undefined,
      diagnostics: [
        {
          severity: 'error',
          column,
          message: expect.stringContaining('ends the line for parsers of YAML 1.1') as string,
        },
      ],
    });
  });

  it('is not read where the mark of the byte order stands before a later key', () => {
    const [first] = parseDocument('a: 1\n\uFEFFb: 2\n', 'a.yaml').diagnostics;
    expect(first).toMatchObject({ severity: 'error', line: 2, column: 1 });
    expect(parseDocument('\uFEFFa: 1\n# b \uFEFF\n', 'a.yaml')).toMatchObject({ root: { a: 1 }, diagnostics: [] });
  });

  it('may have such characters in quotes', () => {
    expect(parseDocument(`a: "b\u2028c"\nd: 'e\u0085f'\n`, 'a.yaml')).toMatchObject({
      root: { a: 'b\u2028c' },
      diagnostics: [],
    });
  });

  it('shares what an alias names and locates it there', () => {
    const document = parseDocument('a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n', 'a.yaml');
    expect(document.root).toEqual({ a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } });
    const { a, c } = document.root as Record<string, unknown>;
    expect(c).toBe(a);
    expect(document.locate(['c', 'b'])).toEqual({ line: 1, column: 8 });
    expect(document.locate(['d', 'b'])).toEqual({ line: 1, column: 8 });
  });

  it('reads an alias as the key that it stands for', () => {
    const document = parseDocument('a: &k Key\n? &o Other\n: {*k : 1}\n*o : 2\nb: *o\n', 'a.yaml');
    expect(document.root).toEqual({ a: 'Key', Other: 2, b: 'Other' });
    expect(document.diagnostics.map(({ line }) => line)).toEqual([4]);
    const alone = parseDocument('a: &k Key\n*k :\n  x: {*k : 1}\n', 'a.yaml');
    expect([alone.root, alone.diagnostics]).toEqual([{ a: 'Key', Key: { x: { Key: 1 } } }, []]);
    expect(alone.locate(['Key', 'x', 'Key'])).toEqual({ line: 3, column: 7 });
    expect(alone.locate(['Key'])).toEqual({ line: 2, column: 1 });
  });

  it('finds what the second of two merges brings', () => {
    const document = parseDocument('a: &x {b: 1}\nc: &y {d: 2}\ne:\n  <<: *x\n  <<: *y\n', 'a.yaml');
    expect(document.root).toMatchObject({ e: { b: 1, d: 2 } });
    expect(document.locate(['e', 'd'])).toEqual({ line: 2, column: 8 });
  });

  // What kubectl 1.32 makes of them.
  it.each([
    ['a: 1\n<<: {a: 2}', 2, 6],
    ['<<: {a: 2}\na: 1', 1, 1],
    ['<<: [{a: 1}, {a: 2}]', 1, 7],
    ['a: 0\n<<: [{a: 1}, {a: 2}]', 1, 7],
    ['<<: {a: 1}\n<<: {a: 2}', 2, 6],
    ['a: 0\n<<: {a: 1, <<: {a: 2}}', 2, 17],
    ['a: 0\n<<: {<<: {a: 2}, a: 1}', 1, 18],
    ['a: 0\n! <<: {a: 1}', 1, 8],
    ['a: 0\n!!merge <<: {a: 1}', 1, 14],
    ['a: 0\n!!str <<: {a: 1}', 0, 1],
    ['a: 0\n"<<": {a: 1}', 0, 1],
  ])('for kubectl and eksctl is merged where "<<" stands: %j', (text, a, column) => {
    for (const repeated of ['last for kubectl', 'error'] as const) {
      const [document] = parseDocuments(text, 'a.yaml', repeated);
      expect(document?.root).toMatchObject({ a });
      expect(document?.locate(['a']).column).toBe(column);
    }
  });

  it('tells kubectl users which key a merge behind it overrides, where it makes a difference', () => {
    const told = (text: string): string[] =>
      parseDocuments(text, 'a.yaml', 'last for kubectl').flatMap(({ diagnostics }) =>
        diagnostics.map(({ line, severity, message }) => `${severity} ${line} ${message}`),
      );
    expect(told('a: 1\nb: 1\n<<: {a: 2, b: 1, c: 1}\nc: 2\n')).toEqual([
      'warning 3 "a" of line 1 is overridden by what this "<<" merges: kubectl merges where "<<" stands; write it in front of "a"',
    ]);
    expect(told('<<: {a: 2}\na: 1\n')).toEqual([]);
  });

  it('in a template keeps what is written in front of a merge', () => {
    const document = parseDocument('a: 1\n<<: {a: 2}\n', 'a.yaml');
    expect(document.root).toEqual({ a: 1 });
    expect(document.locate(['a'])).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ['tabs', 'a:\n\tb: 1', ['2:1 tabs are not allowed as indentation']],
    [
      'a key written twice',
      'a: 1\nb: 2\na: 3',
      ['3:1 "a" is written twice in one map, first in line 1; only one of them counts'],
    ],
    [
      'a merge written twice',
      'a: &a {}\nb:\n  <<: *a\n  <<: *a\n  <<: *a',
      [
        '4:3 "<<" is written twice in one map, first in line 3; only one of them counts',
        '5:3 "<<" is written twice in one map, first in line 3; only one of them counts',
      ],
    ],
    ['an alias of a map as key', 'a: &a {}\n*a : 1', ['2:1 a key must be a plain string']],
    ['an alias of nothing as key', '*a : 1', ['1:1 a key must be a plain string']],
    ['a tag of nobody', 'a: !Foo 1', ['1:4 "!Foo" is no short form of an intrinsic function']],
    ['an alias of nothing', 'a: *b', ['1:4 no anchor "b" stands before this alias']],
    ['an alias within itself', 'a: &b\n  - *b', ['2:5 the alias "b" names a value that contains it']],
    ['a second document', 'a: 1\n---\nb: 2', ['2:1 a template is one YAML document; this second one is not read']],
    ['a map as key', '? {a: 1}\n: 2', ['1:1 a key must be a plain string']],
    [
      'a function as key',
      'a:\n  !Sub "${X}/y": 1',
      ['2:8 the key is built with !Sub: CloudFormation takes no functions in keys and refuses the template'],
    ],
    ['the first of two mistakes in a line', String.raw`a: "\q \z"`, [String.raw`1:5 invalid escape sequence \q`]],
    ['a merge of no map', 'a:\n  <<: 1', ['2:3 a merge key ("<<") needs a map']],
  ])('tells %s', (_, text, expected) => {
    expect(problems(text, 'a.yaml')).toEqual(expected);
  });

  it('takes braces without quotes for a text that something fills in, but in templates of CloudFormation', () => {
    const text = 'a: {{X}}\nb: [{{ .Values.y }}]\nc: {{d: 1}: 2}\n';
    const document = parseDocument(text, 'a.yaml', false);
    expect(document.root).toEqual({ a: '{{X}}', b: ['{{ .Values.y }}'], c: {} });
    expect(document.diagnostics.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 {{X}} is to be filled in before this is read',
      '2 {{ .Values.y }} is to be filled in before this is read',
      '3 a key must be a plain string',
    ]);
    expect(problems('a: {{X}}', 'a.yaml')).toEqual(['1:4 a key must be a plain string']);
  });

  it('tells two separate mistakes, each once', () => {
    expect(problems('a: b: c\nd: 1\ne: f: g\n', 'a.yaml').map((problem) => problem.split(' ')[0])).toEqual([
      '1:4',
      '3:4',
    ]);
  });

  it('refuses aliases that stand for more than a machine can hold', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 30; i++)
      lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`);
    const document = parseDocument(lines.join('\n'), 'a.yaml');
    expect(document.root).toBeUndefined();
    expect(document.diagnostics).toHaveLength(1);
    expect(document.diagnostics[0]?.message).toContain('stand for more than');
  });
});

describe('any text', () => {
  it.each([
    ['an empty file', '', '1:1 the file is empty'],
    ['blank lines', ' \n\n', '1:1 the file is empty'],
    ['a comment alone', '# nothing\n', '1:1 the file is empty'],
    ['binary content', 'PK\u0003\u0004\0\0', '1:5 the file is binary, not JSON or YAML'],
    ['binary content from the first character', '\0PK', '1:1 the file is binary, not JSON or YAML'],
    ['brackets without end', '['.repeat(100_000), '1:257 nested more than 256 levels deep'],
    ['brackets that are closed', '['.repeat(100_000) + ']'.repeat(100_000), '1:257 nested more than 256 levels deep'],
    ['maps without end', '{"a":'.repeat(100_000), '1:1281 nested more than 256 levels deep'],
    ['lists in lists of YAML', '- '.repeat(100_000), '1:513 nested more than 256 levels deep'],
  ])('%s is one diagnostic', (_, text, expected) => {
    expect(problems(text, 'a.yaml')).toEqual([expected]);
    expect(parseDocument(text, 'a.yaml').root).toBeUndefined();
  });

  it.each(['null', '1', '[]'])('may hold %s in as many levels as there can be', (inner) => {
    const nested = (levels: number, value: string): string => `${'{"a":'.repeat(levels)}${value}${'}'.repeat(levels)}`;
    const levels = inner === '[]' ? 255 : 256;
    expect(problems(nested(levels, inner))).toEqual([]);
    expect(problems(nested(levels + 1, inner))).toEqual([expect.stringContaining('nested more than 256 levels deep')]);
  });

  it('is JSON or YAML by its content, not by its name', () => {
    expect(parseDocument('{"a": 1}', 'a.yaml').root).toEqual({ a: 1 });
    expect(parseDocument('a: 1', 'a.json').root).toEqual({ a: 1 });
    expect(parseDocument('{a: !Ref B}', 'a.yml').root).toEqual({ a: { Ref: 'B' } });
    expect(parseDocument('\uFEFF{"a": 1}', 'a.json').root).toEqual({ a: 1 });
  });

  it('makes no prototype of a key named __proto__', () => {
    const root = parseDocument('__proto__: {polluted: true}\na: 1', 'a.yaml').root as Record<string, unknown>;
    expect(root.polluted).toBeUndefined();
    expect(Object.keys(root)).toEqual(['__proto__', 'a']);
  });

  it('has places in texts that are no JSON', () => {
    expect(parseDocument('{!\\ ', 'a.json').locate(['Resources'])).toEqual({ line: 1, column: 1 });
  });

  it('never throws, and says why there is no value', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({
        unit: fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          ':',
          ',',
          '\n',
          ' ',
          '-',
          '&a',
          '*a',
          '!Ref',
          '!Sub',
          'x',
          '\t',
          '|',
          '>',
          '#',
          '<<',
        ),
      }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('a.json', 'a.yaml', 'a.template'), (content, file) => {
        const document = parseDocument(content, file);
        expect(document.root !== undefined || document.diagnostics.length > 0).toBe(true);
        const { line, column } = document.locate(['Resources', 0, 'x']);
        expect(line > 0 && column > 0).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('the lines that an entry of YAML has for itself', () => {
  const text = `groups:
  - name: one
    ami: x # why
    kubelet:
      a: 1

      b: 2

    env: &shared
      c: 3
  - name: two
    env: *shared
    flow: {d: 4, e: 5}
`;
  const linesOf = (...path: readonly (string | number)[]) =>
    parseDocument(text, 'a.yaml').linesOf?.(['groups', ...path]);

  it('are its own and those of its value, with remarks', () => {
    expect(linesOf(0, 'ami')).toEqual({ first: 3, lines: ['    ami: x # why'] });
    expect(linesOf(0, 'kubelet')).toEqual({ first: 4, lines: ['    kubelet:', '      a: 1', '', '      b: 2'] });
    expect(linesOf(1, 'flow')).toEqual({ first: 13, lines: ['    flow: {d: 4, e: 5}'] });
  });

  it.each([
    ['others stand for by an alias', [0, 'env']],
    ['is written elsewhere', [1, 'env']],
    ['shares its line', [1, 'flow', 'd']],
    ['shares the line of its list', [0, 'name']],
    ['is not there', [0, 'none']],
  ])('are none where it %s', (_, path) => {
    expect(linesOf(...path)).toBeUndefined();
  });
});
