// Jest loads every module anew for each suite. With a suite for each of some 300 test files, that takes as long as the tests, so a
// whole run makes one suite of the files of a subject. `npx jest FILE` runs a file by itself.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { groupedBy } from './grouped-by.mjs';

/** What would reach the other files of a suite: time limits, replaced modules, and snapshots, which are found by the suite's name. */
const NEEDS_OWN_SUITE = /\bjest\.(?:setTimeout|mock)\(|\.toMatchSnapshot\(/;

/** Bytes of tests: for subjects with less, to load the modules takes longer than to run the tests, so those of a folder share a suite. */
const SMALL = 45_000;

/** Writes suites, and the configuration that runs them, into a folder. Gives its path, and how many test files there are. */
export function writeSuites(root, { projects, ...config }, folder) {
  const written = projects.map((project) => writeProject(root, project, join(folder, project.displayName)));
  const file = join(folder, 'jest.config.json');
  writeFileSync(file, JSON.stringify({ ...config, rootDir: root, projects: written.map((project) => project.config) }));
  return { config: file, files: written.reduce((sum, { files }) => sum + files, 0) };
}

function writeProject(root, project, folder) {
  mkdirSync(folder, { recursive: true });
  const roots = project.roots.map((path) => path.replace('<rootDir>', root));
  const ignored = project.testPathIgnorePatterns?.map((pattern) => new RegExp(pattern)) ?? [];
  const files = roots
    .flatMap((path) => readdirSync(path, { recursive: true }).map((name) => join(path, name)))
    .filter((file) => file.endsWith('.test.ts') && !ignored.some((pattern) => pattern.test(file)))
    .sort();
  const [alone, together] = [true, false].map((wanted) =>
    files.filter((file) => NEEDS_OWN_SUITE.test(readFileSync(file, 'utf8')) === wanted),
  );
  for (const [subject, members] of suitesOf(root, together)) {
    const parts = members.map(
      (file) => `describe(${JSON.stringify(relative(root, file))}, () => {\n  require(${JSON.stringify(file)});\n});\n`,
    );
    writeFileSync(join(folder, `${subject}.test.js`), parts.join(''));
  }
  const testMatch = [join(folder, '*.test.js'), ...alone].map((path) => path.replaceAll('\\', '/'));
  return { config: { ...project, rootDir: root, roots: [folder, ...roots], testMatch }, files: files.length };
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
