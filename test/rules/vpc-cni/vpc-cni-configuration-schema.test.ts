import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { vpcCniConfigurationSchema } from '../../../lib/rules/vpc-cni/vpc-cni-configuration-schema';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

/** A vpc-cni add-on with configuration values given as JSON, on a cluster of Kubernetes 1.33 unless it says otherwise. */
const addon = (version: string | undefined, values: string | undefined, more = '') =>
  [
    'Resources:',
    '  Cni:',
    '    Type: AWS::EKS::Addon',
    '    Properties:',
    '      ClusterName: !Ref Cluster',
    '      AddonName: vpc-cni',
    ...(version === undefined ? [] : [`      AddonVersion: ${version}`]),
    ...(values === undefined ? [] : [`      ConfigurationValues: ${values}`]),
    '  Cluster:',
    '    Type: AWS::EKS::Cluster',
    '    Properties:',
    "      Version: '1.33'",
    '      RoleArn: arn:aws:iam::111122223333:role/cluster',
    '      ResourcesVpcConfig:',
    '        SubnetIds: [subnet-1, subnet-2]',
    more,
  ].join('\n');

const json = (values: unknown) => `'${JSON.stringify(values)}'`;

const CURRENT = 'v1.20.4-eksbuild.2';

const finding = (message: string, ...says: string[]): ExpectedFinding => ({
  message,
  severity: 'error',
  resource: 'Cni',
  at: 'ConfigurationValues',
  says,
  omits: ['rolls back'],
});

const fails = (name: string, version: string | undefined, values: unknown, ...findings: ExpectedFinding[]) => ({
  name,
  template: addon(version, json(values)),
  findings,
});
const passes = (name: string, version: string | undefined, values: unknown) => ({
  name,
  template: addon(version, json(values)),
});

