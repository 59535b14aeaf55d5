import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPaths, checkTemplates, type CheckResult } from '../../lib/check';

/** What a check says of the hop limit and of suppressions, and of the input. */
function told({ findings, diagnostics }: CheckResult, root = ''): string[] {
  const shown = (file: string) => file.replace(root, '').replace(/^\//, '');
  return [
    ...findings.flatMap(({ rule, verdict, resource, source, suppressed }) => {
      if (verdict !== 'fail' || !(rule.startsWith('imds') || rule.startsWith('suppression'))) return [];
      const { file, line } = source.locate();
      return [
        `${rule} ${resource.id} ${shown(file)}:${line}${suppressed === undefined ? '' : ` accepted: ${suppressed.reason}${suppressed.until === undefined ? '' : ` until ${suppressed.until}`}`}`,
      ];
    }),
    ...diagnostics.map(
      ({ severity, message, file, line, column }) =>
        `${severity} ${shown(file)}:${line}:${column} ${message.split(',', 1).join()}`,
    ),
  ].sort();
}

function messages({ findings }: CheckResult): string[] {
  return findings.flatMap(({ rule, message }) => (rule.startsWith('suppression') ? [message] : []));
}

describe('comments of a template', () => {
  const template = (marks: Readonly<Record<string, string>>) =>
    [
      'head',
      'Resources:',
      '  Workers:',
      '    Type: AWS::EKS::Nodegroup',
      '    Properties:',
      '      ClusterName: main',
      '      Subnets: [subnet-1, subnet-2]',
      '      NodeRole: arn:aws:iam::111122223333:role/nodes',
      '      AmiType: AL2023_x86_64_STANDARD',
      '      LaunchTemplate: { Id: !Ref NodeTemplate, Version: !GetAtt NodeTemplate.LatestVersionNumber }',
      'resource',
      '  NodeTemplate: <name>',
      '    <type>',
      '    Type: AWS::EC2::LaunchTemplate',
      '    Properties:',
      '      LaunchTemplateData:',
      'options',
      '        MetadataOptions:',
      '          HttpTokens: required <tokens>',
      '          HttpPutResponseHopLimit: 1 <limit>',
      'tail',
    ]
      .map((line) => line.replace(/<(\w+)>/, (_, name: string) => marks[name] ?? ''))
      .flatMap((line) =>
        /^(?:head|resource|options|tail)$/.test(line)
          ? marks[line] === undefined
            ? []
            : [marks[line]]
          : line.trim() === ''
            ? []
            : [line],
      )
      .join('\n') + '\n';
  const check = (marks: Readonly<Record<string, string>>) =>
    checkTemplates([{ file: 'nodes.yaml', text: template(marks) }]);
  const ignore = (reason = 'meant', rules = 'imds-hop-limit') =>
    `# eks-guardrails:ignore ${rules}${reason === '' ? '' : ` -- ${reason}`}`;

  it('have a finding to cover', () => {
    expect(told(check({}))).toEqual(['imds-hop-limit NodeTemplate nodes.yaml:16']);
  });

  it.each([
    ['above the resource', 'resource', '  '],
    ['behind its name', 'name', ''],
    ['above its type', 'type', ''],
    ['behind the property', 'limit', ''],
  ])('%s cover it', (_, mark, indentation) => {
    expect(told(check({ [mark]: indentation + ignore() })).join()).toMatch(
      /^imds-hop-limit NodeTemplate nodes\.yaml:1[67] accepted: meant$/,
    );
  });

  it('above the property that holds it cover it, with the day on which they end', () => {
    expect(told(check({ options: `        ${ignore('meant (until 2026-11-21)')}` }))).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:17 accepted: meant until 2026-11-21',
    ]);
  });

  it('at another property do not, and say where the finding is', () => {
    const result = check({ tokens: ignore() });
    expect(told(result)).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:16',
      'suppression-unused NodeTemplate nodes.yaml:15',
    ]);
    expect(messages(result)).toEqual([
      'The suppression of imds-hop-limit covers "HttpTokens" in line 15 and matches no finding there; the nearest one is in line 16, which it doesn\'t cover.',
    ]);
  });

  it('at another property name the nearest of several findings in their file, before or behind them', () => {
    const nodes = (id: string, limit: number, mark = '') => [
      `  ${id}:`,
      '    Type: AWS::EC2::LaunchTemplate',
      '    Properties:',
      '      LaunchTemplateData:',
      '        MetadataOptions:',
      `          HttpTokens: required ${mark}`.trimEnd(),
      `          HttpPutResponseHopLimit: ${limit}`,
      `  ${id}Group:`,
      '    Type: AWS::EKS::Nodegroup',
      `    Properties: { ClusterName: main, NodeRole: r, Subnets: [s], AmiType: AL2023_x86_64_STANDARD, LaunchTemplate: { Id: !Ref ${id}, Version: '1' } }`,
    ];
    const nearest = (...resources: readonly string[][]) => {
      const text = ['Resources:', ...resources.flat()].join('\n');
      // Others, nearer in numbers: of another file, and of another rule.
      const elsewhere = ['Resources:', ...'#'.repeat(14).split(''), ...nodes('Elsewhere', 1)].join('\n');
      const result = checkTemplates([
        { file: 'nodes.yaml', text },
        { file: 'elsewhere.yaml', text: elsewhere },
      ]);
      return messages(result).map((message) => /nearest one is in line (\d+)/.exec(message)?.[1]);
    };
    const marked = nodes('Marked', 2, ignore());
    expect(nearest(nodes('A', 1), nodes('B', 1), marked, nodes('C', 2), nodes('D', 1))).toEqual(['18']);
    expect(nearest(nodes('A', 1), nodes('B', 2), marked, nodes('C', 1), nodes('D', 1))).toEqual(['38']);
    expect(nearest(marked)).toEqual([undefined]);
  });

  it('name several rules, each of which has to be of use', () => {
    expect(told(check({ limit: ignore('meant', 'imds-v1, imds-hop-limit') }))).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:16 accepted: meant',
      'suppression-unused NodeTemplate nodes.yaml:16',
    ]);
  });

  it.each([
    ['without a reason', ignore(''), 'suppression-without-reason'],
    ['past their day', ignore('meant (until 2026-11-20)'), 'suppression-expired'],
  ])('%s have no effect', (_, comment, rule) => {
    expect(told(check({ limit: comment }))).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:16',
      `${rule} NodeTemplate nodes.yaml:16`,
    ]);
  });

  it('with their end in the next line have no effect', () => {
    expect(told(check({ resource: `  ${ignore()}\n  # (until 2020-01-01)` }))).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:18',
      'warning nodes.yaml:10:3 this comment ignores nothing',
    ]);
    expect(told(check({ resource: `  ${ignore()}\n  # This one is old.` })).join()).toMatch(/accepted: meant$/);
  });

  it('with an unknown rule say so', () => {
    expect(messages(check({ limit: ignore('meant', 'imds-hop-limits') }))).toEqual([
      expect.stringContaining('did you mean "imds-hop-limit"?'),
    ]);
  });

  it('at nothing, or not as they should be, are told with their place', () => {
    expect(told(check({ head: `${ignore()}\n` }))).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:18',
      'warning nodes.yaml:1:1 this comment stands at no resource',
    ]);
    expect(told(check({ head: ignore() }))).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:17',
      'warning nodes.yaml:1:1 this comment stands at no resource',
    ]);
    expect(told(check({ limit: '# eks-guardrails:skip=imds-hop-limit' }))).toEqual([
      'imds-hop-limit NodeTemplate nodes.yaml:16',
      'warning nodes.yaml:16:38 this comment ignores nothing',
    ]);
  });

  it('at a resource of another kind are of no use', () => {
    const text = `Resources:\n  ${ignore()}\n  Bucket:\n    Type: AWS::S3::Bucket\n`;
    expect(told(checkTemplates([{ file: 'bucket.yaml', text }]))).toEqual([
      'suppression-unused comment at "Bucket" bucket.yaml:2',
    ]);
  });

  it('in a loop cover all that it makes', () => {
    const text = `Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Templates:
    - Name
    - [A, B]
    - Template\${Name}:
        Type: AWS::EC2::LaunchTemplate
        Properties:
          LaunchTemplateData:
            # eks-guardrails:ignore imds-hop-limit -- meant
            MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 1 }
      Group\${Name}:
        Type: AWS::EKS::Nodegroup
        Properties:
          ClusterName: main
          Subnets: [subnet-1]
          NodeRole: arn:aws:iam::111122223333:role/nodes
          AmiType: AL2023_x86_64_STANDARD
          LaunchTemplate: { Id: !Ref "Template\${Name}", Version: "1" }
`;
    const all = told(checkTemplates([{ file: 'loop.yaml', text }]));
    expect(all.filter((one) => one.startsWith('imds'))).toEqual([
      'imds-hop-limit TemplateA loop.yaml:11 accepted: meant',
      'imds-hop-limit TemplateB loop.yaml:11 accepted: meant',
    ]);
    expect(all.filter((one) => one.startsWith('suppression'))).toEqual([]);
  });
});

