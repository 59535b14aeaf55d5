import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { brokenLink, describeError, isMissing, readText, type FileText } from '../files/read';
import { nearestName } from '../text/nearest';
import { expandPattern, hasForeignSyntax, isPattern } from './path-pattern';

/** Endings of what is read. */
const ENDINGS: readonly string[] = ['.yaml', '.yml', '.json', '.template', '.tf', '.tf.json', '.tofu', '.tofu.json'];

/** Why a path that the user wrote can't be read, with the one that was probably meant. */
export function whyNotRead(path: string, error: unknown): string {
  if (path === '') return 'its name is empty';
  const reason = describeError(error, path);
  // Where a link is broken, no other path is meant.
  if (!isMissing(error) || brokenLink(path) !== undefined) return reason;
  return `${reason}${didYouMean(nearPath(path))}${syntaxHint(path)}`;
}

/** Why a pattern gave nothing, with the one that was probably meant. */
export function whyNoMatch(pattern: string): string {
  return `the pattern matches no file and no folder${didYouMean(nearPattern(pattern))}${syntaxHint(pattern)}`;
}

/** A text file that the user named, or why it can't be read. */
export function readNamed(file: string): FileText {
  try {
    statSync(file);
  } catch (error) {
    return { problem: whyNotRead(file, error) };
  }
  return readText(file);
}

function didYouMean(path: string | undefined): string {
  return path === undefined ? '' : `; did you mean "${path}"?`;
}

function syntaxHint(path: string): string {
  return hasForeignSyntax(path) ? '; patterns have *, **, ?, [a-z] and {a,b}, and nothing else' : '';
}

/**
 * A path that exists and was probably meant by one that doesn't: a folder or the file itself is spelt almost like it.
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function nearPath(path: string): string | undefined {
  const slashed = withSlashes(path);
  if (slashed !== path && existsSync(slashed)) return slashed;
  const missing: string[] = [];
  let folder = path.replace(/(?<=[^\\/])[\\/]+$/, '');
  while (!existsSync(folder)) {
    missing.unshift(basename(folder));
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  const isRelative = folder === '.' && !/^\.[\\/]/.test(path);
  for (const name of missing) {
    const exact = join(folder, name);
    if (existsSync(exact)) {
      folder = exact;
      continue;
    }
    const nearest = nearestFile(name, folder);
    // One of this very name is there, but leads nowhere.
    if (nearest === undefined || nearest === name) return undefined;
    folder = join(folder, nearest);
  }
  return isRelative || !/^\.[\\/]/.test(path) ? folder : `./${folder}`;
}

/**
 * A pattern that matches something and was probably meant by one that doesn't, or a path where it has no match.
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function nearPattern(pattern: string): string | undefined {
  const slashed = withSlashes(pattern);
  if (slashed !== pattern && matchesSomething(slashed)) return slashed;
  const name = basename(pattern);
  const folder = dirname(pattern);
  if (isPattern(name)) {
    const [, ending = ''] = /(?<![A-Za-z.])[A-Za-z]*(\.[A-Za-z.]+)$/.exec(name) ?? [];
    const stem = name.slice(0, name.length - ending.length);
    const others =
      ending === '' ? [] : ENDINGS.filter((other) => other !== ending).map((other) => join(folder, stem + other));
    const deeper = folder.includes('**') ? [] : [join(folder, '**', name)];
    const near = [...deeper, ...others].find(matchesSomething);
    if (near !== undefined) return near;
  }
  // The part before the pattern may be what is misspelt.
  const parts = pattern.split(/[\\/]/);
  const first = parts.findIndex(isPattern);
  const start = parts.slice(0, first).join('/');
  const meant = start === '' || existsSync(start) ? undefined : nearPath(start);
  return meant === undefined ? undefined : [meant, ...parts.slice(first)].join('/');
}

/** Separators of Windows, where they are none. */
function withSlashes(path: string): string {
  return process.platform === 'win32' ? path : path.replaceAll('\\', '/');
}

function matchesSomething(pattern: string): boolean {
  return expandPattern(pattern).paths.length > 0;
}

/** An ending that two names have in common doesn't make them alike. */
function nearestFile(name: string, folder: string): string | undefined {
  const { name: stem, ext } = parse(name);
  return nearestName(
    name,
    namesIn(folder).filter((other) => parse(other).ext !== ext || nearestName(stem, [parse(other).name]) !== undefined),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
