/** Files with values of variables. An example is copied and filled in: nobody gives it to Terraform as it is. */
export const VALUES = /\.tfvars(?:\.json)?(?<example>\.(?:example|sample|dist|template|tmpl|tpl))?$/;

export const TERRAGRUNT_FILE = 'terragrunt.hcl';

/** Whether a file may give values to variables, by its name. */
export function mayHoldValues(name: string): boolean {
  return VALUES.test(name) || name === TERRAGRUNT_FILE;
}
