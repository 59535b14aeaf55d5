import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import type { JsonReport } from '../../lib/reports';
import { withoutDay } from '../as-of';
import { builtCommand, runCommand } from './built-command';
import { reportSchema } from './report-schema';
import { nodeGroupTemplate, workspace } from './workspace';

const hop = (limit: string) => [`HttpPutResponseHopLimit: ${limit}`, 'HttpTokens: required'];
const anchors = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghij'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefghi'.charAt(index)}, `.repeat(9)}]`),
];

const folder = workspace({
  'clean.yaml': nodeGroupTemplate(hop('2')),
  'error.yaml': nodeGroupTemplate(hop('1')),
  'warning.yaml': nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: optional']),
  'info.yaml': nodeGroupTemplate(hop('5')),
  'unverifiable.yaml': nodeGroupTemplate(hop('!Ref Hop'), { parameters: ['Hop: { Type: Number }'] }),
  'suppressed.yaml': nodeGroupTemplate(hop('1'), {
    suppress: [
      'eks-guardrails:',
      '  suppress:',
      '    - rule: imds-hop-limit',
      '      reason: every pod has a role of its own',
      '      until: 2027-06-30',
    ],
  }),
  'expired.yaml': nodeGroupTemplate(hop('1'), {
    suppress: [
      'eks-guardrails:',
      '  suppress:',
      '    - rule: imds-hop-limit',
      '      reason: for now',
      '      until: 2026-01-31',
    ],
  }),
  'dangling.yaml': `${nodeGroupTemplate(hop('2'))}Outputs:\n  Gone: { Value: !Ref Nowhere }\n`,
  'dangling-template.yaml': nodeGroupTemplate(hop('2')).replace('Id: !Ref Template', 'Id: !Ref Nowhere'),
  'folder/one.json': JSON.stringify({ Resources: { Bucket: { Type: 'AWS::S3::Bucket' } } }),
  'folder/deeper/error.yaml': nodeGroupTemplate(hop('1')),
  'folder/readme.md': '# nothing',
  'empty-folder/notes.txt': 'nothing to see',
  'bad/empty.json': '',
  'bad/blank.yaml': ' \n\n',
  'bad/binary.json': Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256),
  'bad/truncated.json': '{"Resources": {"A": {"Type": "AWS::EKS::Clu',
  'bad/truncated.yaml': 'Resources:\n  A: {Type: "AWS::EKS::Cluster"',
  'bad/list.json': '[1, 2, 3]',
  'bad/string.yaml': 'just words',
  'bad/duplicate.json': '{"Resources": {"A": {"Type": "AWS::S3::Bucket"}, "A": {"Type": "AWS::SNS::Topic"}}}',
  'bad/wrong-types.yaml': 'Resources:\n  - Type: AWS::EKS::Cluster\n',
  'bad/anchors.yaml': [...anchors, 'Resources: { A: { Type: AWS::S3::Bucket, Properties: *j } }'].join('\n'),
});

function check(...args: string[]) {
  return runCommand(['check', ...args], { cwd: folder });
}

function checkJson(...args: string[]): { report: JsonReport; exitCode: number | null; stderr: string } {
  const { stdout, stderr, exitCode } = check(...args, '--format', 'json');
  return { report: JSON.parse(stdout) as JsonReport, exitCode, stderr };
}

const STACK_TRACE = /^\s+at .*[(:]\d+:\d+\)?$/m;

