// Loads TypeScript, with mutants built in where there are some, for the processes and threads of scripts/mutation.mjs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { join, relative } from 'node:path';
import { transformSync, version } from 'esbuild';

const require = createRequire(import.meta.url);

/** In place of a test: a file of tests that is being loaded. */
export const LOADING = 'loading';

/** As jest has them compiled. */
const OPTIONS = {
  loader: 'ts',
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  supported: { 'dynamic-import': false },
};

/**
 * Compiles what is required, or takes it from an earlier process: of the same run, which keeps it in `scratch`, or of an earlier one, if no mutants
 * are built in. What a module does while it is loaded is no test's doing, although one may be the first to need it; what a file of tests has done for
 * them meanwhile, such as reading what they all look at, counts as {@link LOADING}.
 */
export function compileTypeScript(root, scratch, stryker) {
  const sources = JSON.parse(readFileSync(join(scratch, 'sources.json'), 'utf8'));
  const kept = join(root, 'node_modules', '.cache', 'mutation');
  mkdirSync(kept, { recursive: true });
  const compile = (file) => {
    const mutated = sources[relative(root, file).replaceAll('\\', '/')];
    const text = mutated ?? readFileSync(file, 'utf8');
    const name = `${createHash('sha1').update(`${version} ${text}`).digest('hex')}.js`;
    const cached = join(mutated === undefined ? kept : scratch, name);
    if (!existsSync(cached)) {
      const unfinished = `${cached}.${process.pid}`;
      writeFileSync(unfinished, transformSync(text, { ...OPTIONS, sourcefile: file }).code);
      renameSync(unfinished, cached);
    }
    return readFileSync(cached, 'utf8');
  };
  require.extensions['.ts'] = (module, file) => {
    const { currentTestId } = stryker;
    stryker.currentTestId = file.endsWith('.test.ts') ? LOADING : undefined;
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
