import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readRootModules } from '../../../lib/terraform/module/root-modules';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { addonPreserveOnDelete } from '../../../lib/rules/addon/addon-preserve-on-delete';
import { testRule, type ExpectedFinding } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';
import { block, CLUSTER, onCondition, resources, template } from '../node-templates';

const VERSIONS: Readonly<Record<string, string>> = {
  'vpc-cni': 'v1.21.1-eksbuild.5',
  coredns: 'v1.12.1-eksbuild.2',
  'kube-proxy': 'v1.33.0-eksbuild.2',
};

/** An add-on `Addon` with the comment `# addon` at its Properties. */
const addon = (name: string, clusterName: string, ...properties: readonly string[]) =>
  block('Addon', 'AWS::EKS::Addon', [
    `ClusterName: ${clusterName}`,
    `AddonName: ${name}`,
    ...(VERSIONS[name] === undefined ? [] : [`AddonVersion: ${VERSIONS[name]}`]),
    'ResolveConflicts: PRESERVE',
    ...properties,
  ]);

const retained = (policy: string, text: string) => text.replace('\n', `\n  DeletionPolicy: ${policy}\n`);

const NAME = 'Parameters:\n  Given:\n    Type: String';
const STAGES = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';

const finding = (message: string, at: string, ...says: string[]): ExpectedFinding => ({
  message,
  severity: 'warning',
  resource: 'Addon',
  at,
  says,
});

testRule(addonPreserveOnDelete, {
  valid: [
    { name: 'the software is preserved', template: resources(addon('vpc-cni', 'main', 'PreserveOnDelete: true')) },
    { name: 'CloudFormation retains the add-on', template: resources(retained('Retain', addon('vpc-cni', 'main'))) },
    {
      name: 'retained except on creation, whatever the property says',
      template: resources(retained('RetainExceptOnCreate', addon('coredns', 'main', 'PreserveOnDelete: false'))),
    },
    {
      name: 'a name from a parameter, but preserved',
      template: template(NAME, addon('!Ref Given', 'main', 'PreserveOnDelete: true')),
    },
  ],
  invalid: [
    {
      name: 'the CNI of an imported cluster goes with its add-on',
      template: resources(addon('vpc-cni', 'main')),
      fixed: resources(addon('vpc-cni', 'main', 'PreserveOnDelete: true')),
      findings: [finding('not-set', 'Properties: # addon', 'vpc-cni', 'cluster main', 'new pods get no address')],
    },
    {
      name: 'a cluster whose name is left empty',
      template: resources(addon('coredns', "''")),
      findings: [finding('not-set', 'Properties: # addon', 'of the cluster that it names, which')],
    },
    {
      name: 'so do CoreDNS',
      template: resources(addon('coredns', 'main')),
      findings: [finding('not-set', 'Properties: # addon', 'resolve names')],
    },
    {
      name: 'and kube-proxy',
      template: resources(addon('kube-proxy', 'main')),
      findings: [finding('not-set', 'Properties: # addon', 'Services')],
    },
    {
      name: 'false is said as such',
      template: resources(addon('vpc-cni', 'main', 'PreserveOnDelete: false')),
      findings: [finding('off', 'PreserveOnDelete', 'has its software deleted')],
    },
    {
      name: 'the deletion policy Delete is no help',
      template: resources(retained('Delete', addon('vpc-cni', 'main'))),
      findings: [finding('not-set', 'Properties: # addon')],
    },
    {
      name: 'a name that another stack exports under a name that is not known has none here',
      template: template(NAME, addon('vpc-cni', "{ 'Fn::ImportValue': !Sub '${Given}-cluster' }")),
      findings: [finding('not-set', 'Properties: # addon', 'of the cluster that it names, which its template')],
    },
    {
      name: 'a cluster that another stack exports',
      template: resources(addon('vpc-cni', '!ImportValue cluster-name')),
      findings: [finding('not-set', 'Properties: # addon')],
    },
    {
      name: 'a cluster whose name is a parameter: what its template is part of may create it',
      template: template(NAME, addon('vpc-cni', '!Ref Given')),
      findings: [finding('not-set', 'Properties: # addon', 'which its template does not create')],
    },
    {
      name: 'of a cluster that is created or given, the given one',
      template: template(
        STAGES,
        onCondition('IsProd', CLUSTER),
        addon('vpc-cni', '!If [IsProd, !Ref Cluster, shared]'),
      ),
      findings: [finding('not-set', 'Properties: # addon', 'cluster shared', 'IsProd is false')],
    },
    {
      name: 'preserved in one branch only',
      template: template(STAGES, addon('vpc-cni', 'main', 'PreserveOnDelete: !If [IsProd, true, false]')),
      findings: [finding('off', 'PreserveOnDelete', 'IsProd is false')],
    },
  ],
  unverifiable: [
    {
      name: 'a value from a parameter',
      template: template(NAME, addon('vpc-cni', 'main', 'PreserveOnDelete: !Ref Given')),
      resources: ['Addon'],
      because: 'Given',
    },
    {
      name: 'a name from a parameter',
      template: template(NAME, addon('!Ref Given', 'main')),
      resources: ['Addon'],
      because: 'name',
    },
    {
      name: 'a cluster name from a parameter beside a cluster of the stack',
      template: template(NAME, CLUSTER, addon('vpc-cni', '!Ref Given')),
      resources: ['Addon'],
      because: 'same stack',
    },
  ],
  notApplicable: [
    { name: 'the cluster is in the same stack', template: resources(CLUSTER, addon('vpc-cni', '!Ref Cluster')) },
    {
      name: 'the cluster is in the same stack, and the add-on gives it up',
      template: resources(CLUSTER, addon('vpc-cni', '!Ref Cluster', 'PreserveOnDelete: false')),
    },
    {
      name: 'the CNI of a cluster that only has Fargate',
      template: resources(
        addon('vpc-cni', 'main'),
        block('Pods', 'AWS::EKS::FargateProfile', [
          'ClusterName: main',
          'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
        ]),
      ),
    },
    { name: 'other add-ons', template: resources(addon('aws-ebs-csi-driver', 'main')) },
  ],
});

