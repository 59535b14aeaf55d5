import type { Resource, Source, WrittenLines } from '../../value';

/** A file that its tool checks before it deploys anything: what the tool refuses of it, and what it passes over. */
export interface ConfigurationFile extends Resource {
  readonly kind: 'configuration-file';
  readonly problems: readonly ConfigProblem[];
}

/** What a tool makes of something in its configuration that isn't as it should be. */
export type ConfigProblem =
  /**
   * `refused`: at once. `refusedLate`: when it is at work already. `refusedByCommand`: at once by the command for this part alone, and late by the one for
   * the whole. `refusedByEks`: the tool hands it on. `idle`: it takes it and makes nothing of it.
   */
  | {
      readonly kind: 'refused' | 'refusedLate' | 'refusedByCommand' | 'refusedByEks' | 'idle';
      /** When it is refused that is refused late, as a clause; of `refusedByCommand`, the command. */
      readonly when?: string;
      /** What is wrong, as a clause that may begin a sentence: "both endpoints are off". */
      readonly problem: string;
      /** What to do, as a sentence. */
      readonly advice: string;
      /** The same as code with headings that say where it goes. @default - words alone say it */
      readonly code?: string;
      /** The lines of the setting, where all that is to do is to take it out. @default - something else is to do */
      readonly removed?: WrittenLines;
      /** The id of a rule that would tell the same, of what the tool would have made. */
      readonly insteadOf?: string;
      readonly source: Source;
    }
  | {
      readonly kind: 'unknownKey';
      readonly key: string;
      /** Where it stands: "an add-on". */
      readonly place: string;
      readonly advice: string;
      /** Whether a key is meant that is known, as opposed to one that a newer release of the tool may have. */
      readonly isSure: boolean;
      readonly source: Source;
    }
  /** A key that the tool drops without a word. */
  | {
      readonly kind: 'ignoredKey';
      readonly key: string;
      readonly meant: string;
      /** Whether a whole part of the configuration goes with it. */
      readonly isWhole: boolean;
      readonly source: Source;
    }
  /** A document of the file that the tool doesn't read. */
  | {
      readonly kind: 'ignoredDocument';
      /** "the cluster shop". */
      readonly what: string;
      readonly source: Source;
    };
