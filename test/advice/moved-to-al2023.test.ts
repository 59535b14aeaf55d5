import { inJson } from '../rules/obeyed/template';
import { advised } from './advised';

/* Nodes of Amazon Linux 2 whose AMI and user data become those of Amazon Linux 2023, obeyed as the advice is printed. */

const IMAGE = (system: string): string =>
  `{{resolve:ssm:/aws/service/eks/optimized-ami/1.32/${system}/recommended/image_id}}`;

const template = (system: string, userData: string, network = ''): string => `Resources:
  Cluster:
    Type: AWS::EKS::Cluster
    Properties:
      Name: shop
      Version: "1.32"
      RoleArn: arn:aws:iam::111122223333:role/cluster
      ResourcesVpcConfig: { SubnetIds: [subnet-1, subnet-2] }
${network}  Nodes:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        ImageId: "${IMAGE(system)}"
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
        UserData:
          Fn::Base64: ${userData}
  Group:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref Cluster
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1]
      LaunchTemplate: { Id: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }
`;

const OWN_RANGE = '      KubernetesNetworkConfig: { ServiceIpv4Cidr: 10.96.0.0/16 }\n';

const SCRIPT = (name: string): string => `
            #!/bin/bash
            echo $\{HOME} ${name}
            /etc/eks/bootstrap.sh shop --kubelet-extra-args '--node-labels=team=shop'
            yum install -y htop`;

const FILLED = `!Sub |${SCRIPT('${AWS::StackName}').replace('$\\{HOME}', '')}`;
const PLAIN = `|${SCRIPT('').replace('\\', '')}`;
const JOINED = `{ "Fn::Join": ["", ["#!/bin/bash\\n/etc/eks/bootstrap.sh ", { Ref: Cluster }, "\\necho done\\n"]] }`;
const AL2023 = 'amazon-linux-2023/x86_64/standard';

function outcomesOf(files: Readonly<Record<string, string>>, rule: string) {
  return advised(files, rule).map(({ outcome, why, finding }) => [outcome, why, finding.fixCode ?? ''] as const);
}

