import type { Finding } from './finding';

/** What a machine can do about a finding, as reports tell it. */
export interface OfferedRepair {
  /** `safe`: `--fix` makes it. `unsafe`: only `--fix --unsafe` does, because it needs a decision. */
  readonly safety: 'safe' | 'unsafe';
  /** What an unsafe one does to what runs when it is deployed. @default - it is safe */
  readonly effect?: string;
  /** What changes in files, if nothing else does. @default - it isn't worked out, or would show a secret */
  readonly edits?: readonly OfferedEdit[];
}

/** A piece of a file that is replaced. Lines and columns count from 1, columns in UTF-16 code units; the end is behind the last one. */
export interface OfferedEdit {
  /** As the input names it. */
  readonly file: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
  /** It begins and ends with lines, without the break of the last one. */
  readonly isWhole: boolean;
  readonly text: string;
}

/** What a machine can do about findings; undefined if that is nothing. */
export interface RepairOffers {
  /** Without edits, which take longer to work out; some of it may turn out to be impossible then. */
  of(finding: Finding): OfferedRepair | undefined;
  withEdits(finding: Finding): OfferedRepair | undefined;
}
