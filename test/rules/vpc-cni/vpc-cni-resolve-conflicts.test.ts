import { stringify } from 'yaml';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { vpcCniResolveConflicts } from '../../../lib/rules/vpc-cni/vpc-cni-resolve-conflicts';
import { plan } from '../plan-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const addon = (...properties: string[]) =>
  [
    'Resources:',
    '  Cni:',
    '    Type: AWS::EKS::Addon',
    '    Properties:',
    '      ClusterName: demo',
    '      AddonName: vpc-cni',
    ...properties.map((one) => `      ${one}`),
    '',
  ].join('\n');

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

const POLICY = manifest(
  '{"apiVersion":"vpcresources.k8s.aws/v1beta1","kind":"SecurityGroupPolicy","metadata":{"name":"web"},"spec":{"podSelector":{},"securityGroups":{"groupIds":["sg-1"]}}}',
);
const ENI_CONFIG = manifest(
  '{"apiVersion":"crd.k8s.amazonaws.com/v1alpha1","kind":"ENIConfig","metadata":{"name":"eu-west-1a"},"spec":{"subnet":"subnet-0a"}}',
);

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

const FARGATE =
  '  Pods:\n    Type: AWS::EKS::FargateProfile\n    Properties: { ClusterName: demo, PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods, Selectors: [{ Namespace: default }] }\n';

const ACCESS =
  '  Access:\n    Type: AWS::EKS::AccessEntry\n    Properties: { ClusterName: demo, PrincipalArn: arn:aws:iam::111122223333:role/karpenter-nodes, Type: EC2_LINUX }\n';

const KARPENTER =
  '  Karpenter:\n    Type: AWS::EKS::PodIdentityAssociation\n    Properties: { ClusterName: demo, Namespace: kube-system, ServiceAccount: karpenter, RoleArn: arn:aws:iam::111122223333:role/karpenter }\n';

const AUTO =
  '  Cluster:\n    Type: AWS::EKS::Cluster\n    Properties: { Name: demo, RoleArn: arn:aws:iam::111122223333:role/c, ResourcesVpcConfig: { SubnetIds: [subnet-1] }, ComputeConfig: { Enabled: true } }\n';

const NODES =
  '  Nodes:\n    Type: AWS::EKS::Nodegroup\n    Properties: { ClusterName: demo, NodeRole: arn:aws:iam::111122223333:role/nodes, Subnets: [subnet-0a], InstanceTypes: [m5.large] }\n';

const STAGE =
  'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n  IsTest: !Equals [!Ref Stage, test]\n';

/** A plan that changes the add-on, which updates with OVERWRITE. @param others more resources of the plan, in YAML */
const planned = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  ...others: readonly string[]
) => {
  const base = {
    cluster_name: 'demo',
    addon_name: 'vpc-cni',
    addon_version: 'v1.19.0-eksbuild.1',
    resolve_conflicts_on_update: 'OVERWRITE',
    preserve: true,
  };
  return plan(stringify({ 'aws_eks_addon.cni': { before: { ...base, ...before }, after } }), ...others);
};

const values = (env: Readonly<Record<string, string>>, init: Readonly<Record<string, string>> = {}) => ({
  configuration_values: JSON.stringify({ env, init: { env: init } }),
});

const TO_1_20 = { addon_version: 'v1.20.4-eksbuild.2' };
const AT_MODE = {
  severity: 'warning',
  resource: 'aws_eks_addon.cni',
  at: '"resolve_conflicts_on_update": "OVERWRITE"',
} as const;

