import { relative } from 'node:path';

/** Whether a path is a folder, or in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || !relative(folder, path).startsWith('..');
}
