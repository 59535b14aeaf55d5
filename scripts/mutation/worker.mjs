// Runs tests on sources with mutants built in, for scripts/mutation.mjs: a process of its own, because a mutant may never end.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import '../as-of.js';
import { installCommands } from './commands.mjs';
import { compileTypeScript, installMutants, LOADING } from './compile.mjs';
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

/** Runs the tests of a file without a mutant: which pass, in what time, and what mutants they come by, and what comes by them while it is loaded. */
async function cover(file) {
  const { perTest } = stryker.mutantCoverage;
  let byId;
  try {
    byId = testsOf(file);
  } catch (error) {
    return { tests: [], unusable: [{ id: file, why: firstLine(error) }], loadTime: [], atLoad: {} };
  }
  const atLoad = perTest[LOADING] ?? {};
  delete perTest[LOADING];
  const tests = [];
  const unusable = [];
  for (const [id, test] of byId) {
    const passed = await passing(id, file, test);
    if (passed.why === undefined) tests.push({ id, file, ...passed });
    else unusable.push({ id, why: passed.why });
  }
  stryker.currentTestId = undefined;
  delete perTest[LOADING];
  return { tests, unusable, loadTime: Object.keys(stryker.mutantCoverage.static), atLoad };
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
  const loadedUnder = new Set();
  try {
    for (const test of tests) {
      process.send({ begins: test.id });
      const outcome = await outcomeOf(mutant, test, loadedUnder);
      if (outcome !== undefined) return { outcome, by: test.id };
    }
    return { outcome: 'survived' };
  } finally {
    for (const file of loadedUnder) forget(file);
  }
}

/** What a test says of a mutant; undefined if it passes. Those whose file comes by the mutant while it is loaded, are loaded under it. */
async function outcomeOf(mutant, { id, file, hits, isAnew, isAtLoad }, loadedUnder) {
  let test;
  try {
    test = (isAtLoad ? testsUnder(mutant, file, hits, loadedUnder) : isAnew ? reloaded(file) : testsOf(file)).get(id);
  } catch {
    return stryker.hitCount > stryker.hitLimit ? 'timeout' : 'killed';
  }
  // A table of tests that is made by the code itself may lack it.
  if (test === undefined) return undefined;
  const failed = await failsUnder(mutant, test, hits);
  if (stryker.hitCount > stryker.hitLimit) return 'timeout';
  if (!failed) return undefined;
  // Something that the mutant made may be kept, and fail all later tests.
  const again = () => (isAnew || isAtLoad ? reloaded(file).get(id) : test);
  const isSpoilt = alwaysActive === undefined && (await failsUnder(undefined, again(), hits));
  return isSpoilt ? 'spoilt' : 'killed';
}

/** The tests of a file that is loaded under a mutant, once for all of them. */
function testsUnder(mutant, file, hits, loadedUnder) {
  if (loadedUnder.has(file)) return testsOf(file);
  loadedUnder.add(file);
  Object.assign(stryker, { activeMutant: mutant, hitCount: 0, hitLimit: 1000 + 100 * hits });
  try {
    return reloaded(file);
  } finally {
    stryker.activeMutant = alwaysActive;
  }
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
  forget(file);
  return testsOf(file);
}

function forget(file) {
  loaded.delete(file);
  delete require.cache[join(root, file)];
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
