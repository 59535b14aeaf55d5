// npm test: installs what is missing, then build, lint, type check, docs check, and all tests. Ends with jest's totals.
// npm test -- --all: with every case of what is tried in many ways, and not a part (test/share.ts), and with what takes long.
// npm test -- FILE…: these test files only, each by itself and with every case.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installIfMissing, root } from './install.mjs';

installIfMissing();
// What it imports may have been installed just now.
const { writeSuites } = await import('./suites.mjs');
const filters = process.argv.slice(2).filter((argument) => argument !== '--all');
const running = new Set();
// The compiler, its rules and tests make much that is soon forgotten: with more room for it, less of it is moved about.
const ROOM = '--max-semi-space-size=64';
// Most of a test is over before the optimizer of V8 pays: it starts later, as it does in the command (scripts/bundle/command.js).
const LATE = { 20: ['--interrupt-budget=1000000'], 22: ['--invocation-count-for-turbofan=30000'] };
const isWhole = filters.length === 0;
const isShared = isWhole && !process.argv.includes('--all');

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'eks-guardrails-test-')));
// Some tests look at files as another user.
chmodSync(scratch, 0o755);
process.on('exit', () => {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // What a test has started still writes there. The system clears its temporary folder.
  }
});
// The CDK makes a folder for each app of a test, in the temporary folder of whoever asks, and leaves it there.
const temporary = mkdtempSync(join(scratch, 'tmp-'));
chmodSync(temporary, 0o755);
const results = join(scratch, 'results.json');
// Beside the build, which uses little more than one core.
const sourceSteps = isWhole ? [sideStep('Format and layers', [join('scripts', 'lint.mjs'), '--sources'])] : [];
const [suites] = await Promise.all([
  isWhole ? writeSuites(root, createRequire(import.meta.url)('../jest.config.js'), scratch) : undefined,
  // Before types are checked, because the example of CDK Terrain imports what only the build makes.
  sideStep('Build', [join('scripts', 'build.mjs')]),
]);
// Beside the tests, which have times when they don't use two cores.
const builtSteps = isWhole
  ? [
      sideStep('Docs are up to date', [join('scripts', 'docs.mjs'), '--check']),
      sideStep('Type check and lint', [
        ...[ROOM, join('scripts', 'lint.mjs'), '--built'],
        ...(isShared ? ['--production'] : []),
      ]),
    ]
  : [];
const jest = start(
  [
    // Jest's workers start with these, too.
    ROOM,
    ...(LATE[process.versions.node.split('.', 1)[0]] ?? []),
    join('node_modules', 'jest', 'bin', 'jest.js'),
    '--json',
    `--outputFile=${results}`,
    '--silent=false',
    ...(suites === undefined ? filters : ['--config', suites.config]),
    // The JSON report goes to the file; standard output stays free for the totals below.
  ],
  'ignore',
  {
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    EKS_GUARDRAILS_SHARE: isShared ? '1' : '',
  },
);
const [status] = await once(jest, 'exit');
await Promise.all([...sourceSteps, ...builtSteps]);
report(results, status ?? 1);
process.exit(status ?? 1);

/** A step that runs while others do; ends all of them when it fails. */
async function sideStep(name, args) {
  const begin = Date.now();
  console.log(`${name} …`);
  const [code] = await once(start(args), 'exit');
  if (code !== 0) {
    console.log(`${name}: failed`);
    for (const child of running) child.kill();
    process.exit(code ?? 1);
  }
  console.log(`${name}: ok (${Math.round((Date.now() - begin) / 1000)} s)`);
}

function start(args, stdout = 'inherit', env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/** Prints jest's totals and one line that any reader understands, both from jest's own results. */
function report(file, status) {
  let totals;
  try {
    totals = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log(`jest ended with code ${status} and left no results`);
    return;
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTotalTests } = totals;
  const { numPassedTestSuites, numFailedTestSuites, numTotalTestSuites } = totals;
  const parts = (failed, skipped, passed, total) =>
    [failed ? `${failed} failed` : '', skipped ? `${skipped} skipped` : '', `${passed} passed`, `${total} total`]
      .filter(Boolean)
      .join(', ');
  for (const [reason, count] of skippedTests(totals)) console.log(`${count} skipped: ${reason}`);
  console.log(
    `Test Suites: ${parts(numFailedTestSuites, 0, numPassedTestSuites, numTotalTestSuites)}${suites === undefined ? '' : ` of ${suites.files} test files`}`,
  );
  console.log(`Tests:       ${parts(numFailedTests, numPendingTests, numPassedTests, numTotalTests)}`);
  // A suite that could not even start counts as a failure, or a syntax error would look green.
  const broken = totals.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  console.log(`${numPassedTests} passed, ${numFailedTests + broken} failed`);
}

/** How many tests were skipped, by the reason in their names. */
function skippedTests({ testResults }) {
  const counts = new Map();
  for (const { fullName, status } of testResults.flatMap((suite) => suite.assertionResults)) {
    if (status === 'passed' || status === 'failed') continue;
    const [, reason = `no reason is given in "${fullName}"`] = /\(skipped: (.+?)\)/.exec(fullName) ?? [];
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}
