import { resolve } from 'node:path';
import type { CheckResult } from '../../check';
import { ConfigurationFileError } from '../../configuration/problems';
import { position } from '../../reports/summary';
import { printableLine } from '../../reports/prose';
import { timeOfDay } from '../../text/day';
import type { Places } from './watched-places';

/** The variable that tells a check that it is one of many, and what has changed since the one before. */
export const WATCHED = 'EKS_GUARDRAILS_WATCHED';

/** What has changed since the last check. */
export interface Watched {
  /** Nothing: it is the first one. Of very many, some. */
  readonly changed: readonly string[];
  readonly count: number;
}

/** A check that `--watch` has begun. */
export class WatchedCheck {
  private constructor(private readonly watched: Watched) {}

  /** Undefined for a check of its own. */
  static current(env: NodeJS.ProcessEnv = process.env): WatchedCheck | undefined {
    const watched = env[WATCHED];
    return watched === undefined || process.send === undefined
      ? undefined
      : new WatchedCheck(JSON.parse(watched) as Watched);
  }

  /** Tells which places are to be watched. */
  tell({ files, folders }: Places, more: readonly string[] = []): void {
    process.send?.({ files: [...files, ...more], folders });
  }

  /** A configuration that can't be used is mended while it is watched; a command line isn't. */
  tellProblem(error: unknown): void {
    if (error instanceof ConfigurationFileError)
      this.tell({ files: error.problems.map(({ file }) => file), folders: [] });
    this.tellChanges();
  }

  /**
   * Whether a result is worth no report: what has changed can't be read, because somebody is writing it. What was reported before stays on the screen.
   */
  isHalfDone({ diagnostics }: CheckResult): boolean {
    const changed = new Set(this.watched.changed.map((file) => resolve(file)));
    const half = diagnostics.find(({ severity, file }) => severity === 'error' && changed.has(resolve(file)));
    if (half === undefined) return false;
    process.stderr.write(
      `\n${this.what()}\nIt can't be read yet, so the report above is of what was there before:\n${printableLine(`${position(half)} ${half.message}`)}\n`,
    );
    return true;
  }

  /** A clear screen for the next report, and why there is one. */
  beginReport(): void {
    if (process.stdout.isTTY && process.env['TERM'] !== 'dumb') process.stdout.write('\u001b[2J\u001b[3J\u001b[H');
    this.tellChanges();
  }

  private tellChanges(): void {
    if (this.watched.count > 0) process.stderr.write(`${this.what()}\n\n`);
  }

  private what(): string {
    const { changed, count } = this.watched;
    const named = changed.slice(0, 3).join(', ');
    const more = count > 3 ? ` and ${count - 3} more` : '';
    return `${timeOfDay()} ${named}${more} changed.`;
  }
}
