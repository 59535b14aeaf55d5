import { resourceName } from '../model/resource-name';
import type { SecurityGroup, SecurityGroupRule, Vpc, VpcEndpoint } from '../model/resources';
import { alternativesOf, except, textOf, type Value, type When } from '../../value';
import type { Certainty } from './addon';
import { tableIn, type Networks, type Table } from './ways-out';

/*
 * Whether a service is reached by an endpoint of the VPC. The usual name of a service leads to an interface endpoint only with private DNS, which is
 * off unless somebody turns it on, and the addresses of S3 to a gateway endpoint only from subnets in whose route table it stands.
 * Sources: AWS PrivateLink guide, "Access an AWS service using an interface VPC endpoint" and "Gateway endpoints for Amazon S3"; CloudFormation,
 * AWS::EC2::VPCEndpoint; hashicorp/terraform-provider-aws, internal/service/ec2/vpc_endpoint.go.
 */

export interface Coverage {
  /** Where it isn't reached. */
  readonly lacking: readonly When[];
  /** Why it may be reached there all the same. */
  readonly doubt: string | undefined;
  /** Interface endpoints for it whose private DNS is off. */
  readonly withoutDns: readonly VpcEndpoint[];
  /** Gateway endpoints for it that stand in other route tables. */
  readonly elsewhere: readonly VpcEndpoint[];
  /** Interface endpoints for it whose security groups let nobody in on its port. */
  readonly shut: readonly VpcEndpoint[];
}

interface Place {
  readonly vpc: Vpc;
  readonly table: Table;
  readonly when: When;
}

/** @param service the last part of its name: `ecr.api` */
export function coverageOf(service: string, { vpc, table, when }: Place, networks: Networks): Coverage {
  let lacking: readonly When[] = [when];
  const doubts: string[] = [];
  const withoutDns: VpcEndpoint[] = [];
  const elsewhere: VpcEndpoint[] = [];
  const shut: VpcEndpoint[] = [];
  for (const { one, when: there } of networks.endpointsOf(vpc)) {
    if (there.and(when) === undefined) continue;
    const certainty = isFor(one, service);
    if (certainty === 'no') continue;
    if (certainty === 'maybe') {
      doubts.push(`which service endpoint ${resourceName(one)} is for isn't known`);
      continue;
    }
    const reach = reachOf(one, service, table);
    if (reach === 'yes') lacking = except(lacking, there);
    else if (reach === 'withoutDns') withoutDns.push(one);
    else if (reach === 'elsewhere') elsewhere.push(one);
    else if (reach === 'shut') shut.push(one);
    else if (reach !== 'no') doubts.push(reach.doubt);
  }
  for (const one of networks.strayEndpoints(vpc))
    if (isFor(one, service) !== 'no') doubts.push(`which VPC endpoint ${resourceName(one)} is in isn't known`);
  return { lacking, doubt: doubts[0], withoutDns, elsewhere, shut };
}

function isFor({ serviceName }: VpcEndpoint, service: string): Certainty {
  const answers = alternativesOf(serviceName).map(({ value }): Certainty => {
    const text = textOf(value);
    if (text?.endsWith(`.${service}`) === true) return 'yes';
    return value.kind === 'unknown' && (text === undefined || text.endsWith('}')) ? 'maybe' : 'no';
  });
  const [first = 'no'] = answers;
  return answers.every((one) => one === first) ? first : 'maybe';
}

type Reach = 'yes' | 'no' | 'withoutDns' | 'elsewhere' | 'shut' | { readonly doubt: string };

function reachOf(endpoint: VpcEndpoint, service: string, table: Table): Reach {
  const { endpointType: type } = endpoint;
  if (type.kind === 'unknown' || type.kind === 'choice')
    return { doubt: `the type of endpoint ${resourceName(endpoint)} isn't known` };
  const kind = type.kind === 'known' ? type.value.toLowerCase() : 'gateway';
  if (kind === 'interface') {
    const reach = byDns(endpoint);
    return reach === 'yes' && isShut(endpoint) ? 'shut' : reach;
  }
  if (kind !== 'gateway') return 'no';
  // AWS refuses a gateway endpoint for other services, and says so.
  return service === 's3' ? byTable(endpoint, table) : 'yes';
}

/** Services of AWS answer on this port. Source: AWS PrivateLink guide, "Access an AWS service using an interface VPC endpoint". */
const PORT = 443;

/** Whether all security groups of an endpoint are in the input with rules for whom they let in, and none of these is for its port. */
function isShut({ securityGroups }: VpcEndpoint): boolean {
  const groups = groupsOf(securityGroups);
  return (
    groups !== undefined &&
    groups.length > 0 &&
    groups.every((group) => {
      const rules = group.rules.filter(({ direction, ofPeer }) => direction === 'ingress' && ofPeer !== true);
      return rules.length > 0 && rules.every((rule) => !mayLetIn(rule));
    })
  );
}

/** Undefined if they aren't all part of the input. */
export function groupsOf(securityGroups: VpcEndpoint['securityGroups']): readonly SecurityGroup[] | undefined {
  if (securityGroups.kind !== 'known') return undefined;
  const groups: SecurityGroup[] = [];
  for (const item of securityGroups.value)
    for (const { value } of alternativesOf(item)) {
      const resource: Partial<SecurityGroup> | undefined =
        value.kind === 'unknown' ? value.reference?.resource : undefined;
      if (resource?.kind !== 'security-group') return undefined;
      groups.push(resource as SecurityGroup);
    }
  return groups;
}

function mayLetIn({ protocol, fromPort, toPort }: SecurityGroupRule): boolean {
  return alternativesOf(protocol).some(({ value }) => {
    if (value.kind !== 'known') return true;
    const name = value.value.toLowerCase();
    if (name !== 'tcp' && name !== '6') return !OTHER_PROTOCOLS.has(name);
    return mayBe(fromPort, (port) => port <= PORT) && mayBe(toPort, (port) => port >= PORT);
  });
}

const OTHER_PROTOCOLS: ReadonlySet<string> = new Set(['udp', '17', 'icmp', '1', 'icmpv6', '58']);

function mayBe(value: Value<number | string>, test: (port: number) => boolean): boolean {
  return alternativesOf(value).some(({ value: plain }) => {
    const port = plain.kind === 'known' ? Number(plain.value) : NaN;
    return Number.isNaN(port) || test(port);
  });
}

function byDns(endpoint: VpcEndpoint): Reach {
  const answers = alternativesOf(endpoint.privateDns).map(({ value }) => value);
  if (answers.some(({ kind }) => kind === 'unknown') || answers.length > 1)
    return { doubt: `whether endpoint ${resourceName(endpoint)} has private DNS isn't known` };
  return answers.every((value) => value.kind === 'known' && value.value) ? 'yes' : 'withoutDns';
}

function byTable(endpoint: VpcEndpoint, table: Table): Reach {
  const { routeTables } = endpoint;
  const doubt = { doubt: `which route tables endpoint ${resourceName(endpoint)} is in isn't known` };
  if (routeTables.kind === 'absent') return 'elsewhere';
  if (routeTables.kind !== 'known') return doubt;
  const items = routeTables.value.flatMap((item) => alternativesOf(item));
  if (items.some(({ value }) => tableIn(value) === table))
    return items.length === routeTables.value.length ? 'yes' : doubt;
  return items.some(({ value }) => value.kind === 'unknown' && tableIn(value) === undefined) ? doubt : 'elsewhere';
}
