// npm run fuzz -- [--seed N] [--count N] [--seconds N] [--only N] [--door NAME]: breaks inputs of all kinds at random and checks that nothing
// throws or hangs, that no rule crashes, that the same input gives the same result, and that every report can be written. Before, it checks all
// vectors of the rules for verdicts that depend on order, names or language. Too heavy for npm test, which has small property tests of both kinds.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { AS_OF } from './as-of.js';
import { built } from './built.mjs';
import { collectInputs, mutated, Random } from './fuzz-inputs.mjs';
import { installIfMissing, root, run } from './install.mjs';
import { requireTestModule } from './test-modules.mjs';

/** Seconds of the processor that one input may take. */
const MOST_SECONDS = 5;

/** Seconds after which an input counts as one that never ends. */
const HANGS_AFTER = 120;

const number = { type: 'string' };
const { values } = parseArgs({ options: { seed: number, count: number, seconds: number, only: number, door: number } });
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const count = values.count === undefined ? Infinity : Number(values.count);
const seconds = Number(values.seconds ?? (values.count === undefined ? 60 : Infinity));

installIfMissing();
run(process.execPath, [join(root, 'scripts', 'build.mjs')], { shell: false });
const {
  checkPaths,
  ConfigurationError,
  ConfigurationFileError,
  decodeUserData,
  FORMATS,
  loadConfigurationFile,
  readUserData,
  render,
  SourceText,
} = built('index');
const { applyBaseline, baselineOf, parseBaseline } = built('baseline/index');

