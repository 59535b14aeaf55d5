import { amiTypeKubernetesVersion } from '../../../lib/rules/node-group/ami-type-kubernetes-version';
import { block, CLUSTER, cluster, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';

const ON_131 = cluster("Version: '1.31'");
const CONDITION = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

testRule(amiTypeKubernetesVersion, {
  valid: [
    { name: 'no AMI type on 1.33 passes: EKS takes AL2023', template: resources(CLUSTER, nodeGroup()) },
    { name: 'no AMI type on an imported cluster passes: every supported version takes AL2023', template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere'])) },
    { name: 'no AMI type with a launch template outside the input passes on 1.33', template: resources(CLUSTER, nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")) },
    { name: 'AL2023 on 1.33 passes', template: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD')) },
    { name: 'AL2023 on an imported cluster passes: its first version is older than any supported one', template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', 'AmiType: AL2023_ARM_64_NVIDIA'])) },
    { name: 'Bottlerocket passes on a cluster without version', template: resources(cluster(), nodeGroup('AmiType: BOTTLEROCKET_x86_64')) },
    { name: 'Windows 2022 on 1.33 passes', template: resources(CLUSTER, nodeGroup('AmiType: WINDOWS_FULL_2022_x86_64')) },
    { name: 'Windows 2025 on 1.35 passes', template: resources(cluster("Version: '1.35'"), nodeGroup('AmiType: WINDOWS_CORE_2025_x86_64')) },
  ],
  invalid: [
    {
      name: 'AL2 on 1.33 fails with the API text',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2_ARM_64')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType', says: ['"Workers"', '1.33', 'AMI Type AL2_ARM_64 is only supported for kubernetes versions 1.32 or earlier'] }],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_ARM_64_STANDARD')),
    },
    {
      name: 'what CDK writes for m5 without amiType fails on 1.33',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2_x86_64', 'InstanceTypes: [m5.large]', 'ForceUpdateEnabled: true')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
      fixed: resources(CLUSTER, nodeGroup('AmiType: AL2023_x86_64_STANDARD', 'InstanceTypes: [m5.large]', 'ForceUpdateEnabled: true')),
    },
    {
      name: 'AL2 on 1.32 is a warning',
      template: resources(cluster("Version: '1.32'"), nodeGroup('AmiType: AL2_x86_64_GPU')),
      findings: [{ message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ['Kubernetes 1.32', 'no security patches'] }],
      fixed: resources(cluster("Version: '1.32'"), nodeGroup('AmiType: AL2023_x86_64_NVIDIA')),
    },
    {
      name: "the group's own version counts before the cluster's: AL2 on 1.32 in a cluster of 1.33 is a warning",
      template: resources(CLUSTER, nodeGroup("Version: '1.32'", 'AmiType: AL2_x86_64')),
      findings: [{ message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: "the group's own version counts before the cluster's: AL2 on 1.33 in a cluster of 1.32 fails",
      template: resources(cluster("Version: '1.32'"), nodeGroup("Version: '1.33'", 'AmiType: AL2_x86_64')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'AL2 on an imported cluster is a warning',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', 'AmiType: AL2_x86_64'])),
      findings: [{ message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ["isn't known here"] }],
    },
    {
      name: 'AL2 on a version from a parameter without default is a warning',
      template: template('Parameters:\n  V: { Type: String }', cluster('Version: !Ref V'), nodeGroup('AmiType: AL2_x86_64')),
      findings: [{ message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType' }],
    },
    {
      name: 'no AMI type on 1.29 is a warning: EKS takes AL2',
      template: resources(cluster("Version: '1.29'"), nodeGroup(USES_NODES), launchTemplate('EbsOptimized: true')),
      findings: [{ message: 'unpatchedDefault', severity: 'warning', resource: 'Workers', at: 'Properties: # workers', says: ['1.29', 'Amazon Linux 2'] }],
    },
    {
      name: 'an AMI type before its first version fails',
      template: resources(cluster("Version: '1.24'"), nodeGroup('AmiType: AL2023_ARM_64_NVIDIA')),
      findings: [{ message: 'tooEarly', severity: 'error', resource: 'Workers', at: 'AmiType', says: ['1.24', 'from 1.25 on'] }],
    },
    {
      name: 'Windows 2025 before 1.35 is a warning only, as its bound rests on one source',
      template: resources(cluster("Version: '1.34'"), nodeGroup('AmiType: WINDOWS_CORE_2025_x86_64')),
      findings: [{ message: 'tooEarly', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ['from 1.35 on'] }],
    },
    {
      name: 'one bad branch of the AMI type fails and is named',
      template: template(CONDITION, CLUSTER, nodeGroup('AmiType: !If [IsProduction, AL2_x86_64, AL2023_x86_64_STANDARD]')),
      findings: [{ message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType', says: ['This happens when', 'IsProduction'] }],
    },
    {
      name: 'one bad branch of the cluster version fails and is named, the other warns',
      template: template(CONDITION, cluster("Version: !If [IsProduction, '1.32', '1.33']"), nodeGroup('AmiType: AL2_x86_64')),
      findings: [
        { message: 'unpatched', severity: 'warning', resource: 'Workers', at: 'AmiType', says: ['1.32', 'This happens when condition IsProduction is true'] },
        { message: 'refused', severity: 'error', resource: 'Workers', at: 'AmiType', says: ['1.33', 'This happens when'] },
      ],
    },
  ],
  unverifiable: [
    { name: 'an AMI type from a parameter without default', template: template('Parameters:\n  Ami: { Type: String }', CLUSTER, nodeGroup('AmiType: !Ref Ami')), resources: ['Workers'], because: 'Ami' },
    { name: 'an AMI type that the table does not have', template: resources(CLUSTER, nodeGroup('AmiType: AL2030_x86_64_STANDARD')), resources: ['Workers'], because: 'AL2030_x86_64_STANDARD' },
    { name: 'Windows 2025 on an imported cluster', template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', 'AmiType: WINDOWS_CORE_2025_x86_64'])), resources: ['Workers'], because: '1.35' },
    {
      name: 'no AMI type on 1.29 with a launch template outside the input, which may bring an AMI',
      template: resources(cluster("Version: '1.29'"), nodeGroup("LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'an own AMI', template: resources(cluster("Version: '1.29'"), nodeGroup(USES_NODES), launchTemplate('ImageId: ami-0123456789abcdef0')) },
    { name: 'AMI type CUSTOM', template: resources(ON_131, nodeGroup('AmiType: CUSTOM', USES_NODES), launchTemplate('ImageId: ami-0123456789abcdef0')) },
    { name: 'an Auto Mode cluster without node groups', template: resources(cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }')) },
    { name: 'a cluster with Fargate only', template: resources(CLUSTER, block('Fargate', 'AWS::EKS::FargateProfile', ['ClusterName: !Ref Cluster'])) },
  ],
});
