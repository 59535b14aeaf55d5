import { Command, Option } from 'commander';
import type { InitArguments } from '../init/init-command';

export function initCommand(finish: (exitCode: number) => void): Command {
  return new Command('init')
    .summary('set up checks in a folder')
    .description(
      'Looks for CDK apps, CDKTF apps, Terraform configuration, templates, ClusterConfigs of eksctl and Kubernetes manifests in the folder, and writes a configuration file, a CI workflow and a pre-commit hook for them. What is there already stays as it is.',
    )
    .addOption(new Option('-y, --yes', 'write without asking'))
    .addOption(new Option('--dry-run', 'only tell what would be written').conflicts('yes'))
    .addOption(
      new Option('--action', "a workflow with this project's GitHub action, in place of one that runs the command"),
    )
    .addOption(new Option('--sarif', 'a workflow that uploads findings to GitHub code scanning, by the action'))
    .addOption(new Option('--baseline', 'accept what there is today in a baseline, and let new findings fail'))
    .addOption(
      new Option(
        '--adopt [folder]',
        'only print the node groups of a CDK app as ManagedNodeGroup code, with what becomes of each; from what cdk synth wrote (default: cdk.out)',
      ).conflicts(['yes', 'dryRun', 'action', 'sarif', 'baseline']),
    )
    .action(async ({ adopt, ...options }: InitArguments & { readonly adopt?: string | true }) => {
      if (adopt !== undefined) {
        const command = await import('../adopt/adopt-command.js');
        finish(command.adopt(adopt === true ? undefined : adopt));
        return;
      }
      const { initialise } = await import('../init/init-command.js');
      finish(await initialise(process.cwd(), options));
    });
}
