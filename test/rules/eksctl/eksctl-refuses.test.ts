import { eksctlRefuses } from '../../../lib/rules/eksctl/eksctl-refuses';
import { config, managed, selfManaged } from '../../front-ends/eksctl/configs';
import { CLUSTER, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const FILE = 'cluster.yaml';

function refused(name: string, template: string, at: string, says: readonly string[] = []) {
  return { name, template, findings: [{ message: 'refused', severity: 'error', resource: FILE, at, says }] } as const;
}

function late(name: string, template: string, at: string, says: readonly string[] = []) {
  return {
    name,
    template,
    findings: [{ message: 'refusedLate', severity: 'error', resource: FILE, at, says }],
  } as const;
}

const IPV6 = 'kubernetesNetworkConfig: {ipFamily: IPv6}';
const AMI = ['ami: ami-0123456789abcdef0'];

testRule(eksctlRefuses, {
  valid: [
    {
      name: 'a fully private cluster',
      template: config(
        'privateCluster: {enabled: true}',
        'vpc: {cidr: 10.0.0.0/16}',
        managed('privateNetworking: true'),
      ),
    },
    {
      name: 'the first Karpenter that eksctl installs',
      template: config('iam: {withOIDC: true}', 'karpenter: {version: v0.20.0}'),
    },
    {
      name: 'a distribution',
      template: config(
        selfManaged('instanceType: mixed', 'instancesDistribution: {instanceTypes: [m5.large]}'),
        '  - name: selected',
        '    instancesDistribution: {onDemandBaseCapacity: 1}',
        '    instanceSelector: {vCPUs: 2}',
      ),
    },
    { name: 'booleans of YAML 1.1', template: config(managed('spot: yes')) },
    {
      name: 'families in any case',
      template: config('kubernetesNetworkConfig: {ipFamily: ipv4}', managed('amiFamily: bottlerocket')),
    },
    {
      name: 'values that are filled in before',
      template: config(managed('desiredCapacity: ${SIZE}', 'spot: ${SPOT}')),
    },
    {
      name: 'what eksctl leaves out as null',
      template: config(
        managed('ssh: {publicKeyPath: ""}', 'securityGroups: {withLocal: null, withShared: null}', 'labels: null'),
      ),
    },
    {
      name: 'merged keys',
      template: config(
        'nodeGroups:',
        '  - &base',
        '    name: a',
        '    minSize: 1',
        '  - name: b',
        '    volumeSize: 50',
      ),
    },
    {
      name: 'taints as a map, of a self-managed group',
      template: config(selfManaged('taints: {dedicated: "gpu:NoSchedule"}')),
    },
    {
      name: 'a NodeConfig as override',
      template: config(
        managed(
          'overrideBootstrapCommand: |',
          '  apiVersion: node.eks.aws/v1alpha1',
          '  kind: NodeConfig',
          '  spec: {}',
        ),
      ),
    },
    {
      name: 'IPv6 with what it takes',
      template: config(IPV6, 'iam: {withOIDC: true}', 'addons: [{name: coredns}, {name: vpc-cni}]', managed()),
    },
    {
      name: 'a service account with a policy',
      template: config(
        'iam: {withOIDC: true, serviceAccounts: [{metadata: {name: a}, wellKnownPolicies: {autoScaler: true}}]}',
      ),
    },
    { name: 'an encrypted volume of a managed group', template: config(managed('volumeEncrypted: true')) },
  ],
  invalid: [
    {
      ...refused('a version without quotes', config(managed()).replace('"1.34"', '1.30'), 'version: 1.30', [
        'a number',
        'a text',
      ]),
      fixed: config(managed()),
    },
    {
      ...refused('an old version without quotes', config(managed()).replace('"1.34"', '1.24'), 'version: 1.24', [
        'a number',
      ]),
      fixed: config(managed()),
    },
    refused(
      'a version of ClusterConfig that eksctl does not have',
      config(managed()).replace('v1alpha5', 'v1alpha4'),
      'apiVersion',
      ['v1alpha4'],
    ),
    {
      name: 'another version of ClusterConfig, whose keys are told with it',
      template: config(selfManaged('allowSSH: true', 'foo: 1')).replace('v1alpha5', 'v1alpha4'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: FILE,
          at: 'apiVersion',
          fix: 'It does not have `allowSSH` (line ',
        },
      ],
    },
    refused(
      'the endpoints of a fully private cluster',
      config(
        'privateCluster: {enabled: true}',
        'vpc: {clusterEndpoints: {privateAccess: true, publicAccess: false}}',
        managed('privateNetworking: true'),
      ),
      'publicAccess',
      ['decides on its endpoints'],
    ),
    refused('an old Karpenter', config('iam: {withOIDC: true}', 'karpenter: {version: v0.16.1}'), 'version: v0.16.1', [
      '0.20.0',
    ]),
    refused(
      'one instance type beside a distribution',
      config(selfManaged('instanceType: m5.large', 'instancesDistribution: {instanceTypes: [m5.large, m5.xlarge]}')),
      'instanceType: m5.large',
      ['m5.large', 'instancesDistribution'],
    ),
    refused(
      'a distribution of nothing',
      config(selfManaged('instancesDistribution: {onDemandBaseCapacity: 1}')),
      'instancesDistribution',
      ['no instance types'],
    ),
    {
      name: 'a launch template of a self-managed group, which is one defect',
      template: config(selfManaged('launchTemplate: {id: lt-1, version: latest}', 'volumeSize: 20')),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'launchTemplate',
          says: ['launchTemplate'],
          advises: 'managedNodeGroups',
        },
      ],
    },
    {
      name: 'a misspelt key',
      template: config(managed('desiredCapcity: 3')),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'desiredCapcity',
          says: ['a group of `managedNodeGroups`'],
          advises: '`desiredCapacity`',
        },
      ],
      fixed: config(managed('desiredCapacity: 3')),
    },
    {
      name: 'keys that are not indented, which are one slip',
      template:
        'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata:\nname: shop\nregion: eu-west-1\nversion: "1.34"\niam: {}\n',
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'name: shop',
          says: ['"name" in a ClusterConfig'],
          advises: 'Indent `name`, `region` and `version` under `metadata`.',
        },
      ],
      fixed: config('iam: {}'),
    },
    {
      name: 'the name of a service account beside its metadata',
      template: config(
        'iam: {withOIDC: true, serviceAccounts: [{name: web, namespace: shop, attachRoleARN: "arn:aws:iam::1:role/web"}]}',
      ),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'name: web',
          advises: 'Indent `name` and `namespace` under `metadata`.',
        },
      ],
    },
    {
      name: 'a key of the other kind of group',
      template: config(managed('kubeletExtraConfig: {maxPods: 20}')),
      findings: [
        {
          message: 'unknownKey',
          severity: 'error',
          resource: FILE,
          at: 'kubeletExtraConfig',
          advises: 'a group of `nodeGroups`',
        },
      ],
    },
    {
      name: 'a key that a newer eksctl may have',
      template: config('somethingNew: 1'),
      findings: [
        { message: 'unknownKey', severity: 'warning', resource: FILE, at: 'somethingNew', says: ['as far as'] },
      ],
    },
    refused('a text for a number', config(managed('maxPodsPerNode: "20"')), 'maxPodsPerNode', ['a text', 'a number']),
    refused('a number as a label', config(managed('labels: {tier: 1}')), 'tier: 1'),
    refused('a boolean as a tag', config(managed('tags: {team: yes}')), 'team: yes'),
    refused('an empty item', config('managedNodeGroups:', '  - name: a', '  -'), 'managedNodeGroups'),
    refused('a map for a list', config('managedNodeGroups: {name: a}'), 'managedNodeGroups'),
    refused(
      'service accounts without OIDC',
      config('iam: {serviceAccounts: [{metadata: {name: a}, attachRoleARN: "arn:aws:iam::1:role/a"}]}'),
      'serviceAccounts',
    ),
    refused(
      'a service account without policies',
      config('iam: {withOIDC: true, serviceAccounts: [{metadata: {name: orders}}]}'),
      '{metadata: {name: orders',
      ['orders'],
    ),
    refused('Karpenter without OIDC', config('karpenter: {version: 1.6.0}'), 'karpenter'),
    refused(
      'access entries without the API',
      config(
        'accessConfig: {authenticationMode: CONFIG_MAP, accessEntries: [{principalARN: "arn:aws:iam::1:role/a"}]}',
      ),
      'authenticationMode',
    ),
    refused('one zone', config('availabilityZones: [eu-west-1a]'), 'availabilityZones'),
    refused(
      'no endpoint',
      config('vpc: {clusterEndpoints: {publicAccess: false, privateAccess: false}}'),
      'clusterEndpoints',
    ),
    refused('IPv6 without coredns', config(IPV6, 'iam: {withOIDC: true}'), 'ipFamily'),
    refused(
      'IPv6 with vpc-cni and no identity',
      config(IPV6, 'addons: [{name: coredns}, {name: vpc-cni}]'),
      '{name: vpc-cni',
    ),
    refused('IPv6 with NAT', config(IPV6, 'addons: [{name: coredns}]', 'vpc: {nat: {gateway: Single}}'), 'nat'),
    refused('groups beside Auto Mode', config('autoModeConfig: {enabled: true}', managed()), 'managedNodeGroups'),
    refused(
      'a core add-on beside Auto Mode',
      config('autoModeConfig: {enabled: true}', 'addons: [{name: coredns}]'),
      '{name: coredns',
    ),
    refused(
      'days that CloudWatch does not have',
      config('cloudWatch: {clusterLogging: {enableTypes: [audit], logRetentionInDays: 10}}'),
      'logRetentionInDays',
    ),
    refused(
      'a public group of a private cluster',
      config('privateCluster: {enabled: true}', managed()),
      'name: workers',
    ),
    refused('two groups of one name', config(managed(), '  - name: workers # second'), 'name: workers # second'),
    refused('a family that there is not', config(managed('amiFamily: Debian12')), 'amiFamily'),
    refused('an AMI without family', config(managed(...AMI)), 'ami: '),
    refused('an AMI of Ubuntu without bootstrap', config(managed(...AMI, 'amiFamily: Ubuntu2204')), 'ami: '),
    refused(
      'max pods beside an AMI',
      config(managed(...AMI, 'amiFamily: AmazonLinux2023', 'maxPodsPerNode: 20')),
      'maxPodsPerNode',
    ),
    refused(
      'no metadata for pods that live on it',
      config(managed('disablePodIMDS: true', 'iam: {withAddonPolicies: {ebs: true, efs: true, fsx: false}}')),
      'disablePodIMDS',
      ['(`ebs` and `efs`)'],
    ),
    refused(
      'a role of somebody else and all that would change it',
      config(
        managed('iam: {instanceRoleARN: "arn:aws:iam::1:role/a", instanceRoleName: b, withAddonPolicies: {ebs: true}}'),
      ),
      'instanceRoleARN',
      ['(`instanceRoleName` and `withAddonPolicies.ebs`)'],
    ),
    refused(
      'a role of somebody else and policies',
      config(
        managed('iam: {instanceRoleARN: "arn:aws:iam::1:role/a", attachPolicyARNs: ["arn:aws:iam::aws:policy/A"]}'),
      ),
      'instanceRoleARN',
    ),
    refused(
      'the shared security group of a managed group',
      config(managed('securityGroups: {withShared: true}')),
      'withShared',
    ),
    refused(
      'one type and several',
      config(managed('instanceType: m5.large', 'instanceTypes: [m5.large]')),
      'instanceType: ',
    ),
    refused('IOPS on gp2', config(managed('volumeType: gp2', 'volumeIOPS: 3000')), 'volumeIOPS'),
    refused('too few IOPS', config(managed('volumeIOPS: 100')), 'volumeIOPS'),
    refused('encryption without a size', config(selfManaged('volumeEncrypted: true')), 'volumeEncrypted'),
    refused('a launch template by name', config(managed('launchTemplate: {version: "1"}')), 'launchTemplate'),
    refused(
      'a version of a launch template in words',
      config(managed('launchTemplate: {id: lt-1, version: $Latest}')).replace('$Latest', '"latest"'),
      'version: "latest"',
    ),
    refused(
      'what does not go with a launch template',
      config(managed('launchTemplate: {id: lt-1}', 'volumeSize: 50')),
      'volumeSize',
    ),
    refused('what kubelet is not told', config(selfManaged('kubeletExtraConfig: {clusterDomain: a}')), 'clusterDomain'),
    refused(
      'commands of Bottlerocket',
      config(managed('amiFamily: Bottlerocket', 'preBootstrapCommands: [a]')),
      'preBootstrapCommands',
    ),
    refused('a taint without effect', config(managed('taints: [{key: a, value: b, effect: NoRun}]')), 'effect'),
    refused(
      'an add-on with two sources of permissions',
      config(
        'iam: {withOIDC: true}',
        'addons: [{name: vpc-cni, attachPolicyARNs: ["arn:aws:iam::aws:policy/A"], wellKnownPolicies: {ebsCSIController: true}}]',
      ),
      'wellKnownPolicies',
    ),
    refused(
      'an association without namespace',
      config(
        'addons: [{name: eks-pod-identity-agent}, {name: vpc-cni, podIdentityAssociations: [{serviceAccountName: aws-node, roleARN: "arn:aws:iam::1:role/a"}]}]',
      ),
      '{serviceAccountName',
    ),
    refused(
      'values that nobody can read',
      config('addons: [{name: vpc-cni, configurationValues: "{env: ["}]'),
      'configurationValues',
    ),
    refused('a document before it', `kind: ConfigMap\napiVersion: v1\n---\n${config(managed())}`, 'kind: ConfigMap'),
    late(
      'a script as NodeConfig',
      config(managed('overrideBootstrapCommand: "#!/bin/bash\\ntrue"')),
      'overrideBootstrapCommand',
      ['a script'],
    ),
    late(
      'MIME as NodeConfig',
      config(managed('overrideBootstrapCommand: "MIME-Version: 1.0\\n"')),
      'overrideBootstrapCommand',
      ['MIME'],
    ),
    late(
      'a self-managed group of an IPv6 cluster',
      config(IPV6, 'iam: {withOIDC: true}', 'addons: [{name: coredns}]', selfManaged()),
      'name: workers',
    ),
    late(
      'settings of Bottlerocket that are the group’s',
      config(managed('amiFamily: Bottlerocket', 'bottlerocket: {settings: {kubernetes: {node-labels: {a: b}}}}')),
      'node-labels',
    ),
  ],
  unverifiable: [],
  notApplicable: [{ name: 'a template', template: resources(CLUSTER) }],
});
