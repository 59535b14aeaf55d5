import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAssuming } from '../../lib/check';
import { planUpgrades, type UpgradeRequest } from '../../lib/upgrade/planner';
import type { ClusterPlan, Task, UpgradePlans } from '../../lib/upgrade/plan';
import { workspace } from '../cli/workspace';
import { addon, nodeGroup, template } from './cluster-templates';
import { TEMPLATES } from './known-clusters';
import { OTHER_INPUTS } from './other-inputs';
import { LAGGING_INPUTS } from './lagging-inputs';
import { LOOKED_UP } from './looked-up-inputs';
import { MIXED_INPUTS } from './mixed-inputs';
import { QUIET_INPUTS } from './quiet-inputs';

/** The plans for some files, made when a test asks for them: `npm run mutation` asks each test anew. */
function planned(files: Readonly<Record<string, string>>, request: UpgradeRequest): () => UpgradePlans {
  const folder = workspace(files);
  const check = { asOf: request.asOf };
  return () => planUpgrades((whatIf) => checkAssuming([folder], whatIf, check), request);
}

describe.each(
  [...TEMPLATES, ...OTHER_INPUTS, ...QUIET_INPUTS, ...LOOKED_UP, ...MIXED_INPUTS, ...LAGGING_INPUTS].map(
    (cluster) => [cluster.title, cluster] as const,
  ),
)('the plan of %s', (_, cluster) => {
  const { files, to, from, asOf, tasks, staying, unseen, never = [] } = cluster;
  const plans = planned(files, { to, from, asOf });
  let plan: ClusterPlan | undefined;
  let all: readonly { readonly step: string; readonly task: Task }[];
  beforeAll(() => {
    [plan] = plans().plans;
    all = [
      ...(plan?.preparations ?? []).map((task) => ({ step: 'before', task })),
      ...(plan?.steps ?? []).flatMap((step) => step.tasks.map((task) => ({ step: step.to, task }))),
    ];
  });
  const tell = ({ step, task }: { step: string; task: Task }) => {
    const place = task.source?.locate();
    return `${step} ${task.phase} ${task.level} [${place?.line ?? ''}] ${task.text}`;
  };

  it.each(tasks.map((task) => [`${task.step} ${task.phase} ${task.level} ${String(task.says)}`, task] as const))(
    'says %s',
    (__, { step, phase, level, says, does, at }) => {
      const found = all.filter(
        ({ step: of, task }) => of === step && task.phase === phase && task.level === level && says.test(task.text),
      );
      if (found.length !== 1) throw new Error(`${found.length} tasks fit; there are\n${all.map(tell).join('\n')}`);
      if (does !== undefined) expect(`${found[0]?.task.fix ?? ''}\n${found[0]?.task.code?.text ?? ''}`).toMatch(does);
      if (at === undefined) return;
      const { file = '', line = 0 } = found[0]?.task.source?.locate() ?? {};
      expect(readFileSync(join(file), 'utf8').split('\n')[line - 1]).toContain(at);
    },
  );

  it('says of nothing else that it must be done', () => {
    const others = all.filter(
      ({ step, task }) =>
        task.level === 'must' &&
        !tasks.some(
          (one) => one.step === step && one.phase === task.phase && one.level === 'must' && one.says.test(task.text),
        ),
    );
    expect(others.map(tell)).toEqual([]);
  });

  it('says what it cannot see, and nothing that it must not say', () => {
    for (const expected of unseen) expect(plan?.unseen.join('\n')).toMatch(expected);
    for (const wrong of never) expect([...all.map(tell), ...(plan?.unseen ?? [])].join('\n')).not.toMatch(wrong);
    if (staying !== undefined)
      expect(plan?.staying.map((sentence, index) => staying[index]?.test(sentence) === true || sentence)).toEqual(
        staying.map(() => true),
      );
  });
});

