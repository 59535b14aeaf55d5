import { lstatSync, readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { MAX_ALTERNATIVES, withoutBraces } from '../text/braces';
import { globMatcher, isGlob } from '../text/glob';
import { codeOf } from '../files/read';

/** Folders that never hold input of the user's own. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.terraform']);

/** Whether a path is written as a pattern: with `*`, `?`, `[…]` or `{a,b}`. */
export function isPattern(path: string): boolean {
  // From the first opening bracket of each: the others say nothing more.
  return /[*?]|(?:^|\])[^\][]*\[[^\]]+\]|\{[^{},]*,[^{}]*\}/.test(path);
}

/** Whether a path has what some shells know and patterns don't: `@(a|b)`, `{1..3}`. */
export function hasForeignSyntax(path: string): boolean {
  return /[@!+?*]\([^()]*\)|\{(?=[^{},]*\.\.)[^{},]*\}/.test(path);
}

/** The folder in which all is that a pattern may match. */
export function folderOf(pattern: string): string {
  const segments = pattern.split(/(?<=[\\/])/);
  const first = segments.findIndex((segment) => isGlob(segment) || segment.includes('{'));
  return segments.slice(0, Math.max(first, 0)).join('') || '.';
}

/** What a pattern matches, and the places where that could not be told. */
export interface Expansion {
  readonly paths: readonly string[];
  /** The system's error by the path that it is about. */
  readonly problems: ReadonlyMap<string, unknown>;
  /** It has so many alternatives that nothing was looked for. */
  readonly isTooWide: boolean;
}

/**
 * The files and folders that a pattern matches, as a shell would list them: sorted, `*` and `?` stay within a name, `**` stands for any number of
 * folders, names with a dot in front are matched by patterns with a dot in front. `**` doesn't look into what is never checked, such as
 * `node_modules`, nor behind symbolic links. Brackets also match as they are, and a backslash takes the next character as it is, where it
 * is no separator.
 */
export function expandPattern(
  pattern: string,
  separators = process.platform === 'win32' ? /[\\/]+/ : /\/+/,
): Expansion {
  const alternatives = withoutBraces(pattern);
  const found = new Set<string>();
  const problems = new Map<string, unknown>();
  if (alternatives.length > MAX_ALTERNATIVES) return { paths: [], problems, isTooWide: true };
  for (const alternative of alternatives) {
    const segments = alternative.split(separators);
    const isAbsolute = segments[0] === '' || /^[A-Za-z]:$/.test(segments[0] ?? '');
    const start = isAbsolute ? `${segments.shift() ?? ''}/` : '';
    const steps = segments
      .filter((segment) => segment !== '')
      .filter((segment, index, all) => segment !== '**' || all[index - 1] !== '**');
    if (steps.length > 0) new Walk(steps, found, problems).from(start, 0);
  }
  return { paths: [...found].sort(), problems, isTooWide: false };
}

class Walk {
  /** Places that were looked at: several `**` lead to the same one on many ways. */
  private readonly visited = new Set<string>();

  constructor(
    private readonly steps: readonly string[],
    private readonly found: Set<string>,
    private readonly problems: Map<string, unknown>,
  ) {}

  from(folder: string, index: number): void {
    const key = `${index} ${folder}`;
    const step = this.steps[index];
    if (step === undefined || this.visited.has(key)) return;
    this.visited.add(key);
    if (step === '**') this.anyDepth(folder, index);
    else if (!isGlob(step)) this.enter(extend(folder, step), index);
    else {
      const matches = globMatcher(step);
      for (const { name } of this.entriesOf(folder))
        if (name.startsWith('.') === step.startsWith('.') && matches(name)) this.enter(extend(folder, name), index);
    }
  }

  private anyDepth(folder: string, index: number): void {
    const isLast = index === this.steps.length - 1;
    // As in shells, `dir/**` is the folder with all that is below it.
    if (isLast && folder !== '') this.found.add(folder);
    else this.from(folder, index + 1);
    for (const entry of this.entriesOf(folder)) {
      if (entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name)) continue;
      if (entry.isDirectory()) this.from(extend(folder, entry.name), index);
      else if (isLast) this.found.add(extend(folder, entry.name));
    }
  }

  private enter(path: string, index: number): void {
    const isLast = index === this.steps.length - 1;
    // A link that leads nowhere is a match, which its reader has to tell of.
    const status = this.ask(path, () => (isLast ? lstatSync(path) : statSync(path)));
    if (status === undefined) return;
    if (isLast) this.found.add(path);
    else if (status.isDirectory()) this.from(path, index + 1);
  }

  private entriesOf(folder: string): readonly Dirent[] {
    const path = folder === '' ? '.' : folder;
    return this.ask(path, () => readdirSync(path, { withFileTypes: true })) ?? [];
  }

  /** The system's answer; undefined where there is nothing, or where it may not be known, which is told. */
  private ask<T>(path: string, question: () => T): T | undefined {
    try {
      return question();
    } catch (error) {
      if (!NOTHING_THERE.has(codeOf(error))) this.problems.set(path, error);
      return undefined;
    }
  }
}

const NOTHING_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

function extend(folder: string, name: string): string {
  return folder === '' ? name : folder.endsWith('/') ? folder + name : join(folder, name);
}
