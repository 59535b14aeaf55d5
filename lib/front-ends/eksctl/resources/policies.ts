import type { AttachedPolicy, PolicyDocument, PolicyStatement } from '../../../eks';
import { Absent, choose, Known, Unknown, type Plain, type Value } from '../../../value';
import { always } from '../../../value';
import { PolicyDocumentReader, type PolicyEntry, type PolicyValues } from '../../parts/policy-document';
import type { ConfigFile } from '../config-file';
import { ConfigNode } from '../config-node';
import { awsPolicies, condition, inlinePolicy, statement } from './roles';

type NodeValue = ConfigNode;

class ConfigValues implements PolicyValues<NodeValue> {
  isMap({ value }: Known<NodeValue>): boolean {
    return typeof value.raw === 'object' && value.raw !== null && !Array.isArray(value.raw);
  }

  entry({ value }: Known<NodeValue>, key: string): Value<NodeValue> {
    return nodeValue(value.child(key));
  }

  entries({ value }: Known<NodeValue>): readonly PolicyEntry<NodeValue>[] {
    return value.keys.map((key) => ({ key, value: nodeValue(value.child(key)), source: value.child(key) }));
  }

  items({ value }: Known<NodeValue>): Value<readonly Value<NodeValue>[]> | undefined {
    return Array.isArray(value.raw) ? new Known(value.items.map(nodeValue), value) : undefined;
  }

  text(value: Value<NodeValue>): Value<string> {
    return value.kind === 'known' ? value.value.text : (value as Plain<string>);
  }

  parsed(value: Known<NodeValue> | Unknown): Value<NodeValue> {
    return value;
  }

  combine(values: readonly Value<NodeValue>[]) {
    return [{ when: always, values: values as readonly Plain<NodeValue>[] }];
  }
}

function nodeValue(node: ConfigNode): Plain<NodeValue> {
  return node.isWritten ? new Known(node, node) : new Absent(node.place);
}

const READER = new PolicyDocumentReader(new ConfigValues());

/** A policy document that stands in the file. */
export function writtenPolicy(name: string, node: ConfigNode): readonly AttachedPolicy[] {
  if (!node.isWritten) return [];
  const document: Value<PolicyDocument> = choose([
    { when: always, value: READER.document(new Known(node, node)) as Plain<PolicyDocument> },
  ]);
  return [{ kind: 'document', name, document, source: node }];
}

/*
 * The statements of eksctl's own policies. Source: cfn/builder/statement.go. What they grant with conditions of the request is left to these.
 */

const AUTO_SCALER = [
  'autoscaling:DescribeAutoScalingGroups',
  'autoscaling:DescribeAutoScalingInstances',
  'autoscaling:DescribeLaunchConfigurations',
  'autoscaling:DescribeScalingActivities',
  'autoscaling:DescribeTags',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeLaunchTemplateVersions',
  'autoscaling:SetDesiredCapacity',
  'autoscaling:TerminateInstanceInAutoScalingGroup',
  'ec2:DescribeImages',
  'ec2:GetInstanceTypesFromInstanceRequirements',
  'eks:DescribeNodegroup',
];

