import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  compilerFor,
  defaultExportOf,
  inModule,
  loadModule,
  ModuleProblem,
  settled,
} from '../../lib/configuration/module-loader';
import { messageOf } from '../../lib/user-code/guard';
import { placeOf } from '../../lib/user-code/place';
import { workspace } from '../cli/workspace';
import { linkTypeScript, load, problemsOf } from './configurations';

const folder = workspace({ 'empty.txt': '' });

function write(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** What is thrown. */
function thrown(work: () => unknown): ModuleProblem {
  try {
    work();
  } catch (error) {
    if (error instanceof ModuleProblem) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a module', () => {
  it('gives what it exports', () => {
    expect(loadModule(write('a.cjs', 'module.exports = 5;'))).toBe(5);
  });

  it('is a file', () => {
    mkdirSync(join(folder, 'inner.js'), { recursive: true });
    expect(thrown(() => loadModule(join(folder, 'inner.js'))).message).toBe(
      "it can't be loaded: it is a folder, not a file",
    );
    expect(thrown(() => loadModule(join(folder, 'gone.js'))).message).toMatch(
      /^it can't be loaded: Cannot find module/,
    );
  });

  it('may warn, but not of what is experimental', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const own = Reflect.get(process, 'emitWarning') as unknown;
    const calls = [
      "'a', 'ExperimentalWarning'",
      "'b', { type: 'ExperimentalWarning' }",
      "'c', 'DeprecationWarning'",
      "'d', { type: 'Other' }",
      "'e'",
    ];
    loadModule(write('warns.cjs', calls.map((call) => `process.emitWarning(${call});`).join('\n')));
    expect(warn.mock.calls.map(([text]) => text)).toEqual(['c', 'd', 'e']);
    expect(Reflect.get(process, 'emitWarning')).toBe(own);
    thrown(() => loadModule(write('throws.cjs', 'throw new Error("no luck");')));
    expect(Reflect.get(process, 'emitWarning')).toBe(own);
  });
});

describe('code of a module', () => {
  const failing = (error: unknown, file = '/project/a.cjs') =>
    thrown(() =>
      inModule(file, () => {
        throw error;
      }),
    );

  it('gives what it gives', () => {
    expect(inModule('/project/a.cjs', () => 5)).toBe(5);
  });

  it.each<[unknown, string]>([
    [new Error('no luck'), "it can't be loaded: no luck"],
    ['no luck', "it can't be loaded: no luck"],
    [null, "it can't be loaded: null"],
    [undefined, "it can't be loaded: undefined"],
    [
      Object.assign(new Error('x'), { code: 'ERR_REQUIRE_ESM' }),
      `Node.js ${process.version} can't load ES modules this way; use Node.js 20.19 or later, or write the file as CommonJS (.cjs)`,
    ],
    [
      { code: 'ERR_REQUIRE_ASYNC_MODULE' },
      "it waits for something at its top level (await), which a configuration can't",
    ],
    [
      Object.assign(new Error("Cannot find module './b'\nRequire stack:\n- /project/a.js"), {
        code: 'MODULE_NOT_FOUND',
      }),
      "it can't be loaded: Cannot find module './b'",
    ],
  ])('that throws %p', (error, message) => {
    expect(failing(error).message).toBe(message);
  });

  it('tells the place of its error', () => {
    expect(failing(Object.assign(new Error('x'), { stack: 'Error: x\n    at f (/project/b.cjs:3:5)' })).place).toEqual({
      file: '/project/b.cjs',
      line: 3,
      column: 5,
    });
    const problem = new ModuleProblem('it is none');
    expect(failing(problem)).toBe(problem);
  });

  it('tells the place of a mistake that Node.js keeps for itself', () => {
    const mistake = Object.assign(new SyntaxError('Unexpected identifier'), {
      stack: 'SyntaxError: Unexpected identifier',
    });
    const file = write('mistake.mjs', 'export default {\n  a: 1\n  b: 2\n};\n');
    expect(failing(mistake, file).place).toEqual({ file, line: 3, column: 3 });
    const common = write('mistake.js', 'module.exports = {\n  a: 1\n  b: 2\n};\n');
    expect(failing(mistake, common).place).toEqual({ file: common, line: 3, column: 3 });
    expect(failing(Object.assign(new TypeError('x'), { stack: 'TypeError: x' }), file).place).toBeUndefined();
    expect(failing({ name: 'SyntaxError' }, file).place).toBeUndefined();
    expect(failing(mistake, write('mistake.txt', 'a b c')).place).toBeUndefined();
    expect(failing(mistake, write('right.js', 'module.exports = 1;\n')).place).toBeUndefined();
  });
});

