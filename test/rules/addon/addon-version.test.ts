import { AS_OF } from '../../as-of';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { addonVersion } from '../../../lib/rules/addon/addon-version';
import { plan } from '../plan-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const addon = (name: string, version: string | undefined, minor: string | undefined, more = '') =>
  [
    'Resources:',
    '  Addon:',
    '    Type: AWS::EKS::Addon',
    '    Properties:',
    '      ClusterName: !Ref Cluster',
    `      AddonName: ${name}`,
    ...(version === undefined ? [] : [`      AddonVersion: ${version}`]),
    '  Cluster:',
    '    Type: AWS::EKS::Cluster',
    '    Metadata: {}',
    '    Properties:',
    ...(minor === undefined ? [] : [`      Version: ${minor}`]),
    '      RoleArn: arn:aws:iam::111122223333:role/cluster',
    '      ResourcesVpcConfig:',
    '        SubnetIds: [subnet-1, subnet-2]',
    more,
  ].join('\n');

const STAGE = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n';

/** A plan of an add-on that exists, with a version that doesn't fit its cluster. */
const answered = (...more: readonly string[]) =>
  plan(
    `aws_eks_addon.cni: { before: { cluster_name: main, addon_name: vpc-cni, addon_version: v1.15.1-eksbuild.1 }, ${more.join(', ')} }`,
    "aws_eks_cluster.main: { before: { name: main, version: '1.33' } }",
  );

/** A plan of an add-on whose version is looked up: known only after apply, or by now. */
const looked = (name: string, newest: boolean | string, isKnown = false) =>
  plan(
    isKnown
      ? `aws_eks_addon.cni: { after: { cluster_name: main, addon_name: ${name}, addon_version: v1.20.4-eksbuild.2 }, given: { addon_version: [data.aws_eks_addon_version.found.version] } }`
      : `aws_eks_addon.cni: { after: { cluster_name: main, addon_name: ${name} }, unknown: { addon_version: data.aws_eks_addon_version.found.version } }`,
    typeof newest === 'string'
      ? `data.aws_eks_addon_version.found: { actions: [read], after: { addon_name: ${name} }, unknown: { most_recent: ${newest}, version: computed } }`
      : `data.aws_eks_addon_version.found: { actions: [read], after: { addon_name: ${name}, most_recent: ${newest} }, unknown: { version: computed } }`,
    "aws_eks_cluster.main: { after: { name: main, version: '1.33' } }",
  );

const LOOKED_UP = { severity: 'warning', resource: 'aws_eks_addon.cni', message: 'looked-up-cni' } as const;
const FARGATE =
  '  Pods:\n    Type: AWS::EKS::FargateProfile\n    Properties: { ClusterName: !Ref Cluster, PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods }';

/** A cluster and two add-ons whose versions depend on the same condition. */
const perVersion = (current: string, old: string) =>
  [
    'Parameters:',
    '  Family:',
    '    Type: String',
    'Conditions:',
    '  V6: !Equals [!Ref Family, ipv6]',
    '  V4: !Not [!Condition V6]',
    'Resources:',
    ...[
      ['Current', 'V6', current],
      ['Old', 'V4', old],
    ].flatMap(([id = '', condition = '', version = '']) => [
      `  ${id}:`,
      '    Type: AWS::EKS::Addon',
      `    Condition: ${condition}`,
      '    Properties:',
      '      ClusterName: !Ref Cluster',
      '      AddonName: vpc-cni',
      `      AddonVersion: ${version}`,
    ]),
    '  Cluster:',
    '    Type: AWS::EKS::Cluster',
    '    Properties:',
    '      Version: !If [V6, "1.33", "1.24"]',
    '      RoleArn: arn:aws:iam::111122223333:role/cluster',
    '      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }',
    '',
  ].join('\n');

