import { block } from '../node-templates';

/** Roles, and what a cluster gives them to, for vectors of CloudFormation. */

export interface RoleTemplate {
  /** Services that are trusted with `sts:AssumeRole`. */
  readonly services: readonly string[];
  /** Actions of the trust policy. @default sts:AssumeRole */
  readonly trustActions?: readonly string[];
  /** AWS managed policies by name, or whatever stands in their list. @default - none */
  readonly managed?: readonly string[];
  /** Statements of one inline policy. @default - none */
  readonly statements?: readonly StatementTemplate[];
  /** Further properties, one line each. */
  readonly more?: readonly string[];
}

export interface StatementTemplate {
  readonly effect?: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  /** @default '*' */
  readonly resource?: string;
  /** One line of YAML. @default - none */
  readonly condition?: string;
  /** `NotAction` in place of `Action`. */
  readonly isNegated?: boolean;
}

export function managed(name: string): string {
  return `!Sub 'arn:\${AWS::Partition}:iam::aws:policy/${name}'`;
}

export function iamRole(
  id: string,
  { services, trustActions, managed: policies, statements, more }: RoleTemplate,
): string {
  return block(id, 'AWS::IAM::Role', [
    'AssumeRolePolicyDocument:',
    "  Version: '2012-10-17'",
    '  Statement:',
    '    - Effect: Allow',
    `      Principal: { Service: [${services.join(', ')}] }`,
    `      Action: [${(trustActions ?? ['sts:AssumeRole']).join(', ')}]`,
    ...(policies === undefined ? [] : ['ManagedPolicyArns:', ...policies.map((one) => `  - ${arnOf(one)}`)]),
    ...(statements === undefined ? [] : inlinePolicy(statements)),
    ...(more ?? []),
  ]);
}

function arnOf(policy: string): string {
  return /^\w+$/.test(policy) ? managed(policy) : policy;
}

function inlinePolicy(statements: readonly StatementTemplate[]): string[] {
  return ['Policies:', '  - PolicyName: Own', ...document(statements).map((line) => `    ${line}`)];
}

/** `PolicyDocument` of an inline or separate policy. */
export function document(statements: readonly StatementTemplate[]): string[] {
  return [
    'PolicyDocument:',
    "  Version: '2012-10-17'",
    '  Statement:',
    ...statements.flatMap(({ effect, actions, resource, condition, isNegated }) => [
      `    - Effect: ${effect ?? 'Allow'}`,
      `      ${isNegated === true ? 'NotAction' : 'Action'}: [${actions.map((action) => `'${action}'`).join(', ')}]`,
      `      Resource: ${resource ?? "'*'"}`,
      ...(condition === undefined ? [] : [`      Condition: ${condition}`]),
    ]),
  ];
}

/** A cluster that names its role. @param role @default - by ARN, so that the input doesn't hold it */
export function clusterWith(role?: string, ...more: readonly string[]): string {
  return block('Cluster', 'AWS::EKS::Cluster', [
    `RoleArn: ${role === undefined ? 'arn:aws:iam::111122223333:role/cluster' : `!GetAtt ${role}.Arn`}`,
    'ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
    ...more,
  ]);
}

/** A managed node group that names its role. */
export function groupWith(role: string, ...more: readonly string[]): string {
  return namedGroupWith('Workers', role, ...more);
}

export function namedGroupWith(id: string, role: string, ...more: readonly string[]): string {
  return block(id, 'AWS::EKS::Nodegroup', [
    'ClusterName: !Ref Cluster',
    `NodeRole: ${role.includes(':') || role.startsWith('!') ? role : `!GetAtt ${role}.Arn`}`,
    'Subnets: [subnet-1, subnet-2]',
    ...more,
  ]);
}

/** Nodes that EKS doesn't manage: `Group` with the launch template `Nodes`, and a profile `Profile` with a role. @param image the SSM parameter of its AMI, or an id */
export function selfManagedWith(
  role: string,
  image = '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
): string {
  return [
    block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
      "MinSize: '1'",
      "MaxSize: '2'",
      "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
      'Tags: [{ Key: !Sub "kubernetes.io/cluster/${Cluster}", Value: owned, PropagateAtLaunch: true }]',
    ]),
    block('Nodes', 'AWS::EC2::LaunchTemplate', [
      'LaunchTemplateData:',
      `  ImageId: '${image.startsWith('ami-') ? image : `{{resolve:ssm:${image}}}`}'`,
      '  IamInstanceProfile: { Arn: !GetAtt Profile.Arn }',
      '  MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
    ]),
    block('Profile', 'AWS::IAM::InstanceProfile', [`Roles: [!Ref ${role}]`]),
  ].join('\n');
}
