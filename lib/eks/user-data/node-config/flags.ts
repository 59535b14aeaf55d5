import { Unknown, type Data } from '../../../value';

/** One command line flag of kubelet. */
export interface KubeletFlag {
  /** Without the dashes: `max-pods`. */
  readonly name: string;
  /** What stands behind it, as far as it is known; undefined if nothing does. */
  readonly value: string | undefined;
  /** Set when the value isn't known to its end. */
  readonly unknown: Unknown | undefined;
  /** Index of the list item that holds the flag's name. */
  readonly index: number;
}

export interface KubeletFlags {
  readonly flags: readonly KubeletFlag[];
  /** An item that may hold any flag, because it isn't known how it begins. */
  readonly unknown: Unknown | undefined;
}

interface Word {
  readonly text: string;
  readonly index: number;
  readonly unknown: Unknown | undefined;
}

/**
 * Takes the items of `spec.kubelet.flags` apart. nodeadm joins them with spaces and systemd splits them again at white space, so
 * an item can hold several flags, and a flag can stand in two items. Source: awslabs/amazon-eks-ami,
 * `nodeadm/internal/kubelet/environment.go` and the AMI's `kubelet.service`.
 */
export function parseFlags(items: Data | undefined): KubeletFlags {
  if (items instanceof Unknown) return { flags: [], unknown: items };
  const flags: KubeletFlag[] = [];
  let unknown: Unknown | undefined;
  const words = Array.isArray(items) ? items.flatMap((item: Data, index) => wordsOf(item, index)) : [];
  words.forEach((word, at) => {
    const match = /^--([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word.text);
    const previous = words[at - 1];
    const isValue =
      previous !== undefined && previous.unknown === undefined && /^--[A-Za-z][\w-]*$/.test(previous.text);
    if (match?.[1] === undefined || (match[2] === undefined && word.unknown !== undefined)) {
      if (word.unknown !== undefined && !(isValue && !word.text.startsWith('--'))) unknown ??= word.unknown;
      return;
    }
    const next = words[at + 1];
    const separate = match[2] === undefined && next?.text.startsWith('--') === false ? next : undefined;
    flags.push({
      name: match[1],
      value: unquoted(match[2] ?? separate?.text),
      unknown: word.unknown ?? separate?.unknown,
      index: word.index,
    });
  });
  return { flags, unknown };
}

function wordsOf(item: Data, index: number): readonly Word[] {
  if (item instanceof Unknown) {
    const text = item.text ?? '';
    const start = text.indexOf('${');
    const known = start < 0 ? '' : text.slice(0, start);
    const pieces = known.split(/\s+/);
    return pieces
      .map((piece, at) => ({ text: piece, index, unknown: at === pieces.length - 1 ? item : undefined }))
      .filter((word) => word.text !== '' || word.unknown !== undefined);
  }
  if (typeof item !== 'string') return [];
  return item
    .split(/\s+/)
    .filter((text) => text !== '')
    .map((text) => ({ text, index, unknown: undefined }));
}

/** systemd takes quotation marks away when it reads the file into which nodeadm writes the flags. */
function unquoted(value: string | undefined): string | undefined {
  return value?.replace(/^["']|["']$/g, '');
}

/** A pair of a flag such as `--node-labels=a=b,c=d`. */
export interface FlagPair {
  readonly key: string;
  /** Undefined when there is none, or when it isn't known. */
  readonly value: string | undefined;
  readonly flag: KubeletFlag;
}

/** The pairs of all flags of a name, in order; without the last one of a flag whose end isn't known when its key may go on. */
export function pairsOf(flags: readonly KubeletFlag[], name: string): readonly FlagPair[] {
  return flags
    .filter((flag) => flag.name === name && flag.value !== undefined && flag.value !== '')
    .flatMap((flag) => {
      const pairs = (flag.value ?? '').split(',');
      return pairs.flatMap((pair, index): readonly FlagPair[] => {
        const cut = flag.unknown !== undefined && index === pairs.length - 1;
        const equals = pair.indexOf('=');
        if (equals < 0) return cut || pair === '' ? [] : [{ key: pair.trim(), value: undefined, flag }];
        return [{ key: pair.slice(0, equals).trim(), value: cut ? undefined : pair.slice(equals + 1).trim(), flag }];
      });
    });
}