const LOAD_BALANCER_CONTROLLER = [
  'ec2:DescribeAccountAttributes',
  'ec2:DescribeAddresses',
  'ec2:DescribeAvailabilityZones',
  'ec2:DescribeInternetGateways',
  'ec2:DescribeVpcs',
  'ec2:DescribeVpcPeeringConnections',
  'ec2:DescribeSubnets',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeInstances',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeTags',
  'ec2:GetCoipPoolUsage',
  'ec2:DescribeCoipPools',
  'ec2:GetSecurityGroupsForVpc',
  'ec2:DescribeIpamPools',
  'ec2:DescribeRouteTables',
  'ec2:AuthorizeSecurityGroupIngress',
  'ec2:RevokeSecurityGroupIngress',
  'ec2:CreateSecurityGroup',
  ...[
    'DescribeLoadBalancers',
    'DescribeLoadBalancerAttributes',
    'DescribeListeners',
    'DescribeListenerCertificates',
    'DescribeSSLPolicies',
    'DescribeRules',
    'DescribeTargetGroups',
    'DescribeTargetGroupAttributes',
    'DescribeTargetHealth',
    'DescribeTags',
    'DescribeTrustStores',
    'DescribeListenerAttributes',
    'DescribeCapacityReservation',
    'CreateListener',
    'DeleteListener',
    'CreateRule',
    'DeleteRule',
    'SetWebAcl',
    'ModifyListener',
    'AddListenerCertificates',
    'RemoveListenerCertificates',
    'ModifyRule',
    'SetRulePriorities',
  ].map((name) => `elasticloadbalancing:${name}`),
  'cognito-idp:DescribeUserPoolClient',
  'acm:ListCertificates',
  'acm:DescribeCertificate',
  'iam:ListServerCertificates',
  'iam:GetServerCertificate',
  ...['GetWebACL', 'GetWebACLForResource', 'AssociateWebACL', 'DisassociateWebACL'].flatMap((name) => [
    `waf-regional:${name}`,
    `wafv2:${name}`,
  ]),
  ...['GetSubscriptionState', 'DescribeProtection', 'CreateProtection', 'DeleteProtection'].map(
    (name) => `shield:${name}`,
  ),
];

/** Of resources that carry the controller's tag, or are given it. */
const LOAD_BALANCER_CONTROLLER_TAGGED = [
  'ec2:CreateTags',
  'ec2:DeleteTags',
  'ec2:DeleteSecurityGroup',
  ...[
    'CreateLoadBalancer',
    'CreateTargetGroup',
    'ModifyLoadBalancerAttributes',
    'SetIpAddressType',
    'SetSecurityGroups',
    'SetSubnets',
    'DeleteLoadBalancer',
    'ModifyTargetGroup',
    'ModifyTargetGroupAttributes',
    'DeleteTargetGroup',
    'ModifyCapacityReservation',
    'ModifyIpPools',
    'AddTags',
    'RemoveTags',
    'RegisterTargets',
    'DeregisterTargets',
  ].map((name) => `elasticloadbalancing:${name}`),
];

const EXTERNAL_DNS = ['route53:ListHostedZones', 'route53:ListResourceRecordSets', 'route53:ListTagsForResource'];
const CERT_MANAGER = ['route53:ListResourceRecordSets', 'route53:ListHostedZonesByName'];
const EFS_EC2 = [
  'ec2:DescribeSubnets',
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DeleteNetworkInterface',
  'ec2:ModifyNetworkInterfaceAttribute',
  'ec2:DescribeNetworkInterfaceAttribute',
];
const EFS_CSI = [
  'DescribeAccessPoints',
  'DescribeFileSystems',
  'CreateAccessPoint',
  'TagResource',
  'DeleteAccessPoint',
];

