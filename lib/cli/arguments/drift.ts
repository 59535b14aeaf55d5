import { Command, Option } from 'commander';
import type { DriftArguments } from '../drift-command';
import { choiceOption, fileOption, filesOption } from '../parts/suggestions';
import { withConfigurationOptions } from './configuration-options';

export function driftCommand(finish: (exitCode: number) => void): Command {
  return withConfigurationOptions(
    new Command('drift')
      .summary('compare code with a cluster that runs')
      .description(
        'Tells what the next deployment of the code does to a cluster that runs: settings of add-ons that kubectl made and that it resets, versions that it takes back, node groups that it replaces, and what only one of the two has.',
      )
      .usage('[PATH...] --live <folder> [options]')
      .argument('[PATH...]', 'the code, as for check (default: the working folder)')
      .addOption(
        filesOption('--live <folder>', 'what AWS and Kubernetes answer about the cluster (see collect); repeatable'),
      )
      .addOption(new Option('--scaling', 'compare the sizes of node groups, too, which autoscalers change')),
  )
    .addOption(filesOption('--var-file <file>', 'values of Terraform variables, as -var-file gives them; repeatable'))
    .addOption(
      fileOption(
        '--knowledge <file>',
        'newer rows for tables: Kubernetes versions, add-on versions, AMI types and others',
      ),
    )
    .addOption(
      choiceOption('--format <format>', 'text, json or markdown (default: by the name of the file, or text)', [
        'text',
        'json',
        'markdown',
      ]),
    )
    .addOption(fileOption('--output <file>', 'write the comparison to a file', true))
    .addOption(fileOption('--stdin-filename <name>', 'what the standard input (path -) is called'))
    .addOption(new Option('--verbose', 'list what is the same, too'))
    .addHelpText(
      'after',
      `
Exit codes:
  0  the code resets and breaks nothing that can be seen
  1  it resets or replaces something, or the deployment may stop
  2  unreadable input or bad usage, or no cluster that both have

Examples:
  eks-guardrails collect --cluster shop > collect.sh && sh collect.sh
  eks-guardrails drift infra/ --live dump/
  eks-guardrails drift cdk.out --live dump/ --format markdown --output drift.md`,
    )
    .action(async (given: string[], options: DriftArguments) => {
      const { showDrift } = await import('../drift-command.js');
      finish(await showDrift(given.length === 0 ? ['.'] : given, options));
    });
}
