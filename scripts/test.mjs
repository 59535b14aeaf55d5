// npm test: installs what is missing, then type check, lint, build, docs check, and all tests. Ends with jest's totals.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installIfMissing, root, run } from './install.mjs';

installIfMissing();
const filters = process.argv.slice(2);
// First, because the example of CDK Terrain imports what only the build makes.
step('Build', () => run(process.execPath, [join(root, 'scripts', 'build.mjs')], { shell: false }));
if (filters.length === 0) {
  // Side by side: neither uses more than one core.
  await Promise.all([
    sideStep('Lint', [join('node_modules', 'eslint', 'bin', 'eslint.js'), '.']),
    sideStep('Type check', [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.json']).then(() =>
      sideStep('Docs are up to date', [join('scripts', 'docs.mjs'), '--check']),
    ),
  ]);
}

const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-test-'));
const results = join(scratch, 'results.json');
const jest = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '--json', `--outputFile=${results}`, '--silent=false', ...filters],
  // The JSON report goes to the file; standard output stays free for the totals below.
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);
report(results, jest.status ?? 1);
rmSync(scratch, { recursive: true, force: true });
process.exit(jest.status ?? 1);

function step(name, action) {
  const start = Date.now();
  console.log(`${name} …`);
  action();
  console.log(`${name}: ok (${Math.round((Date.now() - start) / 1000)} s)`);
}

/** A step that runs while others do; ends this process when it fails. */
async function sideStep(name, args) {
  const start = Date.now();
  console.log(`${name} …`);
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(code ?? 1);
  console.log(`${name}: ok (${Math.round((Date.now() - start) / 1000)} s)`);
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
    [failed ? `${failed} failed` : '', skipped ? `${skipped} skipped` : '', `${passed} passed`, `${total} total`].filter(Boolean).join(', ');
  console.log(`Test Suites: ${parts(numFailedTestSuites, 0, numPassedTestSuites, numTotalTestSuites)}`);
  console.log(`Tests:       ${parts(numFailedTests, numPendingTests, numPassedTests, numTotalTests)}`);
  // A suite that could not even start counts as a failure, or a syntax error would look green.
  const broken = totals.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
  console.log(`${numPassedTests} passed, ${numFailedTests + broken} failed`);
}
