import { EksModel } from '../../lib/model';
import { readTemplates } from '../../lib/readers/cloudformation';

const addon = (name: string) => ({ Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'main', AddonName: name } });
const template = (file: string, name: string, more: { stack?: string } = {}) => ({ file, content: { Resources: { [name]: addon(name) } }, ...more });
const importing = (file: string, name: string) => ({ file, content: { Resources: { [name]: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: { 'Fn::ImportValue': 'cluster' }, AddonName: name } } } } });

function addonsByCluster(...inputs: Parameters<typeof readTemplates>[0]): string[][] {
  return new EksModel(readTemplates(inputs).resources).clusterViews.map(({ addons }) => addons.map(({ id }) => id));
}

describe('clusters that are only named', () => {
  it('are one within a template, or within the stack of a CDK app', () => {
    expect(addonsByCluster({ file: 'eks.yaml', content: { Resources: { a: addon('a'), b: addon('b') } } })).toEqual([['a', 'b']]);
    expect(addonsByCluster(template('cdk.out/P.template.json', 'a', { stack: 'P' }), template('cdk.out/PNested.nested.template.json', 'b', { stack: 'P' }))).toEqual([['a', 'b']]);
  });

  it('are several in templates of several environments, however alike those are called', () => {
    expect(addonsByCluster(template('dev/eks.yaml', 'a'), template('prod/eks.yaml', 'b'))).toEqual([['a'], ['b']]);
    // The exports of two accounts.
    expect(addonsByCluster(importing('dev/eks.yaml', 'a'), importing('prod/eks.yaml', 'b'))).toEqual([['a'], ['b']]);
    expect(addonsByCluster(importing('dev/cni.yaml', 'a'), importing('dev/dns.yaml', 'b'))).toEqual([['a', 'b']]);
  });
});
