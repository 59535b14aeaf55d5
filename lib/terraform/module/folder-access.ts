/** The files that a reader may look into. Paths are as reports show them, separated by `/` or as the system does. */
export interface FolderAccess {
  /** Names of the files of a folder, in order; undefined if there is no such folder. */
  files(folder: string): readonly string[] | undefined;
  read(file: string): { readonly text: string } | { readonly problem: string };
  /** Why a folder that is there isn't read. @default - each is */
  whyNotRead?(folder: string): string | undefined;
  /** The folder that a module names by a path, from where its own folder really is, as Terraform goes: either may be behind a link. @default - by their names */
  folderOfModule?(caller: string, source: string): string;
  /** Told of the folders of modules before they are read. @default - nobody wants to know */
  enter?(folder: string): void;
  /** Told of a folder whose files an expression lists. @default - nobody wants to know */
  asked?(folder: string): void;
  /** The text of a file that is no part of the input, for a hint about it: the file doesn't count as read. @default - there are none */
  lookAt?(file: string): string | undefined;
}
