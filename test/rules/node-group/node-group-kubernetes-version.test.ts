import { nodeGroupKubernetesVersion } from '../../../lib/rules/node-group/node-group-kubernetes-version';
import {
  block,
  CLUSTER,
  cluster,
  launchTemplate,
  lookedUpImage,
  nodeGroup,
  onCondition,
  resources,
  SELF_MANAGED,
  template,
  USES_NODES,
} from '../node-templates';
import { plan } from '../plan-templates';
import { testRule } from '../rule-tester';

const ON_134 = cluster("Version: '1.34'");
const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
const PARAMETER = 'Parameters:\n  V: { Type: String }\n  W: { Type: String }';
const DEFAULTS = "Parameters:\n  V: { Type: String, Default: '1.34' }";
const IMAGE = launchTemplate('ImageId: ami-0123456789abcdef0');

/** A node group whose metadata options no rule calls an error, because it isn't Amazon Linux 2023. */
function workers(...properties: readonly string[]): string {
  return nodeGroup('AmiType: BOTTLEROCKET_x86_64', ...properties);
}

/** A plan with a group in a cluster of 1.34; it is created, or exists. */
function planned(when: 'after' | 'before', version = '1.33'): string {
  return plan(
    "aws_eks_cluster.main: { before: { name: main, version: '1.34' } }",
    `aws_eks_node_group.workers: { ${when}: { cluster_name: main, node_group_name: workers, ami_type: BOTTLEROCKET_x86_64, version: '${version}' } }`,
  );
}

/** The launch template with the AMI of AL2023 for a version. */
function imageOf(version: string): string {
  return lookedUpImage(
    `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/x86_64/standard/recommended/image_id`,
  );
}

const NAMED_CLUSTER = cluster('Name: main', "Version: '1.33'");

