// npm run mutation -- [--folder lib/eks/networking]… [--sample N] [--seed N] [--budget SECONDS] [--tests test/eks/networking]…
// [--further test/rules]… [--json FILE]: draws mutants of lib's folders – a condition turned, an operator swapped, a block emptied – and asks of each
// whether a test fails under it: first those of the folder that mirrors its own, or of --tests; what survives them, all others, or those of
// --further (`none`: no others). Too slow for npm test.
// Texts aren't mutated, and neither is what only runs while a module is loaded, nor main.ts and watch-command.ts of lib/cli, which only processes
// of their own run. Command lines that tests give to the compiled command run from the sources in a thread. Tests that start processes otherwise, or
// build whole apps, don't count.
import { fork } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from './fuzz-inputs.mjs';
import { groupedBy } from './grouped-by.mjs';
import { installIfMissing, root } from './install.mjs';
import { NEEDS_PROCESS } from './mutation/commands.mjs';
import { NEEDS_JEST } from './mutation/harness.mjs';
import { instrument, listMutants } from './mutation/mutants.mjs';
import { startPatience } from './mutation/patience.mjs';

const text = { type: 'string' };
const { values } = parseArgs({
  options: {
    folder: { ...text, multiple: true },
    sample: text,
    seed: text,
    budget: text,
    tests: { ...text, multiple: true },
    further: { ...text, multiple: true },
    json: text,
  },
});
const seed = Number(values.seed ?? 1);
const sampleSize = Number(values.sample ?? 40);

/** Seconds of tests, by the time that they take without a mutant, after which a mutant counts as survived. The nearest and quickest come first. */
const budget = Number(values.budget ?? 20) * 1000;

/** Tables that are generated, and what only a process of its own runs: that which begins, and that which goes on until somebody ends it. */
const NOT_MUTATED = /^lib\/(?:knowledge\/data\/|cli\/(?:main|check\/watch-command)\.ts$)/;
const OTHER_TESTS =
  /^test\/(?:aspects|constructs|docs|examples|metamorphic|package)\/|\/(?:html-browser|regenerators|terraform)\.test\.ts$/;
const NEEDS_JEST_OR_A_PROCESS = /\bjest\.(?:mock|requireActual)\(|\.toMatchSnapshot\(|\/replan'/;

/** More than are wanted, because some turn out to run only while a module is loaded. */
const DRAWN = 2;

installIfMissing();
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'eks-guardrails-mutation-')));
mkdirSync(join(scratch, 'tmp'));
// Tests of what one may not read look from outside.
chmodSync(scratch, 0o755);
const workers = new Set();
let shared;

/** Tests that fail by themselves. */
const needsOthers = new Set();

