import { Command, Option } from 'commander';
import type { AddonDiffArguments } from '../addon-diff/addon-diff-command';
import { choiceOption, fileOption } from '../parts/suggestions';

export function addonDiffCommand(finish: (exitCode: number) => void): Command {
  return new Command('addon-diff')
    .summary('compare two versions of an add-on')
    .description(
      'Shows what an update of an add-on changes: keys of the configuration values and, of vpc-cni, settings that it resets and when that bites, and what to pin.',
    )
    .argument('<ADDON>', 'vpc-cni, coredns, kube-proxy, aws-ebs-csi-driver or another whose schemas are known')
    .argument('<FROM>', 'the version that the cluster has, such as v1.19.0-eksbuild.1')
    .argument('<TO>', 'the version to update to')
    .addOption(
      choiceOption('--mode <mode>', 'the conflict mode of the update (resolveConflicts)', [
        'OVERWRITE',
        'PRESERVE',
        'NONE',
      ]).default('OVERWRITE'),
    )
    .addOption(
      fileOption(
        '--config <file>',
        'the configuration values that the update sends, JSON or YAML; - for the standard input',
        true,
      ),
    )
    .addOption(
      fileOption(
        '--live <file>',
        'vpc-cni only: the environment of the DaemonSet aws-node: its JSON or YAML, or lines NAME=value; - for the standard input',
        true,
      ),
    )
    .addOption(choiceOption('--format <format>', undefined, ['text', 'json']).default('text'))
    .addOption(new Option('--verbose', 'list the settings that stay as they are, and all keys'))
    .addHelpText(
      'after',
      `
Exit codes:
  0  the update resets nothing that is known
  1  the update would reset a setting, may stop with a conflict, or is refused by EKS
  2  unreadable input or bad usage

Examples:
  eks-guardrails addon-diff vpc-cni v1.20.4-eksbuild.2 v1.21.1-eksbuild.5
  eks-guardrails addon-diff aws-ebs-csi-driver v1.38.1-eksbuild.1 v1.45.0-eksbuild.2 --config values.json
  kubectl -n kube-system get daemonset aws-node -o json |
    eks-guardrails addon-diff vpc-cni v1.20.4-eksbuild.2 v1.21.1-eksbuild.5 --live - --config values.json`,
    )
    .action(async (addon: string, from: string, to: string, options: AddonDiffArguments) => {
      const { showAddonDiff } = await import('../addon-diff/addon-diff-command.js');
      finish(await showAddonDiff(addon, from, to, options));
    });
}
