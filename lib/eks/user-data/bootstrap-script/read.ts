import {
  filesWrittenBy,
  isGuardedByExistence,
  mentionIn,
  programName,
  type FileWrite,
  type ShellCommand,
  type ShellCondition,
  type ShellScript,
  type ShellWord,
} from '../shell';
import type { SourceText } from '../source-text';

/** The script of AL2 AMIs that makes a machine a node; on AL2023 it is a stub that fails. */
export const BOOTSTRAP_SCRIPT = '/etc/eks/bootstrap.sh';

/**
 * The options of the script; each takes a value. Source: awslabs/amazon-eks-ami before b2289030 (the commit that removed
 * AL2), `templates/al2/runtime/bootstrap.sh`.
 */
export const BOOTSTRAP_OPTIONS: readonly string[] = [
  '--apiserver-endpoint',
  '--aws-api-retry-attempts',
  '--b64-cluster-ca',
  '--cluster-id',
  '--container-runtime',
  '--containerd-config-file',
  '--dns-cluster-ip',
  '--docker-config-json',
  '--enable-docker-bridge',
  '--enable-local-outpost',
  '--ip-family',
  '--kubelet-extra-args',
  '--local-disks',
  '--mount-bpf-fs',
  '--pause-container-account',
  '--pause-container-version',
  '--service-ipv4-cidr',
  '--service-ipv6-cidr',
  '--use-max-pods',
];

const OPTIONS: ReadonlySet<string> = new Set(BOOTSTRAP_OPTIONS);

interface BootstrapOption {
  /** Undefined if nothing follows the option: the script then ends with an error. */
  readonly value: ShellWord | undefined;
  /** Of the option itself. */
  readonly offset: number;
}

/** A command as a rule reports it. */
export interface ScriptCall {
  readonly command: ShellCommand;
  /** Offsets in the script. */
  readonly offset: number;
  readonly end: number;
  readonly condition: ShellCondition;
}

/** A call of `/etc/eks/bootstrap.sh`, with its arguments as the script itself takes them. */
export interface BootstrapCall extends ScriptCall {
  /** The first word that isn't an option or its value; an unknown flag counts. Undefined, too, if words in front of it may be the name. */
  readonly clusterName: ShellWord | undefined;
  /** The last value of each option, by its name with dashes; without those that a word behind may change ({@link possibleOptions}). */
  readonly options: ReadonlyMap<string, BootstrapOption>;
  /** The words behind the cluster name that the script ignores, unknown flags included. */
  readonly ignored: readonly ShellWord[];
  /** Words that begin with a dash and aren't options of the script, wherever they stand. */
  readonly unknownFlags: readonly ShellWord[];
  /** `-h` or `--help`: the script prints its help and fails. */
  readonly help: ShellWord | undefined;
  /** Some word isn't known and may stand for any number of arguments: what isn't here may be there. */
  readonly hasUnknownWords: boolean;
  /** The call only happens where the script exists. */
  readonly isGuarded: boolean;
  /**
   * The options, by name with dashes, that the call may get besides: from variables of its environment (`export SERVICE_IPV4_CIDR=…`),
   * or by a word of which a part isn't known (`--service-${Family}-cidr`).
   */
  readonly possibleOptions: ReadonlySet<string>;
  /** The user data changes `bootstrap.sh` itself before it calls it, so that it may do anything. */
  readonly isPatched: boolean;
}

