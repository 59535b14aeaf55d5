import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { customNetworkingEniConfig } from '../../../lib/rules/vpc-cni/custom-networking-eni-config';
import {
  block,
  cluster,
  helmChart,
  launchTemplate,
  manifest,
  namedNodeGroup,
  nodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { FARGATE } from './pod-eni-templates';
import { testRule } from '../rule-tester';
import {
  cni,
  cniWith,
  eniConfig,
  eniManifest,
  ipv4,
  IPV4,
  IPV6,
  staged,
  subnet,
  zonal,
  ZONES,
} from './custom-networking-templates';

const TWO = eniConfig({ 'eu-west-1a': 'subnet-0a', 'eu-west-1b': 'subnet-0b' });
const SEOUL = eniConfig({ 'ap-northeast-2a': 'subnet-0a' });
const TYPO = eniConfig({ 'ap-noratheast-2a': 'subnet-0a' });
const SUBNETS = [subnet('NodesA', 'eu-west-1a'), subnet('NodesB', 'eu-west-1b')];
const groupIn = (...subnets: readonly string[]) =>
  nodeGroup(`Subnets: [${subnets.map((one) => `!Ref ${one}`).join(', ')}]`);
const unknownManifest = manifest('Some', {}).replace(/Manifest: .*/, 'Manifest: !Ref P');
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const eniObject = (changes: object) =>
  manifest('Config', {
    apiVersion: 'crd.k8s.amazonaws.com/v1alpha1',
    kind: 'ENIConfig',
    metadata: { name: 'eu-west-1a' },
    spec: { subnet: 'subnet-0a' },
    ...changes,
  });
const AT_CONFIG = { severity: 'error', resource: 'Config', at: 'Config:' } as const;
const daemonSet = (name: string) =>
  manifest('Daemon', { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name, namespace: 'kube-system' } });
/** A node pool of Karpenter with metadata of its nodes. */
const pool = (metadata: object) =>
  manifest('Pool', {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: { template: { metadata } },
  });
const KARPENTER = manifest('Pool', {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {},
});
const PATCH = block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
  'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  'ClusterName: !Ref Cluster',
  'ResourceName: daemonset/aws-node',
  'ResourceNamespace: kube-system',
  "ApplyPatchJson: '{}'",
  "RestorePatchJson: '{}'",
  'PatchType: strategic',
]);
const NOT_READY = 'never become Ready';

const at = 'ConfigurationValues';

