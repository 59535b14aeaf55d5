import { Worker } from 'node:worker_threads';
import type { Reading } from '../../front-ends/input-files';
import { printableLine } from '../../reports/prose';
import { columnsOf, firstColumns } from '../../text/columns';

/** A run that takes no longer needs no line that tells of it. */
const PATIENCE = 1000;
const INTERVAL = 100;

/** Bytes of the text that the two threads share. */
const TEXT = 256;

/** The terminal cuts off what is too long for its line, so that nothing is left behind when that is cleared, however narrow it gets. */
const WITHOUT_WRAPPING = ['\u001b[?7l', '\u001b[?7h'] as const;

/** Places in the shared numbers, and what they say. */
const STATE = 0;
const LENGTH = 1;
const DRAWN = 2;
const IDLE = 0;
const BUSY = 1;
const ENDED = 2;

/**
 * Draws from a thread of its own: reading and judging leave the main one no time. Nobody else takes the state from busy to idle, so no line
 * is drawn after the end.
 */
const DRAW = `
const { workerData: { numbers, bytes, screen, patience, interval } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const start = Date.now();
const draw = () => {
  if (Atomics.compareExchange(numbers, ${STATE}, ${IDLE}, ${BUSY}) !== ${IDLE}) return;
  const text = Buffer.from(bytes.slice(0, Atomics.load(numbers, ${LENGTH}))).toString('utf8');
  try { writeSync(screen, '\\r\\u001b[2K${WITHOUT_WRAPPING[0]}' + Math.round((Date.now() - start) / 1000) + ' s  ' + text + '${WITHOUT_WRAPPING[1]}'); } catch {}
  Atomics.store(numbers, ${DRAWN}, 1);
  Atomics.store(numbers, ${STATE}, ${IDLE});
  Atomics.notify(numbers, ${STATE});
  setTimeout(draw, interval);
};
setTimeout(draw, patience);
`;

/** A line on the terminal about what a long run is doing. */
export interface Progress {
  /** What the check has to tell. */
  readonly reading: Pick<Reading, 'onFile' | 'onJudge'>;
  /** Clears the line. Nothing is drawn any more. */
  end(): void;
}

const noProgress: Progress = { reading: {}, end: () => undefined };

/** Where a line may be drawn, and for how long nothing is. `process.stderr` is such a screen. */
export interface ProgressScreen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly fd?: number;
  write(text: string): unknown;
}

/** Progress for people who wait at a terminal: not in pipes, not in CI, not when quiet is wanted, and not within the first second. */
export function progressOn(
  screen: ProgressScreen,
  isQuiet: boolean,
  env: NodeJS.ProcessEnv = process.env,
  times = { patience: PATIENCE, interval: INTERVAL },
): Progress {
  const { fd } = screen;
  if (isQuiet || screen.isTTY !== true || fd === undefined || env['TERM'] === 'dumb' || isCi(env)) return noProgress;
  return new ThreadProgress({ ...screen, fd, write: (text) => screen.write(text) }, times);
}

function isCi(env: NodeJS.ProcessEnv): boolean {
  const ci = env['CI'] ?? '';
  return (
    (ci !== '' && ci !== '0' && ci !== 'false') ||
    env['GITHUB_ACTIONS'] === 'true' ||
    env['TF_BUILD'] !== undefined ||
    env['JENKINS_URL'] !== undefined
  );
}

class ThreadProgress implements Progress {
  private readonly numbers = new Int32Array(new SharedArrayBuffer(12));
  private readonly bytes = new Uint8Array(new SharedArrayBuffer(TEXT));
  private readonly encoder = new TextEncoder();
  private readonly worker: Worker;
  private readonly width: number;
  private files = 0;

  constructor(
    private readonly screen: ProgressScreen & { readonly fd: number },
    times: { readonly patience: number; readonly interval: number },
  ) {
    const { columns = 0 } = screen;
    // Room for the seconds in front of the text.
    this.width = Math.max(1, Math.min(columns > 0 ? columns : 80, 200) - 10);
    this.worker = new Worker(DRAW, {
      eval: true,
      workerData: { numbers: this.numbers, bytes: this.bytes, screen: screen.fd, ...times },
    });
    this.worker.unref();
    // If the thread fails, only the progress line is missing; the check goes on.
    this.worker.on('error', () => undefined);
  }

  readonly reading = {
    onFile: (file: string): void => {
      this.say(`reading, ${++this.files} ${this.files === 1 ? 'file' : 'files'}: ${file}`);
    },
    onJudge: (resources: number): void => {
      this.say(`judging ${resources} resources`);
    },
  };

  end(): void {
    // Waits for a line that is just being drawn, which takes no time worth speaking of.
    for (
      let state = Atomics.compareExchange(this.numbers, STATE, IDLE, ENDED);
      state === BUSY;
      state = Atomics.compareExchange(this.numbers, STATE, IDLE, ENDED)
    ) {
      Atomics.wait(this.numbers, STATE, BUSY, 50);
    }
    void this.worker.terminate();
    if (Atomics.load(this.numbers, DRAWN) === 1) this.screen.write('\r\u001b[2K');
  }

  private say(text: string): void {
    const line = printableLine(text);
    const shown = columnsOf(line) <= this.width ? line : `${firstColumns(line, this.width - 1)}…`;
    const { written } = this.encoder.encodeInto(shown, this.bytes);
    Atomics.store(this.numbers, LENGTH, written);
  }
}
