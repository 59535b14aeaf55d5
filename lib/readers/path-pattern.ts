import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** Folders that never hold input of the user's own. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.terraform']);

/** More alternatives than anybody writes; `{a,b}{a,b}…` doubles with every pair. */
const MAX_ALTERNATIVES = 256;

/** Whether a path is written as a pattern: with `*`, `?`, `[…]` or `{a,b}`. */
export function isPattern(path: string): boolean {
  return /[*?]|\[[^\]]+\]|\{[^{}]*,[^{}]*\}/.test(path);
}

/**
 * The files and folders that a pattern matches, as a shell would list them: sorted, `*` and `?` stay within a name, `**` stands for any number of
 * folders, names with a dot in front are matched by patterns with a dot in front. `**` doesn't look into what is never checked, such as
 * `node_modules`, nor behind symbolic links.
 */
export function expandPattern(pattern: string, separators = process.platform === 'win32' ? /[\\/]+/ : /\/+/): string[] {
  const found = new Set<string>();
  for (const alternative of alternativesOf(pattern)) {
    const segments = alternative.split(separators);
    const isAbsolute = segments[0] === '' || /^[A-Za-z]:$/.test(segments[0] ?? '');
    const start = isAbsolute ? `${segments.shift() ?? ''}/` : '';
    const steps = segments.filter((segment) => segment !== '').filter((segment, index, all) => segment !== '**' || all[index - 1] !== '**');
    if (steps.length > 0) new Walk(steps, found).from(start, 0);
  }
  return [...found].sort();
}

class Walk {
  /** Places that were looked at: several `**` lead to the same one on many ways. */
  private readonly visited = new Set<string>();

  constructor(
    private readonly steps: readonly string[],
    private readonly found: Set<string>,
  ) {}

  from(folder: string, index: number): void {
    const key = `${index} ${folder}`;
    const step = this.steps[index];
    if (step === undefined || this.visited.has(key)) return;
    this.visited.add(key);
    if (step === '**') this.anyDepth(folder, index);
    else if (!isPattern(step)) this.enter(extend(folder, step), index);
    else {
      const matches = nameMatcher(step);
      for (const { name } of entriesOf(folder)) if (matches(name)) this.enter(extend(folder, name), index);
    }
  }

  private anyDepth(folder: string, index: number): void {
    const isLast = index === this.steps.length - 1;
    // As in shells, `dir/**` is the folder with all that is below it.
    if (isLast && folder !== '') this.found.add(folder);
    else this.from(folder, index + 1);
    for (const entry of entriesOf(folder)) {
      if (entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name)) continue;
      if (entry.isDirectory()) this.from(extend(folder, entry.name), index);
      else if (isLast) this.found.add(extend(folder, entry.name));
    }
  }

  private enter(path: string, index: number): void {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return;
    if (index === this.steps.length - 1) this.found.add(path);
    else if (status.isDirectory()) this.from(path, index + 1);
  }
}

function extend(folder: string, name: string): string {
  return folder === '' ? name : folder.endsWith('/') ? folder + name : join(folder, name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** `a{b,c}` is `ab` and `ac`; the innermost braces first. */
function alternativesOf(pattern: string): readonly string[] {
  let all: readonly string[] = [pattern];
  // All of them have the same braces left, save for those that a choice holds itself.
  while (all.length <= MAX_ALTERNATIVES && all.some((one) => BRACES.test(one))) {
    all = all.flatMap((one) => {
      const [braces, list] = BRACES.exec(one) ?? [];
      return braces === undefined || list === undefined ? [one] : list.split(',').map((choice) => one.replace(braces, () => choice));
    });
  }
  return [...new Set(all.slice(0, MAX_ALTERNATIVES))];
}

const BRACES = /\{([^{}]*,[^{}]*)\}/;

/** One step of a pattern: a character, a set of characters, or any text (`*`). */
type Token = '*' | ((character: string) => boolean);

/**
 * Whether a name matches a pattern without separators. A step back to the last `*` is enough, so the time is the product of both lengths at worst;
 * a regular expression could take longer than anybody waits.
 */
function nameMatcher(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(pattern);
  const wantsDot = pattern.startsWith('.');
  return (name) => {
    if (name.startsWith('.') && !wantsDot) return false;
    const characters = Array.from(name);
    let token = 0;
    let at = 0;
    let star = -1;
    let starAt = 0;
    while (at < characters.length) {
      const wanted = tokens[token];
      if (wanted === '*') {
        star = token++;
        starAt = at;
      } else if (wanted?.(characters[at] ?? '') === true) {
        token++;
        at++;
      } else if (star >= 0) {
        token = star + 1;
        at = ++starAt;
      } else return false;
    }
    while (tokens[token] === '*') token++;
    return token === tokens.length;
  };
}

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(pattern);
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index];
    if (character === '*') tokens.push('*');
    else if (character === '?') tokens.push(() => true);
    else {
      const end = character === '[' ? characters.indexOf(']', index + 2) : -1;
      if (end < 0) tokens.push((other) => other === character);
      else {
        tokens.push(setOf(characters.slice(index + 1, end)));
        index = end;
      }
    }
  }
  return tokens;
}

/** `[abc]`, `[a-z]`, `[!a-z]`. */
function setOf(content: readonly string[]): (character: string) => boolean {
  const isNegative = content[0] === '!' || content[0] === '^';
  const members = isNegative ? content.slice(1) : content;
  const has = (character: string) =>
    members.some((member, index) => {
      const [from, to] = [members[index - 1], members[index + 1]];
      if (member === '-' && from !== undefined && to !== undefined) return from <= character && character <= to;
      return member === character;
    });
  return (character) => has(character) !== isNegative;
}
