import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, resource, show } from '../front-ends/cloudformation/reading';

/** Expressions with what is known of their values, under whatever conditions, and what is said of them. */
const table = JSON.parse(readFileSync(join(__dirname, 'functions.json'), 'utf8')) as readonly (readonly [
  string,
  unknown,
  readonly string[],
])[];

const template = (version: string) => `
Parameters:
  Open: { Type: String }
  Std: { Type: String, Default: std }
  Empty: { Type: String, Default: "" }
  Num: { Type: Number, Default: 3 }
  List: { Type: CommaDelimitedList, Default: "a, b" }
  Allowed: { Type: String, AllowedValues: [x, y], Default: x }
  Two: { Type: String, AllowedValues: [p, q] }
  Ssm: { Type: "AWS::SSM::Parameter::Value<String>", Default: /a }
Mappings:
  M: { eu-west-1: { v: "1.31", l: [s1, s2] }, std: { v: "1.32" } }
Conditions:
  C: !Equals [!Ref Open, a]
  D: !Not [!Condition C]
  E: !And [!Condition C, !Equals [!Ref Std, b]]
  F: !Or [!Condition C, !Equals [!Ref Two, p]]
  T: !Equals [a, a]
  N: !Equals [a, b]
Resources:
  Cluster: { Type: AWS::EKS::Cluster, Properties: { RoleArn: r } }
  It: { Type: AWS::EKS::Nodegroup, Properties: { Version: ${version} } }
`;

describe('functions of a template', () => {
  it.each(table)('%s', (version, expected, says) => {
    const result = read(template(version), { region: 'eu-west-1' });
    expect(show(resource(result, 'node-group', 'It').version)).toEqual(expected);
    expect(result.diagnostics.map(({ severity, message }) => `${severity} ${message}`)).toEqual(says);
  });
});
