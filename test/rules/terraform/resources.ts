import { RESOURCE_TABLES } from '../../../lib/eks/resources';
import { stepsOf, type Setting } from '../../../lib/eks/resources/table';
import { computedAttributes, expression, isIntrinsic, jsonValue, type Names } from './expressions';
import { isMap, untranslatable, type JsonMap } from './untranslatable';

/** A resource of Terraform: attributes and blocks in the JSON syntax. */
export interface TerraformTwin {
  readonly type: string;
  readonly attributes: JsonMap;
}

type Translate = (properties: JsonMap, names: Names) => JsonMap;

/** Names that aren't the CloudFormation name in snake case, of what no table names. */
const RENAMED: Readonly<Record<string, string>> = {
  HttpProtocolIpv6: 'http_protocol_ipv6',
  VPCZoneIdentifier: 'vpc_zone_identifier',
  LaunchConfigurationName: 'launch_configuration',
  Ipv6Addresses: 'ipv6_addresses',
  ClientIdList: 'client_id_list',
};

const PLAIN: Translate = (properties, names) => snake(properties, names);

/** What is more than other names, of resources that a table describes. */
const TRANSLATE: Readonly<Record<string, Translate>> = {
  'AWS::EKS::Cluster': cluster,
  'AWS::EKS::Nodegroup': nodeGroup,
  'AWS::EKS::Addon': addon,
  'AWS::EKS::FargateProfile': fargateProfile,
  'AWS::EKS::AccessEntry': accessEntry,
  'AWS::EC2::LaunchTemplate': launchTemplate,
  'AWS::EC2::VPC': tagged,
  'AWS::EC2::Subnet': tagged,
};

const BY_TABLE = RESOURCE_TABLES.flatMap(({ cloudFormation: [from], terraform: [type] }) =>
  from === undefined || type === undefined ? [] : [[from, { type, translate: TRANSLATE[from] ?? PLAIN }] as const],
);

const TYPES: Readonly<Record<string, { readonly type: string; readonly translate: Translate }>> = {
  ...Object.fromEntries(BY_TABLE),
  'AWS::EC2::SecurityGroup': { type: 'aws_security_group', translate: securityGroup },
  'AWS::EC2::SecurityGroupIngress': { type: 'aws_security_group_rule', translate: securityGroupRule },
  'AWS::IAM::Role': { type: 'aws_iam_role', translate: role },
  'AWS::IAM::InstanceProfile': { type: 'aws_iam_instance_profile', translate: instanceProfile },
  'AWS::IAM::OIDCProvider': { type: 'aws_iam_openid_connect_provider', translate: PLAIN },
  'AWS::AutoScaling::AutoScalingGroup': { type: 'aws_autoscaling_group', translate: autoScalingGroup },
  'AWS::SNS::Topic': { type: 'aws_sns_topic', translate: () => ({}) },
  'Custom::AWSCDK-EKS-KubernetesResource': { type: 'kubernetes_manifest', translate: manifest },
  'Custom::AWSCDK-EKS-HelmChart': { type: 'helm_release', translate: helmRelease },
};

/** Attributes that only apply tells, by the resource type of Terraform. */
export const COMPUTED: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(TYPES).map(([type, { type: twin }]): [string, readonly string[]] => [
    twin,
    computedAttributes(type),
  ]),
  ['terraform_data', ['output']],
]);

/** The resource type of Terraform; undefined for what has none. */
export function terraformType(type: string): string | undefined {
  return TYPES[type]?.type;
}

export function translateResource(type: string, properties: JsonMap, names: Names): TerraformTwin {
  const found = TYPES[type];
  if (found === undefined) return untranslatable(`a resource of type ${type}`);
  return {
    type: found.type,
    attributes: found.translate(properties, { ...names, inTerraform: namesInTerraform(type) }),
  };
}

function snakeCase(name: string, { inTerraform }: Names): string {
  return (
    inTerraform?.get(name) ??
    RENAMED[name] ??
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
      .toLowerCase()
  );
}

/** Names in Terraform by those in CloudFormation, of the settings of a resource and of what is in their blocks. */
function namesInTerraform(type: string): ReadonlyMap<string, string> {
  const table = RESOURCE_TABLES.find(({ cloudFormation }) => cloudFormation.includes(type));
  return new Map(Object.values(table?.settings ?? {}).flatMap(namePairs));
}