/** The calls of `/etc/eks/bootstrap.sh` that a script makes, as far as it can be seen; see also {@link mentionsBootstrapScript}. */
export function bootstrapCallsIn(script: ShellScript): readonly BootstrapCall[] {
  const commands = script.commands.filter(
    ({ effective: [program], reachable }) => reachable && program?.text === BOOTSTRAP_SCRIPT,
  );
  if (commands.length === 0) return [];
  const environments = environmentsOf(script, commands);
  const patchedFrom =
    filesWrittenBy(script).find(({ file }) => file.text === BOOTSTRAP_SCRIPT)?.command.index ?? Infinity;
  return commands.map((command) => {
    const given = argumentsOf(command.effective.slice(1));
    return {
      ...callOf(command),
      ...given,
      possibleOptions: new Set([...given.possibleOptions, ...(environments.get(command) ?? [])]),
      isGuarded: isGuardedByExistence(script, command, BOOTSTRAP_SCRIPT),
      isPatched: patchedFrom < command.index,
    };
  });
}

/** The script begins each option with the variable of that name, if the environment has it: `USE_MAX_PODS="${USE_MAX_PODS:-true}"`. */
const VARIABLES: ReadonlyMap<string, string> = new Map(
  BOOTSTRAP_OPTIONS.map((name) => [
    name === '--aws-api-retry-attempts' ? 'API_RETRY_ATTEMPTS' : name.slice(2).toUpperCase().replaceAll('-', '_'),
    name,
  ]),
);

/** The options that commands get from their environment: set in front of them, or exported by an earlier command, if only under a condition. */
function environmentsOf(
  script: ShellScript,
  calls: readonly ShellCommand[],
): ReadonlyMap<ShellCommand, ReadonlySet<string>> {
  const found = new Map<ShellCommand, ReadonlySet<string>>();
  const exported = new Set<string>();
  const wanted = new Set(calls);
  let exportsAll = false;
  const add = (to: Set<string>, variables: readonly string[]): void => {
    for (const variable of variables) {
      const option = VARIABLES.get(variable);
      if (option !== undefined) to.add(option);
    }
  };
  for (const command of script.commands) {
    const { words, assignments } = command;
    const own = assignments.map(({ name }) => name);
    if (wanted.has(command)) {
      const here = new Set(exported);
      // `sudo A=b /etc/eks/bootstrap.sh`, `env A=b /etc/eks/bootstrap.sh`
      add(here, [...own, ...words.slice(0, words.length - command.effective.length).map(variableOf)]);
      found.set(command, here);
      continue;
    }
    const [name, ...rest] = words;
    if (name === undefined && exportsAll) add(exported, own);
    if (name?.text === 'set' && rest.some(({ text = '' }) => text === 'allexport' || /^-[a-z]*a/.test(text)))
      exportsAll = true;
    const isExport =
      name?.text === 'export' ||
      (/^(?:declare|typeset)$/.test(name?.text ?? '') && rest.some(({ prefix }) => /^-[a-zA-Z]*x/.test(prefix)));
    if (isExport) add(exported, rest.map(variableOf));
    if (mayExport(command)) add(exported, [...VARIABLES.keys()]);
  }
  return found;
}

/** Files of settings that are there on every AMI; they export nothing that the script knows. */
const PLAIN_FILES = /^\/etc\/(?:os-release|profile(?:\.d\/[\w.-]+)?|bashrc|environment)$/;

/** Whether a command may export variables out of sight: `source /opt/parameters.sh`, `eval "$(…)"`. */
function mayExport({ words: [name, argument] }: ShellCommand): boolean {
  if (name?.text === 'eval') return true;
  return (name?.text === 'source' || name?.text === '.') && !PLAIN_FILES.test(argument?.text ?? '');
}

/** `NAME` for `NAME` and `NAME=value`. */
function variableOf({ prefix }: ShellWord): string {
  return /^\w*/.exec(prefix)?.[0] ?? '';
}

/**
 * Offset of a mention of the script outside of comments: a script that mentions it without a call that can be seen may
 * still call it, such as with `retry 5 /etc/eks/bootstrap.sh …` or `bash -c '…'`.
 */
export function mentionsBootstrapScript(script: ShellScript): number | undefined {
  return mentionIn(script, BOOTSTRAP_SCRIPT);
}

function callOf(command: ShellCommand): ScriptCall {
  return {
    command,
    offset: command.effective[0]?.start ?? command.offset,
    end: command.end,
    condition: command.condition,
  };
}

