import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { checkPaths, type CheckResult } from '../../lib/check';
import type { Resource } from '../../lib/eks';
import type { Finding } from '../../lib/engine';
import { partsByLines, withLines } from '../fixes/obeyed/by-lines';
import { CannotPaste } from '../fixes/obeyed/cannot-paste';
import { obeyed } from '../rules/obeyed/template';
import { objectParts, pastedInDocuments } from './in-documents';
import { idBefore, renamedIn } from './renamed';
import { lostBy, pastedInFolder, type Files, type Pasted } from './in-folder';

/*
 * Does what a literal reader of a report does: takes the code of a fix with its heading as it is printed, pastes it where that says, changes nothing else,
 * and checks again.
 */

export interface Advice {
  readonly finding: Finding;
  /**
   * Whether the finding is `gone` and nothing else happened (`works`), it `stays`, another finding is `new`, the code is `refused` where it goes, a
   * setting of the user is `lost`, words alone say what to do (`prose`), or the text isn't in the input (`elsewhere`): a plan or what a program wrote.
   */
  readonly outcome: 'works' | 'stays' | 'new' | 'refused' | 'lost' | 'prose' | 'elsewhere';
  /** What stays, is new, is refused or lost. @default - nothing */
  readonly why?: string;
  readonly pasted?: Pasted;
}

