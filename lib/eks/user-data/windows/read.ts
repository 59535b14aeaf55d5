import type { ShellCondition, ShellWord } from '../shell';
import type { WindowsUserData } from './blocks';
import { readPowerShell, type PowerShellCommand } from './powershell';
import { afterPowerShellComment } from './powershell-words';

/**
 * The parameters of `Start-EKSBootstrap.ps1`, in the order in which it takes values without a name. Source: Amazon EKS User
 * Guide, "Create nodes with optimized Windows AMIs"; `Endpoint` and `ContainerRuntime` are those of older AMIs.
 */
const EKS_BOOTSTRAP_PARAMETERS: readonly string[] = [
  'EKSClusterName',
  'KubeletExtraArgs',
  'KubeProxyExtraArgs',
  'Endpoint',
  'APIServerEndpoint',
  'Base64ClusterCA',
  'DNSClusterIP',
  'ServiceCIDR',
  'ExcludedSnatCIDRs',
  'ContainerRuntime',
];

/** Parameters that every PowerShell command takes; the first two have no value. */
const COMMON_PARAMETERS: readonly string[] = [
  'Verbose',
  'Debug',
  'ErrorAction',
  'WarningAction',
  'InformationAction',
  'ErrorVariable',
  'WarningVariable',
  'OutVariable',
];

interface EksBootstrapParameter {
  /** Undefined if nothing follows that could be its value. */
  readonly value: ShellWord | undefined;
  /** Of the parameter; of the value if it has no name. */
  readonly offset: number;
}

/** A call of `Start-EKSBootstrap.ps1`. */
export interface EksBootstrapCall {
  /** Offsets in the user data. */
  readonly offset: number;
  readonly end: number;
  readonly condition: ShellCondition;
  /** By full name, as in {@link EKS_BOOTSTRAP_PARAMETERS}, abbreviations resolved. */
  readonly parameters: ReadonlyMap<string, EksBootstrapParameter>;
  /** Parameters that the script doesn't have, or that are abbreviated too much; with their dashes. */
  readonly unknownParameters: readonly { readonly name: string; readonly offset: number }[];
  /** Parameters come out of a variable (`@parameters`) or a template: what isn't here may be there. */
  readonly hasUnknownWords: boolean;
}

/** The calls of `Start-EKSBootstrap.ps1` in the `<powershell>` blocks. */
export function eksBootstrapCallsIn(data: WindowsUserData): readonly EksBootstrapCall[] {
  return data.blocks
    .filter(({ tag }) => tag === 'powershell')
    .flatMap(({ bodyStart, bodyEnd }) => readPowerShell(data.text, bodyStart, bodyEnd))
    .flatMap((command) => {
      const words = scriptArguments(command);
      return words === undefined
        ? []
        : [{ offset: command.offset, end: command.end, condition: command.condition, ...parametersOf(words) }];
    });
}

const SCRIPT = /(?:^|[\\/])start-eksbootstrap(?:\.ps1)?$/i;

/** Offset of a mention of the script in a block, outside of comments and in whatever role; undefined if there is none. */
export function mentionsEksBootstrap(data: WindowsUserData): number | undefined {
  const { text } = data.text;
  const blocks = data.blocks.filter(({ tag }) => tag === 'powershell' || tag === 'script');
  let index = 0;
  let searched = 0;
  for (const { index: offset } of text.matchAll(/start-eksbootstrap/gi)) {
    while ((blocks[index]?.bodyEnd ?? Infinity) <= offset) index++;
    const block = blocks[index];
    if (block === undefined) return undefined;
    if (offset < Math.max(block.bodyStart, searched)) continue;
    const comment =
      block.tag === 'powershell' ? commentOver(text, Math.max(block.bodyStart, searched), offset) : undefined;
    if (comment === undefined) return offset;
    searched = comment;
  }
  return undefined;
}

/** Behind the comment in which `offset` stands, looking from `start`; undefined if it stands in none. */
function commentOver(text: string, start: number, offset: number): number | undefined {
  let at = start;
  while (at <= offset) {
    const begins = text[at] === '<' || at === start || /[\s;({}]/.test(text.charAt(at - 1));
    const end = begins ? afterPowerShellComment(text, at) : undefined;
    if (end !== undefined && end > offset) return end;
    at = end ?? at + 1;
  }
  return undefined;
}

/** The arguments of a command that calls the script; undefined for other commands. */
function scriptArguments({ words, isCall }: PowerShellCommand): readonly ShellWord[] | undefined {
  const [name, ...rest] = words;
  if (name === undefined) return undefined;
  if (SCRIPT.test(name.suffix) && (isCall || name.bare)) return rest;
  if (/^(?:powershell|pwsh)(?:\.exe)?$/i.test(name.text ?? '')) {
    const file = rest.findIndex((word) => SCRIPT.test(word.suffix));
    return /^-f(?:i(?:le?)?)?$/i.test(rest[file - 1]?.text ?? '') ? rest.slice(file + 1) : undefined;
  }
  // `& $script -EKSClusterName …`: no other script has this parameter.
  const isEks = isCall && !name.isKnown && rest.some((word) => word.bare && /^-eksc/i.test(word.prefix));
  return isEks ? rest : undefined;
}

function parametersOf(
  words: readonly ShellWord[],
): Pick<EksBootstrapCall, 'parameters' | 'unknownParameters' | 'hasUnknownWords'> {
  const parameters = new Map<string, EksBootstrapParameter>();
  const unknownParameters: { name: string; offset: number }[] = [];
  const positionals: ShellWord[] = [];
  let hasUnknownWords = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const written = word.bare ? /^-([A-Za-z]\w*)(:?)/.exec(word.prefix) : null;
    if (written === null) {
      if (word.splits) hasUnknownWords = true;
      else positionals.push(word);
      continue;
    }
    const [all, name = '', colon] = written;
    const full = fullName(name);
    const next = words[index + 1];
    const joined = colon === ':' && word.show().length > all.length ? word.after(all.length) : undefined;
    const isSwitch = full === 'Verbose' || full === 'Debug';
    const value = joined ?? (isSwitch || isParameter(next) ? undefined : next);
    if (value !== undefined && joined === undefined) index++;
    if (full === undefined) unknownParameters.push({ name: `-${name}`, offset: word.start });
    else if (EKS_BOOTSTRAP_PARAMETERS.includes(full)) parameters.set(full, { value, offset: word.start });
  }
  for (const name of EKS_BOOTSTRAP_PARAMETERS) {
    if (parameters.has(name)) continue;
    const value = positionals.shift();
    if (value === undefined) break;
    parameters.set(name, { value, offset: value.start });
  }
  return { parameters, unknownParameters, hasUnknownWords };
}

function isParameter(word: ShellWord | undefined): boolean {
  return word !== undefined && word.bare && /^-[A-Za-z]/.test(word.prefix);
}

/** The parameter that a name or the beginning of one means, if only one does; no name is the beginning of another. */
function fullName(written: string): string | undefined {
  const lower = written.toLowerCase();
  const fits = [...EKS_BOOTSTRAP_PARAMETERS, ...COMMON_PARAMETERS].filter((name) =>
    name.toLowerCase().startsWith(lower),
  );
  return fits.length === 1 ? fits[0] : undefined;
}
