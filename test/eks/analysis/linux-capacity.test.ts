import { EksModel, linuxCapacityOf } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import {
  block,
  cluster,
  CLUSTER,
  helmChart,
  manifest,
  namedNodeGroup,
  onCondition,
  resources,
  template,
} from '../../rules/node-templates';
import { CONDITION, IMAGES, booting, SELF_MANAGED } from '../../rules/node-bootstrap/user-data-templates';

/** The capacity of the cluster `Cluster`: `certain`, or why it isn't, each with its condition. */
function capacityOf(text: string): string[] {
  const { resources: read, diagnostics } = readTemplates([{ file: 'template.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const model = new EksModel(read);
  const [main] = model.clusters;
  if (main === undefined) throw new Error('no cluster in the template');
  return linuxCapacityOf(model.viewOf(main), model).map(({ when, doubt }) =>
    [doubt ?? 'certain', when.text].filter((part) => part !== '').join(' | '),
  );
}

const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const FARGATE = block('Fargate', 'AWS::EKS::FargateProfile', [
  'ClusterName: !Ref Cluster',
  'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
]);

describe('linuxCapacityOf', () => {
  it.each<[string, string, readonly string[]]>([
    ['nothing', resources(CLUSTER), []],
    ['Windows nodes', resources(CLUSTER, namedNodeGroup('Windows', 'AmiType: WINDOWS_FULL_2022_x86_64')), []],
    ['a Linux group', resources(CLUSTER, namedNodeGroup('Linux', AL2023)), ['certain']],
    ['a group of the default of EKS', resources(CLUSTER, namedNodeGroup('Linux')), ['certain']],
    [
      'a Linux group under a condition',
      template(CONDITION, CLUSTER, onCondition('IsProduction', namedNodeGroup('Linux', AL2023))),
      ['certain | condition IsProduction is true'],
    ],
    [
      'a group that is Linux in one branch',
      template(
        CONDITION,
        CLUSTER,
        namedNodeGroup('Mixed', 'AmiType: !If [IsProduction, WINDOWS_FULL_2022_x86_64, BOTTLEROCKET_x86_64]'),
      ),
      ['certain | condition IsProduction is false'],
    ],
    [
      'a group that is Linux in one branch, whatever another condition says',
      template(
        `${CONDITION}\n  IsArm: !Equals [!Ref "AWS::Region", eu-west-1]`,
        CLUSTER,
        namedNodeGroup(
          'Mixed',
          'AmiType: !If [IsProduction, WINDOWS_FULL_2022_x86_64, !If [IsArm, BOTTLEROCKET_x86_64, BOTTLEROCKET_x86_64]]',
        ),
      ),
      ['certain | condition IsProduction is false'],
    ],
    [
      'a group of a type that is not known',
      template(PARAMETER, CLUSTER, namedNodeGroup('Some', 'AmiType: !Ref P')),
      ["the operating system of Some isn't known"],
    ],
    [
      'a self-managed group',
      resources(cluster('Name: main'), SELF_MANAGED, booting('[settings]', IMAGES.BOTTLEROCKET)),
      ['certain'],
    ],
    ['a Fargate profile', resources(CLUSTER, FARGATE), ['certain']],
    ['Auto Mode', resources(cluster('ComputeConfig: { Enabled: true }')), ['certain']],
    ['Auto Mode that is off', resources(cluster('ComputeConfig: { Enabled: false }')), []],
    [
      'Auto Mode from a parameter',
      template(PARAMETER, cluster('ComputeConfig: { Enabled: !Ref P }')),
      ["whether it has Auto Mode isn't known"],
    ],
    [
      'Auto Mode in one branch',
      template(CONDITION, cluster('ComputeConfig: { Enabled: !If [IsProduction, true, false] }')),
      ['certain | condition IsProduction is true'],
    ],
    ['the chart of Karpenter', resources(CLUSTER, helmChart('Scaler', 'karpenter', {})), ['certain']],
    [
      'the chart of Karpenter from its registry',
      resources(CLUSTER, helmChart('Scaler', 'oci://public.ecr.aws/karpenter/karpenter', {})),
      ['certain'],
    ],
    [
      'other charts',
      resources(
        CLUSTER,
        helmChart('Other', 'aws-load-balancer-controller', {}),
        helmChart('Alike', 'not-karpenter', {}),
      ),
      [],
    ],
    [
      'a chart that comes as a file',
      resources(CLUSTER, helmChart('File', '!Ref AWS::NoValue', {})),
      ["which chart File installs isn't known"],
    ],
    [
      'a node pool of Auto Mode',
      resources(
        CLUSTER,
        manifest('Pool', {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          spec: {
            template: { spec: { nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' } } },
          },
        }),
      ),
      [],
    ],
    [
      'a node pool of Karpenter with its node class',
      resources(
        CLUSTER,
        manifest('Pool', {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          spec: {
            template: { spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } } },
          },
        }),
      ),
      ['certain'],
    ],
    [
      'the chart of Karpenter with its version',
      resources(CLUSTER, helmChart('Scaler', 'oci://public.ecr.aws/karpenter/karpenter:1.8.0', {})),
      ['certain'],
    ],
    ['the custom resources of Karpenter', resources(CLUSTER, helmChart('Scaler', 'karpenter-crd', {})), ['certain']],
    [
      'a chart under a condition',
      template(CONDITION, CLUSTER, onCondition('IsProduction', helmChart('Scaler', 'karpenter', {}))),
      ['certain | condition IsProduction is true'],
    ],
    [
      'a chart that is Karpenter in one branch',
      template(CONDITION, CLUSTER, helmChart('Scaler', '!If [IsProduction, karpenter, metrics-server]', {})),
      ['certain | condition IsProduction is true'],
    ],
    [
      'a chart under a condition that is Karpenter under its opposite',
      template(
        CONDITION,
        CLUSTER,
        onCondition('IsProduction', helmChart('Scaler', '!If [IsProduction, metrics-server, karpenter]', {})),
      ),
      [],
    ],
    [
      'a group under a condition that is Linux under its opposite',
      template(
        CONDITION,
        CLUSTER,
        onCondition(
          'IsProduction',
          namedNodeGroup('Mixed', 'AmiType: !If [IsProduction, WINDOWS_FULL_2022_x86_64, BOTTLEROCKET_x86_64]'),
        ),
      ),
      [],
    ],
    [
      'a node pool',
      resources(CLUSTER, manifest('Pool', { apiVersion: 'karpenter.sh/v1', kind: 'NodePool' })),
      ['certain'],
    ],
    ['other manifests', resources(CLUSTER, manifest('Map', { apiVersion: 'v1', kind: 'ConfigMap' })), []],
    [
      'a manifest that is not known',
      template(PARAMETER, CLUSTER, manifest('Some', {}).replace(/Manifest: .*/, 'Manifest: !Ref P')),
      ["what Some applies isn't known"],
    ],
    [
      'a group of a cluster from a parameter',
      template(PARAMETER, CLUSTER, namedNodeGroup('Orphan', AL2023).replace('!Ref Cluster', '!Ref P')),
      ["which cluster Orphan belongs to isn't known"],
    ],
    [
      'a Fargate profile of a cluster from a parameter',
      template(PARAMETER, CLUSTER, FARGATE.replace('!Ref Cluster', '!Ref P')),
      ["which cluster Fargate belongs to isn't known"],
    ],
    [
      'a group of another cluster, by name',
      resources(cluster('Name: main'), namedNodeGroup('Other', AL2023).replace('!Ref Cluster', 'elsewhere')),
      [],
    ],
    [
      'a group by a name that this cluster may turn out to have',
      resources(CLUSTER, namedNodeGroup('Other', AL2023).replace('!Ref Cluster', 'elsewhere')),
      ["which cluster Other belongs to isn't known"],
    ],
  ])('tells of %s', (_, text, expected) => {
    expect(capacityOf(text)).toEqual(expected);
  });
});