testRule(vpcCniConfigurationSchema, {
  valid: [
    {
      name: 'without a version, a key that the add-on has on the cluster version of its own condition passes',
      template:
        'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n' +
        addon(undefined, json({ enableNetworkPolicy: 'true' }))
          .replace('    Properties:', '    Condition: IsProd\n    Properties:')
          .replace("'1.33'", "!If [IsProd, '1.33', '1.20']"),
    },
    passes('a key that a rebuild of an old line got passes there', 'v1.11.0-eksbuild.3', {
      env: { WARM_IP_TARGET: '2' },
    }),
    passes('the same key passes in a version that always had it', 'v1.18.0-eksbuild.1', {
      env: { WARM_IP_TARGET: '2' },
    }),
    passes('the init container variable passes in the first build that has it', 'v1.12.0-eksbuild.2', {
      init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },
    }),
    passes('real booleans and integers pass where the schema wants them', CURRENT, {
      nodeAgent: { enabled: true },
      branchENICooldown: 30,
      eniConfig: {
        create: true,
        region: 'eu-west-1',
        subnets: { 'eu-west-1a': { id: 'subnet-1', securityGroups: ['sg-1'] } },
      },
    }),
    passes('free-form parts are not looked into', CURRENT, {
      affinity: { nodeAffinity: { anything: [1] } },
      podAnnotations: { 'example.com/a': 'b' },
      podLabels: { team: 'net' },
      tolerations: [{ key: 'x', operator: 'Exists', whatever: true }],
      extraEnv: [{ name: 'HTTP_TIMEOUT', value: '20' }],
    }),
    passes('text that is no boolean is not a matter of the schema', CURRENT, { env: { ENABLE_POD_ENI: 'yes' } }),
    passes('null is allowed where the schema says so', CURRENT, { affinity: null }),
    passes('empty values pass', CURRENT, {}),
    {
      name: 'JSON in a YAML block passes',
      template: addon(CURRENT, ['|', '        {"env":', '          {"ENABLE_POD_ENI": "true"}}'].join('\n')),
    },
    {
      name: 'YAML with quoted text passes',
      template: addon(
        CURRENT,
        ['|', '        env:', '          ENABLE_POD_ENI: "true"', '          WARM_IP_TARGET: "5"'].join('\n'),
      ),
    },
    {
      name: 'a token in a text leaves the keys checkable',
      template: addon(
        CURRENT,
        '!Sub \'{"env":{"ADDITIONAL_ENI_TAGS":"${Tags}"}}\'',
        'Parameters:\n  Tags:\n    Type: String\n',
      ),
    },
    passes('without a version, a key that all versions for the cluster have passes', undefined, {
      env: { WARM_IP_TARGET: '2' },
    }),
    passes('a known key of the right type passes in a version newer than the table', 'v1.99.0-eksbuild.1', {
      env: { WARM_IP_TARGET: '2' },
    }),
  ],
  invalid: [
    {
      name: 'a boolean in env fails and is to be quoted',
      template: addon(CURRENT, json({ env: { ENABLE_POD_ENI: true } })),
      fixed: addon(CURRENT, json({ env: { ENABLE_POD_ENI: 'true' } })),
      findings: [finding('type', 'env.ENABLE_POD_ENI', 'the boolean true')],
    },
    {
      name: 'an unquoted true in YAML is a boolean and fails',
      template: addon(CURRENT, ['|', '        env:', '          ENABLE_POD_ENI: true'].join('\n')),
      findings: [finding('type', 'the boolean true')],
    },
    fails('a number in env fails', CURRENT, { env: { WARM_IP_TARGET: 2 } }, finding('type', 'the number 2')),
    fails(
      'text where a boolean belongs fails',
      CURRENT,
      { eniConfig: { create: 'true', region: 'eu-west-1', subnets: { a: { id: 'subnet-1' } } } },
      finding('type', 'eniConfig.create'),
    ),
    fails(
      'text where an integer belongs fails',
      CURRENT,
      { branchENICooldown: '30' },
      finding('type', 'branchENICooldown', 'an integer'),
    ),
    fails(
      'a fraction where an integer belongs fails',
      CURRENT,
      { branchENICooldown: 1.5 },
      finding('type', 'the number 1.5'),
    ),
    fails('text where a map belongs fails', CURRENT, { env: 'ENABLE_POD_ENI=true' }, finding('type', 'env', 'a map')),
    fails(
      'a number in a list of texts fails with its index',
      CURRENT,
      { eniConfig: { create: true, region: 'r', subnets: { a: { id: 's', securityGroups: ['sg', 7] } } } },
      finding('type', 'securityGroups[1]'),
    ),
    {
      name: 'the init variable in env fails and names its place',
      template: addon('v1.23.0-eksbuild.1', json({ env: { DISABLE_TCP_EARLY_DEMUX: 'true' } })),
      fixed: addon('v1.23.0-eksbuild.1', json({ init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } })),
      findings: [finding('wrong-place', 'env.DISABLE_TCP_EARLY_DEMUX', 'init.env.DISABLE_TCP_EARLY_DEMUX')],
    },
    fails(
      'a top-level switch in env names its place',
      CURRENT,
      { env: { enableWindowsIpam: 'true' } },
      finding('wrong-place', 'env.enableWindowsIpam', 'as enableWindowsIpam'),
    ),
    fails(
      'a variable at the top names its place',
      CURRENT,
      { ENABLE_PREFIX_DELEGATION: 'true' },
      finding('wrong-place', 'as env.ENABLE_PREFIX_DELEGATION'),
    ),
    fails(
      'a misspelt key names the nearest',
      CURRENT,
      { env: { ENABLE_PREFIX_DELEGATON: 'true' } },
      finding('unknown-key', 'the nearest key is env.ENABLE_PREFIX_DELEGATION'),
    ),
    fails(
      'a key in the wrong case names the right one',
      CURRENT,
      { Init: { env: {} } },
      finding('unknown-key', 'the nearest key is init'),
    ),
    fails(
      'a key that is like no other fails without a suggestion',
      CURRENT,
      { VpcCni: { env: {} } },
      finding('unknown-key', 'VpcCni', CURRENT),
    ),
    fails(
      'two wrong keys are two findings',
      CURRENT,
      { env: { FOO: '1' }, properties: {} },
      finding('unknown-key', 'env.FOO'),
      finding('unknown-key', 'properties'),
    ),
    fails(
      'what EKS sets itself is not configurable',
      CURRENT,
      { env: { ENABLE_IPv6: 'true', CLUSTER_NAME: 'x' } },
      finding('not-configurable', 'env.ENABLE_IPv6'),
      finding('not-configurable', 'env.CLUSTER_NAME'),
    ),
    fails(
      'a node selector is not configurable',
      CURRENT,
      { nodeSelector: { a: 'b' } },
      finding('not-configurable', 'nodeSelector'),
    ),
    {
      name: 'a key newer than the version fails with the first version and the rebuild of the line',
      template: addon('v1.11.0-eksbuild.1', json({ env: { WARM_IP_TARGET: '2' } })),
      fixed: addon('v1.11.0-eksbuild.3', json({ env: { WARM_IP_TARGET: '2' } })),
      findings: [
        { ...finding('too-new', 'v1.12.0-eksbuild.2', 'v1.11.0-eksbuild.3'), advises: '(or `v1.11.0-eksbuild.3`)' },
      ],
    },
    {
      name: 'a version that is the default of a parameter says so, and shows where it stands',
      template: `Parameters:\n  Release:\n    Type: String\n    Default: v1.11.0-eksbuild.1\n${addon('!Ref Release', json({ env: { WARM_IP_TARGET: '2' } }))}`,
      findings: [
        {
          ...finding('too-new', 'v1.11.0-eksbuild.1 (the default of parameter Release) does not accept yet'),
          related: ['Default: v1.11.0-eksbuild.1'],
        },
      ],
    },
    fails(
      'of a block that is too new the inner key is named',
      'v1.11.0-eksbuild.1',
      { init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } },
      finding('too-new', 'init.env.DISABLE_TCP_EARLY_DEMUX', 'v1.12.0-eksbuild.2'),
    ),
    fails(
      'a removed key fails',
      CURRENT,
      { env: { AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false' } },
      finding('removed', 'v1.12.1-eksbuild.1'),
    ),
    fails(
      'a value outside an enum fails',
      CURRENT,
      { env: { NETWORK_POLICY_ENFORCING_MODE: 'Strict' } },
      finding('value', '"strict"', 'the text "Strict"'),
    ),
    fails(
      'eniConfig needs its three keys',
      CURRENT,
      { eniConfig: { create: true } },
      finding('required', 'region'),
      finding('required', 'subnets'),
    ),
    fails(
      'an ENIConfig needs a subnet id',
      CURRENT,
      { eniConfig: { create: true, region: 'r', subnets: { 'eu-west-1a': {} } } },
      finding('required', 'eniConfig.subnets.eu-west-1a', 'id'),
    ),
    { name: 'broken JSON fails', template: addon(CURRENT, `'{"env": {"A": '`), findings: [finding('malformed')] },
    { name: 'a list at the top fails', template: addon(CURRENT, `'[1]'`), findings: [finding('malformed', 'no map')] },
    fails(
      'without a version, a key that no version has fails',
      undefined,
      { env: { ENABLE_POD_EN: 'true' } },
      finding('unknown-key', 'no version of the add-on'),
    ),
    fails(
      'a wrong type of a known key fails in a version newer than the table',
      'v1.99.0-eksbuild.1',
      { env: { WARM_IP_TARGET: 2 } },
      finding('type', 'env.WARM_IP_TARGET'),
    ),
    {
      name: 'of the branches of Fn::If the bad one fails and is named',
      template: addon(
        CURRENT,
        `!If [IsProd, '{"env":{"ENABLE_POD_ENI":true}}', '{"env":{"ENABLE_POD_ENI":"true"}}']`,
        'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n',
      ),
      findings: [finding('type', 'IsProd')],
    },
    {
      name: 'a wrong key beside a token is still found',
      template: addon(CURRENT, '!Sub \'{"env":{"POD_ENI":"${Tags}"}}\'', 'Parameters:\n  Tags:\n    Type: String\n'),
      findings: [finding('unknown-key', 'env.POD_ENI')],
    },
  ],
  unverifiable: [
    {
      name: 'a new key on a version newer than the table',
      template: addon('v9.9.9-eksbuild.1', json({ env: { NEW_KEY: '1' } })),
      resources: ['Cni'],
      because: 'env.NEW_KEY',
    },
    {
      name: 'without a version, a key that only some versions for the cluster have',
      template: addon(undefined, json({ nodeAgent: { conntrackCacheTableSize: 1024 } })),
      resources: ['Cni'],
      because: 'pins no version',
    },
    {
      name: 'the same key with a version from a parameter',
      template: addon(
        '!Ref Version',
        json({ nodeAgent: { conntrackCacheTableSize: 1024 } }),
        'Parameters:\n  Version:\n    Type: String\n',
      ),
      resources: ['Cni'],
      because: 'Version',
    },
    {
      name: 'values from a parameter',
      template: addon(CURRENT, '!Ref Values', 'Parameters:\n  Values:\n    Type: String\n'),
      resources: ['Cni'],
      because: 'Values',
    },
    {
      name: 'a token where one of a few texts belongs',
      template: addon(
        CURRENT,
        '!Sub \'{"env":{"NETWORK_POLICY_ENFORCING_MODE":"${Mode}"}}\'',
        'Parameters:\n  Mode:\n    Type: String\n',
      ),
      resources: ['Cni'],
      because: 'NETWORK_POLICY_ENFORCING_MODE',
    },
  ],
  notApplicable: [
    { name: 'an add-on without configuration values', template: addon(CURRENT, undefined) },
    {
      name: 'other add-ons, whose schemas are not in the table',
      template: addon('v1.11.4-eksbuild.2', json({ foo: true })).replace('vpc-cni', 'coredns'),
    },
  ],
});

