import type { EksModel } from '../model/model';
import { resourceName } from '../model/resource-name';
import type {
  HostedZone,
  NetworkAttachment,
  Reference,
  Route,
  RouteTable,
  RouteTableAssociation,
  RouteTarget,
  Subnet,
  Vpc,
  VpcEndpoint,
} from '../model/resources';
import { whereExists } from '../model/existence';
import { alternativesOf, always, except, textOf, type Plain, type Resource, type Value, type When } from '../../value';

/*
 * Whether anything leads out of a subnet: a subnet has the route table that it is associated with, else the main one of its VPC, and what no route of
 * it names doesn't get out. Source: Amazon VPC user guide, "Configure route tables".
 */

/** A route table, or a VPC in the place of the table that it comes with. */
export type Table = RouteTable | Vpc;

/** What leads out of a subnet where an assumption holds. */
export type WayOut =
  | { readonly kind: 'open'; readonly when: When }
  /** No route leaves the VPC, and nothing is in sight that could add one. */
  | { readonly kind: 'closed'; readonly when: When; readonly vpc: Vpc; readonly table: Table }
  | { readonly kind: 'unknown'; readonly when: When; readonly reason: string };

interface Placed<T> {
  readonly one: T;
  readonly when: When;
}

/** Where a route leads: out of the VPC for whatever has no other route, or somewhere else, told by why that may be a way out. */
interface Lead {
  readonly when: When;
  readonly doubt: string | undefined;
}

/** The networks of an input, worked out once. */
export function networksOf(model: EksModel): Networks {
  let networks = known.get(model);
  if (networks === undefined) known.set(model, (networks = new Networks(model)));
  return networks;
}

const known = new WeakMap<EksModel, Networks>();

export class Networks {
  private readonly associations = new Map<Subnet, Placed<RouteTableAssociation>[]>();
  private readonly mainAssociations = new Map<Vpc, Placed<RouteTableAssociation>[]>();
  private readonly leads = new Map<Table, Lead[]>();
  /** Tables with a default route under no condition, as most are. */
  private readonly leadOut = new Set<Table>();
  private readonly attachments = new Map<Vpc, NetworkAttachment[]>();
  private readonly endpoints = new Map<Vpc, Placed<VpcEndpoint>[]>();
  /** Those that may be of any subnet, table or VPC. */
  private readonly stray = {
    route: new Map<string, Route[]>(),
    association: new Map<string, RouteTableAssociation[]>(),
    endpoint: new Map<string, VpcEndpoint[]>(),
  };
  /** Endpoints of a VPC that their root module gets from outside, by the folder around its own: layers of one deployment lie beside each other. */
  private readonly layered = new Map<string, VpcEndpoint[]>();
  /** Whether the names of AWS may be answered by a zone of the user's own. */
  readonly hasOwnZones: boolean;

  constructor(model: EksModel) {
    let hasOwnZones = false;
    for (const resource of model.resources) {
      const { kind } = resource;
      if (kind === 'route-table-association') this.addAssociation(resource);
      else if (kind === 'route-table')
        for (const route of resource.routes) this.addLead(defaultOf(resource) ?? resource, route, resource.exists);
      else if (kind === 'route') this.addRoute(resource);
      else if (kind === 'network-attachment') this.addAttachment(resource);
      else if (kind === 'vpc-endpoint') this.addEndpoint(resource);
      else if (kind === 'hosted-zone') hasOwnZones ||= mayHaveNameOfAws(resource);
    }
    this.hasOwnZones = hasOwnZones;
  }

  /** The ways out of a subnet, one for each assumption below the given one that decides it. */
  waysOutOf(subnet: Subnet, given: When): readonly WayOut[] {
    const ways: WayOut[] = [];
    let rest: readonly When[] = [given];
    for (const { one, when } of this.associations.get(subnet) ?? []) {
      const both = given.and(when);
      if (both === undefined) continue;
      rest = except(rest, when);
      ways.push(...this.ofReference(one.routeTable, subnet, both));
    }
    return [...ways, ...rest.flatMap((when) => this.ofMainTable(subnet, when))];
  }

  /** The endpoints of a VPC, each where it is there. */
  endpointsOf(vpc: Vpc): readonly Placed<VpcEndpoint>[] {
    return this.endpoints.get(vpc) ?? [];
  }

  /** Endpoints of which it isn't known whether they are of a VPC. */
  strayEndpoints(vpc: Vpc): readonly VpcEndpoint[] {
    if (this.layered.size === 0) return concerning(this.stray.endpoint, vpc);
    const others = (this.layered.get(folderAround(vpc)) ?? []).filter(({ stack }) => stack !== vpc.stack);
    return [...concerning(this.stray.endpoint, vpc), ...others];
  }

  private addAssociation(association: RouteTableAssociation): void {
    for (const { value, when } of placed(association, association.subnet))
      if (value.kind === 'unknown') add(this.stray.association, scopeOf(association), association);
      else if (value.kind === 'known' && value.value.target !== undefined)
        add(this.associations, value.value.target, { one: association, when });
    for (const { value, when } of placed(association, association.mainOf))
      if (value.kind === 'known' && value.value.target !== undefined)
        add(this.mainAssociations, value.value.target, { one: association, when });
  }

