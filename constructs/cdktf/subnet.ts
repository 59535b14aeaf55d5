import { jsonTokens } from './json-text';

/** The resource or the data source `aws_subnet`. */
export interface SubnetResource {
  /** The id, `subnet-0123456789abcdef0`. */
  readonly id: string;
  /** Its zone, where it is known at synthesis. @default - unknown */
  readonly availabilityZoneInput?: string | undefined;
  /** Its range, where it is known at synthesis. @default - unknown */
  readonly cidrBlockInput?: string | undefined;
}

/** A subnet: the resource or the data source `aws_subnet`, or its id. */
export type ISubnet = SubnetResource | string;

export function subnetId(subnet: ISubnet): string {
  return typeof subnet === 'string' ? subnet : subnet.id;
}

/** Zone of a subnet, `eu-west-1a`; undefined when it isn't known at synthesis. */
export function knownZone(subnet: ISubnet): string | undefined {
  return typeof subnet === 'string' ? undefined : literal(subnet.availabilityZoneInput);
}

/** IPv4 range of a subnet; undefined when it isn't known at synthesis. */
export function knownCidr(subnet: ISubnet): string | undefined {
  return typeof subnet === 'string' ? undefined : literal(subnet.cidrBlockInput);
}

function literal(value: string | undefined): string | undefined {
  return jsonTokens.isToken(value) ? undefined : value;
}
