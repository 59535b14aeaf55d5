import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUBJECTS } from '../../../lib/cli/rules/rule-page';
import { toolRules } from '../../../lib/engine/tool-rules';
import { docsUrl, ENGINE_RULES } from '../../../lib/engine';
import { allRules } from '../../../lib/rules';
import { builtCommand, projectRoot } from '../built-command';

const pagesFolder = join(projectRoot, 'docs/rules');
const ids = allRules.map((rule) => rule.id);

describe('the catalogue', () => {
  it('has every rule, with its page beside it, in the folder of its subject, and nothing else stands there', () => {
    const rulesFolder = join(projectRoot, 'lib/rules');
    const files = Object.keys(SUBJECTS).flatMap((subject) =>
      existsSync(join(rulesFolder, subject))
        ? readdirSync(join(rulesFolder, subject)).map((name) => `${subject}/${name}`)
        : [],
    );
    const expected = allRules.flatMap(({ subject, id }) => [`${subject}/${id}.ts`, `${subject}/${id}.md`]);
    expect(files.filter((file) => !file.endsWith('/parts')).sort()).toEqual(expected.sort());
  });

  it('has each id once, in the form that suppressions and options need', () => {
    expect(new Set([...ids, ...toolRules.map(({ id }) => id)]).size).toBe(ids.length + toolRules.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/);
  });

  it('keeps the rules of one subject together', () => {
    const subjects = allRules.map((rule) => rule.subject).filter((subject, index, all) => subject !== all[index - 1]);
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  it('describes all of the rules that the engine reports itself', () => {
    expect(toolRules.map(({ id }) => id).sort()).toEqual(Object.values(ENGINE_RULES).sort());
  });

  it.each(allRules.map((rule) => [rule.id, rule] as const))('%s is told completely', (_, rule) => {
    for (const text of [rule.title, rule.symptom, rule.why, rule.limits, rule.ignore])
      expect(text.trim().length).toBeGreaterThan(10);
    expect(rule.title).not.toMatch(/[.!]$/);
    expect(rule.sources.length).toBeGreaterThan(0);
    for (const { url } of rule.sources) expect(new URL(url).protocol).toBe('https:');
    expect(Object.keys(rule.messages).length).toBeGreaterThan(0);
    for (const option of Object.values(rule.options ?? {})) expect(option.allowed).toContain(option.default);
  });
});

describe('the pages in docs/rules', () => {
  it('are one per rule, and the table', () => {
    const expected = [...ids, ...toolRules.map(({ id }) => id)].map((id) => `${id}.md`);
    expect(readdirSync(pagesFolder).sort()).toEqual([...expected, 'README.md'].sort());
  });

  it('stand where findings say', () => {
    for (const id of ids) expect(new URL(docsUrl(id)).pathname).toMatch(new RegExp(`/docs/rules/${id}\\.md$`));
  });

  it('say what the rules say today', () => {
    expect(docs(['--check'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('are found stale when one was edited, is missing or is of no rule, and are repaired', () => {
    const copy = mkdtempSync(join(tmpdir(), 'eks-guardrails-docs-'));
    try {
      docs([copy]);
      const page = readFileSync(join(copy, 'imds-v1.md'), 'utf8');
      appendFileSync(join(copy, 'imds-v1.md'), 'edited\n');
      rmSync(join(copy, 'rule-crashed.md'));
      writeFileSync(join(copy, 'imds-v0.md'), 'gone\n');
      const checked = docs(['--check', copy]);
      expect(checked.status).toBe(1);
      expect(checked.stderr).toContain(': imds-v0.md, imds-v1.md, rule-crashed.md\n');
      expect(docs([copy]).status).toBe(0);
      expect(docs(['--check', copy]).status).toBe(0);
      expect(readFileSync(join(copy, 'imds-v1.md'), 'utf8')).toBe(page);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('leave no placeholder unfilled and close every code block', () => {
    for (const name of readdirSync(pagesFolder)) {
      const page = readFileSync(join(pagesFolder, name), 'utf8');
      expect(page).not.toMatch(/\{\{(?!resolve:|EC2PrivateDNSName)|undefined|\[object/);
      expect((page.match(/^```/gm) ?? []).length % 2).toBe(0);
    }
  });

  it('link only to pages that exist', () => {
    for (const name of readdirSync(pagesFolder)) {
      const page = readFileSync(join(pagesFolder, name), 'utf8');
      for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g))
        expect({ name, target, exists: existsSync(join(pagesFolder, target)) }).toEqual({ name, target, exists: true });
    }
  });
});

function docs(args: readonly string[]) {
  builtCommand();
  return spawnSync(process.execPath, [join(projectRoot, 'scripts/docs.mjs'), ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
}