testRule(vpcCniResolveConflicts, {
  valid: [
    {
      name: 'an update of the version in a plan passes with PRESERVE',
      template: planned({ resolve_conflicts_on_update: 'PRESERVE' }, TO_1_20),
    },
    {
      name: 'a plan that sets PRESERVE with the update passes',
      template: planned(values({ ENABLE_POD_ENI: 'true' }), { resolve_conflicts_on_update: 'PRESERVE', ...values({}) }),
    },
    { name: 'PRESERVE without configuration values passes', template: addon('ResolveConflicts: PRESERVE') },
    {
      name: 'PRESERVE with a SecurityGroupPolicy in the stack passes',
      template: addon('ResolveConflicts: PRESERVE') + POLICY,
    },
    {
      name: 'a parameter with the default PRESERVE passes',
      template:
        'Parameters:\n  Mode:\n    Type: String\n    Default: PRESERVE\n' + addon('ResolveConflicts: !Ref Mode'),
    },
  ],
  invalid: [
    {
      name: 'a SecurityGroupPolicy that is created under another condition than the add-on is no evidence',
      template:
        STAGE +
        addon('ResolveConflicts: OVERWRITE').replace('    Properties:', '    Condition: IsTest\n    Properties:') +
        POLICY.replace('    Properties:', '    Condition: IsProd\n    Properties:'),
      findings: [
        {
          message: 'no-configuration',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          omits: ['IsTest'],
        },
      ],
    },
    {
      name: 'a SecurityGroupPolicy under a condition is evidence where it exists',
      template:
        STAGE +
        addon('ResolveConflicts: OVERWRITE') +
        POLICY.replace('    Properties:', '    Condition: IsProd\n    Properties:'),
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          related: ['Applied:'],
          says: ['IsProd is true'],
        },
        {
          message: 'no-configuration',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          says: ['IsProd is false'],
        },
      ],
    },
    {
      name: 'OVERWRITE without configuration values fails',
      template: addon('ResolveConflicts: OVERWRITE'),
      fixed: addon('ResolveConflicts: PRESERVE'),
      findings: [
        {
          message: 'no-configuration',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          says: ['OVERWRITE', 'ENABLE_POD_ENI'],
          omits: ['default of its module'],
        },
      ],
    },
    {
      name: 'a Fargate profile that is there in one branch only leaves the other',
      template:
        STAGE +
        addon('ResolveConflicts: OVERWRITE') +
        FARGATE.replace('    Properties:', '    Condition: IsProd\n    Properties:'),
      findings: [
        {
          message: 'no-configuration',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          says: ['IsProd is false'],
        },
      ],
    },
    {
      name: 'Fargate beside nodes that only an access entry shows',
      template: addon('ResolveConflicts: OVERWRITE') + FARGATE + ACCESS,
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'Fargate beside a Karpenter that something else installs',
      template: addon('ResolveConflicts: OVERWRITE') + FARGATE + KARPENTER,
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'Auto Mode beside a node group',
      template: addon('ResolveConflicts: OVERWRITE') + AUTO + NODES,
      findings: [{ message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts' }],
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
      template: addon(
        'ResolveConflicts: OVERWRITE',
        `ConfigurationValues: '{"env":{"ENABLE_POD_ENI":"true"},"init":{"env":{"DISABLE_TCP_EARLY_DEMUX":"true"}}}'`,
      ),
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with configuration values from a parameter is a warning',
      template:
        'Parameters:\n  Values:\n    Type: String\n' +
        addon('ResolveConflicts: OVERWRITE', 'ConfigurationValues: !Ref Values'),
      findings: [
        {
          message: 'overwrite',
          severity: 'warning',
          resource: 'Cni',
          at: 'ResolveConflicts',
          omits: ['its configuration values survive'],
        },
      ],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy and no ENABLE_POD_ENI fails and names both',
      template: addon('ResolveConflicts: OVERWRITE') + POLICY,
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          says: ['SecurityGroupPolicy web', 'env.ENABLE_POD_ENI'],
        },
      ],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy and other configuration values fails',
      template: addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) + POLICY,
      findings: [{ message: 'settings-elsewhere', severity: 'error', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy that may be for pods on Fargate, beside nodes, is a warning',
      template:
        addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) +
        POLICY +
        FARGATE +
        NODES,
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'a Fargate profile that is there in one branch only leaves the policy as evidence in the other',
      template:
        STAGE +
        addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) +
        POLICY +
        FARGATE.replace('    Properties:', '    Condition: IsProd\n    Properties:') +
        NODES,
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          says: ['IsProd is false'],
        },
        {
          message: 'overwrite',
          severity: 'warning',
          resource: 'Cni',
          at: 'ResolveConflicts',
          says: ['IsProd is true'],
        },
      ],
    },
    {
      name: 'OVERWRITE with a SecurityGroupPolicy and ENABLE_POD_ENI in the values is a warning',
      template:
        addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"ENABLE_POD_ENI":"true"}}'`) + POLICY,
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'OVERWRITE with an ENIConfig and no custom networking in the values fails',
      template: addon('ResolveConflicts: OVERWRITE') + ENI_CONFIG,
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          related: ['Applied:'],
          says: ['ENIConfig eu-west-1a', 'AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG'],
          // Without the label, custom networking gives nodes no ENIConfig, and none gets ready.
          advises:
            'Add `{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"topology.kubernetes.io/zone"}}` to the configuration values',
        },
      ],
    },
    {
      name: 'an ENIConfig with a name of its own, which nodes ask for by a label',
      template: addon('ResolveConflicts: OVERWRITE') + ENI_CONFIG.replace('eu-west-1a', 'pods'),
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          advises: 'Add `{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true"}}` to the configuration values',
        },
      ],
    },
    {
      name: 'an ENIConfig named by a zone, with values that choose another label',
      template:
        addon(
          'ResolveConflicts: OVERWRITE',
          `ConfigurationValues: '{"env":{"ENI_CONFIG_LABEL_DEF":"example.com/zone"}}'`,
        ) + ENI_CONFIG,
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          advises: 'Add `{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true"}}` to the configuration values',
        },
      ],
    },
    {
      name: 'OVERWRITE with a patch of a variable that EKS renders fails',
      template:
        addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) +
        patch('{"name":"ENABLE_PREFIX_DELEGATION","value":"true"}'),
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          related: ['Patch:'],
          says: ['patch Patch', 'env.ENABLE_PREFIX_DELEGATION'],
        },
      ],
    },
    {
      name: 'OVERWRITE with a patch of the init container names the init variable',
      template:
        addon('ResolveConflicts: OVERWRITE') +
        patch('{"name":"DISABLE_TCP_EARLY_DEMUX","value":"true"}', 'initContainers'),
      findings: [
        {
          message: 'settings-elsewhere',
          severity: 'error',
          resource: 'Cni',
          at: 'ResolveConflicts',
          related: ['Patch:'],
          says: ['init.env.DISABLE_TCP_EARLY_DEMUX'],
        },
      ],
    },
    {
      name: 'OVERWRITE with a patch of a variable that EKS does not render has no evidence',
      template:
        addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"ENABLE_POD_ENI":"true"}}'`) +
        patch('{"name":"MAX_ENI","value":"2"}'),
      findings: [{ message: 'overwrite', severity: 'warning', resource: 'Cni', at: 'ResolveConflicts' }],
    },
    {
      name: 'no mode is a warning, at the block in which it would stand',
      template: addon(),
      fixed: addon('ResolveConflicts: PRESERVE'),
      findings: [
        {
          message: 'not-set',
          severity: 'warning',
          resource: 'Cni',
          at: 'Properties',
          says: ['documents no default', 'changed outside of the add-on'],
        },
      ],
    },
    {
      name: 'NONE is a warning',
      template: addon('ResolveConflicts: NONE'),
      findings: [
        {
          message: 'none',
          severity: 'warning',
          resource: 'Cni',
          at: 'ResolveConflicts',
          says: ['ConfigurationConflict', 'changed outside of the add-on'],
          omits: ['differs from the EKS default'],
        },
      ],
    },
    {
      name: 'a plan that takes a setting out of the configuration values names it',
      template: planned(values({ ENABLE_POD_ENI: 'true', WARM_ENI_TARGET: '2' }), {
        ...TO_1_20,
        ...values({ WARM_ENI_TARGET: '2' }),
      }),
      findings: [
        {
          ...AT_MODE,
          message: 'reset',
          says: [
            'in this plan from v1.19.0-eksbuild.1 to v1.20.4-eksbuild.2',
            'ENABLE_POD_ENI ("true" to "false"), which its configuration values no longer set',
          ],
          omits: ['WARM_ENI_TARGET'],
        },
      ],
      fixed: planned(values({ ENABLE_POD_ENI: 'true', WARM_ENI_TARGET: '2' }), {
        ...TO_1_20,
        resolve_conflicts_on_update: 'PRESERVE',
      }),
    },
    {
      name: 'a plan that takes all configuration values away fails',
      template: planned(values({ ENABLE_POD_ENI: 'true' }, { DISABLE_TCP_EARLY_DEMUX: 'true' }), {
        configuration_values: '{}',
      }),
      findings: [
        {
          ...AT_MODE,
          severity: 'error',
          message: 'reset',
          says: [
            'in this plan uses',
            'ENABLE_POD_ENI ("true" to "false") and DISABLE_TCP_EARLY_DEMUX ("true" to "false")',
          ],
        },
      ],
      fixed: planned(values({ ENABLE_POD_ENI: 'true' }, { DISABLE_TCP_EARLY_DEMUX: 'true' }), {
        resolve_conflicts_on_update: 'PRESERVE',
      }),
    },
    {
      name: 'a plan that takes many settings away names some',
      template: planned(
        values({
          ENABLE_POD_ENI: 'true',
          ENABLE_PREFIX_DELEGATION: 'true',
          AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true',
          AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true',
          AWS_VPC_K8S_CNI_LOGLEVEL: 'INFO',
        }),
        values({ WARM_PREFIX_TARGET: '1' }),
      ),
      findings: [{ ...AT_MODE, message: 'reset', says: [' and 2 more, which'] }],
    },
    {
      name: 'a setting that is taken away and needed by a SecurityGroupPolicy is told with what it does, now',
      template: planned(
        values({ ENABLE_POD_ENI: 'true', WARM_ENI_TARGET: '2' }),
        { ...TO_1_20, ...values({ WARM_ENI_TARGET: '2' }) },
        'kubernetes_manifest.policy: { before: { manifest: { apiVersion: vpcresources.k8s.aws/v1beta1, kind: SecurityGroupPolicy, metadata: { name: web }, spec: { podSelector: {}, securityGroups: { groupIds: [sg-0a1b] } } } } }',
      ),
      findings: [
        {
          ...AT_MODE,
          severity: 'error',
          message: 'settings-elsewhere',
          says: [
            'env.ENABLE_POD_ENI',
            'the update in this plan from v1.19.0-eksbuild.1 to v1.20.4-eksbuild.2 puts the default',
          ],
        },
      ],
    },
    {
      name: 'a plan that updates the version tells from what to what, and what is new',
      template: planned({ addon_version: 'v1.11.0-eksbuild.1' }, { addon_version: 'v1.12.0-eksbuild.2' }),
      findings: [
        {
          ...AT_MODE,
          severity: 'error',
          message: 'no-configuration',
          says: [
            'the update in this plan from v1.11.0-eksbuild.1 to v1.12.0-eksbuild.2 resets',
            'The new version writes DISABLE_TCP_EARLY_DEMUX, which the old one left alone.',
          ],
        },
      ],
    },
    {
      name: 'what is new and set is nothing to worry about',
      template: planned(
        { addon_version: 'v1.11.0-eksbuild.1' },
        { addon_version: 'v1.12.0-eksbuild.2', ...values({}, { DISABLE_TCP_EARLY_DEMUX: 'true' }) },
      ),
      findings: [{ ...AT_MODE, message: 'overwrite', says: ['the update in this plan'], omits: ['The new version'] }],
    },
    {
      name: 'the same values in another order are no update',
      template: planned(
        { configuration_values: '{"env":{"A":"1"},"init":{}}' },
        { configuration_values: '{"init": {}, "env": {"A": "1"}}' },
      ),
      also: ['vpc-cni-configuration-schema'],
      findings: [{ ...AT_MODE, message: 'overwrite', says: ['the next update'] }],
    },
    {
      name: 'another mode alone is no update',
      template: planned(
        { ...values({ ENABLE_POD_ENI: 'true' }), resolve_conflicts_on_update: 'PRESERVE' },
        { resolve_conflicts_on_update: 'OVERWRITE' },
      ),
      findings: [{ ...AT_MODE, message: 'overwrite', says: ['the next update'] }],
    },
    {
      name: 'another role is an update',
      template: planned(
        { ...values({ ENABLE_POD_ENI: 'true' }), service_account_role_arn: 'arn:aws:iam::111122223333:role/a' },
        { service_account_role_arn: 'arn:aws:iam::111122223333:role/b' },
      ),
      findings: [{ ...AT_MODE, message: 'overwrite', says: ['the update in this plan resets'] }],
    },
    {
      name: 'an add-on that stays as it is waits for the next update',
      template: planned(values({ ENABLE_POD_ENI: 'true' }), {}),
      findings: [{ ...AT_MODE, message: 'overwrite', says: ['the next update'] }],
    },
    {
      name: 'a version that no table has tells no details',
      template: planned(values({ ENABLE_POD_ENI: 'true' }), {
        addon_version: 'v1.99.0-eksbuild.1',
        ...values({ WARM_ENI_TARGET: '2' }),
      }),
      findings: [
        {
          ...AT_MODE,
          message: 'overwrite',
          says: ['the update in this plan from v1.19.0-eksbuild.1 to v1.99.0-eksbuild.1'],
          omits: ['The new version'],
        },
      ],
    },
    {
      name: 'a mode in small letters fails',
      template: addon('ResolveConflicts: overwrite'),
      findings: [
        { message: 'no-mode', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['"overwrite"'] },
      ],
    },
    {
      name: 'one bad branch of Fn::If fails and names the condition',
      template:
        'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n' +
        addon('ResolveConflicts: !If [IsProd, PRESERVE, OVERWRITE]'),
      findings: [
        { message: 'no-configuration', severity: 'error', resource: 'Cni', at: 'ResolveConflicts', says: ['IsProd'] },
      ],
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
      template:
        'Parameters:\n  Name:\n    Type: String\n' +
        addon('ResolveConflicts: OVERWRITE').replace('AddonName: vpc-cni', 'AddonName: !Ref Name'),
      resources: ['Cni'],
      because: 'name',
    },
  ],
  notApplicable: [
    {
      name: 'OVERWRITE on a cluster that only has Fargate, where no pod of aws-node runs',
      template: addon('ResolveConflicts: OVERWRITE') + FARGATE,
    },
    {
      name: 'a SecurityGroupPolicy of pods on Fargate, which need no variable',
      template:
        addon('ResolveConflicts: OVERWRITE', `ConfigurationValues: '{"env":{"WARM_IP_TARGET":"2"}}'`) +
        POLICY +
        FARGATE,
    },
    { name: 'OVERWRITE on a cluster of Auto Mode alone', template: addon('ResolveConflicts: OVERWRITE') + AUTO },
    { name: 'other add-ons', template: addon('ResolveConflicts: OVERWRITE').replace('vpc-cni', 'coredns') },
    {
      name: 'a cluster without add-on',
      template:
        'Resources:\n  Cluster:\n    Type: AWS::EKS::Cluster\n    Properties:\n      RoleArn: arn:aws:iam::111122223333:role/c\n      ResourcesVpcConfig:\n        SubnetIds: [subnet-1]\n',
    },
  ],
});