  private addRoute(route: Route): void {
    for (const { value, when } of placed(route, route.routeTable)) {
      const table = tableIn(value);
      if (table !== undefined) this.addLead(table, route, when);
      else if (value.kind === 'unknown') add(this.stray.route, scopeOf(route), route);
    }
  }

  private addLead(table: Table, route: RouteTarget, when: When): void {
    const { gateway } = route;
    if (gateway.kind === 'known' && gateway.value === 'local') return;
    const doubt = doubtOf(route);
    if (doubt === undefined && when === always) this.leadOut.add(table);
    add(this.leads, table, { when, doubt });
  }

  private addAttachment(attachment: NetworkAttachment): void {
    if (attachment.internetGateway.kind !== 'absent') return;
    for (const { value } of alternativesOf(attachment.vpc))
      if (value.kind === 'known' && value.value.target !== undefined)
        add(this.attachments, value.value.target, attachment);
  }

  private addEndpoint(endpoint: VpcEndpoint): void {
    for (const { value, when } of placed(endpoint, endpoint.vpc))
      if (value.kind === 'unknown') {
        add(this.stray.endpoint, scopeOf(endpoint), endpoint);
        if (OF_LAYERS.test(value.text ?? '')) add(this.layered, folderAround(endpoint), endpoint);
      } else if (value.kind === 'known' && value.value.target !== undefined)
        add(this.endpoints, value.value.target, { one: endpoint, when });
  }

  private ofReference(reference: Value<Reference<RouteTable>>, subnet: Subnet, given: When): readonly WayOut[] {
    return alternativesOf(reference).flatMap(({ value, when: chosen }): readonly WayOut[] => {
      const when = given.and(chosen);
      if (when === undefined) return [];
      const table = tableIn(value);
      if (table !== undefined) return this.ofTable(table, subnet, when);
      const reason =
        value.kind === 'known'
          ? `route table ${value.value.text} isn't part of the input`
          : `its route table isn't known${value.kind === 'unknown' ? ` (${value.reason})` : ''}`;
      return [{ kind: 'unknown', when, reason }];
    });
  }

  private ofMainTable(subnet: Subnet, given: When): readonly WayOut[] {
    const [stray] = concerning(this.stray.association, subnet);
    if (stray !== undefined)
      return [{ kind: 'unknown', when: given, reason: `${resourceName(stray)} may give it another route table` }];
    return this.vpcCases(subnet, given).flatMap(({ vpc, when, reason }): readonly WayOut[] => {
      if (vpc === undefined) return [{ kind: 'unknown', when, reason }];
      const ways: WayOut[] = [];
      let rest: readonly When[] = [when];
      for (const main of this.mainAssociations.get(vpc) ?? []) {
        const both = when.and(main.when);
        if (both === undefined) continue;
        rest = except(rest, main.when);
        ways.push(...this.ofReference(main.one.routeTable, subnet, both));
      }
      return [...ways, ...rest.flatMap((one) => this.ofTable(vpc, subnet, one))];
    });
  }

  private ofTable(table: Table, subnet: Subnet, given: When): readonly WayOut[] {
    if (this.leadOut.has(table)) return [{ kind: 'open', when: given }];
    const leads = (this.leads.get(table) ?? []).filter(({ when }) => when.and(given) !== undefined);
    const out = leads.filter(({ doubt }) => doubt === undefined);
    const open = out.flatMap(({ when }): WayOut[] => {
      const both = when.and(given);
      return both === undefined ? [] : [{ kind: 'open', when: both }];
    });
    const rest = out.reduce<readonly When[]>((left, { when }) => except(left, when), [given]);
    return [...open, ...rest.flatMap((when) => this.withoutDefault(table, subnet, when, leads))];
  }

  /** Where no route takes all that leaves the VPC. */
  private withoutDefault(table: Table, subnet: Subnet, given: When, leads: readonly Lead[]): readonly WayOut[] {
    return this.vpcCases(subnet, given).map(({ vpc, when, reason }): WayOut => {
      const lead = leads.find((one) => one.doubt !== undefined && one.when.and(when) !== undefined);
      const doubt = lead?.doubt ?? (vpc === undefined ? reason : this.doubtOf(vpc, table));
      return vpc === undefined || doubt !== undefined
        ? { kind: 'unknown', when, reason: doubt ?? reason }
        : { kind: 'closed', when, vpc, table };
    });
  }

  /** Why a table of a VPC may have routes that the input doesn't show. */
  private doubtOf(vpc: Vpc, table: Table): string | undefined {
    const name = resourceName(vpc);
    const [attachment] = this.attachments.get(vpc) ?? [];
    if (attachment !== undefined)
      return `${resourceName(attachment)} connects VPC ${name} to other networks, and its route may be added elsewhere`;
    const [stray] = concerning(this.stray.route, vpc);
    if (stray !== undefined) return `which route table ${resourceName(stray)} is in isn't known`;
    if (table.kind === 'route-table' && table.propagatingGateways.kind !== 'absent')
      return `gateways add routes to ${resourceName(table)}`;
    const [outsider] = vpc.outsiders;
    return outsider === undefined ? undefined : `of VPC ${name} not all is here: ${outsider}`;
  }

