import { Command, Option } from 'commander';
import type { RulesArguments } from '../rules/rules-command';
import { choiceOption } from '../parts/suggestions';
import { withConfigurationOptions } from './configuration-options';

export function rulesCommand(): Command {
  return withConfigurationOptions(new Command('rules'))
    .summary('list the rules')
    .description('Lists the rules, with the levels and the custom rules of the configuration file.')
    .argument('[RULE...]', 'only these: ids, patterns such as vpc-cni-*, or subjects such as imds')
    .addOption(new Option('--search <text>', 'only rules that say something like this, the likeliest first'))
    .addOption(choiceOption('--format <format>', undefined, ['text', 'json']).default('text'))
    .action(async (names: string[], options: RulesArguments) => {
      const { listRules } = await import('../rules/rules-command.js');
      process.stdout.write(listRules(names, options));
    });
}
