/** Templates of a cluster whose VPC CNI gets its permissions in one of the possible ways. */

export interface CniTemplate {
  /** @default - not written: IPv4 */
  readonly family?: string;
  /** Kubernetes version. @default '1.33' */
  readonly kubernetes?: string;
  /** AddonVersion; null: no vpc-cni add-on at all. @default - not written */
  readonly version?: string | null;
  /** Further properties of the add-on, one line each. */
  readonly addon?: readonly string[];
  /** How aws-node gets a role of its own. @default - not at all */
  readonly identity?: 'pod-identity' | 'irsa' | 'association' | 'imported';
  /** Policy documents of the CNI's own role. */
  readonly cniRole?: readonly string[];
  /** Policies of the node role. @default - WorkerNodePolicy and ECR */
  readonly nodeRole?: readonly string[];
  /** Replaces the reference to the cluster. */
  readonly cluster?: string;
  readonly nodeGroup?: boolean;
  readonly autoMode?: boolean;
  readonly fargate?: boolean;
  /** Sections before `Resources`. */
  readonly head?: string;
}

const MANAGED = (name: string) => ({ managed: `!Sub arn:\${AWS::Partition}:iam::aws:policy/${name}` }).managed;
export const WORKER = MANAGED('AmazonEKSWorkerNodePolicy');
export const ECR = MANAGED('AmazonEC2ContainerRegistryReadOnly');
export const CNI = MANAGED('AmazonEKS_CNI_Policy');

export const inline = (actions: readonly string[], resource = "'*'") => `actions:${actions.join(',')}@${resource}`;

export const TAGS = inline(['ec2:CreateTags'], '!Sub arn:${AWS::Partition}:ec2:*:*:network-interface/*');
/** What the user guide had for IPv6 until 2026. */
export const OLD_IPV6 = inline([
  'ec2:AssignIpv6Addresses',
  'ec2:DescribeInstances',
  'ec2:DescribeTags',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeInstanceTypes',
]);
export const SUBNETS = inline(['ec2:DescribeSubnets', 'ec2:DescribeSecurityGroups']);
export const IPV4_ACTIONS = [
  'AssignPrivateIpAddresses',
  'AttachNetworkInterface',
  'CreateNetworkInterface',
  'DeleteNetworkInterface',
  'DescribeInstances',
  'DescribeNetworkInterfaces',
  'DetachNetworkInterface',
  'ModifyNetworkInterfaceAttribute',
  'UnassignPrivateIpAddresses',
].map((action) => `ec2:${action}`);
export const OLD_IPV4 = inline(IPV4_ACTIONS);

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';

const POD_TRUST = [
  '          - Effect: Allow',
  '            Principal: { Service: pods.eks.amazonaws.com }',
  '            Action: [sts:AssumeRole, sts:TagSession]',
];

const IRSA_TRUST = [
  '          - Effect: Allow',
  `            Principal: { Federated: arn:aws:iam::111122223333:oidc-provider/${ISSUER} }`,
  '            Action: sts:AssumeRoleWithWebIdentity',
  '            Condition:',
  '              StringEquals:',
  `                ${ISSUER}:sub: system:serviceaccount:kube-system:aws-node`,
  `                ${ISSUER}:aud: sts.amazonaws.com`,
];

const NODE_TRUST = [
  '          - Effect: Allow',
  '            Principal: { Service: ec2.amazonaws.com }',
  '            Action: sts:AssumeRole',
];

function role(id: string, trust: readonly string[], policies: readonly string[]): string[] {
  const managed = policies.filter((policy) => !policy.startsWith('actions:'));
  const documents = policies.filter((policy) => policy.startsWith('actions:'));
  return [
    `  ${id}:`,
    '    Type: AWS::IAM::Role',
    '    Properties:',
    '      AssumeRolePolicyDocument:',
    "        Version: '2012-10-17'",
    '        Statement:',
    ...trust,
    ...(managed.length === 0 ? [] : ['      ManagedPolicyArns:', ...managed.map((arn) => `        - ${arn}`)]),
    ...(documents.length === 0 ? [] : ['      Policies:']),
    ...documents.flatMap((document, index) => {
      const [actions = '', resource = ''] = document.slice('actions:'.length).split('@');
      return [
        `        - PolicyName: P${index}`,
        '          PolicyDocument:',
        '            Statement:',
        '              - Effect: Allow',
        `                Action: [${actions}]`,
        `                Resource: ${resource}`,
      ];
    }),
  ];
}

