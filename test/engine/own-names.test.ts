import { EksModel } from '../../lib/eks';
import { runRules, withCommonNames, type Finding } from '../../lib/engine';
import { withOwnNames } from '../../lib/engine/own-names';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { NO_DIALECT } from '../../lib/value';
import { allRules } from '../../lib/rules';
import { AS_OF } from '../as-of';
import { checkedHcl } from '../fixes/obeyed/terraform-findings';

function told(codes: readonly string[], isOneResource = false): readonly (string | undefined)[] {
  const findings = codes.map((fixCode, index) => ({
    fixCode,
    resource: isOneResource ? ONE : { ...ONE, id: `R${index}` },
  }));
  return withOwnNames(findings as unknown as readonly Finding[], new EksModel([])).map(({ fixCode }) => fixCode);
}

const ONE = { stack: 'main', id: 'R', dialect: NO_DIALECT };

describe('what the code of several findings declares', () => {
  it('has a name of its own in a template, where properties keep theirs', () => {
    const code = (size: number): string =>
      `NodeRole:\n  Type: AWS::IAM::Role\n  Properties:\n    MaxSessionDuration: ${size}\n# in the Properties of Workers:\nNodeRole: !GetAtt NodeRole.Arn`;
    expect(told([code(1), code(2)])).toEqual([
      code(1),
      code(2).replace('NodeRole:\n', 'NodeRole2:\n').replace('NodeRole.Arn', 'NodeRole2.Arn'),
    ]);
  });

  it('has one in JSON', () => {
    const code =
      '"NodeRole": {\n  "Type": "AWS::IAM::Role"\n},\nIn the Properties:\n"NodeRole": {\n  "Fn::GetAtt": ["NodeRole", "Arn"]\n}';
    expect(told([code, code])[1]).toBe(
      '"NodeRole2": {\n  "Type": "AWS::IAM::Role"\n},\nIn the Properties:\n"NodeRole": {\n  "Fn::GetAtt": ["NodeRole2", "Arn"]\n}',
    );
  });

  it('has one as a construct and as a constant, and options of that name have it as their value', () => {
    const code =
      "const userData = new ec2.MultipartUserData(this, 'Data');\nuserData.add();\n// in the options:\nuserData,";
    expect(told([code, code])[1]).toBe(
      "const userData2 = new ec2.MultipartUserData(this, 'Data2');\nuserData2.add();\n// in the options:\nuserData: userData2,",
    );
  });

  it('has one in HCL, and data of it have one for each finding, of one resource as well', () => {
    const code = 'resource "aws_iam_role" "a" {\n  name = data.aws_partition.p.id\n}\n\ndata "aws_partition" "p" {}';
    expect(told([code, code])[1]).toBe(
      'resource "aws_iam_role" "a_2" {\n  name = data.aws_partition.p_2.id\n}\n\ndata "aws_partition" "p_2" {}',
    );
    expect(told([code, code], true)[1]).toBe(code.replace('partition.p.', 'partition.p_2.').replace('"p"', '"p_2"'));
  });

  it('is one for all findings of a resource, with whatever number', () => {
    const code = 'resource "aws_iam_role" "a" {}';
    const findings = [ONE, { ...ONE, id: 'Second' }].flatMap((resource) => [
      { fixCode: code, resource },
      { fixCode: code, resource },
    ]);
    expect(
      withOwnNames(findings as unknown as readonly Finding[], new EksModel([])).map(({ fixCode }) => fixCode),
    ).toEqual([code, code, code.replace('"a"', '"a_2"'), code.replace('"a"', '"a_2"')]);
  });

  it('is found among many without trying all that others have', () => {
    const count = 20_000;
    const all = told(Array.from({ length: count }, () => 'resource "aws_iam_role" "a" {}'));
    expect(all.at(-1)).toBe(`resource "aws_iam_role" "a_${count}" {}`);
    expect(new Set(all).size).toBe(count);
  });

  it('is the same to a reader who compares them', () => {
    const code = "const nodeTemplate = new ec2.LaunchTemplate(this, 'NodeTemplate');\nuse(nodeTemplate);";
    expect(told([code, code, code]).map((one) => withCommonNames(one ?? ''))).toEqual([code, code, code]);
  });
});

describe('the launch templates of two groups', () => {
  it('have two names in a template, of which none is taken', () => {
    const group = (size: number): object => ({
      Type: 'AWS::EKS::Nodegroup',
      Properties: {
        ClusterName: 'main',
        NodeRole: 'r',
        Subnets: ['s'],
        AmiType: 'AL2023_x86_64_STANDARD',
        DiskSize: size,
      },
    });
    const content = { Resources: { Blue: group(50), Green: group(60), NodeTemplate2: { Type: 'AWS::SNS::Topic' } } };
    const { resources } = readTemplates([{ file: 'template.yaml', content }]);
    const codes = runRules(new EksModel(resources), allRules, { asOf: AS_OF }).flatMap(({ rule, fixCode }) =>
      rule === 'imds-hop-limit' ? [fixCode?.split('\n')[0]] : [],
    );
    expect(codes).toEqual(['NodeTemplate:', 'NodeTemplate3:']);
  });

  it('have two names in Terraform', () => {
    const group = (name: string): string =>
      `resource "aws_eks_node_group" "${name}" {\n  cluster_name = "main"\n  node_role_arn = "r"\n  subnet_ids = ["s"]\n  ami_type = "AL2023_x86_64_STANDARD"\n}\n`;
    const { findings } = checkedHcl(`${group('blue')}${group('green')}`);
    expect(
      findings.flatMap(({ rule, fixCode }) => (rule === 'imds-hop-limit' ? [fixCode?.split('\n')[0]] : [])),
    ).toEqual(['resource "aws_launch_template" "nodes" {', 'resource "aws_launch_template" "nodes_2" {']);
  });
});
