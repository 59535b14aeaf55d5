/** What is wrong with an object of Karpenter, as a clause behind its name: "selects no AMI". */
export interface KarpenterProblem {
  readonly kind:
    | 'missing'
    | 'identity'
    | 'ami-family'
    | 'alias'
    | 'node-class-ref'
    | 'field'
    | 'type'
    | 'value'
    | 'bound'
    | 'expression'
    | 'restricted';
  /** @default 'error' */
  readonly severity?: 'warning';
  /** Below `spec`. */
  readonly path: readonly string[];
  readonly problem: string;
  /** What to do, as a sentence. */
  readonly advice: string;
  /** In YAML, for the object; empty where there is nothing to write. */
  readonly code: string;
  /** Of a field that the API doesn't have: the path that it belongs to, below `spec`; empty where it goes. @default - nobody can tell */
  readonly becomes?: string;
  /** Of a value in a list: what it becomes, and where, below `spec`; its code is the whole list then. @default - `code` tells */
  readonly sets?: { readonly path: readonly string[]; readonly value: string };
  /** What v1 calls what is written, where nothing else can be meant. */
  readonly renamed?: { readonly message: RenamedMessage; readonly to: string };
}

/** What says which setting has a value that v1 calls otherwise. */
export type RenamedMessage = 'renamedPolicy' | 'renamedGroup';
