import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { editDistance, nearestName } from '../text/nearest';
import { expandPattern, isPattern } from './path-pattern';

/** Endings of what is read. */
const ENDINGS: readonly string[] = ['.yaml', '.yml', '.json', '.template', '.tf', '.tf.json'];

/** A path that exists and was probably meant by one that doesn't: a folder or the file itself is spelt almost like it. */
export function nearPath(path: string): string | undefined {
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
    const nearest = nearestIn(folder, name);
    // One of this very name is there, but leads nowhere.
    if (nearest === undefined || nearest === name) return undefined;
    folder = join(folder, nearest);
  }
  return isRelative || !/^\.[\\/]/.test(path) ? folder : `./${folder}`;
}

/** A pattern that matches something and was probably meant by one that doesn't, or a path where it has no match. */
export function nearPattern(pattern: string): string | undefined {
  const name = basename(pattern);
  const folder = dirname(pattern);
  if (isPattern(name)) {
    const [, stem = '', ending = ''] = /^(.*?)(\.[A-Za-z.]+)$/.exec(name) ?? [];
    const others = ending === '' ? [] : ENDINGS.filter((other) => other !== ending).map((other) => join(folder, stem + other));
    const deeper = folder.includes('**') ? [] : [join(folder, '**', name)];
    const near = [...deeper, ...others].find((other) => expandPattern(other).length > 0);
    if (near !== undefined) return near;
  }
  // The part before the pattern may be what is misspelt.
  const parts = pattern.split(/[\\/]/);
  const first = parts.findIndex(isPattern);
  const start = parts.slice(0, first).join('/');
  const meant = start === '' || existsSync(start) ? undefined : nearPath(start);
  return meant === undefined ? undefined : [meant, ...parts.slice(first)].join('/');
}

/** Two swapped letters are two steps apart, which is much for a short name, but no other may be nearer. */
function nearestIn(folder: string, name: string): string | undefined {
  const names = namesIn(folder);
  return nearestName(name, names) ?? (name.length < 4 || name.length > 60 ? undefined : names.find((other) => editDistance(name, other) <= 2));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
