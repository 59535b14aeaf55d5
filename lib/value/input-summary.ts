/** One thing that was read, for reports. */
export interface InputSummary {
  readonly path: string;
  readonly kind:
    | 'cloudformation-template'
    | 'cdk-assembly'
    | 'user-data'
    | 'terraform-plan'
    | 'terraform-configuration'
    | 'cdktf-output';
  /** How many resources it declares, of any type. */
  readonly resources: number;
}