describe('exit codes', () => {
  it.each([
    ['a clean template', ['clean.yaml'], 0],
    ['an error', ['error.yaml'], 1],
    ['a warning', ['warning.yaml'], 0],
    ['a warning that counts', ['warning.yaml', '--fail-on', 'warning'], 1],
    ['a warning raised to an error', ['warning.yaml', '--rule', 'imds-v1=error'], 1],
    ['an error lowered to a warning', ['error.yaml', '--rule', 'imds-hop-limit=warning'], 0],
    ['an error of a rule that is off', ['error.yaml', '--rule', 'imds-hop-limit=off'], 0],
    ['an error that an option allows', ['error.yaml', '--rule-option', 'imds-hop-limit.hopLimitOne=allow'], 0],
    ['an error that never counts', ['error.yaml', '--fail-on', 'never'], 0],
    ['an info', ['info.yaml', '--fail-on', 'unverifiable'], 0],
    ['an unverifiable finding', ['unverifiable.yaml', '--fail-on', 'warning'], 0],
    ['an unverifiable finding that counts', ['unverifiable.yaml', '--fail-on', 'unverifiable'], 1],
    ['an error where unverifiable counts', ['error.yaml', '--fail-on', 'unverifiable'], 1],
    ['a suppressed error', ['suppressed.yaml', '--fail-on', 'unverifiable'], 0],
    ['an error with an expired suppression', ['expired.yaml'], 1],
    ['a dangling reference in an output', ['dangling.yaml'], 0],
    ['a dangling reference in a property that rules read', ['dangling-template.yaml', '--fail-on', 'warning'], 0],
    ['a folder', ['folder'], 1],
    ['an unreadable file', ['bad/empty.json'], 2],
    ['an unreadable file beside a clean one', ['clean.yaml', 'bad/truncated.json'], 2],
    ['an unreadable file beside an error', ['bad/truncated.json', 'error.yaml'], 2],
    ['an unreadable file, whatever counts', ['bad/truncated.json', '--fail-on', 'never'], 2],
  ])('%s', (_, args, expected) => {
    const { exitCode, stdout, stderr } = check(...args);
    expect({ exitCode, stderr, stdout: exitCode === expected ? '' : stdout }).toEqual({
      exitCode: expected,
      stderr: '',
      stdout: '',
    });
  });
});

describe('the text report', () => {
  it('shows the finding with its lines, its fix and its page', () => {
    const { stdout } = check('error.yaml');
    expect(stdout).toMatch(
      /^error {2}imds-hop-limit \[unsafe fix\] {2}error\.yaml:13:11\n {2}Launch template "Template"/,
    );
    expect(stdout).toContain('  > 13 |   HttpPutResponseHopLimit: 1\n       |   ^^^^');
    expect(stdout).toMatch(/^ {2}fix {3}\S/m);
    expect(stdout).toMatch(/^Why, .* explain imds-hop-limit, or https:.*\/imds-hop-limit\.md$/m);
    const verbose = check('error.yaml', '--verbose').stdout;
    expect(verbose).toContain('  Template  AWS::EC2::LaunchTemplate\n');
    expect(verbose).toContain(
      '  > 13 |         HttpPutResponseHopLimit: 1\n       |         ^^^^^^^^^^^^^^^^^^^^^^^\n',
    );
    expect(verbose).toMatch(/^ {2}docs {2}https:.*imds-hop-limit\.md$/m);
  });

  it('counts unverifiable findings and lists them on request, or when they count', () => {
    const { stdout } = check('unverifiable.yaml');
    expect(stdout).toMatch(
      /^What the input does not tell\n {2}imds-hop-limit can't judge .*\n\n1 unverifiable in 1 input, 5 resources\nNot listed: 1 unverifiable\. Add --verbose to see them\.\n$/,
    );
    for (const flag of [['--verbose'], ['--fail-on', 'unverifiable']]) {
      expect(check('unverifiable.yaml', ...flag).stdout).toContain(
        'unverifiable  imds-hop-limit  unverifiable.yaml:15:11\n',
      );
    }
  });

  it('still reports the rest when one input is unreadable', () => {
    const { stdout } = check('error.yaml', 'bad/truncated.json');
    expect(stdout).toContain('error  imds-hop-limit [unsafe fix]  error.yaml:13:11\n');
    expect(stdout).toMatch(/^ {2}error {2}bad\/truncated\.json:1:\d+$/m);
    expect(stdout).toContain('1 input problem: not everything was checked\n');
  });

  it('has colours when they are forced, and none in a pipe, in a file or with NO_COLOR', () => {
    const escape = '\u001b[';
    const colours = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      runCommand(['check', 'error.yaml', ...args], { cwd: folder, env }).stdout.includes(escape);
    expect(colours({ FORCE_COLOR: '1' })).toBe(true);
    expect(colours({ FORCE_COLOR: '0' })).toBe(false);
    expect(colours({})).toBe(false);
    expect(colours({ NO_COLOR: '1' })).toBe(false);
    runCommand(['check', 'error.yaml', '--output', 'forced.txt'], { cwd: folder, env: { FORCE_COLOR: '1' } });
    expect(readFileSync(join(folder, 'forced.txt'), 'utf8')).not.toContain(escape);
  });
});