const scratch = mkdtempSync(join(tmpdir(), 'eks-guardrails-fuzz-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
console.log(`fuzzing with seed ${seed}; an input may take ${MOST_SECONDS} s of the processor`);

const inputs = collectInputs();
const formats = Object.keys(FORMATS);
const CONFIGURATION = { asOf: AS_OF, preset: 'strict' };

/** How each kind of input gets in. Each answers with a text that is the same for the same input. */
const DOORS = {
  template: (text) => check(['-'], { standardInput: { text, name: join(scratch, 'none', 'template.yaml') } }, text),
  'two templates': (text, random) =>
    check(
      folderOf({ 'a.json': text, 'b.yaml': mutated(random.pick(inputs.template), inputs.template, random) }),
      {},
      text,
    ),
  'cdk.out': (text) =>
    check(
      folderOf({
        'manifest.json': JSON.stringify({
          version: '36.0.0',
          artifacts: {
            A: {
              type: 'aws:cloudformation:stack',
              environment: 'aws://1/eu-west-1',
              properties: { templateFile: 'A.template.json' },
            },
          },
        }),
        'A.template.json': text,
      }),
      {},
      text,
    ),
  'cdk.out/manifest.json': (text) =>
    check(folderOf({ 'manifest.json': text, 'A.template.json': inputs.template[0] }), {}, text),
  hcl: (text) => check(['-'], { standardInput: { text, name: join(scratch, 'none', 'main.tf') } }, text),
  'tf.json': (text) => check(['-'], { standardInput: { text, name: join(scratch, 'none', 'main.tf.json') } }, text),
  'a folder of .tf': (text, random) =>
    check(
      folderOf({
        'main.tf': text,
        'other.tf': mutated(random.pick(inputs.hcl), inputs.hcl, random),
        'terraform.tfvars': 'x = 1\n',
      }),
      {},
      text,
    ),
  plan: (text) => check(['-'], { standardInput: { text, name: join(scratch, 'none', 'plan.json') } }, text),
  'cdktf.out': (text) =>
    check(
      folderOf({
        'manifest.json': JSON.stringify({
          version: '0.21.0',
          stacks: {
            s: {
              name: 's',
              constructPath: 's',
              workingDirectory: 'stacks/s',
              synthesizedStackPath: 'stacks/s/cdk.tf.json',
            },
          },
        }),
        'stacks/s/cdk.tf.json': text,
      }),
      {},
      text,
    ),
  'user data': (text) => {
    const { format, parts, defects } = readUserData(SourceText.of(text));
    return JSON.stringify([
      format,
      parts.map(({ kind, readByNodeadm, readByCloudInit }) => [kind, readByNodeadm, readByCloudInit]),
      defects.map(({ message }) => message),
      decodeUserData(Buffer.from(text)) !== undefined,
    ]);
  },
  configuration: (text, random) => {
    const file = join(scratch, `eks-guardrails.config.${random.pick(['json', 'yaml'])}`);
    writeFileSync(file, text);
    try {
      const { configuration } = loadConfigurationFile(file);
      return JSON.stringify(
        checkPaths(
          ['-'],
          { ...configuration, ...CONFIGURATION },
          { standardInput: { text: inputs.template[0], name: 'template.json' } },
        ).summary,
      );
    } catch (error) {
      if (error instanceof ConfigurationFileError || error instanceof ConfigurationError) return error.message;
      throw error;
    }
  },
  baseline: (text) => {
    const baseline = parseBaseline(text, 'baseline.json');
    if ('message' in baseline) return baseline.message;
    const { findings } = checkPaths(['-'], CONFIGURATION, {
      standardInput: { text: inputs.template[0], name: 'template.json' },
    });
    return JSON.stringify([
      applyBaseline(findings, baseline, (path) => path).gone,
      baselineOf(findings, (path) => path),
    ]);
  },
};

/** What a door's inputs are made of. */
const SOURCES = {
  'two templates': 'template',
  'cdk.out': 'template',
  'cdk.out/manifest.json': 'template',
  'a folder of .tf': 'hcl',
  'cdktf.out': 'tf.json',
  'user data': 'user-data',
};

/** Doors that cost most of the time with the least to find behind them come less often. */
const OFTEN = Object.keys(DOORS).flatMap((door) =>
  Array(/folder|two|out|configuration|baseline/.test(door) ? 1 : 5).fill(door),
);

let current = { door: '', text: '' };
const progress = new BigInt64Array(new SharedArrayBuffer(8));
const watchdog = watch();
if (values.only === undefined) metamorphic();
const start = Date.now();
let slowest = 0;
let done = 0;
const first = Number(values.only ?? 0);
for (; done < (values.only === undefined ? count : 1) && Date.now() - start < seconds * 1000; done++) {
  examine(first + done);
  if (done % 10_000 === 9_999) console.log(`${done + 1} inputs in ${Math.round((Date.now() - start) / 1000)} s`);
}
console.log(`${done} inputs, nothing broke; the slowest took ${slowest.toFixed(1)} s of the processor`);
await watchdog.terminate();

function examine(index) {
  const random = new Random(seed, index);
  const door = random.pick(values.door === undefined ? OFTEN : [values.door]);
  const texts = inputs[SOURCES[door] ?? door];
  const text = mutated(random.pick(texts), texts, random);
  current = { door, text };
  Atomics.store(progress, 0, BigInt(index) + 1n);
  const before = process.cpuUsage();
  const state = random.state;
  try {
    const result = DOORS[door](text, random);
    // The other half of the time: one in four is enough to find what depends on chance.
    if (index % 4 === 0 || values.only !== undefined) {
      random.state = state;
      if (DOORS[door](text, random) !== result) throw new Error('a second run says something else');
    }
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1e6;
    slowest = Math.max(slowest, took);
    if (took > MOST_SECONDS) throw new Error(`it took ${took.toFixed(1)} s`);
  } catch (error) {
    fail(index, error.stack);
  }
}

/** @returns the findings as JSON, after another report was written */
function check(paths, reading, text) {
  const result = checkPaths(paths, CONFIGURATION, reading);
  for (const { source, rule, message } of result.findings) {
    const { line, column } = source.locate();
    if (!(line >= 1 && column >= 1)) throw new Error(`a finding of ${rule} has no place`);
    if (rule === 'rule-crashed') throw new Error(message);
    // A text of the input may hold what looks like a slip of ours.
    if (/\{\{\w+\}\}|\bundefined\b|\[object/.test(message) && !/\{\{|undefined|\[object/.test(text))
      throw new Error(`a message of ${rule} is not filled in: ${message}`);
  }
  for (const { file, line, column, message } of result.diagnostics)
    if (!(line >= 1 && column >= 1) || message === '')
      throw new Error(`a diagnostic about ${file} has no place or words`);
  const context = {
    version: '0.0.0',
    readSource: () => text,
    colour: false,
    width: 80,
    list: { info: true, unverifiable: true, suppressed: true },
  };
  const format = formats[text.length % formats.length];
  render(format, result, context);
  return render('json', result, context);
}

/** @returns the path of a folder with these files alone */
function folderOf(files) {
  const folder = join(scratch, 'folder');
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return [folder];
}

/** All vectors, each with changes that mean nothing. */
function metamorphic() {
  const { templateVectors } = requireTestModule('test/metamorphic/vectors.ts');
  const { comparisons } = requireTestModule('test/metamorphic/relations.ts');
  let number = 0;
  for (const [index, vector] of templateVectors().entries()) {
    current = { door: `vector of ${vector.rule}: ${vector.name}`, text: vector.template };
    for (const { relation, before, after } of comparisons(vector, (seed + index) >>> 0)) {
      number++;
      Atomics.add(progress, 0, 1n);
      if (JSON.stringify(before) !== JSON.stringify(after))
        fail(
          `of the vectors: ${index}`,
          `${relation} changes the verdict\nbefore ${JSON.stringify(before)}\nafter  ${JSON.stringify(after)}`,
        );
    }
  }
  console.log(`${number} changes of vectors that mean nothing changed nothing`);
}

function fail(index, why) {
  const file = join(process.cwd(), `fuzz-${seed}.txt`);
  writeFileSync(file, current.text);
  console.error(
    `seed ${seed}, input ${index} (${current.door}): ${why}\nThe input stands in ${file}; again: npm run fuzz -- --seed ${seed} --only ${index}${values.door === undefined ? '' : ` --door ${values.door}`}`,
  );
  process.exit(1);
}

/** Ends the process from outside when an input doesn't: nothing else runs meanwhile. */
function watch() {
  const code = `
    const { workerData } = require('node:worker_threads');
    const { writeSync } = require('node:fs');
    let last; let since = Date.now();
    setInterval(() => {
      const now = Atomics.load(workerData.progress, 0);
      if (now !== last) { last = now; since = Date.now(); }
      else if (Date.now() - since > ${HANGS_AFTER * 1000}) {
        writeSync(2, 'seed ${seed}, input ' + (now - 1n) + ' has not ended for ${HANGS_AFTER} s; again: npm run fuzz -- --seed ${seed} --only ' + (now - 1n) + '\\n');
        process.kill(process.pid, 'SIGKILL');
      }
    }, 1000);`;
  const worker = new Worker(code, { eval: true, workerData: { progress } });
  worker.unref();
  return worker;
}
