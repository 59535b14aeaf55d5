#!/usr/bin/env node
import { EXIT_UNUSABLE } from './exit-code';
import { run } from './program';

let isOutputLost = false;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that stops early (`| head`) is no error: the exit code stays what the check decided.
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  process.stderr.write(`error: can't write to standard output: ${error.code ?? error.message}\n`);
  process.exitCode = EXIT_UNUSABLE;
});
process.stderr.on('error', () => {
  // There is nowhere left to say it.
});
process.on('uncaughtException', fail);

run(process.argv.slice(2)).then((exitCode) => {
  // Not process.exit(): what is still on its way to a pipe would be lost.
  process.exitCode = isOutputLost ? EXIT_UNUSABLE : exitCode;
}, fail);

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  const stack = process.env['EKS_GUARDRAILS_DEBUG'] === '1' && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  process.stderr.write(
    `internal error: ${text.replaceAll(/\s*\n\s*/g, ' ')}\nThis is a defect of eks-guardrails; please report it with the input that causes it: https://github.com/eks-guardrails/eks-guardrails/issues\n${stack}`,
  );
  process.exitCode = EXIT_UNUSABLE;
}
