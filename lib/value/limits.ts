import type { Source } from './source';
import { Unknown } from './value';

/**
 * How much one input may cost. All of it is far beyond what anybody writes, so that only an input that is made for it, or made by mistake, gets
 * there; docs/guides/limits.md says so to users.
 */
export const LIMITS = {
  /** Levels of values within values: whatever walks through them may recurse. */
  depth: 256,
  /** Characters of a text that is put together, and bytes of one that is unpacked. */
  text: 4_000_000,
  /** Pieces that a text is put together of. */
  pieces: 200_000,
  /** Values that a text of YAML stands for once its aliases are written out. go-yaml refuses "excessive aliasing" too. */
  values: 400_000,
  /** Steps of one value that cost nothing, and further ones of all values of an input. */
  steps: { free: 2000, shared: 20_000_000 },
} as const;

let told: Unknown[] | undefined;

/**
 * What isn't worked out because it goes beyond a limit. It is unknown to whoever asks, and told about: what depends on it stays unjudged.
 * @param reason as the end of "…, because"
 */
export function beyondLimit(reason: string, source: Source): Unknown {
  const unknown = new Unknown(reason, source);
  told?.push(unknown);
  return unknown;
}

/** Does some work, and gives with its result what went beyond a limit meanwhile. */
export function withLimits<T>(work: () => T): { readonly result: T; readonly beyond: readonly Unknown[] } {
  const before = told;
  const beyond: Unknown[] = [];
  told = beyond;
  try {
    return { result: work(), beyond };
  } finally {
    told = before;
  }
}

/** The steps that the values of one input may take. */
export class Steps {
  private free = 0;
  private shared: number = LIMITS.steps.shared;

  /** Begins with another value. */
  begin(): void {
    this.free = LIMITS.steps.free;
  }

  /** Whether one more step may be taken. */
  take(): boolean {
    return this.free-- > 0 || this.shared-- > 0;
  }
}
