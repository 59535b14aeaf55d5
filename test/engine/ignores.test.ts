import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AS_OF } from '../as-of';
import { checkPaths, checkTemplates, type Configuration, type Ignore } from '../../lib';
import { nodeGroupTemplate } from '../cli/workspace';

const text = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
const reason = 'Every workload has its own role';

function check(ignores: readonly Ignore[], more: Configuration = {}) {
  const { findings, summary } = checkTemplates([{ file: 'stacks/nodes.yaml', text }], { ignores, ...more });
  return {
    hop: findings.find(({ rule }) => rule === 'imds-hop-limit'),
    own: findings.filter(({ rule }) => rule.startsWith('suppression-')),
    summary,
  };
}

describe('ignores', () => {
  it.each<Partial<Ignore>>([
    {},
    { resource: 'Templ*' },
    { resource: 'Template' },
    { rule: 'imds-*' },
    { file: 'stacks/*.yaml' },
    { file: 'nodes.yaml' },
    { file: '**/nodes.yaml' },
    { file: 'stacks' },
    { file: './stacks/' },
    { file: '{old,stacks}/*.{json,yaml}' },
    { until: AS_OF },
  ])('accept what they cover: %j', (more) => {
    const { hop, own, summary } = check([{ rule: 'imds-hop-limit', resource: '*', reason, ...more }]);
    expect(hop?.suppressed).toEqual({ reason, ...(more.until === undefined ? {} : { until: more.until }) });
    expect(own).toEqual([]);
    expect(summary.error).toBe(0);
  });

  it.each<[Partial<Ignore>, string, string]>([
    [{ resource: 'Workers' }, 'suppression-unused', 'The ignore of imds-hop-limit on "Workers" matches no finding.'],
    [{ rule: 'imds-v1' }, 'suppression-unused', 'The ignore of imds-v1 on "*" matches no finding.'],
    [{ rule: 'imds-hop-limits' }, 'suppression-unknown-rule', 'did you mean "imds-hop-limit"?'],
    [{ rule: 'imsd-*' }, 'suppression-unknown-rule', 'no rule has an id like "imsd-*".'],
    [{ until: '2026-11-20' }, 'suppression-expired', 'ended on 2026-11-20'],
    [{ reason: ' ' }, 'suppression-without-reason', 'gives no reason'],
    [{ until: 'soon' }, 'suppression-expired', 'has no effect, because its end "soon" is no day'],
    [{ until: '2027-02-30' }, 'suppression-expired', 'is no day'],
    [{ rule: 'rule-crashed' }, 'suppression-unknown-rule', 'can be neither accepted nor given a level'],
    [{ rule: 'suppression-unusd' }, 'suppression-unknown-rule', 'did you mean "suppression-unused"?'],
  ])('have no effect otherwise, which is told once: %j', (more, rule, message) => {
    const { hop, own, summary } = check([
      {
        rule: 'imds-hop-limit',
        resource: '*',
        reason,
        source: { locate: () => ({ file: 'eks-guardrails.config.yaml', line: 7, column: 3 }) },
        ...more,
      },
    ]);
    expect(hop?.suppressed).toBeUndefined();
    expect(summary.error).toBe(1);
    expect(own).toMatchObject([{ rule, severity: 'warning', message: expect.stringContaining(message) as string }]);
    expect(own[0]?.source.locate()).toMatchObject({ file: 'eks-guardrails.config.yaml', line: 7 });
  });

  it('say nothing of files that are not part of the run, and of rules that are off', () => {
    expect(check([{ rule: 'imds-hop-limit', resource: '*', file: 'stacks/other.yaml', reason }]).own).toEqual([]);
    expect(check([{ rule: 'imds-v1', resource: '*', reason }], { rules: { 'imds-v1': 'off' } }).own).toEqual([]);
  });

  it('are told about at the level that the user sets', () => {
    const unused = { rule: 'imds-v1', resource: '*', reason };
    expect(check([unused], { rules: { 'suppression-unused': 'error' } })).toMatchObject({
      own: [{ severity: 'error' }],
      summary: { error: 2 },
    });
    expect(check([unused], { rules: { 'suppression-unused': 'off' } }).own).toEqual([]);
  });

  it('tell files from their own folder', () => {
    expect(
      check([{ rule: 'imds-hop-limit', resource: '*', file: 'nodes.*', folder: 'stacks', reason }]).hop?.suppressed,
    ).toBeDefined();
    expect(
      check([{ rule: 'imds-hop-limit', resource: '*', file: './stacks/nodes.yaml', reason }]).hop?.suppressed,
    ).toBeDefined();
  });

  it('never hide that a rule crashed', () => {
    const crashing = {
      id: 'my-rule',
      subject: 'custom',
      title: 'T',
      severity: 'error',
      since: '',
      symptom: '',
      why: '',
      limits: '',
      ignore: '',
      sources: [],
      messages: {},
      check: () => {
        throw new Error('no luck');
      },
    } as const;
    const { findings } = checkTemplates([{ file: 'a.yaml', text }], {
      customRules: [crashing],
      ignores: [{ rule: 'rule-crashed', resource: '*', reason }],
    });
    expect(findings.flatMap(({ rule, suppressed }) => (rule === 'rule-crashed' ? [suppressed] : []))).toEqual([
      undefined,
    ]);
  });

  it('never hide with a pattern that a rule crashed, or that another ignore has no use', () => {
    const crashing = {
      id: 'my-rule',
      subject: 'custom',
      title: 'T',
      severity: 'error',
      since: '',
      symptom: '',
      why: '',
      limits: '',
      ignore: '',
      sources: [],
      messages: {},
      check: () => {
        throw new Error('no luck');
      },
    } as const;
    const { findings, summary } = checkTemplates([{ file: 'a.yaml', text }], {
      customRules: [crashing],
      ignores: [{ rule: '*', resource: '*', reason }],
    });
    expect(findings.filter(({ suppressed }) => suppressed === undefined)).toMatchObject([
      { rule: 'rule-crashed', message: expect.stringContaining('no luck') as string },
    ]);
    expect(summary.error).toBe(1);
  });
});

