import fc from 'fast-check';
import { runs } from '../../share';
import { EksModel, otherCniAt, otherCnisOf } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { addon, block, CLUSTER, helmChart, manifest, onCondition, template } from '../../rules/node-templates';

const PARAMETERS = 'Parameters:\n  P: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref P, prod]';

function found(...blocks: readonly string[]): readonly (string | undefined)[] {
  const model = new EksModel(
    readTemplates([{ file: 'template.yaml', text: template(PARAMETERS, CLUSTER, ...blocks) }]).resources,
  );
  return model.clusterViews.flatMap((view) => otherCnisOf(view).map(({ plugin }) => plugin));
}

const chart = (name: string, values: object = {}) => helmChart('Network', name, values);

const patched = (spec: object) =>
  block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    'ResourceName: daemonset/aws-node',
    'ResourceNamespace: kube-system',
    `ApplyPatchJson: '${JSON.stringify({ spec: { template: { spec } } })}'`,
  ]);

const configured = (values: object) =>
  addon('Cni', 'AddonName: vpc-cni', `ConfigurationValues: '${JSON.stringify(values)}'`);

describe('otherCnisOf', () => {
  it.each<[string, string, object]>([
    ['Cilium as it is', 'cilium', {}],
    ['an overlay', 'cilium', { ipam: { mode: 'cluster-pool' }, eni: { enabled: false } }],
    ['its interfaces are off', 'cilium', { eni: { enabled: 'true' } }],
    ['chained to something else', 'cilium', { cni: { chainingMode: 'flannel', chainingTarget: 'flannel' } }],
    ['a version behind a colon', 'oci://quay.io/cilium/charts/cilium:1.18.2', {}],
    ['a version with its v', 'https://charts.example.com/Cilium-v1.18.2-rc.1.tgz', {}],
    ['prefixes of its own, as a text', 'cilium', { ipam: { mode: 'eni' }, eni: { awsEnablePrefixDelegation: 'true' } }],
    ['addresses by Kubernetes', 'cilium', { ipam: { mode: 'kubernetes' } }],
    ['prefixes of its own', 'cilium', { ipam: { mode: 'eni' }, eni: { awsEnablePrefixDelegation: true } }],
    ['an address of the chart', 'oci://quay.io/cilium/charts/cilium', {}],
    ['a packed chart', 'https://charts.example.com/cilium-1.18.2.tgz', {}],
  ])('takes Cilium for one: %s', (_, name, values) => {
    expect(found(chart(name, values))).toEqual(['Cilium']);
  });

  it.each<[string, string]>([
    ['tigera-operator', 'Calico'],
    ['calico', 'Calico'],
  ])('takes Calico for one where it is told to give addresses: %s', (name, plugin) => {
    expect(found(chart(name, { installation: { cni: { type: 'Calico' } } }))).toEqual([plugin]);
    expect(found(chart(name, { installation: { cni: { type: 'AmazonVPC' } } }))).toEqual([]);
    expect(found(chart(name))).toEqual([]);
  });

  it.each(['antrea', 'kube-ovn', 'flannel', 'weave-net'])('knows the chart %s', (name) => {
    expect(found(chart(name))).toHaveLength(1);
  });

  it.each<[string, string, object]>([
    ['Cilium chained to it', 'cilium', { cni: { chainingMode: 'aws-cni' } }],
    ['Cilium chained to any other', 'cilium', { cni: { chainingMode: 'generic-veth' } }],
    ['Cilium chained by its target', 'cilium', { cni: { chainingTarget: 'aws-cni' } }],
    [
      'Cilium with prefixes that are off',
      'cilium',
      { ipam: { mode: 'eni' }, eni: { awsEnablePrefixDelegation: 'false' } },
    ],
    [
      'Cilium with prefixes that are not set',
      'cilium',
      { ipam: { mode: 'eni' }, eni: { awsEnablePrefixDelegation: null } },
    ],
    ['a chart whose name ends like it', 'my-cilium', {}],
    ['Cilium with its interfaces', 'cilium', { ipam: { mode: 'eni' }, eni: { enabled: true } }],
    ['Cilium with its interfaces, as older charts have it', 'cilium', { eni: { enabled: true } }],
    ['Antrea for policies', 'antrea', { trafficEncapMode: 'networkPolicyOnly' }],
    ['Calico for policies', 'aws-calico', {}],
    ['a chart of a similar name', 'cilium-exporter', {}],
    ['Multus, which adds interfaces', 'multus', {}],
  ])('leaves the addresses to the VPC CNI: %s', (_, name, values) => {
    expect(found(chart(name, values))).toEqual([]);
  });

  it.each<[string, object, readonly string[]]>([
    [
      'an Installation',
      {
        apiVersion: 'operator.tigera.io/v1',
        kind: 'Installation',
        metadata: { name: 'default' },
        spec: { cni: { type: 'Calico' } },
      },
      ['Calico'],
    ],
    [
      'an Installation for policies',
      {
        apiVersion: 'operator.tigera.io/v1',
        kind: 'Installation',
        metadata: { name: 'default' },
        spec: { cni: { type: 'AmazonVPC' } },
      },
      [],
    ],
    [
      'a kind of the same name',
      { apiVersion: 'apps.example.com/v1', kind: 'Installation', spec: { cni: { type: 'Calico' } } },
      [],
    ],
    [
      'the configuration of Cilium',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cilium-config' }, data: { ipam: 'cluster-pool' } },
      ['Cilium'],
    ],
    [
      'the configuration of a chained Cilium',
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cilium-config' },
        data: { ipam: 'cluster-pool', 'cni-chaining-mode': 'aws-cni' },
      },
      [],
    ],
    [
      'the configuration of a Cilium with prefixes',
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cilium-config' },
        data: { ipam: 'eni', 'aws-enable-prefix-delegation': 'true' },
      },
      ['Cilium'],
    ],
    [
      'the configuration of a Cilium with interfaces',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cilium-config' }, data: { ipam: 'eni' } },
      [],
    ],
    [
      'a configuration of Cilium that says nothing of addresses',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cilium-config' }, data: { debug: 'false' } },
      [],
    ],
    [
      'another configuration',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other-config' }, data: { ipam: 'cluster-pool' } },
      [],
    ],
    [
      'a Secret of that name',
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cilium-config' }, data: { ipam: 'cluster-pool' } },
      [],
    ],
    [
      'a Deployment of that name',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'kube-ovn-cni' } },
      [],
    ],
    [
      'an Installation as older releases have it',
      {
        apiVersion: 'operator.tigera.io/v1',
        kind: 'Installation',
        metadata: { name: 'default' },
        installation: { cni: { type: 'Calico' } },
      },
      ['Calico'],
    ],
    [
      'the DaemonSet of Kube-OVN',
      { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'kube-ovn-cni' } },
      ['Kube-OVN'],
    ],
    [
      'calico-node, which may be there for policies',
      { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'calico-node' } },
      [],
    ],
  ])('reads manifests: %s', (_, object, expected) => {
    expect(found(manifest('Applied', object))).toEqual(expected);
  });

  it('counts what is not known', () => {
    expect(found(chart('cilium', { ipam: { mode: '${P}' } }).replace("Values: '", "Values: !Sub '"))).toEqual([
      'Cilium',
    ]);
    expect(found(chart('tigera-operator').replace(/Values: .*/, 'Values: !Ref P'))).toEqual(['Calico']);
  });

  it('sees that aws-node is kept off nodes', () => {
    expect(found(configured({ nodeSelector: { 'non-calico': 'true' } }))).toHaveLength(1);
    expect(found(configured({ nodeSelector: { team: 'a' } }))).toEqual([]);
    expect(found(patched({ nodeSelector: { 'io.cilium/aws-node-enabled': 'true' } }))).toHaveLength(1);
    expect(found(patched({ containers: [] }))).toEqual([]);
    expect(
      found(
        configured({ affinity: { nodeAffinity: { terms: [{ key: 'team' }, { key: 'projectcalico.org/ds-ready' }] } } }),
      ),
    ).toHaveLength(1);
    expect(found(patched({ affinity: { nodeAffinity: { terms: [{ key: 'io.cilium/x' }] } } }))).toHaveLength(1);
    expect(found(patched({ affinity: { nodeAffinity: { terms: [{ key: 'team', weight: 5 }] } } }))).toEqual([]);
    for (const [target, count] of [
      ['ds/aws-node', 1],
      ['daemonsets.apps/aws-node', 1],
      ['deployment/aws-node', 0],
      ['daemonset/aws-node-2', 0],
      ['!Ref P', 0],
    ] as const) {
      expect(
        found(patched({ nodeSelector: { 'non-calico': 'true' } }).replace('daemonset/aws-node', target)),
      ).toHaveLength(count);
    }
  });

  it('looks at what may be of the cluster, and at the DaemonSet of the VPC CNI itself', () => {
    const stray = chart('cilium').replace('!Ref Cluster', '!Ref P');
    const other = block('Other', 'AWS::EKS::Cluster', ['RoleArn: arn:aws:iam::111122223333:role/cluster']);
    const elsewhere = chart('cilium').replace('!Ref Cluster', '!Ref Other');
    const text = template(PARAMETERS, CLUSTER, other, stray.replace('Network', 'Stray'), elsewhere);
    const model = new EksModel(readTemplates([{ file: 'template.yaml', text }]).resources);
    const named = model.clusters.map((cluster) => otherCnisOf(model.viewOf(cluster)).map(({ plugin }) => plugin));
    expect(named).toEqual([['Cilium'], ['Cilium', 'Cilium']]);
    const kept = (nodeSelector: object) =>
      found(
        manifest('Applied', {
          apiVersion: 'apps/v1',
          kind: 'DaemonSet',
          metadata: { name: 'aws-node' },
          spec: { template: { spec: { nodeSelector } } },
        }),
      );
    expect(kept({ 'io.cilium/aws-node-enabled': 'true' })).toEqual([undefined]);
    expect(kept({ 'kubernetes.io/os': 'linux' })).toEqual([]);
  });

  it('knows under which condition', () => {
    const model = new EksModel(
      readTemplates([
        { file: 'template.yaml', text: template(PARAMETERS, CLUSTER, onCondition('IsProd', chart('cilium'))) },
      ]).resources,
    );
    expect(model.clusterViews.flatMap((view) => otherCnisOf(view).map(({ when }) => when.text))).toEqual([
      expect.stringContaining('IsProd'),
    ]);
  });

  it('is there under an assumption or not', () => {
    const conditions = `${PARAMETERS}\n  IsTest: !Not [!Condition IsProd]`;
    const text = template(
      conditions,
      CLUSTER,
      onCondition('IsProd', chart('cilium')),
      onCondition('IsTest', helmChart('More', 'antrea', {})),
      onCondition('IsTest', addon('Cni', 'AddonName: vpc-cni')),
      onCondition('IsProd', addon('Other', 'AddonName: coredns')),
    );
    const model = new EksModel(readTemplates([{ file: 'template.yaml', text }]).resources);
    const found = model.addons.map(({ id, exists }) => [
      id,
      ...model.clusterViews.map((view) => otherCniAt(view, exists)?.plugin),
    ]);
    expect(found).toEqual([
      ['Cni', 'Antrea'],
      ['Other', 'Cilium'],
    ]);
    const alone = new EksModel(
      readTemplates([{ file: 'template.yaml', text: text.replace('Chart: antrea', 'Chart: metrics-server') }])
        .resources,
    );
    expect(
      alone.addons.map(({ exists }) => alone.clusterViews.map((view) => otherCniAt(view, exists)?.plugin)),
    ).toEqual([[undefined], ['Cilium']]);
  });

  it('never throws, whatever the values', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('cilium', 'tigera-operator', 'antrea', 'constructor', '__proto__', ''),
        fc.jsonValue({ maxDepth: 4 }),
        (name, values) => {
          expect(() =>
            found(
              chart(JSON.stringify(name), {}).replace(
                /Values: .*/,
                `Values: ${JSON.stringify(JSON.stringify(values))}`,
              ),
            ),
          ).not.toThrow();
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
