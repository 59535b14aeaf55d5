import type { Source } from './source';
import { Unknown } from './value';

/**
 * How much one input may cost. All of it is far beyond what anybody writes, so that only an input that is made for it, or made by mistake, gets
 * there; docs/guides/unverifiable.md says so to users.
 */
export const LIMITS = {
  /** Levels of values within values: whatever walks through them may recurse. */
  depth: 256,
  /** Characters of a text that is put together, and bytes of one that is unpacked. */
  text: 4_000_000,
  /** Bytes of all texts of an input that are unpacked: a kilobyte can hold a megabyte. */
  unpacked: 32_000_000,
  /** Characters of YAML that values of an input hold, all together. */
  data: 4_000_000,
  /** Pieces that a text is put together of. */
  pieces: 200_000,
  /** Values that a text of YAML stands for once its aliases are written out. go-yaml refuses "excessive aliasing" too. */
  values: 400_000,
  /** Instances of one resource, data source or call of a module in Terraform, and of all in one root module. */
  instances: 2000,
  allInstances: 20_000,
  /** Steps of one regular expression through one text: an instruction at a character. */
  regexSteps: 5_000_000,
  /** Steps of one value that cost nothing, and further ones of all values of an input. */
  steps: { free: 2000, shared: 2_000_000 },
} as const;

/** More of one kind are not listed. */
const MOST_TOLD = 1000;

interface Run {
  readonly beyond: Unknown[];
  steps: number;
  unpacked: number;
  data: number;
  /** What long texts hold. */
  readonly parsed: Map<string, unknown>;
}

let run: Run | undefined;

/**
 * What isn't worked out because it goes beyond a limit. It is unknown to whoever asks, and told about: what depends on it stays unjudged.
 * @param reason as the end of "…, because"
 */
export function beyondLimit(reason: string, source: Source): Unknown {
  const unknown = new Unknown(reason, source);
  if (run !== undefined && run.beyond.length < MOST_TOLD) run.beyond.push(unknown);
  return unknown;
}

/**
 * Does some work, all on one input, and gives with its result what went beyond a limit meanwhile.
 * @param share how much of what all values of an input may cost this one may: tests needn't wait for all of it
 */
export function withLimits<T>(work: () => T, share = 1): { readonly result: T; readonly beyond: readonly Unknown[] } {
  const outer = run;
  const own: Run = {
    beyond: [],
    steps: LIMITS.steps.shared * share,
    unpacked: LIMITS.unpacked * share,
    data: LIMITS.data * share,
    parsed: new Map(),
  };
  run = own;
  try {
    return { result: work(), beyond: own.beyond };
  } finally {
    run = outer;
  }
}

/** Texts up to this length don't count towards the limit; single settings are no longer. */
const SHORT = 4000;

/** How many times faster JSON, and data that was parsed before, is read than YAML of the same length. */
const FAST = 20;

/**
 * Parses a text that a value holds, once: many resources may be given the same. Undefined if all such texts of the input are too long together.
 * @param parse a function that always makes the same of a text
 */
export function parseWithin<T>(
  text: string,
  language: 'json' | 'yaml',
  parse: (text: string) => T,
): { readonly data: T } | undefined {
  if (run === undefined || text.length <= SHORT) return { data: parse(text) };
  const key = `${parse.name} ${text}`;
  const isFast = language === 'json' || run.parsed.has(key);
  run.data -= isFast ? text.length / FAST : text.length;
  if (run.data < 0) return undefined;
  if (!run.parsed.has(key)) run.parsed.set(key, parse(text));
  return { data: run.parsed.get(key) as T };
}

/** Why a text isn't parsed. */
export const TOO_MUCH_DATA = 'the texts of this input hold more data than anything that is deployed';

/** Deflate makes no more of a byte. */
const MOST_OF_BYTE = 1032;

/**
 * Unpacks a text. Undefined if it, or all texts of the input together, are too large.
 * @param unpack given how many bytes there may be; throws if there are more, as Node.js does, or if the data is damaged
 */
export function unpackWithin(
  packed: Uint8Array,
  unpack: (packed: Uint8Array, most: number) => Uint8Array,
): Uint8Array | undefined {
  const most = Math.min(LIMITS.text, run?.unpacked ?? LIMITS.unpacked);
  if (most <= 0) return undefined;
  let took = Math.min(most, packed.length * MOST_OF_BYTE);
  try {
    const bytes = unpack(packed, most);
    took = bytes.length;
    return bytes;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      return undefined;
    throw error;
  } finally {
    if (run !== undefined) run.unpacked -= took;
  }
}

/** The steps that it takes to work out one value. */
export class Steps {
  private free: number = LIMITS.steps.free;

  /** How many more may be taken. */
  get left(): number {
    return run === undefined ? Infinity : this.free + Math.max(0, run.steps);
  }

  /** Whether so many more may be taken. */
  take(count = 1): boolean {
    if (this.free >= count) {
      this.free -= count;
      return true;
    }
    if (run === undefined) return true;
    run.steps -= count;
    return run.steps >= 0;
  }
}
