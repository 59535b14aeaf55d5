import { listOf, memberAt, memberOf } from '../../terraform/json-tree';
import { namesOf, targetOf, type Target } from '../../terraform/plan/links';
import type { ValueStep } from '../../terraform/address';
import { argumentName } from './names';
import { textsOf, type PulumiResource } from './resources';
import { whyUnknown } from './special-values';

/** The attribute of a resource that a value is. */
export interface Origin {
  readonly resource: PulumiResource;
  readonly attribute: string;
}

/** What an argument names, by its last name, where nothing else than this type has such an id to give. */
const ALONE: readonly { readonly argument: RegExp; readonly target: Target }[] = [
  { argument: /^vpc_id$/, target: { type: 'aws_vpc', attributes: ['id'] } },
  {
    argument: /(?:^|_)security_group_ids?$|^security_groups$/,
    target: { type: 'aws_security_group', attributes: ['id'] },
  },
  { argument: /^route_table_ids?$/, target: { type: 'aws_route_table', attributes: ['id'] } },
  { argument: /^gateway_id$/, target: { type: 'aws_internet_gateway', attributes: ['id'] } },
  { argument: /^nat_gateway_id$/, target: { type: 'aws_nat_gateway', attributes: ['id'] } },
  { argument: /^launch_configuration$/, target: { type: 'aws_launch_configuration', attributes: ['name', 'id'] } },
];

/** The security group that EKS makes for a cluster. */
const OF_CLUSTER: Target = { type: 'aws_eks_cluster', attributes: ['vpc_config.cluster_security_group_id'] };

/** The same where other resources that a component makes may stand beside it: they have no such ids. */
const AMONG_OTHERS: readonly { readonly argument: RegExp; readonly target: Target }[] = [
  {
    argument: /^subnet_ids?$|^subnets$|^vpc_zone_identifier$/,
    target: { type: 'aws_subnet', attributes: ['id'] },
  },
  {
    argument: /^iam_instance_profile\.(?:arn|name)$|^iam_instance_profile$/,
    target: { type: 'aws_iam_instance_profile', attributes: ['arn', 'name', 'id'] },
  },
];

/**
 * The attributes that unknown values of a property can be, if there are exactly as many resources of the type that it takes, among those that it
 * comes from, as unknown values. Which attribute it is Pulumi doesn't tell, so that it counts only where one is meant.
 * @param steps to the value in Terraform's names
 * @param count how many unknown values there are
 */
export function originsOf(
  { type }: PulumiResource,
  from: readonly PulumiResource[],
  steps: readonly ValueStep[],
  count: number,
): readonly Origin[] {
  const taken = targetFor(type, steps);
  if (taken === undefined) return [];
  const { target, isAlone } = taken;
  const candidates = from.flatMap((resource): { readonly resource: PulumiResource; readonly named: Target }[] => {
    if (resource.isExternal) return [];
    if (resource.type === target.type) return [{ resource, named: target }];
    return target.type === 'aws_security_group' && tellsOneGroup(resource) ? [{ resource, named: OF_CLUSTER }] : [];
  });
  if (candidates.length !== count || (isAlone && candidates.length < from.length)) return [];
  const origins = candidates.flatMap(({ resource, named }): Origin[] => {
    const attribute = named.attributes.find((name) => isUntold(resource, name));
    return attribute === undefined ? [] : [{ resource, attribute }];
  });
  return origins.length === count ? origins : [];
}

/** Whether the only group of a cluster that isn't known yet is the one that EKS makes for it. */
function tellsOneGroup({ type, inputs }: PulumiResource): boolean {
  const groups = listOf(memberAt(inputs, 'vpcConfig', 'securityGroupIds'));
  return type === OF_CLUSTER.type && groups.every((id) => whyUnknown(id) === undefined);
}

function targetFor(
  type: string,
  steps: readonly ValueStep[],
): { readonly target: Target; readonly isAlone: boolean } | undefined {
  const names = namesOf(steps);
  const last = names.at(-1) ?? '';
  const target = targetOf(type, steps);
  // A version may be a number that anything gives.
  if (target !== undefined) return { target, isAlone: last === 'version' };
  const alone = ALONE.find(({ argument }) => argument.test(last));
  if (alone !== undefined) return { target: alone.target, isAlone: true };
  const among = AMONG_OTHERS.find(({ argument }) => argument.test(last) || argument.test(names.slice(-2).join('.')));
  return among === undefined ? undefined : { target: among.target, isAlone: false };
}

/** The resources of a file that a property comes from; undefined if one of them isn't there. */
export function sourcesOf(
  { origins }: PulumiResource,
  property: string,
  find: (urn: string) => PulumiResource | undefined,
): readonly PulumiResource[] | undefined {
  const urns = [...new Set(textsOf(memberOf(origins, property)))];
  const found = urns.flatMap((urn) => find(urn) ?? []);
  return found.length === urns.length ? found.filter(({ isComponent }) => !isComponent) : undefined;
}

/** Whether an attribute, by Terraform's name, is known only after the update. */
function isUntold({ type, id, inputs, outputs }: PulumiResource, attribute: string): boolean {
  if (attribute === 'id') return id === undefined;
  // What stands in a block is known with what the provider answers.
  if (attribute.includes('.')) return Object.keys(outputs).length === 0 || id === undefined;
  const told = [outputs, inputs].flatMap((properties) =>
    Object.keys(properties).flatMap((key) => (argumentName(type, key) === attribute ? [properties[key]] : [])),
  );
  return told.every((value) => value === null || whyUnknown(value) !== undefined);
}
