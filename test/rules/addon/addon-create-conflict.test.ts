import { addonCreateConflict } from '../../../lib/rules/addon/addon-create-conflict';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { block, cluster, CLUSTER, onCondition, resources, template } from '../node-templates';
import { plan } from '../plan-templates';

const VALUES = `ConfigurationValues: '{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}'`;

/** The vpc-cni add-on `Addon` of the cluster, with the comment `# addon` at its Properties. */
const addon = (...properties: readonly string[]) =>
  block('Addon', 'AWS::EKS::Addon', [
    'ClusterName: !Ref Cluster',
    'AddonName: vpc-cni',
    'AddonVersion: v1.21.1-eksbuild.5',
    'PreserveOnDelete: true',
    ...properties,
  ]);

const cluster133 = (...properties: readonly string[]) => cluster("Version: '1.33'", ...properties);

const GIVEN = 'Parameters:\n  Given:\n    Type: String';
const STAGES = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';

const finding = (at = 'ResolveConflicts', ...says: string[]): ExpectedFinding => ({
  message: 'conflict',
  severity: 'info',
  resource: 'Addon',
  at,
  says,
});

const OWN_CLUSTER = block('Cluster', 'Custom::AWSCDK-EKS-Cluster', [
  'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:cluster',
  'Config: { version: "1.33", roleArn: "arn:aws:iam::111122223333:role/cluster", bootstrapSelfManagedAddons: true }',
]);

testRule(addonCreateConflict, {
  valid: [
    {
      name: 'OVERWRITE settles conflicts on creation',
      template: resources(CLUSTER, addon('ResolveConflicts: OVERWRITE', VALUES)),
    },
    {
      name: 'a mode that does not exist is for another rule',
      template: resources(CLUSTER, addon('ResolveConflicts: preserve', VALUES)),
    },
  ],
  invalid: [
    {
      name: 'PRESERVE with values meets the copy of a new cluster',
      template: resources(CLUSTER, addon('ResolveConflicts: PRESERVE', VALUES)),
      fixed: resources(cluster133('BootstrapSelfManagedAddons: false'), addon('ResolveConflicts: PRESERVE', VALUES)),
      findings: [finding('ResolveConflicts', 'is created with PRESERVE', 'cluster Cluster', 'ConfigurationConflict')],
    },
    {
      name: 'NONE acts the same',
      template: resources(CLUSTER, addon('ResolveConflicts: NONE', VALUES)),
      findings: [finding('ResolveConflicts', 'with NONE')],
    },
    {
      name: 'so does no mode',
      template: resources(CLUSTER, addon(VALUES)),
      findings: [finding('Properties: # addon', 'sets no conflict mode')],
    },
    {
      name: 'a cluster that asks for the copies',
      template: resources(cluster133('BootstrapSelfManagedAddons: true'), addon('ResolveConflicts: PRESERVE', VALUES)),
      findings: [finding()],
    },
    {
      name: "a cluster of CDK's own resource",
      template: resources(OWN_CLUSTER, addon('ResolveConflicts: PRESERVE', VALUES)),
      findings: [finding()],
    },
    {
      name: 'CoreDNS has a copy too',
      template: resources(
        CLUSTER,
        addon('ResolveConflicts: PRESERVE', `ConfigurationValues: '{"replicaCount":3}'`)
          .replace('vpc-cni', 'coredns')
          .replace('v1.21.1-eksbuild.5', 'v1.12.1-eksbuild.2'),
      ),
      findings: [finding('ResolveConflicts', '(coredns)')],
    },
    {
      name: 'the branch of Fn::If with it is named',
      template: template(STAGES, CLUSTER, addon('ResolveConflicts: !If [IsProd, PRESERVE, OVERWRITE]', VALUES)),
      findings: [finding('ResolveConflicts', 'IsProd is true')],
    },
  ],
  unverifiable: [
    {
      name: 'the mode from a parameter',
      template: template(GIVEN, CLUSTER, addon('ResolveConflicts: !Ref Given', VALUES)),
      resources: ['Addon'],
      because: 'Given',
    },
    {
      name: 'the values from a parameter',
      template: template(GIVEN, CLUSTER, addon('ResolveConflicts: PRESERVE', 'ConfigurationValues: !Ref Given')),
      resources: ['Addon'],
      because: 'configuration values',
    },
    {
      name: 'the copies from a parameter',
      template: template(
        GIVEN,
        cluster133('BootstrapSelfManagedAddons: !Ref Given'),
        addon('ResolveConflicts: PRESERVE', VALUES),
      ),
      resources: ['Addon'],
      because: 'self-managed copies',
    },
  ],
  notApplicable: [
    {
      name: 'a cluster without copies',
      template: resources(cluster133('BootstrapSelfManagedAddons: false'), addon('ResolveConflicts: PRESERVE', VALUES)),
    },
    {
      name: 'Auto Mode, which has none',
      template: resources(cluster133('ComputeConfig: { Enabled: true }'), addon('ResolveConflicts: PRESERVE', VALUES)),
    },
    { name: 'no values that could differ', template: resources(CLUSTER, addon('ResolveConflicts: PRESERVE')) },
    {
      name: 'empty values',
      template: resources(CLUSTER, addon('ResolveConflicts: PRESERVE', `ConfigurationValues: '{"env":{}}'`)),
    },
    {
      name: 'an imported cluster',
      template: resources(addon('ResolveConflicts: PRESERVE', VALUES).replace('!Ref Cluster', 'main')),
    },
    {
      name: 'an add-on that exists already, as a plan tells',
      template: plan(
        "aws_eks_cluster.main: { before: { name: main, version: '1.33' } }",
        'aws_eks_addon.cni: { before: { cluster_name: main, addon_name: vpc-cni, configuration_values: \'{"env":{"ENABLE_PREFIX_DELEGATION":"true"}}\' }, after: { addon_version: v1.21.1-eksbuild.5 } }',
      ),
    },
    {
      name: 'other add-ons',
      template: resources(
        CLUSTER,
        addon('ResolveConflicts: PRESERVE', VALUES).replace('vpc-cni', 'aws-ebs-csi-driver'),
      ),
    },
    {
      name: 'an add-on that does not exist together with the cluster',
      template: template(
        STAGES + '\n  IsTest: !Not [!Condition IsProd]',
        onCondition('IsProd', CLUSTER),
        onCondition('IsTest', addon('ResolveConflicts: PRESERVE', VALUES)),
      ),
    },
  ],
});
