// The modules of lib as the build made them: most have no file of their own in dist/, but a place in the bundle.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './install.mjs';

const bundle = join(root, 'dist', 'lib', 'bundle', 'index.js');

export const isBuilt = () => existsSync(bundle);

/** @param {string} id the path of a module in lib, such as `rules/index` */
export function built(id) {
  return createRequire(import.meta.url)(bundle)(id);
}
