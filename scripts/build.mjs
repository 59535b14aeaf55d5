// Compiles the package into dist/. The new tree is made beside the old one and put in its place at the end, so that
// nobody who runs the command meanwhile sees half of it.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { oneFolder } from './one-folder.mjs';
import { keepReachable } from './reachable.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const cache = join(root, 'node_modules', '.cache', 'eks-guardrails');
const fresh = join(cache, `dist-${process.pid}`);
const old = join(cache, `old-${process.pid}`);

mkdirSync(cache, { recursive: true });
try {
  const { status } = spawnSync(
    process.execPath,
    ['--max-semi-space-size=64', join(root, 'scripts', 'compile.mjs'), fresh],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('the sources do not compile; dist/ is as it was');

  // Data tables are read at run time, from beside the code that reads them.
  cpSync(join(root, 'lib/knowledge/data'), join(fresh, 'lib/knowledge/data'), {
    recursive: true,
    filter: (file) => !/\.(ts|md)$/.test(file),
  });
  // So are the pages of the rules, when somebody asks for what they say.
  for (const page of readdirSync(join(root, 'lib/rules'), { recursive: true }).filter((name) => name.endsWith('.md')))
    cpSync(join(root, 'lib/rules', page), join(fresh, 'lib/rules', page));

  const command = join(fresh, 'lib/cli/main.js');
  if (!readFileSync(command, 'utf8').startsWith('#!/usr/bin/env node\n'))
    throw new Error(`${command} does not begin with #!/usr/bin/env node`);
  // The start-up of the command is what users wait for.
  bundle(join(fresh, 'lib'));
  keepReachable(fresh, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  chmodSync(command, 0o755);
  // The runtime of Lambda has AWS's SDK.
  await oneFolder('lib/hook/handler.ts', join(fresh, 'hook/function'), ['@aws-sdk/*']);
  for (const template of ['account.yaml', 'organization.yaml'])
    cpSync(join(root, 'lib/hook', template), join(fresh, 'hook', template));

  swap();
} catch (error) {
  console.error(`build: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Another build may put its own tree in place between our two steps; then it is that one's turn to go. */
function swap() {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(dist, `${old}-${attempt}`);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(fresh, dist);
      break;
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code) || attempt >= 10) throw error;
    } finally {
      rmSync(`${old}-${attempt}`, { recursive: true, force: true });
    }
  }
}
