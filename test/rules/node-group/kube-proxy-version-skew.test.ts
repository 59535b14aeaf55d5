import fc from 'fast-check';
import { kubeProxySkew, kubeProxyVersionSkew } from '../../../lib/rules/node-group/kube-proxy-version-skew';
import { addon, cluster, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

function proxy(...version: readonly string[]): string {
  return addon('Proxy', 'AddonName: kube-proxy', 'ResolveConflicts: OVERWRITE', ...version);
}

function of(version: string, kubernetes: string): string {
  return resources(cluster(`Version: '${kubernetes}'`), proxy(`AddonVersion: ${version}`));
}

testRule(kubeProxyVersionSkew, {
  valid: [
    {
      name: 'versions that follow one parameter, whose default one of the conditions rules out',
      template: [
        "Parameters: {K: {Type: String, Default: '1.33', AllowedValues: ['1.29', '1.33']}}",
        "Conditions: {N: !Equals [!Ref K, '1.33']}",
        'Resources:',
        '  Cluster: {Type: AWS::EKS::Cluster, Properties: {Version: !Ref K, RoleArn: arn:aws:iam::111122223333:role/cluster}}',
        '  Proxy: {Type: AWS::EKS::Addon, Properties: {ClusterName: !Ref Cluster, AddonName: kube-proxy, AddonVersion: !If [N, v1.33.0-eksbuild.2, v1.29.0-eksbuild.1]}}',
        '',
      ].join('\n'),
    },
    { name: 'the version of the cluster', template: of('v1.33.10-eksbuild.18', '1.33') },
    {
      name: 'the minor version only is known, and fits',
      template: template(
        'Parameters:\n  Patch: { Type: String }',
        cluster("Version: '1.33'"),
        proxy("AddonVersion: !Sub 'v1.33.${Patch}'"),
      ),
    },
    {
      name: 'both from one parameter',
      template: template(
        'Parameters:\n  Kubernetes: { Type: String }',
        cluster('Version: !Ref Kubernetes'),
        proxy("AddonVersion: !Sub 'v${Kubernetes}.0-eksbuild.2'"),
      ),
    },
    {
      name: 'versions that go together in each branch',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.32', '1.33']"),
        proxy('AddonVersion: !If [IsProduction, v1.32.13-eksbuild.21, v1.33.10-eksbuild.18]'),
      ),
    },
  ],
  invalid: [
    {
      name: 'ahead of the cluster',
      template: of('v1.34.6-eksbuild.18', '1.33'),
      findings: [
        {
          message: 'ahead',
          severity: 'error',
          resource: 'Proxy',
          at: 'AddonVersion',
          related: ['Version:'],
          says: ['v1.34.6-eksbuild.18', 'Kubernetes 1.33'],
        },
      ],
      fixed: of('v1.33.10-eksbuild.18', '1.33'),
    },
    {
      name: 'too far behind',
      template: of('v1.31.14-eksbuild.2', '1.35'),
      findings: [
        {
          message: 'tooOld',
          severity: 'error',
          resource: 'Proxy',
          at: 'AddonVersion',
          related: ['Version:'],
          says: ['4 minor versions behind', 'by 3 at most'],
        },
      ],
      fixed: of('v1.35.3-eksbuild.18', '1.35'),
    },
    {
      name: 'three minor versions are too many for an old kube-proxy',
      template: of('v1.24.7-eksbuild.2', '1.27'),
      also: ['cluster-version-support'],
      findings: [
        {
          message: 'tooOld',
          severity: 'error',
          resource: 'Proxy',
          at: 'AddonVersion',
          says: ['3 minor versions behind', 'by 2 at most'],
        },
      ],
    },
    {
      name: 'forgotten at the last upgrade',
      template: of('v1.32.13-eksbuild.21', '1.33'),
      findings: [
        {
          message: 'behind',
          severity: 'warning',
          resource: 'Proxy',
          at: 'AddonVersion',
          related: ['Version:'],
          says: ['one minor version behind', '3 minor versions are the most'],
        },
      ],
      fixed: of('v1.33.10-eksbuild.18', '1.33'),
    },
    {
      name: 'forgotten at three upgrades',
      template: of('v1.33.10-eksbuild.18', '1.36'),
      findings: [
        {
          message: 'behind',
          severity: 'warning',
          resource: 'Proxy',
          at: 'AddonVersion',
          says: ['3 minor versions behind'],
        },
      ],
    },
    {
      name: 'the cluster is upgraded in one branch',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.33', '1.34']"),
        proxy('AddonVersion: v1.33.10-eksbuild.18'),
      ),
      findings: [
        {
          message: 'behind',
          severity: 'warning',
          resource: 'Proxy',
          at: 'AddonVersion',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'the condition of the add-on is no reason',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.34', '1.33']"),
        onCondition('IsProduction', proxy('AddonVersion: v1.33.10-eksbuild.18')),
      ),
      findings: [
        { message: 'behind', severity: 'warning', resource: 'Proxy', at: 'AddonVersion', omits: ['This happens when'] },
      ],
    },
    {
      name: 'the default of a parameter counts',
      template: template(
        "Parameters:\n  Kubernetes: { Type: String, Default: '1.34' }",
        cluster('Version: !Ref Kubernetes'),
        proxy('AddonVersion: v1.33.10-eksbuild.18'),
      ),
      findings: [{ message: 'behind', severity: 'warning', resource: 'Proxy', at: 'AddonVersion' }],
    },
  ],
  unverifiable: [
    {
      name: 'an imported cluster',
      template: resources(proxy('AddonVersion: v1.33.10-eksbuild.18').replace('!Ref Cluster', 'elsewhere')),
      resources: ['Proxy'],
      because: 'elsewhere is not part of the input',
    },
    {
      name: 'a cluster without a version',
      template: resources(cluster(), proxy('AddonVersion: v1.33.10-eksbuild.18')),
      resources: ['Proxy'],
      because: 'declares no Kubernetes version',
    },
    {
      name: 'a version from a parameter',
      template: template(
        'Parameters:\n  Version: { Type: String }',
        cluster("Version: '1.33'"),
        proxy('AddonVersion: !Ref Version'),
      ),
      resources: ['Proxy'],
      because: 'Version',
    },
    {
      name: 'a cluster version from a parameter',
      template: template(
        'Parameters:\n  Version: { Type: String }',
        cluster('Version: !Ref Version'),
        proxy('AddonVersion: v1.33.10-eksbuild.18'),
      ),
      resources: ['Proxy'],
      because: 'the version of its cluster',
    },
    {
      name: 'versions from two parameters',
      template: template(
        'Parameters:\n  A: { Type: String }\n  B: { Type: String }',
        cluster('Version: !Ref A'),
        proxy("AddonVersion: !Sub 'v${B}.0-eksbuild.2'"),
      ),
      resources: ['Proxy'],
    },
    {
      name: 'a cluster version that is none',
      template: of('v1.33.10-eksbuild.18', 'latest'),
      resources: ['Proxy'],
      because: '"latest"',
    },
  ],
  notApplicable: [
    { name: 'no version, which another rule tells', template: resources(cluster("Version: '1.33'"), proxy()) },
    { name: 'no version at all, which another rule tells', template: of('latest', '1.33') },
    { name: 'a version of the cluster that EKS never had', template: of('v1.30.14-eksbuild.8', '1.3') },
    {
      name: 'other add-ons',
      template: resources(
        cluster("Version: '1.33'"),
        addon('Dns', 'AddonName: coredns', 'AddonVersion: v1.11.4-eksbuild.2'),
      ),
    },
  ],
});

describe('kubeProxySkew', () => {
  it('allows two or three minor versions, depending on kube-proxy', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), (minor, cluster) => {
        const { lag, allowed } = kubeProxySkew(minor, cluster);
        expect(minor + lag).toBe(cluster);
        expect(allowed).toBe(minor <= 24 ? 2 : 3);
      }),
    );
  });
});
