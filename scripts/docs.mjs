// Writes docs/rules/: one page per rule, and the table of all rules. The text comes from the page beside each rule, its metadata and messages.
//   node scripts/docs.mjs          writes the pages, and removes those of rules that are gone
//   node scripts/docs.mjs --check  changes nothing; exit code 1 if a page is stale
// It writes the JSON Schema of the configuration file, too: docs/eks-guardrails.config.schema.json, and that of newer rows beside it; docs/symptoms.md, from the signs of the rules; and
// docs/versions.md, from the tables; and llms.txt beside docs/, which tells agents where what stands.
// A folder as last argument stands for docs/rules/, without these.
// It works on the compiled package, so build first.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built, isBuilt } from './built.mjs';
import { versionMatrix } from './version-matrix.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const check = process.argv.includes('--check');
const folderArgument = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const folder = folderArgument ?? join(root, 'docs', 'rules');
const NOTICE =
  '<!-- Written by "npm run docs" from the page and the metadata of the rule in lib/rules; change it there. -->';
const TABLES_NOTICE = '<!-- Written by "npm run docs" from the tables of lib/knowledge/data. -->';

if (!isBuilt()) {
  console.error('docs: dist/ is missing; run "npm run build" first');
  process.exit(2);
}
const { allRules } = built('rules/index');
const { rulePage, toolRulePage, SUBJECTS } = built('cli/rules/rule-page');
const { toolRules } = built('engine/tool-rules');
const { configurationSchema } = built('configuration/content');
const { knowledgeSchema } = built('configuration/knowledge-file');

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
  const others = [
    ['eks-guardrails.config.schema.json', `${JSON.stringify(configurationSchema(allRules), undefined, 2)}\n`],
    ['eks-guardrails.knowledge.schema.json', `${JSON.stringify(knowledgeSchema(), undefined, 2)}\n`],
    ['symptoms.md', `${NOTICE}\n\n${symptoms()}`],
    ['../llms.txt', agentsIndex()],
    ['versions.md', `${TABLES_NOTICE}\n\n${versionMatrix(built)}\n`],
  ];
  for (const [name, content] of others) {
    const file = join(root, 'docs', name);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
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

/** After https://llmstxt.org: a heading, what it is, and lists of links. */
function agentsIndex() {
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const guides = readdirSync(join(root, 'docs', 'guides')).map((name) => {
    const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, 'docs', 'guides', name), 'utf8')) ?? [];
    return `- [${title}](docs/guides/${name})`;
  });
  return (
    [
      '# eks-guardrails',
      `> ${description}`,
      'Run `npx eks-guardrails check PATH` on code for Amazon EKS; it never talks to AWS. The exit code is 0 for clean, 1 for findings, 2 for input that could not be read.',
      [
        '## Start here',
        '',
        '- [README](README.md): what it finds, and how to use it',
        '- [Skill](skills/eks-guardrails/SKILL.md): when and how an agent uses the command',
        '- [Symptoms](docs/symptoms.md): from lines of logs and error messages to rules',
        '- [Versions](docs/versions.md): Kubernetes versions with dates, AMI types and add-ons',
      ].join('\n'),
      `## Guides\n\n${guides.join('\n')}`,
      `## Rules\n\n${allRules.map(({ id, title }) => `- [${id}](docs/rules/${id}.md): ${title}`).join('\n')}`,
    ].join('\n\n') + '\n'
  );
}

function symptoms() {
  const link = (id) => `[${id}](rules/${id}.md)`;
  const cell = (text) => text.replaceAll('|', '\\|');
  const signs = allRules.flatMap((rule) => (rule.signs ?? []).map((text) => ({ rule, text })));
  const [lines, words] = [[], new Map()];
  for (const { rule, text } of signs) {
    const [, line, writer] = /^(`[^`]+`) \(([^()]+)\)$/.exec(text) ?? [];
    if (line !== undefined) lines.push({ rule, line, writer });
    else words.set(rule.subject, [...(words.get(rule.subject) ?? []), { rule, text }]);
  }
  const letters = ({ line }) => line.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
  lines.sort((a, b) => letters(a).localeCompare(letters(b), 'en'));
  return (
    [
      '# I see this: it is this',
      'Lines of logs, error messages, and what people see, with the rule that tells why and what to do. `eks-guardrails explain "a piece of the line"` finds the rule on the command line, `eks-guardrails check` whether you have it.',
      '## Lines of logs and error messages',
      [
        '| I see | from | it is |',
        '|---|---|---|',
        ...lines.map(({ rule, line, writer }) => `| ${cell(line)} | ${cell(writer)} | ${link(rule.id)} |`),
      ].join('\n'),
      ...Object.entries(SUBJECTS)
        .filter(([subject]) => words.has(subject))
        .map(
          ([subject, name]) =>
            `## ${name}\n\n${['| I see | it is |', '|---|---|', ...words.get(subject).map(({ rule, text }) => `| ${cell(text)} | ${link(rule.id)} |`)].join('\n')}`,
        ),
    ].join('\n\n') + '\n'
  );
}
