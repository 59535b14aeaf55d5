import { Parser } from 'yaml';
import { nodeScriptOf } from '../eks/user-data/scripts';
import type { UserDataDocument, UserDataPart } from '../eks/user-data/document';
import { readDirective } from '../languages/comments/directive';
import { decidingComments, ignoresIn, type Ignores } from '../languages/comments/ignores';
import type { Comment } from '../languages/comments/placement';
import { LineIndex } from '../languages/positions';
import { commentsInYaml } from '../languages/yaml/yaml-comments';

/** A line that is a comment in scripts, YAML, TOML and PowerShell alike, unless it stands in a text. */
const COMMENT = /^[\t ]*(#[^\n]*)/gm;

/**
 * The decisions in the comments of a lone file of user data. Each holds for all of the file: most findings are about how its parts go together. A line of
 * a here-document, or of a text of several lines, is what the user data writes elsewhere, and decides nothing.
 */
export function decisionsIn(text: string, file: string, document: UserDataDocument): Ignores {
  const comments = [...text.matchAll(COMMENT)].map((found): Comment => {
    const [line, comment = ''] = found;
    const end = found.index + line.length;
    return { text: comment.replace(/^#+/, ''), start: end - comment.length, end };
  });
  const own = decidingComments(text, comments);
  if (own.length === 0) return { suppressions: [], diagnostics: [] };
  const real = realComments(document);
  const begin = document.parts[0]?.bodyOffset ?? 0;
  const isReal = ({ start, end }: Comment): boolean => start < begin || real.has(text.slice(start, end).trim());
  const lines = new LineIndex(text);
  const whole = { name: 'the file', start: 0, end: text.length + 1, parent: undefined, isBracketed: true };
  const placed = own.filter(isReal).map((comment) => ({ comment, item: whole }));
  const { suppressions, diagnostics } = ignoresIn({ file, lines, placed }, () => ({ item: whole, holder: whole }));
  return {
    suppressions,
    diagnostics: [
      ...diagnostics,
      ...own
        .filter((comment) => !isReal(comment) && readDirective(comment.text) !== undefined)
        .map(({ start }) => ({ severity: 'warning' as const, message: IN_A_TEXT, file, ...lines.at(start) })),
    ],
  };
}

const IN_A_TEXT =
  'this line stands in a text that the user data holds, such as a here-document, so it is no comment and ignores nothing; put it into a line outside of that';

/** The comments of all parts, as they are written. */
function realComments({ parts }: UserDataDocument): ReadonlySet<string> {
  return new Set(parts.flatMap((part) => commentsOf(part).map((comment) => comment.trim())));
}

/** In TOML: texts first, because they may hold what looks like a comment. */
const TOML = /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*/g;

const POWERSHELL =
  /<#[\s\S]*?(?:#>|$)|@(["'])\r?\n[\s\S]*?(?:\n\1@|$)|"(?:`[\s\S]|[^"`])*(?:"|$)|'[^']*(?:'|$)|`[\s\S]|(?<![^\s;|&(){},=])#[^\n]*/g;

function commentsOf(part: UserDataPart): readonly string[] {
  const {
    kind,
    body: { text },
  } = part;
  if (kind === 'node-config' || kind === 'cloud-config')
    return commentsInYaml([...new Parser().parse(text)]).map(({ start, end }) => text.slice(start, end));
  if (kind === 'toml') return matchesOf(TOML, text);
  if (kind === 'windows') return matchesOf(POWERSHELL, text).flatMap((comment) => comment.split('\n'));
  return nodeScriptOf(part)?.script.comments.map(({ start, end }) => text.slice(start, end)) ?? [];
}

function matchesOf(pattern: RegExp, text: string): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([found]) => (/^<?#/.test(found) ? [found] : []));
}

/** What has to be the first line of user data. */
const FIRST_LINE = /^(?:#!|#cloud-|## template:|<powershell>)[^\n]*(?:\n|$)/i;

/** A text with a comment where nothing that has to come first stands behind it: in a MIME document, before its first boundary. */
export function withComment(text: string, begin: number, comment: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const boundary = begin === 0 ? undefined : /\n\r?\n(?=--)/.exec(text.slice(0, begin));
  const [first = ''] = begin > 0 ? [] : (FIRST_LINE.exec(text) ?? []);
  const at = boundary === undefined || boundary === null ? first.length : boundary.index + boundary[0].length;
  const before = text.slice(0, at);
  return `${before}${before === '' || before.endsWith('\n') ? '' : end}${comment}${end}${text.slice(at)}`;
}
