import type { Resource, Source, Value } from '../../value';
import type { Reference } from './reference';

export type NetworkResource =
  | SecurityGroup
  | Vpc
  | Subnet
  | RouteTable
  | Route
  | RouteTableAssociation
  | NetworkAttachment
  | VpcEndpoint
  | HostedZone;

/** A security group with all its rules, whichever resource declares them. */
export interface SecurityGroup extends Resource {
  readonly kind: 'security-group';
  readonly rules: readonly SecurityGroupRule[];
}

export interface SecurityGroupRule {
  readonly direction: 'ingress' | 'egress';
  /** The other side: a security group, an address range, or a prefix list, as text; absent when the rule names none. */
  readonly peer: Value<string>;
  /** `tcp`, `-1` for all, or a number. */
  readonly protocol: Value<string>;
  readonly fromPort: Value<number | string>;
  readonly toPort: Value<number | string>;
  /** It is a rule of the peer, which names this group; the direction is the peer's. */
  readonly ofPeer?: true;
  readonly source: Source;
}

/** A network of the input. What belongs to it names it. */
export interface Vpc extends Resource {
  readonly kind: 'vpc';
  /** What may add routes and endpoints to it and can't be looked into, each as a clause: `module.endpoints, which isn't here, is given it`. */
  readonly outsiders: readonly string[];
}

export interface Subnet extends Resource {
  readonly kind: 'subnet';
  readonly vpc: Value<Reference<Vpc>>;
  /** IPv4 range, `10.0.0.0/24`. */
  readonly cidr: Value<string>;
  /** Name of the zone, `eu-west-1a`; a zone id (`euw1-az1`) isn't one. */
  readonly availabilityZone: Value<string>;
  /** Absent means off. */
  readonly mapPublicIpOnLaunch: Value<boolean>;
  /** Keys of its own tags; absent when it has none. Tags of a whole stack aren't among them. */
  readonly tagKeys: Value<readonly Value<string>[]>;
}

/** Says where what leaves a subnet goes. The route to its own VPC is in each. */
export interface RouteTable extends Resource {
  readonly kind: 'route-table';
  /** The VPC of which it is the main table, by its own type; absent for others. */
  readonly mainOf: Value<Reference<Vpc>>;
  /** Those that it declares itself. */
  readonly routes: readonly RouteTarget[];
  /** Virtual private gateways that add routes to it. */
  readonly propagatingGateways: Value<readonly Value<string>[]>;
}

/** Where a route leads; each is absent where it isn't by this kind of destination. */
export interface RouteTarget {
  /** `0.0.0.0/0`. */
  readonly destination: Value<string>;
  readonly ipv6Destination: Value<string>;
  /** An internet or virtual private gateway; `local` stays in the VPC. */
  readonly gateway: Value<string>;
  /** A connection to one other VPC, which leads no further than there. */
  readonly peering: Value<string>;
  readonly transitGateway: Value<string>;
  readonly source: Source;
}

/** A route that is a resource of its own. */
export interface Route extends Resource {
  readonly kind: 'route';
  readonly routeTable: Value<Reference<RouteTable>>;
  readonly destination: Value<string>;
  readonly ipv6Destination: Value<string>;
  readonly gateway: Value<string>;
  readonly peering: Value<string>;
  readonly transitGateway: Value<string>;
}

/** Gives a subnet its route table; a subnet without any has the main one of its VPC. */
export interface RouteTableAssociation extends Resource {
  readonly kind: 'route-table-association';
  readonly routeTable: Value<Reference<RouteTable>>;
  /** Absent for the table of a gateway, or of a whole VPC. */
  readonly subnet: Value<Reference<Subnet>>;
  /** The VPC of which it makes the table the main one. */
  readonly mainOf: Value<Reference<Vpc>>;
}

/** What connects a VPC to other networks, or to the internet. */
export interface NetworkAttachment extends Resource {
  readonly kind: 'network-attachment';
  readonly vpc: Value<Reference<Vpc>>;
  /** Absent for what leads to other networks. */
  readonly internetGateway: Value<string>;
}

/** Makes a service of AWS, or of somebody else, reachable from within a VPC. */
export interface VpcEndpoint extends Resource {
  readonly kind: 'vpc-endpoint';
  readonly vpc: Value<Reference<Vpc>>;
  /** `com.amazonaws.eu-west-1.ecr.api`. */
  readonly serviceName: Value<string>;
  /** `Interface`, `Gateway` …; absent means `Gateway`. */
  readonly endpointType: Value<string>;
  /** Whether the service's usual name leads to an interface endpoint. */
  readonly privateDns: Value<boolean>;
  /** Those of an interface endpoint; absent means the default one of the VPC. */
  readonly securityGroups: Value<readonly Value<string>[]>;
  /** The tables in which a gateway endpoint stands. */
  readonly routeTables: Value<readonly Value<Reference<RouteTable>>[]>;
}

/** A zone of Route 53, public or private. */
export interface HostedZone extends Resource {
  readonly kind: 'hosted-zone';
  readonly name: Value<string>;
}
