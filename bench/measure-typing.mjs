// Child process of the benchmark: what a keystroke in an editor costs, in the middle of a template of 2,000 lines of YAML and as many lines of
// manifests. CPU time, the least of many, with what the last check read and without. Prints JSON.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { built } from '../scripts/built.mjs';
import { generateTemplate } from './generate-template.mjs';

const require = createRequire(import.meta.url);
const { checkAround } = built('lsp/check');
const { shownOf } = built('lsp/diagnostics');
const { Documents } = built('lsp/documents');
const { LastReading } = built('languages/reread');
const { stringify } = require('yaml');

const LINES = 2000;
const KEYSTROKES = 60;
const folder = process.argv[2];
process.chdir(folder);

const template = stringify(generateTemplate(400), { aliasDuplicateObjects: false });
const manifest = (index) =>
  stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: `app-${index}`, namespace: 'shop' } }) +
  stringify({ automountServiceAccountToken: false });
const manifests = Array.from({ length: LINES }, (_, index) => `---\n${manifest(index)}`).join('');

const result = {};
for (const [name, text] of Object.entries({ template, manifests }))
  result[name] = { fresh: typing(`${name}.yaml`, text, false), again: typing(`${name}.yaml`, text, true) };
console.log(JSON.stringify(result));

function typing(name, text, remembers) {
  const path = join(folder, name);
  const uri = pathToFileURL(path).href;
  const documents = new Documents();
  const last = remembers ? new LastReading() : undefined;
  documents.put(uri, 0, text.split('\n').slice(0, LINES).join('\n').concat('\n'));
  const line = LINES / 2;
  const times = Array.from({ length: KEYSTROKES }, (_, index) => {
    const start = { line, character: 999 };
    const before = process.cpuUsage();
    // A comment that grows.
    documents.change(uri, index + 1, [{ range: { start, end: start }, text: index === 0 ? ' # x' : 'x' }]);
    const check = checkAround(path, documents, {}, last);
    shownOf(check.result, documents, false);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