/** Headings that name a place which only a person finds. */
const IN_WORDS = /^(?:# in (?:user_data\n|the (?:script|conditions|user data|trust))|(?:userData|bootstrap)\b)/;

const PLACEHOLDER =
  /<(?!\/?(?:powershell|script|persist)>)[a-z][\w -]*>|…|changeme|\{\{(?!resolve:|EC2PrivateDNSName)/i;

/** Obeys the errors and warnings of an input, each by itself. */
export function* adviceOf(paths: readonly string[], asOf?: string): Iterable<Advice> {
  const configuration = asOf === undefined ? {} : { asOf };
  const roots = new Map<string, string>();
  const whole = checkPaths(paths, configuration, { onRootModule: ({ stack, path }) => roots.set(stack, path) });
  const checked = new Map<string, CheckResult>();
  const check = (only: readonly string[], changed: ReadonlyMap<string, string> = new Map()): CheckResult => {
    const key = JSON.stringify([only, [...changed].sort()]);
    let result = checked.get(key);
    if (result === undefined) {
      const texts = new Map([...changed].map(([file, text]) => [realpathSync(file), text]));
      checked.set(key, (result = checkPaths(only, configuration, { texts })));
    }
    return result;
  };
  for (const finding of whole.findings.filter(isAdvised)) {
    // A root module is judged by itself: of a folder with many, each check would take as long as all of them.
    const root = roots.size > 1 ? roots.get(finding.resource.stack) : undefined;
    const alone = root === undefined ? undefined : check([root]);
    const own = alone?.findings.find((one) => keyOf(one) === keyOf(finding));
    yield own === undefined || alone === undefined || root === undefined
      ? { finding, ...outcomeOf(finding, whole, (changed) => check(paths, changed)) }
      : { finding, ...outcomeOf(own, alone, (changed) => check([root], changed)) };
  }
}

function isAdvised({ verdict, severity, suppressed }: Finding): boolean {
  return verdict === 'fail' && severity !== 'info' && suppressed === undefined;
}

function outcomeOf(
  finding: Finding,
  before: CheckResult,
  checkWith: (changed: ReadonlyMap<string, string>) => CheckResult,
): Omit<Advice, 'finding'> {
  const { resource, fixedBy } = finding;
  const { fixCode } =
    fixedBy === undefined
      ? finding
      : (before.findings.find((one) => one.rule === fixedBy && one.resource === resource) ?? finding);
  if (fixCode === undefined || IN_WORDS.test(fixCode)) return { outcome: 'prose' };
  const { whyGenerated, editorOf } = resource.dialect.fixes;
  if (whyGenerated !== undefined || editorOf(resource.source.locate().file) === undefined)
    return { outcome: 'elsewhere' };
  const [left] = PLACEHOLDER.exec(fixCode.replaceAll(/ #.*$/gm, '')) ?? [];
  if (left !== undefined) return { outcome: 'refused', why: `${left} is left to the reader` };
  let pasted: Pasted;
  try {
    pasted = pastedAt({ ...finding, fixCode }, fixCode, before);
  } catch (error) {
    // A place that holds something else than the code needs there is none, either.
    if (error instanceof Error) return { outcome: 'refused', why: error.message };
    throw error;
  }
  const [lost] = lostBy(pasted, { ...finding, fixCode });
  if (lost !== undefined) return { outcome: 'lost', why: lost, pasted };
  const [undeclared] = pasted.undeclared;
  if (undeclared !== undefined) return { outcome: 'refused', why: undeclared, pasted };
  const after = checkWith(pasted.changed);
  const known = new Set(before.diagnostics.map(contentOf));
  const problem = after.diagnostics.find((one) => one.severity === 'error' && !known.has(contentOf(one)));
  if (problem !== undefined) return { outcome: 'refused', why: problem.message, pasted };
  return { ...comparedTo(before.findings, after.findings, { ...finding, fixCode }), pasted };
}

/** Whether a finding is there after its advice was followed, or one that wasn't there before. */
function comparedTo(
  before: readonly Finding[],
  after: readonly Finding[],
  finding: Finding,
): Pick<Advice, 'outcome' | 'why'> {
  const key = keyOf(finding);
  const count = (all: readonly Finding[]): number => all.filter((one) => isAdvised(one) && keyOf(one) === key).length;
  if (count(after) >= count(before)) return { outcome: 'stays' };
  // A rule may say of the same resource in other words what it said before.
  const renamed = renamedIn(finding.fixCode ?? '');
  const subjectOf = ({ rule, resource }: Finding): string =>
    // A resource that takes the place of another, under another name, is the same.
    JSON.stringify([rule, resource.stack, idBefore(resource.id.replace(/Anew$/, ''), renamed)]);
  const known = new Set(before.map(subjectOf));
  // What was a warning and becomes an error is refused now.
  const failing = new Set(before.filter(({ severity }) => severity === 'error').map(subjectOf));
  const isNew = (one: Finding): boolean =>
    !known.has(subjectOf(one)) || (one.severity === 'error' && !failing.has(subjectOf(one)));
  const added = after.find((one) => isAdvised(one) && isNew(one));
  return added === undefined ? { outcome: 'works' } : { outcome: 'new', why: `${added.rule}: ${added.message}` };
}

function keyOf({ rule, messageId, resource, about }: Finding): string {
  return JSON.stringify([rule, messageId, resource.stack, resource.id, about]);
}

function contentOf({ severity, file, message }: CheckResult['diagnostics'][number]): string {
  return JSON.stringify([severity, file, message.replaceAll(/\b(lines?|columns?) \d+/g, '$1')]);
}

const FILES: Pick<Files, 'read' | 'list'> = {
  read: (file) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  },
  list: (folder) => readdirSync(folder),
};

function pastedAt(finding: Finding, code: string, { model }: CheckResult): Pasted {
  const { dialect } = finding.resource;
  const objectAt: Files['objectAt'] = (kind, name) =>
    model.resources.find((one) => isObject(one, kind, name))?.source.locate();
  if (dialect.name === 'terraform') return pastedInFolder(finding, code, { ...FILES, objectAt });
  if (dialect.name !== 'cloudformation') return pastedInObjects(finding, model.resources);
  const { file } = finding.source.locate();
  const before = FILES.read(file) ?? '';
  const { elsewhere, rest } = elsewhereByLines(code, file);
  const after = obeyed(before, { ...finding, fixCode: rest }, /^\s*\{/.test(before) ? 'JSON' : 'YAML');
  if (typeof after !== 'string') throw new CannotPaste(after.problem);
  const changed = new Map([[file, after]]);
  for (const { file: other, part } of elsewhere)
    changed.set(other, withLines(changed.get(other) ?? FILES.read(other) ?? '', part) ?? '');
  return { changed, before, after, language: 'YAML', undeclared: [] };
}

/** Code for several objects goes into the files that have them. */
function pastedInObjects(finding: Finding, resources: readonly Resource[]): Pasted {
  const own = finding.source.locate().file;
  const texts = new Map<string, string>();
  const byLines = elsewhereByLines(finding.fixCode ?? '', own);
  for (const { file, part } of byLines.elsewhere)
    texts.set(file, withLines(texts.get(file) ?? FILES.read(file) ?? '', part) ?? '');
  for (const part of objectParts(byLines.rest)) {
    const [, kind, name] = /^# in the \S+ of the (\w+) "([^"]+)"/.exec(part) ?? [];
    // Other files may have an object of the same name.
    const all = [finding.resource, ...resources];
    const object = kind === undefined ? undefined : all.find((one) => isObject(one, kind, name));
    if (kind !== undefined && object === undefined) throw new CannotPaste(`there is no ${kind} ${name}`);
    const file = object?.source.locate().file ?? own;
    texts.set(file, pastedInDocuments(texts.get(file) ?? FILES.read(file) ?? '', { ...finding, fixCode: part }));
  }
  const all = [...texts.keys()];
  return {
    changed: texts,
    before: all.map((file) => FILES.read(file)).join('\n---\n'),
    after: all.map((file) => texts.get(file)).join('\n---\n'),
    language: 'YAML',
    undeclared: [],
  };
}

/** Lines of other files, from below, and what else an advice says. */
function elsewhereByLines(
  code: string,
  own: string,
): { readonly elsewhere: readonly { readonly file: string; readonly part: string }[]; readonly rest: string } {
  const { lines, rest = '' } = partsByLines(code);
  const files = lines.map((part) => ({ file: / of (\S+):\n/.exec(part)?.[1] ?? own, part }));
  return files.every(({ file }) => file === own)
    ? { elsewhere: [], rest: code }
    : { elsewhere: files.filter(({ file }) => file !== own), rest };
}

function isObject(resource: Resource, kind: string, name: string | undefined): boolean {
  const object = ('object' in resource ? resource.object : undefined) as JsonMap | undefined;
  return object?.['kind'] === kind && (object['metadata'] as JsonMap | undefined)?.['name'] === name;
}

type JsonMap = Readonly<Record<string, unknown>>;