/** Standard support of 1.33 ends on 2026-07-29, extended support a year later. */
describe.each([
  ['STANDARD', 'ended', 'on 2026-07-29, for the support type STANDARD'],
  ['EXTENDED', 'extended', undefined],
])('support on the way with the support type %s', (type, kind, ended) => {
  const files = { 'cluster.yaml': template('1.32', [`UpgradePolicy: { SupportType: ${type} }`]) };
  const plans = planned(files, { to: '1.33', asOf: '2026-11-20' });

  it(`is ${kind}`, () => {
    const support = plans().plans[0]?.steps[0]?.support;
    expect([support?.kind, support?.kind === 'ended' ? support.ended : undefined]).toEqual([kind, ended]);
  });
});

describe('an input with a module that nothing calls', () => {
  const { to = '', asOf = '', files = {} } = QUIET_INPUTS.at(-1) ?? {};
  const both = planned(files, { to, asOf });
  const alone = planned({ 'modules/eks/main.tf': files['modules/eks/main.tf'] ?? '' }, { to, asOf });

  it('gets no plan for it, and is told why', () => {
    const { plans, diagnostics } = both();
    expect(plans.map(({ cluster }) => cluster)).toEqual(['live']);
    expect(diagnostics.map(({ severity, message, skipped }) => [severity, skipped?.what, message])).toEqual([
      [
        'warning',
        'module',
        expect.stringMatching(/^no plan for the cluster of \S*modules.eks: .* variable name has no default/),
      ],
    ]);
  });

  it('gets one if it is all that there is', () => {
    expect(alone().plans.map(({ from }) => from)).toEqual(['1.32']);
  });
});

describe('an input whose clusters are turned off', () => {
  const OFF: Readonly<Record<string, string>> = {
    'main.tf': `variable "cluster_name" {
  default = ""
}

module "own" {
  count        = var.cluster_name == "" ? 0 : 1
  source       = "./modules/eks"
  cluster_name = var.cluster_name
}

module "registry" {
  count   = var.cluster_name == "" ? 0 : 1
  source  = "terraform-aws-modules/eks/aws"
  version = "21.10.1"
  name    = var.cluster_name
}

resource "aws_eks_cluster" "this" {
  for_each = var.cluster_name == "" ? toset([]) : toset([var.cluster_name])
  name     = each.key
  version  = "1.34"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}

module "bucket" {
  count  = 0
  source = "./modules/bucket"
}
`,
    'modules/eks/main.tf': `variable "cluster_name" {}

resource "aws_eks_cluster" "this" {
  name     = var.cluster_name
  version  = "1.34"
  role_arn = "arn:aws:iam::111122223333:role/cluster"
  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }
}
`,
    'modules/bucket/main.tf': 'resource "aws_s3_bucket" "this" {}\n',
  };
  const LIVE =
    'resource "aws_eks_cluster" "live" {\n  name     = "live"\n  version  = "1.34"\n  role_arn = "arn:aws:iam::111122223333:role/cluster"\n  vpc_config { subnet_ids = ["subnet-1", "subnet-2"] }\n}\n';
  const request = { to: '1.35', asOf: '2026-11-20' };
  const off = planned(OFF, request);
  const beside = planned({ ...OFF, 'live.tf': LIVE }, request);
  const uncreated = planned(
    {
      'main.tf':
        'module "eks" {\n  source  = "terraform-aws-modules/eks/aws"\n  version = "21.10.1"\n  create  = false\n  name    = "main"\n}\n',
    },
    request,
  );
  const on = planned({ ...OFF, 'terraform.tfvars': 'cluster_name = "main"\n' }, request);
  const none = planned(
    {
      'main.tf': 'module "bucket" {\n  count  = 0\n  source = "./bucket"\n}\n',
      'bucket/main.tf': OFF['modules/bucket/main.tf'] ?? '',
    },
    request,
  );

  it('is told so, with the places', () => {
    expect(off).toThrow(
      /turned off: .*create of aws_eks_cluster\.this \(\S*main\.tf:18:1\), module\.registry \(\S*main\.tf:11:1\) and module\.own \(\S*main\.tf:5:1\) makes none/,
    );
  });

  it('is told so of the others where one is planned', () => {
    const { plans, diagnostics } = beside();
    expect(plans.map(({ cluster }) => cluster)).toEqual(['live']);
    const told = diagnostics.flatMap(({ message, skipped }) => (skipped === undefined ? [] : [message]));
    expect(told.map((message) => /^no plan for the cluster of (\S+): .*makes none/.exec(message)?.[1])).toEqual([
      'aws_eks_cluster.this',
      'module.registry',
      'module.own',
    ]);
  });

  it('is told so of a call of the module with `create = false`', () => {
    expect(uncreated).toThrow(/turned off: .*create of module\.eks \(\S*main\.tf:1:1\) makes none/);
  });

  it('is planned with the value that turns them on', () => {
    expect(on().plans.map(({ to }) => to)).toEqual(['1.35', '1.35', '1.35']);
  });

  it('is told nothing of clusters where there are none', () => {
    expect(none).toThrow(/the input declares neither/);
  });
});

