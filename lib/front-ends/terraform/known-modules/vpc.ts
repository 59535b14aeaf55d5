import { alternativesOf, flatMapValue, Unknown, type Plain, type Value, type When } from '../../../value';
import type { TerraformInstance } from '../../../terraform/instance';
import { UnknownCollection } from '../../../terraform/evaluation/unknown-collection';
import { asText, TerraformList, type TerraformItem, type TerraformValue } from '../../../terraform/terraform-value';
import { entriesOf, Given, listOf, withDefault, withUnsure } from './given';
import type { ModuleContext } from './module-context';

/*
 * The network of terraform-aws-modules/vpc/aws as far as it tells what leads out of the subnets that nodes are in, and the endpoints of its submodule.
 * Source: terraform-aws-modules/terraform-aws-vpc, main.tf, outputs.tf and variables.tf, and modules/vpc-endpoints/main.tf, of the tags v3.0.0,
 * v3.19.0, v4.0.0, v5.0.0, v5.21.0, v6.0.0 and v6.6.0.
 */

type Tier = 'private' | 'public' | 'intra';

const VPC_OUTPUTS: ReadonlyMap<string, string> = new Map([
  ['id', 'vpc_id'],
  ['cidr_block', 'vpc_cidr_block'],
]);

export function expandVpc(context: ModuleContext): void {
  const { given, call } = context;
  const exists = context.where(given.flag('create_vpc', true));
  if (exists === undefined) return;
  const vpc = context.declare('aws_vpc.this[0]', { cidr_block: given.item('cidr') }, call.place, exists, {
    moduleOutputs: VPC_OUTPUTS,
  });
  context.output('vpc_id', () => context.reference(vpc, 'id'));
  context.output('vpc_main_route_table_id', () => context.reference(vpc, 'main_route_table_id'));
  context.output('default_security_group_id', () => context.reference(vpc, 'default_security_group_id'));
  for (const tier of ['private', 'public', 'intra'] as const) declareTier(context, vpc, tier);
  if (mayBe(given.flag('enable_vpn_gateway', false)) || given.text('vpn_gateway_id').kind !== 'absent')
    context.declare('aws_vpn_gateway.this[0]', { vpc_id: context.reference(vpc, 'id') }, call.place, exists);
}

/** Subnets of one kind with their tables. Where the call doesn't list their ranges, one stands for all of them. */
function declareTier(context: ModuleContext, vpc: TerraformInstance, tier: Tier): void {
  const { given, call } = context;
  const list = given.item(`${tier}_subnets`);
  if (list.kind === 'choice' || given.item(`${tier}_subnet_ipv6_prefixes`).kind !== 'absent') return;
  const place = call.argumentPlace(`${tier}_subnets`);
  const declare = (key: number | '*', range: TerraformValue | undefined, table: TerraformInstance) => {
    const subnet = context.declare(
      `aws_subnet.${tier}[${key}]`,
      {
        vpc_id: context.reference(vpc, 'id', place),
        cidr_block: range ?? context.unknown('the ranges are not known', place),
        availability_zone: key === '*' ? undefined : zoneOf(given.item('azs'), key),
      },
      place,
      vpc.exists,
      { moduleOutputs: new Map([['id', `${tier}_subnets`]]) },
    );
    const ids = {
      subnet_id: context.reference(subnet, 'id', place),
      route_table_id: context.reference(table, 'id', place),
    };
    context.declare(`aws_route_table_association.${tier}[${key}]`, ids, place, vpc.exists);
    return context.reference(subnet, 'id', place);
  };
  if (list.kind === 'unknown') {
    const table = declareTable(context, vpc, tier, '*');
    const ids = collectionOf(declare('*', undefined, table), list, `${tier}_subnets`);
    context.output(`${tier}_subnets`, () => ids);
    context.output(`${tier}_route_table_ids`, () =>
      collectionOf(context.reference(table, 'id', place), list, `${tier}_route_table_ids`),
    );
  } else if (list.kind === 'known' && list.value instanceof TerraformList) {
    // What several tables of one kind say is the same for all, so that one for each subnet does.
    const isOne = tier === 'public' || (tier === 'private' && isOn(given.flag('single_nat_gateway', false)));
    const tables: TerraformInstance[] = [];
    const subnets = list.value.items.map((range, index) => {
      const table = (isOne ? tables[0] : undefined) ?? declareTable(context, vpc, tier, tables.length);
      if (!tables.includes(table)) tables.push(table);
      return declare(index, range, table);
    });
    context.output(`${tier}_subnets`, () => listOf(subnets, place));
    context.output(`${tier}_route_table_ids`, () =>
      listOf(
        tables.map((table) => context.reference(table, 'id', place)),
        place,
      ),
    );
  }
}

/** As many as nobody knows. */
function collectionOf(element: TerraformValue, { reason, source }: Unknown, name: string): UnknownCollection {
  return new UnknownCollection({ kind: 'list', element, keys: undefined }, reason, source, `\${${name}}`);
}

