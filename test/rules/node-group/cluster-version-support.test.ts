import { clusterVersionSupport } from '../../../lib/rules/node-group/cluster-version-support';
import { plan } from '../plan-templates';
import { block, cluster, nodeGroup, onCondition, resources, template } from '../node-templates';
import { testRule, type ExpectedFinding } from '../rule-tester';

const version = (text: string, ...more: readonly string[]) => resources(cluster(`Version: '${text}'`, ...more));
const STANDARD = 'UpgradePolicy: { SupportType: STANDARD }';
const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

function finding(
  message: string,
  severity: ExpectedFinding['severity'],
  text: string,
  says: readonly string[] = [],
): ExpectedFinding {
  return { message, severity, resource: 'Cluster', at: `Version: '${text}'`, says };
}

/** A cluster with add-ons and a group that name their versions. */
function pinned(kubernetes: string, cni: string, proxy: string): string {
  const addon = (id: string, name: string, own: string): string =>
    block(id, 'AWS::EKS::Addon', [
      'ClusterName: !Ref Cluster',
      `AddonName: ${name}`,
      `AddonVersion: ${own}`,
      'ResolveConflicts: PRESERVE',
    ]);
  return resources(
    cluster(`Version: '${kubernetes}'`),
    addon('Cni', 'vpc-cni', cni),
    addon('Proxy', 'kube-proxy', proxy),
    nodeGroup(`Version: '${kubernetes}'`, 'AmiType: AL2023_x86_64_STANDARD'),
  );
}