function namePairs(setting: Setting): readonly (readonly [string, string])[] {
  const { cloudFormation, terraform } = setting;
  const inner = 'settings' in setting ? Object.values(setting.settings).flatMap(namePairs) : [];
  if (cloudFormation === undefined || terraform === undefined) return inner;
  const [steps, others] = [stepsOf(cloudFormation), stepsOf(terraform)];
  return [
    ...steps.flatMap((step, index) => {
      const other = steps.length === others.length ? others[index] : undefined;
      return other === undefined ? [] : [[step, other] as const];
    }),
    ...inner,
  ];
}

/** Properties with names as Terraform writes them, at all levels. */
function snake(value: JsonMap, names: Names): JsonMap {
  const intrinsic = Object.keys(value).find((key) => key.startsWith('Fn::'));
  if (intrinsic !== undefined) return untranslatable(intrinsic);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key, names), nested(item, names)]));
}

function nested(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => nested(item, names));
  if (!isMap(value)) return jsonValue(value, names);
  return isIntrinsic(value) ? conditionalBlock(value, names) : snake(value, names);
}

/** Blocks can't be chosen by a conditional in Terraform; only values that look alike in both can. */
function conditionalBlock(value: JsonMap, names: Names): unknown {
  const branches = value['Fn::If'];
  if (Array.isArray(branches) && branches.slice(1).some((branch) => holdsMap(branch)))
    return untranslatable('a block that depends on a condition');
  return jsonValue(value, names);
}

function holdsMap(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMap);
  if (!isMap(value)) return false;
  const branches = value['Fn::If'];
  return Array.isArray(branches) ? branches.slice(1).some(holdsMap) : !isIntrinsic(value);
}

function without(properties: JsonMap, ...keys: readonly string[]): JsonMap {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));
}

function cluster(properties: JsonMap, names: Names): JsonMap {
  const { Name: name, ...others } = properties;
  return { name: name === undefined ? '${var.cluster_name}' : jsonValue(name, names), ...snake(others, names) };
}

function nodeGroup(properties: JsonMap, names: Names): JsonMap {
  return {
    ...snake(without(properties, 'Labels'), names),
    ...mapped(properties, 'Labels', 'labels', names),
  };
}

function mapped(properties: JsonMap, key: string, name: string, names: Names): JsonMap {
  const value = properties[key];
  return value === undefined ? {} : { [name]: jsonValue(value, names) };
}

function addon(properties: JsonMap, names: Names): JsonMap {
  const mode = properties['ResolveConflicts'];
  const others = snake(without(properties, 'ResolveConflicts', 'ConfigurationValues'), names);
  const values = mapped(properties, 'ConfigurationValues', 'configuration_values', names);
  if (mode === undefined) return { ...others, ...values };
  const written = jsonValue(mode, names);
  // On creation there is nothing to preserve, and Terraform refuses the word.
  return {
    ...others,
    ...values,
    ...(mode === 'PRESERVE' ? {} : { resolve_conflicts_on_create: written }),
    resolve_conflicts_on_update: written,
  };
}

/** Terraform has a resource for each policy. */
function accessEntry(properties: JsonMap, names: Names): JsonMap {
  return properties['AccessPolicies'] === undefined ? snake(properties, names) : untranslatable('an access policy');
}

function fargateProfile(properties: JsonMap, names: Names): JsonMap {
  const selectors = properties['Selectors'];
  if (!Array.isArray(selectors)) return snake(properties, names);
  const labels = (list: unknown) =>
    Array.isArray(list)
      ? Object.fromEntries(
          list.map((label) => (isMap(label) ? [String(label['Key']), label['Value']] : untranslatable('labels'))),
        )
      : undefined;
  return {
    ...snake(without(properties, 'Selectors'), names),
    selector: selectors.map((one) =>
      isMap(one) && !isIntrinsic(one)
        ? {
            namespace: jsonValue(one['Namespace'], names),
            ...(one['Labels'] === undefined ? {} : { labels: jsonValue(labels(one['Labels']), names) }),
          }
        : untranslatable('selectors'),
    ),
  };
}

