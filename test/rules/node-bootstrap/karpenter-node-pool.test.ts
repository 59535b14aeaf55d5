import { karpenterNodePool } from '../../../lib/rules/node-bootstrap/karpenter-node-pool';
import { block, CLUSTER, cluster, manifest, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const REF = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const REQUIREMENTS = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }];

function nodePool(spec: object, version = 'v1'): string {
  return manifest('Pool', {
    apiVersion: `karpenter.sh/${version}`,
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec,
  });
}

function withPool(spec: object): string {
  return resources(CLUSTER, nodePool({ template: { spec } }));
}

/** A pool with other settings beside its template, or other ones in it. */
function pool(spec: object, inTemplate: object = {}): string {
  return resources(CLUSTER, whole(spec, inTemplate));
}

function whole(spec: object, inTemplate: object = {}): string {
  return nodePool({ template: { spec: { nodeClassRef: REF, requirements: REQUIREMENTS, ...inTemplate } }, ...spec });
}

function named(name: string): string {
  return whole({}).replace('"name":"default"},"spec"', `"name":"${name}"},"spec"`);
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
  message: 'refused' | 'dropped' | 'renamedPolicy' | 'renamedGroup' = 'refused',
  severity: 'error' | 'warning' = 'error',
) {
  const finding = { message, severity, resource: 'Pool', at: 'Pool', says: [problem] };
  return { name, template, findings: [finding], ...(fixed === undefined ? {} : { fixed }) };
}

/** A Provisioner of some cluster. */
const PROVISIONER = manifest('Pool', {
  apiVersion: 'karpenter.sh/v1alpha5',
  kind: 'Provisioner',
  metadata: { name: 'default' },
  spec: {},
}).replace('!Ref Cluster', 'elsewhere');

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

/** A cluster whose subnets tell its region, with a pool that has one requirement more. */
function inIreland(key: string, values: readonly string[], operator = 'In'): string {
  return resources(
    cluster("Version: '1.33'", 'ResourcesVpcConfig: { SubnetIds: [!Ref Subnet, subnet-2] }'),
    block('Subnet', 'AWS::EC2::Subnet', ['VpcId: vpc-1', 'CidrBlock: 10.0.0.0/20', 'AvailabilityZone: eu-west-1a']),
    whole({}, { requirements: [...REQUIREMENTS, { key, operator, values }] }),
  );
}

const ZONE = 'topology.kubernetes.io/zone';

