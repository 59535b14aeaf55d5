import { roleUsesOf } from '../../../lib/eks/analysis/role-uses';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';

/** Service accounts with a role by annotation, and associations for some of them. */
function template(accounts: number, associations: readonly string[]): string {
  const manifest = (at: number) => [
    '[{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"',
    `a${at}`,
    '","namespace":"default","annotations":{"eks.amazonaws.com/role-arn":"',
    { 'Fn::GetAtt': ['Role', 'Arn'] },
    '"}}}]',
  ];
  return JSON.stringify({
    Parameters: { Name: { Type: 'String' } },
    Conditions: { C: { 'Fn::Equals': [{ Ref: 'Name' }, 'x'] } },
    Resources: {
      Cluster: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'c' } },
      Role: { Type: 'AWS::IAM::Role', Properties: {} },
      ...Object.fromEntries(
        Array.from({ length: accounts }, (_, at) => [
          `M${at}`,
          {
            Type: 'Custom::AWSCDK-EKS-KubernetesResource',
            Properties: { ClusterName: { Ref: 'Cluster' }, Manifest: { 'Fn::Join': ['', manifest(at)] } },
          },
        ]),
      ),
      ...Object.fromEntries(
        associations.map((name, at) => [
          `P${at}`,
          {
            Type: 'AWS::EKS::PodIdentityAssociation',
            ...(name.startsWith('?') ? { Condition: 'C' } : {}),
            Properties: {
              ClusterName: { Ref: 'Cluster' },
              Namespace: 'default',
              ServiceAccount: name === '*' ? { Ref: 'Name' } : name.replace('?', ''),
              RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
            },
          },
        ]),
      ),
    },
  });
}

function usesOf(text: string): string[] {
  const model = new EksModel(readTemplates([{ file: 'a.json', text }]).resources);
  return [...roleUsesOf(model)].map(({ accounts, when }) => `${accounts.map(({ name }) => name).join()} ${when.text}`);
}

describe('uses of roles beside Pod Identity associations', () => {
  it('end where one surely exists for the account, or may be for any', () => {
    expect(usesOf(template(3, ['a1', 'other']))).toEqual(['a0 ', 'a2 ']);
    expect(usesOf(template(2, ['*']))).toEqual([]);
  });

  it('go on while one under a condition is not there', () => {
    expect(usesOf(template(2, ['?a0']))).toEqual(['a0 condition C is false', 'a1 ']);
    expect(usesOf(template(1, ['?a0', 'a0']))).toEqual([]);
  });

  it('look at each association a few times, however many accounts there are', () => {
    const names = Array.from({ length: 200 }, (_, at) => `b${at}`);
    const model = new EksModel(readTemplates([{ file: 'a.json', text: template(200, names) }]).resources);
    let looks = 0;
    for (const view of model.clusterViews) {
      for (const one of view.podIdentityAssociations) {
        const { namespace } = one;
        Object.defineProperty(one, 'namespace', {
          get: () => {
            looks++;
            return namespace;
          },
        });
      }
    }
    expect([...roleUsesOf(model)]).toHaveLength(200);
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(1000);
  });
});