testRule(customNetworkingEniConfig, {
  valid: [
    { name: 'ENIConfigs of real zones, no subnets in the input', template: ipv4(zonal(SEOUL)) },
    {
      name: 'a zone of a region that the stack confirms by its subnets, though it is in no list',
      template: ipv4(
        subnet('Pods', 'xx-north-3a'),
        zonal(eniConfig({ 'xx-north-3b': 'subnet-0a' })),
        eniManifest('Other', 'xx-north-3a', '!Ref Pods'),
      ),
    },
    {
      name: 'Local Zones and Wavelength Zones',
      template: ipv4(
        zonal(
          eniConfig(
            { 'us-west-2-lax-1a': 'subnet-0a', 'us-west-2-wl1-las-wlz-1': 'subnet-0b', 'us-west-2b': 'subnet-0c' },
            'us-west-2',
          ),
        ),
      ),
    },
    { name: 'a zone of the sovereign cloud', template: ipv4(zonal(eniConfig({ 'eusc-de-east-1a': 'subnet-0a' }))) },
    {
      name: 'an ENIConfig for each zone of the nodes',
      template: ipv4(...SUBNETS, zonal(TWO), groupIn('NodesA', 'NodesB')),
    },
    { name: 'more ENIConfigs than zones of nodes', template: ipv4(...SUBNETS, zonal(TWO), groupIn('NodesA')) },
    {
      name: 'ENIConfigs as manifests with their own subnets',
      template: ipv4(...SUBNETS, zonal(), eniManifest('PodsA', 'eu-west-1a', '!Ref NodesA'), groupIn('NodesA')),
    },
    {
      name: 'the name is the zone of its own subnet',
      template: ipv4(
        subnet('Pods', '!Select [0, !GetAZs ""]'),
        zonal(),
        eniManifest('One', '!GetAtt Pods.AvailabilityZone', '!Ref Pods'),
      ),
    },
    {
      name: 'name and subnet take the same item of the zones',
      template: ipv4(
        subnet('Pods', '!Select [0, !GetAZs ""]'),
        zonal(),
        eniManifest('One', '!Select [0, !GetAZs ""]', '!Ref Pods'),
      ),
    },
    {
      name: 'ENIConfigs named freely, and one called default',
      template: ipv4(cni(), eniManifest('One', 'default'), eniManifest('Two', 'gpu-pods')),
    },
    {
      name: 'ENIConfigs named freely, and every group has the label',
      template: ipv4(cni(), eniManifest('One', 'pods'), nodeGroup('Labels: { k8s.amazonaws.com/eniConfig: pods }')),
    },
    {
      name: 'a label of the team that every group has',
      template: ipv4(
        cni({ ENI_CONFIG_LABEL_DEF: 'example.com/pods' }),
        eniManifest('One', 'pods'),
        nodeGroup('Labels: { example.com/pods: pods }'),
      ),
    },
    {
      name: 'a group that names a free ENIConfig by the external label',
      template: ipv4(
        ...SUBNETS,
        zonal(),
        eniManifest('One', 'pods'),
        nodeGroup('Labels: { vpc.amazonaws.com/externalEniConfig: pods }', 'Subnets: [!Ref NodesA]'),
      ),
    },
    {
      name: 'Windows nodes need none',
      template: ipv4(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' })),
        groupIn('NodesA'),
        namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64', 'Subnets: [!Ref NodesB]'),
      ),
    },
    {
      name: 'the zone label through extraEnv',
      template: ipv4(cni({}, { extraEnv: [{ name: 'ENI_CONFIG_LABEL_DEF', value: ZONES }], ...SEOUL })),
    },
    {
      name: 'the label in the values wins over a patch of aws-node',
      template: ipv4(zonal(SEOUL), PATCH),
    },
    {
      name: 'the chart of the CNI',
      template: ipv4(
        helmChart('Cni', 'aws-vpc-cni', {
          env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENI_CONFIG_LABEL_DEF: ZONES },
          ...SEOUL,
        }),
      ),
    },
    {
      name: 'a node zone and its ENIConfig under the same condition',
      template: staged(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' })),
        groupIn('NodesA'),
        onCondition('IsProd', eniManifest('B', 'eu-west-1b')),
        onCondition('IsProd', namedNodeGroup('More', 'Subnets: [!Ref NodesB]')),
      ),
    },
    {
      name: 'default beside the zones of all nodes',
      template: ipv4(
        ...SUBNETS,
        zonal({
          eniConfig: {
            create: true,
            region: '',
            subnets: { 'eu-west-1a': { id: 'subnet-0a' }, default: { id: 'subnet-0b' } },
          },
        }),
        groupIn('NodesA'),
      ),
    },
    {
      name: 'node pools of Karpenter that name a free ENIConfig by the external label',
      template: ipv4(
        ...SUBNETS,
        zonal(),
        eniManifest('One', 'pods'),
        pool({ labels: { 'vpc.amazonaws.com/externalEniConfig': 'pods' } }),
      ),
    },
    {
      name: 'and by the annotation',
      template: ipv4(
        ...SUBNETS,
        zonal(),
        eniManifest('One', 'pods'),
        pool({ annotations: { 'k8s.amazonaws.com/eniConfig': 'pods' } }),
      ),
    },
    {
      name: 'the kind of somebody else',
      template: ipv4(zonal(SEOUL), eniObject({ apiVersion: 'network.example.com/v1', metadata: { name: 'any' } })),
    },
    {
      name: 'an ENIConfig in either branch',
      template: staged(
        zonal(),
        onCondition('IsProd', eniManifest('Prod', 'eu-west-1a')),
        eniManifest('Always', 'eu-west-1b'),
      ),
    },
  ],
  invalid: [
    {
      name: 'a direction that is no compass word, region not known',
      template: ipv4(zonal(TYPO)),
      fixed: ipv4(zonal(SEOUL)),
      findings: [
        {
          message: 'misspelt-region',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['ENIConfig ap-noratheast-2a', 'did you mean ap-northeast-2a? ', 'aws-node', NOT_READY],
        },
      ],
    },
    {
      name: 'the same as a manifest',
      template: ipv4(zonal(), eniManifest('PodsA', 'ap-noratheast-2a')),
      fixed: ipv4(zonal(), eniManifest('PodsA', 'ap-northeast-2a')),
      findings: [
        {
          message: 'misspelt-region',
          severity: 'error',
          resource: 'PodsA',
          at: 'PodsA:',
          says: ['did you mean ap-northeast-2a?'],
        },
      ],
    },
    {
      name: 'however nodes choose, where nothing in the input configures the CNI',
      template: ipv4(eniManifest('PodsA', 'ap-noratheast-2a'), eniManifest('PodsB', 'eu-west-9b')),
      findings: [
        { message: 'misspelt-region', severity: 'error', resource: 'PodsA', at: 'PodsA:' },
        { message: 'unknown-region', severity: 'warning', resource: 'PodsB', at: 'PodsB:' },
      ],
    },
    {
      name: 'where custom networking is off, as nothing will ever find it; of a sound name nothing is said',
      template: ipv4(
        cniWith({ env: { WARM_IP_TARGET: '2', MINIMUM_IP_TARGET: '4' } }),
        eniManifest('PodsA', 'ap-noratheast-2a'),
        eniManifest('PodsB', 'eu-west-1a'),
      ),
      fixed: ipv4(
        cniWith({ env: { WARM_IP_TARGET: '2', MINIMUM_IP_TARGET: '4' } }),
        eniManifest('PodsA', 'ap-northeast-2a'),
        eniManifest('PodsB', 'eu-west-1a'),
      ),
      findings: [
        {
          message: 'idle',
          severity: 'warning',
          resource: 'PodsA',
          at: 'PodsA:',
          says: ['No node ever finds it', 'did you mean ap-northeast-2a?'],
        },
      ],
    },
    {
      name: 'eniConfig.region is no help if it has the same mistake',
      template: ipv4(zonal(eniConfig({ 'ap-noratheast-2a': 'subnet-0a' }, 'ap-noratheast-2'))),
      findings: [{ message: 'misspelt-region', severity: 'error', resource: 'Cni', at }],
    },
    {
      name: 'the region is known from eniConfig.region',
      template: ipv4(zonal(eniConfig({ 'ap-noratheast-2a': 'subnet-0a' }, 'ap-northeast-2'))),
      findings: [
        {
          message: 'other-region',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['ap-northeast-2 (eniConfig.region says ap-northeast-2)', 'did you mean ap-northeast-2a?'],
        },
      ],
    },
    {
      name: 'eniConfig.region has no effect, so it may be the wrong one of two regions',
      template: ipv4(zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' }, 'us-east-1'))),
      findings: [{ message: 'other-region', severity: 'warning', resource: 'Cni', at, omits: ['did you mean'] }],
    },
    {
      name: 'the region is known from the subnets of nodes, and a misspelt zone is not reported as missing again',
      template: ipv4(subnet('NodesA', 'ap-northeast-2a'), zonal(TYPO), groupIn('NodesA')),
      fixed: ipv4(subnet('NodesA', 'ap-northeast-2a'), zonal(SEOUL), groupIn('NodesA')),
      findings: [
        {
          message: 'other-region',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['subnet NodesA is in ap-northeast-2a'],
        },
      ],
    },
    {
      name: 'the subnet of the ENIConfig tells its zone',
      template: ipv4(subnet('Pods', 'ap-northeast-2c'), zonal(), eniManifest('PodsC', 'ap-noratheast-2a', '!Ref Pods')),
      findings: [
        {
          message: 'other-region',
          severity: 'error',
          resource: 'PodsC',
          at: 'PodsC:',
          related: ['AvailabilityZone: ap-northeast-2c'],
          says: ['did you mean ap-northeast-2c?'],
        },
      ],
    },
    {
      name: 'a zone of another region is of no use, and no harm where all node zones have theirs',
      template: ipv4(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a', 'eu-west-1b': 'subnet-0b', 'us-east-1a': 'subnet-0c' })),
        groupIn('NodesA', 'NodesB'),
      ),
      findings: [
        {
          message: 'spare',
          severity: 'info',
          resource: 'Cni',
          at,
          says: ['ENIConfig us-east-1a', 'the cluster is in eu-west-1', 'no node needs this one'],
          omits: [NOT_READY],
        },
      ],
    },
    {
      name: 'it is an error where one of the node zones lacks its own',
      template: ipv4(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a', 'eu-wets-1b': 'subnet-0b' })),
        groupIn('NodesA', 'NodesB'),
      ),
      findings: [
        { message: 'other-region', severity: 'error', resource: 'Cni', at, says: ['did you mean eu-west-1b?'] },
      ],
    },
    {
      name: 'and where Karpenter may start nodes in further zones',
      template: ipv4(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a', 'eu-wets-1b': 'subnet-0b' })),
        groupIn('NodesA'),
        KARPENTER,
      ),
      findings: [
        { message: 'other-region', severity: 'error', resource: 'Cni', at, says: ['did you mean eu-west-1b?'] },
      ],
    },
    {
      name: "and where the zone of a subnet isn't known",
      template: ipv4(
        ...SUBNETS,
        subnet('NodesC', ''),
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a', 'eu-wets-1c': 'subnet-0b' })),
        groupIn('NodesA', 'NodesC'),
      ),
      findings: [{ message: 'other-region', severity: 'error', resource: 'Cni', at }],
    },
    {
      name: "no subnet, and its zone isn't reported as missing again",
      template: ipv4(...SUBNETS, zonal(), eniObject({ spec: {} }), groupIn('NodesA')),
      fixed: ipv4(...SUBNETS, zonal(), eniObject({}), groupIn('NodesA')),
      findings: [{ ...AT_CONFIG, message: 'no-subnet', says: ['ENIConfig eu-west-1a has no spec.subnet'] }],
    },
    {
      name: 'a subnet that is null, found by another label',
      template: ipv4(cni(), eniObject({ metadata: { name: 'default' }, spec: { subnet: null } })),
      findings: [{ ...AT_CONFIG, message: 'no-subnet' }],
    },
    {
      name: 'no spec',
      template: ipv4(zonal(), eniObject({ spec: undefined })),
      findings: [{ ...AT_CONFIG, message: 'no-subnet' }],
    },
    {
      name: 'no subnet in the values of the chart, which no schema checks',
      template: ipv4(
        helmChart('Cni', 'aws-vpc-cni', {
          env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENI_CONFIG_LABEL_DEF: ZONES },
          eniConfig: { create: true, region: '', subnets: { 'eu-west-1a': {} } },
        }),
      ),
      findings: [{ message: 'no-subnet', severity: 'error', resource: 'Cni', at: 'Cni:' }],
    },
    {
      name: 'a version that the kind does not have',
      template: ipv4(
        ...SUBNETS,
        zonal(),
        eniObject({ apiVersion: 'crd.k8s.amazonaws.com/v1beta1' }),
        groupIn('NodesA'),
      ),
      fixed: ipv4(...SUBNETS, zonal(), eniObject({}), groupIn('NodesA')),
      findings: [
        { ...AT_CONFIG, message: 'api-version', says: ['crd.k8s.amazonaws.com/v1beta1"', 'deployment fails'] },
      ],
    },
    {
      name: 'a misspelt group, without a CNI in the input',
      template: ipv4(eniObject({ apiVersion: 'crd.k8s.amazonaw.com/v1alpha1' })),
      findings: [{ ...AT_CONFIG, message: 'api-version' }],
    },
    {
      name: 'no apiVersion',
      template: ipv4(zonal(), eniObject({ apiVersion: undefined })),
      findings: [{ ...AT_CONFIG, message: 'api-version', says: ['no apiVersion'] }],
    },
    {
      name: 'a kind in another case',
      template: ipv4(zonal(), eniObject({ kind: 'EniConfig' })),
      fixed: ipv4(zonal(), eniObject({})),
      findings: [{ ...AT_CONFIG, message: 'kind', says: ['"EniConfig"'] }],
    },
    {
      name: 'a region of a number that is in no list',
      template: ipv4(zonal(eniConfig({ 'ap-northeast-9a': 'subnet-0a' }))),
      findings: [{ message: 'unknown-region', severity: 'warning', resource: 'Cni', at, omits: ['did you mean'] }],
    },
    {
      name: 'parts of a name and ids of zones are no values of the label',
      template: ipv4(zonal(eniConfig({ '2a': 'subnet-0a', 'apne2-az1': 'subnet-0b' }, 'ap-northeast-2'))),
      findings: [
        {
          message: 'no-zone',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['ENIConfig 2a is not named like a zone', 'did you mean ap-northeast-2a?'],
        },
        { message: 'no-zone', severity: 'error', resource: 'Cni', at, says: ['has the id of a zone as its name'] },
      ],
    },
    {
      name: 'a zone that is written with underlines',
      template: ipv4(zonal(eniConfig({ eu_west_1a: 'subnet-0a' }))),
      findings: [
        {
          message: 'no-zone',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['did you mean eu-west-1a?'],
          advises: '`eu-west-1a`',
        },
      ],
    },
    {
      name: 'default is not looked for by nodes that have the zone label',
      template: ipv4(zonal(eniConfig({ default: 'subnet-0a' }))),
      findings: [{ message: 'no-zone', severity: 'error', resource: 'Cni', at, says: ['ENIConfig default'] }],
    },
    {
      name: 'a free name beside zones may be for annotated nodes',
      template: ipv4(zonal(eniConfig({ 'eu-west-1a': 'subnet-0a', 'gpu-pods': 'subnet-0b' }))),
      findings: [{ message: 'free-name', severity: 'warning', resource: 'Cni', at, says: ['ENIConfig gpu-pods'] }],
    },
    {
      name: 'a subnet of another zone',
      template: ipv4(...SUBNETS, zonal(), eniManifest('A', 'eu-west-1a', '!Ref NodesB')),
      fixed: ipv4(...SUBNETS, zonal(), eniManifest('A', 'eu-west-1b', '!Ref NodesB')),
      findings: [
        {
          message: 'subnet-zone',
          severity: 'error',
          resource: 'A',
          at: 'A:\n    Type: Custom',
          related: ['AvailabilityZone: eu-west-1b'],
          says: ['ENIConfig eu-west-1a names a subnet in eu-west-1b'],
        },
      ],
    },
    {
      name: 'a node zone without ENIConfig',
      template: ipv4(...SUBNETS, zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' })), groupIn('NodesA', 'NodesB')),
      fixed: ipv4(...SUBNETS, zonal(TWO), groupIn('NodesA', 'NodesB')),
      findings: [
        {
          message: 'zone-without',
          severity: 'error',
          resource: 'Cni',
          at,
          says: ['node group Workers start in eu-west-1b', '(there are eu-west-1a)', NOT_READY],
        },
      ],
    },
    {
      name: 'a node zone whose ENIConfig exists under a condition only',
      template: staged(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' })),
        groupIn('NodesB'),
        onCondition('IsProd', eniManifest('B', 'eu-west-1b')),
      ),
      findings: [{ message: 'zone-without', severity: 'error', resource: 'Cni', at, says: ['IsProd is false'] }],
    },
    {
      name: 'several groups of a zone are one finding',
      template: ipv4(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' })),
        groupIn('NodesB'),
        namedNodeGroup('More', 'Subnets: [!Ref NodesB]'),
      ),
      findings: [
        { message: 'zone-without', severity: 'error', resource: 'Cni', at, says: ['node groups Workers and More'] },
      ],
    },
    {
      name: 'no ENIConfig in the input',
      template: ipv4(zonal()),
      fixed: ipv4(zonal(TWO)),
      findings: [{ message: 'no-eni-config', severity: 'warning', resource: 'Cni', at }],
    },
    {
      name: 'no ENIConfig where a condition does not hold',
      template: staged(zonal(), onCondition('IsProd', eniManifest('A', 'eu-west-1a'))),
      findings: [{ message: 'no-eni-config', severity: 'warning', resource: 'Cni', at, says: ['IsProd is false'] }],
    },
    {
      name: 'subnets in the values that nothing is made of',
      template: ipv4(
        zonal({ eniConfig: { create: false, region: 'eu-west-1', subnets: { 'eu-west-1a': { id: 'subnet-0a' } } } }),
      ),
      fixed: ipv4(
        zonal({ eniConfig: { create: true, region: 'eu-west-1', subnets: { 'eu-west-1a': { id: 'subnet-0a' } } } }),
      ),
      findings: [{ message: 'not-created', severity: 'error', resource: 'Cni', at, says: ['eu-west-1a'] }],
    },
    {
      name: 'ENIConfigs named like zones, and no node looks for them',
      template: ipv4(cni({}, TWO)),
      fixed: ipv4(zonal(TWO)),
      findings: [
        { message: 'nothing-selects', severity: 'warning', resource: 'Cni', at, says: ['eu-west-1a and eu-west-1b'] },
      ],
    },
    {
      name: 'the same beside the service account of the CNI and another DaemonSet, which set no label',
      template: ipv4(
        cni({}, TWO),
        manifest('Account', {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: 'aws-node', namespace: 'kube-system' },
        }),
        daemonSet('aws-other'),
      ),
      findings: [{ message: 'nothing-selects', severity: 'warning', resource: 'Cni', at }],
    },
    {
      name: 'free names, and a group without the label',
      template: ipv4(
        cni(),
        eniManifest('One', 'pods'),
        nodeGroup('Labels: { k8s.amazonaws.com/eniConfig: pods }'),
        namedNodeGroup('Bare'),
      ),
      findings: [
        {
          message: 'nothing-selects',
          severity: 'warning',
          resource: 'Cni',
          at,
          says: ['The nodes of Bare'],
          omits: ['Workers'],
        },
      ],
    },
    {
      name: 'an empty label counts as not set',
      template: ipv4(cni({ ENI_CONFIG_LABEL_DEF: '' }, TWO)),
      findings: [{ message: 'nothing-selects', severity: 'warning', resource: 'Cni', at }],
    },
    {
      name: 'the deprecated zone label',
      template: ipv4(cni({ ENI_CONFIG_LABEL_DEF: 'failure-domain.beta.kubernetes.io/zone' }, TWO)),
      fixed: ipv4(zonal(TWO)),
      findings: [{ message: 'deprecated-label', severity: 'warning', resource: 'Cni', at }],
    },
    {
      name: 'names are judged with the deprecated zone label as well',
      template: ipv4(cni({ ENI_CONFIG_LABEL_DEF: 'failure-domain.beta.kubernetes.io/zone' }, TYPO)),
      findings: [
        { message: 'deprecated-label', severity: 'warning', resource: 'Cni', at },
        { message: 'misspelt-region', severity: 'error', resource: 'Cni', at },
      ],
    },
    {
      name: 'the chart of the CNI',
      template: ipv4(
        helmChart('Chart', 'oci://public.ecr.aws/eks/aws-vpc-cni', {
          env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENI_CONFIG_LABEL_DEF: ZONES },
          ...TYPO,
        }),
      ),
      findings: [{ message: 'misspelt-region', severity: 'error', resource: 'Chart', at: 'Chart:' }],
    },
    {
      name: 'a typo where the add-on is created under a condition',
      template: staged(onCondition('IsProd', zonal()), eniManifest('PodsA', 'ap-noratheast-2a')),
      findings: [
        { message: 'misspelt-region', severity: 'error', resource: 'PodsA', at: 'PodsA:', says: ['IsProd is true'] },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'nothing in the input configures the CNI',
      template: ipv4(eniManifest('PodsA', 'ap-northeast-2a')),
      resources: ['PodsA'],
      because: 'nothing in the input configures the VPC CNI',
    },
    {
      name: 'a zone chosen at deployment as name',
      template: ipv4(zonal(), eniManifest('One', '!Select [0, !GetAZs ""]')),
      resources: ['One'],
    },
    {
      name: 'a name that is another item of the zones than that of its subnet',
      template: ipv4(
        subnet('Pods', '!Select [0, !GetAZs ""]'),
        zonal(),
        eniManifest('One', '!Select [1, !GetAZs ""]', '!Ref Pods'),
      ),
      resources: ['One'],
      because: 'the name of its ENIConfig',
    },
    {
      name: 'a name from the region',
      template: ipv4(zonal(), eniManifest('One', '!Sub "${AWS::Region}a"')),
      resources: ['One'],
    },
    {
      name: 'a key of the values from a parameter',
      template: template(
        PARAMETER,
        IPV4,
        zonal(TWO).replace(
          /ConfigurationValues: '(.*)eu-west-1a(.*)'$/m,
          `ConfigurationValues: !Join ['', ['$1', !Ref P, '$2']]`,
        ),
      ),
      resources: ['Cni'],
      because: '${P}',
    },
    {
      name: 'a label from a parameter',
      template: template(
        PARAMETER,
        IPV4,
        zonal(TWO).replace(
          /ConfigurationValues: '(.*)topology.kubernetes.io\/zone(.*)'$/m,
          `ConfigurationValues: !Join ['', ['$1', !Ref P, '$2']]`,
        ),
      ),
      resources: ['Cni'],
      because: 'ENI_CONFIG_LABEL_DEF',
    },
    {
      name: 'configuration values from a parameter',
      template: template(PARAMETER, IPV4, zonal().replace(/ConfigurationValues: .*/, 'ConfigurationValues: !Ref P')),
      resources: ['Cni'],
      because: 'custom networking is on',
    },
    {
      name: 'a manifest that is not known, and no ENIConfig',
      template: template(PARAMETER, IPV4, zonal(), unknownManifest),
      resources: ['Cni'],
      because: 'what Some applies',
    },
    {
      name: 'a chart that may hold ENIConfigs',
      template: ipv4(zonal(), helmChart('Chart', 'custom-networking', {})),
      resources: ['Cni'],
      because: 'Chart',
    },
    {
      name: 'a node zone without ENIConfig beside an unknown manifest',
      template: template(
        PARAMETER,
        IPV4,
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' })),
        groupIn('NodesB'),
        unknownManifest,
      ),
      resources: ['Cni'],
      because: 'no other ENIConfig is named eu-west-1b',
    },
    {
      name: 'subnets of nodes by id',
      template: ipv4(zonal(TWO), nodeGroup('Subnets: [subnet-1]')),
      resources: ['Cni'],
      because: 'the zone of subnet subnet-1 of node group Workers',
    },
    {
      name: 'a list of subnets of nodes that is not known',
      template: ipv4(zonal(TWO), nodeGroup('Subnets: !ImportValue subnets')),
      resources: ['Cni'],
      because: 'the zone of a subnet of node group Workers',
    },
    {
      name: 'subnets of nodes whose zone deployment chooses',
      template: ipv4(subnet('Any', ''), zonal(TWO), groupIn('Any')),
      resources: ['Cni'],
      because: 'subnet Any',
    },
    {
      name: 'nodes whose launch template is not in the input may ask for another ENIConfig',
      template: ipv4(
        ...SUBNETS,
        zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' })),
        nodeGroup(
          'AmiType: AL2023_x86_64_STANDARD',
          'Subnets: [!Ref NodesB]',
          'LaunchTemplate: { Id: lt-0abc, Version: "1" }',
        ),
      ),
      resources: ['Cni'],
      because: 'externalEniConfig',
    },
    {
      name: 'a patch of aws-node may set the label',
      template: ipv4(cni({}, TWO), PATCH),
      resources: ['Cni'],
      because: 'patch Patch',
    },
    {
      name: 'a DaemonSet aws-node of its own may set the label',
      template: ipv4(cni({}, TWO), daemonSet('aws-node')),
      resources: ['Cni'],
      because: 'manifest Daemon',
    },
    {
      name: 'free names, and no nodes in the input',
      template: ipv4(cni(), eniManifest('One', 'pods')),
      resources: ['Cni'],
      because: 'k8s.amazonaws.com/eniConfig',
    },
    {
      name: 'a label that Kubernetes gives to nodes',
      template: ipv4(
        cni({ ENI_CONFIG_LABEL_DEF: 'topology.k8s.aws/zone-id' }, eniConfig({ 'euw1-az1': 'subnet-0a' })),
        nodeGroup(),
      ),
      resources: ['Cni'],
    },
    {
      name: 'an annotation besides the zones, by which nodes may name anything',
      template: ipv4(cni({ ENI_CONFIG_ANNOTATION_DEF: 'example.com/pods', ENI_CONFIG_LABEL_DEF: ZONES }, TYPO)),
      resources: ['Cni'],
      because: 'annotation',
    },
    {
      name: 'the same through extraEnv',
      template: ipv4(zonal({ extraEnv: [{ name: 'ENI_CONFIG_ANNOTATION_DEF', value: 'example.com/pods' }], ...TYPO })),
      resources: ['Cni'],
      because: 'annotation',
    },
    {
      name: 'ENIConfigs named like zones, which node pools of Karpenter name',
      template: ipv4(cni({}, TWO), pool({ labels: { 'vpc.amazonaws.com/externalEniConfig': 'eu-west-1a' } })),
      resources: ['Cni'],
    },
    {
      name: 'an annotation that the values name',
      template: ipv4(cni({ ENI_CONFIG_ANNOTATION_DEF: 'example.com/pods' }, TWO)),
      resources: ['Cni'],
      because: 'annotation',
    },
    {
      name: 'a label in user data',
      template: ipv4(
        cni(),
        eniManifest('One', 'pods'),
        nodeGroup(USES_NODES),
        launchTemplate("UserData: !Base64 '--node-labels=k8s.amazonaws.com/eniConfig=pods'"),
      ),
      resources: ['Cni'],
    },
    {
      name: 'one name of two is not known, so it may be default',
      template: ipv4(cni(), eniManifest('One', '!Select [0, !GetAZs ""]'), nodeGroup()),
      resources: ['Cni'],
      because: 'default',
    },
  ],
  notApplicable: [
    {
      name: 'custom networking off',
      template: ipv4(cniWith({ env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'false' }, ...TYPO })),
    },
    { name: 'neither ENIConfigs nor anything that configures the CNI', template: ipv4(nodeGroup()) },
    { name: 'an IPv6 cluster has no custom networking at all', template: resources(IPV6, zonal(TYPO)) },
    { name: 'a cluster that only has Fargate', template: ipv4(zonal(TYPO), FARGATE) },
    {
      name: 'Auto Mode',
      template: resources(cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }'), zonal(TYPO)),
    },
    { name: 'another add-on', template: ipv4(zonal(TYPO).replace('AddonName: vpc-cni', 'AddonName: coredns')) },
  ],
});

