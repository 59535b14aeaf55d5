import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPaths } from '../../../lib/check';

const FIXTURES = join(__dirname, '../../fixtures/terraform');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'terraform-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What a check of a fixture finds: in its configuration, or in the plan that Terraform made of it. */
function failures(name: string, form: 'configuration' | 'plan'): string[] {
  const plan = join(FIXTURES, name, 'plan.json');
  if (form === 'configuration')
    cpSync(join(FIXTURES, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('plan.json'),
    });
  const { findings, diagnostics } = checkPaths([form === 'plan' ? plan : join(folder, name)]);
  expect(diagnostics).toEqual([]);
  return findings
    .flatMap(({ rule, verdict, severity, resource }) =>
      verdict === 'fail' ? [`${severity} ${rule} ${resource.id}`] : [],
    )
    .sort();
}

describe('the configuration and its plan', () => {
  it.each([
    ['misconfigured', []],
    ['safe', []],
    [
      'modules',
      // A plan tells nothing of texts that are put together from what isn't known yet.
      [
        'error node-user-data-format aws_launch_template.each["a"]',
        'error node-user-data-format aws_launch_template.each["b"]',
        'error vpc-cni-configuration-schema aws_eks_addon.composed',
        'info addon-create-conflict aws_eks_addon.composed',
      ],
    ],
  ])('of %s are judged alike', (name, onlyInConfiguration) => {
    const [configuration, plan] = [failures(name, 'configuration'), failures(name, 'plan')];
    expect(configuration.filter((one) => !plan.includes(one))).toEqual(onlyInConfiguration);
    expect(plan.filter((one) => !configuration.includes(one))).toEqual([]);
  });

  it('find something', () => {
    expect(failures('misconfigured', 'configuration')).toContain('error imds-hop-limit aws_launch_template.workers');
    expect(failures('modules', 'configuration')).toContain(
      'error imds-hop-limit module.nodes["x"].aws_launch_template.own[0]',
    );
  });

  it('that are checked together are two stacks', () => {
    const { inputs } = checkPaths([join(FIXTURES, 'safe')]);
    expect(inputs.map(({ kind }) => kind).sort()).toEqual(['terraform-configuration', 'terraform-plan']);
  });
});
