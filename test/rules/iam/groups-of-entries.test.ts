import { checkFiles } from '../../front-ends/kubernetes/manifests';

/* What `access-entry-groups` says of the entries of other front ends than CloudFormation, and what their code has in place of the groups. */

function told(name: string, text: string): readonly { readonly found: string; readonly code: string | undefined }[] {
  return checkFiles({ [name]: text })
    .result.findings.filter(({ rule, verdict }) => rule === 'access-entry-groups' && verdict === 'fail')
    .map(({ messageId, resource, source, severity, fixCode }) => ({
      found: `${severity} ${messageId} ${resource.id} ${source.locate().line}`,
      code: fixCode,
    }));
}

const ARN = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';

const module = (...lines: readonly string[]) =>
  [
    'module "eks" {',
    '  source = "terraform-aws-modules/eks/aws"',
    '  version = "21.19.0"',
    '  name = "main"',
    '  kubernetes_version = "1.34"',
    '  access_entries = {',
    '    ops = {',
    '      principal_arn = "arn:aws:iam::111122223333:role/ops"',
    ...lines.map((line) => `      ${line}`),
    '    }',
    '  }',
    '}',
    '',
  ].join('\n');

const POLICIES = [
  'policy_associations = {',
  '  administration = {',
  `    policy_arn   = "${ARN}"`,
  '    access_scope = { type = "cluster" }',
  '  }',
  '}',
];

describe('an entry of the module', () => {
  const id = 'module.eks.aws_eks_access_entry.this["ops"]';

  it('is told with what its object has instead', () => {
    expect(told('main.tf', module('kubernetes_groups = ["ops"]', ...POLICIES))).toEqual([]);
    const [one, ...others] = told('main.tf', module('kubernetes_groups = ["ops", "system:masters"]'));
    expect(others).toEqual([]);
    expect(one?.found).toBe(`error masters ${id} 9`);
    const code = one?.code ?? '';
    expect(code).toMatch(/^# in module\.eks\.access_entries\["ops"\]:\n/);
    expect(told('main.tf', module(...code.split('\n').slice(1)))).toEqual([]);
    expect(code).toContain(ARN);
  });

  it('keeps the policies that it has: what is in their map is left to the reader', () => {
    expect(told('main.tf', module('kubernetes_groups = ["system:masters"]', ...POLICIES))).toEqual([
      { found: `error masters ${id} 9`, code: undefined },
    ]);
  });

  it('is of nodes by its type', () => {
    const code = '# in module.eks.access_entries["ops"]:\nkubernetes_groups = []\ntype              = "EC2_LINUX"';
    expect(told('main.tf', module('kubernetes_groups = ["system:nodes"]'))).toEqual([
      { found: `error nodes ${id} 9`, code },
    ]);
  });
});

describe('a ClusterConfig', () => {
  const config = (...lines: readonly string[]) =>
    [
      ...['apiVersion: eksctl.io/v1alpha5', 'kind: ClusterConfig', 'metadata:', '  name: shop', '  region: eu-west-1'],
      ...['accessConfig:', '  accessEntries:', '    - principalARN: arn:aws:iam::111122223333:role/ops'],
      ...lines.map((line) => `      ${line}`),
      '',
    ].join('\n');

  it('is told with what its item has instead', () => {
    expect(told('cluster.yaml', config('kubernetesGroups: [ops]'))).toEqual([]);
    const [one] = told('cluster.yaml', config("kubernetesGroups: ['system:masters']"));
    expect(one?.found).toBe('error masters arn:aws:iam::111122223333:role/ops 9');
    const lines = (one?.code ?? '').split('\n');
    expect(lines).toContain(`  - policyARN: ${ARN}`);
    expect(told('cluster.yaml', config(...lines.filter((line) => !line.startsWith('#'))))).toEqual([]);
  });

  it('has another finding for groups of an entry of nodes, which eksctl refuses itself', () => {
    expect(told('cluster.yaml', config('type: EC2_LINUX', "kubernetesGroups: ['system:nodes']"))).toEqual([]);
  });
});

test.each([
  [
    'Crossplane',
    (group: string) =>
      `apiVersion: eks.aws.upbound.io/v1beta1\nkind: AccessEntry\nmetadata: { name: ops }\nspec:\n  forProvider:\n    region: eu-west-1\n    clusterName: main\n    principalArn: arn:aws:iam::111122223333:role/ops\n    kubernetesGroups: ["${group}"]\n`,
    9,
  ],
  [
    'AWS Controllers for Kubernetes',
    (group: string) =>
      `apiVersion: eks.services.k8s.aws/v1alpha1\nkind: AccessEntry\nmetadata: { name: ops }\nspec:\n  clusterName: main\n  principalARN: arn:aws:iam::111122223333:role/ops\n  kubernetesGroups: ["${group}"]\n`,
    7,
  ],
])('an object of %s', (_, object, line) => {
  expect(told('access.yaml', object('ops'))).toEqual([]);
  expect(told('access.yaml', object('system:masters')).map(({ found }) => found)).toEqual([
    `error masters ops ${line}`,
  ]);
});

test('Terraform associates the policy beside the entry, and keeps other groups', () => {
  const [one] = told(
    'main.tf',
    'resource "aws_eks_access_entry" "ops" {\n  cluster_name = "main"\n  principal_arn = "arn:aws:iam::111122223333:role/ops"\n  kubernetes_groups = ["system:masters", "ops"]\n}\n',
  );
  expect(one?.found).toBe('error masters aws_eks_access_entry.ops 4');
  expect(one?.code).toContain('kubernetes_groups = ["ops"]');
  expect(one?.code).toContain('principal_arn = aws_eks_access_entry.ops.principal_arn');
});

it('groups that EKS itself has given to an entry for nodes are no mistake in a state', () => {
  const state = (type: string) =>
    JSON.stringify({
      format_version: '1.0',
      terraform_version: '1.9.0',
      values: {
        root_module: {
          resources: [
            {
              address: 'aws_eks_access_entry.nodes',
              mode: 'managed',
              type: 'aws_eks_access_entry',
              name: 'nodes',
              provider_name: 'registry.terraform.io/hashicorp/aws',
              schema_version: 0,
              values: {
                access_entry_arn: 'arn:aws:eks:eu-west-1:111122223333:access-entry/main/role/111122223333/nodes/1',
                cluster_name: 'main',
                kubernetes_groups: ['system:nodes'],
                principal_arn: 'arn:aws:iam::111122223333:role/nodes',
                type,
              },
            },
          ],
        },
      },
    });
  expect(told('state.json', state('EC2_LINUX'))).toEqual([]);
  expect(told('state.json', state('STANDARD')).map(({ found }) => found)).toEqual([
    'error nodes aws_eks_access_entry.nodes 1',
  ]);
});
