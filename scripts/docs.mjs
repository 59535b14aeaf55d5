// Writes docs/rules/: one page per rule, and the table of all rules. The text comes from the page beside each rule, its metadata and messages.
//   node scripts/docs.mjs          writes the pages, and removes those of rules that are gone
//   node scripts/docs.mjs --check  changes nothing; exit code 1 if a page is stale
// It writes the JSON Schema of the configuration file, too: docs/eks-guardrails.config.schema.json.
// A folder as last argument stands for docs/rules/, without the schema.
// It works on the compiled package, so build first.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const check = process.argv.includes('--check');
const folderArgument = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const folder = folderArgument ?? join(root, 'docs', 'rules');
const NOTICE =
  '<!-- Written by "npm run docs" from the page and the metadata of the rule in lib/rules; change it there. -->';

if (!existsSync(join(root, 'dist/lib/cli/rule-page.js'))) {
  console.error('docs: dist/ is missing; run "npm run build" first');
  process.exit(2);
}
const { allRules } = require('../dist/lib/rules/index.js');
const { rulePage, toolRulePage, SUBJECTS } = require('../dist/lib/cli/rule-page.js');
const { toolRules } = require('../dist/lib/engine/tool-rules.js');
const { configurationSchema } = require('../dist/lib/configuration/content.js');

const pages = new Map([
  ['README.md', catalogue()],
  ...allRules.map((rule) => [`${rule.id}.md`, rulePage(rule)]),
  ...toolRules.map((rule) => [`${rule.id}.md`, toolRulePage(rule)]),
]);

mkdirSync(folder, { recursive: true });
const stale = [];
for (const [name, page] of pages) {
  const file = join(folder, name);
  const content = `${NOTICE}\n\n${page}`;
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  stale.push(name);
  if (!check) writeFileSync(file, content);
}
for (const name of readdirSync(folder)) {
  if (pages.has(name)) continue;
  stale.push(name);
  if (!check) rmSync(join(folder, name));
}

if (folderArgument === undefined) {
  const name = 'eks-guardrails.config.schema.json';
  const file = join(root, 'docs', name);
  const content = `${JSON.stringify(configurationSchema(allRules), undefined, 2)}\n`;
  if (!existsSync(file) || readFileSync(file, 'utf8') !== content) {
    stale.push(name);
    if (!check) writeFileSync(file, content);
  }
}

if (check && stale.length > 0) {
  console.error(`docs: stale, run "npm run build && npm run docs": ${stale.sort().join(', ')}`);
  process.exitCode = 1;
} else {
  console.log(`docs: ${pages.size} pages, ${check ? 'all as they should be' : `${stale.length} changed`}`);
}

function catalogue() {
  const row = ({ id, severity, title }) => `| [${id}](${id}.md) | ${severity} | ${title.replaceAll('|', '\\|')} |`;
  const table = (rules) => ['| rule | severity | requires |', '|---|---|---|', ...rules.map(row)].join('\n');
  const sections = Object.entries(SUBJECTS)
    .map(([subject, name]) => ({ name, rules: allRules.filter((rule) => rule.subject === subject) }))
    .filter(({ rules }) => rules.length > 0)
    .map(({ name, rules }) => `## ${name}\n\n${table(rules)}`);
  return (
    [
      '# Rules',
      'The severity is the highest that a rule uses; its page says when it uses less. What a rule needs but the input does not tell is reported as `unverifiable`, which fails a check only on request.',
      ...sections,
      `## The tool's own\n\nFindings about the check itself.\n\n${table(toolRules)}`,
    ].join('\n\n') + '\n'
  );
}
