import type { Diagnostic, Source } from '../value';
import type { FileComments } from '../languages/comments/ignores';
import type { Block, Body, Range } from '../languages/hcl/ast';

/** A file of a configuration, in HCL or in Terraform's JSON syntax. */
export interface ConfigurationFile {
  /** Path as it should appear in reports. */
  readonly file: string;
  readonly body: Body;
  readonly diagnostics: readonly Diagnostic[];
  /** Construct paths of what CDKTF wrote, by address within the stack: `aws_eks_node_group.workers`. */
  readonly constructPaths?: ReadonlyMap<string, string>;
  /** The comment of the whole file, `"//"` of JSON, as a plain value. CDKTF writes there which stack it is. */
  readonly comment?: unknown;
  /** Comments about eks-guardrails, with the block of the file that each item is part of; undefined if there are none. */
  readonly comments?: FileComments<Block> | undefined;
  /**
   * The place of a range of the file, where a line and column are computed only when asked for.
   * @param property attribute path below the resource: `metadata_options.http_tokens`
   */
  place(range: Range, property?: string): Source;
  /** What is written in a range of it; undefined if it isn't in HCL. @default - it isn't in HCL */
  textOf?(range: Range): string | undefined;
}
