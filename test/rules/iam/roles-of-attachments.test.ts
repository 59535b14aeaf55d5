import { EksModel, type EksResource } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { nodeRolePolicies } from '../../../lib/rules/iam/node-role-policies';
import { configurations } from '../../terraform/module/configurations';

const TRUST =
  'assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })';

const nodes = (...role: readonly string[]) =>
  [
    'resource "aws_eks_cluster" "c" {\n  name = "main"\n}',
    'resource "aws_eks_node_group" "n" {\n  cluster_name = aws_eks_cluster.c.name\n  node_role_arn = aws_iam_role.node.arn\n}',
    `resource "aws_iam_role" "node" {\n  ${[...role, TRUST].join('\n  ')}\n}`,
    '',
  ].join('\n');
const attachment = (role: string) =>
  [
    'resource "aws_iam_role_policy_attachment" "all" {',
    `  role = ${role}`,
    '  policy_arn = "arn:aws:iam::aws:policy/AdministratorAccess"',
    '}\n',
  ].join('\n');

const verdicts = (resources: readonly EksResource[]) =>
  [...new Set(runRules(new EksModel(resources), [nodeRolePolicies]).map(({ verdict }) => verdict))].join(' ');
const found = (text: string) => verdicts(readInstances(configurations(text).instances));

describe('an attachment of Terraform', () => {
  it.each([
    ['whose role is cut out of its ARN', '', 'split("/", aws_iam_role.node.arn)[1]'],
    ['whose role is cut out of that of nodes', '', 'element(split("/", aws_eks_node_group.n.node_role_arn), 1)'],
    ['whose role is cut out behind a path', 'path = "/eks/"', 'basename(aws_iam_role.node.arn)'],
    ['whose role has a name from the same variable', 'name = "${var.name}-node"', '"${var.name}-node"'],
    ['whose role is kept by terraform_data', '', 'terraform_data.kept.output.role'],
  ])('%s is that of the role', (_, role, name) => {
    const more = [
      'variable "name" {}',
      'resource "terraform_data" "kept" {\n  input = { role = aws_iam_role.node.name }\n}',
      'resource "aws_eks_addon" "other" {\n  cluster_name = "other"\n  addon_name = "coredns"\n}\n',
    ].join('\n');
    expect(found(nodes(role) + more + attachment(name))).not.toMatch(/fail|unverifiable/);
  });

  it.each([
    ['of a parameter that is looked up', '', 'data.aws_ssm_parameter.role.value'],
    ['of a variable', '', 'var.role'],
    ['of a list of roles', '', 'tolist(data.aws_iam_roles.all.names)[0]'],
    ['of a name that begins like that of the role', 'name = "prod-node"', '"prod-${var.role}"'],
    ['that is cut out behind a path which is not known', 'path = var.role', 'split("/", aws_iam_role.node.arn)[2]'],
  ])('%s may be for it', (_, role, name) => {
    const more =
      'variable "role" {}\ndata "aws_ssm_parameter" "role" {\n  name = "/role"\n}\ndata "aws_iam_roles" "all" {}\n';
    expect(found(nodes(role) + more + attachment(name))).toBe('unverifiable');
  });

  it.each([
    ['of another name', 'name = "node"', '"other"'],
    ['of another role of the input', '', 'basename(aws_iam_role.other.arn)'],
    ['of another role, in a way that is not understood', '', 'split("/", aws_iam_role.other.arn)[2]'],
    ['of a name that ends otherwise', 'name = "node"', '"${var.role}-lambda"'],
    ['of a name beside one that AWS makes', '', '"${var.role}-node"'],
    ['of the role of a module that is not here', '', 'module.other.role_name'],
  ])('%s is for another role', (_, role, name) => {
    const more = `variable "role" {}\nresource "aws_iam_role" "other" {\n  path = var.role\n  ${TRUST}\n}\nmodule "other" {\n  source = "git::https://example.com/other.git"\n}\n`;
    expect(found(nodes(role) + more + attachment(name))).toBe('fail');
  });
});

describe('a policy of CloudFormation', () => {
  const template = (role: string, ...more: readonly string[]) =>
    [
      'Parameters:',
      '  Given: { Type: String }',
      'Resources:',
      '  Cluster: { Type: AWS::EKS::Cluster, Properties: { RoleArn: arn:aws:iam::111122223333:role/c } }',
      '  Nodes: { Type: AWS::EKS::Nodegroup, Properties: { ClusterName: !Ref Cluster, NodeRole: !GetAtt NodeRole.Arn } }',
      '  NodeRole:',
      '    Type: AWS::IAM::Role',
      '    Properties:',
      '      AssumeRolePolicyDocument: { Statement: [{ Effect: Allow, Principal: { Service: ec2.amazonaws.com }, Action: sts:AssumeRole }] }',
      ...more.map((line) => `      ${line}`),
      '  All:',
      '    Type: AWS::IAM::ManagedPolicy',
      '    Properties:',
      `      Roles: ${role}`,
      "      PolicyDocument: { Statement: [{ Effect: Allow, Action: '*', Resource: '*' }] }",
      '',
    ].join('\n');
  const of = (...texts: readonly string[]) =>
    verdicts(readTemplates(texts.map((text, index) => ({ file: `stacks/${index}.yaml`, text }))).resources);

  it.each([
    ["[!Select [1, !Split ['/', !GetAtt NodeRole.Arn]]]"],
    ["[!Select ['1', !Split [':role/', !GetAtt NodeRole.Arn]]]"],
    ["[!Select [3, !Split ['/', !GetAtt NodeRole.Arn]]]", 'Path: /eks/nodes/'],
    ["[!Sub '${Given}-nodes']", "RoleName: !Sub '${Given}-nodes'"],
    ['[!Ref Given]', 'RoleName: !Ref Given'],
  ])('for %s is that of the role', (role, ...more) => {
    expect(of(template(role, ...more))).toBe('');
  });

  it.each([
    ["['{{resolve:ssm:/eks/node-role}}']"],
    ['[!Ref Given]'],
    ['!Ref Given'],
    ['[!ImportValue NodeRoleName]'],
    ['[!GetAtt Lookup.RoleName]'],
    ["[!Sub '${Given}-nodes']", 'RoleName: prod-nodes'],
    ["[!Select [2, !Split ['/', !GetAtt NodeRole.Arn]]]", 'Path: !Ref Given'],
  ])('for %s may be for it', (role, ...more) => {
    expect(of(template(role, ...more))).toBe('unverifiable');
  });

  it('of another template of the folder may be for it', () => {
    const [own, other] = [template('[other]'), template('[!Ref Given]')];
    expect(of(own, other.replace(/ {2}Cluster:[^]*(?= {2}All:)/, ''))).toBe('unverifiable');
  });

  it.each([
    ['[somebody-else]'],
    ["[!Sub '${Given}-lambda']", 'RoleName: nodes'],
    ["[!Sub '${Given}-nodes']"],
    ['[!GetAtt Other.Outputs.RoleName]'],
  ])('for %s is that of another role', (role, ...more) => {
    expect(of(template(role, ...more))).toBe('fail');
  });
});