describe('comments of a Terraform configuration', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });
  let runs = 0;
  function check(
    files: Readonly<Record<string, string>>,
    ...paths: readonly string[]
  ): { all: string[]; result: CheckResult } {
    const folder = join(root, String(runs++));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const result = checkPaths(paths.length === 0 ? [folder] : paths.map((path) => join(folder, path)));
    return { all: told(result, folder), result };
  }

  const group = (count = '') => `resource "aws_eks_node_group" "g" {
${count}  cluster_name  = "main"
  node_role_arn = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids    = ["subnet-1"]
  ami_type      = "AL2023_x86_64_STANDARD"
  launch_template {
    id      = aws_launch_template.x${count === '' ? '' : '[count.index]'}.id
    version = 1
  }
  scaling_config {
    min_size     = 1
    max_size     = 2
    desired_size = 1
  }
}
`;
  const template = ({
    above = '',
    behind = '',
    inside = '',
    limit = '',
    count = '',
  }: Readonly<Record<string, string>>) => `${above}resource "aws_launch_template" "x" {${behind}
${count}  name_prefix = "x"
${inside}  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1${limit}
  }
}
${group(count)}`;
  const ignore = (reason = 'meant') => `# eks-guardrails:ignore imds-hop-limit -- ${reason}`;

  it.each([
    ['above the resource', { above: `${ignore()}\n` }],
    ['above it as a block', { above: '/*\n * eks-guardrails:ignore imds-hop-limit\n * -- meant\n */\n' }],
    ['behind its head', { behind: ` ${ignore()}` }],
    ['in it, at nothing of its own', { inside: `  ${ignore()}\n\n` }],
    ['above a block of it', { inside: `  ${ignore().replace('#', '//')}\n` }],
    ['behind an argument', { limit: ` ${ignore()}` }],
  ])('cover a finding: %s', (_, marks) => {
    expect(check({ 'main.tf': template(marks) }).all.join()).toMatch(
      /^imds-hop-limit aws_launch_template\.x main\.tf:\d+ accepted: meant$/,
    );
  });

  it('at another argument do not cover it', () => {
    const { all, result } = check({ 'main.tf': template({ behind: `\n  ${ignore()}` }) });
    expect(all).toEqual([
      'imds-hop-limit aws_launch_template.x main.tf:6',
      'suppression-unused aws_launch_template.x main.tf:2',
    ]);
    expect(messages(result)).toEqual([expect.stringContaining('covers "name_prefix" in line 3')]);
  });

  it('nearly right, or with an end that is not read, are told', () => {
    for (const comment of [
      '# EKS-guardrails:ignore imds-hop-limit -- meant',
      '// eks-guardrails:ignore imds-hop-limit -- meant until 2020-01-01',
      '/* eks-guardrail:ignore imds-hop-limit -- meant */',
    ])
      expect(check({ 'main.tf': template({ limit: ` ${comment}` }) }).all).toEqual([
        'imds-hop-limit aws_launch_template.x main.tf:5',
        'warning main.tf:5:37 this comment ignores nothing',
      ]);
    const below = check({ 'main.tf': template({ above: `${ignore()}\n# (until 2020-01-01)\n` }) });
    expect(below.all).toEqual([
      'imds-hop-limit aws_launch_template.x main.tf:7',
      'warning main.tf:1:1 this comment ignores nothing',
    ]);
  });

  it('cover all instances, and a resource without any is no reason to complain', () => {
    expect(check({ 'main.tf': template({ above: `${ignore()}\n`, count: '  count = 2\n' }) }).all).toEqual([
      'imds-hop-limit aws_launch_template.x[0] main.tf:7 accepted: meant',
      'imds-hop-limit aws_launch_template.x[1] main.tf:7 accepted: meant',
    ]);
    expect(check({ 'main.tf': template({ above: `${ignore()}\n`, count: '  count = 0\n' }) }).all).toEqual([]);
  });

  it('in a module cover what all calls of it make', () => {
    const files = {
      'main.tf': 'module "a" {\n  source = "./nodes"\n}\nmodule "b" {\n  source = "./nodes"\n}\n',
      'nodes/main.tf': template({ limit: ` ${ignore()}` }),
    };
    expect(check(files).all).toEqual([
      'imds-hop-limit module.a.aws_launch_template.x nodes/main.tf:5 accepted: meant',
      'imds-hop-limit module.b.aws_launch_template.x nodes/main.tf:5 accepted: meant',
    ]);
  });

  it('at a call cover what that call makes, also in modules below', () => {
    const files = {
      'main.tf': `${ignore()}\nmodule "a" {\n  source = "./outer"\n}\nmodule "ab" {\n  source = "./outer"\n}\n`,
      'outer/main.tf': 'module "inner" {\n  source = "../nodes"\n  for_each = toset(["k"])\n}\n',
      'nodes/main.tf': template({}),
    };
    expect(check(files).all).toEqual([
      'imds-hop-limit module.a.module.inner["k"].aws_launch_template.x nodes/main.tf:5 accepted: meant',
      'imds-hop-limit module.ab.module.inner["k"].aws_launch_template.x nodes/main.tf:5',
    ]);
    // A call that makes nothing covers what it would make: the module is judged as if it did.
    expect(
      check({ ...files, 'main.tf': `${ignore()}\nmodule "a" {\n  source = "./outer"\n  count = 0\n}\n` }).all,
    ).toEqual([
      'imds-hop-limit module.a[0].module.inner["k"].aws_launch_template.x nodes/main.tf:5 accepted: meant',
      'warning main.tf:2:1 no root module here enables module a; check judges it as if this call did',
    ]);
  });

  it('at a call of a module that several root modules call cover it in each', () => {
    const files = {
      'dev/main.tf': 'module "a" {\n  source = "../outer"\n}\n',
      'prod/main.tf': 'module "p" {\n  source = "../outer"\n}\n',
      'outer/main.tf': `module "inner" { # eks-guardrails:ignore imds-hop-limit -- meant\n  source = "../nodes"\n}\n`,
      'nodes/main.tf': template({}),
    };
    expect(check(files).all).toEqual([
      'imds-hop-limit module.a.module.inner.aws_launch_template.x nodes/main.tf:5 accepted: meant',
      'imds-hop-limit module.p.module.inner.aws_launch_template.x nodes/main.tf:5 accepted: meant',
    ]);
  });

  it('at a call of a module of the registry cover what it is known to make, and at an entry of an argument what comes of that', () => {
    const call = (above: string, inside: string) => `${above}module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 20.0"
  cluster_name    = "main"
  cluster_version = "1.34"
  subnet_ids      = ["subnet-1", "subnet-2"]
  eks_managed_node_groups = {
${inside}    one = { metadata_options = { http_tokens = "required", http_put_response_hop_limit = 1 } }
    two = { metadata_options = { http_tokens = "required", http_put_response_hop_limit = 1 } }
  }
}
`;
    const accepted = (files: string) =>
      check({ 'main.tf': files })
        .all.filter((one) => one.startsWith('imds-hop') || one.startsWith('supp'))
        .map((one) => one.includes('accepted'));
    expect(accepted(call('', ''))).toEqual([false, false]);
    expect(accepted(call(`${ignore()}\n`, ''))).toEqual([true, true]);
    expect(accepted(call('', `    ${ignore()}\n`))).toEqual([true, false]);
  });

  it('that end a file, or stand alone, are told', () => {
    expect(check({ 'main.tf': `${template({})}\n${ignore()}\n` }).all).toEqual([
      'imds-hop-limit aws_launch_template.x main.tf:5',
      'warning main.tf:24:1 this comment stands at no block',
    ]);
  });

  it('at a data source cover what points into it', () => {
    const policy = (comment: string) => `data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [aws_iam_openid_connect_provider.eks.arn]
    }
    condition {
      test     = "StringEquals"
      variable = "\${replace(aws_eks_cluster.main.identity[0].oidc[0].issuer, "https://", "")}:sub"
      values   = ["system:serviceaccount:kube-system:*"]${comment}
    }
  }
}
resource "aws_iam_role" "cni" {
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
resource "aws_eks_cluster" "main" {
  name     = "main"
  version  = "1.34"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config {
    subnet_ids = ["subnet-1", "subnet-2"]
  }
}
resource "aws_iam_openid_connect_provider" "eks" {
  url            = aws_eks_cluster.main.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com", "vault"]
}
`;
    const irsa = (comment: string) =>
      check({ 'main.tf': policy(comment) }).result.findings.flatMap(({ rule, verdict, source, suppressed }) =>
        rule.startsWith('irsa') && verdict === 'fail'
          ? [`${rule}:${source.locate().line} ${suppressed?.reason ?? 'open'}`]
          : [],
      );
    expect(irsa('')).toEqual(['irsa-trust-policy:11 open', 'irsa-trust-policy:2 open']);
    expect(irsa(' # eks-guardrails:ignore irsa-trust-policy -- meant')).toEqual([
      'irsa-trust-policy:11 meant',
      'irsa-trust-policy:2 open',
    ]);
  });

  it('of one file that is read alone count, too', () => {
    expect(check({ 'main.tf': template({ limit: ` ${ignore()}` }), 'other.tf': '' }, 'main.tf').all).toEqual([
      'imds-hop-limit aws_launch_template.x main.tf:5 accepted: meant',
    ]);
  });

  describe('that is checked together with its plan', () => {
    const FIXTURE = join(__dirname, '../fixtures/terraform/misconfigured');
    const plan = readFileSync(join(FIXTURE, 'plan.json'), 'utf8');
    const configuration = readFileSync(join(FIXTURE, 'main.tf'), 'utf8');
    const accepted = (files: Readonly<Record<string, string>>) =>
      check({ 'plan.json': plan, ...files }, 'plan.json', ...Object.keys(files)).all.flatMap((one) =>
        one.startsWith('imds-hop-limit') ? [one.includes('accepted')] : [],
      );
    const above = configuration.replace('resource "aws_launch_template" "workers"', `${ignore()}\n$&`);
    const inside = configuration.replace('http_put_response_hop_limit = 1', `$& ${ignore()}`);
    const elsewhere = configuration.replace('http_tokens                 = "required"', `$& ${ignore()}`);

    it('hold for both', () => {
      expect(accepted({ 'main.tf': configuration })).toEqual([false, false]);
      expect(accepted({ 'main.tf': above })).toEqual([true, true]);
      expect(accepted({ 'main.tf': inside })).toEqual([true, true]);
      expect(accepted({ 'main.tf': elsewhere })).toEqual([false, false]);
    });

    it('hold for none but their own where the plan may be of several', () => {
      expect(accepted({ 'a/main.tf': above, 'b/main.tf': configuration }).toSorted()).toEqual([false, false, true]);
    });
  });
});
