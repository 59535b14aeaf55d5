import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { FAIL_ON } from '../../engine/fail-on';
import type { ServeArguments } from '../serve-command';
import { choiceOption, fileOption } from '../parts/suggestions';

/** What can be served. */
const SERVICES = ['run-task'] as const;

export function serveCommand(finish: (exitCode: number) => void): Command {
  return new Command('serve')
    .summary('serve HCP Terraform')
    .description(
      'Serves HCP Terraform and Terraform Enterprise as a run task: checks the plan of each run, and tells them the verdict and the findings.',
    )
    .usage('run-task [options]')
    .addArgument(new Argument('<SERVICE>', 'run-task').choices(SERVICES))
    .addOption(new Option('--port <port>', 'where it listens; 0 takes a free one').argParser(portNumber).default(8080))
    .addOption(new Option('--host <address>', 'the address that it listens at').default('127.0.0.1'))
    .addOption(
      fileOption('--hmac-key-file <file>', 'a file with the HMAC key of the task (default: EKS_GUARDRAILS_HMAC_KEY)'),
    )
    .addOption(choiceOption('--fail-on <level>', 'what fails the task (default: error)', FAIL_ON))
    .addOption(
      choiceOption('--on-fault <verdict>', "what becomes of a run whose plan can't be checked (default: pass)", [
        'pass',
        'fail',
      ]),
    )
    .addOption(
      new Option('--max-plan-size <MiB>', 'plans that are larger are not checked (default: 256)').argParser(megabytes),
    )
    .addHelpText(
      'after',
      `
Example:
  EKS_GUARDRAILS_HMAC_KEY=... eks-guardrails serve run-task --host 0.0.0.0 --port 8080`,
    )
    .action(async (_service: string, options: ServeArguments) => {
      const { serveRunTask } = await import('../serve-command.js');
      finish(await serveRunTask(options));
    });
}

function portNumber(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('It takes a port, 0 to 65535.');
  return Number(value);
}

function megabytes(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new InvalidArgumentError('It takes a number of MiB, 1 to 9999.');
  return Number(value);
}
