import { CLUSTER, block, resources } from '../node-templates';

/** Templates of a cluster with a controller that calls AWS with a role of its own. */

export const LOAD_BALANCER_CONTROLLER = 'aws-load-balancer-controller';

/** A Helm chart with the given version, as CDK renders it. */
export function chart(
  id: string,
  name: string,
  version: string | undefined,
  values: object,
  namespace = 'kube-system',
): string {
  return block(id, 'Custom::AWSCDK-EKS-HelmChart', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    `Chart: ${name}`,
    `Release: ${name}`,
    `Namespace: ${namespace}`,
    ...(version === undefined ? [] : [`Version: ${version}`]),
    `Values: '${JSON.stringify(values)}'`,
  ]);
}

/** A statement of a policy, as JSON, which is YAML as well. */
export function allow(actions: readonly string[] | string, resource: unknown = '*', more: object = {}): string {
  return JSON.stringify({ Effect: 'Allow', Action: actions, Resource: resource, ...more });
}

/** A role that Pod Identity gives to pods, with a policy of the given statements. */
export function role(...statements: readonly string[]): string {
  return block('Role', 'AWS::IAM::Role', [
    'AssumeRolePolicyDocument:',
    '  Statement:',
    '    - Effect: Allow',
    '      Principal: { Service: pods.eks.amazonaws.com }',
    '      Action: [sts:AssumeRole, sts:TagSession]',
    'Policies:',
    '  - PolicyName: controller',
    '    PolicyDocument:',
    "      Version: '2012-10-17'",
    '      Statement:',
    ...statements.map((statement) => `        - ${statement}`),
  ]);
}

export function association(account: string, namespace = 'kube-system', roleArn = '!GetAtt Role.Arn'): string {
  return block('Association', 'AWS::EKS::PodIdentityAssociation', [
    'ClusterName: !Ref Cluster',
    `Namespace: ${namespace}`,
    `ServiceAccount: ${account}`,
    `RoleArn: ${roleArn}`,
  ]);
}

const AGENT = block('Agent', 'AWS::EKS::Addon', [
  'ClusterName: !Ref Cluster',
  'AddonName: eks-pod-identity-agent',
  'ResolveConflicts: OVERWRITE',
]);

export const withAgent = (...blocks: readonly string[]): string => resources(CLUSTER, AGENT, ...blocks);