describe('TypeScript', () => {
  beforeAll(() => {
    linkTypeScript(folder);
  });
  const compile = (source: string): string =>
    compilerFor(join(folder, 'a.ts'))?.(source, join(folder, 'a.ts')) ?? 'none';

  it('is compiled by the package of the project, and its places are remembered', () => {
    const output = compile(
      'interface A { b: string }\n\n\nexport const f = (a: A): string => { throw new Error(a.b); };\n',
    );
    expect(output).toContain('exports.f = ');
    expect(output).not.toContain('interface');
    const line = output.split('\n').findIndex((one) => one.includes('throw ')) + 1;
    const error = Object.assign(new Error('x'), { stack: `Error: x\n    at f (${join(folder, 'a.ts')}:${line}:20)` });
    expect(placeOf(error)).toMatchObject({ file: join(folder, 'a.ts'), line: 4 });
  });

  it('that is wrong is told with its place', () => {
    const problem = thrown(() => compile('export default {\n  a: 1\n  b: 2\n};\n'));
    expect([problem.message, problem.place]).toEqual([
      "it can't be loaded: ',' expected",
      { file: join(folder, 'a.ts'), line: 3, column: 3 },
    ]);
  });

  it.each([
    ['a text', { messageText: 'It is wrong.' }, "it can't be loaded: It is wrong", undefined],
    [
      'several texts',
      { start: 2, messageText: { messageText: 'It is wrong' } },
      "it can't be loaded: It is wrong",
      { line: 2, column: 1 },
    ],
  ])('may be told to be wrong with %s', (name, diagnostic, message, place) => {
    const project = name.replaceAll(' ', '-');
    write(
      `${project}/node_modules/typescript/index.js`,
      `module.exports = { ModuleKind: {}, ScriptTarget: {}, transpileModule: () => ({ outputText: '', diagnostics: [${JSON.stringify(diagnostic)}] }) };`,
    );
    const file = join(folder, project, 'a.ts');
    const problem = thrown(() => compilerFor(file)?.('a\nb', file));
    expect(problem.message).toBe(message);
    expect(problem.place).toEqual(place === undefined ? undefined : { file, ...place });
  });
});

it.each([
  ['a text', "'typescript'"],
  ['nothing', 'null'],
  ['a program without kinds of modules', '{ transpileModule, ScriptTarget: {} }'],
  ['a program without versions of the language', '{ transpileModule, ModuleKind: {} }'],
  ['kinds and versions without a program', '{ ModuleKind: {}, ScriptTarget: {} }'],
])('a package that is not the compiler of TypeScript is not taken for it: %s', (name, exported) => {
  const project = `not-${name.replaceAll(' ', '-')}`;
  write(
    `${project}/node_modules/typescript/index.js`,
    `const transpileModule = () => ({ outputText: 'compiled' }); module.exports = ${exported};`,
  );
  const file = join(folder, project, 'a.ts');
  // What there is instead depends on the version of Node.js.
  const outcome = (): string => {
    try {
      return compilerFor(file)?.('let a;', file) ?? 'let a;';
    } catch (error) {
      return messageOf(error);
    }
  };
  expect(outcome()).toMatch(/^let a;$|the project has no package "typescript" that could/);
});

describe('what a module hands out', () => {
  const wrapped = { __esModule: true, default: { a: 1 } };
  it.each<[string, unknown, unknown]>([
    ['its default', { default: 5 }, 5],
    ['a default of nothing', { default: undefined }, undefined],
    ['a default of null', { default: null }, null],
    ['a default beside others', { default: { a: 1 }, b: 2 }, { a: 1 }],
    ['the default of a module of CommonJS', { default: wrapped }, { a: 1 }],
    ['what only looks like one', { default: { __esModule: true, a: 1 } }, { __esModule: true, a: 1 }],
    ['what has a default itself', { default: { default: 5 } }, { default: 5 }],
    ['module.exports', { a: 1 }, { a: 1 }],
    ['a text', 'a', 'a'],
    ['null', null, null],
    ['a list of nothing', [], []],
  ])('is %s', (_, exported, value) => {
    expect(defaultExportOf(exported)).toEqual(value);
  });

  it.each<[string, () => unknown, string]>([
    ['nothing', () => ({}), 'it exports no settings'],
    ['named things of an ES module', () => ({ __esModule: true, a: 1 }), 'it exports no settings'],
    ['a promise', () => Promise.resolve({}), 'it exports a promise'],
    ['a promise by default', () => ({ default: Promise.reject(new Error('no luck')) }), 'it exports a promise'],
  ])('is not %s', (_, exports, message) => {
    expect(thrown(() => defaultExportOf(exports())).message).toContain(message);
  });
});

