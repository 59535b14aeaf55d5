import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPaths } from '../../lib/check';
import { docsUrl, type Diagnostic, type Severity } from '../../lib/engine';
import { EksModel, type EksResource } from '../../lib/eks';
import { render } from '../../lib/reports';
import { summaryLine } from '../../lib/reports/summary';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const yaml = `Resources:
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: prod
      ForceUpdateEnabled: true
      LaunchTemplate: {Id: !Ref WorkersTemplate, Version: $Latest}
  WorkersTemplate:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions:
          HttpPutResponseHopLimit: 1
          HttpTokens: optional
`;
const json = `{
\t"Resources": {
\t\t"Role": { "Type": "AWS::IAM::Role", "Properties": { "Path": "/" } }
\t}
}
`;
const files = { 'cluster.yaml': yaml, 'role.json': json };
const at = (text: string) => placeOf('cluster.yaml', yaml, text);
const template = resourceAt(at('WorkersTemplate:'));
const workers = resourceAt(at('Workers:'), {
  type: 'AWS::EKS::Nodegroup',
  id: 'Workers',
  path: 'Prod/Cluster/Workers',
});
const role = resourceAt(placeOf('role.json', json, '"Role"'), { type: 'AWS::IAM::Role', id: 'Role' });

const hopLimit = findingOn(template, {
  message:
    'Launch template "WorkersTemplate" sets the hop limit to 1, so pods without a role of their own get no credentials and fail with `Unable to locate credentials`.',
  fix: 'Declare 2, or keep 1 and give every pod a role of its own.',
  fixCode: 'MetadataOptions:\n  HttpPutResponseHopLimit: 2\n',
  source: at('HttpPutResponseHopLimit'),
  related: [{ message: 'node group "Workers" uses the launch template', source: at('LaunchTemplate: {Id') }],
});
const tokens = findingOn(template, {
  rule: 'imds-v1',
  severity: 'warning',
  message: 'IMDSv1 answers.',
  source: at('HttpTokens'),
});
const forceUpdate = findingOn(workers, {
  rule: 'node-group-force-update',
  severity: 'warning',
  message: 'Pods are evicted by force.',
  source: at('ForceUpdateEnabled'),
});
const unverifiable = findingOn(workers, {
  rule: 'addon-version',
  severity: 'info',
  verdict: 'unverifiable',
  message: "Can't tell.",
  cause: 'its version is not known',
});
const info = findingOn(role, {
  rule: 'vpc-cni-role-on-nodes',
  severity: 'info',
  message: 'The node role carries the CNI policy.',
});
const suppressed = findingOn(role, {
  rule: 'irsa-subject',
  message: 'Any pod may assume it.',
  suppressed: { reason: 'one tenant', until: '2027-01-31' },
});
const everything = [hopLimit, tokens, forceUpdate, unverifiable, info, suppressed];
const diagnostics = [
  { severity: 'error', message: 'the file ends inside a string', file: 'broken.json', line: 3, column: 9 },
  { severity: 'warning', message: 'there is no resource "Gone"', file: 'cluster.yaml', line: 7, column: 32 },
] as const;

function golden(name: string, actual: string): void {
  const file = join(__dirname, 'golden', name);
  // UPDATE_GOLDEN=1 writes what is there now; the difference is read in review.
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}

