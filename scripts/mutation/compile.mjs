// Loads TypeScript, with mutants built in where there are some, for the processes and threads of scripts/mutation.mjs.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { join, relative } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Compiles what is required, or takes it from an earlier process of the same run, which keeps it in `scratch`. What a module does while it is loaded
 * is no test's doing, although one may be the first to need it.
 */
export function compileTypeScript(root, scratch, stryker) {
  const sources = JSON.parse(readFileSync(join(scratch, 'sources.json'), 'utf8'));
  const compile = (file) => {
    const text = sources[relative(root, file).replaceAll('\\', '/')] ?? readFileSync(file, 'utf8');
    const cached = join(scratch, `${createHash('sha1').update(text).digest('hex')}.js`);
    if (!existsSync(cached)) {
      const ts = require('typescript');
      const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
      writeFileSync(cached, ts.transpileModule(text, { compilerOptions, fileName: file }).outputText);
    }
    return readFileSync(cached, 'utf8');
  };
  require.extensions['.ts'] = (module, file) => {
    const { currentTestId } = stryker;
    stryker.currentTestId = undefined;
    try {
      module._compile(compile(file), file);
    } finally {
      stryker.currentTestId = currentTestId;
    }
  };
  // A late import names the file that will be there after the build.
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, parent, ...more) => {
    const isOfSource = parent?.filename?.endsWith('.ts') && /^\.\.?\/.*\.js$/.test(name);
    return resolve(
      isOfSource && existsSync(join(parent.path, name.replace(/\.js$/, '.ts'))) ? name.replace(/\.js$/, '.ts') : name,
      parent,
      ...more,
    );
  };
}

/** What the mutants built in ask which of them is active, and tell that they were come by. */
export function installMutants(alwaysActive) {
  return (globalThis.__stryker__ = { mutantCoverage: { static: {}, perTest: {} }, activeMutant: alwaysActive });
}
