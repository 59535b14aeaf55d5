import { EksModel } from '../../../lib/eks';
import { networkOf } from '../../../lib/eks/analysis/network-software';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { addon, block, CLUSTER, helmChart, manifest, onCondition, template } from '../../rules/node-templates';

const PARAMETERS =
  'Parameters:\n  P: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref P, prod]\n  IsTest: !Not [!Condition IsProd]';

/** What is found of the cluster of a template: `cni`, `cni (other)`, with its condition; and the doubts. */
function networkIn(...blocks: readonly string[]): string[] {
  const model = new EksModel(
    readTemplates([{ file: 'template.yaml', text: template(PARAMETERS, CLUSTER, ...blocks) }]).resources,
  );
  const [main] = model.clusters;
  if (main === undefined) throw new Error('no cluster in the template');
  const { software, doubts } = networkOf(model.viewOf(main), model);
  const found = software.map(({ part, isOther, when, addon: own }) =>
    [
      part,
      ...(isOther ? ['(other)'] : []),
      ...(own === undefined ? [] : [`by ${own.id}`]),
      ...(when.text === '' ? [] : [`if ${when.text}`]),
    ].join(' '),
  );
  return [...found, ...doubts];
}

const chart = (name: string) => helmChart('Chart', name, {});
const object = (apiVersion: string, kind: string, name = 'x') =>
  manifest('Applied', { apiVersion, kind, metadata: { name } });
const withParameter = (text: string) =>
  text.replace(/Manifest: '(.*)@(.*)'$/m, "Manifest: !Join ['', ['$1', !Ref P, '$2']]");

describe('networkOf', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['nothing', [], []],
    [
      'add-ons',
      [
        addon('A', 'AddonName: vpc-cni'),
        addon('B', 'AddonName: kube-proxy'),
        addon('C', 'AddonName: coredns'),
        addon('D', 'AddonName: metrics-server'),
      ],
      ['cni by A', 'kube-proxy by B', 'coredns by C'],
    ],
    [
      'an add-on under a condition',
      [onCondition('IsProd', addon('A', 'AddonName: vpc-cni'))],
      ['cni by A if condition IsProd is true'],
    ],
    ['an add-on whose name is not known', [addon('A', 'AddonName: !Ref P')], ["the name of add-on A isn't known"]],

    ["the CNI's own chart", [chart('aws-vpc-cni')], ['cni']],
    ['another CNI', [chart('cilium')], ['cni (other)']],
    ['a chart of CoreDNS', [chart('oci://registry.example.com/charts/coredns')], ['coredns']],
    ['a chart of something else', [chart('metrics-server')], []],
    [
      'a chart under a condition',
      [onCondition('IsProd', chart('cilium'))],
      ['cni (other) if condition IsProd is true'],
    ],
    [
      'a chart by a condition',
      [chart('!If [IsProd, cilium, coredns]')],
      ['cni (other) if condition IsProd is true', 'coredns if condition IsProd is false'],
    ],
    [
      'a chart by a condition that the release has, too',
      [onCondition('IsProd', chart('!If [IsProd, cilium, coredns]'))],
      ['cni (other) if condition IsProd is true'],
    ],
    ['a chart whose name is not known', [chart('!Ref P')], ["which chart Chart installs isn't known"]],
    ['a chart without name', [chart('!Ref AWS::NoValue')], []],
    ['Argo CD', [chart('argo-cd')], ["Helm release Chart (argo-cd) installs what the input doesn't show"]],
    [
      'Argo CD, by its apps',
      [chart('argocd-apps')],
      ["Helm release Chart (argocd-apps) installs what the input doesn't show"],
    ],
    ['Flux', [chart('flux2')], ["Helm release Chart (flux2) installs what the input doesn't show"]],
    [
      'a bridge of GitOps',
      [chart('gitops-bridge')],
      ["Helm release Chart (gitops-bridge) installs what the input doesn't show"],
    ],
    ['what is called a bit like these', [chart('my-flux'), helmChart('More', 'fluxion', {})], []],
    ['a chart in a folder', [chart('./charts/network')], ["what the chart ./charts/network holds isn't known"]],
    ['a chart in an absolute folder', [chart('/charts/network')], ["what the chart /charts/network holds isn't known"]],
    ['a chart of the own home', [chart('~/charts/network')], ["what the chart ~/charts/network holds isn't known"]],
    ['a chart of a repository', [chart('example/network')], []],

    ['the DaemonSet of the VPC CNI', [object('apps/v1', 'DaemonSet', 'aws-node')], ['cni']],
    ['the DaemonSet of kube-proxy', [object('apps/v1', 'DaemonSet', 'kube-proxy')], ['kube-proxy']],
    ['the DaemonSet of another CNI', [object('apps/v1', 'DaemonSet', 'calico-node')], ['cni (other)']],
    ['the Deployment of CoreDNS', [object('apps/v1', 'Deployment', 'coredns')], ['coredns']],
    [
      'objects of these names of another kind',
      [
        object('v1', 'ConfigMap', 'coredns'),
        manifest('More', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'kube-proxy' } }),
      ],
      [],
    ],
    ["a Deployment of a DaemonSet's name", [object('apps/v1', 'Deployment', 'aws-node')], []],
    ['another DaemonSet', [object('apps/v1', 'DaemonSet', 'agent')], ["what DaemonSet agent does isn't known"]],
    ['a Job', [object('batch/v1', 'Job', 'setup')], ["what Job setup does isn't known"]],
    [
      'a manifest under a condition',
      [onCondition('IsProd', object('apps/v1', 'DaemonSet', 'aws-node'))],
      ['cni if condition IsProd is true'],
    ],
    ['an Installation of Calico', [object('operator.tigera.io/v1', 'Installation')], ['cni (other)']],
    ['an Installation of something else', [object('example.com/v1', 'Installation')], []],
    [
      'an object of Argo CD',
      [object('argoproj.io/v1alpha1', 'Application')],
      ["manifest Applied installs what the input doesn't show"],
    ],
    [
      'an object of Flux',
      [object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization')],
      ["manifest Applied installs what the input doesn't show"],
    ],
    ['an object that only ends like these', [object('my.argoproj.io/v1', 'Application')], []],
    [
      'an object whose kind is not known',
      [withParameter(object('apps/v1', '@'))],
      ["what manifest Applied applies isn't known"],
    ],
    [
      'an object whose name is not known',
      [withParameter(object('apps/v1', 'DaemonSet', '@'))],
      ["what manifest Applied applies isn't known"],
    ],
    [
      'an object whose API is not known',
      [withParameter(object('@', 'DaemonSet'))],
      ["what manifest Applied applies isn't known"],
    ],
    ['an object without anything', [manifest('Applied', {})], []],

    [
      'what may be for this cluster',
      [
        addon('A', 'AddonName: vpc-cni').replace('!Ref Cluster', '!Ref P'),
        chart('cilium').replace('!Ref Cluster', '!Ref P'),
      ],
      ["which cluster A is for isn't known", "which cluster Chart is for isn't known"],
    ],
  ])('tells of %s', (_, blocks, expected) => {
    expect(networkIn(...blocks)).toEqual(expected);
  });

  it('asks nothing of another cluster of the input', () => {
    const other = block('Other', 'AWS::EKS::Cluster', ['RoleArn: arn:aws:iam::111122223333:role/cluster']);
    expect(networkIn(other, addon('A', 'AddonName: vpc-cni').replace('!Ref Cluster', '!Ref Other'))).toEqual([]);
  });
});