describe('ignores of files on disk', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
    mkdirSync(join(root, 'real/legacy'), { recursive: true });
    writeFileSync(join(root, 'real/legacy/nodes.yaml'), text);
    symlinkSync(join(root, 'real'), join(root, 'link'));
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });
  const own = (path: string, file: string) => {
    const { findings } = checkPaths([path], {
      ignores: [{ rule: 'imds-hop-limit', resource: '*', file, folder: join(root, 'real'), reason }],
    });
    const hop = findings.find(({ rule }) => rule === 'imds-hop-limit');
    return [
      hop?.suppressed?.reason,
      ...findings.filter(({ rule }) => rule.startsWith('suppression-')).map(({ message }) => message),
    ];
  };

  it.each(['legacy/**', 'legacy', 'nodes.yaml'])('find them through a link: %s', (file) => {
    expect(own(join(root, 'link/legacy'), file)).toEqual([reason]);
    expect(own(join(root, 'real/legacy'), file)).toEqual([reason]);
  });

  it('say that a folder is misspelt, and nothing of one that may not be there yet', () => {
    expect(own(join(root, 'real'), 'legcy/**')).toEqual([
      undefined,
      'The ignore of imds-hop-limit on "*" covers no file, because there is no folder "legcy"; did you mean "legacy"?',
    ]);
    expect(own(join(root, 'real'), 'cdk.out/**')).toEqual([undefined]);
    expect(own(join(root, 'real'), 'legacy/other.yaml')).toEqual([undefined]);
  });
});

describe('ignores of Terraform addresses', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
    mkdirSync(join(root, 'nodes'));
    writeFileSync(
      join(root, 'main.tf'),
      'module "b" {\n  source   = "./nodes"\n  for_each = toset(["x", "y.z[0]"])\n}\n',
    );
    const group =
      'resource "aws_eks_node_group" "w" {\n  count         = 2\n  cluster_name  = "main"\n  node_role_arn = "arn:aws:iam::111122223333:role/nodes"\n  subnet_ids    = ["subnet-1"]\n  ami_type      = "AL2023_x86_64_STANDARD"\n}\n';
    writeFileSync(join(root, 'nodes/main.tf'), group);
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it.each([
    ['module.b.*', 4],
    ['module.b.aws_eks_node_group.w', 4],
    ['module.b["x"].aws_eks_node_group.w', 2],
    ['module.b["y.z[0]"].aws_eks_node_group.w', 2],
    ['module.b["x"].*', 2],
    ['module.b["x"].aws_eks_node_group.w[1]', 1],
    ['module.b.aws_eks_node_group.w[1]', 0],
    ['module.*.aws_eks_node_group.w', 4],
    ['aws_eks_node_group.w', 0],
  ])('%s covers %i of four instances', (resource, count) => {
    const { findings } = checkPaths([root], { ignores: [{ rule: 'imds-hop-limit', resource, reason }] });
    const hop = findings.filter(({ rule, verdict }) => rule === 'imds-hop-limit' && verdict === 'fail');
    expect(hop).toHaveLength(4);
    expect(hop.filter(({ suppressed }) => suppressed !== undefined)).toHaveLength(count);
  });
});
