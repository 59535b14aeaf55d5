import { Command, Option } from 'commander';
import type { UpgradeArguments } from '../upgrade-command';
import { choiceOption, dayOption, fileOption, filesOption } from '../parts/suggestions';
import { withConfigurationOptions } from './configuration-options';

export function upgradeCommand(finish: (exitCode: number) => void): Command {
  return withConfigurationOptions(
    new Command('upgrade')
      .summary('plan the upgrade of a cluster')
      .description(
        'Plans the upgrade of the clusters that the input declares to another Kubernetes version, step by step: control plane, add-ons, nodes, and what of the input breaks on the way.',
      )
      .usage('[PATH...] --to <version> [options]')
      .argument('[PATH...]', 'as for check (default: the working folder)')
      .addOption(
        new Option(
          '--to <version>',
          'such as 1.34; latest, the newest that EKS has; or standard, the oldest in standard support',
        ),
      )
      .addOption(new Option('--from <version>', 'the version that the clusters have (default: what the input says)'))
      .addOption(dayOption('--as-of <date>', 'plan for this day, YYYY-MM-DD (default: today)')),
  )
    .addOption(filesOption('--var-file <file>', 'values of Terraform variables, as -var-file gives them; repeatable'))
    .addOption(
      fileOption(
        '--knowledge <file>',
        'newer rows for tables: Kubernetes versions, add-on versions, AMI types and others',
      ),
    )
    .addOption(
      choiceOption('--format <format>', 'text, json, markdown or html (default: by the name of the file, or text)', [
        'text',
        'json',
        'markdown',
        'html',
      ]),
    )
    .addOption(fileOption('--output <file>', 'write the plan to a file', true))
    .addOption(fileOption('--stdin-filename <name>', 'what the standard input (path -) is called'))
    .addHelpText(
      'after',
      `
Exit codes:
  0  nothing of the input has to change but versions, or there is nothing to do
  1  something has to change for the upgrade to go through
  2  unreadable input or bad usage, such as a version that doesn't exist, or an older one

Examples:
  eks-guardrails upgrade cdk.out --to 1.34
  eks-guardrails upgrade infra/ --to latest --format markdown --output upgrade.md
  eks-guardrails upgrade template.yaml --from 1.31 --to standard`,
    )
    .action(async (given: string[], options: UpgradeArguments) => {
      const { showUpgrade } = await import('../upgrade-command.js');
      finish(await showUpgrade(given.length === 0 ? ['.'] : given, options));
    });
}
