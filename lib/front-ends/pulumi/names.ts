/*
 * Pulumi's AWS provider is Terraform's with other names: `aws:eks/nodeGroup:NodeGroup` is `aws_eks_node_group`, and `nodeRoleArn` its `node_role_arn`.
 * Source: pulumi/pulumi-terraform-bridge, pkg/tfbridge/names.go; @pulumi/aws 7.48.0, types/input.d.ts, against the schema of the AWS provider 5.100.0.
 */

/** Types that the rule would call otherwise. Source: pulumi/pulumi-aws, provider/resources.go. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['aws:iam/openIdConnectProvider:OpenIdConnectProvider', 'aws_iam_openid_connect_provider'],
  ['aws:autoscaling/tag:Tag', 'aws_autoscaling_group_tag'],
  ['aws:ec2/fleet:Fleet', 'aws_ec2_fleet'],
  ['aws:ec2/tag:Tag', 'aws_ec2_tag'],
  ['aws:ec2/securityGroupAssociation:SecurityGroupAssociation', 'aws_vpc_endpoint_security_group_association'],
  ['aws:ec2transitgateway/vpcAttachment:VpcAttachment', 'aws_ec2_transit_gateway_vpc_attachment'],
]);

/** Names of providers that are Terraform's of another name: both `aws-native` and `awscc` are the Cloud Control API. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([['aws-native', 'awscc']]);

/** What Terraform calls a type; of a provider that it doesn't have, what it would call it. */
export function terraformType(token: string): string {
  const [provider = '', module = '', name = ''] = token.split(':');
  const [service = ''] = module.split('/');
  // Types of the index of a provider, and those of EC2 in that of AWS, have no service in their names.
  const parts = [PROVIDERS.get(provider) ?? provider, provider === 'aws' && service === 'ec2' ? '' : service, name];
  return TYPES.get(token) ?? parts.flatMap((part) => (part === '' ? [] : [snakeCase(part)])).join('_');
}

/** Blocks and lists whose names get a plural in Pulumi, and only there. */
const SINGULARS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aws_autoscaling_group: {
    initialLifecycleHooks: 'initial_lifecycle_hook',
    overrides: 'override',
    tags: 'tag',
    trafficSources: 'traffic_source',
    vpcZoneIdentifiers: 'vpc_zone_identifier',
  },
  aws_default_route_table: { routes: 'route' },
  aws_ec2_fleet: { launchTemplateConfigs: 'launch_template_config', overrides: 'override' },
  aws_eks_addon: { podIdentityAssociations: 'pod_identity_association' },
  aws_eks_cluster: { identities: 'identity', oidcs: 'oidc' },
  aws_eks_fargate_profile: { selectors: 'selector' },
  aws_eks_node_group: { taints: 'taint' },
  aws_iam_openid_connect_provider: { clientIdLists: 'client_id_list', thumbprintLists: 'thumbprint_list' },
  aws_iam_role: { inlinePolicies: 'inline_policy' },
  aws_instance: {
    ebsBlockDevices: 'ebs_block_device',
    ephemeralBlockDevices: 'ephemeral_block_device',
    networkInterfaces: 'network_interface',
  },
  aws_launch_configuration: {
    ebsBlockDevices: 'ebs_block_device',
    ephemeralBlockDevices: 'ephemeral_block_device',
  },
  aws_launch_template: { licenseSpecifications: 'license_specification' },
  aws_route53_zone: { vpcs: 'vpc' },
  aws_route_table: { routes: 'route' },
  aws_spot_fleet_request: {
    ebsBlockDevices: 'ebs_block_device',
    ephemeralBlockDevices: 'ephemeral_block_device',
    launchSpecifications: 'launch_specification',
    launchTemplateConfigs: 'launch_template_config',
    rootBlockDevices: 'root_block_device',
  },
  aws_vpc_endpoint: { subnetConfigurations: 'subnet_configuration' },
};

/** What Terraform calls a property of a type, at its top or in its blocks. */
export function argumentName(type: string, property: string): string {
  const own = Object.hasOwn(SINGULARS, type) ? SINGULARS[type] : undefined;
  return own !== undefined && Object.hasOwn(own, property) ? (own[property] ?? '') : snakeCase(property);
}

/** Arguments with keys of the user's own, by Terraform's names. */
const MAPS: ReadonlySet<string> = new Set(['labels', 'outputs', 'parameters', 'tags', 'tags_all', 'volume_tags']);

export function isMapOfUser(argument: string): boolean {
  return MAPS.has(argument);
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();
}
