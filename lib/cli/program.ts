import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { packageVersion } from '../version';
import { FAIL_ON, type FailOn } from '../engine/fail-on';
import { EXIT_CLEAN, EXIT_UNUSABLE } from './exit-code';
import type { AddonDiffArguments } from './addon-diff-command';
import type { BaselineArguments } from './baseline';
import type { InputArguments } from './check-input';
import type { CollectArguments } from './collect-command';
import type { ConfigurationArguments } from './configuration-code';
import type { DriftArguments } from './drift-command';
import type { ExplainArguments } from './explain-command';
import type { FixArguments } from './fixing';
import type { InitArguments } from './init-command';
import type { SuppressArguments } from './suppressing';
import type { OutputArgument } from './outputs';
import type { RulesArguments } from './rules-command';
import { choiceOption, dayOption, didYouMean, fileOption, filesOption, forgottenCommand } from './suggestions';
import { UsageError } from './usage-error';
import type { UpgradeArguments } from './upgrade-command';
import type { UserDataArguments } from './user-data-command';

const VERSION = ['-V', '--version'];

/**
 * Runs a command line and gives its exit code.
 *
 * What a command needs is loaded when it runs: `--version` and bad usage answer at once.
 */
export async function run(args: readonly string[]): Promise<number> {
  let exitCode = EXIT_CLEAN;
  // Before the options of all commands are put together, which this needs none of.
  if (args.length === 1 && VERSION.includes(args[0] ?? '')) {
    process.stdout.write(`${packageVersion()}\n`);
    return exitCode;
  }
  const finish = (code: number): void => {
    exitCode = code;
  };
  const program = commandLine(finish, args);
  if (args.length === 0) {
    program.outputHelp({ error: true });
    return EXIT_UNUSABLE;
  }
  const forgotten = forgottenCommand(args, Object.keys(COMMANDS));
  if (forgotten !== undefined) return refused(forgotten);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CLEAN : EXIT_UNUSABLE;
    if (error instanceof UsageError || isConfigurationError(error)) return refused(error.message);
    if (isWithoutFolder(error)) return refused("the working directory isn't there any more; change to another one");
    throw error;
  }
}

function refused(message: string): number {
  process.stderr.write(`error: ${message}\n`);
  return EXIT_UNUSABLE;
}

/** Whether the working directory was asked for, and somebody has removed it. */
function isWithoutFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

/** By name, so that the engine isn't loaded for it. */
function isConfigurationError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigurationError';
}

/** What makes each command, by its name. */
const COMMANDS: Readonly<
  Record<string, (finish: (exitCode: number) => void, args: readonly string[], program: Command) => Command>
> = {
  check: checkCommand,
  'user-data': userDataCommand,
  'addon-diff': addonDiffCommand,
  upgrade: upgradeCommand,
  collect: collectCommand,
  drift: driftCommand,
  rules: rulesCommand,
  explain: explainCommand,
  init: initCommand,
  completion: (_finish, _args, program) => completionCommand(program),
  help: (_finish, _args, program) => helpCommand(program),
};

/** These speak of all commands. */
const OF_ALL = ['completion', 'help'];

/** The command that the arguments name, or all of them: to put the options of the others together takes as long as those of the one. */
function commandLine(finish: (exitCode: number) => void, args: readonly string[]): Command {
  const program = new Command('eks-guardrails')
    .description('Finds Amazon EKS misconfigurations before they are deployed.')
    // Sub-commands inherit these two, so they come first.
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .version(packageVersion(), VERSION.join(', '), 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false);
  const [first = ''] = args;
  const isAlone = Object.hasOwn(COMMANDS, first) && !OF_ALL.includes(first);
  for (const [name, make] of Object.entries(COMMANDS))
    if (!isAlone || name === first) program.addCommand(make(finish, args, program));
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function checkCommand(finish: (exitCode: number) => void, args: readonly string[]): Command {
  const outputs: OutputArgument[] = [];
  return withConfigurationOptions(
    new Command('check')
      .summary('check templates')
      .description(
        'Checks CloudFormation templates, CDK assemblies (cdk.out), Terraform configuration (*.tf, *.tf.json), Terraform plans (JSON) and ClusterConfigs of eksctl, all of them together.',
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
        '--only <rule>',
        'run these rules: an id, a pattern of ids, or a subject such as imds; repeatable',
      ).argParser(collect),
    )
    .addOption(
      new Option('--skip <rule>', 'run all but these rules, named in the same way; repeatable').argParser(collect),
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
        const { watchAndCheck } = await import('./watch-command.js');
        finish(await watchAndCheck(request, args));
        return;
      }
      const { check } = await import('./check-command.js');
      finish(await check(request));
    });
}

/** The options of `check` as the command line parser delivers them. */
export interface CheckArguments
  extends BaselineArguments,
    ConfigurationArguments,
    FixArguments,
    InputArguments,
    SuppressArguments {
  readonly failOn?: FailOn;
  readonly printConfig?: boolean;
  readonly preset?: string;
  readonly rule?: readonly string[];
  readonly ruleOption?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly varFile?: readonly string[];
  readonly knowledge?: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly statistics?: boolean;
  readonly maxFindings?: number;
  readonly asOf?: string;
  readonly watch?: boolean;
}

