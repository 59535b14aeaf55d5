import { Command, Option } from 'commander';
import type { CollectArguments } from '../collect/collect-command';
import { fileOption } from '../parts/suggestions';

export function collectCommand(finish: (exitCode: number) => void): Command {
  return new Command('collect')
    .summary('print a script that asks AWS about a cluster')
    .description(
      'Prints a shell script that writes what AWS and Kubernetes answer about a cluster into a folder, for check and drift. It describes, lists and gets, and changes nothing; nothing is run here.',
    )
    .usage('--cluster <name> [options]')
    .addOption(new Option('--cluster <name>', 'the name of the cluster'))
    .addOption(new Option('--region <region>', 'for the AWS command line (default: what it is set up for)'))
    .addOption(new Option('--profile <name>', 'for the AWS command line (default: what it is set up for)'))
    .addOption(new Option('--context <name>', 'for kubectl (default: the current one, if it is that of the cluster)'))
    .addOption(fileOption('--output <folder>', 'the folder that the script makes (default: dump)'))
    .addHelpText(
      'after',
      `
Examples:
  eks-guardrails collect --cluster shop --region eu-central-1 > collect.sh
  sh collect.sh && eks-guardrails check dump/`,
    )
    .action(async (options: CollectArguments) => {
      const { printCollectScript } = await import('../collect/collect-command.js');
      finish(printCollectScript(options));
    });
}
