/** A file that the set-up consists of. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  /** What to do when there is such a file already, by its content. @default - nothing */
  readonly ifExists?: (content: string) => string | undefined;
  /** What to do once it is written. */
  readonly next?: readonly string[];
}