describe('user data with bootstrap.sh', () => {
  it.each([
    ['that fills in nothing', PLAIN, '    echo ${!HOME} '],
    ['in pieces', JOINED, '    echo done'],
  ])('of a template %s becomes a NodeConfig with the service range to look up', (_, userData, kept) => {
    const yaml = template(AL2023, userData);
    for (const [name, text] of [
      ['template.yaml', yaml],
      ['template.json', inJson(yaml)],
    ] as const) {
      const [[outcome, why, code] = [], ...more] = outcomesOf({ [name]: text }, 'user-data-ami-family');
      expect([outcome, why, more]).toEqual(['works', undefined, []]);
      expect(code).toContain('serviceIpv4Cidr');
      if (name === 'template.yaml') expect(code?.split('\n')).toContain(kept);
    }
  });

  it('is lines of the template where these fill in what is needed, and the range is known', () => {
    const [[outcome, why, code] = []] = outcomesOf(
      { 'template.yaml': template(AL2023, FILLED, OWN_RANGE) },
      'user-data-ami-family',
    );
    expect([outcome, why]).toEqual(['works', undefined]);
    expect(code).toMatch(/^# in place of lines \d+ to \d+ of /);
    expect(code).toContain('cidr: "10.96.0.0/16"\n');
  });

  it('takes the range of IPv6 from the cluster', () => {
    const network = '      KubernetesNetworkConfig: { IpFamily: ipv6 }\n';
    const [[outcome, , code] = []] = outcomesOf(
      { 'template.yaml': template(AL2023, PLAIN, network) },
      'user-data-ami-family',
    );
    expect(outcome).toBe('works');
    expect(code).toContain('cidr: "${Cluster.KubernetesNetworkConfig.ServiceIpv6Cidr}"\n');
  });
});

describe('an AMI of Amazon Linux 2', () => {
  it.each([
    ['all of it', PLAIN, ''],
    ['lines', FILLED, OWN_RANGE],
  ])('of a template changes with the user data: %s', (_, userData, network) => {
    const yaml = template('amazon-linux-2', userData, network);
    const [[outcome, why, code] = [], ...more] = outcomesOf({ 'template.yaml': yaml }, 'ami-type-kubernetes-version');
    expect([outcome, why, more]).toEqual(['works', undefined, []]);
    expect(code).toContain(`\nImageId: "${IMAGE(AL2023)}"`);
  });

  it('of a parameter becomes its default, with the drivers of GPUs', () => {
    const parameter = `Parameters:
  Image:
    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>
    Default: ${IMAGE('amazon-linux-2-gpu').slice('{{resolve:ssm:'.length, -2)}
`;
    const yaml = (parameter + template('amazon-linux-2-gpu', PLAIN)).replace(/ImageId: .*/, 'ImageId: !Ref Image');
    const [[outcome, why, code] = []] = outcomesOf({ 'template.yaml': yaml }, 'ami-type-kubernetes-version');
    expect([outcome, why]).toEqual(['works', undefined]);
    expect(code).toContain(
      `\nDefault: ${IMAGE('amazon-linux-2023/x86_64/nvidia').slice('{{resolve:ssm:'.length, -2)} #`,
    );
  });

  it.each([
    ['${ClusterName} ${BootstrapArguments}', 'works'],
    ['shop ${BootstrapArguments}', 'works'],
    ['${ClusterName} ${One} ${Other}', 'prose'],
    ['${One} ${Other}', 'prose'],
  ])(
    'of a template without the cluster gets parameters for what its nodes are told: bootstrap.sh %s',
    (words, expected) => {
      const yaml = `Parameters:
  ClusterName: { Type: String }
  BootstrapArguments: { Type: String, Default: "" }
  One: { Type: String }
  Other: { Type: String }
  NodeImageId: { Type: String, Default: "" }
  Image:
    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>
    Default: /aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id
Conditions:
  HasImage: !Not [!Equals [!Ref NodeImageId, ""]]
Resources:
  Nodes:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        ImageId: !If [HasImage, !Ref NodeImageId, !Ref Image]
        InstanceType: m5.large
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
        UserData:
          Fn::Base64: !Sub |
            #!/bin/bash
            /etc/eks/bootstrap.sh ${words}
            echo \${AWS::StackName}
  Group:
    Type: AWS::AutoScaling::AutoScalingGroup
    Properties:
      LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }
      MaxSize: "2"
      MinSize: "1"
      Tags: [{ Key: !Sub "kubernetes.io/cluster/\${ClusterName}", Value: owned, PropagateAtLaunch: true }]
`;
      for (const [name, text] of [
        ['template.yaml', yaml],
        ['template.json', inJson(yaml)],
      ] as const) {
        const [[outcome, why, code] = []] = outcomesOf({ [name]: text }, 'ami-type-kubernetes-version');
        expect([name, outcome, why]).toEqual([name, expected, undefined]);
        if (expected === 'prose' || name !== 'template.yaml') continue;
        expect(code).toContain(
          'ServiceCidr: { Type: String } # kubernetesNetworkConfig.serviceIpv4Cidr of describe-cluster',
        );
        expect(code).toContain('# what BootstrapArguments gave to bootstrap.sh for kubelet goes here');
        expect(code).toContain('\nDefault: /aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/standard/');
      }
    },
  );

  it.each([
    ['version', '${aws_eks_cluster.main.version}', '${aws_eks_cluster.main.version}'],
    ['number', '1.32', '1.32'],
  ])('of Terraform is looked up beside the lines of the script, by the %s of the cluster', (_, version, becomes) => {
    const main = `resource "aws_eks_cluster" "main" {
  name     = "shop"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  version  = "1.32"
}
data "aws_ssm_parameter" "ami" {
  name = "/aws/service/eks/optimized-ami/${version}/amazon-linux-2/recommended/image_id"
}
resource "aws_launch_template" "nodes" {
  user_data = base64encode(<<-EOT
    #!/bin/bash
    /etc/eks/bootstrap.sh \${aws_eks_cluster.main.name}
    yum install -y htop
  EOT
  )
  image_id = data.aws_ssm_parameter.ami.value
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
}
resource "aws_eks_node_group" "main" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
}
`;
    const [[outcome, why, code] = [], ...more] = outcomesOf({ 'main.tf': main }, 'ami-type-kubernetes-version');
    expect([outcome, why, more]).toEqual(['works', undefined, []]);
    expect(code).toContain(`\n# in aws_launch_template.nodes:\nimage_id = data.aws_ssm_parameter.nodes.value\n`);
    expect(code).toContain(`/optimized-ami/${becomes}/amazon-linux-2023/x86_64/standard/`);
  });

  it('stays words where the user data has a call that decides more than can be told', () => {
    const yaml = template('amazon-linux-2', PLAIN.replace('bootstrap.sh shop', 'bootstrap.sh shop $(cat /options)'));
    expect(outcomesOf({ 'template.yaml': yaml }, 'ami-type-kubernetes-version').map(([outcome]) => outcome)).toEqual([
      'prose',
    ]);
  });
});

describe('a newer version of the cluster', () => {
  it('takes the AMI of a launch template with it, and the user data where there is none of Amazon Linux 2', () => {
    for (const [system, becomes] of [
      ['amazon-linux-2', 'amazon-linux-2023/x86_64/standard'],
      ['amazon-linux-2023/arm64/standard', 'amazon-linux-2023/arm64/standard'],
    ] as const) {
      const userData = system === 'amazon-linux-2' ? FILLED : '!Sub "${AWS::StackName}"';
      const yaml = template(system, userData, OWN_RANGE).replaceAll('1.32', '1.29');
      const [[outcome, why, code] = []] = outcomesOf({ 'template.yaml': yaml }, 'cluster-version-support');
      expect([system, outcome, why]).toEqual([system, 'works', undefined]);
      expect(code).toContain(
        `# in the LaunchTemplateData of Nodes:\nImageId: "${IMAGE(becomes).replace('1.32', '1.36')}"`,
      );
      expect(code?.includes('kind: "NodeConfig"')).toBe(system === 'amazon-linux-2');
    }
  });

  it('leaves an AMI of Amazon Linux 2023 alone that follows the version of the cluster', () => {
    const yaml = `Parameters:\n  V: { Type: String, Default: "1.29" }\n${template(AL2023, '!Sub "${AWS::StackName}"')}`
      .replace('Version: "1.32"', 'Version: !Ref V')
      .replace(/ImageId: .*/, `ImageId: !Sub "${IMAGE(AL2023).replace('1.32', '${V}')}"`);
    const [[, , code] = []] = outcomesOf({ 'template.yaml': yaml }, 'cluster-version-support');
    expect(code).not.toContain('ImageId');
  });
});

describe('groups of AL2 beside a newer version of the cluster', () => {
  it('get the AMI type of Amazon Linux 2023 in Terraform, with a launch template where they have none', () => {
    const files = {
      'main.tf': `resource "aws_eks_cluster" "main" {
  name     = "shop"
  role_arn = "r"
  version  = "1.29"
}
module "nodes" {
  source  = "./nodes"
  cluster = aws_eks_cluster.main.name
  type    = "AL2_x86_64"
}
`,
      'nodes/main.tf': `variable "cluster" {}
variable "type" {}
resource "aws_eks_node_group" "main" {
  cluster_name  = var.cluster
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
  ami_type      = var.type
  disk_size     = 30
}
`,
    };
    const [[outcome, why, code] = []] = outcomesOf(files, 'cluster-version-support');
    expect([outcome, why]).toEqual(['works', undefined]);
    expect(code).toMatch(/\n# beside aws_eks_node_group\.main, \S*nodes\/main\.tf:3:\nresource "aws_launch_template"/);
  });

  const groups = (count: number, type: string, own: string): string =>
    ['a', 'b', 'c', 'd', 'e', 'f', 'g']
      .slice(0, count)
      .map(
        (name) => `resource "aws_launch_template" "${name}" {
  name = "${name}"
}
resource "aws_eks_node_group" "${name}" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
  ami_type      = ${type}
${own.replaceAll('NAME', name)}}
`,
      )
      .join('');
  const cluster = (version: string): string =>
    `resource "aws_eks_cluster" "main" {\n  name     = "shop"\n  role_arn = "r"\n${version}}\n`;
  const ownTemplate = '  launch_template {\n    id = aws_launch_template.NAME.id\n    version = "1"\n  }\n';

  it('are changed together where a few of them have templates of their own, and are named where they are more', () => {
    const version = '  version  = "1.29"\n';
    for (const count of [3, 6]) {
      const [[outcome, why] = []] = outcomesOf(
        { 'main.tf': cluster(version) + groups(count, '"AL2_x86_64"', ownTemplate) },
        'cluster-version-support',
      );
      expect([count, outcome, why]).toEqual([count, 'works', undefined]);
    }
    const [many] = advised(
      { 'main.tf': cluster(version) + groups(7, '"AL2_x86_64"', ownTemplate) },
      'cluster-version-support',
    );
    expect(many?.finding.fixCode).not.toContain('ami_type');
    expect(many?.finding.fix).toContain(
      'Node groups "aws_eks_node_group.a", "aws_eks_node_group.b", "aws_eks_node_group.c" and 4 more can\'t stay with Amazon Linux 2',
    );
  });

  it('that have their type from one variable change together, with a launch template each', () => {
    const files = {
      'main.tf': cluster('') + groups(2, 'var.type', '  disk_size = 50\n'),
      'variables.tf': 'variable "type" {\n  default = "AL2_x86_64"\n}\n',
    };
    for (const rule of ['ami-type-kubernetes-version', 'imds-v1', 'cluster-version-pinned']) {
      const all = outcomesOf(files, rule);
      expect([rule, all.map(([outcome, why]) => [outcome, why])]).toEqual([rule, all.map(() => ['works', undefined])]);
    }
    const [[, , code] = []] = outcomesOf(files, 'ami-type-kubernetes-version');
    expect(code?.match(/^resource "aws_launch_template" "\w+"/gm)).toEqual([
      'resource "aws_launch_template" "nodes"',
      'resource "aws_launch_template" "b_2"',
    ]);
    expect(code?.match(/AL2023_x86_64_STANDARD/g)).toHaveLength(1);
  });

  it('make room for another group in a template', () => {
    const yaml = template(AL2023, PLAIN)
      .replaceAll('1.32', '1.29')
      .replace(/ {2}Nodes:[^]*(?= {2}Group:)/, '')
      .replace(/LaunchTemplate: .*/, 'AmiType: AL2_x86_64\n      NodegroupName: workers');
    const [[outcome, why, code] = []] = outcomesOf({ 'template.yaml': yaml }, 'cluster-version-support');
    expect([outcome, why]).toEqual(['works', undefined]);
    expect(code).toMatch(/\n# in the Resources of \S+:\nGroupTemplate:\n/);
    expect(code).toContain('takes the place of Group, under another logical id:\nNodegroupName: "workers-2"');
  });
});

it.each([
  ['AL2_x86_64', '1.32', 'ami-type-kubernetes-version'],
  ['AL2_x86_64', '1.32', 'cluster-version-support'],
])('user data whose parts have no empty line below their headers gets one: %s on %s by %s', (type, version, rule) => {
  const files = {
    'main.tf': `resource "aws_eks_cluster" "main" {
  name     = "main"
  role_arn = "r"
  version  = "${version}"
}
resource "aws_launch_template" "nodes" {
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(<<-EOF
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="//"

    --//
    Content-Type: text/x-shellscript; charset="us-ascii"
    #!/bin/bash
    yum install -y amazon-efs-utils
    --//--
  EOF
  )
}
resource "aws_eks_node_group" "main" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
  ami_type      = "${type}"
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
}
`,
  };
  const [advice] = advised(files, rule);
  expect(advice?.finding.fixCode).toMatch(/# in place of line \d+ of \S+:\n/);
  expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
});

it.each(['', '\n'])(
  'a script in parts without empty lines becomes a NodeConfig beside it, in parts that nodeadm reads',
  (blank) => {
    const files = {
      'main.tf': `resource "aws_eks_cluster" "main" {
  name     = "main"
  role_arn = "r"
  version  = "1.31"
}
data "aws_ssm_parameter" "al2" {
  name = "/aws/service/eks/optimized-ami/\${aws_eks_cluster.main.version}/amazon-linux-2/recommended/image_id"
}
locals {
  script = <<EOF
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="==B=="
${blank}--==B==
Content-Type: text/x-shellscript; charset="us-ascii"
#!/bin/bash -xe
/etc/eks/bootstrap.sh \${aws_eks_cluster.main.name}
yum install -y amazon-ssm-agent
--==B==--
EOF
}
resource "aws_launch_template" "nodes" {
  image_id = data.aws_ssm_parameter.al2.value
  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 2
  }
  user_data = base64encode(local.script)
}
resource "aws_eks_node_group" "main" {
  cluster_name  = aws_eks_cluster.main.name
  node_role_arn = "r"
  subnet_ids    = ["subnet-1"]
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
}
`,
    };
    const [advice] = advised(files, 'cluster-version-support');
    expect([advice?.outcome, advice?.why]).toEqual(['works', undefined]);
    expect(advice?.pasted?.after).toMatch(
      /boundary="==B=="\n\n--==B==\nContent-Type: application\/node\.eks\.aws\n\n[^]*Content-Type: text\/x-shellscript; charset="us-ascii"\n\n#!/,
    );
  },
);
