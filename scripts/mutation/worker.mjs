// Runs tests on sources with mutants built in, for scripts/mutation.mjs: a process of its own, because a mutant may never end.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import '../as-of.js';
import { collect, install } from './harness.mjs';

const [, , root, scratch, alwaysActive] = process.argv;
const require = createRequire(import.meta.url);
const stryker = (globalThis.__stryker__ = { mutantCoverage: { static: {}, perTest: {} }, activeMutant: alwaysActive });
const sources = JSON.parse(readFileSync(join(scratch, 'sources.json'), 'utf8'));
compileTypeScript();
install();
require(join(root, 'test', 'property-seed.ts'));
const fc = require('fast-check');
// That a property fails is enough; a smaller case isn't wanted.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

const loaded = new Map();

process.on('message', async (message) => {
  process.send(message.cover === undefined ? await judge(message) : await cover(message.cover));
});
process.send({ ready: true });

/** Runs the tests of a file without a mutant: which pass, in what time, and what mutants they come by. */
async function cover(file) {
  const tests = [];
  let failures = 0;
  for (const [id, { run }] of loadable(file)) {
    stryker.currentTestId = id;
    const start = process.cpuUsage();
    try {
      await run();
      tests.push({ id, file, milliseconds: spentSince(start), hits: stryker.mutantCoverage.perTest[id] ?? {} });
    } catch (error) {
      failures += 1;
      console.error(`${id}: ${error?.message}`);
    }
    delete stryker.mutantCoverage.perTest[id];
  }
  stryker.currentTestId = undefined;
  return { tests, failures, loadTime: Object.keys(stryker.mutantCoverage.static) };
}

/** Of the processor, so that what else the machine does decides nothing. */
function spentSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Of files that only jest can load, no test. */
function loadable(file) {
  try {
    return testsOf(file);
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    return [];
  }
}

/** Runs tests under a mutant up to the first that fails. */
async function judge({ mutant, tests }) {
  for (const { id, file, hits } of tests) {
    process.send({ begins: id });
    let test;
    try {
      test = testsOf(file).get(id);
    } catch {
      return { outcome: 'killed', by: `loading ${file}` };
    }
    // A table of tests that is made by the code itself may lack it.
    if (test === undefined) continue;
    const failed = await failsUnder(mutant, test, hits);
    if (stryker.hitCount > stryker.hitLimit) return { outcome: 'timeout', by: id };
    if (!failed) continue;
    // Something that the mutant made may be kept, and fail all later tests.
    const isSpoilt = alwaysActive === undefined && (await failsUnder(undefined, test, hits));
    return { outcome: isSpoilt ? 'spoilt' : 'killed', by: id };
  }
  return { outcome: 'survived' };
}

async function failsUnder(mutant, { run }, hits) {
  Object.assign(stryker, { activeMutant: mutant, hitCount: 0, hitLimit: 1000 + 100 * hits });
  try {
    await run();
    return false;
  } catch {
    return true;
  } finally {
    stryker.activeMutant = alwaysActive;
  }
}

function testsOf(file) {
  if (!loaded.has(file)) loaded.set(file, new Map());
  const tests = loaded.get(file);
  if (tests.size > 0) return tests;
  for (const test of collect(() => require(join(root, file)))) {
    const id = `${file}: ${test.name}`;
    tests.set(tests.has(id) ? `${id} (${tests.size})` : id, test);
  }
  return tests;
}

/** Compiles what is required, or takes it from an earlier process of the same run. */
function compileTypeScript() {
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
  require.extensions['.ts'] = (module, file) => module._compile(compile(file), file);
}