describe('the JSON report', () => {
  const isValid = new Ajv({ allowUnionTypes: true }).compile(reportSchema);

  it.each([
    ['clean.yaml'],
    ['error.yaml'],
    ['warning.yaml'],
    ['info.yaml'],
    ['unverifiable.yaml'],
    ['suppressed.yaml'],
    ['expired.yaml'],
    ['dangling.yaml'],
    ['folder'],
    ['bad'],
    ['empty-folder'],
    ['no-such-file'],
  ])('keeps the contract for %s', (path) => {
    const { report } = checkJson(path);
    isValid(report);
    expect(isValid.errors ?? []).toEqual([]);
  });

  it('says all about a finding', () => {
    const { report } = checkJson('error.yaml');
    const [finding] = report.findings.filter(({ rule }) => rule === 'imds-hop-limit');
    expect(finding).toMatchObject({
      severity: 'error',
      verdict: 'fail',
      resource: { type: 'AWS::EC2::LaunchTemplate', id: 'Template', path: null },
      location: {
        file: 'error.yaml',
        line: 13,
        column: 11,
        property: 'Properties.LaunchTemplateData.MetadataOptions.HttpPutResponseHopLimit',
      },
    });
    expect(report.inputs).toEqual([{ path: 'error.yaml', kind: 'cloudformation-template', resources: 5 }]);
    expect(report.summary.error).toBe(1);
  });

  it('keeps suppressed findings, with the reason', () => {
    const { report } = checkJson('suppressed.yaml');
    const [finding] = report.findings.filter(({ rule }) => rule === 'imds-hop-limit');
    expect(finding?.suppressed).toEqual({ reason: 'every pod has a role of its own', until: '2027-06-30' });
    expect(report.summary).toMatchObject({ error: 0, suppressed: 1 });
  });

  it('reports an expired suppression beside the finding', () => {
    const rules = checkJson('expired.yaml').report.findings.map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining(['imds-hop-limit', 'suppression-expired']));
  });

  it('tells of a dangling reference as a warning', () => {
    const { report } = checkJson('dangling-template.yaml');
    expect(report.diagnostics).toHaveLength(1);
    expect(report.diagnostics[0]).toMatchObject({ severity: 'warning', file: 'dangling-template.yaml', line: 23 });
    expect(report.diagnostics[0]?.message).toContain('Nowhere');
  });

  it('repeats unreadable inputs on standard error', () => {
    const { stderr, exitCode } = checkJson('bad/truncated.json');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: bad\/truncated\.json:1:\d+ .+\n$/);
  });
});

describe('bad input', () => {
  it.each([
    ['an empty file', 'bad/empty.json'],
    ['a blank file', 'bad/blank.yaml'],
    ['a binary file', 'bad/binary.json'],
    ['truncated JSON', 'bad/truncated.json'],
    ['truncated YAML', 'bad/truncated.yaml'],
    ['a list', 'bad/list.json'],
    ['a string', 'bad/string.yaml'],
    ['a list where a map belongs', 'bad/wrong-types.yaml'],
    ['anchors that explode', 'bad/anchors.yaml'],
    ['a missing path', 'no-such-file.yaml'],
    ['a folder without templates', 'empty-folder'],
  ])('%s is one clear diagnostic and exit code 2', (_, path) => {
    const { report, exitCode, stderr } = checkJson(path);
    expect(report.diagnostics.map(({ severity }) => severity)).toEqual(['error']);
    expect(report.diagnostics[0]?.message).toMatch(/\w+ \w+/);
    expect(report.diagnostics[0]?.line).toBeGreaterThanOrEqual(1);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect(exitCode).toBe(2);
  });

  it('has a duplicate key, which CloudFormation takes, as a warning', () => {
    const { report, exitCode } = checkJson('bad/duplicate.json');
    expect(report.diagnostics).toMatchObject([
      { severity: 'warning', line: 1, message: expect.stringContaining('"A"') as unknown },
    ]);
    expect(exitCode).toBe(0);
  });

  it('names the folder in which no template was found', () => {
    expect(check('empty-folder').stdout).toMatch(/^ {2}error {2}empty-folder:1:1\n {4}.*no CloudFormation template/m);
  });
});

