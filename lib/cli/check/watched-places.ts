import { readdirSync, statSync, watch, type Dirent, type FSWatcher } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SKIPPED_FOLDERS } from '../../front-ends/path-pattern';

/** What a check looked at. */
export interface Places {
  /** Files that were read, and those that it would have read if they were there. */
  readonly files: readonly string[];
  /** Folders of which it takes what is in them. */
  readonly folders: readonly string[];
}

/** New files with other endings change nothing, unless the check asked for them. */
const TELLING = /\.(?:json|ya?ml|template|tf|tofu|tfvars|hcl)$|^eks-guardrails\.config\./;

/** Emacs makes such a link while a file is edited. */
const LOCK = '.#';

/** Folders beyond this number are not looked into. */
const MOST_FOLDERS = 4096;

/** One look each, where the system doesn't tell of changes. */
const INTERVAL = 1000;

/**
 * The places of a check, and what has changed there. Each folder is watched by itself: Node.js can't watch trees everywhere, and would look into
 * `node_modules`. What the system tells is only a reason to look, so that neither its order nor its repetitions matter.
 */
export class WatchedPlaces {
  private readonly watchers = new Map<string, FSWatcher>();
  private timer: NodeJS.Timeout | undefined;
  private places: Places = { files: [], folders: [] };
  private seen: ReadonlyMap<string, string> = new Map();

  /**
   * @param ignored files that never count: what the check itself writes
   * @param onSign called when it is worth looking what has changed
   */
  constructor(
    private readonly ignored: readonly string[],
    private readonly onSign: () => void,
    private readonly watchFolder: typeof watch = watch,
  ) {}

  /**
   * Watches other places from now on.
   * @param since what changed after it (milliseconds since 1970) counts as changed where nothing was seen before
   */
  set(given: Places, since: number): void {
    const ignored = new Set(this.ignored.map((file) => resolve(file)));
    const all = (paths: readonly string[]) => [...new Set(paths.map((path) => resolve(path)))];
    this.places = { files: all(given.files).filter((file) => !ignored.has(file)), folders: all(given.folders) };
    const now = this.look();
    const files = new Set(this.places.files);
    const before = this.seen;
    this.seen = new Map(
      [...now].map(([path, state]) => [
        path,
        before.get(path) ?? (files.has(path) && isYounger(path, since) ? '' : state),
      ]),
    );
    const listed = this.places.files.map(nearestFolder);
    this.listen(new Set([...listed, ...[...now.keys()].filter((path) => now.get(path)?.startsWith(FOLDER))]));
  }

  /** What has changed since the last call, in the order of paths. */
  changes(): readonly string[] {
    const now = this.look();
    const changed = new Set(
      [...new Set([...this.seen.keys(), ...now.keys()])].flatMap((path) =>
        changesAt(path, this.seen.get(path), now.get(path)),
      ),
    );
    this.seen = now;
    return [...changed].sort();
  }

  end(): void {
    this.listen(new Set());
    clearInterval(this.timer);
  }

  private listen(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of folders) {
      if (this.watchers.has(folder)) continue;
      try {
        const watcher = this.watchFolder(folder, () => {
          this.onSign();
        });
        // The folder is gone, which those around it tell, too.
        watcher.on('error', () => {
          watcher.close();
          this.watchers.delete(folder);
          this.onSign();
        });
        this.watchers.set(folder, watcher);
      } catch {
        // Too many are watched already, or the file system can't.
        this.timer ??= setInterval(this.onSign, INTERVAL);
      }
    }
  }

  /** The state of each place, by its path. */
  private look(): ReadonlyMap<string, string> {
    const ignored = new Set(this.ignored.map((file) => resolve(file)));
    const states = new Map(this.places.files.map((file) => [file, stateOf(file)]));
    const visit = (folder: string): void => {
      const entries = entriesOf(folder);
      if (entries === undefined || states.size > this.places.files.length + MOST_FOLDERS) return;
      const names = entries
        .filter(({ name }) => TELLING.test(name) && !name.startsWith(LOCK) && !ignored.has(join(folder, name)))
        .map(({ name }) => name);
      states.set(folder, FOLDER + names.sort().join('/'));
      for (const entry of entries)
        if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) visit(join(folder, entry.name));
    };
    this.places.folders.forEach(visit);
    return states;
  }
}

const FOLDER = 'folder ';

/** What has come or gone in a folder, or the place itself. */
function changesAt(path: string, before: string | undefined, after: string | undefined): readonly string[] {
  if (before === after) return [];
  if (before?.startsWith(FOLDER) !== true || after?.startsWith(FOLDER) !== true) return [path];
  const [was, is] = [before, after].map((state) => new Set(state.slice(FOLDER.length).match(/[^/]+/g)));
  const names = [...(was ?? []), ...(is ?? [])].filter((name) => was?.has(name) !== is?.has(name));
  return names.map((name) => join(path, name));
}

function stateOf(path: string): string {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return 'gone';
    return status.isDirectory() ? 'a folder' : `${status.mtimeMs} ${status.size} ${status.ino}`;
  } catch {
    return 'gone';
  }
}

function isYounger(path: string, since: number): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since;
  } catch {
    return false;
  }
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** The folder of a file, or the nearest one around it that is there. */
function nearestFolder(file: string): string {
  const folder = dirname(file);
  return stateOf(folder) === 'a folder' || dirname(folder) === folder ? folder : nearestFolder(folder);
}
