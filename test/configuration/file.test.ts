import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AS_OF } from '../as-of';
import {
  loadConfigurationFile,
  loadNearestConfiguration,
  mergeConfigurations,
  withConfigurationFile,
} from '../../lib/configuration';
import { findConfigurationFile } from '../../lib/configuration/find';
import { ConfigurationError, defineConfig, defineRule, type CustomRule } from '../../lib';
import { resolveConfiguration } from '../../lib/engine';
import { allRules } from '../../lib/rules';
import { workspace } from '../cli/workspace';
import { linkTypeScript, load, problemsOf } from './configurations';

const folder = workspace({ 'empty.txt': '' });
// Any Node.js that can't load TypeScript by itself takes the package of the project.
beforeAll(() => {
  linkTypeScript(folder);
});

describe('finding the file', () => {
  const tree = workspace({
    'eks-guardrails.config.yaml': 'preset: strict\n',
    'apps/one/cdk.json': '{}',
    'apps/two/eks-guardrails.config.json': '{ "preset": "all" }',
    'both/eks-guardrails.config.json': '{}',
    'both/eks-guardrails.config.yaml': 'preset: strict\n',
    'backups/eks-guardrails.config.yaml.bak': 'preset: all\n',
  });

  it('goes upwards to the nearest folder that has one', () => {
    expect(findConfigurationFile(join(tree, 'apps/one'))).toBe(join(tree, 'eks-guardrails.config.yaml'));
    expect(findConfigurationFile(join(tree, 'apps/two'))).toBe(join(tree, 'apps/two/eks-guardrails.config.json'));
    expect(findConfigurationFile(join(tree, 'backups'))).toBe(join(tree, 'eks-guardrails.config.yaml'));
    expect(findConfigurationFile(join(tree, 'no/such/folder'))).toBe(join(tree, 'eks-guardrails.config.yaml'));
    expect(loadNearestConfiguration(join(tree, 'apps/one'))).toMatchObject({
      configuration: { preset: 'strict' },
      failOn: undefined,
    });
  });

  it('refuses several in one folder', () => {
    expect(() => findConfigurationFile(join(tree, 'both'))).toThrow(
      'several configuration files (eks-guardrails.config.json, eks-guardrails.config.yaml); keep one',
    );
    expect(() => findConfigurationFile(join(tree, 'both'))).toThrow(ConfigurationError);
  });

  it('can be told which, or none', () => {
    expect(withConfigurationFile({}, join(tree, 'apps/two/eks-guardrails.config.json'))).toMatchObject({
      preset: 'all',
    });
    expect(withConfigurationFile({ preset: 'strict' }, false)).toEqual({ preset: 'strict' });
    const failing = join(tree, 'failing.yaml');
    writeFileSync(failing, 'failOn: warning\n');
    expect(withConfigurationFile({}, failing).failOn).toBe('warning');
    expect(withConfigurationFile({ failOn: 'never' }, failing).failOn).toBe('never');
    expect(withConfigurationFile({}, join(tree, 'apps/two/eks-guardrails.config.json'))).not.toHaveProperty('failOn');
    expect(() => withConfigurationFile({}, join(tree, 'gone.json'))).toThrow(
      /gone\.json: there is no such file or folder/,
    );
  });
});

