import { isMap, untranslatable, type JsonMap } from './untranslatable';

/** What a template's intrinsics refer to. */
export interface Names {
  /** Parameters, by name. */
  readonly parameters: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
  /** Resources by logical id: their CloudFormation type, and their address with the index of `count` if there is one. */
  readonly resources: ReadonlyMap<string, { readonly type: string; readonly address: string }>;
  /** Names of the resource's settings in Terraform by those in CloudFormation. @default - those in snake case */
  readonly inTerraform?: ReadonlyMap<string, string>;
}

/** Attributes that `Ref` gives, by type. */
const REFS: Readonly<Record<string, string>> = {
  'AWS::EKS::Cluster': 'name',
  'AWS::EKS::Nodegroup': 'id',
  'AWS::EC2::LaunchTemplate': 'id',
  'AWS::IAM::Role': 'name',
  'AWS::EC2::Subnet': 'id',
  'AWS::EC2::SecurityGroup': 'id',
  'AWS::EC2::VPC': 'id',
  'AWS::EC2::RouteTable': 'id',
  'AWS::IAM::OIDCProvider': 'arn',
  'AWS::AutoScaling::LaunchConfiguration': 'name',
  'AWS::IAM::InstanceProfile': 'name',
};

/** Attributes of Terraform for those of `Fn::GetAtt`. */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'AWS::EKS::Cluster': {
    Arn: 'arn',
    Endpoint: 'endpoint',
    CertificateAuthorityData: 'certificate_authority[0].data',
    ClusterSecurityGroupId: 'vpc_config[0].cluster_security_group_id',
    OpenIdConnectIssuerUrl: 'identity[0].oidc[0].issuer',
    'KubernetesNetworkConfig.ServiceIpv4Cidr': 'kubernetes_network_config[0].service_ipv4_cidr',
  },
  'AWS::EC2::LaunchTemplate': {
    LatestVersionNumber: 'latest_version',
    DefaultVersionNumber: 'default_version',
    LaunchTemplateId: 'id',
  },
  'AWS::IAM::Role': { Arn: 'arn', RoleId: 'unique_id' },
  'AWS::IAM::OIDCProvider': { Arn: 'arn' },
  'AWS::IAM::InstanceProfile': { Arn: 'arn' },
  'AWS::EC2::VPC': { CidrBlock: 'cidr_block', VpcId: 'id' },
  'AWS::EC2::RouteTable': { RouteTableId: 'id' },
  'AWS::EC2::Subnet': { AvailabilityZone: 'availability_zone', SubnetId: 'id' },
  'AWS::EC2::SecurityGroup': { GroupId: 'id', Id: 'id' },
};

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::Region': 'data.aws_region.current.name',
  'AWS::Partition': 'data.aws_partition.current.partition',
  'AWS::AccountId': 'data.aws_caller_identity.current.account_id',
  'AWS::URLSuffix': 'data.aws_partition.current.dns_suffix',
  'AWS::StackName': 'var.stack_name',
  'AWS::NoValue': 'null',
};

/** Data sources that stand for pseudo parameters. */
export const PSEUDO_DATA: JsonMap = {
  aws_region: { current: {} },
  aws_partition: { current: {} },
  aws_caller_identity: { current: {} },
};

