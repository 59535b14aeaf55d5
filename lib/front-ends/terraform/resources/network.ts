import type { Reference, Route, RouteTable, RouteTableAssociation, Vpc, VpcEndpoint } from '../../../eks';
import { ROUTE, ROUTE_TABLE, ROUTE_TABLE_ASSOCIATION, VPC, VPC_ENDPOINT } from '../../../eks/resources/network';
import { alternativesOf, flatMapValue, Known, type Plain, Unknown, type Value } from '../../../value';
import { mayAddToNetwork } from '../../../knowledge/eks-words';
import type { TerraformInstance } from '../../../terraform/instance';
import { sourceName } from '../../../terraform/module/unread-module';
import { asText, TerraformMap, type TerraformItem, type TerraformValue } from '../../../terraform/terraform-value';
import { byTable } from './by-table';
import { LinkedBlock } from './linked-block';
import { referenceById, referencesById } from './references';
import { groupReference, groupReferences } from './security-group-peers';
import type { Registry } from './registry';

/** `aws_vpc`, or with `aws_default_vpc` the one that an account comes with. */
export class Ec2Vpc extends byTable(VPC) implements Vpc {
  readonly kind = 'vpc';

  get outsiders(): readonly string[] {
    return (this.instance.handedOut ?? []).flatMap(({ clause, module, value, isShared }) => {
      if (value === undefined) return clause;
      if (isShared === true) return alternativesOf(value).some(({ value: one }) => this.isNamedBy(one)) ? clause : [];
      return module !== undefined && mayAddToNetwork(sourceName(module)) && isGivenNetwork(value) ? clause : [];
    });
  }

  private isNamedBy(value: Plain<TerraformItem>): boolean {
    return value.kind === 'unknown' && value.reference?.resource === this.instance;
  }
}

const OF_NETWORK = /vpc|subnet|route|network/;

/** By the names of the arguments. */
function isGivenNetwork(given: TerraformValue): boolean {
  return alternativesOf(given).some(
    ({ value }) =>
      value.kind === 'unknown' ||
      (value.kind === 'known' &&
        value.value instanceof TerraformMap &&
        [...value.value.entries.keys()].some((name) => OF_NETWORK.test(name))),
  );
}

/** `aws_route_table`, or with `aws_default_route_table` the one that a VPC comes with. */
export class Ec2RouteTable extends byTable(ROUTE_TABLE) implements RouteTable {
  readonly kind = 'route-table';
}

/** `aws_route`. */
export class Ec2Route extends byTable(ROUTE) implements Route {
  readonly kind = 'route';
}

/** `aws_route_table_association`; `aws_main_route_table_association` is for all subnets of a VPC that have none. */
export class Ec2RouteTableAssociation extends byTable(ROUTE_TABLE_ASSOCIATION) implements RouteTableAssociation {
  readonly kind = 'route-table-association';
}

/** `aws_vpc_endpoint`, with what separate resources say of it. */
export class Ec2VpcEndpoint extends byTable(VPC_ENDPOINT) implements VpcEndpoint {
  readonly kind = 'vpc-endpoint';

  /** A data source that looks the name up is asked for the service by a short one. */
  get serviceName(): Value<string> {
    return flatMapValue(this.attributes.raw('service_name'), (plain): Value<string> => {
      const found = this.registry.referenced(plain);
      if (found?.instance.type !== 'aws_vpc_endpoint_service' || found.attribute !== 'service_name')
        return asText(this.registry.link(plain));
      return serviceLookedUp(found.instance, this.registry, plain);
    });
  }

  /** Absent means off: the provider says so to EC2. */
  get privateDns(): Value<boolean> {
    const own = this.attributes.boolean('private_dns_enabled');
    const [other] = this.others('aws_vpc_endpoint_private_dns');
    return other === undefined ? own : other.boolean('private_dns_enabled');
  }

  get routeTables(): Value<readonly Value<Reference<RouteTable>>[]> {
    const own = referencesById(this.attributes.list('route_table_ids'), 'route-table', this.scope);
    const others = this.others('aws_vpc_endpoint_route_table_association').map((one) =>
      referenceById(one.item('route_table_id'), 'route-table', this.scope),
    );
    return flatMapValue(
      own,
      (plain): Plain<readonly Value<Reference<RouteTable>>[]> =>
        plain.kind === 'unknown' || others.length === 0
          ? plain
          : new Known([...(plain.kind === 'known' ? plain.value : []), ...others], plain.source),
    );
  }

  override get securityGroups(): Value<readonly Value<string>[]> {
    const own = groupReferences(this.attributes.texts('security_group_ids'), this.scope);
    const others = this.others('aws_vpc_endpoint_security_group_association').map((one) =>
      groupReference(one.text('security_group_id'), this.scope),
    );
    return flatMapValue(
      own,
      (plain): Plain<readonly Value<string>[]> =>
        plain.kind === 'unknown' || others.length === 0
          ? plain
          : new Known([...(plain.kind === 'known' ? plain.value : []), ...others], plain.source),
    );
  }

  private others(type: string): readonly LinkedBlock[] {
    return (partsOfEndpoints(this.registry).get(this) ?? []).flatMap((part) => (part.type === type ? part.block : []));
  }
}

/** The name that AWS has for a service; undefined in the middle where the region isn't known. */
function serviceLookedUp(lookup: TerraformInstance, registry: Registry, found: Plain<TerraformItem>): Value<string> {
  const block = new LinkedBlock(lookup.attributes, registry);
  const full = block.text('service_name');
  if (full.kind !== 'absent') return full;
  const { region } = lookup;
  return flatMapValue(block.text('service'), (plain): Plain<string> => {
    if (plain.kind !== 'known') return plain;
    const name = `com.amazonaws.${region ?? '${region}'}.${plain.value}`;
    return region === undefined
      ? new Unknown('the region is not known', found.source, name)
      : new Known(name, found.source);
  });
}

/** A resource that says something of an endpoint that it names. */
interface EndpointPart {
  readonly type: string;
  readonly block: LinkedBlock;
}

const PARTS: readonly string[] = [
  'aws_vpc_endpoint_private_dns',
  'aws_vpc_endpoint_route_table_association',
  'aws_vpc_endpoint_security_group_association',
];

const partsByRegistry = new WeakMap<Registry, ReadonlyMap<object, readonly EndpointPart[]>>();

function partsOfEndpoints(registry: Registry): ReadonlyMap<object, readonly EndpointPart[]> {
  const known = partsByRegistry.get(registry);
  if (known !== undefined) return known;
  const parts = new Map<object, EndpointPart[]>();
  for (const type of PARTS)
    for (const { attributes } of registry.instancesOf(type)) {
      const block = new LinkedBlock(attributes, registry);
      for (const { value } of alternativesOf(block.string('vpc_endpoint_id'))) {
        const endpoint = value.kind === 'unknown' ? value.reference?.resource : undefined;
        if (endpoint === undefined) continue;
        const list = parts.get(endpoint) ?? [];
        parts.set(endpoint, list);
        list.push({ type, block });
      }
    }
  partsByRegistry.set(registry, parts);
  return parts;
}
