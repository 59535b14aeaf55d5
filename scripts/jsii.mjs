// npm run jsii: makes the module for CDK apps in other languages than TypeScript, packages/jsii. Its compiler is a dependency of that folder alone.
// npm run jsii -- --sources: also the sources of its packages for these languages, in packages/jsii/dist. Tools and registries of the languages make packages of them.
import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './install.mjs';
import { oneFolder } from './one-folder.mjs';

/** What somebody who uses the module has, too. */
const PEERS = ['aws-cdk-lib', 'constructs'];
const LANGUAGES = ['js', 'python', 'java', 'dotnet', 'go'];

const folder = join(root, 'packages/jsii');
const tool = (name) => join(folder, 'node_modules', name, 'bin', name);

const marker = join(folder, 'node_modules', '.package-lock.json');
if (!existsSync(marker) || statSync(marker).mtimeMs < statSync(join(folder, 'package-lock.json')).mtimeMs)
  run('npm', ['ci', '--loglevel=error'], { cwd: folder });

for (const made of ['engine', 'lib', 'dist', '.jsii', 'tsconfig.json'])
  rmSync(join(folder, made), { recursive: true, force: true });
await oneFolder('constructs/aws-cdk/other-languages.ts', join(folder, 'engine'), PEERS);
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
run(process.execPath, [tool('jsii'), '--silence-warnings', 'metadata/missing-dev-dependency'], { cwd: folder });
if (process.argv.includes('--sources'))
  run(process.execPath, [tool('jsii-pacmak'), '--code-only', ...LANGUAGES.flatMap((name) => ['--target', name])], {
    cwd: folder,
  });