describe('what is wrong with a file', () => {
  it.each<[string, string, string[]]>([
    [
      'an unknown setting',
      'presett: strict\n',
      ['a.yaml:1:1: presett: there is no setting "presett"; did you mean "preset"?'],
    ],
    [
      'an unknown rule',
      'rules:\n  imds-v9: off\n',
      ['a.yaml:2:3: rules.imds-v9: there is no rule "imds-v9"; did you mean "imds-v1"?'],
    ],
    [
      'an unknown level',
      'rules:\n  imds-v1: eror\n',
      [
        'a.yaml:2:3: rules.imds-v1: expected off, info, warning or error, or a map with level and options, found "eror"; did you mean "error"?',
      ],
    ],
    [
      'a level of another type',
      'rules:\n  imds-v1: 2\n',
      ['a.yaml:2:3: rules.imds-v1: expected off, info, warning or error, or a map with level and options, found 2'],
    ],
    [
      'an unknown option',
      'rules:\n  imds-hop-limit:\n    options: { hopLimit: allow }\n',
      [
        'a.yaml:3:16: rules.imds-hop-limit.options.hopLimit: there is no option "hopLimit"; did you mean "hopLimitOne"?',
      ],
    ],
    [
      'an unknown value of an option',
      'rules: { imds-hop-limit: { options: { hopLimitOne: allowed } } }\n',
      [
        expect.stringMatching(
          /^a\.yaml:1:39: rules\.imds-hop-limit\.options\.hopLimitOne: expected .*allow.*, found "allowed"; did you mean "allow"\?$/,
        ) as string,
      ],
    ],
    [
      'an unknown preset',
      'preset: srict\n',
      ['a.yaml:1:1: preset: expected recommended, strict or all, found "srict"; did you mean "strict"?'],
    ],
    ['a list for a map', '- preset\n', ['a.yaml:1:1: expected a map, found a list']],
    ['nothing', '# later\n', [expect.stringMatching(/^a\.yaml:1:\d+: /) as string]],
    [
      'an ignore without reason',
      'ignores:\n  - rule: imds-v1\n    resource: "*"\n',
      ['a.yaml:2:5: ignores[0]: "reason" is missing; it is a text that says why'],
    ],
    [
      'an ignore with a blank reason',
      'ignores: [{ rule: imds-v1, resource: "*", reason: " " }]\n',
      [expect.stringContaining('ignores[0].reason: expected a text that says why, found " "') as string],
    ],
    [
      'an ignore that ends on no day',
      'ignores: [{ rule: a, resource: "*", reason: b, until: 2027-13-01 }]\n',
      [
        expect.stringContaining(
          'ignores[0].until: expected a day of the form YYYY-MM-DD, found "2027-13-01"',
        ) as string,
      ],
    ],
    [
      'an ignore that ends on a day that does not exist',
      'ignores: [{ rule: a, resource: "*", reason: b, until: 2027-02-29 }]\n',
      [
        expect.stringContaining(
          'ignores[0].until: expected a day of the form YYYY-MM-DD, found "2027-02-29"',
        ) as string,
      ],
    ],
    [
      'a level of what can not have one',
      'rules:\n  rule-crashed: off\n',
      [
        expect.stringContaining(
          'a.yaml:2:3: rules.rule-crashed: rule-crashed says that something was not checked',
        ) as string,
      ],
    ],
    [
      'two documents',
      'preset: strict\n---\nfailOn: never\n',
      ['a.yaml:2:1: a configuration is one YAML document; this second one is not read'],
    ],
    ['a tag', 'preset: !Ref strict\n', ['a.yaml:1:9: the tag "!Ref" means nothing here']],
    [
      'several things',
      'failOn: always\nignores: none\n',
      [
        'a.yaml:1:1: failOn: expected error, warning, unverifiable or never, found "always"',
        'a.yaml:2:1: ignores: expected a list, found "none"',
      ],
    ],
    ['broken YAML', 'rules: [\n', [expect.stringMatching(/^a\.yaml:\d+:\d+: /) as string]],
    [
      'a parameter of the wrong type',
      'parameters: { cloudformation: { A: { b: c } } }\n',
      [
        expect.stringContaining(
          'parameters.cloudformation.A: expected a text, number or boolean, or a list, found a map',
        ) as string,
      ],
    ],
    [
      'a module that is missing',
      'customRules: [./nowhere.js]\n',
      [
        expect.stringMatching(
          /^a\.yaml:1:15: customRules\[0\]: \.\/nowhere\.js: there is no such module; it would be nowhere\.js/,
        ) as string,
      ],
    ],
  ])('%s', (_, text, problems) => {
    expect(problemsOf(folder, 'a.yaml', text)).toEqual(problems);
  });

  it('tells the same for JSON', () => {
    expect(problemsOf(folder, 'a.json', '{\n  "rules": {\n    "imds-v9": "off"\n  }\n}')).toEqual([
      'a.json:3:5: rules.imds-v9: there is no rule "imds-v9"; did you mean "imds-v1"?',
    ]);
    expect(problemsOf(folder, 'b.json', '{ "preset": "strict", }')).toEqual([
      expect.stringMatching(/^b\.json:1:\d+: /),
    ]);
  });

  it('never stumbles over what JavaScript can hold', () => {
    expect(problemsOf(folder, 'a.cjs', 'module.exports = { __proto__: null, rules: { toString: "off" } };')).toEqual([
      expect.stringContaining('rules.toString: there is no rule "toString"') as string,
    ]);
    expect(
      problemsOf(folder, 'b.cjs', 'const a = {}; a.a = a; module.exports = { parameters: { terraform: { a } } };'),
    ).toEqual([expect.stringContaining('expected a value that JSON can hold') as string]);
    expect(problemsOf(folder, 'c.cjs', 'module.exports = () => ({});')).toEqual([
      'c.cjs: expected a map, found a function',
    ]);
    expect(problemsOf(folder, 'd.cjs', 'throw new Error("no luck");')).toEqual([
      "d.cjs:1:7: it can't be loaded: no luck",
    ]);
  });
});

