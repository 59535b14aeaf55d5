/** The resource or the data source `aws_security_group`. */
export interface SecurityGroupResource {
  /** The id, `sg-0123456789abcdef0`. */
  readonly id: string;
}

/** A security group: the resource or the data source `aws_security_group`, or its id. */
export type ISecurityGroup = SecurityGroupResource | string;

export function securityGroupId(group: ISecurityGroup): string {
  return typeof group === 'string' ? group : group.id;
}