type Arguments = Pick<
  BootstrapCall,
  'clusterName' | 'options' | 'ignored' | 'unknownFlags' | 'help' | 'hasUnknownWords' | 'possibleOptions'
>;

function argumentsOf(words: readonly ShellWord[]): Arguments {
  const options = new Map<string, BootstrapOption>();
  const possibleOptions = new Set<string>();
  const positionals: ShellWord[] = [];
  let help: ShellWord | undefined;
  let hasUnknownWords = false;
  let nameIsOpen = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const next = words[index + 1];
    if (isHelp(word)) help ??= word;
    else if (word.text !== undefined && OPTIONS.has(word.text)) {
      options.set(word.text, { value: next, offset: word.start });
      index++;
    } else if (mayBeOption(word, next)) {
      hasUnknownWords = true;
      nameIsOpen ||= positionals.length === 0;
      for (const name of word.prefix === '' ? [] : optionsLike(word)) {
        options.delete(name);
        possibleOptions.add(name);
      }
      // Its value, or an argument of its own.
      if (next !== undefined && !standsForItself(next, word)) index++;
    } else {
      // One unknown word is the name, unless it is all there is and a variable: that may hold the whole call.
      const isName =
        positionals.length === 0 && (word.isTemplated || words.length > 1) && !/^\$[@*]|\$\{\w*\[?@/.test(word.show());
      if (word.splits && !isName) hasUnknownWords = true;
      positionals.push(word);
    }
  }
  // With the name open the first of the others may be it.
  const [clusterName, ...ignored] = positionals;
  const unknownFlags = positionals.filter((word) => word.prefix.startsWith('-'));
  return {
    clusterName: nameIsOpen ? undefined : clusterName,
    options,
    ignored,
    unknownFlags,
    help,
    hasUnknownWords,
    possibleOptions,
  };
}

function isHelp({ text }: ShellWord): boolean {
  return text === '-h' || text === '--help';
}

/**
 * Whether a word that isn't fully known may be an option: one with a dash that can become an option of the script (`--service-$F-cidr`),
 * or one that is unknown from its first character and has another argument behind it, which would then be its value.
 */
function mayBeOption(word: ShellWord, next: ShellWord | undefined): boolean {
  if (word.isKnown || optionsLike(word).length === 0) return false;
  return word.prefix !== '' || (next !== undefined && !next.prefix.startsWith('-'));
}

/** The options that a word may become, by what is known of its beginning and end. */
function optionsLike({ prefix, suffix }: ShellWord): readonly string[] {
  return BOOTSTRAP_OPTIONS.filter(
    (name) => name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix),
  );
}

/** Whether an argument that follows one that may be an option is hardly its value. */
function standsForItself(word: ShellWord, before: ShellWord): boolean {
  if (isHelp(word) || OPTIONS.has(word.text ?? '')) return true;
  return !word.isKnown && optionsLike(word).length > 0 && (before.prefix === '' || word.prefix !== '');
}

/** A command that writes or changes `/etc/eks/bootstrap.sh` itself. */
export interface BootstrapScriptWrite extends ScriptCall {
  /** The command puts another script in its place. */
  readonly isReplaced: boolean;
}

export function bootstrapScriptWrites(script: ShellScript): readonly BootstrapScriptWrite[] {
  return filesWrittenBy(script)
    .filter(({ command, file }) => command.reachable && file.text === BOOTSTRAP_SCRIPT)
    .map(({ command, how }) => ({ ...callOf(command), isReplaced: how === 'replace' }));
}

/** A call of `nodeadm init`. */
export interface NodeadmInitCall extends ScriptCall {
  /** The value of `-c` or `--config-source`. */
  readonly configSource: ShellWord | undefined;
}

