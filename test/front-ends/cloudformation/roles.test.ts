import type { AttachedPolicy, PolicyDocument, Value } from '../../../lib/eks';
import { read, resource, show } from './reading';

const statement = (action: string) => `{Statement: {Effect: Allow, Action: '${action}', Resource: '*'}}`;

/** The actions of a document, in each case that there is. */
function actions(document: Value<PolicyDocument>): unknown {
  if (document.kind === 'choice')
    return Object.fromEntries(document.alternatives.map(({ when, value }) => [when.text, actions(value)]));
  return document.kind === 'known'
    ? document.value.statements.flatMap((one) => one.actions.map(show)).join(' ')
    : show(document);
}

const told = (policies: readonly AttachedPolicy[]) =>
  policies.map((policy) => (policy.kind === 'managed' ? show(policy.arn) : [policy.name, actions(policy.document)]));

const CONDITIONS = `Parameters: {P: {Type: String}, Q: {Type: String}}
Conditions: {C: !Equals [!Ref P, a], D: !Not [!Condition C], Always: !Equals [a, a], Never: !Equals [a, b]}
`;

const policiesOf = (role: string, others = '') =>
  told(
    resource(
      read(`${CONDITIONS}Resources:\n  R: {Type: AWS::IAM::Role, Properties: {RoleName: r, ${role}}}\n${others}`),
      'role',
      'R',
    ).policies,
  );

describe('the policies of a role', () => {
  const own = `  Own: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: ${statement('a:A')}}}\n`;

  it.each([
    [`Policies: [{PolicyName: n, PolicyDocument: ${statement('a:A')}}]`, [['n', 'a:A']]],
    [`Policies: [{PolicyName: !Ref P, PolicyDocument: ${statement('a:A')}}]`, [['inline policy', 'a:A']]],
    [
      `Policies: [!If [C, {PolicyName: n, PolicyDocument: ${statement('a:A')}}, !Ref AWS::NoValue]]`,
      [['inline policy', { 'condition C is true': 'a:A', 'condition C is false': 'absent' }]],
    ],
    ['ManagedPolicyArns: [arn:x, !Ref P]', ['arn:x', '?${P}']],
    ['ManagedPolicyArns: [!Ref Own]', [['Own', 'a:A']]],
    [
      'ManagedPolicyArns: [!If [C, !Ref Own, arn:x]]',
      [
        { 'condition C is true': 'absent', 'condition C is false': 'arn:x' },
        ['Own', { 'condition C is true': 'a:A', 'condition C is false': 'absent' }],
      ],
    ],
    [
      'ManagedPolicyArns: [!If [C, !Ref Own, !Ref AWS::NoValue]]',
      [['Own', { 'condition C is true': 'a:A', 'condition C is false': 'absent' }]],
    ],
    ['ManagedPolicyArns: [!Ref R]', ['?${R}']],
  ])('%s', (role, expected) => {
    expect(policiesOf(role, own)).toEqual(expected);
  });

  const attached = (type: string, properties: string, more = '') =>
    policiesOf(
      'Path: /',
      `  X: {Type: ${type}, ${more}Properties: {PolicyDocument: ${statement('a:B')}, ${properties}}}\n  S: {Type: AWS::IAM::Role}\n`,
    );
  const B = [['X', 'a:B']];

  it.each([
    ['AWS::IAM::Policy', 'Roles: [!Ref R]', B],
    ['AWS::IAM::Policy', 'Roles: [r]', B],
    ['AWS::IAM::Policy', 'Roles: [!Ref S]', []],
    ['AWS::IAM::Policy', 'Roles: [!Ref S, !Ref R]', B],
    ['AWS::IAM::Policy', 'Roles: [other]', []],
    ['AWS::IAM::Policy', 'RoleName: r', []],
    ['AWS::IAM::RolePolicy', 'RoleName: r', B],
    ['AWS::IAM::RolePolicy', 'RoleName: !Ref R', B],
    ['AWS::IAM::RolePolicy', 'Roles: [r]', []],
    ['AWS::IAM::ManagedPolicy', 'Roles: [!Ref R]', B],
  ])('that %s attaches with %s', (type, properties, expected) => {
    expect(attached(type, properties)).toEqual(expected);
  });

  it.each([
    ['C', [['X', { 'condition C is true': 'a:B', 'condition C is false': 'absent' }]]],
    ['D', [['X', { 'condition D is true': 'a:B', 'condition D is false': 'absent' }]]],
    ['Always', B],
    ['Never', []],
  ])('that are attached under the condition %s', (condition, expected) => {
    expect(attached('AWS::IAM::Policy', 'Roles: [r]', `Condition: ${condition}, `)).toEqual(expected);
  });
});

describe('a resource of a template', () => {
  const suppressions = (list: string) =>
    resource(
      read(`Resources:\n  R:\n    Type: AWS::IAM::Role\n    Metadata: {eks-guardrails: {suppress: ${list}}}\n`),
      'role',
      'R',
    ).suppressions.map(({ rule, reason, until, source }) => [rule, reason, until, source.locate().column]);

  it.each([
    ['[{rule: a, reason: b}]', [['a', 'b', undefined, 44]]],
    [
      '[{rule: a}, {rule: c, reason: 5}]',
      [
        ['a', undefined, undefined, 44],
        ['c', undefined, undefined, 55],
      ],
    ],
    ["[{rule: a, reason: b, until: '2030-01-01'}]", [['a', 'b', '2030-01-01', 44]]],
    ['[{reason: b}, {rule: [a]}, a]', []],
    ['[{rule: a, reasn: b}]', []],
    ['{rule: a, reason: b}', []],
    ['a', []],
  ])('has the suppressions of %s', (list, expected) => {
    expect(suppressions(list)).toEqual(expected);
  });

  it('has its construct path told in its metadata, or by the assembly', () => {
    const path = (metadata: string) =>
      resource(
        read(`Resources: {R: {Type: AWS::IAM::Role, Metadata: {${metadata}}}}`, {
          assembly: {
            nestedTemplates: new Map(),
            constructPaths: new Map([['R', 'of/the/assembly']]),
            acknowledgements: [],
          },
        }),
        'role',
        'R',
      ).path;
    expect(path("'aws:cdk:path': own/path")).toBe('own/path');
    expect(path("'aws:cdk:path': 5")).toBe('of/the/assembly');
    expect(path('')).toBe('of/the/assembly');
  });

  it('exists while its condition holds, and else is not read', () => {
    const exists = (condition: string) => {
      const { resources } = read(`${CONDITIONS}Resources: {R: {Type: AWS::IAM::Role, Condition: ${condition}}}`);
      return resources.map((one) => one.exists.text);
    };
    expect(exists('C')).toEqual(['condition C is true']);
    expect(exists('D')).toEqual(['condition D is true']);
    expect(exists('Always')).toEqual(['']);
    expect(exists('Never')).toEqual([]);
  });
});
