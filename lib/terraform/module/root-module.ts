import type { ConfigurationFile } from '../configuration-file';
import type { TerraformInstance } from '../instance';
import { type VariableFile } from './tfvars';
import { type UnreadValues } from './unread-values';

/** A root module to read: a folder of files, or what CDKTF made of a stack. */
export interface RootModule {
  /** Where it stands; paths of modules and files are told from here. */
  readonly folder: string;
  readonly files: readonly ConfigurationFile[];
  readonly variableFiles: readonly VariableFile[];
  /** What files say of its variables that Terraform reads only when it is told to. @default - nothing */
  readonly unread?: UnreadValues;
  /** What its resources say they belong to: the folder, or the name of the CDKTF stack. */
  readonly stack: string;
  /** Path as reports list it. @default - the stack, which then is a path */
  readonly path?: string;
  readonly frontEnd: TerraformInstance['frontEnd'];
  /** Only some of the files of its folder, so that what is missing may stand in another. @default false */
  readonly isPart?: boolean;
  /** For a stack of CDKTF: the folder of its app's output, and its construct path. @default - none */
  readonly cdktf?: { readonly app: string; readonly constructPath: string };
}
