import { instance, readOne, target } from '../../../terraform/instances';

/* A name may be used once in each instance of a module, as in each region: who says it means the one that is nearest. */

const clusterAt = (module: string) => instance(`${module}aws_eks_cluster.main`, { name: 'prod', version: '1.33' });
const roleAt = (module: string) => instance(`${module}aws_iam_role.nodes`, { name: 'nodes' });

/** What a node group in a module refers to, by name. */
function meantIn(module: string, clusters: readonly string[], kind: 'cluster' | 'role' = 'cluster'): string {
  const group = instance(`${module}aws_eks_node_group.workers`, {
    cluster_name: 'prod',
    node_role_arn: 'arn:aws:iam::111122223333:role/nodes',
  });
  const others = clusters.flatMap((one) => [clusterAt(one), roleAt(one)]);
  const { cluster, nodeRole } = readOne('node-group', group.address, [...others, group]);
  return kind === 'cluster' ? target(cluster) : target(nodeRole);
}

describe('of several resources with one name is meant', () => {
  it.each([
    ['the one of the same module', 'module.a.', ['module.b.', 'module.a.'], '-> module.a.aws_eks_cluster.main'],
    ['none at the root, of which one is in a module', '', ['module.a.', ''], 'prod'],
    [
      'the one of the same instance of a module',
      'module.region["eu"].',
      ['module.region["us"].', 'module.region["eu"].'],
      '-> module.region["eu"].aws_eks_cluster.main',
    ],
    [
      'the one of the instance around a module of its own',
      'module.region["eu"].module.workers[0].',
      ['module.region["us"].', 'module.region["eu"].'],
      '-> module.region["eu"].aws_eks_cluster.main',
    ],
    [
      'the one of a module beside it',
      'module.region["eu"].module.workers.',
      ['module.region["us"].module.cluster.', 'module.region["eu"].module.cluster.', ''],
      '-> module.region["eu"].module.cluster.aws_eks_cluster.main',
    ],
    [
      'what has most modules in common, not merely the first',
      'module.a.module.b.module.c.',
      ['module.a.', 'module.a.module.b.', 'module.a.module.x.module.c.'],
      '-> module.a.module.b.aws_eks_cluster.main',
    ],
    ['none, if several are as near', 'module.c.', ['module.a.', 'module.b.'], 'prod'],
    ['the only one, however far', 'module.c.', ['module.a.module.b.'], '-> module.a.module.b.aws_eks_cluster.main'],
  ])('%s', (_, module, clusters, expected) => {
    expect(meantIn(module, clusters)).toBe(expected);
  });

  it('a role likewise', () => {
    const places = ['module.region["us"].', 'module.region["eu"].'];
    expect(meantIn('module.region["eu"].module.workers.', places, 'role')).toBe(
      '-> module.region["eu"].aws_iam_role.nodes',
    );
    expect(meantIn('', places, 'role')).toBe('arn:aws:iam::111122223333:role/nodes');
  });

  it('none of another stack, where the own has several', () => {
    const group = instance('aws_eks_node_group.workers', { cluster_name: 'prod' }, { stack: 'own' });
    const elsewhere = instance('aws_eks_cluster.main', { name: 'prod' }, { stack: 'other' });
    const own = ['module.a.', 'module.b.'].map((module) =>
      instance(`${module}aws_eks_cluster.main`, { name: 'prod' }, { stack: 'own' }),
    );
    expect(target(readOne('node-group', group.address, [elsewhere, ...own, group]).cluster)).toBe('prod');
    expect(target(readOne('node-group', group.address, [elsewhere, ...own.slice(1), group]).cluster)).toBe(
      '-> module.b.aws_eks_cluster.main',
    );
  });
});