describe('a value as it is now', () => {
  it('has no undefined members, and is a copy', () => {
    const given = {
      a: undefined,
      b: [undefined, { c: 1, d: undefined }],
      e: null,
      get f() {
        return 'computed';
      },
    };
    const copy = settled(given);
    expect(copy).toStrictEqual({ b: [undefined, { c: 1 }], e: null, f: 'computed' });
    expect(Object.getOwnPropertyDescriptor(copy, 'f')).toEqual({
      value: 'computed',
      enumerable: true,
      configurable: true,
      writable: true,
    });
    expect(settled(JSON.parse('{ "__proto__": 1 }'))).toEqual(JSON.parse('{ "__proto__": 1 }'));
  });

  it('keeps what is the same the same, rings included', () => {
    const ring: Record<string, unknown> = { list: [] };
    ring['self'] = ring;
    (ring['list'] as unknown[]).push(ring['list'], ring);
    const copy = settled(ring) as typeof ring;
    expect(copy).not.toBe(ring);
    expect(copy['self']).toBe(copy);
    expect((copy['list'] as unknown[])[0]).toBe(copy['list']);
    expect((copy['list'] as unknown[])[1]).toBe(copy);
  });

  it('has objects of classes as they are', () => {
    const day = new Date(0);
    expect(settled({ day })).toEqual({ day });
    expect((settled({ day }) as { day: unknown }).day).toBe(day);
    expect([settled(5), settled(null), settled('a')]).toEqual([5, null, 'a']);
  });
});

describe('rules in a module', () => {
  const rule = "{ id: 'acme-rule', title: 'T', severity: 'error', messages: {}, check: () => [] }";
  it.each([
    ['deep down', `exports.a = { b: { c: ${rule} } };`, true],
    ['too deep down', `exports.a = { b: { c: { d: ${rule} } } };`, false],
    ['beside what is none', `exports.a = null; exports.b = 'b'; exports.c = [5, ${rule}];`, true],
    ['that has messages alone', "exports.a = { id: 'acme-rule', messages: {} };", undefined],
    ['that has a check alone', "exports.a = { id: 'acme-rule', check: () => [] };", undefined],
    ['that has an id alone', "exports.a = { id: 'acme-rule' };", false],
    ['without an id', 'exports.a = { check: () => [], messages: {} };', false],
  ])('are found %s', (name, text, isFound) => {
    const module = `deep/${name.replaceAll(' ', '-')}.cjs`;
    write(module, text);
    const expected = isFound === undefined ? ['is not whole'] : isFound ? [] : ['it exports no rule'];
    expect(problemsOf(folder, 'rules.yaml', `customRules: [./${module}]\n`)).toEqual(
      expected.map((part) => expect.stringContaining(part) as string),
    );
  });

  it('that throws when it is looked at is told so', () => {
    write('throws.js', `module.exports = { ...${rule}, get title() { throw new Error('no luck'); } };`);
    expect(problemsOf(folder, 'rules.yaml', 'customRules: [./throws.js]\n')).toEqual([
      expect.stringContaining("./throws.js: it can't be loaded: no luck") as string,
    ]);
  });

  it('may be named without an extension, or be in a folder', () => {
    write('plain/one.js', `module.exports = ${rule};`);
    write('plain/two/index.js', `module.exports = ${rule};`);
    for (const name of ['./plain/one', './plain/two', 'plain/one.js']) {
      expect(load(folder, 'rules.yaml', `customRules: [${name}]\n`).configuration.customRules).toMatchObject([
        { id: 'acme-rule' },
      ]);
    }
    expect(
      load(folder, 'rules.yaml', 'customRules: [./plain/one]\n').files.map((file) => file.slice(file.indexOf('plain'))),
    ).toContain('plain/one.js');
    expect(problemsOf(folder, 'rules.yaml', 'customRules: [./plain/three]\n')).toEqual([
      expect.stringContaining('there is no such module') as string,
    ]);
  });
});
