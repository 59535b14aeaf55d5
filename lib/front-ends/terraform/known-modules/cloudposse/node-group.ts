import { Absent, flatMapValue, Known, Unknown, type Plain, type Value } from '../../../../value';
import type { TerraformInstance } from '../../../../terraform/instance';
import { TerraformList, type TerraformValue } from '../../../../terraform/terraform-value';
import { firstOf, itemsOf, listOf, mapOf, type Given } from '../given';
import type { ModuleContext } from '../module-context';
import { attach, declareRole, roleArn, serviceTrust, statement } from '../roles';
import { isAtLeast } from '../../../../terraform/module/version-constraint';

/*
 * A call of cloudposse/eks-node-group/aws. What may be left out is a list there, of one item or none. Source:
 * cloudposse/terraform-aws-eks-node-group, main.tf, launch-template.tf, ami.tf, userdata.tf, iam.tf and variables.tf of the tags 2.0.0,
 * 2.5.0, 2.12.0, 3.0.0 and v3.4.0.
 */

export function expandCloudposseNodeGroup(context: ModuleContext): void {
  const { given, call } = context;
  const { place } = call;
  const ownRole = isEmpty(given.item('node_role_arn'));
  const role = nodeRole(context, ownRole);
  const roleOf = roleArn(context, ownRole, role, firstOf(given.item('node_role_arn')), place);
  const ownTemplate = isEmpty(given.item('launch_template_id'));
  const image = imageOf(context);
  const template = declareTemplate(context, ownTemplate, image);
  // With an image of its own, the group says nothing of these.
  const unlessOwn = (value: TerraformValue) =>
    flatMapValue(image, (plain): TerraformValue => (plain.kind === 'absent' ? value : new Absent(plain.source)));
  const nodeGroup = context.declare(`aws_eks_node_group.${isReplacedFirst(context) ? 'cbd' : 'default'}[0]`, {
    cluster_name: given.item('cluster_name'),
    node_role_arn: roleOf,
    subnet_ids: given.item('subnet_ids'),
    instance_types: given.or('instance_types', listOf([context.standard('t3.medium')], place)),
    ami_type: unlessOwn(given.or('ami_type', context.standard('AL2_x86_64'))),
    version: unlessOwn(firstOf(given.item('kubernetes_version'))),
    release_version: unlessOwn(firstOf(given.item('ami_release_version'))),
    capacity_type: given.item('capacity_type'),
    force_update_version: given.item('force_update_version'),
    labels: given.item('kubernetes_labels'),
    taint: given.item('kubernetes_taints'),
    update_config: given.item('update_config'),
    scaling_config: listOf(
      [
        mapOf(
          {
            desired_size: given.item('desired_size'),
            min_size: given.item('min_size'),
            max_size: given.item('max_size'),
          },
          place,
        ),
      ],
      place,
    ),
    launch_template: listOf([templateReference(context, ownTemplate, template)], place),
  });
  context.output('eks_node_group_role_arn', () => roleOf);
  if (role !== undefined) context.output('eks_node_group_role_name', () => context.reference(role, 'name'));
  context.output('eks_node_group_arn', () => context.reference(nodeGroup, 'arn'));
  context.output('eks_node_group_id', () => context.reference(nodeGroup, 'id'));
  if (template !== undefined) {
    context.output('eks_node_group_launch_template_id', () => context.reference(template, 'id'));
    context.output('eks_node_group_launch_template_name', () => context.reference(template, 'name'));
  }
}

function isEmpty(list: TerraformValue): Value<boolean> {
  return flatMapValue(list, (plain): Plain<boolean> => {
    if (plain.kind === 'unknown') return plain;
    return new Known(
      plain.kind !== 'known' || !(plain.value instanceof TerraformList) || plain.value.items.length === 0,
      plain.source,
    );
  });
}

/** Version 3 replaces a group by a new one unless told otherwise. */
function isReplacedFirst(context: ModuleContext): boolean {
  const first = context.given.item('create_before_destroy');
  return first.kind === 'known' ? first.value === true : isAtLeast(context.release, 3);
}

