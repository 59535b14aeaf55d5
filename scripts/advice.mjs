// npm run advice -- PATH…: does what a literal reader of the reports does. Of each error and warning of each input it takes the code as it is printed,
// pastes it where its heading says, changes nothing else and checks again; then it counts what came of that, by rule and by dialect. With --verbose it
// shows each change that doesn't work, with --all also those that do; --sample N takes N findings at random (--seed N for others).
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { built } from './built.mjs';
import { installIfMissing, root, run } from './install.mjs';
import { requireTestModule } from './test-modules.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    verbose: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'as-of': { type: 'string' },
    built: { type: 'boolean', default: false },
  },
});
if (positionals.length === 0) {
  console.error('npm run advice -- PATH…: which inputs? Each path is checked by itself.');
  process.exit(2);
}
if (!values.built) {
  installIfMissing();
  run(process.execPath, [`${root}/scripts/build.mjs`], { shell: false });
}
const { adviceOf } = requireTestModule('test/advice/index.ts');
const { unifiedDiff } = built('fixes/unified-diff');

const OUTCOMES = ['works', 'prose', 'stays', 'new', 'refused', 'lost', 'elsewhere'];

const found = [];
const start = process.cwd();
for (const path of positionals) {
  // Headings name files as somebody sees them who checks from there.
  process.chdir(path.endsWith('/') ? path : start);
  for (const advice of adviceOf([path.endsWith('/') ? '.' : path], values['as-of'])) {
    found.push({ path, ...advice });
    if (values.sample === undefined) shown(found.at(-1));
  }
  process.chdir(start);
}

const chosen = values.sample === undefined ? found : sampleOf(found, Number(values.sample), Number(values.seed));
if (values.sample !== undefined) for (const advice of chosen) shown(advice);
table('by rule', ({ finding: { rule, messageId } }) => `${rule} ${messageId}`);
table('by dialect', ({ finding }) => finding.resource.dialect.name);
const code = chosen.filter(({ outcome }) => outcome !== 'prose' && outcome !== 'elsewhere');
const works = code.filter(({ outcome }) => outcome === 'works');
console.log(`\n${works.length} of ${code.length} codes work when they are obeyed literally; ${chosen.length} findings`);

function shown(advice) {
  if (values.all || (values.verbose && advice.outcome !== 'works')) show(advice);
}

function show({ path, finding, outcome, why, pasted }) {
  const { file, line } = finding.source.locate();
  const { rule, messageId, message, fix, fixCode, resource } = finding;
  console.log(
    `\n${outcome.toUpperCase()} ${rule} ${messageId} (${resource.dialect.name}) ${path} ${file}:${line} ${resource.id}${why === undefined ? '' : `\n  ${why}`}`,
  );
  console.log(`${message}\n> ${fix}`);
  if (fixCode !== undefined) console.log(indented(fixCode));
  if (values.all && pasted !== undefined)
    console.log(indented(unifiedDiff(relative('.', file), pasted.before, pasted.after)));
}

function table(title, nameOf) {
  const rows = new Map();
  for (const advice of chosen) {
    const row = rows.get(nameOf(advice)) ?? {};
    row[advice.outcome] = (row[advice.outcome] ?? 0) + 1;
    rows.set(nameOf(advice), row);
  }
  const totalOf = (row) => Object.values(row).reduce((sum, one) => sum + one, 0);
  console.log(`\n${title.padEnd(52)}${OUTCOMES.map((one) => one.padStart(10)).join('')}`);
  for (const [name, row] of [...rows].sort(([, one], [, other]) => totalOf(other) - totalOf(one)))
    console.log(`${name.padEnd(52)}${OUTCOMES.map((one) => String(row[one] ?? '').padStart(10)).join('')}`);
}

/** Some of a list, the same for the same seed. */
function sampleOf(list, count, seed) {
  let state = seed;
  const draw = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  return list
    .map((one) => [draw(), one])
    .sort(([one], [other]) => one - other)
    .slice(0, count)
    .map(([, one]) => one);
}

function indented(text) {
  return text.replaceAll(/^(?=.)/gm, '    ');
}
