import { Command, Option } from 'commander';
import { FAIL_ON } from '../../engine/fail-on';
import type { MergeArguments } from '../merge/merge-command';
import type { OutputArgument } from '../output/outputs';
import { choiceOption } from '../parts/suggestions';

export function mergeCommand(finish: (exitCode: number) => void): Command {
  const outputs: OutputArgument[] = [];
  return new Command('merge')
    .summary('put reports together')
    .description(
      'Puts the reports of many checks (JSON or SARIF) together into one, with a table of repositories or parts: for matrix builds, monorepos and the dashboard of an organization.',
    )
    .usage('REPORT... [options]')
    .argument(
      '<REPORT...>',
      'reports, folders with reports, or patterns of them; NAME=REPORT says which part they are of',
    )
    .addOption(
      new Option(
        '--format <format>',
        'text, json, sarif, markdown or html (default: by the name of the file, or text)',
      ).argParser((value: string) => {
        outputs.push({ kind: 'format', value });
        return value;
      }),
    )
    .addOption(
      new Option('--output <file>', 'write it to a file; repeat --format and --output in pairs for several').argParser(
        (value: string) => {
          outputs.push({ kind: 'output', value });
          return value;
        },
      ),
    )
    .addOption(
      choiceOption('--fail-on <level>', 'exit with 1 for findings of this level and above (default: error)', FAIL_ON),
    )
    .addOption(new Option('--verbose', 'list info, unverifiable and suppressed findings too'))
    .addOption(new Option('--quiet', 'list errors only').conflicts('verbose'))
    .addHelpText(
      'after',
      `
Exit codes:
  0  clean
  1  findings at or above --fail-on in any report
  2  a report that can't be read, or is of something else, or a check that couldn't read everything; the others are still merged

Examples:
  eks-guardrails merge reports/ --format html --output dashboard.html
  eks-guardrails merge 'clones/*/eks-guardrails.json' --format text --format json --output all.json
  eks-guardrails merge shop=shop-eu.json shop=shop-us.json payments=payments.sarif`,
    )
    .action(async (reports: string[], options: Omit<MergeArguments, 'reports' | 'outputs'>) => {
      const { merge } = await import('../merge/merge-command.js');
      finish(await merge({ ...options, reports, outputs }));
    });
}