describe('what is wrong with a program', () => {
  const modules = workspace({});

  it.each<[string, string, string]>([
    [
      'runtime.js',
      'function f() {\n  return nowhere;\n}\nf();',
      "runtime.js:2:3: it can't be loaded: nowhere is not defined",
    ],
    ['lines.js', 'throw new Error("no\\n  luck");', "lines.js:1:7: it can't be loaded: no luck"],
    [
      'missing.js',
      'module.exports = {};\n  require("./gone");',
      "missing.js:2:3: it can't be loaded: Cannot find module './gone'",
    ],
    ['exit.js', 'process.exit(0);', "exit.js:1:9: it can't be loaded: it calls process.exit(0)"],
    [
      'getter.js',
      'module.exports = {\n  get preset() { throw new Error("no luck"); },\n};',
      "getter.js:2:24: it can't be loaded: no luck",
    ],
    [
      'nothing.js',
      'const config = { preset: "strict" };',
      'nothing.js: it exports no settings; write "export default defineConfig({ … })", or "module.exports = { … }" in CommonJS',
    ],
    [
      'promise.js',
      'module.exports = Promise.reject(new Error("no luck"));',
      'promise.js: it exports a promise, and nothing waits for it; export the settings themselves',
    ],
    [
      'map.js',
      'module.exports = new Map([["preset", "strict"]]);',
      'map.js: expected a map, found an object of class Map',
    ],
    [
      'day.js',
      'module.exports = { ignores: [{ rule: "imds-v1", resource: "*", reason: "Known", until: new Date(0) }] };',
      'day.js: ignores[0].until: expected a day of the form YYYY-MM-DD, found an object of class Date',
    ],
    [
      'null.js',
      'module.exports = { preset: null };',
      'null.js: preset: expected recommended, strict or all, found nothing',
    ],
  ])('%s', (name, text, problem) => {
    expect(problemsOf(modules, name, text)).toEqual([expect.stringContaining(problem) as string]);
  });

  it('leaves out what is undefined', () => {
    const text =
      'module.exports = { preset: undefined, failOn: "warning", rules: { "imds-v1": undefined, "imds-hop-limit": { level: undefined } }, parameters: { cloudformation: { A: undefined, B: "b" } } };';
    expect(load(modules, 'undefined.js', text)).toMatchObject({
      failOn: 'warning',
      configuration: { rules: { 'imds-hop-limit': {} }, parameters: { cloudformation: { B: 'b' } } },
    });
    expect(load(modules, 'undefined.js', text).content).toEqual({
      failOn: 'warning',
      rules: { 'imds-hop-limit': {} },
      parameters: { cloudformation: { B: 'b' } },
    });
  });
});

describe('what a file says', () => {
  it('keeps numbers of CloudFormation as they are written', () => {
    const { configuration } = load(
      folder,
      'numbers.yaml',
      'parameters:\n  cloudformation: { Version: 1.30, Size: 3, Zones: [a, 1.10] }\n  stacks: { nodes: { Version: 1.20, Size: 3, Zones: [a, 7] } }\n',
    );
    expect(configuration.parameters).toEqual({
      cloudformation: { Version: '1.30', Size: '3', Zones: ['a', '1.10'] },
      stacks: { nodes: { Version: '1.20', Size: '3', Zones: ['a', '7'] } },
    });
  });

  it('is no more than what is written', () => {
    expect(load(folder, 'preset.yaml', 'preset: strict\n').configuration).toStrictEqual({ preset: 'strict' });
    expect(load(folder, 'day.yaml', 'asOf: 2027-01-31\n').configuration).toStrictEqual({ asOf: '2027-01-31' });
  });

  it.each(['just a text\n', '5\n', '- preset: strict\n'])('is a map, and not %j', (text) => {
    expect(problemsOf(folder, 'other.yaml', text)).toEqual([
      expect.stringMatching(/^other\.yaml:1:1: expected a map/) as string,
    ]);
  });

  it('knows where an ignore stands', () => {
    const { configuration } = load(
      folder,
      'ignores.yaml',
      'ignores:\n  - { rule: a, resource: b, reason: c }\n  - rule: d\n    resource: e\n    reason: f\n',
    );
    expect(configuration.ignores?.map(({ source }) => source?.locate())).toMatchObject([
      { line: 2, column: 5 },
      { line: 3, column: 5, property: 'ignores[1]' },
    ]);
  });

  it('takes the default export of a module', () => {
    expect(load(folder, 'default.ts', 'export default { preset: "strict" as const };\n').configuration).toMatchObject({
      preset: 'strict',
    });
    expect(load(folder, 'exports.cjs', 'module.exports = { failOn: "never" };\n').failOn).toBe('never');
  });
});