describe('vpc-cni-configuration-schema and values that Terraform works out', () => {
  const summaryOf = (values: string) => {
    const hcl = [
      'variable "enable" { default = true }',
      'variable "names" { default = { a = true } }',
      'locals {\n  seconds = "30"\n}',
      `resource "aws_eks_addon" "cni" {\n  cluster_name = "main"\n  addon_name = "vpc-cni"\n  addon_version = "${CURRENT}"\n  configuration_values = jsonencode(${values})\n}`,
    ].join('\n');
    const [found] = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl, 'main.tf')))), [
      vpcCniConfigurationSchema,
    ]);
    return found?.fix;
  };

  it.each([
    ['{\n  nodeAgent = {\n    enablePolicyEventLogs = var.enable\n  }\n}', 'Write `tostring(var.enable)` for'],
    ['{\n  nodeAgent = { enablePolicyEventLogs = var.enable, enabled = true }\n}', 'Write `tostring(var.enable)` for'],
    ['{\n  env = merge({ ENABLE_POD_ENI = var.names["a"] }, {})\n}', 'Write `tostring(var.names["a"])` for'],
    ['{\n  branchENICooldown = local.seconds\n}', 'Write `tonumber(local.seconds)` for'],
    ['{\n  nodeAgent = { enablePolicyEventLogs = true }\n}', 'Write `"true"` for'],
    // What is in the value isn't what is written there.
    ['{\n  env = { ENABLE_POD_ENI = true }\n  podLabels = var.names\n}', 'Write `"true"` for'],
  ])('are not made constants: %s', (values, expected) => {
    expect(summaryOf(values)).toContain(expected);
  });

  it('move to the top level as text', () => {
    expect(summaryOf('{\n  env = merge({ ENABLE_NETWORK_POLICY = tostring(var.enable) }, {})\n}')).toBe(
      'Move it to the top level, beside `env`, as `enableNetworkPolicy`, which takes text, or remove `env.ENABLE_NETWORK_POLICY`.',
    );
    expect(summaryOf('{\n  env = { enableWindowsIpam = "true" }\n}')).toBe(
      'Move the setting to the top level, beside `env`, as `enableWindowsIpam`.',
    );
    expect(summaryOf('{\n  env = { DISABLE_TCP_EARLY_DEMUX = "true" }\n}')).toBe(
      'Move the setting to `init.env.DISABLE_TCP_EARLY_DEMUX`.',
    );
  });
});

