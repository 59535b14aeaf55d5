import { AS_OF } from '../../as-of';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { clusterSupportType } from '../../../lib/rules/node-group/cluster-support-type';
import { plan } from '../plan-templates';
import { block, cluster, resources, template } from '../node-templates';
import { testRule, type ExpectedFinding } from '../rule-tester';

const withType = (version: string, type: string) =>
  resources(cluster(`Version: '${version}'`, `UpgradePolicy: { SupportType: ${type} } # policy`));
const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

function finding(
  message: string,
  severity: ExpectedFinding['severity'],
  says: readonly string[] = [],
): ExpectedFinding {
  return { message, severity, resource: 'Cluster', at: 'SupportType', says };
}

testRule(clusterSupportType, {
  valid: [
    { name: 'EXTENDED passes, whatever the version', template: withType('1.33', 'EXTENDED') },
    { name: 'STANDARD passes as long as there is time', template: withType('1.36', 'STANDARD') },
    { name: 'STANDARD passes 61 days before the end', template: withType('1.34', 'STANDARD'), today: '2026-10-02' },
    {
      name: 'STANDARD passes without version: the default of EKS is in standard support',
      template: resources(cluster('UpgradePolicy: { SupportType: STANDARD }')),
    },
    {
      name: 'a support type that an existing cluster has passes',
      template: plan(
        "aws_eks_cluster.main: { before: { name: main, version: '1.36', upgrade_policy: [{ support_type: EXTENDED }] } }",
      ),
    },
  ],
  invalid: [
    {
      name: 'no support type is a warning when the day is near',
      template: resources(cluster("Version: '1.34'")),
      findings: [
        {
          message: 'notChosen',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Properties',
          says: ['"Cluster"', 'means EXTENDED', 'ends, on 2026-12-02', 'stays on the version'],
          advises: 'With `STANDARD` that is in ',
        },
      ],
      fixed: withType('1.34', 'EXTENDED'),
    },
    {
      name: 'no support type is information before, with the day on which it matters',
      template: resources(cluster("Version: '1.36'")),
      findings: [
        {
          message: 'notChosen',
          severity: 'info',
          resource: 'Cluster',
          at: 'Properties',
          says: ['"Cluster"', 'means EXTENDED', 'ends, on 2027-08-02'],
        },
      ],
      fixed: withType('1.36', 'STANDARD'),
    },
    {
      name: 'no support type is information without version too',
      template: resources(cluster()),
      findings: [
        {
          message: 'notChosen',
          severity: 'info',
          resource: 'Cluster',
          at: 'Properties',
          says: ['version ends, its control plane'],
        },
      ],
      fixed: resources(cluster('UpgradePolicy: { SupportType: EXTENDED }')),
    },
    {
      name: 'no support type in a plan of a new cluster is information',
      template: plan(
        "aws_eks_cluster.main: { after: { name: main, version: '1.36' }, unknown: { upgrade_policy: computed } }",
      ),
      findings: [{ message: 'notChosen', severity: 'info', resource: 'aws_eks_cluster.main', at: '"after": {' }],
    },
    {
      name: 'STANDARD for a version in extended support fails',
      template: withType('1.33', 'STANDARD'),
      findings: [finding('tooLate', 'error', ['Kubernetes 1.33', 'ended on 2026-07-29'])],
      fixed: withType('1.35', 'STANDARD'),
    },
    {
      name: 'extended support that is about to end is no advice for STANDARD',
      template: withType('1.31', 'STANDARD'),
      findings: [finding('ending', 'error', ['Kubernetes 1.31', 'until 2026-11-26'])],
      fixed: withType('1.35', 'STANDARD'),
    },
    {
      name: 'STANDARD is a warning when EKS is about to update the cluster',
      template: withType('1.34', 'STANDARD'),
      findings: [finding('soon', 'warning', ['in 11 days, on 2026-12-02'])],
      fixed: withType('1.34', 'EXTENDED'),
    },
    {
      name: 'small letters fail',
      template: withType('1.36', 'standard'),
      findings: [finding('noType', 'error', ['"standard"'])],
      fixed: withType('1.36', 'STANDARD'),
    },
    {
      name: 'one bad branch fails and is named',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.36', '1.33']", 'UpgradePolicy: { SupportType: STANDARD }'),
      ),
      findings: [finding('tooLate', 'error', ['IsProduction is false'])],
    },
  ],
  unverifiable: [
    {
      name: 'a support type from a parameter',
      template: template(
        'Parameters:\n  T: { Type: String }',
        cluster("Version: '1.36'", 'UpgradePolicy: { SupportType: !Ref T }'),
      ),
      resources: ['Cluster'],
      because: 'T',
    },
    {
      name: 'STANDARD with a version that is not known',
      template: template(
        'Parameters:\n  V: { Type: String }',
        cluster('Version: !Ref V', 'UpgradePolicy: { SupportType: STANDARD }'),
      ),
      resources: ['Cluster'],
      because: "version isn't known",
    },
    {
      name: 'STANDARD with a version whose dates are not known',
      template: withType('1.37', 'STANDARD'),
      resources: ['Cluster'],
      because: 'no dates',
    },
  ],
  notApplicable: [
    {
      name: 'a local cluster on an Outpost',
      template: resources(
        cluster(
          "Version: '1.35'",
          'OutpostConfig: { ControlPlaneInstanceType: m5.large, OutpostArns: [arn:aws:outposts:eu-west-1:111122223333:outpost/op-1] }',
        ),
      ),
    },
    {
      name: 'no support type for a version in extended support: it is too late to choose',
      template: resources(cluster("Version: '1.33'")),
    },
    { name: 'no support type for a version without support', template: resources(cluster("Version: '1.30'")) },
    {
      name: 'STANDARD for a version without support, which another rule tells',
      template: withType('1.30', 'STANDARD'),
    },
    { name: 'no version at all', template: resources(cluster('Version: latest')) },
  ],
});

it("tells the user of the CDK's aws-eks, whose clusters have no such setting, the command", () => {
  const text = resources(
    block('Cluster', 'Custom::AWSCDK-EKS-Cluster', [
      'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:cluster',
      "Config: { name: main, version: '1.35' }",
    ]),
  );
  const { resources: read } = readTemplates([
    { file: 'template.yaml', text: text.replace('Resources:', 'Metadata: {}\nResources:') },
  ]);
  const [finding] = runRules(new EksModel(read), [clusterSupportType]);
  expect(finding?.message).toContain('chooses no support type');
  const code = clusterSupportType.messages['notChosen']?.fix.code?.['aws-cdk'];
  const [judgement] = [...clusterSupportType.check(new EksModel(read), { today: AS_OF, options: {} })];
  expect(code).toBe('{{inCdk}}');
  expect(judgement?.data?.['inCdk']).toContain(
    'aws eks update-cluster-config --name main --upgrade-policy supportType=STANDARD',
  );
});
