import type { Repair } from '../../lib/engine';
import { applyEdits } from '../../lib/fixes/text-edit';
import { templateText } from './template-text';

const ATTACH: Repair = { kind: 'attachPolicy', field: 'managedPolicies', policy: 'AmazonEKS_CNI_Policy' };
const TRUST: Repair = { kind: 'trustToo', field: 'trustPolicy', beside: 'a:b', text: 'a:c' };

const ARN = '"arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy"';

/** The properties of a role after a repair, or why there is none. */
function after(repair: Repair, properties: string, file: 'a.yaml' | 'a.json' = 'a.yaml'): string {
  const [head, tail] =
    file === 'a.yaml'
      ? ['Resources:\n  R:\n    Type: AWS::IAM::Role\n    Properties: ', '\n']
      : ['{"Resources":{"R":{"Type":"AWS::IAM::Role","Properties":', '}}}'];
  const text = head + properties + tail;
  const plan = templateText(text, file)?.repair('AWS::IAM::Role', 'R', repair, undefined);
  if (plan === undefined) return 'unreadable';
  if ('refusal' in plan) return plan.refusal;
  return applyEdits(text, plan.edits).slice(head.length, -tail.length);
}

describe('policies of roles', () => {
  it.each([
    ['the first', '{"Path":"/"}', `{"Path":"/","ManagedPolicyArns":[{"Fn::Sub":${ARN}}]}`],
    ['a further one', '{"ManagedPolicyArns":["x"]}', `{"ManagedPolicyArns":["x",{"Fn::Sub":${ARN}}]}`],
    [
      'beside one that a function makes',
      '{"ManagedPolicyArns":[{"Ref":"P"}]}',
      `{"ManagedPolicyArns":[{"Ref":"P"},{"Fn::Sub":${ARN}}]}`,
    ],
  ])('get %s in JSON', (_, before, expected) => {
    expect(after(ATTACH, before, 'a.json')).toBe(expected);
  });

  it('get one in YAML', () => {
    expect(after(ATTACH, '\n      ManagedPolicyArns:\n        - x')).toBe(
      `\n      ManagedPolicyArns:\n        - x\n        - Fn::Sub: ${ARN}`,
    );
  });

  it.each([
    [
      'the list is decided elsewhere',
      '{"ManagedPolicyArns":{"Fn::If":["A",[],[]]}}',
      'it is written in a way that a machine had better leave alone',
    ],
    [
      'no account surely takes one more',
      `{"ManagedPolicyArns":[${Array.from({ length: 10 }, () => '"x"').join()}]}`,
      'the role has 10 policies, and more than 10 need a higher quota',
    ],
  ])('stay where %s', (_, before, reason) => {
    expect(after(ATTACH, before, 'a.json')).toBe(reason);
  });
});

describe('what a role trusts', () => {
  const trust = (condition: string) =>
    `{"AssumeRolePolicyDocument":{"Statement":[{"Condition":{"StringEquals":{"x:sub":${condition}}}}]}}`;

  it.each([
    ['a text', '"a:b"', '["a:b","a:c"]'],
    ['a list', '["a:b"]', '["a:b","a:c"]'],
  ])('gets another one beside %s', (_, before, expected) => {
    expect(after(TRUST, trust(before), 'a.json')).toBe(trust(expected));
  });

  it('gets another one in YAML', () => {
    const lines = (text: string) =>
      `\n      AssumeRolePolicyDocument:\n        Statement:\n          - Condition:\n              StringEquals:\n                x:sub: ${text}`;
    expect(after(TRUST, lines('a:b'))).toBe(lines('["a:b", "a:c"]'));
  });

  it('stays where others share it', () => {
    const shared = '\n      Path: /\n      AssumeRolePolicyDocument: &trust { Principal: a:b }\n      Tags: *trust';
    expect(after(TRUST, shared)).toBe('it is used in several places (`&trust`)');
  });

  it.each([
    ['stands elsewhere', trust('"a:d"'), 'what it trusts stands elsewhere than in the resource itself'],
    ['is not there at all', '{"Path":"/"}', 'what it trusts stands elsewhere than in the resource itself'],
    ['stands in several places', trust('["a:b","a:b"]'), 'it trusts that in several places'],
  ])('stays where it %s', (_, before, reason) => {
    expect(after(TRUST, before, 'a.json')).toBe(reason);
  });
});
