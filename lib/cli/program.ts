import { Command, CommanderError } from 'commander';
import { packageVersion } from '../version';
import { addonDiffCommand } from './arguments/addon-diff';
import { checkCommand } from './arguments/check';
import { collectCommand } from './arguments/collect';
import { completionCommand } from './arguments/completion';
import { driftCommand } from './arguments/drift';
import { explainCommand } from './arguments/explain';
import { helpCommand } from './arguments/help';
import { initCommand } from './arguments/init';
import { lspCommand } from './arguments/lsp';
import { mcpCommand } from './arguments/mcp';
import { mergeCommand } from './arguments/merge';
import { rulesCommand } from './arguments/rules';
import { serveCommand } from './arguments/serve';
import { upgradeCommand } from './arguments/upgrade';
import { userDataCommand } from './arguments/user-data';
import { EXIT_CLEAN, EXIT_UNUSABLE } from './parts/exit-code';
import { forgottenCommand } from './parts/suggestions';
import { UsageError } from './parts/usage-error';

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

type MakeCommand = (finish: (exitCode: number) => void, args: readonly string[], program: Command) => Command;

/** What makes each command, by its name; its file is loaded then. */
const COMMANDS: Readonly<Record<string, MakeCommand>> = {
  check: (finish, args) => checkCommand(finish, args),
  merge: (finish) => mergeCommand(finish),
  'user-data': (finish) => userDataCommand(finish),
  'addon-diff': (finish) => addonDiffCommand(finish),
  upgrade: (finish) => upgradeCommand(finish),
  collect: (finish) => collectCommand(finish),
  drift: (finish) => driftCommand(finish),
  lsp: (finish) => lspCommand(finish),
  mcp: (finish) => mcpCommand(finish),
  serve: (finish) => serveCommand(finish),
  rules: () => rulesCommand(),
  explain: () => explainCommand(),
  init: (finish) => initCommand(finish),
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
