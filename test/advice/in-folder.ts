import { dirname, join, relative, resolve } from 'node:path';
import type { Finding } from '../../lib/engine';
import { callsIn } from '../../lib/terraform/module/calls-in-address';
import { partsByLines, withLines } from '../fixes/obeyed/by-lines';
import { CannotPaste } from '../fixes/obeyed/cannot-paste';
import { pasted } from '../fixes/obeyed/hcl-pasted';
import { undeclared } from '../fixes/obeyed/undeclared';
import { objectParts, pastedInDocuments } from './in-documents';
import { renamedIn, withNewNames } from './renamed';
import { lostSettings } from './settings';

/*
 * Obeys an advice in a folder of Terraform, whose files are one text while it is pasted: a heading names a block, which any of them may have, or a line of
 * one of them.
 */

/** The files of an input, by the paths that reports show. */
export interface Files {
  read(file: string): string | undefined;
  /** Names of the files of a folder. */
  list(folder: string): readonly string[];
  /** Where an object of Kubernetes stands. */
  objectAt(kind: string, name: string): { readonly file: string; readonly line: number } | undefined;
}

export interface Pasted {
  /** Files that change, and their new texts. */
  readonly changed: ReadonlyMap<string, string>;
  readonly before: string;
  readonly after: string;
  readonly language: 'HCL' | 'YAML';
  /** What the new text refers to and nothing declares. */
  readonly undeclared: readonly string[];
}

