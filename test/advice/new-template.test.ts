import { advised } from './advised';

/* A group without launch template, with settings that move into the one that it gets: obeyed as the advice is printed. */

const CLUSTER = `resource "aws_eks_cluster" "main" {
  name     = "main"
  role_arn = "r"
  version  = "1.35"
}
resource "aws_security_group" "bastion" {}
variable "groups" {
  default = { a = { disk = 30 }, b = { disk = 40 } }
}
variable "sources" {
  type = list(string)
}
`;

const group = (own: string): string => `${CLUSTER}resource "aws_eks_node_group" "main" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
${own}}
`;

const ssh = (sources: string): string =>
  `  remote_access {\n    ec2_ssh_key = "key"\n    source_security_group_ids = ${sources}\n  }\n`;

it.each([
  ['an SSH key for one security group', ssh('[aws_security_group.bastion.id]'), ['[aws_security_group.bastion.id]']],
  ['an SSH key for those of a variable', ssh('var.sources'), ['    security_groups = var.sources']],
  [
    'the size of a loop',
    '  for_each = var.groups\n  disk_size = each.value.disk\n',
    ['  for_each = var.groups', '      volume_size = each.value.disk', '.nodes[each.key].latest_version'],
  ],
  [
    'a size and a key of each that is counted',
    `  count = 2\n  disk_size = 30 + count.index\n${ssh('[aws_security_group.bastion.id]')}`,
    ['  count = 2', '      volume_size = 30 + count.index', '.nodes[count.index].id'],
  ],
])('in Terraform: %s', (_, own, lines) => {
  const all = advised({ 'main.tf': group(own) }, 'imds-hop-limit');
  expect(all.map(({ outcome, why }) => [outcome, why])).toEqual(all.map(() => ['works', undefined]));
  const [first] = all;
  for (const line of lines) expect(first?.finding.fixCode?.replaceAll(/nodes_\d/g, 'nodes')).toContain(line);
});

it('in a template: SSH of the same security group, by that of the cluster', () => {
  const template = `Parameters:
  Key: { Type: AWS::EC2::KeyPair::KeyName }
Resources:
  Main:
    Type: AWS::EKS::Cluster
    Properties:
      Version: "1.35"
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
  Bastion:
    Type: AWS::EC2::SecurityGroup
    Properties: { GroupDescription: bastion }
  Group:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      RemoteAccess: { Ec2SshKey: !Ref Key, SourceSecurityGroups: [!GetAtt Bastion.GroupId, sg-1] }
`;
  const [advice, ...more] = advised({ 'template.yaml': template }, 'imds-hop-limit');
  expect([advice?.outcome, advice?.why, more]).toEqual(['works', undefined, []]);
  const lines = advice?.finding.fixCode?.split('\n') ?? [];
  expect(lines.filter((line) => /GroupId:|KeyName/.test(line)).map((line) => line.trim())).toEqual([
    'GroupId: !GetAtt Main.ClusterSecurityGroupId',
    'SourceSecurityGroupId: !GetAtt Bastion.GroupId',
    'GroupId: !GetAtt Main.ClusterSecurityGroupId',
    'SourceSecurityGroupId: sg-1',
    'KeyName: !Ref Key',
  ]);
});

it.each([
  ['"workers"', '"workers-2"'],
  ['!Ref Name', '!Sub "${Name}-2"'],
  ['!Sub "${Name}-workers"', '!Sub "${Name}-workers-2"'],
])('in a template: a group that is called %s is called otherwise beside the old one', (name, becomes) => {
  const template = `Parameters:
  Name: { Type: String, Default: main }
Resources:
  Main:
    Type: AWS::EKS::Cluster
    Properties:
      Version: "1.35"
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
  Group:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Main
      NodegroupName: ${name}
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
`;
  const [advice, ...more] = advised({ 'template.yaml': template }, 'imds-hop-limit');
  expect([advice?.outcome, advice?.why, more]).toEqual(['works', undefined, []]);
  expect(advice?.finding.fixCode).toContain(`logical id:\nNodegroupName: ${becomes} # the new group`);
});

it('in the call of a module: words name each input, and what they say is clean', () => {
  const call = (settings: string): string => `module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "~> 20.10"
  cluster_name    = "main"
  cluster_version = "1.32"
  eks_managed_node_groups = {
    one = {
      ami_type = "AL2_x86_64"
${settings}
    }
  }
}
resource "aws_security_group" "remote" {}
resource "aws_security_group" "ssh" {}
`;
  const before = `      use_custom_launch_template = false
      disk_size                  = 50
      remote_access = {
        ec2_ssh_key               = "key"
        source_security_group_ids = [aws_security_group.remote.id]
      }`;
  const [advice] = advised({ 'main.tf': call(before) }, 'imds-v1');
  const words = [...(advice?.finding.fix ?? '').matchAll(/`(\w+ = [^`]+)`/g)].map(([, word = '']) => word);
  expect(words).toHaveLength(3);
  expect(words[1]).toContain('volume_size = 50');
  const after = [...words, 'vpc_security_group_ids = [aws_security_group.ssh.id]'].join('\n');
  expect(advised({ 'main.tf': call(after) }, 'imds-v1')).toEqual([]);
});

it.each([
  ['DependsOn: Group', 'Value: !Ref Group'],
  ['DependsOn: [Main, Group]', 'Value: !Sub "${Group.Arn}"'],
  ['DependsOn: Main', 'Value: !GetAtt Group.Arn'],
])('in a template: what names the group names the new one then: %s, %s', (depends, value) => {
  const template = `Resources:
  Main:
    Type: AWS::EKS::Cluster
    Properties:
      Version: "1.35"
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
  Group:
    Type: AWS::EKS::Nodegroup
    DependsOn: Main
    Properties:
      ClusterName: !Ref Main
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
  CoreDns:
    Type: AWS::EKS::Addon
    ${depends}
    Properties: { AddonName: coredns, ClusterName: !Ref Main }
Outputs:
  Nodes:
    ${value}
`;
  const [advice] = advised({ 'nodes.yaml': template }, 'imds-hop-limit');
  const names = depends.endsWith('Main') ? 'output Nodes' : 'CoreDns and output Nodes';
  expect(advice?.finding.fixCode).toContain(`logical id (also where ${names} name it):`);
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
  expect(advice?.pasted?.after.replaceAll('GroupAnew', '')).not.toMatch(/\bGroup\b/);
});
