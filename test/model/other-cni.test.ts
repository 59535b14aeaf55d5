import fc from 'fast-check';
import { EksModel, otherCnisOf } from '../../lib/model';
import { readTemplates } from '../../lib/readers/cloudformation';
import { addon, block, CLUSTER, helmChart, manifest, onCondition, template } from '../rules/node-templates';

const PARAMETERS = 'Parameters:\n  P: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref P, prod]';

function found(...blocks: readonly string[]): readonly (string | undefined)[] {
  const model = new EksModel(readTemplates([{ file: 'template.yaml', text: template(PARAMETERS, CLUSTER, ...blocks) }]).resources);
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

const configured = (values: object) => addon('Cni', 'AddonName: vpc-cni', `ConfigurationValues: '${JSON.stringify(values)}'`);

describe('otherCnisOf', () => {
  it.each<[string, string, object]>([
    ['Cilium as it is', 'cilium', {}],
    ['an overlay', 'cilium', { ipam: { mode: 'cluster-pool' }, eni: { enabled: false } }],
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
    ['an Installation', { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' }, spec: { cni: { type: 'Calico' } } }, ['Calico']],
    ['an Installation for policies', { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata: { name: 'default' }, spec: { cni: { type: 'AmazonVPC' } } }, []],
    ['a kind of the same name', { apiVersion: 'apps.example.com/v1', kind: 'Installation', spec: { cni: { type: 'Calico' } } }, []],
    ['the configuration of Cilium', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cilium-config' }, data: { ipam: 'cluster-pool' } }, ['Cilium']],
    ['the configuration of a chained Cilium', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cilium-config' }, data: { ipam: 'cluster-pool', 'cni-chaining-mode': 'aws-cni' } }, []],
    ['the DaemonSet of Kube-OVN', { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'kube-ovn-cni' } }, ['Kube-OVN']],
    ['calico-node, which may be there for policies', { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'calico-node' } }, []],
  ])('reads manifests: %s', (_, object, expected) => {
    expect(found(manifest('Applied', object))).toEqual(expected);
  });

  it('counts what is not known', () => {
    expect(found(chart('cilium', { ipam: { mode: '${P}' } }).replace("Values: '", "Values: !Sub '"))).toEqual(['Cilium']);
    expect(found(chart('tigera-operator').replace(/Values: .*/, 'Values: !Ref P'))).toEqual(['Calico']);
  });

  it('sees that aws-node is kept off nodes', () => {
    expect(found(configured({ nodeSelector: { 'non-calico': 'true' } }))).toHaveLength(1);
    expect(found(configured({ nodeSelector: { team: 'a' } }))).toEqual([]);
    expect(found(patched({ nodeSelector: { 'io.cilium/aws-node-enabled': 'true' } }))).toHaveLength(1);
    expect(found(patched({ containers: [] }))).toEqual([]);
  });

  it('knows under which condition', () => {
    const model = new EksModel(readTemplates([{ file: 'template.yaml', text: template(PARAMETERS, CLUSTER, onCondition('IsProd', chart('cilium'))) }]).resources);
    expect(model.clusterViews.flatMap((view) => otherCnisOf(view).map(({ when }) => when.text))).toEqual([expect.stringContaining('IsProd')]);
  });

  it('never throws, whatever the values', () => {
    fc.assert(
      fc.property(fc.constantFrom('cilium', 'tigera-operator', 'antrea', 'constructor', '__proto__', ''), fc.jsonValue({ maxDepth: 4 }), (name, values) => {
        expect(() => found(chart(JSON.stringify(name), {}).replace(/Values: .*/, `Values: ${JSON.stringify(JSON.stringify(values))}`))).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });
});
