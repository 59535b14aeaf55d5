import { isOptionalAndComputed } from '../../knowledge';
import type { ValueStep } from '../address';
import type { Origin } from './references';
import { isUntold } from './resources';

/** What an attribute that names another resource may name. */
export interface Target {
  readonly type: string;
  /** The attribute of it that stands there, the usual one first. */
  readonly attributes: readonly string[];
}

const TEMPLATE_ID: Target = { type: 'aws_launch_template', attributes: ['id', 'name'] };
const CLUSTER: Target = { type: 'aws_eks_cluster', attributes: ['name', 'id'] };
const ROLE_ARN: Target = { type: 'aws_iam_role', attributes: ['arn'] };

/** Attributes of which it is known what they name, by resource type and path without indexes; see the AWS provider's documentation. */
const TARGETS: Readonly<Record<string, Target>> = {
  'aws_eks_node_group.launch_template.id': TEMPLATE_ID,
  'aws_eks_node_group.launch_template.name': { type: 'aws_launch_template', attributes: ['name'] },
  'aws_eks_node_group.launch_template.version': {
    type: 'aws_launch_template',
    attributes: ['latest_version', 'default_version'],
  },
  'aws_autoscaling_group.launch_template.id': TEMPLATE_ID,
  'aws_autoscaling_group.launch_template.version': {
    type: 'aws_launch_template',
    attributes: ['latest_version', 'default_version'],
  },
  'aws_autoscaling_group.mixed_instances_policy.launch_template.launch_template_specification.launch_template_id':
    TEMPLATE_ID,
  'aws_eks_node_group.cluster_name': CLUSTER,
  'aws_eks_addon.cluster_name': CLUSTER,
  'aws_eks_fargate_profile.cluster_name': CLUSTER,
  'aws_eks_access_entry.cluster_name': CLUSTER,
  'aws_eks_pod_identity_association.cluster_name': CLUSTER,
  'aws_eks_node_group.node_role_arn': ROLE_ARN,
  'aws_eks_cluster.role_arn': ROLE_ARN,
  'aws_eks_addon.service_account_role_arn': ROLE_ARN,
  'aws_eks_addon.pod_identity_association.role_arn': ROLE_ARN,
  'aws_eks_pod_identity_association.role_arn': ROLE_ARN,
  'aws_eks_access_entry.principal_arn': ROLE_ARN,
  'aws_eks_access_policy_association.principal_arn': ROLE_ARN,
  'aws_iam_role_policy_attachment.role': { type: 'aws_iam_role', attributes: ['name', 'id'] },
  'aws_iam_role_policy_attachment.policy_arn': { type: 'aws_iam_policy', attributes: ['arn', 'id'] },
  'aws_iam_role_policy.role': { type: 'aws_iam_role', attributes: ['name', 'id'] },
  'aws_iam_instance_profile.role': { type: 'aws_iam_role', attributes: ['name', 'id'] },
};

/** Attributes that hold an identifier and nothing else, and what may stand there: by the last name of each. */
const IDENTIFIERS: readonly { readonly attribute: RegExp; readonly of: RegExp }[] = [
  { attribute: /(?:^|_)(?:ids?|subnets?|security_groups|vpc_zone_identifier)$/, of: /(?:^|_)(?:ids?|value|name)$/ },
  {
    attribute: /(?:^|_)(?:arns?|roles?|profile|identifiers|launch_configuration)$/,
    of: /(?:^|_)(?:arns?|id|name|unique_id)$/,
  },
  { attribute: /(?:^|_)(?:cluster_name|key_name|ec2_ssh_key|names?)$/, of: /(?:^|_)(?:name|id|arn)$/ },
  { attribute: /(?:^|_)version$/, of: /(?:^version|_version|^value|^insecure_value)$/ },
  { attribute: /^(?:.*_)?policy(?:_documents?)?$/, of: /^(?:minified_)?json$/ },
];

/** Names that are usually put together, and of which references don't tell with what. */
const COMPOSED: ReadonlySet<string> = new Set(['name', 'description', 'bucket', 'names']);

export function namesOf(steps: readonly ValueStep[]): readonly string[] {
  return steps.filter((step) => typeof step === 'string');
}

