// Jest finds, compiles and loads every module anew for each suite. With a suite for each of some 500 test files, that takes as long as the tests,
// so a whole run makes one suite of the files of a subject, and one file of all tests and what they import, which each suite loads: it is compiled once,
// nothing has to be found, and names lead straight to what they mean. `npx jest FILE` runs a file by itself, from the sources.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { groupedBy } from './grouped-by.mjs';

/** What would reach the other files of a suite: time limits, and snapshots, which are found by the suite's name. */
const NEEDS_OWN_SUITE = /\bjest\.setTimeout\(/;

/** What asks Jest for modules by their names. */
const NEEDS_SOURCES = /\bjest\.(?:mock|requireActual|isolateModules)\b|\.toMatchSnapshot\(/;

/** Bytes of tests: for subjects with less, to load the modules takes longer than to run the tests, so those of a folder share a suite. */
const SMALL = 45_000;

const BUNDLE = 'tests.js';

/** Writes suites, and the configuration that runs them, into a folder. Gives its path, and how many test files there are. */
export async function writeSuites(root, { projects, ...config }, folder) {
  const bundle = join(folder, BUNDLE);
  const written = projects.map((project) => writeProject(root, project, join(folder, project.displayName), bundle));
  const files = [...new Set(written.flatMap(({ bundled }) => bundled))];
  // The packages of the bundle are others than those that Jest gives to the files that set tests up: these do so again there.
  const setup = (projects[0].setupFiles ?? []).map((path) => path.replace('<rootDir>', root));
  await writeBundle(root, { files, setup }, bundle);
  const file = join(folder, 'jest.config.json');
  writeFileSync(file, JSON.stringify({ ...config, rootDir: root, projects: written.map((project) => project.config) }));
  return { config: file, files: written.reduce((sum, { files }) => sum + files, 0) };
}

function writeProject(root, project, folder, bundle) {
  mkdirSync(folder, { recursive: true });
  const roots = project.roots.map((path) => path.replace('<rootDir>', root));
  const ignored = project.testPathIgnorePatterns?.map((pattern) => new RegExp(pattern)) ?? [];
  const files = roots
    .flatMap((path) => readdirSync(path, { recursive: true }).map((name) => join(path, name)))
    .filter((file) => file.endsWith('.test.ts') && !ignored.some((pattern) => pattern.test(file)))
    .sort();
  const kinds = groupedBy(files, (file) => {
    const text = readFileSync(file, 'utf8');
    return NEEDS_SOURCES.test(text) ? 'jest' : NEEDS_OWN_SUITE.test(text) ? 'alone' : 'together';
  });
  const suites = suitesOf(root, kinds.get('together') ?? []);
  for (const file of kinds.get('alone') ?? []) suites.set(nameOf(root, file), [file]);
  for (const [name, members] of suites) {
    const parts = members
      .map((file) => JSON.stringify(relative(root, file)))
      .map((file) => `describe(${file}, tests[${file}]);\n`);
    writeFileSync(join(folder, `${name}.test.js`), `const tests = require('../${BUNDLE}');\n${parts.join('')}`);
  }
  const testMatch = [join(folder, '*.test.js'), ...(kinds.get('jest') ?? [])].map((path) => path.replaceAll('\\', '/'));
  const config = {
    ...project,
    rootDir: root,
    roots: [folder, ...roots],
    testMatch,
    modulePaths: [join(root, 'node_modules')],
    testRunner: join(root, 'scripts', 'jest-runner.js'),
    testEnvironmentOptions: { bundle },
    // What isn't compiled must not come from the cache of what is: the worker that finds it there looks there for its map, too, and finds none.
    transformIgnorePatterns: ['/node_modules/', '\\.js$'],
  };
  return { config, bundled: [...suites.values()].flat(), files: files.length };
}

function nameOf(root, file) {
  return relative(join(root, 'test'), file)
    .replace(/\.test\.ts$/, '')
    .replaceAll(/[\\/]/g, '-');
}

/** By name: `rules-vpc-cni` has test/rules/vpc-cni/vpc-cni-env.test.ts, and `rules-others` what is small. */
function suitesOf(root, files) {
  const folderOf = (file, depth) =>
    relative(join(root, 'test'), file).split(/[\\/]/).slice(0, -1).slice(0, depth).join('-');
  const subjects = groupedBy(files, (file) => folderOf(file, 2));
  return groupedBy(files, (file) => {
    const members = subjects.get(folderOf(file, 2));
    const isSmall = members.reduce((sum, member) => sum + statSync(member).size, 0) < SMALL;
    return isSmall ? `${folderOf(file, 1)}-others` : folderOf(file, 2);
  });
}

/** Writes a module with the test files, by their names and each to be called, and all that they import, but packages. */
async function writeBundle(root, { files, setup }, outfile) {
  const members = files.map(
    (file) => `${JSON.stringify(relative(root, file))}: () => { require(${JSON.stringify(file)}); },\n`,
  );
  await build({
    // Jest reads the map of the bundle for the first stack that leads into it, and what it fails to read then, it never reads again. That first
    // stack may be the one of a test without an end to its recursion, where nothing has room to be read: so each suite begins with one here.
    stdin: {
      contents: `void new Error().stack;\n${setup.map((file) => `require(${JSON.stringify(file)});\n`).join('')}module.exports = {\n${members.join('')}};\n`,
      resolveDir: root,
    },
    absWorkingDir: root,
    outfile,
    bundle: true,
    packages: 'external',
    // Packages are loaded by the worker, see jest-environment.js.
    banner: { js: "require = globalThis[Symbol.for('eks-guardrails: packages')](require);" },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    // Jest loads modules that are imported late as the others.
    supported: { 'dynamic-import': false },
    logLevel: 'error',
    plugins: [
      {
        name: 'sources',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: sourceOf(path), loader: 'ts' }));
        },
      },
    ],
  });
}

/** Modules keep the names of their own files, and what they load late is in the suite, too. */
function sourceOf(path) {
  const text = readFileSync(path, 'utf8');
  const names = [
    ['__dirname', dirname(path)],
    ['__filename', path],
  ].filter(([name]) => text.includes(name));
  const late = /^const load = createRequire\(__filename\);$/m.test(text)
    ? text.replaceAll(/\bload\((?='[^']+'\))/g, 'require(')
    : text;
  // On the same line, so that all lines keep their numbers.
  return names.map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`).join('') + late;
}
