/** Values for what only the deployment knows. They count as if the deployment gave them: before defaults, and before `.tfvars` files. */
export interface ParameterValues {
  /** Parameters of CloudFormation by name, in every stack that a parent stack doesn't give a value. A list is one for a parameter that is a list. */
  readonly cloudformation?: Readonly<Record<string, ParameterValue>>;
  /** The same for single stacks, by the name of the stack; these win. */
  readonly stacks?: Readonly<Record<string, Readonly<Record<string, ParameterValue>>>>;
  /** Variables of Terraform's root modules by name: any value that JSON can hold. */
  readonly terraform?: Readonly<Record<string, unknown>>;
}

export type ParameterValue = string | number | boolean | readonly (string | number | boolean)[];
