/** Where the command runs and where the repository begins, both as absolute paths. */
export interface Repository {
  readonly root: string;
  readonly workingFolder: string;
  /** Other absolute paths of the root, through symbolic links. @default - none */
  readonly otherRoots?: readonly string[];
}
