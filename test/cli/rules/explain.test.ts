import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain } from '../../../lib/cli/rules/explain-command';
import { paragraphs } from '../../../lib/cli/rules/rule-page';
import { plainMarkdown } from '../../../lib/cli/output/plain-markdown';
import { searchRules } from '../../../lib/cli/rules/rule-search';
import { dialectOf, ruleSummary } from '../../../lib/cli/rules/rule-summary';
import { DIALECTS } from '../../../lib/front-ends/registry';
import { ansiStyle, plainStyle } from '../../../lib/reports/style';
import { allRules } from '../../../lib/rules';
import { runCommand } from '../built-command';

/** More than this doesn't fit on a screen. */
const SCREEN = 70;

describe('a rule on one screen', () => {
  it.each(allRules.map((rule) => [rule.id, rule] as const))('tells what matters of %s', (id, rule) => {
    for (const dialect of DIALECTS) {
      const text = plainMarkdown(ruleSummary(rule, dialect) ?? '', 80, plainStyle);
      expect(text.startsWith(`${id}\n\n`)).toBe(true);
      expect(text).toMatch(/^What happens$/m);
      expect(text).toMatch(/^How to put it right, in (?:CloudFormation|Terraform|AWS CDK|eksctl)/m);
      // Something is put in, or taken away.
      expect(text).toMatch(/^ {4}[-+]/m);
      // What AWS answers about a cluster that runs has no place for a decision; all else has.
      if (dialect.isRunning !== true) expect(text).toContain(dialect.suppression?.(id).where ?? 'nowhere');
      expect(text).not.toMatch(/\{\{(?!resolve:|EC2PrivateDNSName)|```|^#/m);
      expect(text.split('\n').length).toBeLessThan(SCREEN);
    }
  });

  const imds = allRules.find(({ id }) => id === 'imds-hop-limit') ?? allRules[0];

  it('shows the code of the dialect, or of what deploys it', () => {
    const heading = (name: string): string | undefined => {
      const summary =
        imds &&
        ruleSummary(
          imds,
          DIALECTS.find((one) => one.name === name),
        );
      return /^## How to put it right, in (.*)$/m.exec(summary ?? '')?.[1];
    };
    expect(['cloudformation', 'aws-cdk', 'terraform', 'cdktf', 'none'].map(heading)).toEqual([
      'CloudFormation',
      'AWS CDK',
      'Terraform',
      'Terraform',
      'CloudFormation',
    ]);
  });

  it('paints what goes and what comes', () => {
    const text = plainMarkdown((imds && ruleSummary(imds, DIALECTS[0])) ?? '', 80, ansiStyle);
    expect(text).toContain(ansiStyle.green('+          HttpPutResponseHopLimit: 2'));
    expect(text).toContain(ansiStyle.dim('           HttpTokens: required'));
    expect(text).toContain(ansiStyle.bold('What happens'));
  });

  it('is for what the folder is written in, or one above it in the repository', () => {
    const root = mkdtempSync(join(tmpdir(), 'eks-guardrails-explain-'));
    try {
      const folder = (name: string, file?: string): string => {
        mkdirSync(join(root, name), { recursive: true });
        if (file !== undefined) writeFileSync(join(root, name, file), '');
        return join(root, name);
      };
      folder('.git');
      const named = (at: string): string | undefined => dialectOf(at)?.name;
      expect(named(folder('infra', 'main.tf'))).toBe('terraform');
      expect(named(folder('app/lib/nodes'))).toBeUndefined();
      folder('app', 'cdk.json');
      expect(named(folder('app/lib/nodes'))).toBe('aws-cdk');
      expect(named(folder('terrain', 'cdktn.json'))).toBe('cdktf');
      expect(named(folder('templates', 'nodes.yaml'))).toBeUndefined();
      expect(named(join(root, 'gone'))).toBeUndefined();
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

describe('rules by what somebody sees', () => {
  const found = (text: string): string[] => searchRules(text, allRules).map(({ rule }) => rule.id);

  it.each([
    ['failed to fetch VPC ID from instance metadata', 'imds-hop-limit'],
    [
      '{"level":"error","ts":"2026-02-11T09:14:02Z","logger":"setup","msg":"unable to initialize AWS cloud","error":"failed to get VPC ID: failed to fetch VPC ID from instance metadata: error in fetching vpc id through ec2 metadata"}',
      'imds-hop-limit',
    ],
    ['NO EC2 IMDS ROLE FOUND', 'imds-hop-limit'],
    ['pods get no credentials after moving to al2023', 'imds-hop-limit'],
    ['aws-node keeps saying Retrying waiting for IPAM-D', 'vpc-cni-role-ip-family'],
    [
      'kubelet[2841]: E0312 11:50:47 run.go:74] "command failed" err="failed to set feature gates from initial flags-based config: unrecognized feature gate: KubeletCredentialProviders"',
      'kubelet-feature-gate',
    ],
    [
      '0/4 nodes are available: 1 node(s) had taint {tier: backend}, 2 Insufficient vpc.amazonaws.com/pod-eni.',
      'pod-security-groups-instance-types',
    ],
    ['networkpolicy objects are accepted but traffic gets through', 'vpc-cni-network-policy'],
    ['bootstrap.sh on AL2023 nodes never join', 'user-data-ami-family'],
    ['imds', 'imds-hop-limit'],
    ['vpc-cni update resets DISABLE_TCP_EARLY_DEMUX', 'vpc-cni-resolve-conflicts'],
    ['kubelet feature gate removed', 'kubelet-feature-gate'],
  ])('%s: %s', (text, id) => {
    expect(found(text).slice(0, 3)).toContain(id);
  });

  it.each([['banana'], [''], ['the of and'], ['4711 0xdeadbeef'], ['quarterly revenue forecast spreadsheet']])(
    'nothing for %p',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  it('finds a line of a log among much else', () => {
    const noise =
      'alpha failed beta fetch gamma vpc delta id epsilon instance zeta metadata eta theta iota kappa lambda omicron sigma upsilon';
    expect(found(noise)).toContain('imds-hop-limit');
    expect(found(noise.replace('metadata', 'omega').replace('fetch', 'psi').replace('vpc', 'chi'))).toEqual([]);
  });

  it('names others where many rules tell of it', () => {
    const text = runCommand(['explain', 'Instances failed to join the kubernetes cluster']).stdout;
    expect(text.split(/^And less like it$/m)[1]).toMatch(/^[a-z0-9-]+(?:,\s[a-z0-9-]+)+$/m);
  });

  it('says what is like it', () => {
    const [first] = searchRules('failed to fetch VPC ID from instance metadata', allRules);
    expect(first?.because).toBe('`failed to fetch VPC ID from instance metadata` (AWS Load Balancer Controller)');
  });

  it('is what explain does with words', () => {
    expect(runCommand(['explain', 'pods', 'get', 'no', 'credentials'])).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/^imds-hop-limit$/m) as string,
    });
    expect(runCommand(['explain', 'banana'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: no rule says anything of "banana"; give a line of a log/) as string,
    });
  });
});

describe('eks-guardrails rules', () => {
  const listed = (...args: readonly string[]): string[] => {
    const { exitCode, stdout } = runCommand(['rules', '--format', 'json', ...args]);
    expect(exitCode).toBe(0);
    const { rules, toolRules } = JSON.parse(stdout) as Record<'rules' | 'toolRules', { id: string }[]>;
    return [...rules, ...toolRules].map(({ id }) => id);
  };

  it('lists those of a subject, a pattern, a name', () => {
    expect(listed('imds')).toEqual(allRules.filter(({ subject }) => subject === 'imds').map(({ id }) => id));
    expect(listed('prefix-*', 'rule-crashed', 'imds-v1')).toEqual([
      'imds-v1',
      ...allRules.filter(({ id }) => id.startsWith('prefix-')).map(({ id }) => id),
      'rule-crashed',
    ]);
    expect(runCommand(['rules', 'imds']).stdout).not.toContain("The tool's own");
    expect(runCommand(['rules', 'imds-v2'])).toMatchObject({
      exitCode: 2,
      stderr: 'error: there is no rule "imds-v2"; did you mean "imds-v1"?\n',
    });
  });

  it('lists those that say something like a text, the likeliest first', () => {
    expect(listed('--search', 'warm ip target')[0]).toMatch(/warm-targets$/);
    expect(listed('imds', '--search', 'warm ip target')).toEqual([]);
    expect(runCommand(['rules', '--search', 'banana'])).toMatchObject({
      exitCode: 0,
      stdout: 'No rule says anything like it.\n',
    });
  });
});

it('parts of a page stand one blank line apart, whichever are empty', () => {
  expect(paragraphs(['# A\n', '', ['', ' b ', 'c'], '\n'])).toBe('# A\n\nb\n\nc\n');
});

it('a rule is one screen in the language that is asked for, and its page with --full', () => {
  const [terraform, cloudFormation, whole] = [
    explain(['imds-hop-limit'], { dialect: 'terraform' }),
    explain(['imds-hop-limit'], { dialect: 'cloudformation' }),
    explain(['imds-hop-limit'], { full: true }),
  ];
  expect(terraform).toContain('http_put_response_hop_limit');
  expect(terraform).not.toContain('HttpPutResponseHopLimit');
  expect(cloudFormation).toContain('HttpPutResponseHopLimit');
  expect(cloudFormation).not.toContain('http_put_response_hop_limit');
  expect(whole.split('\n').length).toBeGreaterThan(2 * terraform.split('\n').length);
});
