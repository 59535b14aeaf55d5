import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths } from '../../../lib/check';
import { fixFiles } from '../../../lib/fixes/run';
import { workspace } from '../../cli/workspace';
import { withLines } from '../../fixes/obeyed/by-lines';

/* User data in files as people write them, and what becomes of it when the lines that a finding shows are pasted where it says. */

export interface Nodes {
  readonly amiType: string;
  /** Path of the public parameter of an AMI. @default - EKS brings AMI and bootstrap */
  readonly image?: string;
  /** Settings of the network of the cluster. @default - a service range of its own */
  readonly network?: 'ipv6' | 'default';
  /** @default '1.32' */
  readonly version?: string;
}

const indented = (lines: readonly string[], by: string): string =>
  lines.map((line) => (line === '' ? '' : by + line)).join('\n');

/** `${NAME}` in the lines is something that each language fills in. */
export const WRITINGS: Readonly<Record<string, (lines: readonly string[], nodes: Nodes) => string>> = {
  'template.yaml': (lines, { amiType, image, network, version = '1.32' }) => `Resources:
  Main:
    Type: AWS::EKS::Cluster
    Properties:
      Version: '${version}'
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
      UpgradePolicy: { SupportType: STANDARD }
${network === undefined ? '      KubernetesNetworkConfig: { ServiceIpv4Cidr: 10.96.0.0/16 }\n' : network === 'ipv6' ? '      KubernetesNetworkConfig: { IpFamily: ipv6 }\n' : ''}  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
${image === undefined ? '' : `        ImageId: '{{resolve:ssm:${image}}}'\n`}        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
        UserData:
          Fn::Base64: !Sub |
${indented(lines, '            ').replaceAll('${NAME}', '${AWS::StackName}').replaceAll('${CLUSTER}', '${Main}')}
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Main
${image === undefined ? `      AmiType: ${amiType}\n` : ''}      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1, subnet-2]
      LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber }
`,
  'main.tf': (lines, { amiType, image, network, version = '1.32' }) => `variable "name" {}

resource "aws_eks_cluster" "main" {
  name     = "prod"
  version  = "${version}"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config {
    subnet_ids = ["subnet-1", "subnet-2"]
  }
  upgrade_policy {
    support_type = "STANDARD"
  }
${network === undefined ? '  kubernetes_network_config {\n    service_ipv4_cidr = "10.96.0.0/16"\n  }\n' : network === 'ipv6' ? '  kubernetes_network_config {\n    ip_family = "ipv6"\n  }\n' : ''}}

${image === undefined ? '' : `data "aws_ssm_parameter" "ami" {\n  name = "${image}"\n}\n\n`}resource "aws_launch_template" "nodes" {
${image === undefined ? '' : '  image_id = data.aws_ssm_parameter.ami.value\n'}  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(<<-EOT
${indented(lines, '    ').replaceAll('${NAME}', '${var.name}').replaceAll('${CLUSTER}', '${aws_eks_cluster.main.name}')}
  EOT
  )
}

resource "aws_eks_node_group" "nodes" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids    = ["subnet-1", "subnet-2"]
${image === undefined ? `  ami_type      = "${amiType}"\n` : ''}  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
  scaling_config {
    desired_size = 1
    max_size     = 2
    min_size     = 1
  }
}
`,
};

const folder = workspace({});

/** Rules about what these files leave out for brevity, or have for good. */
const SCENERY = new Set([
  'cluster-version-support',
  'cluster-support-type',
  'ami-type-kubernetes-version',
  'windows-node-prerequisites',
  'vpc-cni-windows-ipam',
  'cluster-network-addons',
]);

/** What errors and warnings a file has. */
export function problemsIn(file: string): readonly string[] {
  return checkPaths([file])
    .findings.filter(({ severity, rule }) => severity !== 'info' && !SCENERY.has(rule))
    .map(({ rule, message }) => `${rule}: ${message}`);
}

/** A file as a text; what a rule shows of it put right, and what `--fix --unsafe` makes of it, which has to be the same. */
export async function putRight(
  name: string,
  before: string,
  rule: string,
): Promise<{ readonly message: string; readonly after: string | undefined; readonly left: readonly string[] }> {
  const file = join(folder, name);
  writeFileSync(file, before);
  const result = checkPaths([file]);
  const found = result.findings.filter((one) => one.rule === rule && one.verdict === 'fail');
  if (found.length !== 1)
    throw new Error(
      `${found.length} findings of ${rule}, but ${result.findings
        .filter((one) => one.severity !== 'info')
        .map((one) => `${one.rule}: ${one.message}`)
        .join('\n')}`,
    );
  const after = withLines(before, found[0]?.fixCode ?? '');
  const { files, refused } = await fixFiles(result, {
    check: (texts) => Promise.resolve(checkPaths([file], {}, { texts })),
    isWanted: (one) => one.rule === rule,
    isUnsafe: true,
    isDryRun: true,
    write: () => Promise.reject(new Error('nothing is written')),
    whyNotWritten: () => undefined,
  });
  expect([files[0]?.after, refused.map(({ reason }) => reason)]).toEqual([after, []]);
  writeFileSync(file, after ?? before);
  const now = checkPaths([file]);
  expect(now.diagnostics).toEqual(result.diagnostics);
  return { message: found[0]?.messageId ?? '', after, left: problemsIn(file) };
}
