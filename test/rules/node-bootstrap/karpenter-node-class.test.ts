import { karpenterNodeClass } from '../../../lib/rules/node-bootstrap/karpenter-node-class';
import { block, CLUSTER, manifest, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const SPEC = {
  role: 'nodes',
  amiSelectorTerms: [{ alias: 'al2023@v20260801' }],
  subnetSelectorTerms: [{ tags: { Name: 'private' } }],
  securityGroupSelectorTerms: [{ tags: { Name: 'nodes' } }],
};

function nodeClass(spec: object, version = 'v1'): string {
  return manifest('NodeClass', {
    apiVersion: `karpenter.k8s.aws/${version}`,
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec,
  });
}

function withClass(spec: object, cluster = CLUSTER): string {
  return resources(cluster, nodeClass(spec));
}

/** The chart of Karpenter in a cluster. */
function chart(version: string): string {
  return block('Karpenter', 'Custom::AWSCDK-EKS-HelmChart', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    'Release: karpenter',
    'Chart: oci://public.ecr.aws/karpenter/karpenter',
    `Version: ${version}`,
  ]);
}

const OLD_CLUSTER = CLUSTER.replace('1.33', '1.31');

const refused = (problem: string, advises: string) => ({
  message: 'refused',
  severity: 'error' as const,
  resource: 'NodeClass',
  at: 'NodeClass',
  says: [problem],
  advises,
});

