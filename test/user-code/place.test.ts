import { SourceMap } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  isInLibrary,
  placeOf,
  rememberSourceMap,
  shownPath,
  shownPlace,
  syntaxErrorPlace,
} from '../../lib/user-code/place';

const own = resolve('/project/rules/own.js');
const other = resolve('/project/rules/other.js');
const library = resolve('/project/node_modules/library/index.js');
const guard = resolve(__dirname, '../../lib/user-code/guard.ts');

/** An error with calls from the innermost on. */
function thrown(...calls: readonly string[]): Error {
  return Object.assign(new Error('no luck'), {
    stack: ['Error: no luck', ...calls.map((call) => `    at ${call}`)].join('\n'),
  });
}

describe('where an error comes from', () => {
  it.each<[string, readonly string[], object | undefined]>([
    ['a function', [`check (${own}:3:5)`], { file: own, line: 3, column: 5 }],
    ['no function', [`${own}:3:5`], { file: own, line: 3, column: 5 }],
    ['what waits', [`async ${own}:12:34`], { file: own, line: 12, column: 34 }],
    ['a function that waits', [`async check (${own}:12:34)`], { file: own, line: 12, column: 34 }],
    ['a function with brackets in its name', [`Object.check [as (a)] (${own}:3:5)`], { file: own, line: 3, column: 5 }],
    ['a module', [`check (${pathToFileURL(own).href}:3:5)`], { file: own, line: 3, column: 5 }],
    ['the first of two', [`check (${own}:3:5)`, `check (${other}:4:6)`], { file: own, line: 3, column: 5 }],
    [
      'what Node.js calls',
      ['Array.map (<anonymous>)', 'JSON.parse (<anonymous>:1:1)', 'node:internal/x:1:2', `check (${own}:3:5)`],
      { file: own, line: 3, column: 5 },
    ],
    ['a library that is called', [`parse (${library}:1:2)`, `check (${own}:3:5)`], { file: own, line: 3, column: 5 }],
    [
      'a library alone, by its innermost call',
      [`parse (${library}:1:2)`, `more (${library}:9:9)`],
      { file: library, line: 1, column: 2 },
    ],
    [
      'a library that we call',
      [`parse (${library}:1:2)`, `runUserCode (${guard}:6:12)`, `check (${own}:3:5)`],
      { file: library, line: 1, column: 2 },
    ],
    ['our own code', [`runUserCode (${guard}:6:12)`, `check (${own}:3:5)`], undefined],
    ['nowhere', [], undefined],
    ['a path that is not whole', ['check (rules/own.js:3:5)'], undefined],
    ['an address that is no file', ['check (file://%:3:5)'], undefined],
    ['a place without a column', [`check (${own}:3)`], undefined],
  ])('%s', (_, calls, place) => {
    expect(placeOf(thrown(...calls))).toEqual(place);
  });

  it.each<[string, unknown]>([
    ['a text', 'no luck'],
    ['null', null],
    ['nothing', undefined],
    ['a map without calls', { message: 'no luck' }],
    ['calls that are no text', { stack: 5 }],
    [
      'calls that nobody may see',
      {
        get stack(): string {
          throw new Error('no luck');
        },
      },
    ],
  ])('is not told by %s', (_, error) => {
    expect(placeOf(error)).toBeUndefined();
  });

  it('is where the user wrote it', () => {
    const compiled = resolve('/project/rules/compiled.js');
    // Lines and columns from 0: the second line of the compiled text is the fourth of the source, two columns further right.
    const map = new SourceMap({
      version: 3,
      file: 'compiled.js',
      sources: ['source.ts'],
      sourcesContent: [''],
      names: [],
      mappings: ';AAGE',
      sourceRoot: '',
    });
    rememberSourceMap(compiled, map);
    expect(placeOf(thrown(`check (${compiled}:2:1)`))).toEqual({ file: compiled, line: 4, column: 3 });
    // Before the first place that the map tells of, it is what it is.
    expect(placeOf(thrown(`check (${compiled}:1:1)`))).toEqual({ file: compiled, line: 1, column: 1 });
  });

  it('is told for an error of syntax in front of it', () => {
    const stack = `${own}:2\n  b c\n    ^\n\nSyntaxError: Unexpected identifier 'c'\n    at check (${other}:3:5)`;
    expect(placeOf(Object.assign(new Error('x'), { stack }))).toEqual({ file: own, line: 2, column: 5 });
  });
});

describe('the place of an error of syntax', () => {
  it.each<[string, string, object | undefined]>([
    ['with a mark at the start', `${own}:1\n}\n^\n`, { file: own, line: 1, column: 1 }],
    ['with tabs', `${own}:12\n\t\tb c\n\t\t  ^^^\n`, { file: own, line: 12, column: 5 }],
    ['with lines of Windows', `${own}:2\r\nb c\r\n  ^\r\n`, { file: own, line: 2, column: 3 }],
    ['of a module', `${pathToFileURL(own).href}:2\nb c\n  ^\n`, { file: own, line: 2, column: 3 }],
    ['over several lines', `${own}:2\na\nb\nc\nd\ne\nf\ng\nh\n  ^\n`, { file: own, line: 2, column: 3 }],
    ['over too many lines', `${own}:2\na\nb\nc\nd\ne\nf\ng\nh\ni\n  ^\n`, undefined],
    ['without a line', `${own}\nb c\n  ^\n`, undefined],
    ['without a mark', `${own}:2\nb c\n`, undefined],
    ['in a path that is not whole', 'own.js:2\nb c\n  ^\n', undefined],
    ['further down', `Error\n${own}:2\nb c\n  ^\n`, undefined],
  ])('%s', (_, text, place) => {
    expect(syntaxErrorPlace(text)).toEqual(place);
  });
});

it.each([
  [library, true],
  [own, false],
  [resolve('/project/my_node_modules/a.js'), false],
])('%s is in a library: %s', (file, expected) => {
  expect(isInLibrary({ file, line: 1, column: 1 })).toBe(expected);
});

describe('for people', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('a path is told from the working directory on, if it is in there', () => {
    jest.spyOn(process, 'cwd').mockReturnValue(resolve('/project'));
    expect(shownPath(own)).toBe(join('rules', 'own.js'));
    expect(shownPath(resolve('/elsewhere/own.js'))).toBe(resolve('/elsewhere/own.js'));
    expect(shownPath(resolve('/workshop/own.js'))).toBe(resolve('/workshop/own.js'));
    expect(shownPlace({ file: own, line: 3, column: 5 })).toBe(`${join('rules', 'own.js')}:3:5`);
  });
});
