import { checkFiles } from '../../front-ends/kubernetes/manifests';
import { plan } from '../plan-templates';

/** What `vpc-cni-role-missing` says of add-ons that bring a role too late, in Terraform. */
function told(files: Readonly<Record<string, string>>): readonly string[] {
  return checkFiles(files)
    .result.findings.filter(({ rule, messageId }) => rule === 'vpc-cni-role-missing' && messageId === 'late')
    .map(({ severity, resource, fix }) => `${severity} ${resource.id}: ${fix}`);
}

const moduleCall = (version: string, addon: string, attach = 'false') => ({
  'main.tf': `module "eks" {
  source          = "terraform-aws-modules/eks/aws"
  version         = "${version}"
  cluster_name    = "main"
  cluster_version = "1.33"
  vpc_id          = "vpc-1"
  subnet_ids      = ["subnet-1", "subnet-2"]
  cluster_addons = {
    vpc-cni = {
      service_account_role_arn = "arn:aws:iam::111122223333:role/cni"
      ${addon}
    }
  }
  eks_managed_node_groups = {
    workers = {
      desired_size               = 2
      iam_role_attach_cni_policy = ${attach}
    }
  }
}
`,
});

describe('an add-on of terraform-aws-modules/eks with a role, and nodes without the policy', () => {
  const ADDRESS = 'module.eks.aws_eks_addon.this["vpc-cni"]';

  test('before 19.9, where nothing makes it come first', () => {
    expect(told(moduleCall('19.5.1', ''))).toEqual([
      expect.stringMatching(
        /^warning module\.eks\.aws_eks_addon\.this\["vpc-cni"\]: Attach `AmazonEKS_CNI_Policy` .* From 19\.9 on/,
      ),
    ]);
  });

  test('from 19.9 on, where that is a setting', () => {
    expect(told(moduleCall('19.21.0', ''))).toEqual([
      `warning ${ADDRESS}: Create the add-on before the nodes, by \`before_compute = true\`, and not after them. Or attach \`AmazonEKS_CNI_Policy\` (IPv4) to the role of the nodes, too.`,
    ]);
    expect(told(moduleCall('19.21.0', 'before_compute = true'))).toEqual([]);
  });

  test('with the policy nothing is late, and where the version is open nothing is sure', () => {
    expect(told(moduleCall('19.5.1', '', 'true'))).toEqual([]);
    expect(told(moduleCall('19.5.1', '', 'null'))).toEqual([]);
    expect(told(moduleCall('>= 19.0', 'before_compute = true'))).toEqual([]);
  });
});

test('a plan that creates the cluster fails for sure', () => {
  const trust = JSON.stringify({
    Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  });
  const planned = (when: 'after' | 'before') => {
    const json = JSON.parse(
      plan(
        `aws_eks_cluster.main:\n  ${when}: { name: main, version: '1.33' }`,
        `aws_iam_role.nodes:\n  ${when}: { name: nodes, assume_role_policy: '${trust}' }`,
        'aws_eks_node_group.workers:\n  after: { cluster_name: main, node_group_name: workers, node_role_arn: arn:aws:iam::111122223333:role/nodes, scaling_config: [{ desired_size: 2, max_size: 3, min_size: 1 }] }\n  given: { node_role_arn: [aws_iam_role.nodes.arn, aws_iam_role.nodes] }',
        'aws_eks_addon.cni:\n  after: { cluster_name: main, addon_name: vpc-cni, service_account_role_arn: arn:aws:iam::111122223333:role/cni }',
      ),
    ) as { configuration: { root_module: { resources: { address: string; depends_on?: readonly string[] }[] } } };
    const addon = json.configuration.root_module.resources.find(({ address }) => address === 'aws_eks_addon.cni');
    if (addon !== undefined) addon.depends_on = ['aws_eks_node_group.workers'];
    return { 'plan.json': JSON.stringify(json) };
  };
  expect(told(planned('after'))).toEqual([
    expect.stringMatching(/^error aws_eks_addon\.cni: Create the add-on before/),
  ]);
  expect(told(planned('before'))).toEqual([]);
});
