// Everything that a machine can say of the sources: types and rules of the linter, format, layers, and what is unused.
// --sources: only what the sources tell by themselves. --built: the rest, which also looks into dist/.
import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

const SOURCES = [
  ['@biomejs/biome/bin/biome', 'format', '.'],
  [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ...['--config', '.dependency-cruiser.mjs'],
    ...['lib', 'constructs', 'aspects'],
  ],
];
const BUILT = [
  ['oxlint/bin/oxlint', '--type-check', '--report-unused-disable-directives', '--deny-warnings'],
  ['knip/bin/knip.js'],
  ['knip/bin/knip.js', '--production'],
];

const [part] = process.argv.slice(2);
for (const [tool, ...args] of part === '--sources' ? SOURCES : part === '--built' ? BUILT : [...BUILT, ...SOURCES]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`node_modules/${tool}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) continue;
  console.error(`${stdout}${stderr}`);
  process.exitCode = 1;
}