it.each([
  ['resolve_conflicts', true],
  ['resolve_conflicts_on_update', false],
])('the fix tells to replace the argument that newer providers refuse: %s', (argument, replaces) => {
  const hcl = `resource "aws_eks_addon" "cni" {\n  cluster_name = "main"\n  addon_name   = "vpc-cni"\n  ${argument} = "OVERWRITE"\n}`;
  const [finding] = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl, 'main.tf')))), [
    vpcCniResolveConflicts,
  ]);
  expect(finding?.fix.includes('It replaces `resolve_conflicts`')).toBe(replaces);
  expect(finding?.fixCode?.includes('resolve_conflicts_on_create = "OVERWRITE"')).toBe(replaces);
});

it.each([
  ['OVERWRITE', true],
  ['NONE', false],
])('the fix tells what the one property of CloudFormation means for creation: %s', (mode, tells) => {
  const { resources } = readTemplates([{ file: 'template.yaml', text: addon(`ResolveConflicts: ${mode}`) }]);
  const [finding] = runRules(new EksModel(resources), [vpcCniResolveConflicts]);
  expect(finding?.fix.includes('On creation it acts like `NONE`')).toBe(tells);
});

it('the fix says nothing of creation where Terraform has an argument for it', () => {
  const hcl =
    'resource "aws_eks_addon" "cni" {\n  cluster_name = "main"\n  addon_name   = "vpc-cni"\n  resolve_conflicts_on_update = "OVERWRITE"\n}';
  const [finding] = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl, 'main.tf')))), [
    vpcCniResolveConflicts,
  ]);
  expect(finding?.fix).not.toContain('creation');
});