function userDataCommand(finish: (exitCode: number) => void): Command {
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
      const { showUserData } = await import('./user-data-command.js');
      finish(await showUserData(file, options));
    });
}

function addonDiffCommand(finish: (exitCode: number) => void): Command {
  return new Command('addon-diff')
    .summary('compare two versions of an add-on')
    .description(
      'Shows what an update of the vpc-cni add-on changes: keys of the configuration values, settings that it resets and when that bites, and what to pin.',
    )
    .argument('<ADDON>', 'vpc-cni')
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
        'the environment of the DaemonSet aws-node: its JSON or YAML, or lines NAME=value; - for the standard input',
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
  kubectl -n kube-system get daemonset aws-node -o json |
    eks-guardrails addon-diff vpc-cni v1.20.4-eksbuild.2 v1.21.1-eksbuild.5 --live - --config values.json`,
    )
    .action(async (addon: string, from: string, to: string, options: AddonDiffArguments) => {
      const { showAddonDiff } = await import('./addon-diff-command.js');
      finish(await showAddonDiff(addon, from, to, options));
    });
}

function upgradeCommand(finish: (exitCode: number) => void): Command {
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
      const { showUpgrade } = await import('./upgrade-command.js');
      finish(await showUpgrade(given.length === 0 ? ['.'] : given, options));
    });
}

function collectCommand(finish: (exitCode: number) => void): Command {
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
      const { printCollectScript } = await import('./collect-command.js');
      finish(printCollectScript(options));
    });
}

function driftCommand(finish: (exitCode: number) => void): Command {
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
      const { showDrift } = await import('./drift-command.js');
      finish(await showDrift(given.length === 0 ? ['.'] : given, options));
    });
}

function rulesCommand(): Command {
  return withConfigurationOptions(new Command('rules'))
    .summary('list the rules')
    .description('Lists the rules, with the levels and the custom rules of the configuration file.')
    .argument('[RULE...]', 'only these: ids, patterns such as vpc-cni-*, or subjects such as imds')
    .addOption(new Option('--search <text>', 'only rules that say something like this, the likeliest first'))
    .addOption(choiceOption('--format <format>', undefined, ['text', 'json']).default('text'))
    .action(async (names: string[], options: RulesArguments) => {
      const { listRules } = await import('./rules-command.js');
      process.stdout.write(listRules(names, options));
    });
}

function explainCommand(): Command {
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
      const { explain } = await import('./explain-command.js');
      process.stdout.write(explain(words, options));
    });
}

function withConfigurationOptions(command: Command): Command {
  return command
    .addOption(configurationOption())
    .addOption(new Option('--no-config', 'use no configuration file'))
    .addOption(new Option('--config-code', 'run configuration files and custom rules that are code (the default)'))
    .addOption(
      new Option(
        '--no-config-code',
        'run no code: read a configuration of JSON or YAML only (also EKS_GUARDRAILS_NO_CONFIG_CODE=1)',
      ),
    );
}

function configurationOption(): Option {
  return fileOption(
    '--config <file>',
    'configuration file (default: eks-guardrails.config.* of the nearest folder upwards, to the root of the repository)',
  );
}

function initCommand(finish: (exitCode: number) => void): Command {
  return new Command('init')
    .summary('set up checks in a folder')
    .description(
      'Looks for CDK apps, CDKTF apps, Terraform configuration, templates and ClusterConfigs of eksctl in the folder, and writes a configuration file, a CI workflow and a pre-commit hook for them. What is there already stays as it is.',
    )
    .addOption(new Option('-y, --yes', 'write without asking'))
    .addOption(new Option('--dry-run', 'only tell what would be written').conflicts('yes'))
    .addOption(
      new Option('--action', "a workflow with this project's GitHub action, in place of one that runs the command"),
    )
    .addOption(new Option('--sarif', 'a workflow that uploads findings to GitHub code scanning, by the action'))
    .addOption(new Option('--baseline', 'accept what there is today in a baseline, and let new findings fail'))
    .action(async (options: InitArguments) => {
      const { initialise } = await import('./init-command.js');
      finish(await initialise(process.cwd(), options));
    });
}

function completionCommand(program: Command): Command {
  return new Command('completion')
    .summary('print a script for the completion of a shell')
    .description('Prints a script that makes a shell complete commands, options, formats and rules.')
    .argument('<SHELL>', 'bash, zsh, fish or powershell')
    .addHelpText(
      'after',
      `
Examples:
  source <(eks-guardrails completion bash)
  source <(eks-guardrails completion zsh)
  eks-guardrails completion fish | source
  eks-guardrails completion powershell | Out-String | Invoke-Expression`,
    )
    .action(async (shell: string) => {
      const { completionFor } = await import('./completion-command.js');
      process.stdout.write(completionFor(shell, program));
    });
}

function helpCommand(program: Command): Command {
  return new Command('help')
    .summary('print the help of a command')
    .description('Prints the help of a command, or without one the list of commands.')
    .argument('[COMMAND]')
    .action((name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command === undefined)
        throw new UsageError(
          noCommand(
            name ?? '',
            program.commands.map((one) => one.name()),
          ),
        );
      command.outputHelp();
    });
}

function noCommand(name: string, names: readonly string[]): string {
  return `there is no command "${name}"; ${didYouMean(name, names)}the commands are ${names.join(', ')}`;
}

function positiveNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It takes a whole number from 1.');
  return Number(value);
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
