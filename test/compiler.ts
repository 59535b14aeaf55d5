import { join } from 'node:path';
import { projectRoot } from './cli/built-command';

/** The native compiler, for a process of its own: `process.execPath COMPILER -p FOLDER`. */
export const COMPILER = join(projectRoot, 'node_modules/typescript-7/bin/tsc');