describe('a cluster that only its name tells, in two stacks', () => {
  const parts = (text: string) => `Resources:\n${text}`;
  const judged = (files: Readonly<Record<string, string>>) =>
    runRules(new EksModel(readTemplates(Object.entries(files).map(([file, text]) => ({ file, text }))).resources), [
      vpcCniResolveConflicts,
    ]).map(({ severity }) => severity);
  const overwrite = addon('ResolveConflicts: OVERWRITE');

  it('is judged as in one: without nodes beside its Fargate profiles nothing is lost', () => {
    expect(judged({ 'a.yaml': overwrite + FARGATE })).toEqual([]);
    expect(judged({ 'a.yaml': overwrite, 'b.yaml': parts(FARGATE) })).toEqual([]);
    expect(judged({ 'b.yaml': parts(FARGATE), 'c.yaml': parts(KARPENTER), 'a.yaml': overwrite })).toEqual(['error']);
    expect(judged({ 'a.yaml': overwrite, 'b.yaml': parts(FARGATE + NODES) })).toEqual(['error']);
    expect(judged({ 'a.yaml': overwrite + NODES, 'b.yaml': parts(FARGATE) })).toEqual(['error']);
  });

  it('is another one where it has another name, or lies in another folder', () => {
    expect(judged({ 'a.yaml': overwrite, 'b.yaml': parts(FARGATE).replace('demo', 'other') })).toEqual(['error']);
    expect(judged({ 'prod/a.yaml': overwrite, 'dev/b.yaml': parts(FARGATE) })).toEqual(['error']);
    // What stands for itself is not judged by what others say.
    expect(judged({ 'a.yaml': overwrite + FARGATE, 'b.yaml': parts(NODES) })).toEqual([]);
  });
});
