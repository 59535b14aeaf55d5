#!/usr/bin/env node
import { Console } from 'node:console';
import { writeSync } from 'node:fs';
import { messageOf } from '../user-code/guard';
import { isInLibrary, placeOf, shownPlace } from '../user-code/place';
import { EXIT_UNUSABLE } from './parts/exit-code';
import { run } from './program';
import { guard, takesCommands } from './output/screen';
import { whyNotWritten } from './output/write-file';

let isOutputLost = false;
let isBroken = false;
let decided: number | undefined;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that stops early (`| head`) is no error: the exit code stays what the check decided.
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  process.stderr.write(`error: can't write to standard output: ${whyNotWritten(error) ?? error.message}\n`);
  process.exitCode = EXIT_UNUSABLE;
});
process.stderr.on('error', () => {
  // There is nowhere left to say it.
});
process.on('uncaughtException', failLater);
if (takesCommands()) [process.stdout, process.stderr].forEach(guard);

// What modules of the user print must not get into a report.
Object.assign(console, new Console(process.stderr, process.stderr));
process.on('exit', (exitCode) => {
  if (exitCode !== 0) return;
  // Code of the user may call process.exit(), or wait for what never comes.
  if (decided === undefined)
    writeSync(
      2,
      'error: the process ended before the command was done; does a module of the configuration call process.exit()?\n',
    );
  process.exitCode = decided ?? EXIT_UNUSABLE;
});

run(process.argv.slice(2)).then((exitCode) => {
  decided = isOutputLost || isBroken ? EXIT_UNUSABLE : exitCode;
  // Not process.exit(): what is still on its way to a pipe would be lost.
  process.exitCode = decided;
}, fail);

/** Code of the user may have begun something that fails when nobody waits for it any more. */
function failLater(error: unknown): void {
  const place = placeOf(error);
  if (place === undefined || isInLibrary(place)) {
    fail(error);
    return;
  }
  isBroken = true;
  process.exitCode = EXIT_UNUSABLE;
  process.stderr.write(
    `error: ${shownPlace(place)}: ${messageOf(error)}\nNothing catches this error in a module of the configuration, so that not everything may have been checked.\n`,
  );
}

function fail(error: unknown): void {
  isBroken = true;
  process.exitCode = EXIT_UNUSABLE;
  const text = messageOf(error);
  const stack = process.env['EKS_GUARDRAILS_DEBUG'] === '1' && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  process.stderr.write(
    `internal error: ${text}\nThis is a defect of eks-guardrails; please report it with the input that causes it: https://github.com/eks-guardrails/eks-guardrails/issues\n${stack}`,
  );
}