describe('vpc-cni-configuration-schema and the newest version, which is looked up', () => {
  const said = (mostRecent: string, version: string, values: string) => {
    const hcl = [
      `resource "aws_eks_cluster" "main" {\n  name = "main"\n  version = ${version}\n}`,
      `data "aws_eks_addon_version" "cni" {\n  addon_name = "vpc-cni"\n  kubernetes_version = aws_eks_cluster.main.version\n  most_recent = ${mostRecent}\n}`,
      'resource "aws_eks_addon" "cni" {',
      '  cluster_name = aws_eks_cluster.main.name',
      '  addon_name = "vpc-cni"',
      '  addon_version = data.aws_eks_addon_version.cni.version',
      `  configuration_values = jsonencode(${values})`,
      '}',
    ].join('\n');
    const model = new EksModel(readInstances(instancesOf(hclFile(hcl, 'main.tf'))));
    return runRules(model, [vpcCniConfigurationSchema]).map(
      ({ verdict, messageId }) => `${verdict} ${messageId ?? ''}`,
    );
  };
  const NEW = '{ nodeAgent = { conntrackCacheTableSize = 1024 } }';

  it.each([
    ['true', '"1.33"', NEW, []],
    ['true', '"1.33"', '{ evn = {} }', ['fail unknown-key']],
    ['false', '"1.33"', NEW, ['unverifiable ']],
    ['true', 'null', NEW, ['unverifiable ']],
  ])('most_recent = %s, Kubernetes %s: %s', (mostRecent, version, values, expected) => {
    expect(said(mostRecent, version, values)).toStrictEqual(expected);
  });
});
