import type { Command, Option } from 'commander';
import { PRESETS, RULE_LEVELS } from '../../engine';
import { FORMATS } from '../../report';
import { allRules } from '../../rules';
import { toolRules } from '../tool-rules';

/** What can be written after the name of the program. */
export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** What its arguments can be, and whether they can be files. */
  readonly values: readonly string[];
  readonly takesFiles: boolean;
}

export interface OptionWords {
  /** All its spellings: `-h`, `--help`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined for one that takes no value; empty for one that takes any, such as a file. */
  readonly values: readonly string[] | undefined;
  /** Its value begins with one of `values`, and something follows: `imds-v1=`. */
  readonly isPrefix: boolean;
}

/** Shells for which there is a script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Values of arguments, by command; what isn't listed takes files. */
const ARGUMENTS: Readonly<Record<string, () => readonly string[]>> = {
  explain: () => [...allRules, ...toolRules].map(({ id }) => id),
  'addon-diff': () => ['vpc-cni'],
  completion: () => SHELLS,
  rules: () => [],
  init: () => [],
};

/** Values of options that the command line parser doesn't know, by the attribute name. */
const VALUES: Readonly<Record<string, () => readonly string[]>> = {
  preset: () => PRESETS,
  rule: () => allRules.map(({ id }) => `${id}=`),
  ruleOption: () => allRules.flatMap(({ id, options = {} }) => Object.entries(options).flatMap(([name, { allowed }]) => allowed.map((value) => `${id}.${name}=${value}`))),
  family: () => ['al2', 'al2023', 'bottlerocket', 'windows'],
};

/** Levels that follow `--rule ID=`. */
export const LEVELS: readonly string[] = RULE_LEVELS;

/** The words of a program's commands. */
export function wordsOf(program: Command): readonly CommandWords[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.summary(),
    options: [...command.options.filter(({ hidden }) => !hidden).map((option) => optionWords(option, command.name())), { flags: ['-h', '--help'], description: 'print this help', values: undefined, isPrefix: false }],
    values: ARGUMENTS[command.name()]?.() ?? [],
    takesFiles: ARGUMENTS[command.name()] === undefined,
  }));
}

function optionWords(option: Option, command: string): OptionWords {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const { required, argChoices } = option;
  const name = option.attributeName();
  const known = command === 'check' && name === 'format' ? Object.keys(FORMATS) : (argChoices ?? VALUES[name]?.() ?? []);
  return { flags, description: option.description, values: required ? known : undefined, isPrefix: name === 'rule' };
}