describe('a configuration on top of another', () => {
  it('wins setting by setting', () => {
    const ignore = { rule: 'a', resource: '*', reason: 'b' };
    expect(
      mergeConfigurations(
        {
          preset: 'strict',
          failOn: 'warning',
          rules: { 'imds-v1': 'off', 'imds-hop-limit': { options: { hopLimitOne: 'allow' } } },
          ignores: [ignore],
          parameters: { cloudformation: { A: '1', B: '2' }, stacks: { s: { C: '3' } } },
        },
        {
          preset: undefined,
          failOn: 'never',
          rules: { 'imds-v1': { level: 'error' }, 'imds-hop-limit': 'warning' },
          ignores: [ignore],
          parameters: { cloudformation: { B: '4' }, stacks: { s: { D: '5' } } },
        },
      ),
    ).toEqual({
      preset: 'strict',
      failOn: 'never',
      rules: {
        'imds-v1': { level: 'error', options: {} },
        'imds-hop-limit': { level: 'warning', options: { hopLimitOne: 'allow' } },
      },
      asOf: AS_OF,
      ignores: [ignore, ignore],
      customRules: [],
      parameters: { cloudformation: { A: '1', B: '4' }, stacks: { s: { C: '3', D: '5' } }, terraform: {} },
    });
  });
});

it('files of variables of both configurations are taken, in their order', () => {
  const of = (...varFiles: string[]) => ({ terraform: { varFiles } });
  expect(mergeConfigurations(of('a', 'b'), of('c')).terraform).toEqual({ varFiles: ['a', 'b', 'c'] });
  expect(mergeConfigurations(of('a'), {}).terraform).toEqual({ varFiles: ['a'] });
  expect(mergeConfigurations({}, {})).not.toHaveProperty('terraform');
});

it('defineConfig gives what it is given', () => {
  const content = { preset: 'strict' } as const;
  expect(defineConfig(content)).toBe(content);
});