/** The calls of `nodeadm init`; not those of `nodeadm config check` and other commands. */
export function nodeadmInitCallsIn(script: ShellScript): readonly NodeadmInitCall[] {
  return script.commands.flatMap((command) => {
    const [program, ...rest] = command.effective;
    const subcommand = rest.find((word) => !word.prefix.startsWith('-'));
    if (!command.reachable || programName(program) !== 'nodeadm' || subcommand?.text !== 'init') return [];
    if (rest.some((word) => word.text === '-h' || word.text === '--help')) return [];
    return [
      { ...callOf(command), configSource: valueOf(rest, /^(?:-c|--config-source)$/, /^(?:-c|--config-source)=/) },
    ];
  });
}

function valueOf(words: readonly ShellWord[], alone: RegExp, joined: RegExp): ShellWord | undefined {
  for (const [index, word] of words.entries()) {
    if (alone.test(word.text ?? '')) return words[index + 1];
    const match = joined.exec(word.prefix);
    if (match !== null) return word.after(match[0].length);
  }
  return undefined;
}

/** The files that hold kubelet's settings on AL2. */
const KUBELET_FILES: readonly string[] = ['/etc/kubernetes/kubelet/kubelet-config.json', '/etc/sysconfig/kubelet'];

/** What starts a unit that isn't running. Source: systemctl(1). */
const STARTS: ReadonlySet<string> = new Set(['start', 'restart', 'reload-or-restart']);
/** What does so with `--now`. */
const STARTS_NOW: ReadonlySet<string> = new Set(['enable', 'reenable']);

/** Something that a script does to kubelet, which EKS starts and configures itself where it adds the bootstrap. */
export interface KubeletIntervention extends ScriptCall {
  /** `start`: starts the service; `edit`: writes one of its files. */
  readonly kind: 'start' | 'edit';
  /** The file that is written. */
  readonly file: string | undefined;
}

export function kubeletInterventions(script: ShellScript): readonly KubeletIntervention[] {
  const starts = script.commands
    .filter((command) => command.reachable && startsKubelet(command))
    .map((command) => ({ ...callOf(command), kind: 'start' as const, file: undefined }));
  const edits = filesWrittenBy(script).flatMap(({ command, file }) => {
    const name = KUBELET_FILES.find((one) => one === file.text);
    return name !== undefined && command.reachable
      ? [{ ...callOf(command), offset: file.start, kind: 'edit' as const, file: name }]
      : [];
  });
  return [...starts, ...edits].sort((one, other) => one.offset - other.offset);
}

function startsKubelet({ effective: [program, ...rest] }: ShellCommand): boolean {
  const texts = rest.map((word) => word.text);
  const operands = texts.filter((text) => text !== undefined && !text.startsWith('-'));
  if (programName(program) === 'systemctl') {
    const [verb = '', ...units] = operands;
    const isStart = STARTS.has(verb) || (STARTS_NOW.has(verb) && texts.includes('--now'));
    return isStart && units.some((unit) => unit === 'kubelet' || unit === 'kubelet.service');
  }
  return programName(program) === 'service' && operands[0] === 'kubelet' && /^(?:re)?start$/.test(operands[1] ?? '');
}

/** Where nodeadm looks for NodeConfigs besides user data. */
const DROP_IN_FOLDER = '/etc/eks/nodeadm.d/';

/** A NodeConfig that a script puts where nodeadm reads it. */
export interface NodeConfigDropIn extends ScriptCall {
  readonly file: ShellWord;
  /** The NodeConfig, if the script shows it. */
  readonly content: SourceText | undefined;
}

export function nodeConfigDropIns(script: ShellScript): readonly NodeConfigDropIn[] {
  return filesWrittenBy(script)
    .filter(({ command, file }: FileWrite) => command.reachable && file.prefix.startsWith(DROP_IN_FOLDER))
    .map(({ command, file, content, how }) => ({
      ...callOf(command),
      file,
      content: how === 'replace' ? content : undefined,
    }));
}