/** The zones are taken in turn. */
function zoneOf(zones: TerraformValue, index: number): TerraformValue | undefined {
  if (zones.kind !== 'known' || !(zones.value instanceof TerraformList)) return undefined;
  const { items } = zones.value;
  return items[index % items.length];
}

function declareTable(
  context: ModuleContext,
  vpc: TerraformInstance,
  tier: Tier,
  index: number | '*',
): TerraformInstance {
  const { given, call } = context;
  const { place } = call;
  const table = context.declare(
    `aws_route_table.${tier}[${index}]`,
    { vpc_id: context.reference(vpc, 'id', place) },
    place,
    vpc.exists,
    { moduleOutputs: new Map([['id', `${tier}_route_table_ids`]]) },
  );
  const route = (
    name: string,
    flags: readonly Value<boolean>[],
    destination: Readonly<Record<string, TerraformValue>>,
  ) => {
    if (!flags.every(mayBe)) return;
    const id = context.reference(table, 'id', place);
    const [open] = flags.flatMap((flag) => (flag.kind === 'unknown' ? [flag] : []));
    // Whether it is there may be all that isn't known.
    const target =
      open === undefined
        ? destination
        : Object.fromEntries(Object.keys(destination).map((key) => [key, new Unknown(open.reason, open.source)]));
    const exists = flags.reduce<When | undefined>(
      (when, flag) => (when === undefined || flag.kind !== 'choice' ? when : context.where(flag, when)),
      vpc.exists,
    );
    if (exists === undefined) return;
    context.declare(`aws_route.${tier}_${name}[${index}]`, { route_table_id: id, ...target }, place, exists);
  };
  const everything = { destination_cidr_block: context.fixed('0.0.0.0/0') };
  const everyIpv6 = { destination_ipv6_cidr_block: context.fixed('::/0') };
  const hasIpv6 = given.flag('enable_ipv6', false);
  if (tier === 'public') {
    const gateway = given.flag('create_igw', true);
    route('internet_gateway', [gateway], everything);
    route('internet_gateway_ipv6', [gateway, hasIpv6], everyIpv6);
  } else if (tier === 'private') {
    const nat = [given.flag('enable_nat_gateway', false), given.flag('create_private_nat_gateway_route', true)];
    route('nat_gateway', nat, {
      destination_cidr_block: withDefault(
        given.text('nat_gateway_destination_cidr_block'),
        context.standard('0.0.0.0/0', place),
      ),
    });
    route('ipv6_egress', [hasIpv6, given.flag('create_egress_only_igw', true)], everyIpv6);
  }
  return table;
}

function mayBe(flag: Value<boolean>): boolean {
  return alternativesOf(flag).some(({ value }) => value.kind === 'unknown' || (value.kind === 'known' && value.value));
}

function isOn(flag: Value<boolean>): boolean {
  return flag.kind === 'known' && flag.value;
}

/** A call of the submodule `vpc-endpoints`. */
export function expandVpcEndpoints(context: ModuleContext): void {
  const { given, call } = context;
  const exists = context.where(given.flag('create', true));
  if (exists === undefined) return;
  const all = entriesOf(given.item('endpoints'), exists);
  const { entries, more } = withUnsure(all);
  const attributes = (endpoint: Given) => ({
    vpc_id: given.item('vpc_id'),
    service_name: serviceName(context, endpoint),
    vpc_endpoint_type: endpoint.or('service_type', context.standard('Interface')),
    private_dns_enabled: endpoint.item('private_dns_enabled'),
    route_table_ids: endpoint.item('route_table_ids'),
  });
  for (const { key, value, when } of entries) {
    const endpoint = new Given(value, value.source);
    const created = context.where(endpoint.flag('create', true), when);
    if (created === undefined) continue;
    context.declare(`aws_vpc_endpoint.this[${JSON.stringify(key)}]`, attributes(endpoint), value.source, created);
  }
  if (more !== undefined)
    context.declare(
      'aws_vpc_endpoint.this["?"]',
      attributes(new Given(more, call.argumentPlace('endpoints'))),
      call.argumentPlace('endpoints'),
      exists,
    );
}

/** A data source looks up what the entry names by a short name. */
function serviceName(context: ModuleContext, endpoint: Given): TerraformValue {
  const full = withDefault(endpoint.text('service_endpoint'), endpoint.text('service_name'));
  const { region, stack } = context.call;
  const place: Plain<string> =
    region === undefined
      ? new Unknown('the region is not known', endpoint.place, '${region}', `${stack}/region`)
      : context.fixed(region, endpoint.place);
  const short = flatMapValue(
    asText(endpoint.item('service')),
    (plain): Plain<TerraformItem> =>
      plain.kind === 'known' ? context.text(['com.amazonaws.', place, '.', plain], plain.source) : plain,
  );
  return withDefault(full, short);
}
