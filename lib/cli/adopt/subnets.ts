import { isDeepStrictEqual } from 'node:util';
import { isMap, member } from '../../cloudformation/cursor';
import { clusterOf, isL2Cluster, type AppResource } from './app';
import { NotWritable, type Expressions, type Needs } from './code';

/**
 * The option `subnets` for the subnets that a group has; undefined where they are those that a `ManagedNodeGroup` takes by itself. A list in another order would be
 * another value, so selections are written only where CDK gives the same list.
 */
export function subnetOptions(group: AppResource, code: Expressions, needs: Needs, id: string): string | undefined {
  const { Subnets: given } = group.properties;
  if (!Array.isArray(given)) throw new NotWritable('its subnets are a list that is decided at deployment');
  const subnets = (given as unknown[]).map((one) => group.stack.app.target(group.stack, one)?.resource);
  const selection = selectionOf(group, subnets);
  if (selection !== undefined) {
    if (selection.isDefault) return undefined;
    needs.modules.add('ec2');
    return `{ subnetType: ec2.SubnetType.${selection.type} }`;
  }
  needs.modules.add('ec2');
  return `{ subnets: [${(given as unknown[])
    .map((subnet, index) => code.l2(subnet, 'ec2.Subnet') ?? code.subnet(`${id}Subnet${index}`, subnet))
    .join(', ')}] }`;
}

const SUBNET_TYPES: Readonly<Record<string, string | undefined>> = {
  Private: 'PRIVATE_WITH_EGRESS',
  Isolated: 'PRIVATE_ISOLATED',
  Public: 'PUBLIC',
};

/** The type whose subnets in the cluster's VPC are exactly these. */
function selectionOf(
  group: AppResource,
  subnets: readonly (AppResource | undefined)[],
): { readonly type: string; readonly isDefault: boolean } | undefined {
  const [first] = subnets;
  if (first === undefined || first.type !== 'AWS::EC2::Subnet') return undefined;
  const ofVpc = [...first.stack.resources.values()].filter(
    (one) => one.type === 'AWS::EC2::Subnet' && isDeepStrictEqual(one.properties.VpcId, first.properties.VpcId),
  );
  const cluster = clusterOf(group);
  if (!isL2Cluster(cluster)) return undefined;
  const used = subnetsOfCluster(cluster).map((one) => cluster.stack.app.target(cluster.stack, one)?.resource);
  if (!used.some((one) => one !== undefined && ofVpc.includes(one))) return undefined;
  const kind = typeOf(first);
  const all = ofVpc.filter((one) => typeOf(one) === kind);
  const type = kind === undefined ? undefined : SUBNET_TYPES[kind];
  if (type === undefined || all.length !== subnets.length || all.some((one, index) => one !== subnets[index]))
    return undefined;
  const kinds = new Set(ofVpc.map(typeOf));
  return { type, isDefault: kind === ['Private', 'Isolated', 'Public'].find((one) => kinds.has(one)) };
}

function subnetsOfCluster({ properties }: AppResource): unknown[] {
  const ids =
    member(properties.ResourcesVpcConfig, 'SubnetIds') ??
    member(member(properties.Config, 'resourcesVpcConfig'), 'subnetIds');
  return Array.isArray(ids) ? (ids as unknown[]) : [];
}

/** The type of a subnet of CDK's VPC, which its tag tells. */
function typeOf(subnet: AppResource): string | undefined {
  const tags = subnet.properties.Tags;
  const tag = (Array.isArray(tags) ? (tags as unknown[]) : []).find(
    (one) => isMap(one) && one.Key === 'aws-cdk:subnet-type',
  );
  const value = member(tag, 'Value');
  return typeof value === 'string' ? value : undefined;
}