const BOOTSTRAP_OPTIONS = [
  'bootstrap_additional_options',
  'kubelet_additional_options',
  'after_cluster_joining_userdata',
];

/** The image of the call. On AL2 and Windows the module looks one up where it has to call the bootstrap itself. */
function imageOf(context: ModuleContext): TerraformValue {
  const { given } = context;
  return flatMapValue(firstOf(given.item('ami_image_id')), (plain): TerraformValue => {
    const own = BOOTSTRAP_OPTIONS.find((option) => itemsOf(given.item(option)).length > 0);
    const type = given.item('ami_type');
    const isSelfStarting =
      type.kind === 'known' && typeof type.value === 'string' && !/^(?:AL2|WINDOWS)_/.test(type.value);
    if (plain.kind !== 'absent' || own === undefined || isSelfStarting) return plain;
    return new Unknown(
      'the module looks the image up',
      context.call.argumentPlace(own),
      '${data.aws_ssm_parameter.ami_id[0].insecure_value}',
    );
  });
}

function declareTemplate(
  context: ModuleContext,
  own: Value<boolean>,
  image: TerraformValue,
): TerraformInstance | undefined {
  const { given, call } = context;
  const { place } = call;
  const exists = context.where(own);
  if (exists === undefined) return undefined;
  const choice = (name: string, yes: string, no: string) =>
    flatMapValue(given.flag(name, true), (plain): TerraformValue => {
      if (plain.kind === 'unknown') return plain;
      const text = plain.kind === 'known' && !plain.value ? no : yes;
      return given.item(name).kind === 'absent' ? context.standard(text) : context.fixed(text, plain.source);
    });
  const metadata = {
    http_endpoint: choice('metadata_http_endpoint_enabled', 'enabled', 'disabled'),
    http_put_response_hop_limit: given.or('metadata_http_put_response_hop_limit', context.standard(2)),
    http_tokens: choice('metadata_http_tokens_required', 'required', 'optional'),
  };
  const attributes = {
    image_id: image,
    key_name: firstOf(given.item('ec2_ssh_key_name')),
    metadata_options: mapOf(metadata, place),
    user_data: userDataOf(given),
    vpc_security_group_ids: securityGroups(context),
    block_device_mappings:
      given.item('block_device_map').kind === 'absent'
        ? undefined
        : context.unknown('the volumes are not read', call.argumentPlace('block_device_map')),
  };
  return context.declare('aws_launch_template.default[0]', attributes, place, exists);
}

function userDataOf(given: Given): TerraformValue {
  return flatMapValue(firstOf(given.item('userdata_override_base64')), (plain): TerraformValue => {
    if (plain.kind !== 'absent') return plain;
    const part = ['before_cluster_joining_userdata', ...BOOTSTRAP_OPTIONS]
      .map((name) => firstOf(given.item(name)))
      .find((value) => value.kind !== 'absent');
    return part === undefined
      ? plain
      : new Unknown('what the module makes of it is not read', part.kind === 'choice' ? given.place : part.source);
  });
}

/** The group of the cluster, unless told otherwise, and those of the call. */
function securityGroups(context: ModuleContext): TerraformValue {
  const { given, call } = context;
  const { place } = call;
  const name = given.item('cluster_name');
  const cluster = name.kind === 'unknown' ? (name.reference?.resource as TerraformInstance | undefined) : undefined;
  const ofCluster =
    cluster?.type === 'aws_eks_cluster'
      ? context.reference(cluster, 'vpc_config[0].cluster_security_group_id')
      : context.unknown('the module asks AWS for the security group of the cluster');
  const first = context.conditional(
    given.flag('associate_cluster_security_group', true),
    () => ofCluster,
    new Absent(place),
  );
  const isOpened =
    itemsOf(given.item('ec2_ssh_key_name')).length + itemsOf(given.item('ssh_access_security_group_ids')).length > 0;
  return listOf(
    [
      first,
      ...(isOpened ? [context.unknown('the group for SSH is not read')] : []),
      ...itemsOf(given.item('associated_security_group_ids')),
    ],
    place,
  );
}