describe('addon-preserve-on-delete across stacks', () => {
  const clusterStack = {
    file: 'network.yaml',
    text: resources(
      block('Main', 'AWS::EKS::Cluster', ['Name: main', 'RoleArn: arn:aws:iam::111122223333:role/cluster']),
    ),
  };
  const run = (...properties: readonly string[]) => {
    const addons = { file: 'addons.yaml', text: resources(addon('vpc-cni', 'main', ...properties)) };
    return runRules(new EksModel(readTemplates([clusterStack, addons]).resources), [addonPreserveOnDelete]);
  };

  it('warns of an add-on in another stack than its cluster, though both are in the input', () => {
    expect(run().map(({ message }) => message)).toEqual([
      expect.stringContaining('of the cluster Main, which its stack does not create'),
    ]);
    expect(run('PreserveOnDelete: true')).toEqual([]);
  });
});

it('says of a module that others may call only that the module does not create the cluster', () => {
  const hcl =
    'variable "cluster_name" {}\nresource "aws_eks_addon" "cni" {\n  cluster_name = var.cluster_name\n  addon_name   = "vpc-cni"\n}';
  const [found] = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl, 'main.tf')))), [addonPreserveOnDelete]);
  expect(found?.message).toContain(
    'of the cluster ${var.cluster_name}, which its module does not create, does not say',
  );
});

describe('addon-preserve-on-delete and modules that are not here', () => {
  const run = (name: string) => {
    const hcl = [
      'module "eks" {\n  source = "git::https://example.com/eks.git"\n}',
      'data "aws_eks_cluster" "main" {\n  name = module.eks.cluster_id\n}',
      'data "aws_eks_cluster" "shared" {\n  name = "shared"\n}',
      `resource "aws_eks_addon" "cni" {\n  cluster_name = ${name}\n  addon_name   = "vpc-cni"\n}`,
    ].join('\n');
    const access = { files: () => undefined, read: () => ({ problem: 'there are no files' }) };
    const root = {
      folder: '.',
      files: [hclFile(hcl, 'main.tf')],
      variableFiles: [],
      stack: 'main',
      frontEnd: 'terraform',
    } as const;
    const instances = readRootModules([root], { access }).flatMap((read) => read.instances);
    return runRules(new EksModel(readInstances(instances)), [addonPreserveOnDelete]);
  };

  it.each(['module.eks.cluster_id', 'data.aws_eks_cluster.main.name'])(
    'cannot tell whether the cluster of %s is one of another stack',
    (name) => {
      expect(run(name)).toMatchObject([{ verdict: 'unverifiable' }]);
    },
  );

  it('warns of a cluster that is looked up by its name', () => {
    expect(run('data.aws_eks_cluster.shared.name')).toMatchObject([{ messageId: 'not-set' }]);
  });
});
