import { advised } from './advised';

/* A property of a template that is a parameter in one case and nothing in the other. */

const template = (parameter: string, version: string, condition = 'latest') => ({
  'cluster.yaml': `Parameters:
  Release: { Type: String${parameter} }
Conditions:
  IsNamed: !Not [!Equals [!Ref Release, ${condition}]]
Resources:
  Main:
    Type: AWS::EKS::Cluster
    Properties:
      Name: shop
      Version: ${version}
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
`,
});

const CHOICE = '!If [IsNamed, !Ref Release, !Ref AWS::NoValue]';

it('keeps the parameter, and is what the fix says in the other case', () => {
  const [advice] = advised(template(', Default: latest', CHOICE), 'cluster-version-pinned');
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
  expect(advice?.finding.fixCode).toMatch(/^Version:\n {2}Fn::If:\n {4}- IsNamed\n {4}- Ref: Release\n {4}- "1\.\d+"$/);
});

it('is the same in the other order, and in JSON', () => {
  const other = template('', '!If [IsNamed, !Ref AWS::NoValue, !Ref Release]');
  expect(advised(other, 'cluster-version-pinned').map(({ outcome }) => outcome)).toEqual(['works']);
  const json = JSON.stringify(
    {
      Parameters: { Release: { Type: 'String', Default: '' } },
      Conditions: { IsNamed: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Release' }, ''] }] } },
      Resources: {
        Main: {
          Type: 'AWS::EKS::Cluster',
          Properties: {
            Name: 'shop',
            Version: { 'Fn::If': ['IsNamed', { Ref: 'Release' }, { Ref: 'AWS::NoValue' }] },
            RoleArn: 'arn:aws:iam::111122223333:role/cluster',
            ResourcesVpcConfig: { SubnetIds: ['subnet-1', 'subnet-2'] },
          },
        },
      },
    },
    undefined,
    2,
  );
  const [advice] = advised({ 'cluster.json': json }, 'cluster-version-pinned');
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
});

it.each([
  ['whose default may be what is wrong', ", Default: '1.29'", CHOICE],
  ['beside a value that may be what is wrong', '', "!If [IsNamed, '1.29', !Ref AWS::NoValue]"],
])('is told in words of a parameter %s', (_, parameter, version) => {
  const all = advised(template(parameter, version), 'cluster-version-pinned');
  expect(all.map(({ finding }) => finding.fixCode?.includes('Fn::If') ?? false)).not.toContain(true);
});
