import { Command, Option } from 'commander';
import type { UserDataArguments } from '../user-data/user-data-command';
import { choiceOption } from '../parts/suggestions';

export function userDataCommand(finish: (exitCode: number) => void): Command {
  return new Command('user-data')
    .summary('look into user data')
    .description(
      'Takes user data apart as the programs of a node do: shows its parts, the merged NodeConfig, and every defect.',
    )
    .argument(
      '<FILE>',
      'user data (plain, base64 or gzip), a CloudFormation template, cdk.out, or - for the standard input',
    )
    .addOption(new Option('--id <logical id>', 'the launch template to look at, in a template with several'))
    .addOption(new Option('--family <family>', 'al2, al2023, bottlerocket or windows (default: told by the user data)'))
    .addOption(
      choiceOption(
        '--bootstrap <who>',
        'who makes the nodes join: eks (managed node group without an AMI of its own) or user',
        ['eks', 'user', 'unknown'],
      ).default('unknown'),
    )
    .addOption(new Option('--kubernetes-version <version>', 'such as 1.34, for what depends on it'))
    .addOption(choiceOption('--format <format>', undefined, ['text', 'json']).default('text'))
    .addOption(new Option('--suppress', 'accept all findings, by a comment in the file'))
    .addOption(
      new Option('--suppress-dry-run', 'print what --suppress would change, as a diff, and change nothing').conflicts(
        'suppress',
      ),
    )
    .addOption(new Option('--reason <text>', 'why --suppress accepts them'))
    .addOption(
      new Option('--until <date>', 'the last day on which --suppress accepts them, YYYY-MM-DD (default: no end)'),
    )
    .addOption(new Option('--verbose', 'list unverifiable and suppressed findings too'))
    .addHelpText(
      'after',
      `
Exit codes:
  0  no errors
  1  errors in the user data
  2  unreadable input or bad usage

Examples:
  eks-guardrails user-data user-data.txt
  eks-guardrails user-data template.yaml --id NodeLaunchTemplate
  aws ec2 describe-launch-template-versions --launch-template-id lt-0abc --versions '$Latest' \\
    --query 'LaunchTemplateVersions[0].LaunchTemplateData.UserData' --output text | eks-guardrails user-data -`,
    )
    .action(async (file: string, options: UserDataArguments) => {
      const { showUserData } = await import('../user-data/user-data-command.js');
      finish(await showUserData(file, options));
    });
}
