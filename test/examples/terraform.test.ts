import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths } from '../../lib/check';
import { canPlan, IF_PLANNED, PLAN_PARTS, planOfFolder } from '../terraform/plan/replan';

const EXAMPLES = join(__dirname, '../../examples/terraform');

function failures(path: string): string[] {
  const { findings, diagnostics } = checkPaths([join(EXAMPLES, path)]);
  expect(diagnostics).toEqual([]);
  return findings
    .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
    .map(({ rule, severity, resource }) => `${severity} ${rule} ${resource.id}`);
}

const PITFALLS = [
  'error imds-hop-limit aws_launch_template.general',
  'error user-data-mime-structure aws_launch_template.golden',
  'error vpc-cni-resolve-conflicts aws_eks_addon.vpc_cni',
  'error vpc-cni-role-ip-family aws_iam_role.vpc_cni',
];

describe('the Terraform examples', () => {
  it.each(['misconfigured', 'plans/misconfigured.json'])('%s falls into the pitfalls', (path) => {
    expect(failures(path)).toEqual(PITFALLS);
  });

  it.each(['safe', 'plans/safe.json'])('%s has none of them', (path) => {
    expect(failures(path)).toEqual([]);
  });

  it('says where a defect in a template file is, and which variable decides', () => {
    const { findings } = checkPaths([join(EXAMPLES, 'misconfigured')]);
    const of = (rule: string) => findings.find((finding) => finding.rule === rule);
    expect(of('user-data-mime-structure')?.source.locate()).toMatchObject({
      file: join(EXAMPLES, 'misconfigured/user-data/golden.tftpl'),
      line: 11,
    });
    expect(of('imds-hop-limit')?.message).toContain('The value comes from the default of variable hop_limit.');
  });

  (canPlan ? it : it.skip).each(['misconfigured', 'safe'])(
    `%s is what the recorded plan was made of${IF_PLANNED}`,
    (name) => {
      const made = planOfFolder(join(EXAMPLES, name));
      const recorded = JSON.parse(readFileSync(join(EXAMPLES, 'plans', `${name}.json`), 'utf8')) as Record<
        string,
        unknown
      >;
      for (const part of PLAN_PARTS) expect(made[part]).toEqual(recorded[part]);
    },
    300_000,
  );
});