describe('bad usage', () => {
  it.each([
    [
      'an unknown option',
      ['clean.yaml', '--fail-onn', 'error'],
      "error: unknown option '--fail-onn'\n(Did you mean --fail-on?)\n",
    ],
    [
      'an unknown level to fail on',
      ['clean.yaml', '--fail-on', 'info'],
      'Allowed choices are error, warning, unverifiable, never.',
    ],
    [
      'an unknown format',
      ['clean.yaml', '--format', 'xml'],
      'error: there is no format "xml"; the formats are text, compact, json, sarif, junit, github, gitlab, atlantis, markdown, html\n',
    ],
    [
      'an unknown preset',
      ['clean.yaml', '--preset', 'strickt'],
      'error: there is no preset "strickt"; did you mean "strict"? the presets are recommended, strict, all\n',
    ],
    [
      'an unknown rule',
      ['clean.yaml', '--rule', 'imds-hoplimit=off'],
      'error: there is no rule "imds-hoplimit"; did you mean "imds-hop-limit"?\n',
    ],
    [
      'an unknown level',
      ['clean.yaml', '--rule', 'imds-v1=fatal'],
      'error: "fatal" is no level of rule imds-v1; the levels are off, info, warning, error\n',
    ],
    ['a rule without level', ['clean.yaml', '--rule', 'imds-v1'], 'error: --rule takes ID=LEVEL'],
    [
      'an option of an unknown rule',
      ['clean.yaml', '--rule-option', 'imds-v2.x=y'],
      'error: there is no rule "imds-v2"',
    ],
    [
      'an unknown option of a rule',
      ['clean.yaml', '--rule-option', 'imds-v1.x=y'],
      'error: rule imds-v1 has no option "x"; it has none\n',
    ],
    [
      'an unknown value of an option',
      ['clean.yaml', '--rule-option', 'imds-hop-limit.hopLimitOne=yes'],
      'error: option "hopLimitOne" of rule imds-hop-limit is one of ',
    ],
    [
      'an option without value',
      ['clean.yaml', '--rule-option', 'imds-hop-limit'],
      'error: --rule-option takes ID.OPTION=VALUE',
    ],
    [
      'a malformed day',
      ['clean.yaml', '--as-of', 'tomorrow'],
      "error: option '--as-of <date>' argument 'tomorrow' is invalid. It takes a day such as 2027-01-31.\nRun with --help for usage.\n",
    ],
    [
      'a day that the calendar lacks',
      ['clean.yaml', '--as-of', '2027-02-29'],
      "error: option '--as-of <date>' argument '2027-02-29' is invalid. It takes a day such as 2027-01-31.\nRun with --help for usage.\n",
    ],
    [
      'two reports for one place',
      ['clean.yaml', '--format', 'json', '--format', 'text'],
      'error: two formats would go to standard output',
    ],
    [
      'two files for one report',
      ['clean.yaml', '--output', 'a', '--output', 'b'],
      'error: no format is given for "a", and its name doesn\'t tell',
    ],
    ['an option without argument', ['clean.yaml', '--output'], "error: option '--output <file>' argument missing\n"],
  ])('%s: exit code 2 and a message, nothing checked', (_, args, message) => {
    const { exitCode, stdout, stderr } = runCommand(['check', ...args], { cwd: folder });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(STACK_TRACE);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});

describe('reports in files', () => {
  it('pairs formats with files and prints the one without', () => {
    const { exitCode, stdout } = check(
      'error.yaml',
      '--format',
      'text',
      '--format',
      'json',
      '--output',
      'out/report.json',
    );
    expect(exitCode).toBe(1);
    expect(stdout).toContain('error  imds-hop-limit [unsafe fix]  ');
    const report = JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8')) as JsonReport;
    expect(report.summary.error).toBe(1);
  });

  it('sums up on standard error when all reports go to files', () => {
    const { stdout, stderr } = check('error.yaml', '--output', 'only.txt');
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^1 error.* in 1 input, 5 resources\n$/);
    expect(withoutDay(readFileSync(join(folder, 'only.txt'), 'utf8'))).toBe(check('error.yaml').stdout);
  });

  it.each([
    ['clean.yaml/report.json', 'a part of its path is a file'],
    ['folder', 'it is a folder'],
    ['none/', 'it is a folder'],
    ['round', 'its symbolic links go round in a circle'],
  ])('that cannot be written are refused before anything is read: %s', (name, reason) => {
    if (name === 'round') symlinkSync('round', join(folder, 'round'));
    const { exitCode, stdout, stderr } = check(
      'missing.yaml',
      '--format',
      'json',
      '--output',
      name,
      '--format',
      'text',
    );
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: can't write ${name}: ${reason}\n`,
    });
  });

  it('that are lost are told as text, wherever there is room', () => {
    const alone = check('error.yaml', '--format', 'json', '--output', '/dev/full');
    expect(alone).toMatchObject({
      exitCode: 2,
      stderr: "error: can't write /dev/full: the disk is full\n",
      stdout: check('error.yaml').stdout,
    });
    const beside = check('error.yaml', '--format', 'json', '--format', 'sarif', '--output', '/dev/full');
    expect(JSON.parse(beside.stdout)).toHaveProperty('findings');
    expect(beside.stderr).toBe(`error: can't write /dev/full: the disk is full\n${alone.stdout}`);
  });

  it.each([
    ['standard output', '--output /dev/stdout | cat'],
    ['standard error', '--output /dev/stderr 2>&1 >/dev/null | cat'],
    ['another descriptor', '--output /dev/fd/3 3>&1 >/dev/null 2>&1 | cat'],
  ])('go to %s where that is a pipe', (_, rest) => {
    const { stdout } = spawnSync('bash', ['-c', `node "$0" check error.yaml --format json ${rest}`, builtCommand()], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^\{\n {2}"version"[^]*\n\}\n/);
  });

  it('are written where a link leads that has led nowhere so far', () => {
    symlinkSync('new/target.json', join(folder, 'dangling.json'));
    expect(check('clean.yaml', '--format', 'json', '--output', 'dangling.json').exitCode).toBe(0);
    expect(lstatSync(join(folder, 'dangling.json')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(folder, 'new/target.json'))).toBe(true);
  });
});

describe('a reader that stops early', () => {
  const workers = {
    Type: 'AWS::EKS::Nodegroup',
    Properties: { ClusterName: 'prod', AmiType: 'AL2023_x86_64_STANDARD', Subnets: [], NodeRole: 'r' },
  };
  // In JSON more than a pipe holds.
  const resources = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`Workers${index}`, workers]));
  const large = workspace({ 'large.json': JSON.stringify({ Resources: resources }) });

  it('ends the command quietly, with the exit code of the check', () => {
    const shell = 'node "$0" check large.json --format json | head -n 1; echo "${PIPESTATUS[0]}"';
    const { stdout, stderr } = spawnSync('bash', ['-c', shell, builtCommand()], { cwd: large, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe('{\n1\n');
  });

  it('is told from a full disk, which is exit code 2', () => {
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', 'node "$0" check large.json --format json > /dev/full; echo "$?"', builtCommand()],
      { cwd: large, encoding: 'utf8' },
    );
    expect(stderr).toBe("error: can't write to standard output: the disk is full\n");
    expect(stdout).toBe('2\n');
  });
});
