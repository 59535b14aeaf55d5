import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPaths } from '../../lib';
import { skippedNote } from '../needs';

const guide = readFileSync(join(__dirname, '../../docs/guides/terraform-defaults.md'), 'utf8');
const blocks = new Map(
  [...guide.matchAll(/^## Version (\d+)\n[^]*?^```hcl\n([^]*?)^```$/gm)].map(([, version = '', code = '']) => [
    version,
    code,
  ]),
);

/** A folder of checkouts of the module, `19`, `20` and `21`. */
const modules = process.env['EKS_GUARDRAILS_TERRAFORM_MODULES'];
const canValidate = modules !== undefined && spawnSync('terraform', ['version']).status === 0;
const IF_VALIDATED = skippedNote(
  canValidate
    ? undefined
    : 'set EKS_GUARDRAILS_TERRAFORM_MODULES to a folder with terraform-aws-modules/eks 19, 20 and 21, with terraform on the PATH',
);

describe('the inputs for terraform-aws-modules/eks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-defaults-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the strict preset says of a configuration, by rule; and what of the input it can't use. */
  function judged(code: string): string[] {
    writeFileSync(join(folder, 'main.tf'), code);
    const { findings, diagnostics } = checkPaths([folder], { preset: 'strict' });
    const failed = findings.filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined);
    return [...diagnostics.map(({ message }) => message), ...new Set(failed.map(({ rule }) => rule))].sort();
  }

  it('are there for three versions', () => {
    expect([...blocks.keys()]).toEqual(['21', '20', '19']);
    for (const [version, code] of blocks) expect(code).toContain(`version = "~> ${version}.0"`);
  });

  it.each([...blocks.keys()])('of version %s leave the strict preset nothing to say, and are all read', (version) => {
    expect(judged(blocks.get(version) ?? '')).toEqual([]);
  });

  it.each<[string, string, RegExp | string, string, string[]]>([
    ['21', 'the hop limit', /^ *metadata_options = \{[^}]*\}\n/m, '', ['imds-hop-limit']],
    ['20', 'a hop limit of 1', 'hop_limit = 2', 'hop_limit = 1', ['imds-hop-limit']],
    [
      '19',
      'the mode of conflicts',
      /^( *vpc-cni = \{[^}]*?)resolve_conflicts *= "PRESERVE"\n/m,
      '$1',
      ['vpc-cni-resolve-conflicts'],
    ],
    [
      '20',
      'the mode of conflicts',
      /^( *vpc-cni = \{[^}]*?)resolve_conflicts_on_update *= "PRESERVE"\n/m,
      '$1',
      ['vpc-cni-resolve-conflicts'],
    ],
    [
      '21',
      'the mode of conflicts',
      /^( *vpc-cni = \{[^}]*?)resolve_conflicts_on_update *= "PRESERVE"\n/m,
      '$1',
      ['vpc-cni-resolve-conflicts'],
    ],
    ['21', 'the version', /^( *vpc-cni = \{[^}]*?)addon_version *= "[^"]*"\n/m, '$1', ['addon-version']],
    ['21', 'the order', /^( *vpc-cni = \{[^}]*?)before_compute *= true\n/m, '$1', ['cluster-network-addons']],
    ['20', 'the order', /^( *vpc-cni = \{[^}]*?)before_compute *= true\n/m, '$1', ['cluster-network-addons']],
    ['21', "the nodes' role", /^ *iam_role_attach_cni_policy *= false\n/m, '', ['vpc-cni-role-on-nodes']],
    ['20', "the nodes' role", /^ *iam_role_attach_cni_policy *= false\n/m, '', ['vpc-cni-role-on-nodes']],
    ['21', 'the support type', /^ *upgrade_policy *= .*\n/m, '', ['cluster-support-type']],
  ])('of version %s need %s', (version, _, written, instead, rules) => {
    const code = blocks.get(version) ?? '';
    const without = code.replace(written, instead);
    expect(without).not.toBe(code);
    expect(judged(without)).toEqual(rules);
  });

  // With the variables and outputs of the module alone, which need no providers; what other modules give is a text.
  (canValidate ? it : it.skip).each([...blocks.keys()])(
    `of version %s are valid for Terraform and the module's own variables${IF_VALIDATED}`,
    (version) => {
      const place = join(folder, version);
      mkdirSync(join(place, 'eks'), { recursive: true });
      const source = join(modules ?? '', version);
      copyFileSync(join(source, 'variables.tf'), join(place, 'eks/variables.tf'));
      const outputs = readFileSync(join(source, 'outputs.tf'), 'utf8').matchAll(/^output "(\w+)"/gm);
      writeFileSync(
        join(place, 'eks/outputs.tf'),
        [...outputs].map(([, name]) => `output "${name ?? ''}" {\n  value = null\n}\n`).join(''),
      );
      const [eks = ''] = /^module "eks" \{\n[^]*?^\}\n/m.exec(blocks.get(version) ?? '') ?? [];
      const code = eks
        .replace(/source *= "[^"]*"\n *version *= "[^"]*"/, 'source = "./eks"')
        .replaceAll(/\b(?:module\.(?!eks\b)|aws_)[\w.]+/g, '"arn:aws:iam::111122223333:role/r"');
      expect(code).toContain('source = "./eks"');
      writeFileSync(join(place, 'main.tf'), code);
      const run = (...args: string[]) =>
        spawnSync('terraform', [...args, '-no-color'], {
          cwd: place,
          encoding: 'utf8',
          env: { ...process.env, CHECKPOINT_DISABLE: '1' },
        });
      expect(run('init', '-input=false').status).toBe(0);
      const { status, stdout, stderr } = run('validate');
      expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
      // A name that the module doesn't have would be told.
      writeFileSync(join(place, 'main.tf'), code.replace('subnet_ids', 'subnet_idz'));
      expect(run('validate').stderr).toContain('subnet_idz');
    },
  );
});