testRule(nodeGroupKubernetesVersion, {
  valid: [
    {
      name: 'the AMI of the version of the cluster passes',
      template: resources(CLUSTER, nodeGroup(USES_NODES), imageOf('1.33')),
    },
    {
      name: 'an AMI that lags within the limit passes: it waits for its update',
      template: resources(ON_134, nodeGroup(USES_NODES), imageOf('1.31')),
    },
    {
      name: 'an AMI by the same parameter as the cluster passes',
      template: template(
        DEFAULTS,
        cluster('Version: !Ref V'),
        nodeGroup(USES_NODES),
        imageOf('${V}').replace("ImageId: '", "ImageId: !Sub '"),
      ),
    },
    { name: 'no version passes: the group follows its cluster', template: resources(CLUSTER, workers()) },
    {
      name: 'no version passes where the cluster is imported',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere'])),
    },
    { name: 'the version of the cluster passes', template: resources(CLUSTER, workers("Version: '1.33'")) },
    {
      name: 'versions that YAML reads as the same number pass',
      template: resources(cluster('Version: 1.30'), workers('Version: 1.30')),
    },
    {
      name: 'the same parameter without default on both sides passes',
      template: template(PARAMETER, cluster('Version: !Ref V'), workers('Version: !Ref V')),
    },
    {
      name: 'the same parameter with default on both sides passes',
      template: template(DEFAULTS, cluster('Version: !Ref V'), workers('Version: !Ref V')),
    },
    {
      name: 'versions that change together pass',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.33', '1.34']"),
        workers("Version: !If [IsProduction, '1.33', '1.34']"),
      ),
    },
    {
      name: 'a version that the cluster has wherever the group is created passes',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.33', '1.34']"),
        onCondition('IsProduction', workers("Version: '1.33'")),
      ),
    },
    {
      name: 'a launch template without AMI changes nothing',
      template: resources(CLUSTER, workers("Version: '1.33'", USES_NODES), launchTemplate('EbsOptimized: true')),
    },
    {
      name: 'a version that is taken away passes',
      template: resources(CLUSTER, workers('Version: !Ref AWS::NoValue')),
    },
    {
      name: 'what is no minor version passes if both say it',
      template: resources(cluster('Version: latest'), workers('Version: latest')),
    },
  ],
  invalid: [
    {
      name: 'an AMI that is newer than the cluster is a warning',
      template: resources(CLUSTER, nodeGroup(USES_NODES), imageOf('1.34')),
      findings: [
        {
          message: 'imageAhead',
          severity: 'warning',
          resource: 'Nodes',
          at: 'ImageId',
          related: ['LaunchTemplate:', 'Version:'],
          says: ['"Workers"', '1.34', '1.33', 'newer than the control plane'],
        },
      ],
      fixed: resources(CLUSTER, nodeGroup(USES_NODES), imageOf('1.33')),
    },
    {
      name: 'an AMI that lags too far is a warning',
      template: resources(ON_134, nodeGroup(USES_NODES), imageOf('1.30')),
      findings: [
        {
          message: 'imageTooOld',
          severity: 'warning',
          resource: 'Nodes',
          at: 'ImageId',
          related: ['LaunchTemplate:', 'Version:'],
          says: ['4 minor versions behind', 'by 3 at most'],
        },
      ],
    },
    {
      name: 'an AMI of self-managed nodes that is newer than the cluster is a warning',
      template: resources(NAMED_CLUSTER, SELF_MANAGED, imageOf('1.34')),
      findings: [{ message: 'imageAhead', severity: 'warning', resource: 'Nodes', at: 'ImageId', says: ['"Group"'] }],
    },
    {
      name: 'an AMI that is newer than the cluster in one branch is a warning that names it',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.33', '1.34']"),
        nodeGroup(USES_NODES),
        imageOf('1.34'),
      ),
      findings: [
        {
          message: 'imageAhead',
          severity: 'warning',
          resource: 'Nodes',
          at: 'ImageId',
          says: ['IsProduction is true'],
        },
      ],
    },
    {
      name: 'a version above the cluster fails',
      template: resources(CLUSTER, workers("Version: '1.34'")),
      findings: [
        {
          message: 'ahead',
          severity: 'error',
          resource: 'Workers',
          at: "Version: '1.34'",
          related: ['Version:'],
          says: ['"Workers"', '1.34', '1.33'],
        },
      ],
      fixed: resources(CLUSTER, workers()),
    },
    {
      name: 'one version behind is a warning',
      template: resources(ON_134, workers("Version: '1.33'")),
      findings: [
        {
          message: 'behind',
          severity: 'warning',
          resource: 'Workers',
          at: "Version: '1.33'",
          related: ['Version:'],
          says: ['1.33', '1.34'],
        },
      ],
      fixed: resources(ON_134, workers("Version: '1.34'")),
    },
    {
      name: 'a group that a plan creates behind its cluster fails',
      template: planned('after'),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'aws_eks_node_group.workers',
          at: '"version": "1.33"',
          related: ['"version": "'],
          says: ['1.33', '1.34'],
        },
      ],
      fixed: planned('after', '1.34'),
    },
    {
      name: 'a group that exists and stays behind its cluster in a plan is a warning',
      template: planned('before'),
      findings: [
        { message: 'behind', severity: 'warning', resource: 'aws_eks_node_group.workers', at: '"version": "1.33"' },
      ],
    },
    {
      name: 'three versions behind are a warning',
      template: resources(ON_134, workers("Version: '1.31'")),
      findings: [{ message: 'behind', severity: 'warning', resource: 'Workers', at: "Version: '1.31'" }],
    },
    {
      name: 'four versions behind fail',
      template: resources(ON_134, workers("Version: '1.30'")),
      findings: [
        {
          message: 'tooOld',
          severity: 'error',
          resource: 'Workers',
          at: "Version: '1.30'",
          related: ['Version:'],
          says: ['4 minor versions behind', 'by 3 at most'],
        },
      ],
    },
    {
      name: 'three versions behind a cluster of 1.28 are a warning',
      template: resources(cluster("Version: '1.28'"), workers("Version: '1.25'")),
      also: ['cluster-version-support'],
      findings: [{ message: 'behind', severity: 'warning', resource: 'Workers', at: "Version: '1.25'" }],
    },
    {
      name: 'three versions behind a cluster of 1.27 fail',
      template: resources(cluster("Version: '1.27'"), workers("Version: '1.24'")),
      also: ['cluster-version-support'],
      findings: [
        { message: 'tooOld', severity: 'error', resource: 'Workers', at: "Version: '1.24'", says: ['by 2 at most'] },
      ],
    },
    {
      name: 'the default of a parameter counts',
      template: template(DEFAULTS, CLUSTER, workers('Version: !Ref V')),
      findings: [{ message: 'ahead', severity: 'error', resource: 'Workers', at: 'Version: !Ref V' }],
    },
    {
      name: 'one bad branch fails and is named',
      template: template(CONDITION, CLUSTER, workers("Version: !If [IsProduction, '1.33', '1.34']")),
      findings: [
        {
          message: 'ahead',
          severity: 'error',
          resource: 'Workers',
          at: 'Version: !If',
          says: ['This happens when', 'IsProduction is false'],
        },
      ],
    },
    {
      name: 'a version that the cluster lacks where the group is created fails without that condition as a reason',
      template: template(
        CONDITION,
        cluster("Version: !If [IsProduction, '1.33', '1.34']"),
        onCondition('IsProduction', workers("Version: '1.34'")),
      ),
      findings: [
        {
          message: 'ahead',
          severity: 'error',
          resource: 'Workers',
          at: "Version: '1.34'\n",
          says: ['1.33'],
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'a launch template that the input does not hold makes it no better',
      template: resources(CLUSTER, workers("Version: '1.34'", 'LaunchTemplate: { Id: lt-0abc, Version: 1 }')),
      findings: [{ message: 'ahead', severity: 'error', resource: 'Workers', at: "Version: '1.34'" }],
    },
    {
      name: 'only the case without own AMI is judged',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup("Version: '1.34'", USES_NODES),
        launchTemplate(
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
          'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }',
        ),
      ),
      findings: [
        {
          message: 'ahead',
          severity: 'error',
          resource: 'Workers',
          at: "Version: '1.34'",
          says: ['IsProduction is false'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a version from a parameter without default',
      template: template(PARAMETER, CLUSTER, workers('Version: !Ref V')),
      resources: ['Workers'],
      because: 'V',
    },
    {
      name: 'versions from two parameters',
      template: template(PARAMETER, cluster('Version: !Ref W'), workers('Version: !Ref V')),
      resources: ['Workers'],
      because: 'V',
    },
    {
      name: 'a cluster version from a parameter without default',
      template: template(PARAMETER, cluster('Version: !Ref W'), workers("Version: '1.33'")),
      resources: ['Workers'],
      because: 'W',
    },
    {
      name: 'an imported cluster',
      template: resources(block('Workers', 'AWS::EKS::Nodegroup', ['ClusterName: elsewhere', "Version: '1.33'"])),
      resources: ['Workers'],
      because: 'elsewhere is not part of the input',
    },
    {
      name: 'a cluster that declares no version',
      template: resources(cluster(), workers("Version: '1.33'")),
      resources: ['Workers'],
      because: 'declares none',
    },
    {
      name: 'a patch version, of which nobody documents what the API makes',
      template: resources(CLUSTER, workers("Version: '1.33.2'")),
      resources: ['Workers'],
      because: '1.33.2',
    },
    {
      name: 'a version with a v',
      template: resources(CLUSTER, workers('Version: v1.33')),
      resources: ['Workers'],
      because: 'v1.33',
    },
    {
      name: 'a cluster whose version is none',
      template: resources(cluster('Version: latest'), workers("Version: '1.33'")),
      resources: ['Workers'],
      because: 'latest',
    },
  ],
  notApplicable: [
    {
      name: 'an AMI of self-managed nodes of a cluster that is not in the input',
      template: resources(SELF_MANAGED, imageOf('1.34')),
    },
    {
      name: 'an AMI of which the version is not known',
      template: template(
        PARAMETER,
        NAMED_CLUSTER,
        SELF_MANAGED,
        imageOf('${V}').replace("ImageId: '", "ImageId: !Sub '"),
      ),
    },
    {
      name: 'an own AMI, with which EKS takes no version',
      template: resources(CLUSTER, nodeGroup("Version: '1.34'", USES_NODES), IMAGE),
    },
    {
      name: 'an own AMI that is decided at deployment',
      template: template(
        'Parameters:\n  Image: { Type: String }',
        CLUSTER,
        nodeGroup("Version: '1.34'", USES_NODES),
        launchTemplate('ImageId: !Ref Image'),
      ),
    },
    { name: 'a cluster without node groups', template: resources(CLUSTER) },
  ],
});
