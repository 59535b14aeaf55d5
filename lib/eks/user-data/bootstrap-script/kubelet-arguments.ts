import type { SourceText } from '../source-text';
import type { ShellWord } from '../shell';

/** One kubelet flag out of a string of them. */
interface KubeletFlag {
  /** With its dashes: `--max-pods`. */
  readonly name: string;
  /** Undefined if nothing follows that could be its value. */
  readonly value: KubeletText | undefined;
  readonly offset: number;
}

/** A piece of a string of flags. */
export interface KubeletText {
  /** Undefined if a part of it isn't known. */
  readonly text: string | undefined;
  /** For people: with `${…}` for what isn't known. */
  readonly show: string;
  readonly offset: number;
}

/** A label, or a feature gate with its value. */
interface KubeletPair {
  readonly key: KubeletText;
  /** Undefined if there is no `=`. */
  readonly value: KubeletText | undefined;
}

/** `key=value:Effect` of `--register-with-taints`. */
interface KubeletTaint extends KubeletPair {
  /** Undefined if there is no `:`. */
  readonly effect: KubeletText | undefined;
}

/** What a string of kubelet flags sets; of flags that are given twice, lists add up and the last number counts, as for kubelet. */
export interface KubeletArguments {
  readonly flags: readonly KubeletFlag[];
  readonly labels: readonly KubeletPair[];
  readonly taints: readonly KubeletTaint[];
  readonly featureGates: readonly KubeletPair[];
  readonly maxPods: KubeletText | undefined;
  /** Something unknown stands where flags may stand: there may be more than what is listed. */
  readonly hasUnknownFlags: boolean;
}

/** Reads the value of `--kubelet-extra-args` or `-KubeletExtraArgs`. */
export function kubeletArguments(word: ShellWord): KubeletArguments {
  return kubeletArgumentsIn(word.value, (index) => word.offsetAt(index));
}

/** @param offsetAt what {@link KubeletText.offset} should say for a character of the text */
export function kubeletArgumentsIn(text: SourceText, offsetAt: (index: number) => number): KubeletArguments {
  const piece = (start: number, end: number): KubeletText => ({
    text: text.unknownIn(start, end) === undefined ? text.text.slice(start, end) : undefined,
    show: text.show(start, end),
    offset: offsetAt(start),
  });
  const { flags, hasUnknownFlags } = flagsIn(text, piece);
  const lists = (name: string): Range[] =>
    flags.flatMap((flag) => (flag.name === name && flag.range !== undefined ? itemsOf(text.text, flag.range) : []));
  const pairs = (name: string): KubeletPair[] => lists(name).map((item) => pairOf(text.text, item, piece));
  return {
    flags,
    labels: pairs('--node-labels'),
    featureGates: pairs('--feature-gates'),
    taints: lists('--register-with-taints').map((item) => {
      const colon = text.text.slice(item.start, item.end).lastIndexOf(':');
      const end = colon < 0 ? item.end : item.start + colon;
      return {
        ...pairOf(text.text, { start: item.start, end }, piece),
        effect: colon < 0 ? undefined : piece(end + 1, item.end),
      };
    }),
    maxPods: flags.filter((flag) => flag.name === '--max-pods').at(-1)?.value,
    hasUnknownFlags,
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

type Piece = (start: number, end: number) => KubeletText;

function flagsIn(
  text: SourceText,
  piece: Piece,
): { readonly flags: (KubeletFlag & { readonly range: Range | undefined })[]; readonly hasUnknownFlags: boolean } {
  const words = Array.from(text.text.matchAll(/\S+/g), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
  const flags: (KubeletFlag & { readonly range: Range | undefined })[] = [];
  let hasUnknownFlags = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) break;
    const equals = word.text.indexOf('=');
    const nameEnd = equals < 0 ? word.end : word.start + equals;
    if (text.unknownIn(word.start, nameEnd) !== undefined) hasUnknownFlags = true;
    else if (word.text.startsWith('-')) {
      const name = text.text.slice(word.start, nameEnd).replace(/^--?/, '--');
      const next = words[index + 1];
      const follows = equals < 0 && next !== undefined && !next.text.startsWith('-') ? next : undefined;
      if (follows !== undefined) index++;
      const range = equals >= 0 ? { start: nameEnd + 1, end: word.end } : follows;
      flags.push({
        name,
        value: range === undefined ? undefined : piece(range.start, range.end),
        offset: piece(word.start, word.start).offset,
        range,
      });
    }
  }
  return { flags, hasUnknownFlags };
}

/** The items of a list with commas. */
function itemsOf(text: string, { start, end }: Range): Range[] {
  const items: Range[] = [];
  let from = start;
  for (let at = start; at <= end; at++) {
    if (at < end && text[at] !== ',') continue;
    if (at > from) items.push({ start: from, end: at });
    from = at + 1;
  }
  return items;
}

function pairOf(text: string, { start, end }: Range, piece: Piece): KubeletPair {
  const equals = text.slice(start, end).indexOf('=');
  if (equals < 0) return { key: piece(start, end), value: undefined };
  return { key: piece(start, start + equals), value: piece(start + equals + 1, end) };
}
