/** A file that the set-up consists of. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  /** What to do when there is such a file already, by its content. @default - nothing */
  readonly ifExists?: (content: string) => string | undefined;
  /** The command that writes it, for what the content isn't known of before. @default - the content is written */
  readonly command?: string;
  /** What to do once it is written. */
  readonly next?: readonly string[];
}

/** What a set-up holds besides the least. */
export interface SetUp {
  /** The package that pipelines run. */
  readonly version: string;
  /** Whether GitHub runs the action, and not the command. */
  readonly usesAction: boolean;
  /** Whether findings go to GitHub's code scanning, by the action. */
  readonly uploadsSarif: boolean;
  /** Name of the baseline; undefined if all findings count. */
  readonly baseline: string | undefined;
}
