// Runs tests on sources with mutants built in, for scripts/mutation.mjs: a process of its own, because a mutant may never end.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import '../as-of.js';
import { installCommands } from './commands.mjs';
import { compileTypeScript, installMutants } from './compile.mjs';
import { collect, install, NEEDS_JEST } from './harness.mjs';

const [, , root, scratch, alwaysActive] = process.argv;
const require = createRequire(import.meta.url);
const stryker = installMutants(alwaysActive);
compileTypeScript(root, scratch, stryker);
install();
installCommands(root, scratch, stryker, alwaysActive);
require(join(root, 'test', 'property-seed.ts'));
const fc = require('fast-check');
// That a property fails is enough; a smaller case isn't wanted.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

const loaded = new Map();

/** A folder that a test has made, of which the end is another one in each process. */
const TEMPORARY = /(\/eks-guardrails-[\w-]*)[A-Za-z0-9]{6}(?=[/:])/g;

process.on('message', async (message) => {
  process.send(message.cover === undefined ? await judge(message) : await cover(message.cover));
});
process.send({ ready: true });

/** Runs the tests of a file without a mutant: which pass, in what time, and what mutants they come by. */
async function cover(file) {
  let byId;
  try {
    byId = testsOf(file);
  } catch (error) {
    return { tests: [], unusable: [{ id: file, why: firstLine(error) }], loadTime: [] };
  }
  const tests = [];
  const unusable = [];
  for (const [id, test] of byId) {
    const passed = await passing(id, file, test);
    if (passed.why === undefined) tests.push({ id, file, ...passed });
    else unusable.push({ id, why: passed.why });
  }
  stryker.currentTestId = undefined;
  return { tests, unusable, loadTime: Object.keys(stryker.mutantCoverage.static) };
}

/** Runs a test, and once more on a fresh load of its file if it fails: what is made while a file is loaded, its last hook may have removed. */
async function passing(id, file, test) {
  let why;
  for (const isAnew of [false, true]) {
    stryker.currentTestId = undefined;
    const start = process.cpuUsage();
    const { run } = isAnew ? reloaded(file).get(id) : test;
    stryker.currentTestId = id;
    try {
      await run();
      return { isAnew, milliseconds: spentSince(start), hits: stryker.mutantCoverage.perTest[id] ?? {} };
    } catch (error) {
      why = firstLine(error);
    } finally {
      delete stryker.mutantCoverage.perTest[id];
    }
  }
  return { why };
}

function firstLine(error) {
  if (/^Do not import `@jest\/globals`/.test(error?.message)) return NEEDS_JEST;
  return String(error?.message).split('\n', 1)[0];
}

/** Of the processor, so that what else the machine does decides nothing. */
function spentSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Runs tests under a mutant up to the first that fails. */
async function judge({ mutant, tests }) {
  for (const { id, file, hits, isAnew } of tests) {
    process.send({ begins: id });
    let test;
    try {
      test = (isAnew ? reloaded(file) : testsOf(file)).get(id);
    } catch {
      return { outcome: 'killed', by: `loading ${file}` };
    }
    // A table of tests that is made by the code itself may lack it.
    if (test === undefined) continue;
    const failed = await failsUnder(mutant, test, hits);
    if (stryker.hitCount > stryker.hitLimit) return { outcome: 'timeout', by: id };
    if (!failed) continue;
    // Something that the mutant made may be kept, and fail all later tests.
    const again = () => (isAnew ? reloaded(file).get(id) : test);
    const isSpoilt = alwaysActive === undefined && (await failsUnder(undefined, again(), hits));
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

/** The tests of a file that is loaded once more. */
function reloaded(file) {
  loaded.delete(file);
  delete require.cache[join(root, file)];
  return testsOf(file);
}

function testsOf(file) {
  if (!loaded.has(file)) loaded.set(file, new Map());
  const tests = loaded.get(file);
  if (tests.size > 0) return tests;
  for (const test of collect(() => require(join(root, file)))) {
    const id = `${file}: ${test.name.replaceAll(TEMPORARY, '$1')}`;
    tests.set(tests.has(id) ? `${id} (${tests.size})` : id, test);
  }
  return tests;
}
