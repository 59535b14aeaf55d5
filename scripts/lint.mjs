// Everything that a machine can say of the sources: types and rules of the linter, format, layers, and what is unused.
import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

const TOOLS = [
  ['oxlint/bin/oxlint', '--type-check', '--report-unused-disable-directives', '--deny-warnings'],
  ['@biomejs/biome/bin/biome', 'format', '.'],
  [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ...['--config', '.dependency-cruiser.mjs'],
    ...['lib', 'constructs', 'aspects'],
  ],
  ['knip/bin/knip.js'],
  ['knip/bin/knip.js', '--production'],
];

for (const [tool, ...args] of TOOLS) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`node_modules/${tool}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) continue;
  console.error(`${stdout}${stderr}`);
  process.exitCode = 1;
}
