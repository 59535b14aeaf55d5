import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkPaths, type CheckResult } from '../check';
import type { Configuration, Preset, RuleLevel, RuleSetting } from '../engine';
import { FORMATS, type ReportContext } from '../report';
import { printableLine } from '../report/prose';
import { position, summaryLine } from '../report/text';
import { packageVersion } from '../version';
import { exitCodeOf, EXIT_UNUSABLE } from './exit-code';
import { pairOutputs, type Output, type OutputArgument } from './outputs';
import type { CheckArguments } from './program';
import { terminalOf } from './terminal';
import { UsageError } from './usage-error';

/** Pieces of a report are written together in blocks of about this many characters. */
const BLOCK = 1 << 16;

export interface CheckRequest extends CheckArguments {
  readonly paths: readonly string[];
  readonly outputs: readonly OutputArgument[];
  readonly verbose: boolean;
}

/**
 * Checks and reports; gives the exit code.
 * @throws UsageError or ConfigurationError for a request that makes no sense
 */
export async function check(request: CheckRequest): Promise<number> {
  const outputs = pairOutputs(request.outputs);
  const result = checkPaths(request.paths, configurationOf(request));
  let exitCode = exitCodeOf(result, request.failOn);
  for (const { format, file } of outputs) {
    const pieces = FORMATS[format].render(result, contextOf(file, request));
    if (file === undefined) await print(pieces);
    else if (!writeFile(file, pieces)) exitCode = EXIT_UNUSABLE;
  }
  tellWhatNoReportShows(outputs, result);
  return exitCode;
}

function configurationOf(request: CheckArguments): Configuration {
  const settings = new Map<string, { level?: RuleLevel; options: Map<string, string> }>();
  const settingOf = (id: string) => {
    const setting = settings.get(id) ?? { options: new Map<string, string>() };
    settings.set(id, setting);
    return setting;
  };
  for (const argument of request.rule ?? []) {
    const { name, value } = splitAt('=', argument, '--rule takes ID=LEVEL, for example --rule imds-v1=off');
    // The engine knows the levels and says which exist.
    settingOf(name).level = value as RuleLevel;
  }
  for (const argument of request.ruleOption ?? []) {
    const example = '--rule-option takes ID.OPTION=VALUE, for example --rule-option imds-hop-limit.hopLimitOne=allow';
    const { name, value } = splitAt('=', argument, example);
    const { name: id, value: option } = splitAt('.', name, example, argument);
    settingOf(id).options.set(option, value);
  }
  const rules = [...settings].map(([id, { level, options }]): [string, RuleSetting] => [
    id,
    { ...(level === undefined ? {} : { level }), options: Object.fromEntries(options) },
  ]);
  return {
    ...(request.preset === undefined ? {} : { preset: request.preset as Preset }),
    ...(request.today === undefined ? {} : { today: request.today }),
    rules: Object.fromEntries(rules),
  };
}

function splitAt(separator: string, text: string, expected: string, whole = text): { name: string; value: string } {
  const at = text.indexOf(separator);
  if (at < 1 || at === text.length - 1) throw new UsageError(`${expected}; not "${whole}"`);
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

function contextOf(file: string | undefined, request: CheckRequest): ReportContext {
  const terminal = terminalOf(process.stdout);
  return {
    version: packageVersion(),
    readSource,
    ...(file === undefined ? terminal : { colour: false, width: terminal.width }),
    // What makes the command fail is always listed.
    list: { info: request.verbose, unverifiable: request.verbose || request.failOn === 'unverifiable', suppressed: request.verbose },
  };
}

/** Waits for each block, so that a slow reader doesn't make the whole report pile up in memory. */
async function print(pieces: Iterable<string>): Promise<void> {
  for (const block of blocks(pieces)) {
    const error = await new Promise((resolve) => process.stdout.write(block, resolve));
    // Nobody reads any more (`| head`).
    if (error instanceof Error) return;
  }
}

/** False if the file could not be written. */
function writeFile(file: string, pieces: Iterable<string>): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const descriptor = openSync(file, 'w');
    try {
      for (const block of blocks(pieces)) writeFileSync(descriptor, block);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    process.stderr.write(`error: can't write ${file}: ${REASONS[error.code] ?? error.code}\n`);
    return false;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function* blocks(pieces: Iterable<string>): Iterable<string> {
  let block = '';
  for (const piece of pieces) {
    block += piece;
    if (block.length >= BLOCK) {
      yield block;
      block = '';
    }
  }
  if (block !== '') yield block;
}

function readSource(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/** Reports for programs go to files and pipes; the person who waits should still see what happened. */
function tellWhatNoReportShows(outputs: readonly Output[], result: CheckResult): void {
  const onScreen = outputs.find((output) => output.file === undefined);
  if (onScreen?.format === 'text') return;
  for (const diagnostic of result.diagnostics) {
    if (diagnostic.severity === 'error') process.stderr.write(`error: ${position(diagnostic)} ${printableLine(diagnostic.message)}\n`);
  }
  if (onScreen === undefined) process.stderr.write(`${summaryLine(result, terminalOf(process.stderr).colour)}\n`);
}
