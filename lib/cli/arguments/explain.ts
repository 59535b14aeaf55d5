import { Command, Option } from 'commander';
import type { ExplainArguments } from '../rules/explain-command';
import { choiceOption } from '../parts/suggestions';
import { withConfigurationOptions } from './configuration-options';

export function explainCommand(): Command {
  return withConfigurationOptions(new Command('explain'))
    .summary('explain a rule, or find the rule behind what you see')
    .description(
      'Explains a rule: what happens to the cluster, how to recognise and to fix it, and when to live with it. Or finds the rules that tell of a line of a log, an error message, or words such as "pods get no credentials".',
    )
    .argument('<RULE...>', 'id of the rule, or what you see')
    .addOption(new Option('--full', 'the whole page of the rule: why, all that it reports, limits and sources'))
    .addOption(
      choiceOption(
        '--dialect <name>',
        'whose code to show: cloudformation, aws-cdk, terraform or cdktf (default: what the folder is written in)',
        ['cloudformation', 'aws-cdk', 'terraform', 'cdktf'],
      ),
    )
    .addHelpText(
      'after',
      `
Examples:
  eks-guardrails explain imds-hop-limit
  eks-guardrails explain "failed to fetch VPC ID from instance metadata"
  eks-guardrails explain pods get no credentials`,
    )
    .action(async (words: string[], options: ExplainArguments) => {
      const { explain } = await import('../rules/explain-command.js');
      process.stdout.write(explain(words, options));
    });
}