describe('a network of its own stack', () => {
  const network = `Resources:
  Vpc: { Type: AWS::EC2::VPC, Properties: { CidrBlock: 10.0.0.0/16 } }
  A: { Type: AWS::EC2::Subnet, Properties: { VpcId: !Ref Vpc, CidrBlock: 10.0.0.0/20, AvailabilityZone: eu-west-1a } }
  B: { Type: AWS::EC2::Subnet, Properties: { VpcId: !Ref Vpc, CidrBlock: 10.0.16.0/20, AvailabilityZone: eu-west-1b } }
Outputs:
  A: { Value: !Ref A, Export: { Name: subnet-a } }
  B: { Value: !Ref B, Export: { Name: subnet-b } }
`;
  const closed = template(
    '1.34',
    ['Name: closed'],
    nodeGroup('Workers', 'AmiType: BOTTLEROCKET_x86_64').replace(
      '[subnet-1, subnet-2]',
      '[!ImportValue subnet-a, !ImportValue subnet-b]',
    ),
  );
  const files = { 'network.yaml': network, 'a.yaml': closed, 'b.yaml': template('1.34', ['Name: other']) };
  const plans = planned(files, { to: '1.35', asOf: '2026-11-20' });

  it('is told of the cluster whose nodes are in it alone', () => {
    const told = plans().plans.filter(({ preparations }) =>
      preparations.some(({ text }) => /No route leads out/.test(text)),
    );
    expect(told.map(({ cluster }) => cluster)).toEqual(['closed']);
  });
});

describe('nodes of two stacks, whose clusters stand elsewhere and are called the same', () => {
  const nodes = (type: string) => `Resources:
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties: { ClusterName: prod, NodeRole: nodes, Subnets: [subnet-1, subnet-2], AmiType: ${type}, Version: '1.32' }
`;
  const files = { 'a.yaml': nodes('BOTTLEROCKET_x86_64'), 'b.yaml': nodes('AL2_x86_64') };
  const plans = planned(files, { from: '1.32', to: '1.33', asOf: '2026-11-20' });

  it('have plans of their own', () => {
    const texts = plans().plans.map(({ preparations, steps }) =>
      [...preparations, ...steps.flatMap(({ tasks }) => tasks)].map(({ text }) => text).join('\n'),
    );
    expect(texts.map((text) => /AL2/.test(text))).toEqual([false, true]);
  });
});

describe('an add-on that no table has', () => {
  const files = { 'template.yaml': template('1.34', ['Name: main'], addon('Own', 'own', 'AddonVersion: v1.0.0')) };
  const plans = planned(files, { to: '1.35', asOf: '2026-11-20' });

  it('is listed as unknown', () => {
    expect(plans().plans[0]?.steps[0]?.addons).toMatchObject([{ name: 'own', from: 'v1.0.0', state: 'unknown' }]);
  });
});

describe('a day on which EKS supports no version of the calendar', () => {
  const folder = workspace({ 'template.yaml': template('1.32', []) });

  it.each([
    [
      '1999-01-01',
      /EKS got Kubernetes 1\.33 on 2025-05-29, which is after 1999-01-01.*; the calendar .* has no version/,
    ],
    ['2099-01-01', /ended on 2027-07-29.*; the calendar .* has no version that EKS supports on 2099-01-01/],
  ])('is told so: %s', (asOf, says) => {
    const plan = () => planUpgrades((whatIf) => checkAssuming([folder], whatIf, { asOf }), { to: '1.33', asOf });
    expect(plan).toThrow(says);
  });
});
