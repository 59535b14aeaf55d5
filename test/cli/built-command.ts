import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutDay } from '../as-of';
import { CommandThread, environment } from './command-thread';

export const projectRoot = join(__dirname, '..', '..');
const main = join(projectRoot, 'dist/lib/cli/main.js');
const cache = join(projectRoot, 'node_modules/.cache/eks-guardrails');
const lock = join(cache, 'build.lock');

/** What goes into dist/. */
const SOURCES = [
  'lib',
  'constructs',
  'aspects',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundle',
  'scripts/bundle.mjs',
  'scripts/compile.mjs',
  'scripts/one-folder.mjs',
  'scripts/reachable.mjs',
];

let checked = false;

/**
 * Path of the compiled command. Builds first if dist/ is missing or older than the sources; test files run in
 * several processes, so only one of them builds while the others wait.
 */
export function builtCommand(): string {
  if (checked) return main;
  if (isStale()) {
    takeLock();
    try {
      if (isStale()) build();
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  checked = true;
  return main;
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
  /** Id of the user who runs it. @default - who runs the tests */
  readonly user?: number;
}

let thread: CommandThread | undefined;

/** What lib/cli/main.ts asks the environment when something breaks, and Node: they need a process. */
const AT_START = /^(?:EKS_GUARDRAILS_DEBUG|NODE_.*)$/;

/**
 * Runs a command line with the compiled package, without a terminal, as `startCommand` does but for the start: many of them share a thread.
 */
export function runCommand(args: readonly string[], options: CommandOptions = {}): CommandResult {
  if (options.user !== undefined || Object.keys(options.env ?? {}).some((name) => AT_START.test(name)))
    return startCommand(args, options);
  thread ??= new CommandThread(join(dirname(builtCommand()), '../bundle/index.js'));
  const { exitCode, stdout, stderr } = thread.run({
    args,
    cwd: options.cwd ?? projectRoot,
    env: { ...environment(), ...options.env },
    input: options.input ?? '',
  });
  return { exitCode, stdout: withoutDay(stdout), stderr: withoutDay(stderr) };
}

/** Starts the compiled command as a child process, without a terminal. Its text says nothing of the day that the tests have in common. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand(), ...args], {
    cwd: options.cwd ?? projectRoot,
    env: { ...environment(), ...options.env },
    ...(options.input === undefined ? {} : { input: options.input }),
    ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  return { exitCode: status, stdout: withoutDay(stdout), stderr: withoutDay(stderr) };
}

function build(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(projectRoot, 'scripts/build.mjs')], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}${stderr}`);
}

function isStale(): boolean {
  try {
    const built = statSync(main).mtimeMs;
    return SOURCES.some((source) => newest(join(projectRoot, source)) > built);
  } catch {
    return true;
  }
}

/** The youngest modification time of a file, or of anything in a folder; a folder's own tells of removed files. */
function newest(path: string): number {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function takeLock(): void {
  mkdirSync(cache, { recursive: true });
  const deadline = Date.now() + 300_000;
  for (;;) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isAbandoned()) rmSync(lock, { recursive: true, force: true });
      if (Date.now() > deadline) throw new Error(`another test run holds ${lock} for too long`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
}

/** Whether the process that took the lock is gone. */
function isAbandoned(): boolean {
  let pid: number;
  try {
    pid = Number(readFileSync(join(lock, 'pid'), 'utf8'));
  } catch {
    // Just taken: its owner has not written its id yet, or is giving it back.
    return false;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