process.on('exit', () => {
  for (const worker of workers) worker.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

console.log(`mutants drawn with seed ${seed}`);
const sources = typeScriptFiles('lib').filter((file) => !NOT_MUTATED.test(file));
const folders = values.folder?.map((folder) => folder.replace(/\/$/, '')) ?? [...new Set(sources.map(folderOf))].sort();
const drawn = await draw();
const near = testFiles(values.tests ?? folders.map(mirrored).filter((folder) => existsSync(join(root, folder))));
const tests = await coverage(near);
const reports = [];
for (const folder of folders) reports.push(await judgeFolder(folder));
const others = values.further ?? (values.tests === undefined ? ['test'] : []);
await askOthers(testFiles(others.filter((folder) => folder !== 'none')).filter((file) => !near.includes(file)));
for (const report of reports) report.score = scoreOf(report);
for (const worker of workers) worker.kill('SIGKILL');
console.table(reports, ['folder', 'sampled', 'killed', 'timed out', 'survived', 'not covered', 'load time', 'score']);
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ seed, sampleSize, folders: reports }, withoutMutant, 2)}\n`);

/** What a survivor is has been said in words. */
function withoutMutant(key, value) {
  return key === 'mutant' ? undefined : value;
}

/** `lib/value`, or `lib/eks/networking` where a folder of lib holds several subjects. */
function folderOf(file) {
  const parts = file.split('/').slice(0, -1);
  return parts.slice(0, ['eks', 'front-ends'].includes(parts[1]) ? 3 : 2).join('/');
}

function typeScriptFiles(folder) {
  const names = readdirSync(join(root, folder), { recursive: true }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  );
  return names.filter((name) => name.endsWith('.ts')).sort();
}

async function draw() {
  const chosen = [];
  for (const folder of folders) {
    const mutants = await listMutants(
      root,
      sources.filter((file) => file.startsWith(`${folder}/`)),
    );
    if (mutants.length === 0) throw new Error(`no mutants in ${folder}`);
    const random = new Random(seed, 0);
    for (let left = Math.min(DRAWN * sampleSize, mutants.length); left > 0; left--)
      chosen.push({ folder, ...mutants.splice(random.below(mutants.length), 1)[0] });
  }
  const { sources: instrumented, mutants } = await instrument(root, chosen);
  writeFileSync(join(scratch, 'sources.json'), JSON.stringify(instrumented));
  return mutants;
}

/** The folder of tests that has the subjects of a folder of lib. */
function mirrored(folder) {
  return folder.replace(/^lib/, 'test');
}

/** Those of some folders, or files, that can be asked. */
function testFiles(paths) {
  const files = paths.flatMap((path) => (path.endsWith('.ts') ? [path] : typeScriptFiles(path.replace(/\/$/, ''))));
  return [...new Set(files)].filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !OTHER_TESTS.test(file) &&
      !NEEDS_JEST_OR_A_PROCESS.test(readFileSync(join(root, file), 'utf8')),
  );
}

/** The tests that come by a mutant, by its id. */
async function coverage(files) {
  const byMutant = new Map();
  const bySource = new Map();
  const sourceOf = new Map(drawn.map(({ id, file }) => [id, file]));
  const start = Date.now();
  const worker = await startWorker(undefined, false);
  let count = 0;
  const unusable = [];
  const loading = new Set();
  for (const file of files) {
    const answer = await ask(worker, { cover: file }, 600_000);
    if (answer.tests === undefined) throw new Error(`${file} ends the process, or doesn't end`);
    count += answer.tests.length;
    unusable.push(...answer.unusable);
    for (const id of answer.loadTime) loading.add(id);
    for (const { id, asked } of askedIn(answer)) {
      if (!byMutant.has(id)) byMutant.set(id, []);
      byMutant.get(id).push(asked);
      const source = sourceOf.get(id);
      if (!bySource.has(source)) bySource.set(source, new Map());
      bySource.get(source).set(asked.id, asked);
    }
  }
  worker.kill('SIGKILL');
  console.log(
    `${count} tests of ${files.length} files pass without a mutant in ${Math.round((Date.now() - start) / 1000)} s`,
  );
  tellUnusable(unusable);
  return {
    of: (id) => byMutant.get(id) ?? [],
    ofSource: (file) => [...(bySource.get(file)?.values() ?? [])],
    isLoading: (id) => loading.has(id),
  };
}

/** Which tests of a file can be asked about which mutants: about those that it comes by while it is loaded, all of them. */
function askedIn({ tests: found = [], atLoad = {} }) {
  return found.flatMap(({ hits, ...test }) => [
    ...Object.entries(hits)
      .filter(([id]) => atLoad[id] === undefined)
      .map(([id, times]) => ({ id, asked: { ...test, hits: times } })),
    ...Object.entries(atLoad).map(([id, times]) => ({
      id,
      asked: { ...test, hits: times + (hits[id] ?? 0), isAtLoad: true },
    })),
  ]);
}

