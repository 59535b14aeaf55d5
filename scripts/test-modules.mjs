// Loads modules of test/ without jest: their TypeScript is compiled as it is read, and what they import from lib/ comes from dist/.
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import './as-of.js';
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
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (request, parent, ...rest) => {
    if (!request.startsWith('.') || parent?.filename === undefined) return resolve(request, parent, ...rest);
    const target = join(parent.filename, '..', request);
    return resolve(
      target.startsWith(sources) ? join(root, 'dist', 'lib', target.slice(sources.length)) : request,
      parent,
      ...rest,
    );
  };
  globalThis.expect = require('expect').expect;
}