testRule(addonVersion, {
  valid: [
    {
      name: 'v1.16.2 on Kubernetes 1.23 passes, where v1.16.0 does not',
      template: addon('vpc-cni', 'v1.16.2-eksbuild.1', "'1.23'"),
    },
    {
      name: 'kube-proxy of another minor version is told by another rule',
      template: addon('kube-proxy', 'v1.36.0-eksbuild.14', "'1.33'"),
    },
    {
      name: 'an add-on per condition, each for the version that the cluster then has, passes',
      template: perVersion('v1.20.4-eksbuild.2', 'v1.11.4-eksbuild.1'),
    },
    {
      name: 'an old version that is offered passes, although it is not the default',
      template: addon('vpc-cni', 'v1.20.4-eksbuild.2', "'1.33'"),
    },
    {
      name: 'kube-proxy of the cluster version passes',
      template: addon('kube-proxy', 'v1.34.6-eksbuild.18', "'1.34'"),
    },
    {
      name: 'a preview build that was offered passes',
      template: addon('aws-ebs-csi-driver', 'v1.4.0-eksbuild.preview', "'1.20'"),
    },
    {
      name: 'an add-on that the table does not have is only asked for a version',
      template: addon('adot', 'v0.1-anything', "'1.33'"),
    },
    {
      name: 'the default of a parameter is judged',
      template: addon(
        'vpc-cni',
        '!Ref V',
        "'1.33'",
        'Parameters:\n  V:\n    Type: String\n    Default: v1.20.4-eksbuild.2\n',
      ),
    },
  ],
  invalid: [
    {
      name: 'of the add-ons per condition the one that does not fit its cluster version fails',
      template: perVersion('v1.20.4-eksbuild.2', 'v1.15.1-eksbuild.1').replace('"1.24"', '"1.36"'),
      findings: [
        {
          message: 'incompatible',
          severity: 'error',
          resource: 'Old',
          at: 'AddonVersion: v1.15.1-eksbuild.1',
          omits: ['V4'],
        },
      ],
    },
    {
      name: 'vpc-cni without a version is a warning',
      template: addon('vpc-cni', undefined, "'1.33'"),
      fixed: addon('vpc-cni', 'v1.22.4-eksbuild.3', "'1.33'"),
      findings: [
        {
          message: 'unpinned-cni',
          severity: 'warning',
          resource: 'Addon',
          at: 'Properties',
          says: ['v1.22.4-eksbuild.3'],
        },
      ],
    },
    {
      name: 'a version that EKS answers for vpc-cni without one is no pin, and nobody asks for it',
      template: answered('answered: [addon_version]'),
      findings: [
        {
          message: 'unpinned-cni',
          severity: 'warning',
          resource: 'aws_eks_addon.cni',
          at: '"addon_version": "v1.15.1-eksbuild.1"',
        },
      ],
    },
    {
      name: 'vpc-cni without a version, for a cluster that EKS no longer supports: no version to propose',
      template: addon('vpc-cni', undefined, "'1.18'"),
      findings: [
        {
          message: 'unpinned-cni-open',
          severity: 'warning',
          resource: 'Addon',
          at: 'Properties',
          omits: ['eksbuild', '2026'],
        },
      ],
    },
    {
      name: 'nor for one whose support has ended since the table was made',
      template: addon('vpc-cni', undefined, "'1.33'"),
      today: '2029-01-01',
      findings: [
        { message: 'unpinned-cni-open', severity: 'warning', resource: 'Addon', at: 'Properties', omits: ['eksbuild'] },
      ],
    },
    {
      name: 'the oldest version that is left on the day on which support of another ends',
      template: addon('vpc-cni', undefined, "'1.29'"),
      today: '2026-11-26',
      findings: [
        {
          message: 'unpinned-cni-open',
          severity: 'warning',
          resource: 'Addon',
          at: 'Properties',
          advises: 'of Kubernetes 1.32, the oldest version that EKS supports',
        },
      ],
    },
    {
      name: 'nor for one that the table does not have',
      template: addon('vpc-cni', undefined, "'1.40'"),
      findings: [{ message: 'unpinned-cni-open', severity: 'warning', resource: 'Addon', at: 'Properties' }],
    },
    {
      name: 'nor for one that is not part of the input',
      template: addon('vpc-cni', undefined, "'1.33'").replace('!Ref Cluster', 'shared'),
      findings: [{ message: 'unpinned-cni-open', severity: 'warning', resource: 'Addon', at: 'Properties' }],
    },
    {
      name: 'the newest version at every plan',
      template: looked('vpc-cni', true),
      findings: [
        {
          ...LOOKED_UP,
          at: '"after": {',
          says: ['the newest version', 'on a cluster that exists'],
          omits: ['that day'],
        },
      ],
    },
    {
      name: 'a plan that has found it',
      template: looked('vpc-cni', true, true),
      findings: [{ ...LOOKED_UP, at: '"addon_version"', says: ['the newest version'] }],
    },
    {
      name: 'the default version at every plan',
      template: looked('vpc-cni', false, true),
      findings: [
        {
          ...LOOKED_UP,
          at: '"addon_version"',
          says: ["EKS's default", 'the data source `aws_eks_addon_version` is asked without `most_recent`'],
          omits: ['names none'],
        },
      ],
    },
    {
      name: 'which of the two is not known',
      template: looked('vpc-cni', 'aws_x.y.z'),
      findings: [{ ...LOOKED_UP, at: '"after": {', says: ['the newest or the default'] }],
    },
    {
      name: 'of another add-on it is information',
      template: looked('coredns', true),
      findings: [
        {
          ...LOOKED_UP,
          severity: 'info',
          message: 'looked-up',
          at: '"after": {',
          related: ['"most_recent'],
          says: ['coredns'],
        },
      ],
    },
    {
      name: 'the CNI of a cluster that only has Fargate',
      template: addon('vpc-cni', undefined, "'1.33'", FARGATE),
      findings: [{ message: 'unpinned', severity: 'info', resource: 'Addon', at: 'Properties' }],
    },
    {
      name: 'other add-ons without a version are information',
      template: addon('coredns', undefined, "'1.33'"),
      findings: [{ message: 'unpinned', severity: 'info', resource: 'Addon', at: 'Properties', says: ['coredns'] }],
    },
    {
      name: 'a version for older clusters fails',
      template: addon('vpc-cni', 'v1.15.1-eksbuild.1', "'1.36'"),
      findings: [
        {
          message: 'incompatible',
          severity: 'error',
          resource: 'Addon',
          at: 'AddonVersion',
          says: ['v1.15.1-eksbuild.1', '1.36', '2026-08-22'],
        },
      ],
    },
    {
      name: 'an old CoreDNS on a new cluster fails',
      template: addon('coredns', 'v1.8.7-eksbuild.21', "'1.34'"),
      findings: [{ message: 'incompatible', severity: 'error', resource: 'Addon', at: 'AddonVersion' }],
    },
    {
      name: 'a version without build fails',
      template: addon('vpc-cni', 'v1.20.4', "'1.33'"),
      findings: [{ message: 'malformed', severity: 'error', resource: 'Addon', at: 'AddonVersion', says: ['v1.20.4'] }],
    },
    {
      name: '"latest" fails',
      template: addon('coredns', 'latest', "'1.33'"),
      findings: [
        { message: 'malformed', severity: 'error', resource: 'Addon', at: 'AddonVersion', says: ['"latest"'] },
      ],
    },
    {
      name: 'a build that its line has overtaken and that is not offered fails',
      template: addon('vpc-cni', 'v1.22.0-eksbuild.1', "'1.33'"),
      findings: [
        {
          message: 'not-offered',
          severity: 'error',
          resource: 'Addon',
          at: 'AddonVersion',
          says: ['v1.22.0-eksbuild.1'],
        },
      ],
    },
    {
      name: 'a version for Kubernetes versions that are out of support is a warning on a cluster without version',
      template: addon('vpc-cni', 'v1.10.4-eksbuild.1', undefined),
      findings: [
        {
          message: 'outlived',
          severity: 'warning',
          resource: 'Addon',
          at: 'AddonVersion',
          says: ['v1.10.4-eksbuild.1', '1.23 to 1.24', 'names no version'],
        },
      ],
    },
    {
      name: 'v1.16.0 on Kubernetes 1.23 fails for the CNI specification',
      template: addon('vpc-cni', 'v1.16.0-eksbuild.1', "'1.23'"),
      findings: [{ message: 'cni-spec', severity: 'error', resource: 'Addon', at: 'AddonVersion', says: ['1.23'] }],
    },
    {
      name: 'of the branches of Fn::If the bad one fails and is named',
      template: addon('vpc-cni', '!If [IsProd, v1.15.1-eksbuild.1, v1.22.4-eksbuild.3]', "'1.36'", STAGE),
      findings: [
        { message: 'incompatible', severity: 'error', resource: 'Addon', at: 'AddonVersion', says: ['IsProd'] },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a version that the table no longer lists for a Kubernetes version out of support',
      template: addon('vpc-cni', 'v1.20.4-eksbuild.2', "'1.22'"),
      resources: ['Addon'],
      because: 'supports Kubernetes 1.22 no longer',
    },
    {
      name: 'a build that is gone, on a Kubernetes version out of support',
      template: addon('vpc-cni', 'v1.7.5-eksbuild.1', "'1.21'"),
      resources: ['Addon'],
      because: 'supports Kubernetes 1.21 no longer',
    },
    {
      name: 'a listed version, once its Kubernetes version is out of support',
      template: addon('vpc-cni', 'v1.15.1-eksbuild.1', "'1.36'"),
      today: '2029-01-01',
      resources: ['Addon'],
      because: 'supports Kubernetes 1.36 no longer',
    },
    {
      name: 'a version newer than the table',
      template: addon('vpc-cni', 'v1.24.0-eksbuild.1', "'1.33'"),
      resources: ['Addon'],
      because: 'v1.24.0-eksbuild.1',
    },
    {
      name: 'a newer release without build',
      template: addon('vpc-cni', 'v1.99.0', "'1.33'"),
      resources: ['Addon'],
      because: 'may be newer',
    },
    {
      name: 'a later rebuild of a listed release',
      template: addon('vpc-cni', 'v1.20.4-eksbuild.99', "'1.33'"),
      resources: ['Addon'],
      because: 'may be newer',
    },
    {
      name: 'a listed version on a Kubernetes version that the table does not have',
      template: addon('vpc-cni', 'v1.22.4-eksbuild.3', "'1.37'"),
      resources: ['Addon'],
      because: '1.37',
    },
    {
      name: 'a version from a parameter',
      template: addon('vpc-cni', '!Ref V', "'1.33'", 'Parameters:\n  V:\n    Type: String\n'),
      resources: ['Addon'],
      because: 'V',
    },
    {
      name: 'a cluster without version, once all of the table is out of support',
      template: addon('vpc-cni', 'v1.10.4-eksbuild.1', undefined),
      today: '2029-01-01',
      resources: ['Addon'],
      because: 'names none',
    },
    {
      name: 'a cluster without version',
      template: addon('vpc-cni', 'v1.22.4-eksbuild.3', undefined),
      resources: ['Addon'],
      because: 'names none',
    },
    {
      name: 'an imported cluster',
      template: addon('vpc-cni', 'v1.22.4-eksbuild.3', "'1.33'").replace('!Ref Cluster', 'shared'),
      resources: ['Addon'],
      because: 'not part of the input',
    },
  ],
  notApplicable: [
    {
      name: 'a cluster without add-on',
      template: addon('vpc-cni', undefined, "'1.33'").replace('AWS::EKS::Addon', 'AWS::SNS::Topic'),
    },
  ],
});

describe('a version that is looked up says where', () => {
  const found = (question: string) => {
    const hcl = [
      'data "aws_eks_addon_version" "cni" {',
      '  addon_name         = "vpc-cni"',
      '  kubernetes_version = "1.33"',
      `  ${question}`,
      '}',
      '',
      'resource "aws_eks_addon" "cni" {',
      '  cluster_name  = "main"',
      '  addon_name    = "vpc-cni"',
      '  addon_version = data.aws_eks_addon_version.cni.version',
      '}',
    ];
    return runRules(new EksModel(readInstances(instancesOf(hclFile(hcl.join('\n'), 'main.tf')))), [addonVersion], {
      asOf: AS_OF,
    }).map(({ source, related, fix }) => ({
      line: source.locate().line,
      also: related.map((one) => `${one.source.locate().line}: ${one.message}`),
      fix,
    }));
  };

  it('the newest one', () => {
    expect(found('most_recent = true')).toEqual([
      {
        line: 10,
        also: ['4: asks AWS for the newest version that EKS offers'],
        fix: 'Write a version in the place of the data source, for instance `v1.22.4-eksbuild.3`; where `aws eks describe-addon` tells a newer one that runs, take that. Update it on purpose.',
      },
    ]);
  });

  it.each(['', 'most_recent = false'])('the default one: %s', (question) => {
    expect(found(question)).toEqual([
      {
        line: 10,
        also: ["1: asks AWS for the version that is EKS's default"],
        fix: 'Write a version in the place of the data source, for instance `v1.22.4-eksbuild.3`; where `aws eks describe-addon` tells a newer one that runs, take that. Update it on purpose.',
      },
    ]);
  });
});