/** What isn't asked about any mutant. Of tests that fail here and pass in jest, the score knows nothing: each is named. */
function tellUnusable(unusable) {
  for (const why of [NEEDS_JEST, NEEDS_PROCESS]) {
    const count = unusable.filter((test) => test.why === why).length;
    if (count > 0) console.log(`${count} tests aren't asked, because they can't be here: ${why}`);
  }
  for (const { id, why } of unusable)
    if (why !== NEEDS_JEST && why !== NEEDS_PROCESS)
      console.log(`not asked, because it fails without a mutant: ${id}: ${why}`);
}

async function judgeFolder(folder) {
  const report = {
    folder,
    sampled: 0,
    killed: 0,
    'timed out': 0,
    survived: 0,
    'not covered': 0,
    'load time': 0,
    score: 0,
    survivors: [],
  };
  for (const mutant of drawn.filter((one) => one.folder === folder)) {
    if (report.sampled === sampleSize) break;
    const covering = tests.of(mutant.id);
    if (covering.length === 0 && tests.isLoading(mutant.id)) {
      report['load time'] += 1;
      continue;
    }
    report.sampled += 1;
    // What is made once and kept is come by in the first test that needs it only: others come by the rest of its file.
    const others = covering.length === 1 ? tests.ofSource(mutant.file).filter(({ id }) => id !== covering[0].id) : [];
    const affordable = [...withinBudget(covering, mutant), ...withinBudget(others, mutant)];
    const outcome = covering.length === 0 ? 'not covered' : await judge(mutant, affordable);
    report[outcome] += 1;
    if (outcome !== 'survived' && outcome !== 'not covered') continue;
    const [asked, covered] = [affordable.length, covering.length + others.length];
    report.survivors.push({ ...described(mutant), outcome, mutant, asked, covering: covered });
    tell(report.survivors.at(-1));
  }
  console.log(`${folder}: ${scoreOf(report)} of ${report.sampled} mutants by the nearest tests`);
  return report;
}

/**
 * Asks other tests about what survived. A file at a time, and no more of them than it takes. What is kept from one test to the next may hide a mutant
 * here.
 */
async function askOthers(files) {
  for (const file of files) {
    if (reports.every(({ survivors }) => survivors.length === 0)) return;
    const answer = await ask(await sharedWorker(), { cover: file }, 600_000);
    if (answer.tests === undefined) stopSharedWorker();
    const byMutant = groupedBy(askedIn(answer), ({ id }) => id);
    for (const report of reports)
      for (const survivor of [...report.survivors]) {
        const { mutant, outcome } = survivor;
        const covering = (byMutant.get(mutant.id) ?? []).map(({ asked }) => asked);
        if (covering.length === 0) continue;
        const asked = withinBudget(covering, mutant);
        const now = await judge(mutant, asked, false);
        survivor.asked += asked.length;
        survivor.covering += covering.length;
        if (now === outcome) continue;
        report[outcome] -= 1;
        report[now] += 1;
        survivor.outcome = now;
        if (now === 'survived') continue;
        report.survivors.splice(report.survivors.indexOf(survivor), 1);
        console.log(`${survivor.place} ${survivor.mutator}: ${now} by ${file}`);
      }
  }
}

function scoreOf({ killed, sampled, ...report }) {
  return `${Math.round((100 * (killed + report['timed out'])) / Math.max(1, sampled))} %`;
}

function described({ file, start, mutator, original, replacement }) {
  return { place: `${file}:${start.line + 1}:${start.column + 1}`, mutator, original, replacement };
}

function tell({ place, mutator, original, replacement, outcome, asked, covering }) {
  const note = outcome === 'survived' ? `survived ${asked} of ${covering} tests` : outcome;
  console.log(`${place} ${mutator}: ${note}\n  - ${shortened(original)}\n  + ${shortened(replacement)}`);
}