testRule(clusterVersionSupport, {
  valid: [
    { name: 'a version in standard support passes', template: version('1.36') },
    {
      name: 'a version that stays in standard support for 61 days passes',
      template: version('1.34'),
      today: '2026-10-02',
    },
    { name: 'a version that YAML reads as a number passes', template: resources(cluster('Version: 1.36')) },
    {
      name: 'a version whose standard support ends soon passes with STANDARD: it costs nothing more',
      template: version('1.34', STANDARD),
    },
    {
      name: 'a version without extended support passes before its end',
      template: version('1.20'),
      today: '2022-01-01',
    },
  ],
  invalid: [
    {
      name: 'a version without any support fails',
      template: version('1.30'),
      findings: [finding('ended', 'error', '1.30', ['"Cluster"', 'Kubernetes 1.30', 'ended on 2026-07-23'])],
      fixed: version('1.36'),
    },
    {
      name: 'what is pinned beside it, and not offered for the new version, changes with it',
      template: pinned('1.29', 'v1.16.2-eksbuild.1', 'v1.29.0-eksbuild.1'),
      findings: [finding('ended', 'error', '1.29')],
      fixed: pinned('1.36', 'v1.22.4-eksbuild.3', 'v1.36.0-eksbuild.14'),
    },
    {
      name: 'the groups of Amazon Linux 2 are named beside it',
      template: resources(
        cluster("Version: '1.30'"),
        nodeGroup('AmiType: AL2_ARM_64'),
        block('Others', 'AWS::EKS::Nodegroup', ['ClusterName: !Ref Cluster', 'AmiType: AL2023_x86_64_STANDARD']),
      ),
      findings: [{ ...finding('ended', 'error', '1.30'), related: ['AmiType: AL2_ARM_64'] }],
    },
    {
      name: 'a group that names no AMI type, and gets another system on the way, is named beside it',
      template: resources(cluster("Version: '1.29'"), nodeGroup()),
      findings: [{ ...finding('ended', 'error', '1.29'), related: ['Workers:'] }],
    },
    {
      name: 'a version without any support fails with STANDARD too',
      template: version('1.30', STANDARD),
      findings: [finding('ended', 'error', '1.30')],
    },
    {
      name: 'a version that never had extended support fails',
      template: version('1.20'),
      findings: [finding('ended', 'error', '1.20', ['ended on 2022-11-01'])],
    },
    {
      name: 'a version older than the calendar fails',
      template: version('1.14'),
      findings: [finding('ended', 'error', '1.14', ['ended before 2022-11-01'])],
    },
    {
      name: 'the day on which extended support ends fails',
      template: version('1.31'),
      today: '2026-11-26',
      findings: [finding('ended', 'error', '1.31')],
    },
    {
      name: 'a version in extended support is a warning',
      template: version('1.33'),
      findings: [
        finding('extended', 'warning', '1.33', ['since 2026-07-29', '0.60 instead of 0.10 USD', 'until 2027-07-29']),
      ],
      fixed: version('1.35'),
    },
    {
      name: 'the last day of extended support is a warning',
      template: version('1.31'),
      findings: [finding('extended', 'warning', '1.31', ['until 2026-11-26, tomorrow, when EKS updates it by itself'])],
      today: '2026-11-25',
    },
    {
      name: 'the first day of extended support is a warning',
      template: version('1.34'),
      findings: [finding('extended', 'warning', '1.34')],
      today: '2026-12-02',
    },
    {
      name: 'a version whose standard support ends soon is a warning',
      template: version('1.34'),
      findings: [finding('soon', 'warning', '1.34', ['in 11 days, on 2026-12-02'])],
      fixed: version('1.35'),
    },
    {
      name: '60 days are soon',
      template: version('1.34'),
      findings: [finding('soon', 'warning', '1.34', ['in 60 days'])],
      today: '2026-10-03',
    },
    {
      name: 'one day is tomorrow',
      template: version('1.34'),
      findings: [finding('soon', 'warning', '1.34', ['tomorrow'])],
      today: '2026-12-01',
    },
    {
      name: 'EXTENDED is no reason not to say what it costs',
      template: version('1.33', 'UpgradePolicy: { SupportType: EXTENDED }'),
      findings: [finding('extended', 'warning', '1.33')],
    },
    {
      name: 'what is no version fails',
      template: version('latest'),
      findings: [finding('noVersion', 'error', 'latest', ['"latest"'])],
      fixed: version('1.36'),
    },
    { name: 'a patch version fails', template: version('1.33.2'), findings: [finding('noVersion', 'error', '1.33.2')] },
    {
      name: '1.30 that has become a number fails, and says why',
      template: version('1.3'),
      findings: [finding('noVersion', 'error', '1.3', ['without quotes 1.30 is the number 1.3'])],
    },
    {
      name: 'one bad branch fails and is named',
      template: template(CONDITION, cluster("Version: !If [IsProduction, '1.36', '1.30']")),
      findings: [
        {
          message: 'ended',
          severity: 'error',
          resource: 'Cluster',
          at: 'Version: !If',
          says: ['IsProduction is false'],
        },
      ],
    },
    {
      name: 'the cluster of a plan is judged as it will be',
      template: plan("aws_eks_cluster.main: { before: { name: main, version: '1.32' }, after: { version: '1.33' } }"),
      findings: [
        { message: 'extended', severity: 'warning', resource: 'aws_eks_cluster.main', at: '"version": "1.33"' },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a version whose dates are not known',
      template: version('1.37'),
      resources: ['Cluster'],
      because: 'no dates for Kubernetes 1.37',
    },
    {
      name: 'a version that is newer than the calendar',
      template: version('1.40'),
      resources: ['Cluster'],
      because: "doesn't have Kubernetes 1.40",
    },
    {
      name: 'a local cluster on an Outpost, which has dates of its own',
      template: version(
        '1.30',
        'OutpostConfig: { ControlPlaneInstanceType: m5.large, OutpostArns: [arn:aws:outposts:eu-west-1:111122223333:outpost/op-1] }',
      ),
      resources: ['Cluster'],
      because: 'Outposts have',
    },
    {
      name: 'a cluster that may be on an Outpost',
      template: template('Parameters:\n  O: { Type: String }', cluster("Version: '1.30'", 'OutpostConfig: !Ref O')),
      resources: ['Cluster'],
      because: "whether it runs on an Outpost isn't known",
    },
    {
      name: 'a version from a parameter',
      template: template('Parameters:\n  V: { Type: String }', cluster('Version: !Ref V')),
      resources: ['Cluster'],
      because: 'V',
    },
  ],
  notApplicable: [
    { name: 'no version', template: resources(cluster()) },
    {
      name: 'a version in extended support with STANDARD is for another rule to tell',
      template: version('1.33', STANDARD),
    },
    {
      name: 'a cluster that is not created',
      template: template(CONDITION, onCondition('IsProduction', cluster("Version: '1.36'"))).replace(
        'AWS::EKS::Cluster',
        'AWS::EKS::Other',
      ),
    },
  ],
});
