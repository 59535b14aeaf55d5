import { fork, type ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CONFIGURATION_FILE_NAMES } from '../../configuration/find';
import { gitRootOf, upwards } from '../../files/boundary';
import { folderOf, isPattern } from '../../front-ends/path-pattern';
import { printableLine } from '../../reports/prose';
import { instant, timeOfDay } from '../../text/day';
import type { CheckRequest } from './check-command';
import { isStandardOutput } from '../output/outputs';
import { UsageError } from '../parts/usage-error';
import { WatchedPlaces, type Places } from './watched-places';
import { WATCHED, type Watched } from './watched-check';

/** Programs write files in pieces: nothing is read until nothing has changed for so long. */
const QUIET = 150;

/** As shells tell of Ctrl+C. */
const EXIT_INTERRUPTED = 130;

/**
 * Checks, and checks again whenever something has changed that the check looked at, until Ctrl+C. Each check is a process of its own: modules of the
 * configuration are loaded anew, and nothing piles up.
 * @param args the command line that was given
 * @throws UsageError for what can't be repeated
 */
export async function watchAndCheck(given: CheckRequest, args: readonly string[]): Promise<number> {
  refuseUnrepeatable(given);
  const end = args.indexOf('--');
  const own = args.filter((argument, index) => argument !== '--watch' || (end >= 0 && index > end));
  return new Promise((resolve) => {
    new Watch(given, own, resolve).start();
  });
}

function refuseUnrepeatable({
  fix = false,
  suppress = false,
  writeBaseline,
  printConfig = false,
  paths,
}: CheckRequest): void {
  const what: readonly (readonly [boolean, string])[] = [
    [fix, '--fix would change the files that are watched, again and again; run it by itself'],
    [suppress, '--suppress would accept everything that comes up; run it by itself'],
    [writeBaseline !== undefined, '--write-baseline would accept everything that comes up; run it by itself'],
    [printConfig, '--print-config prints once, and checks nothing'],
    [paths.includes('-'), 'the standard input (-) can be read once only; name files or folders'],
  ];
  const why = what.find(([is]) => is)?.[1];
  if (why !== undefined) throw new UsageError(`--watch doesn't go with this: ${why}`);
}

class Watch {
  private readonly places: WatchedPlaces;
  private readonly named: Places;
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isFirst = true;

  constructor(
    given: CheckRequest,
    private readonly args: readonly string[],
    private readonly finish: (exitCode: number) => void,
  ) {
    const written = given.outputs.flatMap(({ kind, value }) =>
      kind === 'output' && !isStandardOutput(value) ? [value] : [],
    );
    this.named = namedPlaces(given);
    this.places = new WatchedPlaces(written, () => {
      this.look();
    });
  }

  start(): void {
    process.once('SIGINT', () => {
      this.end(EXIT_INTERRUPTED);
    });
    this.places.set(this.named, Infinity);
    this.check([]);
  }

  /** Something may have changed. */
  private look(): void {
    clearTimeout(this.timer);
    if (this.child !== undefined) return;
    this.timer = setTimeout(() => {
      const changed = this.places.changes();
      if (changed.length > 0) this.check(changed);
    }, QUIET);
  }

  private check(changed: readonly string[]): void {
    const since = instant();
    const watched: Watched = { changed: changed.slice(0, MOST_NAMES).map(shown), count: changed.length };
    let looked: Places | undefined;
    this.child = fork(process.argv[1] ?? '', this.args, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, [WATCHED]: JSON.stringify(watched) },
    });
    this.child.on('message', (message) => {
      looked = message as Places;
    });
    this.child.once('exit', (exitCode, signal) => {
      this.child = undefined;
      if (signal === 'SIGINT') {
        this.end(EXIT_INTERRUPTED);
        return;
      }
      // A command line that makes no sense doesn't make more of it later.
      if (looked === undefined && this.isFirst) {
        this.end(exitCode ?? 1);
        return;
      }
      this.isFirst = false;
      if (looked !== undefined) this.places.set(joined(this.named, looked), since);
      process.stderr.write(`${timeOfDay()} Watching for changes; Ctrl+C ends.\n`);
      this.look();
    });
  }

  private end(exitCode: number): void {
    clearTimeout(this.timer);
    this.places.end();
    this.child?.kill('SIGINT');
    this.finish(exitCode);
  }
}

/** More names help nobody. */
const MOST_NAMES = 200;

/** What is watched whatever a check looks at: it may not come to that. */
function namedPlaces({ paths, config, baseline, varFile = [] }: CheckRequest): Places {
  const folders = paths.flatMap((path) => (isFolder(path) ? [path] : isPattern(path) ? [folderOf(path)] : []));
  const files = paths.filter((path) => !isPattern(path));
  const root = gitRootOf(process.cwd());
  const around =
    root === undefined ? [process.cwd()] : upwards(process.cwd()).filter((folder) => isWithin(folder, root));
  const configurations =
    config === undefined ? around.flatMap((folder) => CONFIGURATION_FILE_NAMES.map((name) => join(folder, name))) : [];
  return {
    folders,
    files: [
      ...files,
      ...varFile,
      ...configurations,
      ...(typeof config === 'string' ? [config] : []),
      ...(baseline === undefined ? [] : [baseline]),
    ],
  };
}

function isWithin(folder: string, root: string): boolean {
  return !relative(root, folder).startsWith('..');
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function joined(one: Places, other: Places): Places {
  return { files: [...one.files, ...other.files], folders: [...one.folders, ...other.folders] };
}

function shown(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return printableLine(fromHere.startsWith('..') || fromHere === '' ? path : fromHere);
}