function launchTemplate(properties: JsonMap, names: Names): JsonMap {
  const data = properties['LaunchTemplateData'];
  if (!isMap(data) || isIntrinsic(data)) return untranslatable('launch template data that depend on a condition');
  const interfaces = data['NetworkInterfaces'];
  return {
    ...snake(without(properties, 'LaunchTemplateData', 'TagSpecifications'), names),
    ...snake(without(data, 'TagSpecifications', 'NetworkInterfaces'), names),
    ...(interfaces === undefined ? {} : { network_interfaces: networkInterfaces(interfaces, names) }),
    ...tagSpecifications(data['TagSpecifications'], names),
  };
}

function networkInterfaces(list: unknown, names: Names): unknown {
  if (!Array.isArray(list)) return conditionalBlock(isMap(list) ? list : {}, names);
  return list.map((one) =>
    isMap(one) && !isIntrinsic(one)
      ? snake(one, names)
      : untranslatable('a network interface that depends on a condition'),
  );
}

function tagSpecifications(list: unknown, names: Names): JsonMap {
  if (list === undefined) return {};
  if (!Array.isArray(list)) return untranslatable('tag specifications that depend on a condition');
  return {
    tag_specifications: list.map((one) =>
      isMap(one)
        ? { resource_type: jsonValue(one['ResourceType'], names), tags: tagMap(one['Tags'], names) }
        : untranslatable('tags'),
    ),
  };
}

function tagMap(tags: unknown, names: Names): JsonMap {
  if (!Array.isArray(tags)) return untranslatable('tags that depend on a condition');
  return Object.fromEntries(
    tags.map((tag) => {
      if (!isMap(tag) || typeof tag['Key'] !== 'string') return untranslatable('a tag whose key is not written');
      return [tag['Key'], jsonValue(tag['Value'], names)];
    }),
  );
}

function tagged(properties: JsonMap, names: Names): JsonMap {
  const tags = properties['Tags'];
  return { ...snake(without(properties, 'Tags'), names), ...(tags === undefined ? {} : { tags: tagMap(tags, names) }) };
}

function securityGroup(properties: JsonMap, names: Names): JsonMap {
  const rules = (key: string) => {
    const list = properties[key];
    if (list === undefined) return {};
    if (!Array.isArray(list)) return untranslatable('rules of a security group that depend on a condition');
    return {
      [key === 'SecurityGroupIngress' ? 'ingress' : 'egress']: list.map((rule) => securityGroupBlock(rule, names)),
    };
  };
  return {
    description: jsonValue(properties['GroupDescription'], names),
    ...rules('SecurityGroupIngress'),
    ...rules('SecurityGroupEgress'),
  };
}

function securityGroupBlock(rule: unknown, names: Names): JsonMap {
  if (!isMap(rule) || isIntrinsic(rule))
    return untranslatable('a rule of a security group that depends on a condition');
  const {
    IpProtocol,
    FromPort,
    ToPort,
    CidrIp,
    CidrIpv6,
    SourceSecurityGroupId,
    DestinationSecurityGroupId,
    ...others
  } = without(rule, 'Description');
  const [strange] = Object.keys(others);
  if (strange !== undefined) return untranslatable(`${strange} of a rule of a security group`);
  const group = SourceSecurityGroupId ?? DestinationSecurityGroupId;
  return {
    protocol: jsonValue(String(IpProtocol), names),
    from_port: jsonValue(FromPort ?? 0, names),
    to_port: jsonValue(ToPort ?? 0, names),
    ...(CidrIp === undefined ? {} : { cidr_blocks: [jsonValue(CidrIp, names)] }),
    ...(CidrIpv6 === undefined ? {} : { ipv6_cidr_blocks: [jsonValue(CidrIpv6, names)] }),
    ...(group === undefined ? {} : { security_groups: [jsonValue(group, names)] }),
  };
}

function securityGroupRule(properties: JsonMap, names: Names): JsonMap {
  const { GroupId, SourceSecurityGroupId, ...others } = properties;
  const block = without(securityGroupBlock(others, names), 'security_groups');
  return {
    type: 'ingress',
    security_group_id: jsonValue(GroupId, names),
    ...block,
    ...(SourceSecurityGroupId === undefined
      ? {}
      : { source_security_group_id: jsonValue(SourceSecurityGroupId, names) }),
  };
}

