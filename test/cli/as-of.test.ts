import type { JsonReport } from '../../lib/reports';
import { runCommand } from './built-command';
import { nodeGroupTemplate, workspace } from './workspace';

const suppressed = [
  'eks-guardrails:',
  '  suppress:',
  '    - rule: imds-hop-limit',
  '      reason: for now',
  '      until: 2027-01-31',
];
const template = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required'], {
  suppress: suppressed,
}).replace('"1.36", UpgradePolicy: { SupportType: STANDARD }', '"1.31"');
const folder = workspace({
  'cluster.yaml': template,
  'configured/eks-guardrails.config.yaml': 'asOf: 2026-11-25\n',
  'configured/cluster.yaml': template,
  'wrong/eks-guardrails.config.yaml': 'preset: strict\nasOf: 2027-02-29\n',
});

/** The day that the report tells, and what was found. */
function check(args: readonly string[], day: string, cwd = folder) {
  const { stdout, stderr } = runCommand(['check', 'cluster.yaml', '--format', 'json', ...args], {
    cwd,
    env: { EKS_GUARDRAILS_AS_OF: day },
  });
  const { asOf, findings } = JSON.parse(stdout) as JsonReport;
  const open = findings.filter(
    ({ verdict, suppressed: accepted, severity }) =>
      verdict === 'fail' && accepted === undefined && severity !== 'info',
  );
  return { asOf, stderr, found: open.map(({ rule, severity }) => `${severity} ${rule}`) };
}

describe('check --as-of', () => {
  it('is the day of support dates and of ends of suppressions', () => {
    expect(check(['--as-of', '2026-11-25'], '')).toEqual({
      asOf: '2026-11-25',
      stderr: '',
      found: ['warning cluster-version-support'],
    });
    expect(check(['--as-of', '2026-11-26'], '')).toEqual({
      asOf: '2026-11-26',
      stderr: '',
      found: ['error cluster-version-support'],
    });
    expect(check(['--as-of', '2027-02-01'], '').found).toEqual([
      'error imds-hop-limit',
      'error cluster-version-support',
      'warning suppression-expired',
    ]);
  });

  it('wins over the environment, which wins over the configuration file', () => {
    const configured = `${folder}/configured`;
    expect(check([], '', configured).asOf).toBe('2026-11-25');
    expect(check([], '2026-11-26', configured)).toMatchObject({
      asOf: '2026-11-26',
      found: ['error cluster-version-support'],
    });
    expect(check(['--as-of', '2026-11-24'], '2026-11-26', configured)).toMatchObject({
      asOf: '2026-11-24',
      found: ['warning cluster-version-support'],
    });
    // What doesn't count needn't be right.
    expect(check(['--as-of', '2026-11-24'], 'soon').asOf).toBe('2026-11-24');
  });

  it('is told in the reports for people, and not when nobody has given it', () => {
    const report = (format: string, day: string) =>
      runCommand(['check', 'cluster.yaml', '--format', format, '--quiet'], {
        cwd: folder,
        env: { EKS_GUARDRAILS_AS_OF: day },
      }).stdout;
    expect(report('text', '2026-11-26')).toMatch(/resources\nJudged as of 2026-11-26\.\n$/);
    expect(report('markdown', '2026-11-26')).toMatch(/resources\n\nJudged as of 2026-11-26\.\n/);
    expect(report('html', '2026-11-26')).toContain('checked as of <time datetime="2026-11-26">2026-11-26</time>');
    for (const format of ['text', 'markdown', 'html']) expect(report(format, '')).not.toContain('as of');
    expect(report('html', '')).toContain('checked on <time ');
    expect(check([], '').asOf).toBeNull();
  });

  it('is part of the configuration that is printed', () => {
    const printed = (day: string) =>
      (
        JSON.parse(
          runCommand(['check', '--print-config'], { cwd: folder, env: { EKS_GUARDRAILS_AS_OF: day } }).stdout,
        ) as { asOf: string | null }
      ).asOf;
    expect([printed(''), printed('2026-11-26')]).toEqual([null, '2026-11-26']);
  });

  it.each([
    [
      'the command line',
      folder,
      ['--as-of', '2027-02-29'],
      '',
      "error: option '--as-of <date>' argument '2027-02-29' is invalid. It takes a day such as 2027-01-31.\nRun with --help for usage.\n",
    ],
    [
      'the environment',
      folder,
      [],
      '1.4.2027',
      'error: EKS_GUARDRAILS_AS_OF is "1.4.2027", which is no day; write it as in 2027-01-31\n',
    ],
    [
      'the configuration file',
      `${folder}/wrong`,
      [],
      '',
      'error: eks-guardrails.config.yaml:2:1: asOf: expected a day of the form YYYY-MM-DD, found "2027-02-29"\n',
    ],
  ])('is refused with exit code 2 where %s has one that is none', (_, cwd, args, day, message) => {
    const { exitCode, stdout, stderr } = runCommand(['check', `${folder}/cluster.yaml`, ...args], {
      cwd,
      env: { EKS_GUARDRAILS_AS_OF: day },
    });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: message });
  });
});
