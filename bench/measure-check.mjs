// Child process of the benchmark: compares a check with JSON.parse on one template. Prints JSON.
import { readFileSync } from 'node:fs';
import { built } from '../scripts/built.mjs';

const { checkTemplates } = built('index');
const [file, runs] = [process.argv[2], Number(process.argv[3])];
const text = readFileSync(file, 'utf8');

// Alternate the two, so that a machine that changes its speed changes it for both.
const parse = [];
const check = [];
let findings = 0;
for (let run = 0; run < runs; run++) {
  parse.push(time(() => JSON.parse(text)));
  check.push(
    time(() => {
      const result = checkTemplates([{ file, text }]);
      for (const finding of result.findings) finding.source.locate();
      findings = result.findings.length;
    }),
  );
}
console.log(JSON.stringify({ parse: median(parse), check: median(check), findings }));

function time(action) {
  // A full collection would throw away optimised code too, which no user's process does.
  globalThis.gc?.({ type: 'minor' });
  const start = process.hrtime.bigint();
  action();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
