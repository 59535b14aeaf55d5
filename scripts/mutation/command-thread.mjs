// The thread of scripts/mutation/commands.mjs: that of test/cli/command-worker.js, with the sources in place of the compiled command.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { compileTypeScript, installMutants } from './compile.mjs';

const require = createRequire(import.meta.url);
const { root, scratch, alwaysActive, port, signal } = workerData;
const stryker = installMutants(alwaysActive);
compileTypeScript(root, scratch, stryker);
let isAsked = false;
// Each request says which mutant is active, each answer which ones were come by.
workerData.port = {
  on: (event, hear) =>
    port.on(event, ({ mutation, ...request }) => {
      isAsked = true;
      Object.assign(stryker, mutation);
      hear(request);
    }),
  postMessage: (answer) => {
    isAsked = false;
    const hits = stryker.mutantCoverage.perTest[stryker.currentTestId] ?? {};
    stryker.mutantCoverage.perTest = {};
    port.postMessage({ ...answer, hits, loadTime: stryker.mutantCoverage.static });
  },
};
// Modules of a user may end it, or fail when nobody waits for them any more: who waits for an answer would wait for ever.
process.on('uncaughtException', (error) => giveUp(String(error)));
process.exit = () => {
  throw new Error('process.exit()');
};
require(join(root, 'test/cli/command-worker.js'));

function giveUp(error) {
  if (!isAsked) return;
  workerData.port.postMessage({ error });
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}
