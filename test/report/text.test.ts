import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from '../../lib/report';
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
const workers = resourceAt(at('Workers:'), { type: 'AWS::EKS::Nodegroup', id: 'Workers', path: 'Prod/Cluster/Workers' });
const role = resourceAt(placeOf('role.json', json, '"Role"'), { type: 'AWS::IAM::Role', id: 'Role' });

const hopLimit = findingOn(template, {
  message:
    'Launch template "WorkersTemplate" sets the hop limit to 1, so pods without a role of their own get no credentials and fail with `Unable to locate credentials`.',
  fix: 'Declare 2, or keep 1 and give every pod a role of its own.',
  fixCode: 'MetadataOptions:\n  HttpPutResponseHopLimit: 2\n',
  source: at('HttpPutResponseHopLimit'),
  related: [{ message: 'node group "Workers" uses the launch template', source: at('LaunchTemplate: {Id') }],
});
const tokens = findingOn(template, { rule: 'imds-v1', severity: 'warning', message: 'IMDSv1 answers.', source: at('HttpTokens') });
const forceUpdate = findingOn(workers, { rule: 'node-group-force-update', severity: 'warning', message: 'Pods are evicted by force.', source: at('ForceUpdateEnabled') });
const unverifiable = findingOn(workers, { rule: 'addon-version', severity: 'info', verdict: 'unverifiable', message: "Can't tell.", cause: 'its version is not known' });
const info = findingOn(role, { rule: 'vpc-cni-role-on-nodes', severity: 'info', message: 'The node role carries the CNI policy.' });
const suppressed = findingOn(role, { rule: 'irsa-subject', message: 'Any pod may assume it.', suppressed: { reason: 'one tenant', until: '2027-01-31' } });
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
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(render('text', resultOf(everything, diagnostics), contextWith(files)));
  });

  it('says that there is nothing to say', () => {
    expect(render('text', resultOf([]), contextWith({}))).toBe('No findings in 1 input, 12 resources\n');
  });

  it('groups by resource in the order of the file, worst first', () => {
    const report = render('text', resultOf([tokens, forceUpdate, hopLimit]), contextWith(files));
    const order = ['Prod/Cluster/Workers', 'node-group-force-update', 'WorkersTemplate', 'imds-hop-limit', 'imds-v1'].map((text) => report.search(new RegExp(`(^|  )${text}  `, 'm')));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
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
    expect(report).toContain('  suppressed  irsa-subject  role.json:3:3\n');
    expect(report).toContain('kept  one tenant (until 2027-01-31)\n');
    expect(report).toContain('\n1 suppressed in 1 input, 12 resources\n');
  });

  it('lets no control character of a template reach the terminal', () => {
    const evil = findingOn(template, { message: 'name \u001b[2Jis\u202e "\u0007"', fix: 'a\nb' });
    const report = render('text', resultOf([evil]), contextWith({ 'cluster.yaml': yaml.replace('WorkersTemplate:', 'WorkersTemplate: #\u001b]0;x\u0007') }));
    expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(report).toContain('name ?[2Jis? "?"');
  });

  it('tells a problem that several places share once, and the first few of each file', () => {
    const problem = (file: string, line: number, message: string) => ({ severity: 'error', message, file, line, column: 1 }) as const;
    const many = [...Array.from({ length: 22 }, (_, index) => problem('broken.tf', index + 1, `found ${index}`)), problem('a.tf', 1, 'the same'), problem('b.tf', 2, 'the same')];
    const report = render('text', resultOf([], many), contextWith({}));
    expect(report).toContain('  error  broken.tf:3:1\n    found 2\n    and 19 more problems in this file\n');
    expect(report).toContain('  error  a.tf:1:1 and 1 more place\n    the same\n');
    expect(report).toContain('24 input problems: not everything was checked');
    expect(render('text', resultOf([], many), contextWith({}, { list: { info: true, unverifiable: true, suppressed: true } }))).toContain('  error  broken.tf:22:1\n');
  });

  it('prints a fix and a page once, where not everything is listed', () => {
    const again = { ...hopLimit, message: 'Another.', source: at('HttpTokens') };
    const report = render('text', resultOf([hopLimit, again]), contextWith(files));
    expect(report.match(/Declare 2, or keep 1/g)).toHaveLength(1);
    expect(report).toContain('    fix   as above\n');
    expect(report.match(/ docs /g)).toHaveLength(1);
  });

  it('says how to see what is not listed', () => {
    const report = render('text', resultOf([unverifiable, info, suppressed]), contextWith(files));
    expect(report).toBe('What the input does not tell\n\n  addon-version can\'t judge Prod/Cluster/Workers: its version is not known\n\n1 info, 1 unverifiable, 1 suppressed in 1 input, 12 resources\nNot listed: 1 info, 1 unverifiable, 1 suppressed. Add --verbose to see them.\n');
  });
});