function shortened(code) {
  const line = code.replaceAll(/\s*\n\s*/g, ' ');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

/** Tests of the same name first, then those of the same subject, and the quickest of each file first. */
function withinBudget(covering, mutant) {
  const subject = `${mirrored(mutant.folder)}/`;
  const namesake = mutant.file.replace(/^lib/, 'test').replace(/\.ts$/, '.test.ts');
  const nearness = (file) => (file === namesake ? 2e6 : file.startsWith(subject) ? 1e6 : 0);
  const ranked = [...groupedBy(covering, ({ file }) => file).values()].flatMap((ofFile) =>
    ofFile
      .sort((a, b) => a.milliseconds - b.milliseconds)
      .map((test, rank) => ({ ...test, rank: rank - nearness(test.file) })),
  );
  ranked.sort((a, b) => a.rank - b.rank || a.milliseconds - b.milliseconds);
  let spent = 0;
  return ranked.filter(({ milliseconds }, index) => (spent += milliseconds) <= budget || index === 0);
}

/**
 * What becomes of a mutant. One that seems to survive is tried, if that is wanted, in a process where it was there from the start: something may have
 * been kept.
 */
async function judge(mutant, covering, isThorough = true) {
  const usable = covering.filter(({ id }) => !needsOthers.has(id));
  const first = await run(await sharedWorker(), mutant, usable);
  if (first.outcome === 'killed') return 'killed';
  if (first.outcome !== 'survived') stopSharedWorker();
  if (first.outcome === 'timeout') return 'timed out';
  if (!isThorough && first.outcome === 'survived') return 'survived';
  const fresh = await startWorker(mutant.id);
  const { outcome, by } = await run(fresh, mutant, usable);
  fresh.kill('SIGKILL');
  if (outcome === 'timeout') return 'timed out';
  if (
    outcome === 'survived' ||
    !usable.some(({ id }) => id === by) ||
    (await passesAlone(usable.find(({ id }) => id === by)))
  )
    return outcome;
  needsOthers.add(by);
  return judge(mutant, usable, isThorough);
}

/** Without a mutant, and without the tests before it. */
async function passesAlone(test) {
  stopSharedWorker();
  const { outcome } = await run(await sharedWorker(), {}, [test]);
  return outcome === 'survived';
}

async function sharedWorker() {
  // What a mutant has left behind may end a worker after its answer.
  if (shared?.connected === false) stopSharedWorker();
  shared ??= await startWorker();
  return shared;
}

function stopSharedWorker() {
  shared?.kill('SIGKILL');
  shared = undefined;
}

function run(worker, mutant, covering) {
  const longest = Math.max(0, ...covering.map(({ milliseconds }) => milliseconds));
  return ask(worker, { mutant: mutant.id, tests: covering }, 30_000 + 20 * longest);
}

async function startWorker(activeMutant, isQuiet = true) {
  const worker = fork(
    join(root, 'scripts', 'mutation', 'worker.mjs'),
    [root, scratch, ...(activeMutant === undefined ? [] : [activeMutant])],
    {
      cwd: root,
      env: { ...process.env, TMPDIR: join(scratch, 'tmp') },
      execArgv: ['--max-old-space-size=2048', '--max-semi-space-size=64'],
      stdio: ['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit', 'ipc'],
    },
  );
  workers.add(worker);
  worker.on('exit', () => workers.delete(worker));
  await ask(worker, undefined, 60_000);
  return worker;
}

/** Asks a worker, and waits for the answer: for each test no longer than `patience` milliseconds of its work. */
function ask(worker, question, patience) {
  return new Promise((resolve) => {
    const end = (answer) => {
      waiting.stop();
      worker.off('message', hear);
      worker.off('exit', ended);
      resolve(answer);
    };
    const hear = (message) => (message.begins === undefined ? end(message) : waiting.renew());
    const ended = () => end({ outcome: 'timeout' });
    const waiting = startPatience(worker.pid, patience, ended);
    worker.on('message', hear);
    worker.on('exit', ended);
    if (question !== undefined) worker.send(question);
  });
}