describe('custom-networking-eni-config with the region of the stack', () => {
  const findings = (text: string, region: string) =>
    runRules(new EksModel(readTemplates([{ file: 'template.yaml', text, region }]).resources), [
      customNetworkingEniConfig,
    ]).map(({ verdict, messageId, severity, message }) => ({ verdict, messageId, severity, message }));

  it('finds a zone of another region', () => {
    expect(findings(ipv4(zonal(TYPO)), 'ap-northeast-2')).toEqual([
      {
        verdict: 'fail',
        messageId: 'other-region',
        severity: 'error',
        message: expect.stringContaining(
          "the cluster is in ap-northeast-2 (the stack's region); did you mean ap-northeast-2a?",
        ) as unknown,
      },
    ]);
    expect(findings(ipv4(zonal(eniConfig({ 'eu-west-1a': 'subnet-0a' }, 'eu-west-1'))), 'us-east-1')).toMatchObject([
      { messageId: 'other-region', severity: 'error' },
    ]);
  });

  it('accepts zones of regions that are newer than the list', () => {
    expect(findings(ipv4(zonal(eniConfig({ 'ap-northeast-9a': 'subnet-0a' }))), 'ap-northeast-9')).toEqual([]);
  });

  it('knows names that are made of the region', () => {
    expect(findings(ipv4(zonal(), eniManifest('One', '!Sub "${AWS::Region}a"')), 'eu-west-1')).toEqual([]);
  });
});