function role(properties: JsonMap, names: Names): JsonMap {
  const { AssumeRolePolicyDocument, ManagedPolicyArns, Policies, RoleName, ...others } = properties;
  const inline =
    Policies === undefined
      ? undefined
      : Array.isArray(Policies)
        ? (Policies as readonly unknown[])
        : untranslatable('policies that depend on a condition');
  return {
    ...snake(others, names),
    ...(RoleName === undefined ? {} : { name: jsonValue(RoleName, names) }),
    assume_role_policy: policy(AssumeRolePolicyDocument, names),
    ...(ManagedPolicyArns === undefined ? {} : { managed_policy_arns: nested(ManagedPolicyArns, names) }),
    ...(inline === undefined
      ? {}
      : {
          inline_policy: inline.map((one) => {
            if (!isMap(one) || isIntrinsic(one)) return untranslatable('a policy that depends on a condition');
            return { name: jsonValue(one['PolicyName'], names), policy: policy(one['PolicyDocument'], names) };
          }),
        }),
  };
}

function instanceProfile({ Roles, ...others }: JsonMap, names: Names): JsonMap {
  const [role] = Array.isArray(Roles)
    ? (Roles as readonly unknown[])
    : untranslatable('roles that depend on a condition');
  return { ...snake(others, names), role: jsonValue(role, names) };
}

function policy(document: unknown, names: Names): unknown {
  if (typeof document === 'string' || (isIntrinsic(document) && !(isMap(document) && 'Fn::If' in document)))
    return jsonValue(document, names);
  return `\${jsonencode(${expression(document, names)})}`;
}

function autoScalingGroup(properties: JsonMap, names: Names): JsonMap {
  const { Tags: tags, LaunchTemplate: template, MixedInstancesPolicy: policyOf, ...others } = properties;
  if (tags !== undefined && !Array.isArray(tags)) return untranslatable('tags that depend on a condition');
  return {
    ...snake(others, names),
    ...(template === undefined ? {} : { launch_template: templateUse(template, names, '') }),
    ...(policyOf === undefined ? {} : { mixed_instances_policy: mixedInstances(policyOf, names) }),
    ...(tags === undefined
      ? {}
      : {
          tag: tags.map((tag) =>
            isMap(tag) ? { ...snake(tag, names), propagate_at_launch: true } : untranslatable('tags'),
          ),
        }),
  };
}

function templateUse(use: unknown, names: Names, prefix: string): JsonMap {
  if (!isMap(use) || isIntrinsic(use)) return untranslatable('a launch template that depends on a condition');
  const keys: Readonly<Record<string, string>> = {
    LaunchTemplateId: `${prefix}id`,
    LaunchTemplateName: `${prefix}name`,
    Version: 'version',
  };
  return Object.fromEntries(
    Object.entries(use).map(([key, value]) => [
      keys[key] ?? untranslatable(`${key} of a launch template`),
      jsonValue(value, names),
    ]),
  );
}

function mixedInstances(value: unknown, names: Names): JsonMap {
  const template = isMap(value) ? value['LaunchTemplate'] : undefined;
  if (!isMap(template)) return untranslatable('a mixed instances policy without launch template');
  const overrides = template['Overrides'];
  return {
    launch_template: {
      launch_template_specification: templateUse(template['LaunchTemplateSpecification'], names, 'launch_template_'),
      ...(overrides === undefined ? {} : { override: nested(overrides, names) }),
    },
  };
}

/** The only object of a manifest as CDK renders it. */
function manifest(properties: JsonMap, names: Names): JsonMap {
  const text = properties['Manifest'];
  if (typeof text !== 'string') return untranslatable('a manifest that is put together');
  let objects: unknown;
  try {
    objects = JSON.parse(text);
  } catch {
    return untranslatable('a manifest that is no JSON');
  }
  const [object, ...others] = Array.isArray(objects) ? (objects as readonly unknown[]) : [objects];
  if (!isMap(object) || others.length > 0) return untranslatable('a manifest of several objects');
  return { manifest: jsonValue(object, names) };
}

function helmRelease(properties: JsonMap, names: Names): JsonMap {
  const { Release, Chart, Namespace, Values, Version } = properties;
  const written = (key: string, value: unknown) => (value === undefined ? {} : { [key]: jsonValue(value, names) });
  return {
    ...written('name', Release),
    ...written('chart', Chart),
    ...written('namespace', Namespace),
    ...written('version', Version),
    ...(Values === undefined ? {} : { values: [jsonValue(Values, names)] }),
  };
}
