// Regenerates the tables of lib/knowledge/data from checkouts of the repositories that they are from, and tells what changes.
//   npm run knowledge -- --from DIR                 all tables whose checkouts are in DIR: DIR/owner/name, DIR/name, DIR/node_modules/package
//   npm run knowledge -- --from DIR --dry-run       writes nothing
//   npm run knowledge -- --from DIR --check PATH…   tells which findings of these paths come and go with the tables; build before
// It exits with 1 if a table could not be regenerated. What no script can recompute, scripts/knowledge/README.md says.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { placesOf, REGENERATED } from './knowledge/upstream.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tables = join(root, 'lib/knowledge/data');
const built = join(root, 'dist/lib/knowledge/data');
const usage = 'usage: npm run knowledge -- --from DIR [--dry-run] [--check PATH…]';

const { from, isDry, paths } = readArguments();
const before = paths.length === 0 ? undefined : findingsOf(paths);
const kept = mkdtempSync(join(tmpdir(), 'knowledge-'));
try {
  cpSync(tables, kept, { recursive: true });
  let isComplete = true;
  for (const [table, upstreams] of REGENERATED) isComplete = regenerate(table, upstreams) && isComplete;
  if (before !== undefined) tellFindings(before);
  if (isDry) cpSync(kept, tables, { recursive: true });
  else console.log('\nRead the diff, run npm test, and npm run docs after a build.');
  if (!isComplete) process.exitCode = 1;
} finally {
  rmSync(kept, { recursive: true, force: true });
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { from: { type: 'string' }, 'dry-run': { type: 'boolean' }, check: { type: 'string' } },
      allowPositionals: true,
    });
    const { from = '', check, 'dry-run': isDry = false } = values;
    if (!existsSync(from)) throw new Error(from === '' ? '--from is missing' : `there is no folder ${from}`);
    if (check === undefined && positionals.length > 0) throw new Error(`what is ${positionals[0]} for?`);
    const paths = check === undefined ? [] : [check, ...positionals];
    if (paths.length > 0 && !existsSync(built)) throw new Error('dist/ is missing; run "npm run build" first');
    return { from, isDry, paths };
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

/** False if the script failed. */
function regenerate(table, upstreams) {
  const found = upstreams.map((upstream) =>
    placesOf(upstream)
      .map((place) => join(from, place))
      .find((place) => existsSync(place)),
  );
  const missing = upstreams.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) {
    console.log(`${table}: left as it is, for ${missing.join(' and ')} isn't in ${from}`);
    return true;
  }
  const script = join(root, 'scripts/knowledge', `${table}.mjs`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...found], { encoding: 'utf8' });
  process.stdout.write(stdout);
  if (status === 0) return true;
  console.error(`${table}: could not be regenerated from ${found.join(' and ')}\n${stderr}`);
  return false;
}

/** What a check of the built package says, one line for each finding. */
function findingsOf(checked) {
  const command = join(root, 'dist/lib/cli/main.js');
  const args = [command, 'check', ...checked, '--format', 'json', '--no-config'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (stdout === '') throw new Error(`the check failed: ${stderr}`);
  return JSON.parse(stdout).findings.map(
    ({ rule, severity, verdict, resource, location, message }) =>
      `${verdict === 'fail' ? severity : verdict}  ${rule}  ${location.file}:${location.line}  ${resource.id}  ${message}`,
  );
}

/** Which findings the new tables bring, and which they take away. The package itself stays as it was built. */
function tellFindings(old) {
  const packaged = mkdtempSync(join(tmpdir(), 'knowledge-'));
  try {
    cpSync(built, packaged, { recursive: true });
    cpSync(tables, built, { recursive: true });
    const fresh = findingsOf(paths);
    const [gone, come] = [old.filter((line) => !fresh.includes(line)), fresh.filter((line) => !old.includes(line))];
    console.log(`\n${paths.join(', ')}: ${come.length} findings come, ${gone.length} go`);
    for (const line of gone) console.log(`- ${line}`);
    for (const line of come) console.log(`+ ${line}`);
  } finally {
    cpSync(packaged, built, { recursive: true });
    rmSync(packaged, { recursive: true, force: true });
  }
}
