import { always, EksModel, except, isCovered, type When } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';

const HEAD = [
  'Parameters:',
  '  Family:',
  '    Type: String',
  '    AllowedValues: [ipv4, ipv6]',
  '  Stage:',
  '    Type: String',
  'Conditions:',
  '  V6: !Equals [!Ref Family, ipv6]',
  '  V4: !Not [!Condition V6]',
  '  IsProd: !Equals [!Ref Stage, prod]',
  '  IsTest: !Equals [!Ref Stage, test]',
  'Resources:',
].join('\n');

/** The assumption that a condition of the template holds, as a resource with this condition has it. */
function assumptions<Names extends string>(...names: Names[]): Record<Names, When> {
  const roles = names.map(
    (name) =>
      `  ${name}Role:\n    Type: AWS::IAM::Role\n    Condition: ${name}\n    Properties:\n      AssumeRolePolicyDocument: {}`,
  );
  const { resources } = readTemplates([{ file: 'template.yaml', text: [HEAD, ...roles, ''].join('\n') }]);
  const found = new Map(new EksModel(resources).roles.map(({ id, exists }) => [id, exists]));
  return Object.fromEntries(names.map((name) => [name, found.get(`${name}Role`) ?? always])) as Record<Names, When>;
}

const textsOf = (whens: readonly When[]) => whens.map(({ text }) => text);

describe('assumptions about conditions', () => {
  const { V4, V6, IsProd, IsTest } = assumptions('V4', 'V6', 'IsProd', 'IsTest');

  it('have an opposite, and "always" has none', () => {
    expect(textsOf(V6.not())).toEqual(['condition V6 is false']);
    expect(always.not()).toEqual([]);
  });

  it('have one opposite per condition when there are two, and these exclude each other', () => {
    const opposites = V6.and(IsProd)?.not() ?? [];
    expect(textsOf(opposites)).toEqual(['condition V6 is false', 'condition V6 is true and condition IsProd is false']);
    expect(opposites[0]?.and(opposites[1] ?? always)).toBeUndefined();
  });

  it('leave nothing of "always" when two opposite ones are taken away', () => {
    expect(except(except([always], V4), V6)).toEqual([]);
    expect(isCovered(always, [V4, V6])).toBe(true);
    expect(isCovered(always, [IsProd, IsTest])).toBe(false);
  });

  it('are left as they are by one that contradicts them', () => {
    expect(except([V6], V4)).toEqual([V6]);
    expect(except([IsProd], IsTest)).toEqual([IsProd]);
  });

  it('are covered by themselves and by "always", but not by nothing', () => {
    expect(isCovered(V6, [V6])).toBe(true);
    expect(isCovered(V6, [always])).toBe(true);
    expect(isCovered(V6, [])).toBe(false);
  });
});
