import { Command, InvalidArgumentError, Option } from 'commander';
import { FAIL_ON } from '../../engine/fail-on';
import type { CheckArguments } from '../check/check-arguments';
import type { OutputArgument } from '../output/outputs';
import { choiceOption, dayOption, fileOption, filesOption } from '../parts/suggestions';
import { withConfigurationOptions } from './configuration-options';

export function checkCommand(finish: (exitCode: number) => void, args: readonly string[]): Command {
  const outputs: OutputArgument[] = [];
  return withConfigurationOptions(
    new Command('check')
      .summary('check templates')
      .description(
        'Checks CloudFormation templates, CDK assemblies (cdk.out), Terraform configuration (*.tf, *.tf.json), Terraform plans (JSON), ClusterConfigs of eksctl, Kubernetes manifests and what collect has written of a cluster, all of them together.',
      )
      .usage('[PATH...] [options]')
      .argument(
        '[PATH...]',
        'templates, Kubernetes manifests, folders, cdk.out, Terraform folders and plans, ClusterConfigs, patterns of them, or - for the standard input (default: the working folder)',
      )
      .addOption(
        new Option(
          '--format <format>',
          'text, compact, json, sarif, junit, github, gitlab, atlantis, markdown or html (default: by the name of the file, or text)',
        ).argParser((value: string) => {
          outputs.push({ kind: 'format', value });
          return value;
        }),
      )
      .addOption(
        new Option(
          '--output <file>',
          'write the report to a file; repeat --format and --output in pairs for several',
        ).argParser((value: string) => {
          outputs.push({ kind: 'output', value });
          return value;
        }),
      )
      .addOption(
        choiceOption('--fail-on <level>', 'exit with 1 for findings of this level and above (default: error)', FAIL_ON),
      ),
  )
    .addOption(new Option('--print-config', 'print what the check would run with, as JSON, and stop'))
    .addOption(new Option('--preset <name>', 'recommended, strict or all (default: recommended)'))
    .addOption(
      new Option('--rule <id=level>', 'off, info, warning or error for one rule; repeatable').argParser(collect),
    )
    .addOption(
      new Option('--rule-option <id.option=value>', 'set an option of a rule (see explain); repeatable').argParser(
        collect,
      ),
    )
    .addOption(
      new Option(
        '--only <rules>',
        'run these rules: ids, patterns of ids, or subjects such as imds, with commas between; repeatable',
      ).argParser(collect),
    )
    .addOption(
      new Option('--skip <rules>', 'run all but these rules, named in the same way; repeatable').argParser(collect),
    )
    .addOption(filesOption('--var-file <file>', 'values of Terraform variables, as -var-file gives them; repeatable'))
    .addOption(
      fileOption(
        '--knowledge <file>',
        'newer rows for tables: Kubernetes versions, add-on versions, AMI types and others',
      ),
    )
    .addOption(fileOption('--baseline <file>', 'accept the findings that this file holds, and fail for new ones only'))
    .addOption(fileOption('--write-baseline <file>', 'write all findings of this run to a file for --baseline'))
    .addOption(
      new Option('--changed-since <rev>', 'report only what differs from a revision of git, such as origin/main'),
    )
    .addOption(
      dayOption(
        '--as-of <date>',
        'judge support dates and ends of suppressions for this day, YYYY-MM-DD (default: today)',
      ),
    )
    .addOption(new Option('--allow-empty', 'a folder that holds nothing to check is fine'))
    .addOption(new Option('--watch', 'check again whenever something changes that the check looks at, until Ctrl+C'))
    .addOption(fileOption('--stdin-filename <name>', 'what the standard input (path -) is called'))
    .addOption(
      new Option(
        '--fix',
        'repair what a machine can repair in templates, Terraform files and ClusterConfigs, then check again',
      ),
    )
    .addOption(
      new Option('--fix-dry-run', 'print what --fix would change, as a diff, and change nothing').conflicts('fix'),
    )
    .addOption(
      new Option(
        '--unsafe',
        'with --fix or --fix-dry-run: also repair what replaces nodes, restarts pods or decides something; what that does is listed first',
      ),
    )
    .addOption(
      new Option(
        '--suppress',
        'accept all listed findings: writes the decision where they are, in comments, or in Metadata in JSON',
      ),
    )
    .addOption(
      new Option('--suppress-dry-run', 'print what --suppress would change, as a diff, and change nothing').conflicts(
        'suppress',
      ),
    )
    .addOption(new Option('--reason <text>', 'why --suppress accepts them'))
    .addOption(
      new Option('--until <date>', 'the last day on which --suppress accepts them, YYYY-MM-DD (default: no end)'),
    )
    .addOption(new Option('--verbose', 'list info, unverifiable and suppressed findings too'))
    .addOption(new Option('--quiet', 'list errors only').conflicts('verbose'))
    .addOption(new Option('--statistics', 'count findings by rule in the text report, instead of listing them'))
    .addOption(
      new Option('--max-findings <number>', 'findings that the text and compact reports list at most').argParser(
        positiveNumber,
      ),
    )
    .addHelpText(
      'after',
      `
Exit codes:
  0  clean
  1  findings at or above --fail-on (unverifiable: errors, warnings and what can't be known)
  2  unreadable input or bad usage, or a rule that stopped; findings in the rest are still reported

Examples:
  eks-guardrails check cdk.out
  eks-guardrails check infra/
  eks-guardrails check template.yaml --rule imds-v1=error --fail-on warning
  eks-guardrails check templates/ --format text --format json --output findings.json`,
    )
    .action(async (given: string[], options: CheckArguments) => {
      const paths = given.length === 0 && options.printConfig !== true ? ['.'] : given;
      const request = { ...options, verbose: options.verbose ?? false, quiet: options.quiet ?? false, paths, outputs };
      if (options.watch === true) {
        const { watchAndCheck } = await import('../check/watch-command.js');
        finish(await watchAndCheck(request, args));
        return;
      }
      const { check } = await import('../check/check-command.js');
      finish(await check(request));
    });
}

function positiveNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It takes a whole number from 1.');
  return Number(value);
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