/** What each key of `withAddonPolicies` and `wellKnownPolicies` grants. */
const GRANTS: Readonly<Record<string, (file: ConfigFile, source: ConfigNode) => readonly AttachedPolicy[]>> = {
  imageBuilder: (file, source) => awsPolicies(file, ['AmazonEC2ContainerRegistryPowerUser'], source),
  cloudWatch: (file, source) => awsPolicies(file, ['CloudWatchAgentServerPolicy'], source),
  ebs: (file, source) => awsPolicies(file, ['service-role/AmazonEBSCSIDriverPolicy'], source),
  ebsCSIController: (file, source) => awsPolicies(file, ['service-role/AmazonEBSCSIDriverPolicy'], source),
  autoScaler: (_, source) => [grant('PolicyAutoScaling', AUTO_SCALER, source)],
  awsLoadBalancerController: loadBalancerController,
  albIngress: loadBalancerController,
  externalDNS: (file, source) => [
    hostedZones('PolicyExternalDNSChangeSet', file, source),
    grant('PolicyExternalDNSHostedZones', EXTERNAL_DNS, source),
  ],
  certManager: (file, source) => [
    hostedZones('PolicyCertManagerChangeSet', file, source),
    grant('PolicyCertManagerHostedZones', CERT_MANAGER, source),
    grant('PolicyCertManagerGetChange', ['route53:GetChange'], source),
  ],
  efs: (_, source) => [grant('PolicyEFS', ['elasticfilesystem:*'], source), grant('PolicyEFSEC2', EFS_EC2, source)],
  efsCSIController: (_, source) => [
    grant(
      'PolicyEFSCSIController',
      EFS_CSI.map((name) => `elasticfilesystem:${name}`),
      source,
    ),
  ],
  fsx: (_, source) => [grant('PolicyFSX', ['fsx:*'], source)],
  xRay: (_, source) => [
    grant(
      'PolicyXRay',
      [
        'PutTraceSegments',
        'PutTelemetryRecords',
        'GetSamplingRules',
        'GetSamplingTargets',
        'GetSamplingStatisticSummaries',
      ].map((name) => `xray:${name}`),
      source,
    ),
  ],
  appMesh: (_, source) => [grant('PolicyAppMesh', ['appmesh:*'], source)],
  appMeshPreview: (_, source) => [grant('PolicyAppMeshPreview', ['appmesh-preview:*'], source)],
};

/** Whether something of a map is switched on that eksctl knows; it refuses a file with other keys. */
export function hasWellKnown(map: ConfigNode): boolean {
  return map.keys.some((key) => Object.hasOwn(GRANTS, key) && map.child(key).raw !== false);
}

/** The policies of what is switched on in a map. */
export function wellKnownPolicies(file: ConfigFile, map: ConfigNode): readonly AttachedPolicy[] {
  return map.keys.flatMap((key) => {
    const node = map.child(key);
    const { boolean } = node;
    const grants = Object.hasOwn(GRANTS, key) ? GRANTS[key] : undefined;
    if (grants === undefined || (boolean.kind === 'known' && !boolean.value) || boolean.kind === 'absent') return [];
    if (boolean.kind === 'known') return grants(file, node);
    return [{ kind: 'document', name: key, document: boolean, source: node } satisfies AttachedPolicy];
  });
}

function grant(name: string, actions: readonly string[], source: ConfigNode, resource = '*'): AttachedPolicy {
  return inlinePolicy(name, [statement(source, { actions, resources: [resource] })], source);
}

function hostedZones(name: string, { environment }: ConfigFile, source: ConfigNode): AttachedPolicy {
  return grant(
    name,
    ['route53:ChangeResourceRecordSets'],
    source,
    `arn:${environment.partition ?? 'aws'}:route53:::hostedzone/*`,
  );
}

function loadBalancerController(_: ConfigFile, source: ConfigNode): readonly AttachedPolicy[] {
  const tagged = (key: string): PolicyStatement =>
    statement(source, {
      actions: LOAD_BALANCER_CONTROLLER_TAGGED,
      resources: ['*'],
      conditions: [condition('Null', `aws:${key}/elbv2.k8s.aws/cluster`, new Known('false', source), source)],
    });
  const linked = statement(source, {
    actions: ['iam:CreateServiceLinkedRole'],
    resources: ['*'],
    conditions: [
      condition('StringEquals', 'iam:AWSServiceName', new Known('elasticloadbalancing.amazonaws.com', source), source),
    ],
  });
  const plain = statement(source, { actions: LOAD_BALANCER_CONTROLLER, resources: ['*'] });
  return [
    inlinePolicy(
      'PolicyAWSLoadBalancerController',
      [linked, plain, tagged('ResourceTag'), tagged('RequestTag')],
      source,
    ),
  ];
}