describe('the text report', () => {
  it('looks like the golden file by default', () => {
    golden('default.txt', render('text', resultOf(everything, diagnostics), contextWith(files)));
  });

  it('looks like the golden file when everything is listed', () => {
    const list = { info: true, unverifiable: true, suppressed: true };
    golden('verbose.txt', render('text', resultOf(everything, diagnostics), contextWith(files, { list })));
  });

  it('looks like the golden file when only errors are listed', () => {
    const list = { warning: false, info: false, unverifiable: false, suppressed: false };
    golden('quiet.txt', render('text', resultOf(everything, diagnostics), contextWith(files, { list })));
  });

  it('is the same with colours, apart from the colours', () => {
    const coloured = render('text', resultOf(everything, diagnostics), contextWith(files, { colour: true }));
    expect(coloured).toContain('\u001b[31merror\u001b[39m');
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(
      render('text', resultOf(everything, diagnostics), contextWith(files)),
    );
  });

  it('says that there is nothing to say', () => {
    expect(render('text', resultOf([]), contextWith({}))).toBe('No findings in 1 input, 12 resources\n');
  });

  it('tells the worst first, and then goes by line', () => {
    const report = render('text', resultOf([tokens, forceUpdate, hopLimit]), contextWith(files));
    expect(report.match(/^(?:error|warning) {2}\S+/gm)).toEqual([
      'error  imds-hop-limit',
      'warning  node-group-force-update',
      'warning  imds-v1',
    ]);
  });

  it('reads each file at most once', () => {
    const reads: string[] = [];
    const readSource = (file: string) => {
      reads.push(file);
      return undefined;
    };
    render('text', resultOf([hopLimit, tokens, forceUpdate]), contextWith({}, { readSource }));
    expect(reads).toEqual(['cluster.yaml']);
  });

  it('does without frames when the file is gone or shorter than it was', () => {
    const without = render('text', resultOf([hopLimit]), contextWith({}));
    expect(without).toContain('imds-hop-limit  cluster.yaml:13:11\n');
    expect(without).not.toContain(' | ');
    expect(render('text', resultOf([hopLimit]), contextWith({ 'cluster.yaml': 'Resources:\n' }))).toBe(without);
  });

  it('keeps every line of prose within the width', () => {
    for (const width of [50, 80, 100]) {
      const report = render('text', resultOf([hopLimit, tokens], diagnostics), contextWith(files, { width }));
      // Addresses and headings stay in one piece.
      const tooLong = report.split('\n').filter((line) => line.length > width && !/https:|AWS::/.test(line));
      expect(tooLong).toEqual([]);
    }
  });

  it('sets suppressed findings apart from the others', () => {
    const list = { info: false, unverifiable: false, suppressed: true };
    const report = render('text', resultOf([suppressed]), contextWith(files, { list }));
    expect(report).toContain('suppressed  irsa-subject  role.json:3:3\n');
    expect(report).toContain('  kept  one tenant (until 2027-01-31)\n');
    expect(report).toContain('\n1 suppressed in 1 input, 12 resources\n');
  });

  it('lets no control character of a template reach the terminal', () => {
    const evil = findingOn(template, { message: 'name \u001b[2Jis\u202e "\u0007"', fix: 'a\nb' });
    const report = render(
      'text',
      resultOf([evil]),
      contextWith({ 'cluster.yaml': yaml.replace('WorkersTemplate:', 'WorkersTemplate: #\u001b]0;x\u0007') }),
    );
    expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(report).toContain('name ?[2Jis? "?"');
  });

  it('tells a problem that several places share once, and the first few of each file', () => {
    const problem = (file: string, line: number, message: string) =>
      ({ severity: 'error', message, file, line, column: 1 }) as const;
    const many = [
      ...Array.from({ length: 22 }, (_, index) => problem('broken.tf', index + 1, `found ${index}`)),
      problem('a.tf', 1, 'the same'),
      problem('b.tf', 2, 'the same'),
    ];
    const report = render('text', resultOf([], many), contextWith({}));
    expect(report).toContain('  error  broken.tf:3:1\n    found 2\n    and 19 more problems in this file\n');
    expect(report).toContain('  error  a.tf:1:1 and 1 more place\n    the same\n');
    expect(report).toContain('24 input problems: not everything was checked');
    expect(
      render(
        'text',
        resultOf([], many),
        contextWith({}, { list: { info: true, unverifiable: true, suppressed: true } }),
      ),
    ).toContain('  error  broken.tf:22:1\n');
  });

  it('prints a fix and a page once, where not everything is listed', () => {
    const again = { ...hopLimit, messageId: 'other', message: 'Another.', source: at('HttpTokens') };
    const report = render('text', resultOf([hopLimit, again]), contextWith(files));
    expect(report.match(/Declare 2, or keep 1/g)).toHaveLength(1);
    expect(report).toContain('  fix   as above\n');
    expect(report.match(/^About imds-hop-limit: https:/gm)).toHaveLength(1);
  });

  it('names the page of one rule of its own, and the catalogue where there are several', () => {
    const own = { ...hopLimit, docs: docsUrl('imds-hop-limit') };
    expect(render('text', resultOf([own, tokens]), contextWith(files))).toContain(
      `Why, and when to ignore it: eks-guardrails explain imds-hop-limit, or ${docsUrl('imds-hop-limit')}\nAbout imds-v1: https://example.com/imds-hop-limit\n`,
    );
    const both = [own, { ...tokens, docs: docsUrl('imds-v1') }];
    expect(render('text', resultOf(both), contextWith(files))).toContain(
      `explain imds-hop-limit, or ${docsUrl('README')}\n`,
    );
  });

  it('tells findings that one fix mends as one, with what is different at each place', () => {
    const source = (line: number) => ({ locate: () => ({ file: 'a.tf', line, column: 3 }) });
    const of = (id: string, line: number, message: string, values: Parameters<typeof findingOn>[1] = {}) =>
      findingOn(resourceAt(source(line), { type: 'aws_eks_addon', id, frontEnd: 'terraform' }), {
        message,
        fixCode: `addon_version = "v1"`,
        ...values,
      });
    const findings = [
      of('aws_eks_addon.a["gpu"]', 1, 'Add-on aws_eks_addon.a["gpu"] has version v1.10, too old for 1.33.'),
      of('aws_eks_addon.b', 2, 'Add-on aws_eks_addon.b has version v1.11, too old for 1.33.'),
      of('aws_eks_addon.a["cpu"]', 1, 'Add-on aws_eks_addon.a["cpu"] has version v1.10, too old for 1.33.'),
      of('aws_eks_addon.c', 3, 'Add-on aws_eks_addon.c has version v1.10, too old for 1.33.', { fixCode: 'other' }),
      of('aws_eks_addon.d', 4, 'Add-on aws_eks_addon.d has version v1.10, too old for 1.33.', { severity: 'warning' }),
    ];
    const report = render('text', resultOf(findings), contextWith({}));
    expect(report.match(/^(?:error|warning) .*$/gm)).toEqual([
      'error  imds-hop-limit  a.tf:1:3',
      'error  imds-hop-limit  a.tf:3:3',
      'warning  imds-hop-limit  a.tf:4:3',
    ]);
    expect(report).toContain(
      '  same  for cpu\n  same  a.tf:2:3 aws_eks_addon.b v1.11\n  fix   Declare 2.\n        addon_version = "v1"\n',
    );
    const each = render('text', resultOf(findings), contextWith({}, { list: everythingListed }));
    expect(each.match(/^(?:error|warning) /gm)).toHaveLength(5);
  });

  it('tells what else is said of a resource at the same place', () => {
    const of = (key: string) =>
      findingOn(template, {
        message: `Template has the key "${key}", which nothing reads.`,
        about: key,
        source: at('HttpTokens'),
      });
    const report = render('text', resultOf([of('Hop'), of('Token'), of('Endpoint')]), contextWith({}));
    expect(report).toContain('  here  WorkersTemplate "Token"\n  here  WorkersTemplate "Endpoint"\n  fix ');
    expect(report.match(/^error /gm)).toHaveLength(1);
  });

  it('lists as many findings as it is asked for, and tells how many more there are', () => {
    const findings = [hopLimit, tokens, forceUpdate];
    const most = (number: number) => render('text', resultOf(findings), contextWith(files, { most: number }));
    expect(most(1).match(/^(?:error|warning) /gm)).toHaveLength(1);
    expect(most(1)).toContain('\n... and 2 more findings\n\n');
    expect(most(1)).toContain('1 error, 2 warnings in');
    expect(most(3)).not.toContain('more finding');
  });

  it('counts findings by rule on request, the worst and most frequent first', () => {
    const again = { ...tokens, source: at('LaunchTemplate: {Id') };
    const result = resultOf([forceUpdate, tokens, unverifiable, info, suppressed, again, hopLimit], diagnostics);
    expect(render('text', result, contextWith(files, { statistics: true }))).toBe(
      [
        '1  error         imds-hop-limit',
        '2  warning       imds-v1',
        '1  warning       node-group-force-update',
        '1  info          vpc-cni-role-on-nodes',
        '1  unverifiable  addon-version',
        '1  suppressed    irsa-subject',
        '',
        'Problems with the input',
        '',
        '  error  broken.json:3:9',
        '    the file ends inside a string',
        '  warning  cluster.yaml:7:32',
        '    there is no resource "Gone"',
        '',
        '1 error, 3 warnings, 1 info, 1 unverifiable, 1 suppressed in 1 input, 12 resources',
        '1 input problem: not everything was checked',
        '',
      ].join('\n'),
    );
    const equals = ['b-rule', 'a-rule', 'c-rule'].map((rule) => ({ ...hopLimit, rule }));
    expect(
      render('text', resultOf(equals), contextWith(files, { statistics: true })).match(/(?<=error {2})\S+/g),
    ).toEqual(['a-rule', 'b-rule', 'c-rule']);
    expect(render('text', resultOf([]), contextWith({}, { statistics: true }))).toBe(
      'No findings in 1 input, 12 resources\n',
    );
  });

  const everythingListed = { info: true, unverifiable: true, suppressed: true };
  const placed = (file: string, line: number, column = 1) => ({ locate: () => ({ file, line, column }) });
  const named = (id: string, source = placed('a.tf', 1), values: Parameters<typeof resourceAt>[1] = {}) =>
    resourceAt(source, { type: 'aws_eks_addon', id, frontEnd: 'terraform', stack: '.', ...values });
  const blocks = (report: string) =>
    report.split('\n').flatMap((line) => /^(\S.*?) {2}(\S.*)$/.exec(line)?.slice(1, 3).join(' | ') ?? []);

  it.each<[string, readonly Diagnostic['skipped'][], boolean, string]>([
    [
      'one thing',
      [{ what: 'module', count: 1 }],
      false,
      "No findings in 1 input, 12 resources. Not checked: 1 module that isn't here",
    ],
    [
      'several, in their order',
      [
        { what: 'link', count: 2 },
        { what: 'app', count: 1 },
        { what: 'link', count: 1 },
        { what: 'Terragrunt folder', count: 2 },
      ],
      false,
      'No findings in 1 input, 12 resources. Not checked: 2 Terragrunt folders, 1 app that is not synthesized, 3 links',
    ],
    [
      'files',
      [
        { what: 'encrypted file', count: 1 },
        { what: 'file', count: 2 },
      ],
      false,
      'No findings in 1 input, 12 resources. Not checked: 1 encrypted file, 2 files',
    ],
    ['nothing', [undefined], true, 'No findings in 1 input, 12 resources'],
  ])('counts what was not checked: %s', (_, skipped, isComplete, expected) => {
    const result = resultOf(
      [],
      skipped.map((one) => ({
        severity: 'warning',
        message: 'skipped',
        file: 'a.tf',
        line: 1,
        column: 1,
        ...(one === undefined ? {} : { skipped: one }),
      })),
    );
    expect(summaryLine(result, false)).toBe(expected);
    expect(summaryLine(result, true)).toBe(
      isComplete ? expected.replace('No findings', '\u001b[32mNo findings\u001b[39m') : expected,
    );
  });

  it('calls a check without findings clean only if all was read', () => {
    const unread = resultOf([], [diagnostics[0]]);
    expect(summaryLine(unread, true)).toBe('No findings in 1 input, 12 resources');
    expect(summaryLine({ ...resultOf([hopLimit, tokens, info]), inputs: [] }, true)).toBe(
      '\u001b[31m1 error\u001b[39m, \u001b[33m1 warning\u001b[39m, 1 info in 0 inputs, 0 resources',
    );
    expect(render('text', unread, contextWith({}))).toContain('\n1 input problem: not everything was checked\n');
    expect(render('text', { ...resultOf([]), asOf: '2026-11-21' }, contextWith({}))).toBe(
      'No findings in 1 input, 12 resources\nJudged as of 2026-11-21.\n',
    );
  });

  it.each<[string, Partial<Parameters<typeof resourceAt>[1]>, string]>([
    ['a module beside it', { stack: 'live/a' }, 'aws_eks_addon x, called by live/a'],
    ['the root module itself', { stack: '.' }, 'aws_eks_addon x'],
    ['a folder of the root module', { stack: 'modules/eks' }, 'aws_eks_addon x'],
    ['a stack', { stack: 'Prod', frontEnd: 'aws-cdk' }, 'aws_eks_addon x'],
  ])('names the root module of what stands in %s', (_, values, expected) => {
    const resource = named('x', placed('modules/eks/main.tf', 1), { path: 'Prod/x', ...values });
    expect(render('text', resultOf([findingOn(resource)]), contextWith({}))).toContain(`  Prod/x  ${expected}\n`);
  });

  it('tells what is unverifiable for the same reason once, with all rules', () => {
    const open = (rule: string, values: Parameters<typeof findingOn>[1] = {}) =>
      findingOn(workers, {
        rule,
        severity: 'info',
        verdict: 'unverifiable',
        message: 'Nobody sees the template.',
        fix: '',
        ...values,
      });
    const report = render(
      'text',
      resultOf([
        open('a'),
        open('b'),
        open('c', { message: 'Something else.' }),
        open('d', { suppressed: { reason: 'meant' } }),
        open('e', { source: at('ForceUpdateEnabled') }),
        open('f', { verdict: 'fail', messageId: 'x' }),
      ]),
      contextWith({}, { list: everythingListed }),
    );
    expect(blocks(report)).toEqual([
      'info | f  cluster.yaml:2:3',
      'unverifiable | a, b  cluster.yaml:2:3',
      'unverifiable | c  cluster.yaml:2:3',
      'unverifiable | e  cluster.yaml:6:7',
      'suppressed | d  cluster.yaml:2:3',
    ]);
  });

  it('keeps files in the order of the findings, and resources and findings in that of their places', () => {
    const finding = (
      id: string,
      resourcePlace: ReturnType<typeof placed>,
      place: ReturnType<typeof placed>,
      severity: Severity = 'warning',
    ) => ({ resource: named(id, resourcePlace), place, severity });
    const late = finding('late', placed('b.tf', 9), placed('b.tf', 9));
    const wide = finding('wide', placed('b.tf', 2, 7), placed('b.tf', 2, 7));
    const narrow = finding('narrow', placed('b.tf', 2, 3), placed('b.tf', 4, 1));
    const other = finding('other', placed('a.tf', 1), placed('a.tf', 1));
    const apart = {
      ...other,
      resource: named('apart', placed('0.tf', 1), { isNotEnabled: true }),
      place: placed('0.tf', 1),
    };
    const told = [apart, late, other, wide, narrow].map(({ resource, place, severity }) =>
      findingOn(resource, { source: place, severity, message: `Of ${resource.id}.`, fix: `Change ${resource.id}.` }),
    );
    const inOrder = [placed('b.tf', 5, 2), placed('b.tf', 4, 9), placed('b.tf', 4, 2)].map((source, index) =>
      findingOn(narrow.resource, { source, severity: 'warning', rule: `rule-${index}`, message: `It is ${index}.` }),
    );
    const worst = findingOn(narrow.resource, { source: placed('b.tf', 8), rule: 'worst', message: 'Worst.' });
    const report = render('text', resultOf([...told, ...inOrder, worst]), contextWith({}));
    expect(blocks(report).map((line) => line.replace(' | ', ' '))).toEqual([
      'error worst  b.tf:8:1',
      'warning imds-hop-limit  b.tf:2:7',
      'warning imds-hop-limit  b.tf:4:1',
      'warning rule-2  b.tf:4:2',
      'warning rule-1  b.tf:4:9',
      'warning rule-0  b.tf:5:2',
      'warning imds-hop-limit  b.tf:9:1',
      'warning imds-hop-limit  a.tf:1:1',
      'warning imds-hop-limit  0.tf:1:1',
    ]);
  });

  it('prints another code of the same fix, and all fixes where everything is listed', () => {
    const code = (fixCode: string | undefined, message: string) =>
      findingOn(template, { fix: 'Declare 2.', fixCode, message, source: at('HttpTokens') });
    const findings = [
      { ...code('a: 1\n\n', 'One.'), messageId: 'one' },
      code('a: 1\n\n', 'Two.'),
      code('b: 2', 'Three.'),
      code(undefined, 'Four.'),
    ];
    const report = (list = contextWith({}).list) => render('text', resultOf(findings), contextWith({}, { list }));
    expect(report().match(/^ {2}fix .*|^ {8}\w: \d$|^ {2}docs .*/gm)).toEqual([
      '  fix   Declare 2.',
      '        a: 1',
      '  fix   as above',
      '  fix   Declare 2.',
      '        b: 2',
      '  fix   Declare 2.',
    ]);
    expect(report(everythingListed).match(/fix {3}Declare 2/g)).toHaveLength(4);
    expect(report(everythingListed).match(/^ {8}\w: \d$/gm)).toEqual(['        a: 1', '        a: 1', '        b: 2']);
    expect(report(everythingListed).match(/ docs /g)).toHaveLength(4);
    expect(render('text', resultOf([findingOn(template, { fix: '', docs: '' })]), contextWith({}))).toBe(
      'error  imds-hop-limit  cluster.yaml:8:3\n  Launch template "WorkersTemplate" sets the hop limit to 1.\n\n1 error in 1 input, 12 resources\n',
    );
  });

  it('shows the lines of a place once, and numbers of lines in a column', () => {
    const text = Array.from({ length: 12 }, (_, index) => `key${index + 1}: ${index + 1}\n`).join('');
    const findings = [
      [9, 'a'],
      [9, 'b'],
      [1, 'c'],
    ].map(([line, rule]) =>
      findingOn(template, {
        source: placed('x.yaml', Number(line)),
        rule: String(rule),
        message: `${rule}`,
        fix: '',
        docs: '',
        severity: rule === 'c' ? 'info' : 'error',
      }),
    );
    const report = render('text', resultOf(findings), contextWith({ 'x.yaml': text }, { list: everythingListed }));
    expect(report.match(/^ {2}[ >] {1,2}\d+ \|.*$|^ {6,7}\|.*$/gm)).toEqual([
      '     7 | key7: 7',
      '     8 | key8: 8',
      '  >  9 | key9: 9',
      '       | ^^^^',
      '    10 | key10: 10',
      '    11 | key11: 11',
      '  > 1 | key1: 1',
      '      | ^^^^',
      '    2 | key2: 2',
      '    3 | key3: 3',
    ]);
  });

  it('names resources at other places, and those at its own', () => {
    const model = new EksModel(['x', 'y', 'z', 'w'].map((id) => named(id)) as unknown as EksResource[]);
    const of = (id: string, line: number) =>
      findingOn(named(id, placed('a.tf', line)), { message: `Add-on ${id} names no version.`, docs: '', fix: '' });
    const report = render(
      'text',
      { ...resultOf([of('x', 1), of('y', 1), of('z', 5), of('w', 5)]), model },
      contextWith({}),
    );
    expect(report).toContain('  same  for y\n  same  a.tf:5:1 z and w\n\n');
    const apart = render('text', { ...resultOf([of('x', 1), of('z', 5)]), model }, contextWith({}));
    expect(apart).toContain('.\n  same  a.tf:5:1 z\n\n');
    expect(apart.match(/^error /gm)).toHaveLength(1);
    expect(render('text', { ...resultOf([of('x', 1), of('y', 1)]), model }, contextWith({}))).not.toContain(
      'more place',
    );
  });

  it('tells problems of each severity apart, and doubts only where they are wanted', () => {
    const problem = (severity: 'error' | 'warning', line: number, message: string) => ({
      severity,
      message,
      file: 'a.tf',
      line,
      column: 1,
    });
    const all = [
      ...[1, 2, 3, 4].map((line) => problem('error', line, `found ${line}`)),
      problem('warning', 5, 'found 1'),
      problem('warning', 6, 'doubt'),
    ];
    const report = (list = contextWith({}).list) =>
      render('text', resultOf([], all), contextWith({}, { list })).split('\n\n')[1];
    const errors =
      '  error  a.tf:1:1\n    found 1\n  error  a.tf:2:1\n    found 2\n  error  a.tf:3:1\n    found 3\n    and 1 more problem in this file';
    expect(report()).toBe(`${errors}\n  warning  a.tf:5:1\n    found 1\n  warning  a.tf:6:1\n    doubt`);
    expect(report({ warning: false, info: false, unverifiable: false, suppressed: false })).toBe(errors);
    expect(
      render(
        'text',
        resultOf([], all.slice(4)),
        contextWith({}, { list: { warning: false, info: false, unverifiable: false, suppressed: false } }),
      ),
    ).toBe('No findings in 1 input, 12 resources\n');
  });

  it('tells six causes of what it cannot judge', () => {
    const open = (index: number) =>
      findingOn(workers, {
        rule: `rule-${index}`,
        severity: 'info',
        verdict: 'unverifiable',
        message: 'Open.',
        cause: `cause ${index}`,
      });
    const causes = (number: number) =>
      render('text', resultOf(Array.from({ length: number }, (_, index) => open(index))), contextWith({})).match(
        /cause.*$/gm,
      );
    expect(causes(6)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `cause ${index}`));
    expect(causes(7)).toEqual([...[0, 1, 2, 3, 4, 5].map((index) => `cause ${index}`), 'cause']);
    expect(render('text', resultOf([0, 1, 2, 3, 4, 5, 6, 7].map(open)), contextWith({}))).toContain(
      '\n  and 2 more causes\n\n',
    );
  });

  it('says how to see what is not listed', () => {
    const report = render('text', resultOf([unverifiable, info, suppressed]), contextWith(files));
    expect(report).toBe(
      "What the input does not tell\n  addon-version can't judge Prod/Cluster/Workers: its version is not known\n\n1 info, 1 unverifiable, 1 suppressed in 1 input, 12 resources\nNot listed: 1 info, 1 unverifiable, 1 suppressed. Add --verbose to see them.\n",
    );
  });
});

it('names the parts of one resource that share a line, as an anchor has it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-anchor-'));
  try {
    const file = join(folder, 'cluster.yaml');
    writeFileSync(
      file,
      'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: main, region: eu-west-1 }\nmanagedNodeGroups:\n  - &base\n    name: a\n    securityGroups: { withLocal: true }\n  - <<: *base\n    name: b\n',
    );
    expect(render('text', checkPaths([file]), contextWith({}))).toContain('  same  for "b"\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
