// Takes away what no user of the package can load: its `exports` name the modules that others may import, and of the rest, those matter that these
// lead to. All code of lib is in its bundle, so of a thousand modules, most would be left as a file of three lines and one of types that nobody reads,
// which an install writes all the same.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * @param {string} dist the compiled package
 * @param {{ exports: Record<string, string | { types: string, default: string }>, bin: Record<string, string> }} manifest its package.json
 */
export function keepReachable(dist, { exports, bin }) {
  const entries = Object.values(exports).filter((entry) => typeof entry === 'object');
  const inDist = (path) => join(dist, path.replace(/^(?:\.\/)?dist\//, ''));
  const kept = new Set([
    ...reachable(
      entries.map((entry) => inDist(entry.types)),
      ['.d.ts', '/index.d.ts'],
    ),
    ...reachable([...entries.map((entry) => entry.default), ...Object.values(bin)].map(inDist), [
      '',
      '.js',
      '/index.js',
    ]),
  ]);
  for (const folder of ['lib', 'constructs', 'aspects']) removeOthers(join(dist, folder), kept);
}

/** The files, and all that they import by a path. */
function reachable(files, endings) {
  const found = new Set();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const path = join(dirname(file), fileName);
      const imported = endings
        .map((ending) => path + ending)
        .find((one) => /\.(?:js|d\.ts)$/.test(one) && existsSync(one));
      if (imported === undefined) throw new Error(`${file} imports ${fileName}, which isn't there`);
      open.push(imported);
    }
  }
  return found;
}

/** Removes the modules and types of a folder that aren't kept, and the folders that are empty then. */
function removeOthers(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // The bundle loads its parts by their names.
    if (entry.isDirectory()) {
      if (entry.name !== 'bundle') removeOthers(path, kept);
    } else if (/\.(?:js|d\.ts)$/.test(entry.name) && !kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
