// From the sources: constructs of one line are told together, and stacks of a bundle don't lead to the lines of this file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { InstanceType, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Addon, Cluster, DefaultCapacityType, KubernetesVersion } from 'aws-cdk-lib/aws-eks-v2';
import { EksGuardrails } from '../../aspects/aws-cdk';
import { checkIn } from '../cli/in-process';
import { workspace } from '../cli/workspace';
import { synthesize } from './reported';

/*
 * How long reports of big inputs are. A number here only ever gets smaller: whoever makes a report longer finds out, and groups what says the same.
 */

// Where constructs were made is what they are grouped by.
delete process.env.CDK_CONTEXT_JSON;

const GROUPS = [
  ['system', 'm6i.large'],
  ['apps', 'm6i.xlarge'],
  ['data', 'r6i.2xlarge'],
  ['ci', 'c6i.large'],
  ['gpu', 'g5.xlarge'],
] as const;

/** A platform with the defects that a first one mostly has, its groups made by a loop or each by a line of its own. */
function platform(outdir: string, isLoop: boolean): App {
  const app = new App({ outdir });
  const stack = new Stack(app, 'Platform', { env: { account: '123456789012', region: 'eu-west-1' } });
  const cluster = new Cluster(stack, 'Cluster', {
    vpc: Vpc.fromVpcAttributes(stack, 'Vpc', {
      vpcId: 'vpc-0123456789abcdef0',
      availabilityZones: ['eu-west-1a', 'eu-west-1b'],
      privateSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    }),
    vpcSubnets: [{ subnetType: SubnetType.PRIVATE_WITH_EGRESS }],
    version: KubernetesVersion.of('1.33'),
    defaultCapacityType: DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
  });
  const options = (type: string) => ({
    instanceTypes: [new InstanceType(type)],
    diskSize: 100,
    remoteAccess: { sshKeyName: 'ops' },
  });
  if (isLoop) for (const [name, type] of GROUPS) cluster.addNodegroupCapacity(name, options(type));
  else {
    cluster.addNodegroupCapacity('system', options('m6i.large'));
    cluster.addNodegroupCapacity('apps', options('m6i.xlarge'));
    cluster.addNodegroupCapacity('data', options('r6i.2xlarge'));
    cluster.addNodegroupCapacity('ci', options('c6i.large'));
    cluster.addNodegroupCapacity('gpu', options('g5.xlarge'));
  }
  for (const addonName of ['vpc-cni', 'kube-proxy', 'coredns', 'metrics-server'])
    new Addon(stack, addonName, { cluster, addonName });
  return app;
}

describe('a report of many findings', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'report-length-'));
  afterAll(() => {
    rmSync(outdir, { recursive: true });
  });

  it.each([
    ['that a loop makes', true, 100],
    ['of a line each', false, 192],
  ])('of a CDK platform with five node groups %s, in the synthesis', (_, isLoop, most) => {
    const app = platform(outdir, isLoop);
    Validations.of(app).addPlugins(new EksGuardrails());
    const report = (synthesize(app) ?? '').split('\n');
    expect(report.filter((line) => line.includes('Acknowledge with')).length).toBeGreaterThan(8);
    expect(report.length).toBeLessThanOrEqual(most);
  });

  it('of the same platform, in the check of cdk.out', async () => {
    const { stdout } = await checkIn(join(outdir, '..'), [outdir]);
    expect(stdout).toContain('node-group-remote-access');
    expect(stdout.split('\n').length).toBeLessThanOrEqual(100);
  });

  const folder = workspace({ 'main.tf': terraform() });

  it('of a Terraform folder with some sixty findings', async () => {
    const { stdout } = await checkIn(folder, ['.']);
    const [, errors = '0', warnings = '0'] = /^(\d+) errors?, (\d+) warnings?/m.exec(stdout) ?? [];
    expect(Number(errors) + Number(warnings)).toBeGreaterThanOrEqual(55);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(180);
  });
});

function terraform(): string {
  const groups = Array.from({ length: 14 }, (_, index) => {
    const name = `team_${index}`;
    return `resource "aws_eks_node_group" "${name}" {
  cluster_name         = aws_eks_cluster.main.name
  node_role_arn        = aws_iam_role.nodes.arn
  subnet_ids           = ["subnet-0123456789abcdef0"]
  ami_type             = "AL2_x86_64"
  disk_size            = ${50 + index}
  force_update_version = true
  scaling_config {
    min_size     = 1
    desired_size = 2
    max_size     = 4
  }
  remote_access {
    ec2_ssh_key = "ops"
  }
}
`;
  });
  const addons = ['vpc-cni', 'kube-proxy', 'coredns', 'metrics-server'].map(
    (name) => `resource "aws_eks_addon" "${name}" {
  cluster_name = aws_eks_cluster.main.name
  addon_name   = "${name}"
}
`,
  );
  return `resource "aws_eks_cluster" "main" {
  name     = "main"
  version  = "1.33"
  role_arn = "arn:aws:iam::123456789012:role/cluster"
  vpc_config {
    subnet_ids = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
  }
}
resource "aws_iam_role" "nodes" {
  assume_role_policy  = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })
  managed_policy_arns = ["arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy", "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"]
}
${groups.join('')}${addons.join('')}`;
}