export function cniTemplate(options: CniTemplate): string {
  const cluster = options.cluster ?? '!Ref Cluster';
  const ownRole =
    options.identity === undefined || options.identity === 'imported'
      ? []
      : role('CniRole', options.identity === 'irsa' ? IRSA_TRUST : POD_TRUST, options.cniRole ?? []);
  const identityLines: Record<string, readonly string[]> = {
    'pod-identity': [
      '      PodIdentityAssociations:',
      '        - ServiceAccount: aws-node',
      '          RoleArn: !GetAtt CniRole.Arn',
    ],
    irsa: ['      ServiceAccountRoleArn: !GetAtt CniRole.Arn'],
    imported: ['      ServiceAccountRoleArn: arn:aws:iam::111122223333:role/elsewhere'],
  };
  return [
    ...(options.head === undefined ? [] : [options.head]),
    'Resources:',
    ...(options.cluster === undefined
      ? [
          '  Cluster:',
          '    Type: AWS::EKS::Cluster',
          '    Properties:',
          `      Version: '${options.kubernetes ?? '1.33'}'`,
          '      RoleArn: arn:aws:iam::111122223333:role/cluster',
          '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
          ...(options.family === undefined
            ? []
            : ['      KubernetesNetworkConfig:', `        IpFamily: ${options.family}`]),
          ...(options.autoMode === true ? ['      ComputeConfig: { Enabled: true }'] : []),
        ]
      : []),
    ...(options.version === null
      ? []
      : [
          '  Cni:',
          '    Type: AWS::EKS::Addon',
          '    Properties:',
          `      ClusterName: ${cluster}`,
          '      AddonName: vpc-cni',
          ...(options.version === undefined ? [] : [`      AddonVersion: ${options.version}`]),
          ...(identityLines[options.identity ?? ''] ?? []),
          ...(options.addon ?? []).map((line) => `      ${line}`),
        ]),
    ...(options.identity === 'association'
      ? [
          '  Association:',
          '    Type: AWS::EKS::PodIdentityAssociation',
          '    Properties:',
          `      ClusterName: ${cluster}`,
          '      Namespace: kube-system',
          '      ServiceAccount: aws-node',
          '      RoleArn: !GetAtt CniRole.Arn',
        ]
      : []),
    ...(options.fargate === true
      ? [
          '  Profile:',
          '    Type: AWS::EKS::FargateProfile',
          '    Properties:',
          `      ClusterName: ${cluster}`,
          '      PodExecutionRoleArn: arn:aws:iam::111122223333:role/f',
          '      Selectors: [{ Namespace: default }]',
        ]
      : []),
    ...(options.nodeGroup === false
      ? []
      : [
          '  Nodes:',
          '    Type: AWS::EKS::Nodegroup',
          '    Properties:',
          `      ClusterName: ${cluster}`,
          '      NodeRole: !GetAtt NodeRole.Arn',
          '      Subnets: [subnet-1]',
          ...role('NodeRole', NODE_TRUST, options.nodeRole ?? [WORKER, ECR]),
        ]),
    ...ownRole,
    '',
  ].join('\n');
}

/** Conditions that exclude each other: IPv4 or IPv6. */
export const FAMILIES = [
  'Parameters:',
  '  Family:',
  '    Type: String',
  '    AllowedValues: [ipv4, ipv6]',
  'Conditions:',
  '  V6: !Equals [!Ref Family, ipv6]',
  '  V4: !Not [!Condition V6]',
].join('\n');

/** A second vpc-cni add-on beside the first, each created under its own condition. */
export function perFamily(options: Omit<CniTemplate, 'head'>, second: (addon: string) => string): string {
  const template = cniTemplate({ ...options, head: FAMILIES });
  const [addon = ''] = /^ {2}Cni:\n(?: {4}.*\n)+/m.exec(template) ?? [];
  const under = (text: string, condition: string) =>
    text.replace('    Properties:', `    Condition: ${condition}\n    Properties:`);
  return template.replace(addon, () => under(addon, 'V4') + second(under(addon.replace('  Cni:', '  CniSix:'), 'V6')));
}

/** The CNI's role a second time, under another name and with other policies. */
export function secondRole(id: string, policies: readonly string[]): string {
  return [...role(id, IRSA_TRUST, policies), ''].join('\n');
}
