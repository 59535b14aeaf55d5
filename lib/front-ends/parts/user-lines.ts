import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceLocation } from '../../value';

/*
 * The CDK writes down by which calls of the app each construct came to be. Of these lines the innermost is the user's that stands in a
 * file of source code within the working folder: what packages do isn't theirs, and an assembly that was made elsewhere names files of another
 * machine. Whoever wrote the assembly can't have other files printed, such as those with secrets.
 */

const SOURCE_CODE = /\.(?:[cm]?[jt]sx?|py|java|kt|go|cs|fs|vb)$/;

const OF_PACKAGES: ReadonlySet<string> = new Set(['node_modules', 'site-packages', 'dist-packages']);

/** `new Nodes (/app/lib/nodes.ts:12:5)`, also without a column, as a URL, or the place alone. */
const FRAME = /^(?:.*\()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+)(?::(\d+))?\)?$/;

/** Longer ones are no place in a file. */
const LONGEST_FRAME = 5_000;

/** Frames are looked at until one is the user's; a trace that goes on for ever holds none. */
const MOST_FRAMES = 100;

/** Finds lines of the user's; looks at each file once. */
export class UserLines {
  private readonly files = new Map<string, string | undefined>();
  private readonly folder = process.cwd();

  /** @param frames as the CDK writes them, the innermost first */
  find(frames: readonly unknown[]): SourceLocation | undefined {
    for (const frame of frames.slice(0, MOST_FRAMES)) {
      if (typeof frame !== 'string' || frame.length > LONGEST_FRAME) continue;
      const [, path, line, column] = FRAME.exec(frame.trim().replace(/^at /, '')) ?? [];
      const file = path === undefined ? undefined : this.ownFile(path);
      if (file !== undefined) return { file, line: Number(line), column: column === undefined ? 1 : Number(column) };
    }
    return undefined;
  }

  private ownFile(path: string): string | undefined {
    if (!this.files.has(path)) this.files.set(path, ownFile(path, this.folder));
    return this.files.get(path);
  }
}

function ownFile(path: string, folder: string): string | undefined {
  try {
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    if (!isAbsolute(file) || !SOURCE_CODE.test(file)) return undefined;
    const inside = relative(realpathSync(folder), realpathSync(file));
    const names = inside.split(sep);
    if (isAbsolute(inside) || names.some((name) => name === '..' || OF_PACKAGES.has(name) || name.startsWith('.')))
      return undefined;
    return statSync(file).isFile() && !isCompiled(file) ? inside : undefined;
  } catch {
    return undefined;
  }
}

/** What a compiler wrote beside the code that people change. */
function isCompiled(file: string): boolean {
  const [, stem] = /^(.*)\.[cm]?jsx?$/.exec(file) ?? [];
  return stem !== undefined && ['.ts', '.tsx', '.mts', '.cts', '.d.ts'].some((ending) => existsSync(stem + ending));
}
