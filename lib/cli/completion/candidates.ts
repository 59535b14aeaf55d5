import type { Argument, Command, Option } from 'commander';
import { PRESETS, RULE_LEVELS, SUPPRESSION_RULES } from '../../engine';
import { addonVersions, describedAddons, kubernetesMinors, vpcCni } from '../../knowledge';
import { FORMATS } from '../../reports';
import { MERGED_FORMATS } from '../../reports/merged';
import { listedRules } from '../../rules/listed';
import { toolRules } from '../../engine/tool-rules';
import { TARGETS } from '../../upgrade/route';

/** What can stand in one place of the command line. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  /** Branches and tags of git. */
  | { readonly kind: 'revisions' }
  /** One of `words`, `=` and a level: `imds-v1=off`. */
  | { readonly kind: 'levels'; readonly words: readonly string[] }
  /** What nobody can guess. */
  | { readonly kind: 'text' };

/** What can be written after the name of the program. */
export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  readonly arguments: readonly ArgumentWords[];
}

interface OptionWords {
  /** All its spellings: `-h`, `--help`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined for one that takes no value. */
  readonly value: Candidates | undefined;
}

export interface ArgumentWords {
  /** `PATH` */
  readonly name: string;
  readonly candidates: Candidates;
  /** There can be more of it. */
  readonly isVariadic: boolean;
}

/** Shells for which there is a script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Options of the program itself. */
export const PROGRAM_OPTIONS: readonly string[] = ['--help', '--version'];

/** Levels that follow `--rule ID=`. */
export const LEVELS: readonly string[] = RULE_LEVELS;

const FILES: Candidates = { kind: 'files' };
const TEXT: Candidates = { kind: 'text' };
const HELP: OptionWords = { flags: ['-h', '--help'], description: 'print this help', value: undefined };

/** By the name of the argument. */
const ARGUMENTS: Readonly<Record<string, (program: Command) => Candidates>> = {
  PATH: () => FILES,
  FILE: () => FILES,
  REPORT: () => FILES,
  COMMAND: (program) => words(program.commands.map((command) => command.name())),
  RULE: () => words([...listedRules, ...toolRules].map(({ id }) => id)),
  ADDON: () => words(describedAddons()),
  FROM: addonVersionWords,
  TO: addonVersionWords,
  SERVICE: () => words(['run-task']),
  SHELL: () => words(SHELLS),
};

/** By the name of the option, where neither its choices nor the word for its value (`<file>`) tell. */
const VALUES: Readonly<Record<string, () => Candidates>> = {
  'check --format': () => words(Object.keys(FORMATS)),
  'check --preset': () => words(PRESETS),
  'check --rule': () => ({ kind: 'levels', words: [...listedRules.map(({ id }) => id), ...SUPPRESSION_RULES] }),
  'check --rule-option': () =>
    words(
      listedRules.flatMap(({ id, options = {} }) =>
        Object.entries(options).flatMap(([name, { allowed }]) => allowed.map((value) => `${id}.${name}=${value}`)),
      ),
    ),
  'check --stdin-filename': () => FILES,
  'collect --output': () => FILES,
  'drift --live': () => FILES,
  'drift --stdin-filename': () => FILES,
  'merge --format': () => words(Object.keys(MERGED_FORMATS)),
  'upgrade --from': () => words(kubernetesMinors().map(({ version }) => version)),
  'upgrade --stdin-filename': () => FILES,
  'upgrade --to': () => words([...kubernetesMinors().map(({ version }) => version), ...TARGETS]),
  'user-data --family': () => words(['al2', 'al2023', 'bottlerocket', 'windows']),
  'user-data --kubernetes-version': () => words(kubernetesMinors().map(({ version }) => version)),
};

/** The words of a program's commands. */
export function wordsOf(program: Command): readonly CommandWords[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.summary(),
    options: [
      ...command.options.filter(({ hidden }) => !hidden).map((option) => optionWords(option, command.name())),
      HELP,
    ],
    arguments: command.registeredArguments.map((argument) => argumentWords(argument, program)),
  }));
}

function argumentWords(argument: Argument, program: Command): ArgumentWords {
  const name = argument.name();
  return { name, candidates: ARGUMENTS[name]?.(program) ?? TEXT, isVariadic: argument.variadic };
}

function optionWords(option: Option, command: string): OptionWords {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  return { flags, description: option.description, value: option.required ? valueOf(option, command) : undefined };
}

function valueOf({ argChoices, long, flags }: Option, command: string): Candidates {
  if (argChoices !== undefined) return words(argChoices);
  const known = VALUES[`${command} ${long ?? ''}`]?.();
  if (known !== undefined) return known;
  if (flags.endsWith('<file>')) return FILES;
  return flags.endsWith('<rev>') ? { kind: 'revisions' } : TEXT;
}

/** Those of one add-on: what stands before doesn't decide what is offered, and those of all would be several hundred. */
function addonVersionWords(): Candidates {
  return words(addonVersions(vpcCni.name).map(({ version }) => version));
}

function words(list: readonly string[]): Candidates {
  return { kind: 'words', words: list };
}
