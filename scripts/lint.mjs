// Everything that a machine can say of the sources: types and rules of the linter, format, layers, and what is unused.
// --sources: only what the sources tell by themselves. --built: the rest, which also looks into dist/. --production: without what only tests leave unused.
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
  ['knip/bin/knip.js', '--production'],
];
const OF_TESTS = [['knip/bin/knip.js']];

const asked = new Set(process.argv.slice(2));
const tools = [
  ...(asked.has('--sources') ? [] : BUILT),
  ...(asked.has('--sources') || asked.has('--production') ? [] : OF_TESTS),
  ...(asked.has('--built') ? [] : SOURCES),
];
for (const [tool, ...args] of tools) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`node_modules/${tool}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) continue;
  console.error(`${stdout}${stderr}`);
  process.exitCode = 1;
}
