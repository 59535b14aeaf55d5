import { addonConfigurationSchema } from '../../../lib/rules/addon/addon-configuration-schema';
import { block, CLUSTER, resources, template } from '../node-templates';
import { testRule, type ExpectedFinding } from '../rule-tester';

/** An add-on `Addon` with configuration values as the template writes them. */
const addon = (name: string, version: string | undefined, values: string | undefined) =>
  block('Addon', 'AWS::EKS::Addon', [
    'ClusterName: main',
    `AddonName: ${name}`,
    ...(version === undefined ? [] : [`AddonVersion: ${version}`]),
    ...(values === undefined ? [] : [`ConfigurationValues: ${values}`]),
  ]);

const json = (values: unknown) => `'${JSON.stringify(values)}'`;

const passes = (name: string, addonName: string, version: string | undefined, values: unknown) => ({
  name,
  template: resources(addon(addonName, version, json(values))),
});

const finding = (message: string, ...says: string[]): ExpectedFinding => ({
  message,
  severity: 'error',
  resource: 'Addon',
  at: 'ConfigurationValues',
  says,
});

const fails = (
  name: string,
  addonName: string,
  version: string | undefined,
  values: unknown,
  ...findings: ExpectedFinding[]
) => ({ name, template: resources(addon(addonName, version, json(values))), findings });

const DNS = 'v1.12.1-eksbuild.2';
const PROXY = 'v1.33.0-eksbuild.2';
const EBS = 'v1.45.0-eksbuild.2';

