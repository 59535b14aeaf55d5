/** A role: the resource or the data source `aws_iam_role`, or something else with its ARN, such as an output of a module. */
export interface IRole {
  /** The ARN of the role. */
  readonly arn: string;
}
