/** The resource or the data source `aws_security_group`. */
export interface SecurityGroupResource {
  readonly id: string;
}

/** A security group: the resource or the data source `aws_security_group`, or its id. */
export type ISecurityGroup = SecurityGroupResource | string;

export function securityGroupId(group: ISecurityGroup): string {
  return typeof group === 'string' ? group : group.id;
}
