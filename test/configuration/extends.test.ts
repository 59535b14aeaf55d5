import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { loadConfigurationFile, mergeConfigurations, type ConfigurationFile } from '../../lib/configuration';
import { resolveConfiguration } from '../../lib/engine';
import { allRules } from '../../lib/rules';
import { workspace } from '../cli/workspace';
import { problemsOf } from './configurations';

const root = workspace({ placeholder: '' });
const NAME = 'eks-guardrails.config.yaml';
let made = 0;

/** A repository for one test. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(++made));
  for (const [name, content] of Object.entries({ '.git/HEAD': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

function load(folder: string, runsCode = true): ConfigurationFile {
  return loadConfigurationFile(join(folder, NAME), { runsCode });
}

function problems(files: Readonly<Record<string, string>>, prepare: (folder: string) => void = () => undefined) {
  const folder = project(files);
  prepare(folder);
  return problemsOf(folder, NAME, files[NAME] ?? '');
}

function settings({ configuration }: ConfigurationFile) {
  return resolveConfiguration(configuration, allRules);
}

const rule = (id: string, more = '') =>
  `{ id: '${id}', title: 'T', severity: 'error', messages: { bad: { text: 'Bad.', fix: 'Fix.' } }, *check() {}, ${more} }`;

describe('what a configuration extends', () => {
  it('is won over by what comes later, and all of it by the file itself', () => {
    const folder = project({
      [NAME]:
        'extends: [./one.yaml, ./two.json]\nrules: { imds-v1: info, imds-hop-limit: { options: { hopLimitOne: warning } } }\n',
      'one.yaml':
        'preset: strict\nfailOn: warning\nasOf: "2026-01-31"\nrules: { imds-v1: off, imds-instance-tags: off, imds-hop-limit: { level: info, options: { hopLimitOne: allow } } }\nparameters: { cloudformation: { A: 1.30, B: b }, stacks: { s: { C: c } }, terraform: { e: 1, f: f } }\n',
      'two.json':
        '{ "failOn": "never", "rules": { "imds-v1": "error", "imds-instance-tags": { "level": "warning" } }, "parameters": { "cloudformation": { "B": "two" }, "stacks": { "s": { "D": "d" } }, "terraform": { "f": "two" } } }',
    });
    const file = load(folder);
    expect(file).toMatchObject({
      failOn: 'never',
      configuration: {
        preset: 'strict',
        asOf: '2026-01-31',
        parameters: {
          cloudformation: { A: '1.30', B: 'two' },
          stacks: { s: { C: 'c', D: 'd' } },
          terraform: { e: 1, f: 'two' },
        },
      },
      leftOut: [],
    });
    expect(['imds-v1', 'imds-instance-tags', 'imds-hop-limit'].map((id) => settings(file).get(id))).toEqual([
      { level: 'info', options: {} },
      { level: 'warning', options: {} },
      { level: 'info', options: { hopLimitOne: 'warning' } },
    ]);
    expect([file.bases, file.files].map((files) => files.map((path) => relative(folder, path)))).toEqual([
      ['one.yaml', 'two.json'],
      [NAME, 'one.yaml', 'two.json'],
    ]);
    // The environment wins over files, whichever of them says it.
    expect(mergeConfigurations(file.configuration, {}).asOf).toBe(process.env['EKS_GUARDRAILS_AS_OF']);
  });

  it('is told from the file that names it, and so are the paths in it', () => {
    const folder = project({
      [`app/${NAME}`]: 'extends: ../shared/base.yaml\nterraform: { varFiles: [own.tfvars] }\n',
      'shared/base.yaml':
        'extends: sub/deeper.yaml\nterraform: { varFiles: [a.tfvars] }\ncustomRules: [./rules.cjs]\nignores: [{ rule: imds-v1, resource: "*", file: legacy/**, reason: Known }]\n',
      'shared/sub/deeper.yaml': 'preset: all\nterraform: { varFiles: [b.tfvars] }\n',
      'shared/rules.cjs': `module.exports = ${rule('acme-a')};`,
    });
    const { configuration, bases, ruleFiles } = load(join(folder, 'app'));
    expect(configuration).toMatchObject({ preset: 'all', customRules: [{ id: 'acme-a' }] });
    expect(configuration.terraform?.varFiles?.map((file) => relative(folder, file))).toEqual([
      'shared/sub/b.tfvars',
      'shared/a.tfvars',
      'app/own.tfvars',
    ]);
    expect(configuration.ignores?.map((ignore) => relative(folder, ignore.folder ?? ''))).toEqual(['shared']);
    expect(bases.map((file) => relative(folder, file))).toEqual(['shared/sub/deeper.yaml', 'shared/base.yaml']);
    expect([...ruleFiles].map(([id, file]) => [id, relative(folder, file)])).toEqual([['acme-a', 'shared/rules.cjs']]);
  });

  it.each([
    ['by main', { 'package.json': '{ "main": "base.yaml" }', 'base.yaml': 'preset: strict\n' }],
    ['by exports', { 'package.json': '{ "exports": "./base.json" }', 'base.json': '{ "preset": "strict" }' }],
    ['without either', { 'package.json': '{}', [NAME]: 'preset: strict\n' }],
    ['as a program', { 'index.js': 'module.exports = { preset: "strict" };' }],
  ])('may be a package, %s', (_, files) => {
    for (const name of ['eks-guardrails-config-acme', '@acme/eks-guardrails-config']) {
      const installed = Object.entries(files).map(([file, text]) => [`node_modules/${name}/${file}`, text] as const);
      const folder = project({
        ...Object.fromEntries(installed),
        [`app/${NAME}`]: `extends: ["${name}"]\n`,
      });
      expect(load(join(folder, 'app')).configuration).toMatchObject({ preset: 'strict' });
    }
  });

  it('may be a file of a package, whose patterns of files count from the file that is used', () => {
    const folder = project({
      [NAME]: 'extends: acme/strict.yaml\n',
      'node_modules/acme/package.json': '{ "name": "acme" }',
      'node_modules/acme/strict.yaml':
        'extends: ./base.yaml\nignores: [{ rule: imds-v1, resource: "*", file: legacy/**, reason: Known }]\n',
      'node_modules/acme/base.yaml':
        'ignores: [{ rule: imds-v1, resource: "*", file: old/**, reason: Known }]\ncustomRules: [./rules]\n',
      'node_modules/acme/rules/index.js': `module.exports = ${rule('acme-a')};`,
    });
    const { ignores = [], customRules } = load(folder).configuration;
    expect(ignores.map((ignore) => [ignore.file, relative(folder, ignore.folder ?? ''), ignore.isShared])).toEqual([
      ['old/**', '', true],
      ['legacy/**', '', true],
    ]);
    expect(customRules).toMatchObject([{ id: 'acme-a' }]);
  });

  it('counts once on whatever ways it is reached', () => {
    const folder = project({
      [NAME]: 'extends: [./a.yaml, ./b.yaml]\nrules: { acme-a: warning }\n',
      'a.yaml': 'extends: ./base.yaml\n',
      'b.yaml': 'extends: [./base.yaml]\nrules: { acme-a: info }\n',
      'base.yaml': 'ignores: [{ rule: imds-v1, resource: "*", reason: Known }]\ncustomRules: [./rules.cjs]\n',
      'rules.cjs': `module.exports = ${rule('acme-a')};`,
    });
    const file = load(folder);
    expect(file.configuration).toMatchObject({ ignores: [{ rule: 'imds-v1' }], customRules: [{ id: 'acme-a' }] });
    expect(settings(file).get('acme-a')?.level).toBe('warning');
    expect(file.bases.map((path) => relative(folder, path))).toEqual(['base.yaml', 'a.yaml', 'b.yaml']);
  });

  it('is known by the places of its settings', () => {
    const folder = project({
      [NAME]: 'extends: ./base.yaml\nrules:\n  imds-v1: { options: {} }\nterraform: { varFiles: [b] }\n',
      'base.yaml':
        'preset: all\nfailOn: never\nrules:\n  imds-v1: off\n  imds-hop-limit: { options: { hopLimitOne: allow } }\nparameters: { stacks: { s: { A: 1 } }, terraform: { b: 2 } }\nterraform: { varFiles: [a] }\n',
    });
    expect([...load(folder).origins].map(([name, place]) => [name, relative(folder, place)])).toEqual([
      ['preset', 'base.yaml:1:1'],
      ['failOn', 'base.yaml:2:1'],
      ['rules.imds-v1.level', 'base.yaml:4:3'],
      ['rules.imds-hop-limit.options.hopLimitOne', 'base.yaml:5:32'],
      ['parameters.stacks.s.A', 'base.yaml:6:30'],
      ['parameters.terraform.b', 'base.yaml:6:53'],
      ['terraform.varFiles[0]', 'base.yaml:7:25'],
      ['terraform.varFiles[1]', `${NAME}:4:25`],
    ]);
  });
});

describe('what can not be extended', () => {
  const outside = join(root, 'outside.yaml');
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a number',
      { [NAME]: 'extends: 5\n' },
      `${NAME}:1:1: extends: expected the path of a configuration file, or the name of a package, or a list, found 5`,
    ],
    [
      'nothing',
      { [NAME]: 'extends: ""\n' },
      `${NAME}:1:1: extends: expected the path of a configuration file, or the name of a package, or a list, found ""`,
    ],
    ['a list with a map', { [NAME]: 'extends:\n  - ./a.yaml\n  - {}\n' }, `${NAME}:3:5: extends[1]: expected the path`],
    [
      'a file that is not there',
      { [NAME]: 'preset: all\nextends: ./bsae.yaml\n', 'base.yaml': '' },
      `${NAME}:2:1: extends: ./bsae.yaml: there is no such file or folder; did you mean "base.yaml"?`,
    ],
    [
      'a package that is not there',
      { [NAME]: 'extends: [acme]\n' },
      `${NAME}:1:11: extends[0]: acme: there is no such file, and no package of this name is installed; it would be acme, or in node_modules of its folder`,
    ],
    ['a module of Node.js', { [NAME]: 'extends: fs\n' }, 'fs: there is no such file, and no package'],
    [
      'a package without configuration',
      { [NAME]: 'extends: acme\n', 'node_modules/acme/package.json': '{}' },
      'acme: the package (node_modules/acme) has no "main", and no eks-guardrails.config.*',
    ],
    [
      'a package with two',
      {
        [NAME]: 'extends: acme\n',
        'node_modules/acme/package.json': '{}',
        [`node_modules/acme/${NAME}`]: '',
        'node_modules/acme/eks-guardrails.config.json': '{}',
      },
      'and several files eks-guardrails.config.*',
    ],
    ['a folder', { [NAME]: 'extends: ./base\n', 'base/a.yaml': '' }, 'base: it is a folder, not a file'],
    [
      'itself',
      { [NAME]: `extends: ./${NAME}\n` },
      `${NAME}:1:1: extends: these files extend each other in a circle: ${NAME}, ${NAME}`,
    ],
    [
      'a circle',
      {
        [NAME]: 'extends: ./a.yaml\n',
        'a.yaml': 'extends: [./b.yaml]\n',
        'b.yaml': 'preset: all\nextends: ./a.yaml\n',
      },
      'b.yaml:2:1: extends: these files extend each other in a circle: a.yaml, b.yaml, a.yaml',
    ],
    [
      'a file outside of the repository',
      { [NAME]: 'extends: ../outside.yaml\n' },
      'extends: ../outside.yaml: it is outside of the repository or folder of this configuration file, so it is not read',
    ],
    [
      "git's own data",
      { [NAME]: 'extends: ./.git/config.yaml\n', '.git/config.yaml': '' },
      'it is outside of the repository',
    ],
    [
      'what is wrong itself',
      { [NAME]: 'extends: ./a.yaml\n', 'a.yaml': 'failOn: error\npresett: all\n' },
      'a.yaml:2:1: presett: there is no setting "presett"; did you mean "preset"?',
    ],
    [
      'what knows no such rule',
      { [NAME]: 'extends: ./a.yaml\nrules: { acme-a: off }\n', 'a.yaml': '{}' },
      `${NAME}:2:10: rules.acme-a: there is no rule "acme-a"`,
    ],
    [
      'rules of others that only this file knows',
      {
        [NAME]: 'extends: ./a.yaml\ncustomRules: [./rules.cjs]\n',
        'a.yaml': 'rules: { acme-a: off }\n',
        'rules.cjs': `module.exports = ${rule('acme-a')};`,
      },
      'a.yaml:1:10: rules.acme-a: there is no rule "acme-a"',
    ],
    [
      'two rules with one id, of the file and what it extends',
      {
        [NAME]: 'extends: ./a.yaml\ncustomRules: [./own.cjs]\n',
        'a.yaml': 'customRules: [./rules.cjs]\n',
        'rules.cjs': `module.exports = ${rule('acme-a')};`,
        'own.cjs': `module.exports = ${rule('acme-a')};`,
      },
      `${NAME}:2:15: customRules[0]: ./own.cjs: two custom rules have the id "acme-a", one in rules.cjs, the other in own.cjs`,
    ],
    [
      'two rules with one id, of two',
      {
        [NAME]: 'extends: [./a.yaml, ./b.yaml]\n',
        'a.yaml': 'customRules: [./a.cjs]\n',
        'b.yaml': 'customRules: [./b.cjs]\n',
        'a.cjs': `module.exports = ${rule('acme-a')};`,
        'b.cjs': `module.exports = ${rule('acme-a')};`,
      },
      `${NAME}:1:1: extends: two custom rules have the id "acme-a", one in a.cjs, the other in b.cjs`,
    ],
  ])('%s', (_, files, problem) => {
    writeFileSync(outside, 'preset: all\n');
    expect(problems(files).map((text) => text.slice(0, 400))).toEqual([expect.stringContaining(problem) as string]);
  });

  it('links and packages that lead out of the repository', () => {
    writeFileSync(outside, 'preset: all\n');
    expect(
      problems({ [NAME]: 'extends: ./link.yaml\n' }, (folder) => {
        symlinkSync(outside, join(folder, 'link.yaml'));
      }),
    ).toEqual([expect.stringContaining('./link.yaml: it is outside of the repository') as string]);
    const elsewhere = project({ 'package.json': '{ "main": "a.yaml" }', 'a.yaml': 'preset: all\n' });
    expect(
      problems({ [NAME]: 'extends: acme\n' }, (folder) => {
        mkdirSync(join(folder, 'node_modules'));
        symlinkSync(elsewhere, join(folder, 'node_modules/acme'), 'dir');
      }),
    ).toEqual([
      expect.stringMatching(/acme: it is installed as .*a\.yaml, which is outside of the repository/) as string,
    ]);
    const main = project({
      [NAME]: 'extends: acme\n',
      'node_modules/acme/package.json': '{ "main": "../../../outside.yaml" }',
    });
    expect(() => load(main)).toThrow('outside.yaml, which is outside of the repository');
    // A link within, as package managers and workspaces make them, is none of that.
    const workspaces = project({
      [NAME]: 'extends: acme\n',
      'packages/acme/package.json': '{}',
      [`packages/acme/${NAME}`]: 'extends: ../base.yaml\n',
      'packages/base.yaml': 'preset: all\n',
      'node_modules/.keep': '',
    });
    symlinkSync(join(workspaces, 'packages/acme'), join(workspaces, 'node_modules/acme'), 'dir');
    expect(load(workspaces).configuration.preset).toBe('all');
  });

  it('more levels than anybody needs', () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [
          index === 0 ? NAME : `${index}.yaml`,
          index === length - 1 ? 'preset: all\n' : `extends: ./${index + 1}.yaml\n`,
        ]),
      );
    expect(load(project(chain(17))).configuration.preset).toBe('all');
    expect(problems(chain(18))).toEqual(['16.yaml:1:1: extends: more than 16 configurations extend one another']);
  });
});

describe('what is extended where code may not run', () => {
  const trace = join(project({}), 'ran');
  const program = `require('node:fs').writeFileSync(${JSON.stringify(trace)}, ''); module.exports = { failOn: 'never' };\n`;

  it('is data only, and what is left out is told', () => {
    const folder = project({
      [NAME]: 'extends: [acme, ./data.yaml]\nrules: { acme-a: error, imds-v1: off }\n',
      'node_modules/acme/index.js': program,
      'data.yaml':
        'preset: strict\ncustomRules:\n  - ./rules.cjs\nignores: [{ rule: acme-a, resource: A, reason: Known }, { rule: imds-v1, resource: B, reason: Known }]\n',
      'rules.cjs': program,
    });
    const { leftOut, configuration, files } = load(folder, false);
    expect(existsSync(trace)).toBe(false);
    expect(
      leftOut.map(({ severity, file, line, column, message }) => [
        severity,
        relative(folder, file),
        line,
        column,
        message.split(',', 1)[0],
      ]),
    ).toEqual([
      [
        'error',
        'node_modules/acme/index.js',
        1,
        1,
        'this configuration is a program and was not run (--no-config-code)',
      ],
      [
        'error',
        'data.yaml',
        3,
        5,
        'the rules of ./rules.cjs are code and were not run (--no-config-code); allow --config-code where only trusted changes are checked',
      ],
    ]);
    expect(configuration).toMatchObject({
      preset: 'strict',
      rules: { 'imds-v1': { level: 'off' } },
      ignores: [{ resource: 'B' }],
    });
    expect(configuration.rules).not.toHaveProperty('acme-a');
    expect(files.map((file) => relative(folder, file))).toEqual([NAME, 'node_modules/acme/index.js', 'data.yaml']);
  });

  it('is taken as a whole if it is data', () => {
    const folder = project({
      [NAME]: 'extends: acme\n',
      'node_modules/acme/package.json': '{ "main": "a.json" }',
      'node_modules/acme/a.json': '{ "failOn": "never" }',
    });
    expect(load(folder, false)).toMatchObject({ failOn: 'never', leftOut: [] });
  });
});