testRule(addonConfigurationSchema, {
  valid: [
    passes('CoreDNS as the user guide scales it', 'coredns', 'v1.11.1-eksbuild.9', {
      autoScaling: { enabled: true, minReplicas: 2, maxReplicas: 10 },
    }),
    passes('the same key in a rebuild of an older line', 'coredns', 'v1.10.1-eksbuild.11', {
      autoScaling: { enabled: true },
    }),
    passes('CoreDNS on Fargate, with resources, tolerations and a Corefile', 'coredns', DNS, {
      computeType: 'Fargate',
      corefile: '.:53 {\n  forward . /etc/resolv.conf\n}',
      resources: { limits: { cpu: '0.25', memory: '256M' }, requests: { cpu: '0.25', memory: '256M' } },
      tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
    }),
    passes('a budget in numbers or percent', 'coredns', DNS, {
      podDisruptionBudget: { enabled: true, maxUnavailable: '25%' },
    }),
    passes('an open map takes keys that its version does not list', 'coredns', 'v1.10.1-eksbuild.4', {
      podDisruptionBudget: { enabled: true, maxUnavailable: 1 },
    }),
    passes('kube-proxy with IPVS', 'kube-proxy', PROXY, { mode: 'ipvs', ipvs: { scheduler: 'lc' } }),
    passes('kube-proxy of a version that accepted any mode', 'kube-proxy', 'v1.21.14-eksbuild.3', {
      mode: 'userspace',
    }),
    passes('the EBS CSI driver, with null where the schema has it', 'aws-ebs-csi-driver', EBS, {
      controller: { extraVolumeTags: { team: 'storage' }, nodeSelector: null },
      node: { tolerateAllTaints: true },
      defaultStorageClass: { enabled: true },
    }),
    passes('another set of nodes for the EBS CSI driver, under a name of one’s own', 'aws-ebs-csi-driver', EBS, {
      additionalDaemonSets: { arm: { nodeSelector: { arch: 'arm64' } } },
    }),
    passes('the Pod Identity agent on hybrid nodes', 'eks-pod-identity-agent', 'v1.3.10-eksbuild.2', {
      daemonsets: { hybrid: { create: true } },
    }),
    passes('an add-on of which no schemas are known', 'adot', undefined, { anything: { goes: 1 } }),
    passes('a known key in a version newer than the table', 'coredns', 'v1.99.0-eksbuild.1', { replicaCount: 3 }),
    { name: 'empty values', template: resources(addon('coredns', DNS, "'{}'")) },
    {
      name: 'YAML',
      template: resources(
        addon(
          'coredns',
          DNS,
          ['|', '        replicaCount: 3', '        nodeSelector:', '          role: system'].join('\n'),
        ),
      ),
    },
    {
      name: 'a key beside the version that has it, both on one condition',
      template: template(
        'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
        addon(
          'coredns',
          '!If [IsProd, v1.11.1-eksbuild.9, v1.11.1-eksbuild.8]',
          '!If [IsProd, \'{"autoScaling":{"enabled":true}}\', \'{"replicaCount":2}\']',
        ),
      ),
    },
  ],
  invalid: [
    fails(
      'a key that the version does not have yet, and the rebuild that has it',
      'coredns',
      'v1.11.1-eksbuild.8',
      { autoScaling: { enabled: true } },
      finding('too-new', 'autoScaling', 'v1.11.1-eksbuild.8 does not accept yet', 'v1.11.1-eksbuild.9'),
    ),
    fails(
      'a block that came as a whole is told once',
      'coredns',
      'v1.11.1-eksbuild.8',
      { autoScaling: { enabled: true, minReplicas: 2, maxReplicas: 10 } },
      finding('too-new', 'configures autoScaling, which'),
    ),
    {
      name: 'text where a number belongs',
      template: resources(addon('coredns', DNS, json({ replicaCount: '3' }))),
      fixed: resources(addon('coredns', DNS, json({ replicaCount: 3 }))),
      findings: [finding('type', 'replicaCount', 'the text "3"', 'an integer')],
    },
    {
      name: 'a number where text belongs',
      template: resources(addon('coredns', DNS, json({ resources: { requests: { cpu: 1 } } }))),
      fixed: resources(addon('coredns', DNS, json({ resources: { requests: { cpu: '1' } } }))),
      findings: [finding('type', 'resources.requests.cpu', 'the number 1', 'text')],
    },
    fails(
      'a key of the Helm chart',
      'coredns',
      DNS,
      { servers: [{ zones: ['.'] }] },
      finding('unknown-key', 'servers', `the schema of ${DNS} does not have`),
    ),
    fails(
      'a misspelt key names the nearest',
      'coredns',
      DNS,
      { replicacount: 3 },
      finding('unknown-key', 'the nearest key is replicaCount'),
    ),
    fails(
      'a mode that kube-proxy does not have',
      'kube-proxy',
      PROXY,
      { mode: 'IPVS' },
      finding('value', 'mode', '"iptables", "ipvs", "nftables"'),
    ),
    fails(
      'a setting that moved out of the schema',
      'aws-ebs-csi-driver',
      EBS,
      {
        controller: {
          serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/ebs' } },
        },
      },
      finding('removed', 'controller.serviceAccount.annotations', 'v1.40.0-eksbuild.1'),
    ),
    {
      name: 'a key that belongs elsewhere names its place',
      template: resources(addon('kube-proxy', PROXY, json({ mode: 'ipvs', scheduler: 'lc' }))),
      fixed: resources(addon('kube-proxy', PROXY, json({ mode: 'ipvs', ipvs: { scheduler: 'lc' } }))),
      findings: [finding('wrong-place', 'scheduler', 'as ipvs.scheduler')],
    },
    fails(
      'a block without the key that it must have',
      'metrics-server',
      'v0.9.0-eksbuild.4',
      { addonResizer: {} },
      finding('required', 'addonResizer', 'enabled'),
    ),
    fails(
      'a key that no version has, of an add-on without a version',
      'coredns',
      undefined,
      { replicas: 3 },
      finding('unknown-key', 'replicas', 'no version of the add-on accepts'),
    ),
    {
      name: 'text that is neither JSON nor YAML, of any add-on',
      template: resources(addon('adot', undefined, '\'{"collector": {\'')),
      findings: [finding('malformed', 'no JSON or YAML map')],
    },
    {
      name: 'a list',
      template: resources(addon('coredns', DNS, "'[1, 2]'")),
      findings: [finding('malformed', 'the top level is no map')],
    },
    {
      name: 'one branch of a condition is wrong, and is named',
      template: template(
        'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]',
        addon('coredns', DNS, '!If [IsProd, \'{"replicaCount":"4"}\', \'{"replicaCount":2}\']'),
      ),
      findings: [finding('type', 'This happens when')],
    },
  ],
  unverifiable: [
    {
      name: 'values from a parameter without default',
      template: template('Parameters:\n  Values:\n    Type: String', addon('coredns', DNS, '!Ref Values')),
      resources: ['Addon'],
      because: 'the configuration values are not known',
    },
    {
      name: 'a key that only some versions have, of an add-on without a version',
      template: resources(addon('coredns', undefined, json({ autoScaling: { enabled: true } }))),
      resources: ['Addon'],
      because: 'accepted by some versions of the add-on only',
    },
    {
      name: 'a key that is not known, in a version newer than the table',
      template: resources(addon('coredns', 'v1.99.0-eksbuild.1', json({ brandNew: true }))),
      resources: ['Addon'],
      because: 'the table of configuration keys ends with',
    },
  ],
  notApplicable: [
    { name: 'no add-on', template: resources(CLUSTER) },
    { name: 'no configuration values', template: resources(addon('coredns', DNS, undefined)) },
    {
      name: 'the VPC CNI has a rule of its own',
      template: resources(addon('vpc-cni', 'v1.20.4-eksbuild.2', json({ env: { FOO: 1 } }))),
    },
    {
      name: 'the name comes from a parameter',
      template: template('Parameters:\n  Name:\n    Type: String', addon('!Ref Name', undefined, json({ env: 1 }))),
    },
  ],
});
