import type { Source } from '../eks';

/** A decision to live with findings, made for all resources that a pattern covers. */
export interface Ignore {
  /** Id of a rule, or a pattern of ids: `imds-*`. A pattern never covers findings about the check itself, such as `rule-crashed`. */
  readonly rule: string;
  /**
   * Pattern of construct paths, logical ids or Terraform addresses; `*` alone is all of them. The path of the construct that the user
   * created is enough: `Prod/Workers` covers `Prod/Workers/Resource`. An address without index covers all instances.
   */
  readonly resource: string;
  /**
   * Pattern of the file that declares the resource: its path from {@link folder} on, or, without a slash, its name. The name of a folder
   * stands for all that is in it.
   * @default - any file
   */
  readonly file?: string;
  /** Why it is right to live with it. Without one the decision has no effect and is reported. */
  readonly reason: string;
  /** Last day (YYYY-MM-DD) on which it holds. @default - no end */
  readonly until?: string;
  /** Where it is written down. @default - nowhere */
  readonly source?: Source;
  /** Folder that `file` is told from. @default - the working directory */
  readonly folder?: string;
  /** Whether it is made for several places, so that one where it covers nothing says nothing against it. @default false */
  readonly isShared?: boolean;
}
