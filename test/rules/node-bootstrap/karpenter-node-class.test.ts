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

function withPool(spec: object): string {
  return resources(
    CLUSTER,
    manifest('Pool', {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: { template: { spec } },
    }),
  );
}

/** A pool with other settings beside its template, or other requirements. */
function pool(spec: object, inTemplate: object = {}): string {
  return resources(
    CLUSTER,
    manifest('Pool', {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: { template: { spec: { nodeClassRef: REF, requirements: REQUIREMENTS, ...inTemplate } }, ...spec },
    }),
  );
}

function requiring(requirement: object): string {
  return pool({}, { requirements: [...REQUIREMENTS, requirement] });
}

/** A vector for a NodePool that is refused, or whose field is dropped. */
function ofPool(
  name: string,
  template: string,
  problem: string,
  fixed?: string,
  message: 'refused' | 'dropped' = 'refused',
  severity: 'error' | 'warning' = 'error',
) {
  const finding = { message, severity, resource: 'Pool', at: 'Pool', says: [problem] };
  return { name, template, findings: [finding], ...(fixed === undefined ? {} : { fixed }) };
}

const REF = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const REQUIREMENTS = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }];

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
    { name: 'a node pool', template: withPool({ nodeClassRef: REF, requirements: REQUIREMENTS }) },
    {
      name: 'a node pool of Auto Mode',
      template: withPool({
        nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
        requirements: REQUIREMENTS,
      }),
    },
    {
      name: 'values of whatever version of v1, and what is filled in before it is applied',
      template: pool(
        {
          disruption: {
            consolidationPolicy: 'Balanced',
            consolidateAfter: '5m',
            budgets: [{ nodes: '10%', reasons: ['Drifted'] }],
          },
          limits: { cpu: 100, 'nvidia.com/gpu': 4 },
          replicas: 2,
        },
        {
          expireAfter: '${EXPIRE_AFTER}',
          terminationGracePeriod: '1h30m',
          taints: [{ key: 'team', effect: 'NoSchedule' }],
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'], minValues: 1 },
            { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['2'] },
            { key: 'karpenter.k8s.aws/instance-memory', operator: 'Lte', values: ['{{ memory }}'] },
            { key: 'team', operator: 'Exists' },
          ],
        },
      ),
    },
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
      name: 'v1beta1 with a Karpenter that has it',
      template: resources(OLD_CLUSTER, chart('1.0.8'), nodeClass({ ...SPEC, amiFamily: 'AL2023' }, 'v1beta1')),
    },
    { name: 'v1 with a Karpenter that has it', template: resources(OLD_CLUSTER, chart('1.0.8'), nodeClass(SPEC)) },
  ],
  invalid: [
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
      name: 'a reference to a node class as v1beta1 had it',
      template: withPool({
        nodeClassRef: { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'default' },
        requirements: REQUIREMENTS,
      }),
      findings: [
        {
          message: 'refused',
          severity: 'error',
          resource: 'Pool',
          at: 'Pool',
          says: ['NodePool "default" leaves `group` out'],
          advises: 'by group, kind and name',
        },
      ],
      fixed: withPool({ nodeClassRef: REF, requirements: REQUIREMENTS }),
    },
    {
      name: 'kubelet in a node pool',
      template: withPool({ nodeClassRef: REF, requirements: REQUIREMENTS, kubelet: { maxPods: 20 } }),
      findings: [
        {
          message: 'dropped',
          severity: 'error',
          resource: 'Pool',
          at: 'Pool',
          says: ['moved to the EC2NodeClass'],
          advises: '`spec.kubelet` of the EC2NodeClass',
        },
      ],
      fixed: withPool({ nodeClassRef: REF, requirements: REQUIREMENTS }),
    },
    ofPool(
      'the policy of v1beta1',
      pool({ disruption: { consolidationPolicy: 'WhenUnderutilized', consolidateAfter: '30s' } }),
      'has `WhenUnderutilized` as `disruption.consolidationPolicy`',
      pool({ disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' } }),
    ),
    ofPool(
      'a policy that no known version has',
      pool({ disruption: { consolidationPolicy: 'WhenIdle', consolidateAfter: '30s' } }),
      'has `WhenIdle` as `disruption.consolidationPolicy`',
      undefined,
      'refused',
      'warning',
    ),
    ofPool(
      'an expiry where v1beta1 had it',
      pool({ disruption: { consolidateAfter: '30s', expireAfter: '24h' } }),
      'has moved to `template.spec`',
      pool({ disruption: { consolidateAfter: '30s' } }, { expireAfter: '24h' }),
      'dropped',
    ),
    ofPool(
      'a time to live of the Provisioner',
      pool({ ttlSecondsAfterEmpty: 30 }),
      'sets `ttlSecondsAfterEmpty`',
      pool({ disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' } }),
      'dropped',
    ),
    ofPool(
      'another field of the Provisioner',
      pool({ providerRef: { name: 'default' } }),
      'a field of the alpha versions',
      pool({ weight: 1 }),
      'dropped',
    ),
    ofPool(
      'a field that no known version has',
      pool({ wieght: 10 }),
      'sets `wieght`, a field that no Karpenter from 1.0 to',
      pool({ weight: 10 }),
      'dropped',
      'warning',
    ),
    ofPool(
      'a bound with two values',
      requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['2', '4'] }),
      'operator `Gt`, which takes one whole number',
      requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['4'] }),
    ),
    ofPool(
      'nothing to choose from',
      requiring({ key: 'topology.kubernetes.io/zone', operator: 'In', values: [] }),
      'with the operator `In` and no values',
      requiring({ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-west-1a'] }),
    ),
    ofPool(
      'a requirement of one node',
      requiring({ key: 'kubernetes.io/hostname', operator: 'Exists' }),
      'the requirement `kubernetes.io/hostname`',
      requiring({ key: 'team', operator: 'Exists' }),
    ),
    ofPool(
      "a label of Karpenter's own",
      pool({
        template: {
          metadata: { labels: { 'karpenter.sh/nodepool': 'x' } },
          spec: { nodeClassRef: REF, requirements: REQUIREMENTS },
        },
      }),
      'the label `karpenter.sh/nodepool`',
    ),
    ofPool(
      'a taint without such an effect',
      pool({}, { taints: [{ key: 'team', effect: 'NoScedule' }] }),
      'has `NoScedule` as `template.spec.taints.effect`',
      pool({}, { taints: [{ key: 'team', effect: 'NoSchedule' }] }),
    ),
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
      name: 'a Provisioner, wherever it is',
      template: resources(
        manifest('Pool', {
          apiVersion: 'karpenter.sh/v1alpha5',
          kind: 'Provisioner',
          metadata: { name: 'default' },
          spec: {},
        }).replace('!Ref Cluster', 'elsewhere'),
      ),
      findings: [
        {
          message: 'old',
          severity: 'warning',
          resource: 'Pool',
          at: 'Pool',
          says: ['Karpenter dropped with 0.33'],
          advises: 'Write it as a NodePool',
        },
      ],
    },
    ...(
      [
        ['Provisioner', 'karpenter.sh/v1', 'Write it as `NodePool` of `karpenter.sh/v1`'],
        ['Provisioner', 'karpenter.sh/v1beta1', 'Write it as `NodePool` of `karpenter.sh/v1`'],
        ['AWSNodeTemplate', 'karpenter.k8s.aws/v1', 'Write it as `EC2NodeClass` of `karpenter.k8s.aws/v1`'],
        ['AWSNodeTemplate', 'karpenter.k8s.aws/v1beta1', 'Write it as `EC2NodeClass` of `karpenter.k8s.aws/v1`'],
        ['NodePool', 'karpenter.sh/v1alpha5', 'Write `apiVersion: karpenter.sh/v1`'],
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
      name: 'a Provisioner of v1 with a Karpenter that serves v1 of others',
      template: resources(
        OLD_CLUSTER,
        chart('0.37.0'),
        manifest('Pool', {
          apiVersion: 'karpenter.sh/v1',
          kind: 'Provisioner',
          metadata: { name: 'default' },
          spec: {},
        }),
      ),
      findings: [{ message: 'noSuchKind', severity: 'error', resource: 'Pool', at: 'Pool' }],
      fixed: resources(
        OLD_CLUSTER,
        chart('1.0.8'),
        manifest('Pool', {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          metadata: { name: 'default' },
          spec: { template: { spec: { nodeClassRef: REF, requirements: REQUIREMENTS } } },
        }),
      ),
    },
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
