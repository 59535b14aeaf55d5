import { transpile, ScriptTarget } from 'typescript';
import { EksModel } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';

/**
 * The model of a stack that an example of a page makes: a statement or more of its constructor, in which `cluster` is a cluster of the stack
 * without nodes. The library is loaded when it is needed: it is large, and vectors are collected without it.
 */
export function modelOfStack(code: string): EksModel {
  const {
    App,
    Stack,
    aws_ec2: ec2,
    aws_eks_v2: eks,
    aws_iam: iam,
  } = jest.requireActual<typeof import('aws-cdk-lib')>('aws-cdk-lib');
  const { Template } = jest.requireActual<typeof import('aws-cdk-lib/assertions')>('aws-cdk-lib/assertions');
  const stack = new Stack(new App(), 'Stack');
  const version = eks.KubernetesVersion.of('1.35');
  const cluster = new eks.Cluster(stack, 'Cluster', {
    version,
    defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
  });
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('ec2', 'eks', 'iam', 'cluster', transpile(code, { target: ScriptTarget.ES2022 })).call(
    stack,
    ec2,
    eks,
    iam,
    cluster,
  );
  const { resources, diagnostics } = readTemplates([
    { file: 'Stack.template.json', content: Template.fromStack(stack).toJSON() },
  ]);
  expect(diagnostics).toEqual([]);
  return new EksModel(resources);
}
