import { Known, Unknown, type Plain, type Source } from '.';
import { compose } from './composed-text';

/**
 * What only a tool before the one that reads a file can mean: `{{ name }}` of Jinja, Helm and many others, `<%= name %>` of ERB, `@NAME@` and `__NAME__`
 * of scripts; a regular expression. What the authenticator fills in for roles stands there as it is, also
 * where it is misspelt. Source: kubernetes-sigs/aws-iam-authenticator, pkg/server/server.go.
 */
export const FILL_IN = [
  String.raw`\$?\{\{(?!\s*[Ee][Cc]2[Pp]rivate|(?:SessionName(?:Raw)?|AccountID|AccessKeyID)\}\})[^{}\n]{1,200}\}\}`,
  String.raw`<%[^%\n]{1,200}%>`,
  String.raw`(?<![\w.])@[A-Z][A-Z0-9_]{0,60}@(?![\w.])`,
  String.raw`(?<![A-Za-z0-9_])__[A-Z](?:[A-Z0-9]|_(?!_)){0,60}__(?![A-Za-z0-9_])`,
].join('|');

const FILL_INS = new RegExp(FILL_IN, 'g');

/**
 * A text of a template or configuration in which something is filled in first; undefined for all others. Scripts and documents have signs of their own, so
 * of several lines none is one, nor is what AWS resolves.
 */
export function withFillIns(text: string, source: Source): Plain<string> | undefined {
  if (!/\{\{|<%|@|__/.test(text) || text.includes('\n') || text.includes('{{resolve:')) return undefined;
  const value = withHoles(text, FILL_INS, source, 'the file is read');
  return value.kind === 'known' ? undefined : value;
}

/**
 * A text with something unknown in the place of each match.
 * @param before what happens to it with everything filled in: `eksctl reads the file`
 */
export function withHoles(text: string, pattern: RegExp, source: Source, before: string): Plain<string> {
  const parts: Plain<string>[] = [];
  let end = 0;
  for (const { 0: hole, index } of text.matchAll(pattern)) {
    parts.push(new Known(text.slice(end, index), source), unknownHole(hole, source, before));
    end = index + hole.length;
  }
  if (end === 0) return new Known(text, source);
  parts.push(new Known(text.slice(end), source));
  return compose(parts, source);
}

/** @param before what happens with it filled in */
export function unknownHole(hole: string, source: Source, before: string): Unknown {
  return new Unknown(`${hole} is filled in before ${before}`, source, `\${${nameIn(hole)}}`, hole);
}

function nameIn(hole: string): string {
  return hole.replaceAll(/[${}<>@%=]|^__|__$/g, '').trim();
}
