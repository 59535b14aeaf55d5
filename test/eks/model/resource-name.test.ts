import { AWS_CDK } from '../../../lib/front-ends/cloudformation/dialects';
import { always, nowhere, resourceName, type Resource } from '../../../lib/eks';

function resource(path: string | undefined): Resource {
  return {
    type: 'AWS::EC2::LaunchTemplate',
    id: 'Nodes1234',
    path,
    stack: 'stack',
    frontEnd: 'aws-cdk',
    dialect: AWS_CDK,
    source: nowhere,
    suppressions: [],
    exists: always,
  };
}

describe('resourceName', () => {
  it.each([
    ['Stack/Nodes/Resource', 'Stack/Nodes'],
    ['Stack/Nodes/Default', 'Stack/Nodes'],
    ['Stack/Nodes', 'Stack/Nodes'],
    ['Stack/Resource/Nodes', 'Stack/Resource/Nodes'],
    ['Stack/MyResource', 'Stack/MyResource'],
    ['Stack/Resource/Resource', 'Stack/Resource'],
  ])('calls %s by the construct that people know', (path, name) => {
    expect(resourceName(resource(path))).toBe(name);
  });

  it('calls a resource without construct path by its id', () => {
    expect(resourceName(resource(undefined))).toBe('Nodes1234');
  });
});