testRule(karpenterNodePool, {
  valid: [
    {
      name: 'zones of the region of the cluster, a Local Zone too',
      template: inIreland(ZONE, ['eu-west-1b', 'eu-west-1-lim-1a']),
    },
    { name: 'zones that the pool keeps away from', template: inIreland(ZONE, ['us-east-1e'], 'NotIn') },
    { name: 'ids of zones by their own key', template: inIreland('topology.k8s.aws/zone-id', ['euw1-az1']) },
    { name: 'a zone that is filled in', template: inIreland(ZONE, ['${REGION}a']) },
    { name: 'the region of the cluster', template: inIreland('topology.kubernetes.io/region', ['eu-west-1']) },
    {
      name: 'zones of a cluster whose region nothing tells',
      template: requiring({ key: ZONE, operator: 'In', values: ['us-west-2a'] }),
    },
    {
      name: 'values of labels, with other operators and ones that are filled in',
      template: pool(
        {},
        {
          requirements: [
            { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
            { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand', 'reserved'] },
            { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['SPOT'] },
            { key: 'kubernetes.io/arch', operator: 'In', values: ['${ARCH}'] },
            { key: 'example.com/arch', operator: 'In', values: ['x86_64'] },
          ],
        },
      ),
    },
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
      name: 'disruption that says nothing, and all budgets that it may have',
      template: pool({
        disruption: {
          consolidateAfter: '0s',
          budgets: [{ nodes: '0', schedule: '@daily', duration: '8h' }, {}, { nodes: '20%', reasons: ['Empty'] }],
        },
      }),
    },
    { name: 'no disruption', template: pool({ weight: 100 }) },
    { name: 'requirements that leave all open', template: pool({}, { requirements: [] }) },
    {
      name: 'a part of a pool, which something else puts to it',
      template: resources(CLUSTER, nodePool({ disruption: { consolidationPolicy: 'WhenEmpty' } })),
    },
    {
      name: 'labels that Karpenter has taken since 1.9, and own ones',
      template: pool({
        template: {
          metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'example.com/team': 'shop' } },
          spec: { nodeClassRef: REF, requirements: REQUIREMENTS },
        },
      }),
    },
    {
      name: 'a requirement of each operator',
      template: pool(
        {},
        {
          requirements: [
            { key: 'team', operator: 'DoesNotExist' },
            { key: 'karpenter.k8s.aws/instance-category', operator: 'NotIn', values: [] },
            { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['c6i', 'm6i'], minValues: 2 },
            { key: 'team', operator: 'Exists', values: ['shop'] },
            { key: 'team', operator: 'Exists', minValues: 5 },
          ],
        },
      ),
    },
    { name: 'a static pool', template: pool({ replicas: 3, limits: { nodes: 5 } }) },
  ],
  invalid: [
    {
      name: 'zones of another region than the cluster is in are a warning',
      template: inIreland(ZONE, ['us-west-2a', 'us-west-2b']),
      fixed: inIreland(ZONE, ['eu-west-1a', 'eu-west-1b']),
      findings: [
        {
          message: 'elsewhere',
          severity: 'warning',
          resource: 'Pool',
          at: 'Pool',
          says: ['`us-west-2a` and `us-west-2b`', 'eu-west-1', 'starts no node'],
          advises: 'eu-west-1a',
        },
      ],
    },
    {
      name: 'zones with a hyphen before the letter',
      template: inIreland(ZONE, ['eu-west-1-a', 'eu-west-1-b']),
      fixed: inIreland(ZONE, ['eu-west-1a', 'eu-west-1b']),
      findings: [
        {
          message: 'elsewhere',
          severity: 'warning',
          resource: 'Pool',
          at: 'Pool',
          says: ['`eu-west-1-a` and `eu-west-1-b`'],
          advises: 'Write `eu-west-1a` and `eu-west-1b` in their place.',
        },
      ],
    },
    {
      name: 'a letter without the region, beside a zone',
      template: inIreland(ZONE, ['eu-west-1a', 'b']),
      fixed: inIreland(ZONE, ['eu-west-1a', 'eu-west-1b']),
      findings: [
        {
          message: 'elsewhere',
          severity: 'warning',
          resource: 'Pool',
          at: 'Pool',
          says: ['`b`', 'none of what it means'],
        },
      ],
    },
    {
      name: 'ids of zones where names belong',
      template: inIreland(ZONE, ['euw1-az1']),
      fixed: inIreland('topology.k8s.aws/zone-id', ['euw1-az1']),
      findings: [
        {
          message: 'elsewhere',
          severity: 'warning',
          resource: 'Pool',
          at: 'Pool',
          advises: 'topology.k8s.aws/zone-id',
        },
      ],
    },
    {
      name: 'another region than that of the cluster',
      template: inIreland('topology.kubernetes.io/region', ['us-west-2']),
      fixed: inIreland('topology.kubernetes.io/region', ['eu-west-1']),
      findings: [{ message: 'elsewhere', severity: 'warning', resource: 'Pool', at: 'Pool', advises: '`eu-west-1`' }],
    },
    ...(
      [
        ['kubernetes.io/arch', 'x86_64', 'amd64'],
        ['kubernetes.io/arch', 'aarch64', 'arm64'],
        ['karpenter.sh/capacity-type', 'SPOT', 'spot'],
        ['karpenter.sh/capacity-type', 'ondemand', 'on-demand'],
      ] as const
    ).map(([key, written, right]) => ({
      name: `${written}, which no instance has`,
      template: pool({}, { requirements: [{ key, operator: 'In', values: [written] }] }),
      findings: [
        {
          message: 'noInstance' as const,
          severity: 'error' as const,
          ...{ resource: 'Pool', at: 'Pool' },
          says: [`\`${written}\` as \`${key}\``],
          advises: `\`${right}\``,
        },
      ],
      fixed: pool({}, { requirements: [{ key, operator: 'In', values: [right] }] }),
    })),
    {
      name: 'Spot in capital letters beside a value that there is',
      template: pool(
        {},
        { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['SPOT', 'on-demand'] }] },
      ),
      findings: [{ message: 'otherValue', severity: 'warning', resource: 'Pool', at: 'Pool', says: ['`SPOT`'] }],
    },
    ofPool(
      'a name in capital letters',
      resources(CLUSTER, named('My_Pool')),
      'a name that no object may have',
      pool({}),
    ),
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
      'renamedPolicy',
    ),
    ofPool(
      'the group of a node class with its version',
      withPool({ nodeClassRef: { ...REF, group: 'karpenter.k8s.aws/v1' }, requirements: REQUIREMENTS }),
      'has `karpenter.k8s.aws/v1` as `template.spec.nodeClassRef.group`',
      withPool({ nodeClassRef: REF, requirements: REQUIREMENTS }),
      'renamedGroup',
    ),
    ofPool(
      'a policy in other letters, which may be either',
      pool({ disruption: { consolidationPolicy: 'whenUnderutilized', consolidateAfter: '30s' } }),
      'has `whenUnderutilized` as `disruption.consolidationPolicy`',
      pool({ disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' } }),
    ),
    // An older definition takes it, for its pattern is open at one end, but no duration is read of it.
    ofPool(
      'a duration with a word behind it',
      pool({ disruption: { consolidateAfter: '30sNever' } }),
      'has `30sNever` as `disruption.consolidateAfter`',
      pool({ disruption: { consolidateAfter: 'Never' } }),
    ),
    ofPool(
      'a policy that no known version has',
      pool({ disruption: { consolidationPolicy: 'WhenIdle', consolidateAfter: '30s' } }),
      'has `WhenIdle` as `disruption.consolidationPolicy`',
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
      'sets `wieght`, a field that no Karpenter from 1.5 to',
      pool({ weight: 10 }),
      'dropped',
      'warning',
    ),
    {
      ...ofPool(
        'what v1 has elsewhere',
        pool({ expireAfter: '720h' }),
        'sets `expireAfter`, a field that no Karpenter from 1.5 to',
        undefined,
        'dropped',
        'warning',
      ),
      findings: [
        {
          message: 'dropped',
          severity: 'warning',
          resource: 'Pool',
          at: 'Pool',
          says: ['sets `expireAfter`'],
          advises: 'Move it to `spec.template.spec.expireAfter`',
        },
      ],
    },
    ofPool(
      'a bound with two values',
      requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['2', '4'] }),
      'operator `Gt`, which takes one whole number',
      requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['4'] }),
    ),
    // Older versions refuse the last two as such.
    ...(['Lt error', 'Lte warning', 'Gte warning'] as const).map((one) => {
      const [operator, severity] = one.split(' ') as [string, 'error' | 'warning'];
      return ofPool(
        `a bound that is no number, with ${operator}`,
        requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator, values: ['many'] }),
        `operator \`${operator}\`, which takes one whole number`,
        requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator, values: ['4'] }),
        'refused',
        severity,
      );
    }),
    ...[{}, { values: null }].map((none) =>
      ofPool(
        `no list to choose from: ${JSON.stringify(none)}`,
        requiring({ key: 'topology.kubernetes.io/zone', operator: 'In', ...none }),
        'with the operator `In` and no values',
        requiring({ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-west-1a'] }),
      ),
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
      name: 'v1beta1 on a version of Kubernetes whose Karpenters have dropped it',
      template: resources(CLUSTER, nodePool({}, 'v1beta1')),
      findings: [
        {
          message: 'notServed',
          severity: 'error',
          resource: 'Pool',
          at: 'Pool',
          says: ['Kubernetes 1.33 needs Karpenter 1.5 or later'],
          advises: 'Write it in `v1`',
        },
      ],
      fixed: pool({}),
    },
    {
      name: 'a Provisioner, wherever it is',
      template: resources(PROVISIONER),
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
    {
      name: 'a Provisioner beside clusters that all need a later Karpenter',
      template: resources(CLUSTER, CLUSTER.replace('Cluster:', 'Other:'), PROVISIONER),
      findings: [{ message: 'old', severity: 'warning', resource: 'Pool', at: 'Pool' }],
    },
    {
      name: 'v1beta1 with a Karpenter that came before it',
      template: resources(OLD_CLUSTER, chart('0.31.0'), nodePool({}, 'v1beta1')),
      findings: [
        {
          message: 'notServed',
          severity: 'error',
          resource: 'Pool',
          at: 'Pool',
          says: ['The input has Karpenter 0.31.0'],
          advises: 'Update Karpenter, its CRDs first: 0.32 to 1.0',
        },
      ],
    },
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
    ofPool(
      'a version beside the group of the node class, which v1beta1 had instead',
      withPool({ nodeClassRef: { ...REF, apiVersion: 'karpenter.k8s.aws/v1' }, requirements: REQUIREMENTS }),
      'has an `apiVersion` in its `nodeClassRef`',
      withPool({ nodeClassRef: REF, requirements: REQUIREMENTS }),
      'dropped',
      'warning',
    ),
    ofPool(
      'disruption without the time that v1 demands',
      pool({ disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized' } }),
      'has no `disruption.consolidateAfter`',
      pool({ disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' } }),
      'refused',
      'error',
    ),
    ofPool(
      'budgets alone in its disruption',
      pool({ disruption: { budgets: [{ nodes: '10%' }] } }),
      'has no `disruption.consolidateAfter`',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10%' }] } }),
      'refused',
      'error',
    ),
    ofPool(
      'no requirements',
      pool({}, { requirements: undefined }),
      'has no `template.spec.requirements`',
      pool({}, { requirements: [] }),
      'refused',
      'error',
    ),
    ofPool(
      'no node class',
      pool({}, { nodeClassRef: undefined }),
      'has no `template.spec.nodeClassRef`',
      pool({}),
      'refused',
      'error',
    ),
    ofPool(
      'a budget that begins and never ends',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', schedule: '@daily' }] } }),
      'with a `schedule` and no `duration`',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', schedule: '@daily', duration: '8h' }] } }),
      'refused',
      'error',
    ),
    ofPool(
      'a budget that lasts and never begins',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', duration: '8h' }] } }),
      'with a `duration` and no `schedule`',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } }),
      'refused',
      'error',
    ),
    ofPool(
      'a number of nodes that is no text',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: 10 }] } }),
      'has `10` as `disruption.budgets.nodes`, which has to be a text',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10' }] } }),
      'refused',
      'error',
    ),
    ofPool(
      'a reason that there is none of',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ reasons: ['Expired'] }] } }),
      'has `Expired` as `disruption.budgets.reasons`',
      pool({ disruption: { consolidateAfter: '0s', budgets: [{ reasons: ['Drifted'] }] } }),
      'refused',
      'error',
    ),
    ofPool(
      'no weight',
      pool({ weight: 0 }),
      'has 0 as `weight`, which v1 takes as 1 to 100',
      pool({ weight: 1 }),
      'refused',
      'error',
    ),
    ofPool(
      'a weight that is a text',
      pool({ weight: 'ten' }),
      'has the text `ten` as `weight`, which has to be a whole number',
      pool({ weight: 10 }),
      'refused',
      'error',
    ),
    ofPool(
      'a limit that is no amount',
      pool({ limits: { memory: '100 Gi' } }),
      'has `100 Gi` as `limits`',
      pool({ limits: { memory: '100Gi' } }),
      'refused',
      'error',
    ),
    ofPool(
      'an age in days',
      pool({}, { expireAfter: '30d' }),
      'has `30d` as `template.spec.expireAfter`',
      pool({}, { expireAfter: '720h' }),
      'refused',
      'error',
    ),
    ofPool(
      'a period of grace that never ends',
      pool({}, { terminationGracePeriod: 'Never' }),
      'has `Never` as `template.spec.terminationGracePeriod`',
      pool({}, { terminationGracePeriod: '1h' }),
      'refused',
      'error',
    ),
    ofPool(
      'values that are no texts',
      requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: [4] }),
      'has `4` as `template.spec.requirements.values`, which has to be a text',
      requiring({ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['4'] }),
      'refused',
      'error',
    ),
    ofPool(
      'no operator',
      requiring({ key: 'team', values: ['shop'] }),
      'has no `template.spec.requirements.operator`',
      requiring({ key: 'team', operator: 'In', values: ['shop'] }),
      'refused',
      'error',
    ),
    ofPool(
      'an operator of its own',
      requiring({ key: 'team', operator: 'in', values: ['shop'] }),
      'has `in` as `template.spec.requirements.operator`',
      requiring({ key: 'team', operator: 'In', values: ['shop'] }),
      'refused',
      'error',
    ),
    ofPool(
      'more values demanded than there are',
      requiring({ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i'], minValues: 2 }),
      'demands 2 values of `karpenter.k8s.aws/instance-family`',
      requiring({ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i'], minValues: 1 }),
      'refused',
      'error',
    ),
    ofPool(
      'a label of the provider that it does not know',
      requiring({ key: 'karpenter.k8s.aws/instance-type', operator: 'In', values: ['m6i.large'] }),
      'the requirement `karpenter.k8s.aws/instance-type`',
      requiring({ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m6i.large'] }),
      'refused',
      'error',
    ),
    ofPool(
      'a taint without an effect',
      pool({}, { taints: [{ key: 'team' }] }),
      'has no `template.spec.taints.effect`',
      pool({}, { taints: [{ key: 'team', effect: 'NoSchedule' }] }),
      'refused',
      'error',
    ),
    ofPool(
      'a label that is no text',
      pool({ template: { metadata: { labels: { shared: true } }, spec: { nodeClassRef: REF, requirements: [] } } }),
      'has `true` as `template.metadata.labels`, which has to be a text',
      pool({ template: { metadata: { labels: { shared: 'true' } }, spec: { nodeClassRef: REF, requirements: [] } } }),
      'refused',
      'error',
    ),
    ofPool(
      'a static pool with a weight',
      pool({ replicas: 3, weight: 10 }),
      'has both `replicas` and `weight`',
      pool({ replicas: 3 }),
      'refused',
      'error',
    ),
    ofPool(
      'a static pool with another limit than of nodes',
      pool({ replicas: 3, limits: { cpu: 10 } }),
      'limits `cpu` beside `replicas`',
      pool({ replicas: 3, limits: { nodes: 5 } }),
      'refused',
      'error',
    ),
    ...(
      [
        [
          { disruption: { consolidationPolicy: 'Balanced', consolidateAfter: '5m' } },
          '1.13.0',
          '1.14.0',
          'takes since 1.14',
          'refused',
        ],
        [{ replicas: 3 }, '1.7.2', '1.8.0', 'a field that Karpenter has since 1.8', 'dropped'],
      ] as const
    ).map(([spec, before, later, says, message]) =>
      ofPool(
        `what its Karpenter has from ${later} on`,
        resources(OLD_CLUSTER, chart(before), whole(spec)),
        says,
        resources(OLD_CLUSTER, chart(later), whole(spec)),
        message,
      ),
    ),
    ofPool(
      'a label that its Karpenter does not take yet',
      resources(
        OLD_CLUSTER,
        chart('1.8.6'),
        nodePool({
          template: {
            metadata: { labels: { 'node-role.kubernetes.io/worker': '' } },
            spec: { nodeClassRef: REF, requirements: REQUIREMENTS },
          },
        }),
      ),
      'the label `node-role.kubernetes.io/worker`',
    ),
    {
      name: 'a whole kubelet, with what no nodes have any longer',
      template: pool({}, { kubelet: { containerRuntime: 'dockerd', maxPods: 20, systemReserved: { cpu: '100m' } } }),
      findings: [
        {
          message: 'dropped',
          severity: 'error',
          resource: 'Pool',
          at: 'Pool',
          says: ['moved to the EC2NodeClass'],
          advises: 'Leave `containerRuntime` out',
          fixOmits: 'dockerd',
        },
      ],
      fixed: pool({}),
    },
    {
      name: 'a runtime of containers alone',
      template: pool({}, { kubelet: { containerRuntime: 'containerd' } }),
      findings: [
        {
          message: 'dropped',
          severity: 'error',
          resource: 'Pool',
          at: 'Pool',
          advises: 'Leave `containerRuntime` out',
          fixOmits: 'Move it',
        },
      ],
      fixed: pool({}),
    },
    ...(
      [
        ['Provisioner', 'karpenter.sh/v1', 'Write it as `NodePool` of `karpenter.sh/v1`'],
        ['Provisioner', 'karpenter.sh/v1beta1', 'Write it as `NodePool` of `karpenter.sh/v1`'],
        ['NodePool', 'karpenter.sh/v1alpha5', 'Write `apiVersion: karpenter.sh/v1`'],
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
  ],
  unverifiable: [
    {
      name: 'a Provisioner beside a cluster that may have an old Karpenter',
      template: resources(CLUSTER, CLUSTER.replace('Cluster:', 'Other:').replace('1.33', '1.25'), PROVISIONER),
      resources: ['Pool'],
      because: 'whether the Karpenter of its cluster has `karpenter.sh/v1alpha5`',
    },
    {
      name: 'a node class that is not in the input, which has another',
      template: resources(
        CLUSTER,
        whole({}),
        manifest('Class', {
          apiVersion: 'karpenter.k8s.aws/v1beta1',
          kind: 'EC2NodeClass',
          metadata: { name: 'defualt' },
        }),
      ),
      resources: ['Pool'],
      because: 'which has `defualt`',
    },
    {
      name: 'v1beta1 where nothing tells the version of Karpenter',
      template: resources(OLD_CLUSTER.replace(/.*Version.*\n/, ''), nodePool({}, 'v1beta1')),
      resources: ['Pool'],
      because: "isn't known",
    },
  ],
  notApplicable: [
    { name: 'a cluster', template: resources(CLUSTER) },
    {
      name: 'a node class',
      template: resources(
        CLUSTER,
        manifest('Class', {
          apiVersion: 'karpenter.k8s.aws/v1',
          kind: 'EC2NodeClass',
          metadata: { name: 'x' },
          spec: {},
        }),
      ),
    },
  ],
});
