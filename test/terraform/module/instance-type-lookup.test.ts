import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { instancesOf } from '../../rules/terraform/front-ends';
import { findingsIn } from '../instances';

const ARM = 'AL2023_ARM_64_STANDARD';
const X86 = 'AL2023_x86_64_STANDARD';

/** What is said of a group whose AMI type follows from what is looked up of an instance type. */
function findings(variable: string, amiType: string): string[] {
  const text = `
variable "node_type" {
  type = string
  ${variable}
}
data "aws_ec2_instance_type" "this" {
  instance_type = var.node_type
}
resource "aws_eks_node_group" "nodes" {
  cluster_name    = "main"
  node_group_name = "nodes"
  node_role_arn   = "arn:aws:iam::111122223333:role/node"
  subnet_ids      = ["subnet-0a"]
  instance_types  = [var.node_type]
  ami_type        = ${amiType}
}`;
  return findingsIn(readInstances(instancesOf(hclFile(text, 'main.tf')))).filter((finding) =>
    finding.startsWith('ami-type-architecture'),
  );
}

const CONTAINS = `contains(data.aws_ec2_instance_type.this.supported_architectures, "arm64") ? "${ARM}" : "${X86}"`;
const FIRST = `data.aws_ec2_instance_type.this.supported_architectures[0] == "x86_64" ? "${X86}" : "${ARM}"`;
const WRONG_WAY = `contains(data.aws_ec2_instance_type.this.supported_architectures, "arm64") ? "${X86}" : "${ARM}"`;

it.each(['t3.small', 't2.small', 'm7g.large'])('an AMI type that is chosen by the architectures of %s fits', (type) => {
  expect(findings(`default = "${type}"`, CONTAINS)).toEqual([]);
});

it('an AMI type that is chosen by the first architecture fits', () => {
  expect(findings('default = "m7i.large"', FIRST)).toEqual([]);
  expect(findings('default = "m7g.large"', FIRST)).toEqual([]);
});

it('EC2 lists the 32-bit architecture of t2 first', () => {
  expect(findings('default = "t2.small"', FIRST)).toEqual(['ami-type-architecture fail error']);
});

it('the wrong one of two is told', () => {
  expect(findings('default = "m7g.large"', WRONG_WAY)).toEqual(['ami-type-architecture fail error']);
  expect(findings('default = "m7i.large"', WRONG_WAY)).toEqual(['ami-type-architecture fail error']);
});

it.each(['', 'default = "m99q.large"'])(
  'what is looked up of a type that is not known decides nothing (%p)',
  (variable) => {
    expect(findings(variable, CONTAINS)).toEqual(['ami-type-architecture unverifiable info']);
  },
);