describe('modules of rules', () => {
  const rule = (id: string, more = '') =>
    `{ id: '${id}', title: 'T', severity: 'error', messages: { bad: { text: 'Bad.', fix: 'Fix.' } }, *check() {}, ${more} }`;
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, 'rules'), { recursive: true });
    writeFileSync(join(folder, 'rules', name), text);
    return `customRules: [./rules/${name}]\n`;
  };

  it.each([
    ['default.cjs', `module.exports = ${rule('my-a')};`],
    ['named.cjs', `exports.a = ${rule('my-a')}; exports.other = 1;`],
    ['list.cjs', `module.exports = [${rule('my-a')}];`],
    ['lists.cjs', `exports.rules = [${rule('my-a')}];`],
    ['twice.cjs', `exports.a = ${rule('my-a')}; exports.default = exports.a;`],
    ['typed.ts', `const a: object = ${rule('my-a')}; export default [a];`],
  ])('%s', (name, text) => {
    expect(load(folder, 'with-rules.yaml', write(name, text)).configuration.customRules).toMatchObject([
      { id: 'my-a', docs: '', subject: 'custom', messages: { bad: { fix: { summary: 'Fix.' } } } },
    ]);
  });

  it('are set like others', () => {
    const modules = write('set.cjs', `module.exports = ${rule('my-a')};`);
    expect(load(folder, 'set.yaml', `${modules}rules: { my-a: warning }\n`).configuration.rules).toEqual({
      'my-a': 'warning',
    });
    expect(problemsOf(folder, 'set.yaml', `${modules}rules: { my-b: warning }\n`)).toEqual([
      'set.yaml:2:10: rules.my-b: there is no rule "my-b"; did you mean "my-a"?',
    ]);
  });

  it('have options, which are told with their place', () => {
    const modules = write(
      'optional.cjs',
      `module.exports = ${rule('my-a', "options: { style: { description: 'D', allowed: ['short', 'long'], default: 'short' } }")};`,
    );
    expect(
      load(folder, 'set.yaml', `${modules}rules: { my-a: { options: { style: long } } }\n`).configuration.rules,
    ).toEqual({ 'my-a': { options: { style: 'long' } } });
    expect(problemsOf(folder, 'set.yaml', `${modules}rules:\n  my-a:\n    options: { style: shrt }\n`)).toEqual([
      'set.yaml:4:16: rules.my-a.options.style: expected short or long, found "shrt"; did you mean "short"?',
    ]);
    expect(problemsOf(folder, 'set.yaml', `${modules}rules:\n  my-a:\n    options: { styl: short }\n`)).toEqual([
      'set.yaml:4:16: rules.my-a.options.styl: there is no option "styl"; did you mean "style"?',
    ]);
  });

  it('are the same from wherever they are loaded', () => {
    const modules = write('same.cjs', `exports.own = ${rule('my-a')};`);
    const file = load(folder, 'same.yaml', modules.replace(']', ', ./rules/../rules/same.cjs]')).configuration;
    expect(file.customRules).toHaveLength(1);
    // oxlint-disable-next-line typescript/no-require-imports
    const { own } = require(join(folder, 'rules/same.cjs')) as { own: CustomRule };
    const joined = mergeConfigurations(file, { customRules: [defineRule(own)] });
    expect(resolveConfiguration(joined, allRules).has('my-a')).toBe(true);
    expect(() => resolveConfiguration({ customRules: [defineRule(own), defineRule({ ...own })] }, allRules)).toThrow(
      'two custom rules have the id "my-a"',
    );
  });

  it.each([
    ['none.cjs', 'module.exports = { a: 1 };', 'it exports no rule; export what defineRule gives'],
    ['throws.cjs', 'throw new Error("no luck");', "it can't be loaded: no luck"],
    ['syntax.cjs', 'module.exports = {{;', "it can't be loaded: "],
    [
      'id.cjs',
      `module.exports = ${rule('My Rule')};`,
      'its rule "My Rule" is not whole: id: expected an id of small letters, digits and hyphens, found "My Rule"',
    ],
    [
      'severity.cjs',
      `module.exports = ${rule('my-a', "severity: 'eror'")};`,
      'its rule "my-a" is not whole: severity: expected error, warning or info, found "eror"; did you mean "error"?',
    ],
    [
      'clash.cjs',
      `module.exports = ${rule('imds-v1')};`,
      'the custom rule "imds-v1" has the id of a built-in rule; give it another',
    ],
    [
      'own.cjs',
      `module.exports = ${rule('rule-crashed')};`,
      'the custom rule "rule-crashed" has the id of a built-in rule',
    ],
    [
      'check.cjs',
      `module.exports = ${rule('my-a', 'check: 5')};`,
      'its rule "my-a" is not whole: check: expected a function',
    ],
    [
      'misspelt.cjs',
      `module.exports = ${rule('my-a', "stictSeverity: 'error'")};`,
      'its rule "my-a" is not whole: stictSeverity: there is no such setting of a rule; did you mean "strictSeverity"?',
    ],
    [
      'docs.cjs',
      `module.exports = ${rule('my-a', 'docs: 5')};`,
      'its rule "my-a" is not whole: docs: expected a text, found 5',
    ],
    [
      'default-option.cjs',
      `module.exports = ${rule('my-a', "options: { o: { description: 'D', allowed: ['a'], default: 'b' } }")};`,
      'its rule "my-a" is not whole: options.o.default: "b" is not one of the allowed values a',
    ],
    [
      'fix.cjs',
      `module.exports = ${rule('my-a', "messages: { bad: { text: 'Bad.', fix: 5 } }")};`,
      'its rule "my-a" is not whole: messages.bad.fix: expected a text, or a map with summary, summaryIn, code, safety, repairs and effect, found 5',
    ],
    ['two.cjs', `module.exports = [${rule('my-a')}, ${rule('my-a')}];`, 'two custom rules have the id "my-a"'],
  ])('%s can not be used', (name, text, problem) => {
    expect(problemsOf(folder, 'bad.yaml', write(name, text))).toEqual([expect.stringContaining(problem) as string]);
  });

  it('can come from a package', () => {
    mkdirSync(join(folder, 'node_modules/acme-rules'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/acme-rules/index.js'), `module.exports = ${rule('acme-a')};`);
    expect(load(folder, 'package.yaml', 'customRules: [acme-rules]\n').configuration.customRules).toMatchObject([
      { id: 'acme-a' },
    ]);
  });
});

it('reads the same from a path that is relative', () => {
  writeFileSync(join(folder, 'plain.json'), '{ "preset": "all" }');
  expect(loadConfigurationFile(join(folder, 'plain.json')).configuration).toEqual({ preset: 'all' });
});