/** A value of Terraform's JSON syntax: literals as they are, and templates for what has to be evaluated. */
export function jsonValue(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${').replaceAll('%{', '%%{');
  if (Array.isArray(value)) return value.map((item) => jsonValue(item, names));
  if (!isMap(value)) return value;
  if (!isIntrinsic(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonValue(item, names)]));
  return `\${${expression(value, names)}}`;
}

/** A value as an expression in HCL. */
export function expression(value: unknown, names: Names): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item) => expression(item, names)).join(', ')}]`;
  if (!isMap(value)) return String(value);
  if (!isIntrinsic(value))
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${quoted(key)} = ${expression(item, names)}`)
      .join(', ')} }`;
  const [entry] = Object.entries(value);
  return entry === undefined ? '{}' : intrinsic(entry[0], entry[1], names);
}

export function isIntrinsic(value: unknown): boolean {
  if (!isMap(value)) return false;
  const [first, ...others] = Object.keys(value);
  return (
    others.length === 0 && first !== undefined && (first === 'Ref' || first === 'Condition' || first.startsWith('Fn::'))
  );
}

function intrinsic(name: string, argument: unknown, names: Names): string {
  const list = Array.isArray(argument) ? (argument as readonly unknown[]) : [];
  switch (name) {
    case 'Ref':
      return typeof argument === 'string' ? reference(argument, names) : untranslatable('a Ref that is no text');
    case 'Fn::GetAtt':
      return attribute(typeof argument === 'string' ? argument : list.join('.'), names);
    case 'Fn::Sub':
      return typeof argument === 'string'
        ? template(argument, {}, names)
        : template(String(list[0]), isMap(list[1]) ? list[1] : {}, names);
    case 'Fn::Join':
      if (!Array.isArray(list[1])) return untranslatable('Fn::Join of something that is no list');
      return `join(${expression(list[0], names)}, ${expression(list[1], names)})`;
    case 'Fn::Base64':
      return `base64encode(${expression(argument, names)})`;
    case 'Fn::Select':
      return `element(${expression(list[1], names)}, ${String(list[0])})`;
    case 'Fn::Split':
      return `split(${expression(list[0], names)}, ${expression(list[1], names)})`;
    case 'Fn::If':
      if (typeof list[0] !== 'string' || !names.conditions.has(list[0]))
        return untranslatable('an Fn::If of a condition that does not exist');
      return `(local.${list[0]} ? ${expression(list[1], names)} : ${expression(list[2], names)})`;
    case 'Condition':
      return `local.${String(argument)}`;
    case 'Fn::Equals':
      return `(${expression(list[0], names)} == ${expression(list[1], names)})`;
    case 'Fn::Not':
      return `!${expression(list[0], names)}`;
    case 'Fn::And':
    case 'Fn::Or':
      return `(${list.map((item) => expression(item, names)).join(name === 'Fn::And' ? ' && ' : ' || ')})`;
    default:
      return untranslatable(name);
  }
}

function reference(id: string, names: Names): string {
  const pseudo = PSEUDO_PARAMETERS[id];
  if (pseudo !== undefined) return pseudo;
  if (names.parameters.has(id)) return `var.${id}`;
  const resource = names.resources.get(id);
  const name = resource === undefined ? undefined : REFS[resource.type];
  return resource === undefined || name === undefined
    ? untranslatable(`a Ref to ${id}`)
    : `${resource.address}.${name}`;
}

function attribute(text: string, names: Names): string {
  const [id = '', ...path] = text.split('.');
  const resource = names.resources.get(id);
  const name = resource === undefined ? undefined : ATTRIBUTES[resource.type]?.[path.join('.')];
  return resource === undefined || name === undefined
    ? untranslatable(`Fn::GetAtt of ${text}`)
    : `${resource.address}.${name}`;
}

function template(text: string, variables: JsonMap, names: Names): string {
  const parts = text.split(/(\$\{[^}]*\})/).map((part) => {
    const name = /^\$\{([^}]*)\}$/.exec(part)?.[1];
    if (name === undefined) return quoted(part).slice(1, -1);
    if (name.startsWith('!')) return `$\${${name.slice(1)}}`;
    const given = variables[name];
    if (given !== undefined) return `\${${expression(given, names)}}`;
    return `\${${name.includes('.') ? attribute(name, names) : reference(name, names)}}`;
  });
  return `"${parts.join('')}"`;
}

/** A text as HCL writes it: like JSON, and with the signs of templates doubled. */
export function quoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c')
    .replaceAll('${', () => '$${')
    .replaceAll('%{', '%%{');
}

/** Attributes of a resource type of CloudFormation that only the deployment tells, as Terraform names them. */
export function computedAttributes(type: string): readonly string[] {
  return [
    ...new Set([...Object.values(ATTRIBUTES[type] ?? {}), ...(REFS[type] === undefined ? [] : [REFS[type]]), 'id']),
  ];
}
