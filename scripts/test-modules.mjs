// Loads modules of test/ without jest: their TypeScript is compiled as it is read, and what they import from lib/ comes from dist/.
import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import './as-of.js';
import { built } from './built.mjs';
import { root } from './install.mjs';

const require = createRequire(import.meta.url);
const sources = join(root, 'lib');

/** @param {string} path from the root of the repository */
export function requireTestModule(path) {
  install();
  return require(join(root, path));
}

let isInstalled = false;

function install() {
  if (isInstalled) return;
  isInstalled = true;
  const ts = require('typescript');
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  require.extensions['.ts'] = (module, file) =>
    module._compile(
      ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions: options, fileName: file }).outputText,
      file,
    );
  const load = Module._load;
  Module._load = (request, parent, ...rest) => {
    const target = request.startsWith('.') && parent?.filename ? join(parent.filename, '..', request) : '';
    if (!target.startsWith(sources)) return load(request, parent, ...rest);
    const id = relative(sources, target).replaceAll('\\', '/');
    return built(existsSync(`${target}.ts`) ? id : join(id, 'index'));
  };
  globalThis.expect = require('expect').expect;
}
