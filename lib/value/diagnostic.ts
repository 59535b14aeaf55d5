/** Something about the input itself: unreadable, malformed, dangling. */
export interface Diagnostic {
  /** `error`: something could not be read (exit code 2). `warning`: read, with a doubt. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What was not checked because of it, which the summary counts. @default - nothing, or it is an error and counts as one */
  readonly skipped?: Skipped;
}

/** Input that is here, or belongs to what is here, and was not checked. */
export interface Skipped {
  readonly what:
    | 'module'
    | 'Terragrunt folder'
    | 'encrypted file'
    | 'app'
    | 'Pulumi project'
    | 'Terraform Stack'
    | 'file'
    | 'link'
    | 'transform'
    | 'stack'
    | 'chart'
    | 'kustomization'
    | 'answer'
    | 'resource';
  readonly count: number;
}
