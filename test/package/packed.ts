import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../cli/built-command';

/** By the names of their files. */
let tarballs: ReadonlyMap<string, Buffer> | undefined;

/** Writes into a folder what npm makes of the package, and of what it needs to run. Most of that is packing the package, so it is done once. */
export function writePacked(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of (tarballs ??= packed())) writeFileSync(join(folder, name), content);
}

function packed(): ReadonlyMap<string, Buffer> {
  const dependencies = ['commander', 'minisearch', 'toml-eslint-parser', 'yaml'].map((name) =>
    join(projectRoot, 'node_modules', name),
  );
  const ofParser = dirname(
    require.resolve('eslint-visitor-keys/package.json', {
      paths: [join(projectRoot, 'node_modules/toml-eslint-parser')],
    }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-packed-'));
  try {
    const sources = [projectRoot, ...dependencies, ofParser];
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, ...sources], { stdio: 'pipe' });
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