function templateReference(
  context: ModuleContext,
  own: Value<boolean>,
  template: TerraformInstance | undefined,
): TerraformValue {
  const { given, call } = context;
  const { place } = call;
  const ofTemplate = (attribute: string, other: TerraformValue) =>
    context.conditional(
      own,
      () => (template === undefined ? new Absent(place) : context.reference(template, attribute)),
      other,
    );
  const version = flatMapValue(
    firstOf(given.item('launch_template_version')),
    (plain): TerraformValue =>
      plain.kind === 'absent'
        ? ofTemplate('latest_version', context.unknown('the module looks the newest version up'))
        : plain,
  );
  return mapOf({ id: ofTemplate('id', firstOf(given.item('launch_template_id'))), version }, place);
}

/** What the module's own policy for the VPC CNI allows, whatever the family. */
const CNI_ACTIONS = [
  ...['AssignIpv6Addresses', 'AssignPrivateIpAddresses', 'UnassignPrivateIpAddresses'],
  ...[
    'AttachNetworkInterface',
    'CreateNetworkInterface',
    'DeleteNetworkInterface',
    'DetachNetworkInterface',
    'ModifyNetworkInterfaceAttribute',
  ],
  ...['DescribeInstances', 'DescribeInstanceTypes', 'DescribeTags', 'DescribeNetworkInterfaces'],
].map((action) => `ec2:${action}`);

function nodeRole(context: ModuleContext, own: Value<boolean>): TerraformInstance | undefined {
  const { given, call } = context;
  const { place } = call;
  const exists = context.where(own);
  if (exists === undefined) return undefined;
  const role = declareRole(context, {
    prefix: '',
    label: 'default',
    document: 'assume_role',
    trust: [serviceTrust(context, 'ec2.amazonaws.com', ['sts:AssumeRole'], place)],
    name: new Absent(place),
    place,
    exists,
  });
  attach(
    context,
    role,
    '',
    'amazon_eks_worker_node_policy',
    0,
    context.awsPolicy('AmazonEKSWorkerNodePolicy', place),
    place,
  );
  attach(
    context,
    role,
    '',
    'amazon_ec2_container_registry_read_only',
    0,
    context.awsPolicy('AmazonEC2ContainerRegistryReadOnly', place),
    place,
  );
  const cni = context.where(given.flag('node_role_cni_policy_enabled', true), exists);
  if (cni !== undefined) attach(context, role, '', 'ipv6_eks_cni_policy', 0, cniPolicy(context), place, cni);
  for (const [index, policy] of itemsOf(given.item('node_role_policy_arns')).entries())
    attach(context, role, '', 'existing_policies_for_eks_workers_role', index, policy, place);
  return role;
}

function cniPolicy(context: ModuleContext): TerraformValue {
  const { place } = context.call;
  const own = context.versions.agreed((release) => isAtLeast(release, 2, 5));
  if (own === undefined) return context.unknown(context.differs('the policy for the VPC CNI'));
  if (!own.value) return context.awsPolicy('AmazonEKS_CNI_Policy', place);
  const statements = [
    statement(context, { actions: CNI_ACTIONS, resources: [context.fixed('*')] }, place),
    statement(
      context,
      {
        actions: ['ec2:CreateTags'],
        resources: [context.text(['arn:', context.partition, ':ec2:*:*:network-interface/*'])],
      },
      place,
    ),
  ];
  const document = context.declare('data.aws_iam_policy_document.ipv6_eks_cni_policy[0]', {
    statement: listOf(statements, place),
  });
  return context.reference(
    context.declare('aws_iam_policy.ipv6_eks_cni_policy[0]', { policy: context.reference(document, 'json') }),
    'arn',
  );
}
