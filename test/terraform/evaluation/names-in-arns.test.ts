import { ResourceObject } from '../../../lib/terraform/resource-object';
import { Known, nowhere } from '../../../lib/value';
import { instance, type Written } from '../instances';
import { plain, valueOf } from './scopes';

const object = (address: string, attributes: Written) =>
  new Known(new ResourceObject(instance(address, attributes), nowhere), nowhere);

const values = {
  'aws_iam_role.plain': object('aws_iam_role.plain', { name: 'nodes' }),
  'aws_iam_role.nameless': object('aws_iam_role.nameless', {}),
  'aws_iam_role.deep': object('aws_iam_role.deep', { name: 'nodes', path: '/eks/workers/' }),
  'aws_iam_role.other': object('aws_iam_role.other', { name: 'nodes', path: instance('aws_x.y', {}).attributes }),
  'data.aws_iam_role.found': object('data.aws_iam_role.found', { name: 'found' }),
  'aws_eks_cluster.main': object('aws_eks_cluster.main', { name: 'main' }),
  'aws_eks_node_group.workers': object('aws_eks_node_group.workers', { cluster_name: 'main', node_group_name: 'w' }),
  'data.aws_caller_identity.me': object('data.aws_caller_identity.me', {}),
  'data.aws_partition.here': object('data.aws_partition.here', {}),
  'terraform_data.kept': object('terraform_data.kept', { input: 'nodes' }),
};
const of = (expression: string) => plain(valueOf(expression, values));

describe('a name that is cut out of an ARN which is known only after apply', () => {
  it.each([
    'split("/", aws_iam_role.plain.arn)[1]',
    'element(split("/", aws_iam_role.plain.arn), 1)',
    'element(split("/", aws_iam_role.deep.arn), length(split("/", aws_iam_role.deep.arn)) - 1)',
    'reverse(split("/", aws_iam_role.plain.arn))[0]',
    'split("/", aws_iam_role.deep.arn)[3]',
    'split(":role/", aws_iam_role.plain.arn)[1]',
    'split("/", split(":", aws_iam_role.plain.arn)[5])[1]',
    'basename(aws_iam_role.plain.arn)',
    'basename(aws_iam_role.other.arn)',
    'basename(aws_iam_role.deep.arn)',
    'regex("[^/]+$", aws_iam_role.plain.arn)',
    'regex("role/(.+)$", aws_iam_role.plain.arn)[0]',
    'regex("^arn:aws[a-z-]*:iam::[0-9]{12}:role/(.*)$", aws_iam_role.plain.arn)[0]',
    'replace(aws_iam_role.plain.arn, "/.*\\\\//", "")',
    'replace(aws_iam_role.deep.arn, "/^.*role.*\\\\//", "")',
    'trimprefix(aws_iam_role.plain.arn, "arn:aws:iam::111122223333:role/")',
    'trimprefix(aws_iam_role.plain.arn, "arn:${data.aws_partition.here.partition}:iam::${data.aws_caller_identity.me.account_id}:role/")',
    'trimprefix(split(":", aws_iam_role.plain.arn)[5], "role/")',
    'terraform_data.kept.output',
  ])('%s', (expression) => {
    expect(of(expression)).toBe('nodes');
  });

  it.each([
    ['basename(aws_eks_cluster.main.arn)', 'main'],
    ['split("/", aws_eks_cluster.main.arn)[1]', 'main'],
    ['split(":", aws_eks_node_group.workers.id)[0]', 'main'],
    ['split(":", aws_eks_node_group.workers.id)[1]', 'w'],
    ['basename(data.aws_iam_role.found.arn)', 'found'],
  ])('%s is %s', (expression, name) => {
    expect(of(expression)).toBe(name);
  });

  it('is what refers to the resource where that has no name of its own', () => {
    expect(of('basename(aws_iam_role.nameless.arn)')).toMatchObject({ unknown: '${aws_iam_role.nameless.name}' });
  });

  it.each([
    // What comes second depends on a path that isn't known, or isn't the name.
    'split("/", aws_iam_role.other.arn)[1]',
    'split("/", data.aws_iam_role.found.arn)[1]',
    'split("/", aws_iam_role.deep.arn)[1]',
    'split(":", aws_iam_role.plain.arn)[4]',
    'split("/", aws_iam_role.plain.arn)[0]',
    'trimprefix(aws_iam_role.deep.arn, "arn:aws:iam::111122223333:role/")',
    'regex("::444455556666:role/(.*)", aws_iam_role.plain.arn)[0]',
    'replace(aws_iam_role.plain.arn, "role", "user")',
    'upper(aws_iam_role.plain.arn)',
  ])('%s tells none', (expression) => {
    expect(of(expression)).toHaveProperty('unknown');
  });
});
