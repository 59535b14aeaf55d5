// Installs the dependencies when they are missing or older than the lockfile, so that one command is enough on a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export function installIfMissing() {
  const marker = join(root, 'node_modules', '.package-lock.json');
  const lockfile = join(root, 'package-lock.json');
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lockfile).mtimeMs) return;
  console.log('Installing dependencies (npm ci) …');
  run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error']);
}

/** Runs a program with the terminal attached; ends this process with its exit code when it fails. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (result.error) throw result.error;
  if (result.status !== 0) process.exit(result.status ?? 1);
}
