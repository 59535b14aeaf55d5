/** Operators of a condition, with keys and what they are compared with. */
type IamCondition = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A statement of an IAM policy document, in IAM's own JSON. */
export interface IamStatement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: IamCondition;
}

/** An IAM policy document, in IAM's own JSON. */
export interface IamPolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly IamStatement[];
}