export function targetOf(type: string, steps: readonly ValueStep[]): Target | undefined {
  const key = `${type}.${namesOf(steps).join('.')}`;
  return Object.hasOwn(TARGETS, key) ? TARGETS[key] : undefined;
}

/** Whether modules usually name the target through a local or in a `dynamic` block, and have one of their own to name. */
export function isOwnOfModule(target: Target): boolean {
  return target === TEMPLATE_ID;
}

/**
 * The one attribute that an unknown value can be, of those that its expression refers to. Expressions in plans list references and
 * nothing else, so it counts only where an identifier stands that nobody puts together from several.
 */
export function onlyOrigin(
  type: string,
  steps: readonly ValueStep[],
  origins: readonly Origin[],
  isComplete: boolean,
): Origin | undefined {
  const target = targetOf(type, steps);
  if (target !== undefined) {
    // Whatever else takes part, such as conditions, can't be what is named.
    const candidates = origins.flatMap((origin) => asTarget(origin, target));
    return candidates.length === 1 ? candidates[0] : undefined;
  }
  const [origin] = origins;
  return origins.length === 1 && isComplete && origin !== undefined && isIdentifier(steps, origin) ? origin : undefined;
}

function asTarget(origin: Origin, target: Target): readonly Origin[] {
  const { resource, attribute } = origin;
  const [usual] = target.attributes;
  if (resource.type !== target.type || resource.mode !== 'managed') return [];
  if (attribute.length === 0)
    return usual === undefined || !isUntold(resource, [usual]) ? [] : [{ resource, attribute: [usual] }];
  const [name, second] = attribute;
  return typeof name === 'string' && second === undefined && target.attributes.includes(name) ? [origin] : [];
}

/** Whether an attribute holds an identifier that is an attribute of another resource as it stands. */
export function isIdentifier(steps: readonly ValueStep[], { attribute }: Origin): boolean {
  const names = namesOf(steps);
  const name = names.at(-1);
  const last = namesOf(attribute).at(-1);
  if (name === undefined || last === undefined || (names.length === 1 && COMPOSED.has(name))) return false;
  return IDENTIFIERS.some((one) => one.attribute.test(name) && one.of.test(last));
}

/** Whether an attribute is a list, by its name; old plans don't tell. */
export function isPlural(steps: readonly ValueStep[]): boolean {
  const last = steps.at(-1);
  return (
    typeof last === 'string' && /(?:ids|arns|names|roles|groups|subnets|identifiers|vpc_zone_identifier)$/.test(last)
  );
}

/** Attributes that AWS alone sets: that they aren't written says nothing. By the last name of each. */
const RESULTS =
  /^(?:id|arn|unique_id|owner_id|cluster_id|cluster_security_group_id|vpc_id|endpoint|certificate_authority|identity|status|resources|platform_version|latest_version|default_version|tags_all|create_date|created_at|modified_at)$/;

/** Collections that AWS sets if nothing is written; any other that isn't known may come from a `dynamic` block. */
const DEFAULTED =
  /^(?:instance_types|metadata_options|update_config|node_repair_config|kubernetes_network_config|upgrade_policy|access_config|managed_policy_arns|inline_policy|security_groups|public_access_cidrs|kubernetes_groups|availability_zones|target_group_arns|load_balancers|vpc_zone_identifier)$/;

/** Whether AWS tells an attribute that is left open: by the schema of the provider, or because it fills in the block around it. */
export function isFilledIn(type: string, steps: readonly ValueStep[]): boolean {
  const names = namesOf(steps);
  const [block = ''] = names;
  return isOptionalAndComputed(type, names.join('.')) || (names.length > 1 && DEFAULTED.test(block));
}

/** Whether an attribute is one that AWS alone sets. */
export function isResult(steps: readonly ValueStep[]): boolean {
  return RESULTS.test(namesOf(steps).at(-1) ?? '');
}

/** Whether an attribute that no expression gives, and that is known after apply, isn't set: AWS chooses it. */
export function isLeftToAws(steps: readonly ValueStep[], isCollection: boolean): boolean {
  return isCollection ? DEFAULTED.test(namesOf(steps).at(-1) ?? '') : !isResult(steps);
}