const NAMED = /^(# (?:in )?)(\S+\.(?:tf|tfvars|tofu)):(\d+)(?=, |:$)/;

/** Beside a resource of a file that the heading names, or in one. */
const BESIDE = /^# (?:beside \S+, (?=\S+:\d+:$)|in (?=\S+, ))(\S+\.(?:tf|tofu))(?::\d+:$|, )/;

/** Where lines of a file that the heading names give way. */
const LINES = /^# (?:in place of lines? [\d to]+ of )?(\S+?)(?: without lines? [\d to]+|:)$/;

/** @throws CannotPaste where the advice leaves open what to do */
export function pastedInFolder(finding: Finding, code: string, files: Files): Pasted {
  const { file } = finding.source.locate();
  const { lines, rest } = partsByLines(code);
  if (lines.length > 0) {
    const texts = new Map<string, string>();
    for (const part of lines) {
      const [, name = ''] = LINES.exec(part.split('\n', 1)[0] ?? '') ?? [];
      const after = withLines(texts.get(normal(name)) ?? textOf(files, name), part);
      if (after === undefined) throw new CannotPaste(`which lines of ${name}?`);
      texts.set(normal(name), after);
    }
    return rest === undefined ? byLines(texts, files) : withMore(finding, asLinesAre(rest, lines), files, texts);
  }
  if (/\.ya?ml(?:\.tpl|\.tftpl)?$/.test(file))
    return whole(
      file,
      textOf(files, file),
      pastedInDocuments(textOf(files, file), { ...finding, fixCode: code }),
      'YAML',
    );
  if (!/\.(?:tf|tofu)$/.test(file)) throw new CannotPaste(`${file} is no HCL`);
  if (/^(?:kubernetes|kubectl)_/.test(finding.resource.type) && !/^\S+ = /m.test(code.replaceAll(/^#.*\n/gm, '')))
    return inHeredocs(finding, code, files);
  const named = code.split('\n').flatMap((one) => NAMED.exec(one)?.[2] ?? BESIDE.exec(one)?.[1] ?? []);
  // What has no heading goes to the finding, whatever the lines below say of others.
  const folder = dirname(NAMED.test(code) ? (named[0] ?? file) : file);
  const all = [
    ...new Set(
      [
        ...files.list(folder).flatMap((name) => (/\.(?:tf|tofu)$/.test(name) ? [join(folder, name)] : [])),
        ...named,
      ].map(normal),
    ),
  ]
    // What has no place of its own goes to the end of the file that the finding is about.
    .sort((one, other) => Number(one === normal(file)) - Number(other === normal(file)));
  const before = joined(all.map((path) => [path, textOf(files, path)] as const));
  const heads = code.split('\n').map((one) =>
    one.replace(NAMED, (_, start: string, path: string, at: string) => {
      const offset = before.split('\n').indexOf(marker(normal(path)));
      return `${start}${path}:${offset + 1 + Number(at)}`;
    }),
  );
  const after = pasted(
    before,
    addressOf(finding),
    heads
      .join('\n')
      .replace(
        /^# in the (spec(?:\.\w+)*) of the \w+(, without \w+)?:$/gm,
        `# in ${addressOf(finding)}.${manifestOf(finding)}.$1$2:`,
      ),
  );
  const changed = new Map([...parted(after)].filter(([path, text]) => text !== textOf(files, path)));
  return { changed, before, after, language: 'HCL', undeclared: undeclared(before, after) };
}

function byLines(texts: ReadonlyMap<string, string>, files: Files): Pasted {
  const all = [...texts.keys()];
  return {
    changed: texts,
    before: all.map((file) => textOf(files, file)).join('\n---\n'),
    after: [...texts.values()].join('\n---\n'),
    language: all.every((file) => /\.ya?ml$/.test(file)) ? 'YAML' : 'HCL',
    undeclared: [],
  };
}

/** Code whose headings name lines of files as they were, for files in which others have changed. */
function asLinesAre(code: string, changes: readonly string[]): string {
  return code.replaceAll(new RegExp(NAMED.source, 'gm'), (heading, start: string, file: string, line: string) => {
    const moved = changes.reduce((sum, change) => {
      const [head = '', ...after] = change.split('\n');
      const [, name = ''] = LINES.exec(head) ?? [];
      const [, first = '', last = first] = / lines? (\d+)(?: to (\d+))?/.exec(head) ?? [];
      const isAbove = normal(name) === normal(file) && Number(last) < Number(line);
      return isAbove ? sum + after.length - (Number(last) - Number(first) + 1) : sum;
    }, 0);
    return moved === 0 ? heading : `${start}${file}:${Number(line) + moved}`;
  });
}

/** Code for other places than lines of files that have changed already. */
function withMore(finding: Finding, code: string, files: Files, texts: ReadonlyMap<string, string>): Pasted {
  const read = (name: string): string | undefined => texts.get(normal(name)) ?? files.read(name);
  const rest = pastedInFolder({ ...finding, fixCode: code }, code, { ...files, read });
  const before = [...texts].reduce(
    (text, [file, after]) => text.replace(after, () => textOf(files, file)),
    rest.before,
  );
  // What the lines refer to has to be declared, too.
  return { ...rest, changed: new Map([...texts, ...rest.changed]), before, undeclared: undeclared(before, rest.after) };
}

/** Settings of a text that an advice for it loses. */
export function lostBy(
  { before, after, language }: Pasted,
  { about, message, fixCode = '' }: Finding,
): readonly string[] {
  const replaced = new Set([
    ...[...fixCode.matchAll(/\bwithout ([\w ,]+?):?$/gm)].flatMap(([, names = '']) => names.split(/, | and /)),
    ...[...fixCode.matchAll(/\bin (?:the )?place of (?:its )?(\w+):$/gm)].map(([, name = '']) => name),
    ...(about?.split('.') ?? []),
    // The script is written anew as a whole, in another format; that it is all there, its tests tell.
    ...(/^"?UserData"?:/m.test(fixCode) ? ['UserData'] : []),
    // The whole trust of a role with one statement is written anew, as the text of a function.
    ...(/^"?AssumeRolePolicyDocument"?:(?: \{)?\s+"?Fn::Sub/m.test(fixCode) ? ['AssumeRolePolicyDocument'] : []),
    // An AMI is another one.
    ...(/^"?ImageId"?:/m.test(fixCode) ? ['ImageId'] : []),
  ]);
  const isOfLines = partsByLines(fixCode).lines.length > 0;
  return lostSettings(withNewNames(before, renamedIn(fixCode)), after, language, (steps) => {
    const [last = ''] = /[^/"]*(?="?$)/.exec(steps.at(-1) ?? '') ?? [];
    // What the message calls wrong may go.
    return isOfLines || replaced.has(last) || message.includes(last) || steps.some((step) => replaced.has(step));
  });
}

function whole(file: string, before: string, after: string, language: Pasted['language']): Pasted {
  return { changed: new Map([[file, after]]), before, after, language, undeclared: [] };
}

/** Code for objects that stand as YAML in heredocs, each in that of its own. */
function inHeredocs(finding: Finding, code: string, files: Files): Pasted {
  const changes = objectParts(code).map((part) => {
    const [, kind = '', name = ''] = /^# in the \S+ of the (\w+) "([^"]+)"/.exec(part) ?? [];
    const { file, line } = (kind === '' ? undefined : files.objectAt(kind, name)) ?? finding.source.locate();
    return { part, file, line };
  });
  const changed = new Map<string, string>();
  const [before, after]: [string[], string[]] = [[], []];
  // From below, so that the lines of those above stay what they are.
  for (const { part, file, line } of changes.toSorted((one, other) => other.line - one.line)) {
    const now = inHeredoc({ ...finding, fixCode: part }, changed.get(file) ?? textOf(files, file), line);
    changed.set(file, now.text);
    before.push(now.before);
    after.push(now.after);
  }
  return { changed, before: before.join('\n---\n'), after: after.join('\n---\n'), language: 'YAML', undeclared: [] };
}

/**
 * YAML in a heredoc: its lines are taken out of their indentation for the while.
 * @param line of the object or something in it; of what is missing, that of the resource above
 */
function inHeredoc(
  finding: Finding,
  text: string,
  line: number,
): Pick<Pasted, 'before' | 'after'> & { readonly text: string } {
  const lines = text.split('\n');
  const opens = (one: string): boolean => /<<-?\w+\s*$/.test(one);
  const start = lines.findLastIndex((one, index) => index < line && opens(one));
  const [, word = ''] = /<<-?(\w+)\s*$/.exec(lines[start] ?? '') ?? [];
  const end = lines.findIndex((one, index) => index > start && one.trim() === word);
  if (start < 0 || end < line) {
    const next = lines.findIndex((one, index) => index >= line && opens(one));
    if (next < 0) throw new CannotPaste('the object stands in no text of the file');
    return inHeredoc(finding, text, next + 1);
  }
  const inner = lines.slice(start + 1, end);
  const indent = Math.min(...inner.filter((one) => one.trim() !== '').map((one) => one.search(/\S/)));
  const before = inner.map((one) => one.slice(indent)).join('\n');
  const after = pastedInDocuments(before, finding, Math.max(line - start - 1, 1));
  const indented = after
    .trimEnd()
    .split('\n')
    .map((one) => (one === '' ? one : ' '.repeat(indent) + one));
  return { before, after, text: [...lines.slice(0, start + 1), ...indented, ...lines.slice(end)].join('\n') };
}

/** The argument that has an object of Kubernetes. */
function manifestOf({ resource: { type } }: Finding): string {
  return type.startsWith('kubectl_') ? 'yaml_body' : 'manifest';
}

/** Where somebody would paste who is told nothing else: in the resource, or in the call of the module that makes it. */
function addressOf({ resource: { id, moduleInputs, moduleInputsAt = '' } }: Finding): string {
  const call = callsIn(moduleInputsAt).at(-1);
  if (moduleInputs !== undefined && call !== undefined) return call.replace(/\[.*$/, '');
  return callsIn(id)
    .reduce((rest, step) => rest.slice(step.length + 1), id)
    .replace(/\[.*\]$/, '');
}

function textOf(files: Files, file: string): string {
  const text = files.read(file);
  if (text === undefined) throw new CannotPaste(`there is no ${file}`);
  return text;
}

function normal(path: string): string {
  return relative('.', resolve(path));
}

/** Begins a line that no file has. */
const MARK = '#### file of the input: ';

function marker(path: string): string {
  return `${MARK}${path}`;
}

function joined(texts: readonly (readonly [path: string, text: string])[]): string {
  return texts.map(([path, text]) => `${marker(path)}\n${text}`).join('\n');
}

function parted(text: string): ReadonlyMap<string, string> {
  return new Map(
    `\n${text}`
      .split(`\n${MARK}`)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  );
}
