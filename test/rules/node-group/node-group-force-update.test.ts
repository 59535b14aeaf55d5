import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { nodeGroupForceUpdate } from '../../../lib/rules/node-group/node-group-force-update';
import { block, CLUSTER, cluster, nodeGroup, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';

const TWO_CONDITIONS = [
  'Parameters:\n  X: { Type: String }\n  Y: { Type: String }\nConditions:',
  "  A: !Equals [!Ref X, 'yes']\n  B: !Equals [!Ref Y, 'yes']\n  NotBoth: !Not [!And [!Condition A, !Condition B]]",
].join('\n');
const FORCED = resources(CLUSTER, nodeGroup('ForceUpdateEnabled: true'));

testRule(nodeGroupForceUpdate, {
  valid: [
    {
      name: 'force under conditions under which the group is not created passes',
      template: template(
        TWO_CONDITIONS,
        CLUSTER,
        onCondition('NotBoth', nodeGroup('ForceUpdateEnabled: !If [A, !If [B, true, false], false]')),
      ),
    },
    {
      name: 'a group that says nothing passes, because force is off by default',
      template: resources(CLUSTER, nodeGroup()),
    },
    { name: 'force switched off passes', template: resources(CLUSTER, nodeGroup('ForceUpdateEnabled: false')) },
    {
      name: 'force switched off as text passes',
      template: resources(CLUSTER, nodeGroup("ForceUpdateEnabled: 'false'")),
    },
  ],
  invalid: [
    {
      name: 'force that the condition of the group turns on is reported without that condition as a reason',
      template: template(
        TWO_CONDITIONS,
        CLUSTER,
        onCondition('A', nodeGroup('ForceUpdateEnabled: !If [A, true, false]')),
      ),
      findings: [
        {
          message: 'forced',
          severity: 'warning',
          resource: 'Workers',
          at: 'ForceUpdateEnabled',
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'force is reported at the setting',
      template: FORCED,
      findings: [
        {
          message: 'forced',
          severity: 'warning',
          resource: 'Workers',
          at: 'ForceUpdateEnabled',
          says: ['"Workers"', 'PodDisruptionBudget'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup('ForceUpdateEnabled: false')),
    },
    {
      name: 'force in a group that CDK wrote says that CDK does so by default',
      template: `${FORCED}    Metadata: { 'aws:cdk:path': Stack/Cluster/NodegroupWorkers/Resource }\n`,
      findings: [
        {
          message: 'forced',
          severity: 'warning',
          resource: 'Workers',
          at: 'ForceUpdateEnabled',
          says: ['what CDK writes unless `forceUpdate` is false', '"Stack/Cluster/NodegroupWorkers"'],
        },
      ],
    },
    {
      name: 'force in an L1 of CDK is what its author wrote',
      template: `${FORCED}    Metadata: { 'aws:cdk:path': Stack/Workers }\n`,
      findings: [
        {
          message: 'forced',
          severity: 'warning',
          resource: 'Workers',
          at: 'ForceUpdateEnabled',
          omits: ['what CDK writes'],
          fixOmits: 'forceUpdate:',
        },
      ],
    },
    {
      name: 'one bad branch of a condition is reported and named',
      template: template(
        'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]',
        CLUSTER,
        nodeGroup('ForceUpdateEnabled: !If [IsProduction, false, true]'),
      ),
      findings: [
        {
          message: 'forced',
          severity: 'warning',
          resource: 'Workers',
          at: 'ForceUpdateEnabled',
          says: ['This happens when', 'IsProduction'],
        },
      ],
    },
    {
      name: 'a group of an imported cluster is reported too',
      template: resources(
        block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', 'ForceUpdateEnabled: true']),
      ),
      findings: [{ message: 'forced', severity: 'warning', resource: 'Workers', at: 'ForceUpdateEnabled' }],
    },
  ],
  unverifiable: [
    {
      name: 'force from a parameter without default',
      template: template(
        'Parameters:\n  Force: { Type: String }',
        CLUSTER,
        nodeGroup('ForceUpdateEnabled: !Ref Force'),
      ),
      resources: ['Workers'],
      because: 'Force',
    },
  ],
  notApplicable: [
    {
      name: 'an Auto Mode cluster without node groups',
      template: resources(cluster('ComputeConfig: { Enabled: true }')),
    },
    {
      name: 'a cluster with Fargate only',
      template: resources(CLUSTER, block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster'])),
    },
  ],
});

test('force is an error in the strict preset', () => {
  const { resources: read } = readTemplates([{ file: 'template.yaml', text: FORCED }]);
  const findings = runRules(new EksModel(read), [nodeGroupForceUpdate], { preset: 'strict' });
  expect(findings.map((finding) => finding.severity)).toEqual(['error']);
});
