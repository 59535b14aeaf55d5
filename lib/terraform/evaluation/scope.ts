import type { Source } from '../../value';
import type { Range } from '../../languages/hcl/ast';
import type { TerraformValue } from '../terraform-value';

/** What the names in an expression stand for, where it is written. */
export interface Scope {
  /**
   * What a reference begins with: `var.x`, `local.x`, `aws_eks_cluster.main`, `data.aws_ami.x`, `module.m`, `each.key`, `count.index`,
   * `path.module`, `terraform.workspace`.
   *
   * A resource is a `ResourceObject`, one with `count` a list and one with `for_each` a map of them; a module is a map of its outputs. An instance that exists under a
   * condition only is a choice between it and nothing.
   * @param names the variable and the attributes behind it, as far as they are plain names
   * @returns the value, and how many of the names are used up; undefined if there is nothing of that name
   */
  resolve(names: readonly string[]): { readonly value: TerraformValue; readonly used: number } | undefined;
  /** The place of a part of the file that the expression stands in. */
  place(range: Range, property?: string): Source;
  /** What is written in a part of that file, if it is in HCL. @default - that can't be told */
  textOf?(range: Range): string | undefined;
  /** For `file()`, `templatefile()`, `fileexists()`: the text of a file next to the configuration, or why it can't be read. */
  readFile(
    path: string,
  ): { readonly text: string; readonly place: (range: Range) => Source } | { readonly problem: string };
  /** For `fileset()`: the names of the files in a folder next to the configuration; undefined if that can't be told. */
  listFiles?(folder: string): readonly string[] | undefined;
}
