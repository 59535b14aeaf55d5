import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';

const addon = (name: string) => ({ Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'main', AddonName: name } });
const template = (file: string, name: string, more: { stack?: string } = {}) => ({
  file,
  content: { Resources: { [name]: addon(name) } },
  ...more,
});
const importing = (file: string, name: string) => ({
  file,
  content: {
    Resources: {
      [name]: {
        Type: 'AWS::EKS::Addon',
        Properties: { ClusterName: { 'Fn::ImportValue': 'cluster' }, AddonName: name },
      },
    },
  },
});

function addonsByCluster(...inputs: Parameters<typeof readTemplates>[0]): string[][] {
  return new EksModel(readTemplates(inputs).resources).clusterViews.map(({ addons }) => addons.map(({ id }) => id));
}

describe('clusters that are only named', () => {
  it('are one within a template, or within the stack of a CDK app', () => {
    expect(addonsByCluster({ file: 'eks.yaml', content: { Resources: { a: addon('a'), b: addon('b') } } })).toEqual([
      ['a', 'b'],
    ]);
    expect(
      addonsByCluster(
        template('cdk.out/P.template.json', 'a', { stack: 'P' }),
        template('cdk.out/PNested.nested.template.json', 'b', { stack: 'P' }),
      ),
    ).toEqual([['a', 'b']]);
  });

  it('are several in templates of several environments, however alike those are called', () => {
    expect(addonsByCluster(template('dev/eks.yaml', 'a'), template('prod/eks.yaml', 'b'))).toEqual([['a'], ['b']]);
    // The exports of two accounts.
    expect(addonsByCluster(importing('dev/eks.yaml', 'a'), importing('prod/eks.yaml', 'b'))).toEqual([['a'], ['b']]);
    expect(addonsByCluster(importing('dev/cni.yaml', 'a'), importing('dev/dns.yaml', 'b'))).toEqual([['a', 'b']]);
  });
});

describe('clusters of one name', () => {
  const cluster = { Type: 'AWS::EKS::Cluster', Properties: { Name: 'main' } };
  const clustersOf = (...inputs: Parameters<typeof readTemplates>[0]) =>
    new EksModel(readTemplates(inputs).resources).clusterViews.flatMap(({ cluster, addons }) =>
      addons.map(({ id }) => `${id}: ${cluster?.source.locate().file ?? 'none'}`),
    );
  const withOwn = (file: string, name: string) => ({ file, content: { Resources: { cluster, [name]: addon(name) } } });

  it('have the parts of their own template', () => {
    expect(clustersOf(withOwn('dev/eks.yaml', 'a'), withOwn('prod/eks.yaml', 'b'))).toEqual([
      'a: dev/eks.yaml',
      'b: prod/eks.yaml',
    ]);
    expect(clustersOf(withOwn('dev/one.yaml', 'a'), withOwn('dev/two.yaml', 'b'))).toEqual([
      'a: dev/one.yaml',
      'b: dev/two.yaml',
    ]);
    const named = {
      file: 'dev/eks.yaml',
      content: {
        Parameters: { Name: { Type: 'String', Default: 'main' } },
        Resources: {
          cluster,
          a: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: { Ref: 'Name' }, AddonName: 'a' } },
        },
      },
    };
    expect(clustersOf(named, withOwn('prod/eks.yaml', 'b'))).toEqual(['a: dev/eks.yaml', 'b: prod/eks.yaml']);
  });

  it('have the parts of their folder, if no other cluster there is called so', () => {
    const alone = (file: string) => ({ file, content: { Resources: { cluster } } });
    expect(
      clustersOf(
        alone('dev/eks.yaml'),
        alone('prod/eks.yaml'),
        template('dev/cni.yaml', 'a'),
        template('prod/cni.yaml', 'b'),
      ),
    ).toEqual(['a: dev/eks.yaml', 'b: prod/eks.yaml']);
    expect(clustersOf(alone('dev/eks.yaml'), alone('dev/more.yaml'), template('dev/cni.yaml', 'a'))).toEqual([
      'a: none',
    ]);
    expect(clustersOf(alone('dev/eks.yaml'), alone('prod/eks.yaml'), template('test/cni.yaml', 'a'))).toEqual([
      'a: none',
    ]);
  });

  it('of a template that has two have no part for sure', () => {
    expect(
      clustersOf({ file: 'eks.yaml', content: { Resources: { cluster, other: cluster, a: addon('a') } } }),
    ).toEqual(['a: none']);
  });
});

describe('clusters that may be one', () => {
  const namesakes = (...names: readonly unknown[]) => {
    const inputs = names.map((name, index) => ({
      file: `dev/${index}.yaml`,
      content: {
        Resources: {
          [`Addon${index}`]: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: name, AddonName: 'x' } },
        },
      },
    }));
    const model = new EksModel(readTemplates(inputs).resources);
    return model.addons.map((one) =>
      model
        .namesakesOf(model.viewOf(one))
        .flatMap(({ addons }) => addons.map(({ id }) => id))
        .join(' '),
    );
  };

  it('have the same literal name', () => {
    expect(namesakes('main', 'main', 'other')).toEqual(['Addon0 Addon1', 'Addon0 Addon1', 'Addon2']);
  });

  it('have a name', () => {
    expect(namesakes('', '')).toEqual(['Addon0', 'Addon1']);
    expect(namesakes({ Ref: 'A' }, { Ref: 'A' })).toEqual(['Addon0', 'Addon1']);
  });
});
