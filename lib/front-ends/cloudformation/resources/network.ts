import type { Route, RouteTable, RouteTableAssociation, RouteTarget, Vpc, VpcEndpoint } from '../../../eks';
import { ROUTE, ROUTE_TABLE, ROUTE_TABLE_ASSOCIATION, VPC, VPC_ENDPOINT } from '../../../eks/resources/network';
import { Absent } from '../../../value';
import { exportsOf, networkOutsidersOf } from '../other-installers';
import { byTable } from './by-table';

/** `AWS::EC2::VPC`. */
export class Ec2Vpc extends byTable(VPC) implements Vpc {
  readonly kind = 'vpc';

  get outsiders(): readonly string[] {
    return [...networkOutsidersOf(this.template), ...exportsOf(this.template, this.id)];
  }
}

/** `AWS::EC2::RouteTable`. Templates don't name the main table of a VPC, and have each route as a resource of its own. */
export class Ec2RouteTable extends byTable(ROUTE_TABLE) implements RouteTable {
  readonly kind = 'route-table';

  get routes(): readonly RouteTarget[] {
    return [];
  }

  get mainOf(): Absent {
    return new Absent(this.source);
  }

  get propagatingGateways(): Absent {
    return new Absent(this.source);
  }
}

/** `AWS::EC2::Route`. */
export class Ec2Route extends byTable(ROUTE) implements Route {
  readonly kind = 'route';
}

/** `AWS::EC2::SubnetRouteTableAssociation`. */
export class Ec2RouteTableAssociation extends byTable(ROUTE_TABLE_ASSOCIATION) implements RouteTableAssociation {
  readonly kind = 'route-table-association';

  get mainOf(): Absent {
    return new Absent(this.source);
  }
}

/** `AWS::EC2::VPCEndpoint`. */
export class Ec2VpcEndpoint extends byTable(VPC_ENDPOINT) implements VpcEndpoint {
  readonly kind = 'vpc-endpoint';
}