  private vpcCases(
    subnet: Subnet,
    given: When,
  ): readonly { readonly vpc: Vpc | undefined; readonly when: When; readonly reason: string }[] {
    return alternativesOf(whereExists(subnet, subnet.vpc)).flatMap(({ value, when: chosen }) => {
      const when = given.and(chosen);
      if (when === undefined) return [];
      const vpc = value.kind === 'known' ? value.value.target : undefined;
      const reason =
        value.kind === 'known'
          ? `VPC ${value.value.text} isn't part of the input`
          : `which VPC it is in isn't known${value.kind === 'unknown' ? ` (${value.reason})` : ''}`;
      return [{ vpc, when, reason }];
    });
  }
}

function mayHaveNameOfAws({ name }: HostedZone): boolean {
  return alternativesOf(name).some(
    ({ value }) => value.kind === 'unknown' || /amazonaws\.com|api\.aws/.test(textOf(value) ?? ''),
  );
}

/** The table of a reference; a VPC's attribute is the table that it comes with. */
export function tableIn(value: Plain<Reference<RouteTable>>): Table | undefined {
  if (value.kind === 'known')
    return value.value.target === undefined ? undefined : (defaultOf(value.value.target) ?? value.value.target);
  const resource: Partial<Vpc> | undefined = value.kind === 'unknown' ? value.reference?.resource : undefined;
  return resource?.kind === 'vpc' ? (resource as Vpc) : undefined;
}

/** The VPC of which a resource is the table that it comes with. */
function defaultOf({ mainOf }: RouteTable): Vpc | undefined {
  return mainOf.kind === 'known' ? mainOf.value.target : undefined;
}

/**
 * Why a route may be no way out, or one for some of what leaves only; undefined for a default route. A peering connection takes nothing on to a gateway of
 * the other VPC. Source: Amazon VPC peering guide, "VPC peering connection limitations".
 */
function doubtOf({ destination, ipv6Destination, peering, transitGateway }: RouteTarget): string | undefined {
  const texts = [destination, ipv6Destination].flatMap((value) => alternativesOf(value).map((one) => one.value));
  const written = texts.flatMap((value) => (value.kind === 'known' ? value.value : []));
  const to = written[0] === undefined ? '' : ` to ${written[0]}`;
  const connections = alternativesOf(peering).map(({ value }) => value);
  if (connections.every(isGiven))
    return `a peering connection leads to another VPC${to.replace(/^ to (.+)$/, ' ($1)')}, whose interface endpoints may be used from here; to the internet it leads nobody`;
  const open = connections.find((one) => one.kind === 'unknown' && !isGiven(one));
  if (open?.kind === 'unknown') return `whether there is a route${to}, and where it leads, isn't known: ${open.reason}`;
  if (connections.some(isGiven)) return `a route${to} leads to another VPC in some cases only`;
  if (destination.kind === 'choice' && written.length > 0) return `a route leads to ${written[0]} in some cases only`;
  if (written.includes('0.0.0.0/0')) return undefined;
  if (written.includes('::/0')) return 'a route leads out over IPv6';
  const [first] = written;
  return first === undefined
    ? 'a route leads to what is not known'
    : `${transitGateway.kind === 'absent' ? 'a route' : 'a transit gateway'} leads to ${first}, where endpoints may be`;
}

/** Whether something stands there, though its id may not be known: a reference to a resource, or to what a user gives. */
function isGiven(value: Plain<string>): boolean {
  return value.kind === 'known' || (value.kind === 'unknown' && (value.reference ?? value.text) !== undefined);
}

/** Resources of one deployment have to do with each other, and templates that are read together with all. */
function scopeOf({ dialect, stack }: Resource): string {
  return dialect.scopeOfNames === 'folder' ? '' : stack;
}

function concerning<T>(stray: ReadonlyMap<string, readonly T[]>, own: Resource): readonly T[] {
  const scope = scopeOf(own);
  return stray.get(scope) ?? [];
}

/** What a root module of Terraform gets from a variable or the state of another one. */
const OF_LAYERS = /^\$\{(?:var\.|data\.terraform_remote_state\.)/;

/** The folder around that of a file. */
function folderAround({ source }: Resource): string {
  return source.locate().file.split(/[\\/]/).slice(0, -2).join('/');
}

function placed<T>(owner: Resource, value: Value<T>): readonly { readonly value: Plain<T>; readonly when: When }[] {
  return alternativesOf(whereExists(owner, value)).flatMap((one) => {
    const when = owner.exists === always ? one.when : owner.exists.and(one.when);
    return when === undefined ? [] : [{ value: one.value, when }];
  });
}

function add<K, T>(map: Map<K, T[]>, key: K, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
