import { posix } from 'node:path';
import { Known, Unknown } from '../../../value';
import type { Expression } from '../../../languages/hcl/ast';
import { parseTemplate } from '../../../languages/hcl/parser';
import { TerraformMap, type TerraformValue } from '../../terraform-value';
import { setOf } from '../collections';
import type { Scope } from '../scope';
import { CallUnknown, parts, structure, whole, type Call, type Functions, type Result } from './function';

export const FILES: Functions = {
  file: whole(1, 1, (call) => textOfFile(call)),
  filebase64: whole(1, 1, (call) => bytesOfFile(call).toString('base64')),
  filemd5: parts(1, 1, notRead),
  filesha1: parts(1, 1, notRead),
  filesha256: parts(1, 1, notRead),
  filesha512: parts(1, 1, notRead),
  filebase64sha256: parts(1, 1, notRead),
  filebase64sha512: parts(1, 1, notRead),
  fileset: whole(2, 2, filesMatching),
  fileexists: whole(1, 1, (call) => {
    if ('text' in call.context.scope.readFile(call.text(0))) return true;
    throw new CallUnknown('the file may exist where Terraform runs');
  }),
  templatefile: structure(2, 2, (call) => {
    const read = readFile(call);
    const scope = {
      place: (range: Parameters<Scope['place']>[0]) => read.place(range),
      readFile: (path: string) => call.context.scope.readFile(path),
    };
    return template(call, read.text, scope);
  }),
  templatestring: structure(2, 2, (call) =>
    template(call, call.text(0), { place: () => call.here, readFile: (path) => call.context.scope.readFile(path) }),
  ),
  basename: whole(1, 1, (call) => (call.text(0) === '' ? '.' : posix.basename(call.text(0)) || '/')),
  dirname: whole(1, 1, (call) => directory(call.text(0))),
  abspath: parts(1, 1, whereverItRuns),
  pathexpand: parts(1, 1, (call) => {
    const path = call.text(0);
    return path.startsWith('~') ? whereverItRuns(call) : path;
  }),
};

/** As Go's filepath.Dir. */
function directory(path: string): string {
  const folder = posix.normalize(path.slice(0, path.lastIndexOf('/') + 1));
  return folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder;
}

function whereverItRuns(call: Call): Unknown {
  return new Unknown('it depends on the machine that Terraform runs on', call.here);
}

function notRead(): never {
  throw new CallUnknown('files are not read for it');
}

/** The files of one folder, as a set of paths. None may mean that they are made before Terraform runs. */
function filesMatching(call: Call): Result {
  const [folder, pattern] = [call.text(0), call.text(1)];
  const [, inside = '', name = ''] = /^(?:\.\/)?((?:[^*?[\]{}\\/]+\/)*)([^/]+)$/.exec(pattern) ?? [];
  if (name === '' || !/^[^?[\]{}\\]+$/.test(name) || name.includes('**') || inside.split('/').includes('..'))
    throw new CallUnknown('files are found by simple patterns in one folder only');
  const files =
    call.context.scope.listFiles?.(posix.join(folder, inside, '.'))?.filter((file) => matches(file, name)) ?? [];
  if (files.length === 0) throw new CallUnknown('there are no such files here');
  return setOf(
    files.map((file) => call.value(inside + file)),
    call.here,
  );
}

/** Whether a name is what a pattern says, in which `*` is any text. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** A file that can't be read may be made before Terraform runs. */
function readFile(call: Call): Extract<ReturnType<Scope['readFile']>, { text: string }> {
  const read = call.context.scope.readFile(call.text(0));
  if ('problem' in read) throw new CallUnknown(read.problem);
  return read;
}

/** The text, with its place in the file. */
function textOfFile(call: Call): Result {
  const { text, place } = readFile(call);
  const range = { start: 0, end: text.length };
  return new Known(text, call.here.ofText({ scope: { place }, range, value: text }));
}

function bytesOfFile(call: Call): Buffer {
  const { text } = readFile(call);
  // What is no text has lost bytes.
  if (text.includes('\ufffd')) throw new CallUnknown('the file is no text');
  return Buffer.from(text);
}

/** Templates that were parsed lately; one file is often used for many resources. */
const parsed = new Map<string, ReturnType<typeof parseTemplate>>();
const MOST_PARSED = 50;

function parse(text: string): ReturnType<typeof parseTemplate> {
  let found = parsed.get(text);
  if (found === undefined) {
    found = parseTemplate(text);
    if (parsed.size >= MOST_PARSED) parsed.clear();
    parsed.set(text, found);
  }
  return found;
}

/** Templates within templates, which Terraform doesn't have. */
const INNER_TEMPLATES = /\btemplatefile\s*\(/;

/** A template with the variables that the second argument gives it, and no other names. */
function template(call: Call, text: string, places: Pick<Scope, 'place' | 'readFile'>): TerraformValue {
  const { value: expression, problems } = parse(text);
  const [problem] = problems;
  if (problem !== undefined) return new Unknown(`the template can't be parsed: ${problem.message}`, call.here);
  if (INNER_TEMPLATES.test(text) && expression.kind === 'template')
    return new Unknown('a template calls templatefile()', call.here);
  const given = call.plain(1);
  if (given.kind === 'unknown') return new Unknown(given.reason, call.here);
  const scope: Scope = { ...places, resolve: ([name = '']) => resolved(call.map(1), name) };
  return call.context.within(scope).evaluate(withWholeText(expression, text), call.here.flat());
}

/** A template without interpolations is a text that begins where the file does. */
function withWholeText(expression: Expression, text: string): Expression {
  if (expression.kind !== 'literal') return expression;
  return { ...expression, range: { start: 0, end: text.length } };
}

function resolved(variables: TerraformMap, name: string): ReturnType<Scope['resolve']> {
  const value = variables.entries.get(name) ?? variables.entry(name);
  return value === undefined ? undefined : { value, used: 1 };
}
