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
}
