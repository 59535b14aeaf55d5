import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { clusterVersionPinned } from '../../../lib/rules/node-group/cluster-version-pinned';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { plan } from '../plan-templates';
import { block, CLUSTER, cluster, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

testRule(clusterVersionPinned, {
  valid: [
    { name: 'a version passes', template: resources(cluster("Version: '1.36'")) },
    {
      name: 'a version from a parameter with a default passes',
      template: template("Parameters:\n  V: { Type: String, Default: '1.36' }", cluster('Version: !Ref V')),
    },
    {
      name: 'a version that an existing cluster has passes',
      template: plan("aws_eks_cluster.main: { before: { name: main, version: '1.36' } }"),
    },
    {
      name: 'a version that a local value may give passes',
      template: plan(
        "aws_eks_cluster.main: { before: { name: main, version: '1.36' }, given: { version: [local.version] } }",
      ),
    },
    { name: 'what is no version passes here', template: resources(cluster('Version: latest')) },
  ],
  invalid: [
    {
      name: 'no version is a warning',
      template: resources(cluster()),
      findings: [
        {
          message: 'notPinned',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Properties',
          says: ['"Cluster"', 'its default on the day of creation'],
        },
      ],
      fixed: resources(cluster("Version: '1.36'")),
    },
    {
      name: 'no version in a plan of a new cluster is a warning',
      template: plan('aws_eks_cluster.main: { after: { name: main }, unknown: { version: computed } }'),
      findings: [{ message: 'notPinned', severity: 'warning', resource: 'aws_eks_cluster.main', at: '"after": {' }],
    },
    {
      name: 'a version that AWS answers for a cluster that names none is a warning',
      template: plan("aws_eks_cluster.main: { before: { name: main, version: '1.36' }, answered: [version] }"),
      findings: [
        { message: 'notPinned', severity: 'warning', resource: 'aws_eks_cluster.main', at: '"version": "1.36"' },
      ],
    },
    {
      name: 'a version under a condition is a warning where it is missing',
      template: template(CONDITION, cluster("Version: !If [IsProduction, '1.36', !Ref AWS::NoValue]")),
      findings: [
        {
          message: 'notPinned',
          severity: 'warning',
          resource: 'Cluster',
          at: 'Version: !If',
          says: ['IsProduction is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a version from a parameter without default',
      template: template('Parameters:\n  V: { Type: String }', cluster('Version: !Ref V')),
      resources: ['Cluster'],
      because: 'V',
    },
    {
      name: 'a version that is looked up',
      template: resources(cluster("Version: '{{resolve:ssm:/eks/version}}'")),
      resources: ['Cluster'],
    },
  ],
  notApplicable: [
    {
      name: 'an imported cluster',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere'])),
    },
    {
      name: 'a cluster of another kind',
      template: resources(CLUSTER.replace('AWS::EKS::Cluster', 'AWS::ECS::Cluster').replace("Version: '1.33'", '')),
    },
  ],
});

it.each([
  [
    'var.minor',
    'variable "minor" {\n  default = null\n}\n',
    '# main.tf:2, default of variable minor:\n# of a cluster that exists, the version that it has\ndefault = "1.36"',
  ],
  [
    'var.minor',
    'variable "minor" {\n  default = ""\n}\n',
    '# main.tf:2, default of variable minor:\n# of a cluster that exists, the version that it has\ndefault = "1.36"',
  ],
  ['null', '', 'version = "1.36" # of a cluster that exists, the version that it has'],
])('the version goes where its value is given: %s with %j', (version, variable, code) => {
  const hcl = `${variable}resource "aws_eks_cluster" "main" {\n  version = ${version}\n}`;
  const found = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl, 'main.tf')))), [clusterVersionPinned]);
  expect(found.map(({ fixCode }) => fixCode)).toStrictEqual([code]);
});
