import { vpcCniResolveConflicts } from '../../../lib/rules/vpc-cni/vpc-cni-resolve-conflicts';
import { testRule } from '../rule-tester';

const addon = (...properties: string[]) =>
  ['Resources:', '  Cni:', '    Type: AWS::EKS::Addon', '    Properties:', '      ClusterName: demo', '      AddonName: vpc-cni', ...properties.map((one) => `      ${one}`), ''].join('\n');

const manifest = (json: string) =>
  [
    '  Applied:',
    '    Type: Custom::AWSCDK-EKS-KubernetesResource',
    '    Properties:',
    '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    '      ClusterName: demo',
    `      Manifest: '[${json}]'`,
    '',
  ].join('\n');

const POLICY = manifest('{"apiVersion":"vpcresources.k8s.aws/v1beta1","kind":"SecurityGroupPolicy","metadata":{"name":"web"},"spec":{"podSelector":{},"securityGroups":{"groupIds":["sg-1"]}}}');
const ENI_CONFIG = manifest('{"apiVersion":"crd.k8s.amazonaws.com/v1alpha1","kind":"ENIConfig","metadata":{"name":"eu-west-1a"},"spec":{"subnet":"subnet-0a"}}');

const patch = (env: string, list = 'containers') =>
  [
    '  Patch:',
    '    Type: Custom::AWSCDK-EKS-KubernetesPatch',
    '    Properties:',
    '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    '      ClusterName: demo',
    '      ResourceName: daemonset/aws-node',
    '      ResourceNamespace: kube-system',
    `      ApplyPatchJson: '{"spec":{"template":{"spec":{"${list}":[{"name":"aws-node","env":[${env}]}]}}}}'`,
    "      RestorePatchJson: '{}'",
    '      PatchType: strategic',
    '',
  ].join('\n');

const FARGATE = '  Pods:\n    Type: AWS::EKS::FargateProfile\n    Properties: { ClusterName: demo, PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods, Selectors: [{ Namespace: default }] }\n';

const NODES = '  Nodes:\n    Type: AWS::EKS::Nodegroup\n    Properties: { ClusterName: demo, NodeRole: arn:aws:iam::111122223333:role/nodes, Subnets: [subnet-0a], InstanceTypes: [m5.large] }\n';

const STAGE = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n  IsTest: !Equals [!Ref Stage, test]\n';

