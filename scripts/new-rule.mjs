// Begins a rule: writes the rule, its page and its test, which fails until they are filled, and lists the rule where rules are listed.
//   npm run new:rule -- <subject>/<rule-id>
//   node scripts/new-rule.mjs --check   changes nothing; exit code 1 if lib/rules/index.ts has other rules than the folders, or in another order
// A folder after --into stands for the repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { page, ruleModule, ruleTest } from './new-rule/skeletons.mjs';

const USAGE = 'usage: npm run new:rule -- <subject>/<rule-id>, such as imds/imds-endpoint-disabled';
/** Words that say nothing, or the verdict: an id names what the rule is about. */
const IDLE_WORDS = ['no', 'must', 'invalid', 'bad'];

/** In lib/rules/index.ts. */
const IMPORT = /^import \{ (\w+) \} from '(\.\/[^']+)';\n/gm;
const LIST = /(?<=readonly Rule\[\] = \[\n)[^\]]*(?=\];)/;

const args = process.argv.slice(2);
const into = args.indexOf('--into');
const root = into < 0 ? dirname(dirname(fileURLToPath(import.meta.url))) : args.splice(into, 2)[1];
const rules = join(root, 'lib', 'rules');
const indexFile = join(rules, 'index.ts');

try {
  if (args[0] === '--check') check();
  else begin(args);
} catch (error) {
  console.error(`new:rule: ${error.message}`);
  process.exitCode = 1;
}

function begin([name = '', ...others]) {
  const [subject = '', id = '', ...more] = name.split('/');
  if (id === '' || more.length > 0 || others.length > 0) throw new Error(USAGE);
  if (!subjects().includes(subject))
    throw new Error(`there is no subject "${subject}"; there are ${subjects().join(', ')}`);
  refuseId(id);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const rule = { subject, id, name: variable(id), since: version };
  const files = {
    [join(rules, subject, `${id}.ts`)]: ruleModule(rule),
    [join(rules, subject, `${id}.md`)]: page(rule),
    [join(root, 'test', 'rules', subject, `${id}.test.ts`)]: ruleTest(rule),
  };
  const index = indexWith(readFileSync(indexFile, 'utf8'), rule);
  const changes = join(root, 'CHANGELOG.md');
  const changelog = changelogWith(readFileSync(changes, 'utf8'), rule);

  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: 'wx' });
  }
  writeFileSync(indexFile, index);
  writeFileSync(changes, changelog);
  console.log(
    [
      'Fill these in; their tests fail until you have:',
      ...Object.keys(files).map((file) => `  ${relative(root, file)}`),
      'The rule is listed in lib/rules/index.ts and CHANGELOG.md. CONTRIBUTING.md tells how to go on.',
    ].join('\n'),
  );
}

/** The folders of rules. */
function subjects() {
  return readdirSync(rules)
    .filter((name) => name !== 'parts' && statSync(join(rules, name)).isDirectory())
    .sort();
}

function refuseId(id) {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(id) || id.length > 40)
    throw new Error(
      `"${id}" is no id of a rule: two or more words of small letters and digits, with hyphens, 40 characters at most`,
    );
  const idle = id.split('-').find((word) => IDLE_WORDS.includes(word));
  if (idle !== undefined)
    throw new Error(`"${id}" has the word "${idle}": name what the rule is about, not its verdict`);
  const pages = join(root, 'docs', 'rules');
  const taken = subjects().some((subject) => existsSync(join(rules, subject, `${id}.ts`)));
  if (taken || existsSync(join(pages, `${id}.md`))) throw new Error(`there is a rule "${id}" already`);
}

/** The name of a rule in code. */
function variable(id) {
  return id.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/** The index with one more rule: the imports by id, the list by subject, in which a new rule comes last. */
function indexWith(text, { subject, id, name }) {
  const { imports, list } = partsOf(text);
  const after = list.findLastIndex((listed) => imports.get(listed)?.startsWith(`./${subject}/`));
  return indexOf(text, new Map([...imports, [name, `./${subject}/${id}`]]), list.toSpliced(after + 1, 0, name));
}

function check() {
  const text = readFileSync(indexFile, 'utf8');
  const { imports, list } = partsOf(text);
  const files = subjects().flatMap((subject) =>
    readdirSync(join(rules, subject))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `./${subject}/${name.slice(0, -'.ts'.length)}`),
  );
  const listed = new Set(list.map((name) => imports.get(name)));
  const missing = files.filter((file) => !listed.has(file));
  if (missing.length > 0) throw new Error(`lib/rules/index.ts does not list ${missing.join(', ')}`);
  if (text !== indexOf(text, imports, list))
    throw new Error('the imports of lib/rules/index.ts are not in the order of the ids');
}

function partsOf(text) {
  const imports = new Map([...text.matchAll(IMPORT)].map(([, name, path]) => [name, path]));
  const list = [...(LIST.exec(text)?.[0] ?? '').matchAll(/\w+/g)].map(([name]) => name);
  return { imports, list };
}

function indexOf(text, imports, list) {
  const idOf = ([, path]) => path.split('/').at(-1);
  const lines = [...imports]
    .sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
    .map(([name, path]) => `import { ${name} } from '${path}';\n`)
    .join('');
  const [head] = text.split(IMPORT, 1);
  const rest = text.replaceAll(IMPORT, '').slice(head.length);
  return head + lines + rest.replace(LIST, () => list.map((name) => `  ${name},\n`).join(''));
}

/** The changelog with the id at the end of its subject's line among the new rules of what isn't released yet. */
function changelogWith(text, { subject, id }) {
  const title = titleOf(subject);
  const [before, section, ...released] = text.split(/^(?=## )/m);
  const heading = '### New rules\n';
  const filled = section.includes(heading) ? section : `${section.trimEnd()}\n\n${heading}\n`;
  const start = filled.indexOf(heading) + heading.length;
  const length = filled.slice(start).search(/^### /m);
  const end = length < 0 ? filled.length : start + length;
  const items = filled
    .slice(start, end)
    .split(/^(?=- )/m)
    .map((item) => item.trimEnd())
    .filter((item) => item !== '');
  const own = items.findIndex((item) => item.trim().startsWith(`- ${title}: `));
  const added = own < 0 ? [...items, `- ${title}: \`${id}\``] : items.with(own, withId(items[own], id));
  const changed = `${filled.slice(0, start)}\n${added.map((item) => item.trim()).join('\n')}\n\n${filled.slice(end)}`;
  return [before, `${changed.trimEnd()}\n${released.length > 0 ? '\n' : ''}`, ...released].join('');
}

/** An item of a list with one more id, on a line of its own where the last one is full. */
function withId(item, id) {
  const last = item.slice(item.lastIndexOf('\n') + 1);
  return `${item},${last.length + id.length > 135 ? '\n  ' : ' '}\`${id}\``;
}

/** The title of a subject, as the catalogue has it. */
function titleOf(subject) {
  const text = readFileSync(join(root, 'lib', 'cli', 'rules', 'rule-page.ts'), 'utf8');
  const [, table = ''] = /SUBJECTS[^{]*\{([^}]*)\}/.exec(text) ?? [];
  const [, title] = new RegExp(`^ *'?${subject}'?: '([^']+)'`, 'm').exec(table) ?? [];
  if (title === undefined)
    throw new Error(`the catalogue has no title for "${subject}"; see SUBJECTS in lib/cli/rules/rule-page.ts`);
  return title;
}