testRule(karpenterNodeClass, {
  valid: [
    { name: 'a node class with an alias', template: withClass(SPEC) },
    ...[
      'al2023@latest',
      'bottlerocket@v1.20.3',
      'bottlerocket@1.20.3',
      'bottlerocket@1.20',
      ...['al2023@$VERSION', 'al2023@<version>', 'al2023@AMI_VERSION'],
    ].map((alias) => ({
      name: `the alias ${alias}`,
      template: withClass({ ...SPEC, amiSelectorTerms: [{ alias }] }),
    })),
    {
      name: 'an alias that the user data takes over, as Custom is for',
      template: withClass({ ...SPEC, amiFamily: 'Custom', userData: '#!/bin/bash' }),
    },
    { name: 'the family of the alias, said twice', template: withClass({ ...SPEC, amiFamily: 'AL2023' }) },
    {
      name: 'AMIs by tags, with a family',
      template: withClass({ ...SPEC, amiFamily: 'AL2023', amiSelectorTerms: [{ tags: { team: 'shop' } }] }),
    },
    {
      name: 'AMIs of Amazon Linux 2 of somebody of their own, which may be for any version',
      template: withClass({ ...SPEC, amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] }),
    },
    {
      name: 'Amazon Linux 2 before 1.33',
      template: withClass({ ...SPEC, amiSelectorTerms: [{ alias: 'al2@latest' }] }, OLD_CLUSTER),
    },
    {
      name: 'a part of a node class, which something else puts to it',
      template: withClass({ amiSelectorTerms: [{ alias: 'al2023@latest' }] }),
    },
    { name: 'an instance profile', template: withClass({ ...SPEC, role: undefined, instanceProfile: 'nodes' }) },
    {
      name: 'fields of later versions, tags and volumes',
      template: withClass({
        ...SPEC,
        tags: { team: 'shop', 'kubernetes.io/name': 'x' },
        associatePublicIPAddress: false,
        kubelet: { maxPods: 20, evictionHard: { 'memory.available': '5%' }, singleProcessOOMKill: true },
        blockDeviceMappings: [
          { deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeType: 'gp3', encrypted: true } },
        ],
      }),
    },
    {
      name: 'one of two subnet terms with an id beside its tags, which the expression lets through',
      template: withClass({
        ...SPEC,
        subnetSelectorTerms: [{ id: 'subnet-0abc', tags: { Name: 'private' } }, { tags: { Name: 'other' } }],
      }),
    },
    {
      name: 'what is decided at deployment, and may not be there at all',
      template: `Parameters:\n  Subnet: { Type: String }\n${withClass({
        ...SPEC,
        subnetSelectorTerms: [{ id: '${Subnet}', tags: { Name: 'private' } }],
        kubelet: { evictionSoft: { 'memory.available': '${Subnet}' }, evictionSoftGracePeriod: '${Subnet}' },
      }).replace("Manifest: '", "Manifest: !Sub '")}`,
    },
    {
      name: 'a kubelet with all that v1 has, its thresholds in order',
      template: withClass({
        ...SPEC,
        kubelet: {
          kubeReserved: { cpu: '200m', memory: '100Mi' },
          evictionSoft: { 'memory.available': '10%' },
          evictionSoftGracePeriod: { 'memory.available': '2m' },
          imageGCHighThresholdPercent: 85,
          imageGCLowThresholdPercent: 80,
        },
      }),
    },
    {
      name: 'AMIs by a parameter of SSM, and owners with names',
      template: withClass({
        ...SPEC,
        amiFamily: 'AL2023',
        amiSelectorTerms: [{ ssmParameter: '/own/ami' }, { name: 'own-*', owner: 'self' }],
      }),
    },
    {
      name: 'volumes of a snapshot, a root volume, and metadata options',
      template: withClass({
        ...SPEC,
        blockDeviceMappings: [
          { deviceName: '/dev/xvda', rootVolume: true, ebs: { volumeSize: '20Gi' } },
          { deviceName: '/dev/xvdb', ebs: { snapshotID: 'snap-0abc', volumeInitializationRate: 100 } },
        ],
        metadataOptions: { httpEndpoint: 'enabled', httpTokens: 'required', httpPutResponseHopLimit: 2 },
      }),
    },
    {
      name: 'v1beta1 with a Karpenter that has it',
      template: resources(OLD_CLUSTER, chart('1.0.8'), nodeClass({ ...SPEC, amiFamily: 'AL2023' }, 'v1beta1')),
    },
    { name: 'v1 with a Karpenter that has it', template: resources(OLD_CLUSTER, chart('1.0.8'), nodeClass(SPEC)) },
  ],
  invalid: [
    {
      name: 'fewer pods than none',
      template: withClass({ ...SPEC, kubelet: { maxPods: -1 } }),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['`kubelet.maxPods`', '-1'],
        },
      ],
      fixed: withClass({ ...SPEC, kubelet: { maxPods: 110 } }),
    },
    {
      name: 'a node class of v1beta1 whose AMIs nothing selects in v1',
      template: withClass({ ...SPEC, amiFamily: 'AL2023', amiSelectorTerms: undefined }),
      findings: [refused('has no `amiSelectorTerms`', '`spec.amiSelectorTerms`')],
      fixed: withClass({ ...SPEC, amiFamily: 'AL2023' }),
    },
    {
      name: 'no security groups',
      template: withClass({ ...SPEC, securityGroupSelectorTerms: [] }),
      findings: [refused('selects no security group', '`spec.securityGroupSelectorTerms`')],
      fixed: withClass(SPEC),
    },
    {
      name: 'role and instance profile',
      template: withClass({ ...SPEC, instanceProfile: 'nodes' }),
      findings: [refused('has both `role` and `instanceProfile`', 'Drop one of them')],
      fixed: withClass(SPEC),
    },
    {
      name: 'an empty role',
      template: withClass({ ...SPEC, role: '' }),
      findings: [refused('an empty `role`', 'Name the role of the nodes')],
      fixed: withClass(SPEC),
    },
    {
      name: 'neither role nor instance profile',
      template: withClass({ ...SPEC, role: undefined }),
      findings: [refused('has neither `role` nor `instanceProfile`', 'Name the role')],
      fixed: withClass(SPEC),
    },
    {
      name: 'AMIs by tags without a family',
      template: withClass({ ...SPEC, amiSelectorTerms: [{ tags: { team: 'shop' } }] }),
      findings: [refused('names no `amiFamily`', '`spec.amiFamily`')],
      fixed: withClass({ ...SPEC, amiFamily: 'AL2023', amiSelectorTerms: [{ tags: { team: 'shop' } }] }),
    },
    {
      name: 'another family than that of the alias',
      template: withClass({ ...SPEC, amiFamily: 'Bottlerocket' }),
      findings: [refused('beside the alias `al2023@v20260801`, which is of `AL2023`', 'Drop `amiFamily`')],
      fixed: withClass(SPEC),
    },
    {
      name: 'a family that v1 has dropped',
      template: withClass({ ...SPEC, amiFamily: 'Ubuntu', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] }),
      findings: [refused('`Ubuntu`, which is none', 'dropped it with its v1 API')],
    },
    {
      name: 'an alias of no family',
      template: withClass({ ...SPEC, amiSelectorTerms: [{ alias: 'AL2023@latest' }] }),
      findings: [refused("of a family that Karpenter doesn't know", 'in small letters')],
      fixed: withClass(SPEC),
    },
    {
      name: 'an alias without a version',
      template: withClass({ ...SPEC, amiSelectorTerms: [{ alias: 'al2023' }] }),
      findings: [refused("isn't of the form family@version", 'Write a family and a release')],
      fixed: withClass(SPEC),
    },
    {
      name: 'an alias beside other terms',
      template: withClass({ ...SPEC, amiSelectorTerms: [{ alias: 'al2023@latest' }, { id: 'ami-0123456789abcdef0' }] }),
      findings: [refused('beside other terms', 'Leave the alias alone')],
      fixed: withClass(SPEC),
    },
    {
      name: 'Windows 2025 with a Karpenter that does not know it yet',
      template: resources(
        OLD_CLUSTER,
        chart('1.8.2'),
        nodeClass({ ...SPEC, amiSelectorTerms: [{ alias: 'windows2025@latest' }] }),
      ),
      findings: [refused('which Karpenter takes since 1.9', 'Update Karpenter')],
      fixed: resources(
        OLD_CLUSTER,
        chart('1.8.2'),
        nodeClass({ ...SPEC, amiSelectorTerms: [{ alias: 'windows2022@latest' }] }),
      ),
    },
    {
      name: 'a field that its Karpenter does not have yet',
      template: resources(OLD_CLUSTER, chart('1.7.0'), nodeClass({ ...SPEC, ipPrefixCount: 1 })),
      findings: [
        {
          message: 'dropped',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['sets `ipPrefixCount`, a field that Karpenter has since 1.8, and the cluster has Karpenter 1.7.0'],
        },
      ],
      fixed: resources(OLD_CLUSTER, chart('1.8.0'), nodeClass({ ...SPEC, ipPrefixCount: 1 })),
    },
    {
      name: 'a field of the kubelet that its Karpenter does not have',
      template: resources(CLUSTER, chart('1.14.0'), nodeClass({ ...SPEC, kubelet: { singleProcessOOMKill: true } })),
      findings: [
        {
          message: 'dropped',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ["a field that Karpenter 1.14.0 doesn't have there"],
        },
      ],
      fixed: resources(CLUSTER, chart('1.14.0'), nodeClass({ ...SPEC, kubelet: { maxPods: 20 } })),
    },
    {
      name: 'a runtime of containers',
      template: withClass({ ...SPEC, kubelet: { containerRuntime: 'containerd' } }),
      findings: [{ ...refused('sets `kubelet.containerRuntime`', 'Take `containerRuntime` out'), message: 'dropped' }],
      fixed: withClass({ ...SPEC, kubelet: {} }),
    },
    {
      name: 'subnets by id and tags',
      template: withClass({ ...SPEC, subnetSelectorTerms: [{ id: 'subnet-0abc', tags: { Name: 'private' } }] }),
      findings: [refused('selects subnets by `id` together with `tags`', 'Leave `id` alone')],
      fixed: withClass({ ...SPEC, subnetSelectorTerms: [{ id: 'subnet-0abc' }] }),
    },
    {
      name: 'security groups by name and tags',
      template: withClass({ ...SPEC, securityGroupSelectorTerms: [{ name: 'nodes', tags: { Name: 'nodes' } }] }),
      findings: [refused('selects security groups by `name` together with `tags`', 'Leave `name` alone')],
      fixed: withClass({ ...SPEC, securityGroupSelectorTerms: [{ name: 'nodes' }] }),
    },
    {
      name: 'a term that selects nothing',
      template: withClass({ ...SPEC, securityGroupSelectorTerms: [{ tags: { Name: 'nodes' } }, {}] }),
      findings: [refused('a term for security groups with none of', 'by one of `tags`, `id` and `name`')],
      fixed: withClass({ ...SPEC, securityGroupSelectorTerms: [{ tags: { Name: 'nodes' } }] }),
    },
    {
      name: 'an owner alone',
      template: withClass({ ...SPEC, amiFamily: 'AL2023', amiSelectorTerms: [{ owner: 'amazon' }] }),
      findings: [refused('a term for AMIs with none of', 'Say in each term')],
      fixed: withClass({
        ...SPEC,
        amiFamily: 'AL2023',
        amiSelectorTerms: [{ owner: 'amazon', name: 'amazon-eks-node-al2023-*' }],
      }),
    },
    {
      name: 'an AMI by id and owner',
      template: withClass({ ...SPEC, amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-0abc', owner: 'self' }] }),
      findings: [refused('selects AMIs by `id` together with `owner`', 'Leave `id` alone')],
      fixed: withClass({ ...SPEC, amiFamily: 'AL2023', amiSelectorTerms: [{ id: 'ami-0abc' }] }),
    },
    {
      name: 'a tag without a value',
      template: withClass({ ...SPEC, subnetSelectorTerms: [{ tags: { Name: '' } }] }),
      findings: [refused('selects by a tag without a value', 'stands for any')],
      fixed: withClass({ ...SPEC, subnetSelectorTerms: [{ tags: { Name: '*' } }] }),
    },
    {
      name: 'a soft eviction that waits for nothing',
      template: withClass({ ...SPEC, kubelet: { evictionSoft: { 'memory.available': '10%' } } }),
      findings: [refused('in `kubelet.evictionSoft` and not in `kubelet.evictionSoftGracePeriod`', 'Say how long')],
      fixed: withClass({
        ...SPEC,
        kubelet: { evictionSoft: { 'memory.available': '10%' }, evictionSoftGracePeriod: { 'memory.available': '2m' } },
      }),
    },
    {
      name: 'a time to wait for no soft eviction',
      template: withClass({ ...SPEC, kubelet: { evictionSoftGracePeriod: { 'memory.available': '2m' } } }),
      findings: [
        refused('in `kubelet.evictionSoftGracePeriod` and not in `kubelet.evictionSoft`', 'Name the threshold'),
      ],
      fixed: withClass({
        ...SPEC,
        kubelet: { evictionSoft: { 'memory.available': '10%' }, evictionSoftGracePeriod: { 'memory.available': '2m' } },
      }),
    },
    {
      name: 'thresholds the wrong way round',
      template: withClass({ ...SPEC, kubelet: { imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 85 } }),
      findings: [refused('has 80 as `kubelet.imageGCHighThresholdPercent`', 'the higher one')],
      fixed: withClass({ ...SPEC, kubelet: { imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80 } }),
    },
    {
      name: 'a signal that the kubelet does not know',
      template: withClass({ ...SPEC, kubelet: { evictionHard: { memory: '5%' } } }),
      findings: [refused('names `memory` as signal for evictions', '`memory.available`')],
      fixed: withClass({ ...SPEC, kubelet: { evictionHard: { 'memory.available': '5%' } } }),
    },
    {
      name: 'a resource that cannot be reserved',
      template: withClass({ ...SPEC, kubelet: { systemReserved: { gpu: '1' } } }),
      findings: [refused('names `gpu` as reserved resource', '`ephemeral-storage`')],
      fixed: withClass({ ...SPEC, kubelet: { systemReserved: { cpu: '1' } } }),
    },
    {
      name: 'less than nothing',
      template: withClass({ ...SPEC, kubelet: { kubeReserved: { cpu: '-100m' } } }),
      findings: [refused('reserves `-100m` of `cpu`', 'zero or more')],
      fixed: withClass({ ...SPEC, kubelet: { kubeReserved: { cpu: '100m' } } }),
    },
    {
      name: 'two root volumes',
      template: withClass({
        ...SPEC,
        blockDeviceMappings: [
          { deviceName: '/dev/xvda', rootVolume: true },
          { deviceName: '/dev/xvdb', rootVolume: true },
        ],
      }),
      findings: [refused('makes 2 of its `blockDeviceMappings` the root volume', 'with one of them')],
      fixed: withClass({
        ...SPEC,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', rootVolume: true }, { deviceName: '/dev/xvdb' }],
      }),
    },
    {
      name: 'a volume of no size',
      template: withClass({ ...SPEC, blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeType: 'gp3' } }] }),
      findings: [refused('neither `volumeSize` nor `snapshotID`', 'how large the volume is')],
      fixed: withClass({
        ...SPEC,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeType: 'gp3' } }],
      }),
    },
    {
      name: 'a rate for a volume that is made of nothing',
      template: withClass({
        ...SPEC,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeInitializationRate: 100 } }],
      }),
      findings: [refused('sets `volumeInitializationRate`', 'Name the snapshot')],
      fixed: withClass({
        ...SPEC,
        blockDeviceMappings: [
          {
            deviceName: '/dev/xvda',
            ebs: { volumeSize: '100Gi', snapshotID: 'snap-0abc', volumeInitializationRate: 100 },
          },
        ],
      }),
    },
    {
      name: 'a type of volumes that EC2 does not have',
      template: withClass({
        ...SPEC,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeType: 'GP3' } }],
      }),
      findings: [refused('has `GP3` as `blockDeviceMappings.ebs.volumeType`', '`gp3`')],
      fixed: withClass({
        ...SPEC,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi', volumeType: 'gp3' } }],
      }),
    },
    {
      name: 'a size without a unit',
      template: withClass({ ...SPEC, blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: 100 } }] }),
      findings: [
        refused('has `100` as `blockDeviceMappings.ebs.volumeSize`, which has to be a text', 'Put it in quotes'),
      ],
    },
    {
      name: 'tokens that are neither',
      template: withClass({ ...SPEC, metadataOptions: { httpTokens: 'enabled', httpPutResponseHopLimit: 2 } }),
      findings: [refused('has `enabled` as `metadataOptions.httpTokens`', '`required`')],
      fixed: withClass({ ...SPEC, metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 } }),
    },
    {
      name: 'a tag whose value is no text',
      template: withClass({ ...SPEC, tags: { shared: true } }),
      findings: [refused('has `true` as `tags`, which has to be a text', 'Put it in quotes')],
      fixed: withClass({ ...SPEC, tags: { shared: 'true' } }),
    },
    {
      name: 'network interfaces without the primary one',
      template: withClass({
        ...SPEC,
        networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 1, interfaceType: 'interface' }],
      }),
      findings: [refused('without the primary one', 'both indexes 0')],
      fixed: withClass({
        ...SPEC,
        networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }],
      }),
    },
    {
      name: 'two network interfaces in one place',
      template: withClass({
        ...SPEC,
        networkInterfaces: [
          { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
          { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
        ],
      }),
      findings: [refused('in the same place of network card 0', 'its own `deviceIndex`')],
      fixed: withClass({
        ...SPEC,
        networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }],
      }),
    },
    {
      name: 'a placement group by nothing',
      template: withClass({ ...SPEC, placementGroupSelector: {} }),
      findings: [refused('neither `name` nor `id`', 'Name the placement group')],
      fixed: withClass({ ...SPEC, placementGroupSelector: { name: 'own' } }),
    },
    {
      name: 'a placement group by name and id',
      template: withClass({ ...SPEC, placementGroupSelector: { name: 'own', id: 'pg-0abc' } }),
      findings: [refused('by `id` together with `name`', 'Leave `id` alone')],
      fixed: withClass({ ...SPEC, placementGroupSelector: { id: 'pg-0abc' } }),
    },
    {
      name: 'times of connections, of which there are none',
      template: withClass({ ...SPEC, connectionTracking: {} }),
      findings: [refused('`connectionTracking` without any time', 'Take it out')],
      fixed: withClass({ ...SPEC, connectionTracking: { udpTimeout: 60 } }),
    },
    {
      name: 'a time of connections that is too long',
      template: withClass({ ...SPEC, connectionTracking: { udpTimeout: 90 } }),
      findings: [
        refused('has 90 as `connectionTracking.udpTimeout`, which v1 takes as 30 to 60', 'a number of 30 to 60'),
      ],
      fixed: withClass({ ...SPEC, connectionTracking: { udpTimeout: 60 } }),
    },
    {
      name: 'a list of capacity reservations without any',
      template: withClass({ ...SPEC, capacityReservationSelectorTerms: [] }),
      findings: [
        refused('an empty list of `capacityReservationSelectorTerms`', 'Take `capacityReservationSelectorTerms` out'),
      ],
      fixed: withClass(SPEC),
    },
    {
      name: 'capacity reservations by id and owner',
      template: withClass({ ...SPEC, capacityReservationSelectorTerms: [{ id: 'cr-0abc', ownerID: '111122223333' }] }),
      findings: [refused('selects capacity reservations by `id` together with `ownerID`', 'Leave `id` alone')],
      fixed: withClass({ ...SPEC, capacityReservationSelectorTerms: [{ id: 'cr-0abc' }] }),
    },
    {
      name: "a tag of Karpenter's own",
      template: withClass({ ...SPEC, tags: { 'kubernetes.io/cluster/main': 'owned' } }),
      findings: [refused('has the tag `kubernetes.io/cluster/main`', 'Take the tag out')],
      fixed: withClass(SPEC),
    },
    {
      name: 'the size of a volume with a unit that there is none of',
      template: withClass({
        ...SPEC,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100GB' } }],
      }),
      findings: [refused('has `100GB` as `blockDeviceMappings.ebs.volumeSize`', 'such as `100Gi`')],
      fixed: withClass({
        ...SPEC,
        blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100Gi' } }],
      }),
    },
    {
      name: 'v1beta1 with a Karpenter that has dropped it',
      template: resources(CLUSTER, chart('1.5.0'), nodeClass({ ...SPEC, amiFamily: 'AL2023' }, 'v1beta1')),
      findings: [
        {
          message: 'notServed',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['had from 0.32 to 1.0', 'The input has Karpenter 1.5.0'],
          advises: 'Write it in `v1`',
        },
      ],
      fixed: resources(CLUSTER, chart('1.5.0'), nodeClass(SPEC)),
    },
    {
      name: 'v1 with a Karpenter that has not got it yet',
      template: resources(OLD_CLUSTER, chart('0.37.0'), nodeClass(SPEC)),
      findings: [
        {
          message: 'notServed',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['has since 1.0', 'The input has Karpenter 0.37.0'],
          advises: 'Update Karpenter',
        },
      ],
    },
    {
      name: 'v1beta1 on a version of Kubernetes whose Karpenters have dropped it',
      template: resources(CLUSTER, nodeClass({ ...SPEC, amiFamily: 'AL2023' }, 'v1beta1')),
      findings: [
        {
          message: 'notServed',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['Kubernetes 1.33 needs Karpenter 1.5 or later'],
        },
      ],
    },
    {
      name: 'a node template of the alpha versions, wherever it is',
      template: resources(
        manifest('NodeClass', {
          apiVersion: 'karpenter.k8s.aws/v1alpha1',
          kind: 'AWSNodeTemplate',
          metadata: { name: 'default' },
          spec: {},
        }).replace('!Ref Cluster', 'elsewhere'),
      ),
      findings: [
        {
          message: 'old',
          severity: 'warning',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['Karpenter dropped with 0.33'],
          advises: '`karpenter-convert -f FILE | envsubst`',
        },
      ],
    },
    ...(
      [
        ['AWSNodeTemplate', 'karpenter.k8s.aws/v1', 'Write it as `EC2NodeClass` of `karpenter.k8s.aws/v1`'],
        ['AWSNodeTemplate', 'karpenter.k8s.aws/v1beta1', 'Write it as `EC2NodeClass` of `karpenter.k8s.aws/v1`'],
        ['EC2NodeClass', 'karpenter.sh/v1', 'Write `apiVersion: karpenter.k8s.aws/v1`'],
      ] as const
    ).map(([kind, apiVersion, advises]) => ({
      name: `${kind} of ${apiVersion}, which no Karpenter has, though nothing tells its version`,
      template: resources(
        OLD_CLUSTER.replace(/.*Version.*\n/, ''),
        manifest('Object', { apiVersion, kind, metadata: { name: 'default' }, spec: {} }),
      ),
      findings: [
        {
          message: 'noSuchKind' as const,
          severity: 'error' as const,
          resource: 'Object',
          at: 'Object',
          says: [`is of \`${apiVersion}\`, in which no Karpenter has a kind \`${kind}\``],
          advises,
        },
      ],
    })),
    {
      name: 'Amazon Linux 2 from 1.33 on',
      template: withClass({ ...SPEC, amiSelectorTerms: [{ alias: 'al2@latest' }] }),
      findings: [
        {
          message: 'al2',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['publishes none for Kubernetes 1.33'],
          advises: 'an alias of `al2023`',
        },
      ],
      fixed: withClass(SPEC),
    },
    ...(
      [
        ['al2023@lates', 'al2023@v20250920'],
        ['al2023@20240807', 'al2023@v20250920'],
        ['bottlerocket@v20240807', 'bottlerocket@v1.20.3'],
      ] as const
    ).map(([alias, advises]) => ({
      name: `an alias of a version that finds no AMI: ${alias}`,
      template: withClass({ ...SPEC, amiSelectorTerms: [{ alias }] }),
      findings: [
        {
          message: 'release',
          severity: 'error' as const,
          resource: 'NodeClass',
          at: 'NodeClass',
          says: [`AMI alias \`${alias}\``, 'finds no AMI'],
          advises,
        },
      ],
      fixed: withClass({ ...SPEC, amiSelectorTerms: [{ alias: advises }] }),
    })),
  ],
  unverifiable: [
    {
      name: 'v1beta1 where nothing tells the version of Karpenter',
      template: resources(
        OLD_CLUSTER.replace(/.*Version.*\n/, ''),
        nodeClass({ ...SPEC, amiFamily: 'AL2023' }, 'v1beta1'),
      ),
      resources: ['NodeClass'],
      because: "isn't known",
    },
  ],
  notApplicable: [
    { name: 'a cluster', template: resources(CLUSTER) },
    {
      name: 'a node class of Auto Mode',
      template: resources(
        CLUSTER,
        manifest('Own', { apiVersion: 'eks.amazonaws.com/v1', kind: 'NodeClass', metadata: { name: 'own' }, spec: {} }),
      ),
    },
  ],
});