testRule(vpcCniResolveConflicts, {
  valid: [
    { name: 'PRESERVE without configuration values passes', template: addon('ResolveConflicts: PRESERVE') },
    { name: 'PRESERVE with a SecurityGroupPolicy in the stack passes', template: addon('ResolveConflicts: PRESERVE') + POLICY },
    {
      name: 'a parameter with the default PRESERVE passes',
      template: 'Parameters:\n  Mode:\n    Type: String\n    Default: PRESERVE\n' + addon('ResolveConflicts: !Ref Mode'),
    },
  ],
  invalid: [
    {
      name: 'a SecurityGroupPolicy that is created under another condition than the add-on is no evidence',
      template: STAGE + addon('ResolveConflicts: OVERWRITE').replace('    Properties:', '    Condition: IsTest\n    Properties:') + POLICY.replace('    Properties:', '    Condition: IsProd\n    Properties:'),
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['IsTest is true'] }],
    },
    {
      name: 'a SecurityGroupPolicy under a condition is evidence where it exists',
      template: STAGE + addon('ResolveConflicts: OVERWRITE') + POLICY.replace('    Properties:', '    Condition: IsProd\n    Properties:'),
      findings: [
        { message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['IsProd is true'] },
        { message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['IsProd is false'] },
      ],
    },
    {
      name: 'OVERWRITE without configuration values fails',
      template: addon('ResolveConflicts: OVERWRITE'),
      fixed: addon('ResolveConflicts: PRESERVE'),
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['OVERWRITE', 'ENABLE_POD_ENI'] }],
    },
    {
      name: 'OVERWRITE with {} counts as without configuration values',
      template: addon('ResolveConflicts: OVERWRITE', "ConfigurationValues: '{}'"),
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with empty blocks counts as without configuration values',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{},"init":{"env":{}}}'`),
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with configuration values and no evidence is a warning',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"ENABLE_POD_ENI":"true"},"init":{"env":{"DISABLE_TCP_EARLY_DEMUX":"true"}}}'`),
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with configuration values from a parameter is a warning',
      template: 'Parameters:\n  Values:\n    Type: String\n' + addon('ResolveConflicts: OVERWRITE', 'ConfigurationValues: !Ref Values'),
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy and no ENABLE_POD_ENI fails and names both',
      template: addon('ResolveConflicts: OVERWRITE') + POLICY,
      findings: [{ message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['SecurityGroupPolicy web', 'env.ENABLE_POD_ENI'] }],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy and other configuration values fails',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) + POLICY,
      findings: [{ message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy that may be for pods on Fargate, beside nodes, is a warning',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) + POLICY + FARGATE + NODES,
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'a Fargate profile that is there in one branch only leaves the policy as evidence in the other',
      template: STAGE + addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) + POLICY + FARGATE.replace('    Properties:', '    Condition: IsProd\n    Properties:') + NODES,
      findings: [
        { message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['IsProd is false'] },
        { message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts', says: ['IsProd is true'] },
      ],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy and ENABLE_POD_ENI in the values is a warning',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"ENABLE_POD_ENI":"true"}}'`) + POLICY,
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy of pods on Fargate, which need no variable, is a warning',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) + POLICY + FARGATE,
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with an ENIConfig and no custom networking in the values fails',
      template: addon('ResolveConflicts: OVERWRITE') + ENI_CONFIG,
      findings: [{ message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['ENIConfig eu-west-1a', 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG'] }],
    },
    {
      name: 'OVERWRITE with a patch of a variable that EKS renders fails',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) + patch('{"name":"ENABLE_PREFIX_DELEGATION","value":"true"}'),
      findings: [{ message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['patch Patch', 'env.ENABLE_PREFIX_DELEGATION'] }],
    },
    {
      name: 'OVERWRITE with a patch of the init container names the init variable',
      template: addon('ResolveConflicts: OVERWRITE') + patch('{"name":"DISABLE_TCP_EARLY_DEMUX","value":"true"}', 'initContainers'),
      findings: [{ message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['init.env.DISABLE_TCP_EARLY_DEMUX'] }],
    },
    {
      name: 'OVERWRITE with a patch of a variable that EKS does not render has no evidence',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"ENABLE_POD_ENI":"true"}}'`) + patch('{"name":"MAX_ENI","value":"2"}'),
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'no mode is a warning, at the block in which it would stand',
      template: addon(),
      fixed: addon('ResolveConflicts: PRESERVE'),
      findings: [{ message: 'not-set', severity: 'warning', resource: 'Cni', at: 'Properties' }],
    },
    {
      name: 'NONE is a warning',
      template: addon('ResolveConflicts: NONE'),
      findings: [{ message: 'none', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts', says: ['ConfigurationConflict'] }],
    },
    {
      name: 'a mode in small letters fails',
      template: addon('ResolveConflicts: overwrite'),
      findings: [{ message: 'no-mode', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['"overwrite"'] }],
    },
    {
      name: 'one bad branch of Fn::If fails and names the condition',
      template:
        'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n' + addon('ResolveConflicts: !If [IsProd, PRESERVE, OVERWRITE]'),
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['IsProd'] }],
    },
  ],
  unverifiable: [
    {
      name: 'a mode from a parameter without default',
      template: 'Parameters:\n  Mode:\n    Type: String\n' + addon('ResolveConflicts: !Ref Mode'),
      resources: ['Cni'],
      because: 'Mode',
    },
    {
      name: 'an add-on whose name is a parameter',
      template: 'Parameters:\n  Name:\n    Type: String\n' + addon('ResolveConflicts: OVERWRITE').replace('AddonName: vpc-cni', 'AddonName: !Ref Name'),
      resources: ['Cni'],
      because: 'name',
    },
  ],
  notApplicable: [
    { name: 'other add-ons', template: addon('ResolveConflicts: OVERWRITE').replace('vpc-cni', 'coredns') },
    { name: 'a cluster without add-on', template: 'Resources:\n  Cluster:\n    Type: AWS::EKS::Cluster\n    Properties:\n      RoleArn: arn:aws:iam::111122223333:role/c\n      ResourcesVpcConfig:\n        SubnetIds: [subnet-1]\n' },
  ],
});
