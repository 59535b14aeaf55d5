import { gzipSync } from 'node:zlib';
import { checkTemplates, type CheckResult } from '../../lib/check';
import { patternOf } from '../../lib/terraform/evaluation/functions/regex';

/** Each of these inputs would take hours, or more room than there is. */
describe('a template of a few lines that would grow without end', () => {
  const addon = (ConfigurationValues: unknown) => ({
    Type: 'AWS::EKS::Addon',
    Properties: { AddonName: 'vpc-cni', ClusterName: 'main', AddonVersion: 'v1.20.0-eksbuild.1', ConfigurationValues },
  });
  const nested = (times: number, first: unknown, wrap: (inner: unknown) => unknown): unknown =>
    times === 0 ? first : wrap(nested(times - 1, first, wrap));
  const twice = (inner: unknown) => ({ 'Fn::Sub': ['${a}${a}', { a: inner }] });
  // References into the same template are worked out again for each.
  const exportOf = (number: number) => ({
    Value: number === 0 ? '' : { 'Fn::Join': ['', [1, 2].map(() => ({ 'Fn::ImportValue': `e${number - 1}` }))] },
    Export: { Name: `e${number}` },
  });
  const Outputs = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`O${number}`, exportOf(number)]));

  it.each<[string, unknown, string]>([
    ['twice a text', nested(60, 'abc', twice), 'the text is longer than anything that is deployed'],
    [
      'twice what is unknown',
      nested(60, { Ref: 'AWS::Region' }, twice),
      'the text is longer than anything that is deployed',
    ],
    [
      'quotes in quotes',
      nested(60, { a: '"' }, (inner) => ({ 'Fn::ToJsonString': { a: inner } })),
      'the text is longer than anything that is deployed',
    ],
    [
      'base64 of base64',
      nested(120, 'abcdef', (inner) => ({ 'Fn::Base64': inner })),
      'the text is longer than anything that is deployed',
    ],
    ['imports of imports', { 'Fn::ImportValue': 'e59' }, 'it takes too long to work out'],
  ])('%s leaves only its own value unjudged', (_, value, reason) => {
    const content = {
      ...(reason.includes('long to') ? { Outputs } : {}),
      Resources: { Bad: addon(value), Good: addon('{"env":{"ENABLE_PREFIX_DELEGATIN":"true"}}') },
    };
    const { findings, diagnostics } = checkTemplates([{ file: 't.json', content }]);
    expect(diagnostics).toMatchObject([
      { severity: 'error', file: 't.json', message: `${reason}, so what depends on it is not judged` },
    ]);
    const failed = ({ findings }: Pick<CheckResult, 'findings'>) =>
      findings.filter(({ resource, verdict }) => resource.id === 'Good' && verdict === 'fail').map(({ rule }) => rule);
    const failedAlone = failed(
      checkTemplates([{ file: 't.json', content: { Resources: { ...content.Resources, Bad: addon('{}') } } }]),
    );
    expect(failed({ findings })).toEqual(failedAlone);
    expect(failedAlone).not.toEqual([]);
    expect(findings.map(({ rule }) => rule)).not.toContain('rule-crashed');
  });
});

describe('compressed user data', () => {
  const partOf = (size: number) => gzipSync(`#!/bin/sh\n${'\n'.repeat(size)}`).toString('base64');
  // In one line, which is read faster than millions.
  const longLine = (size: number) => gzipSync(`#!/bin/sh\n# ${'x'.repeat(size)}`).toString('base64');
  const mime = (parts: readonly string[]) => {
    const lines = parts.map(
      (part) => `--X\nContent-Type: text/x-shellscript\nContent-Transfer-Encoding: base64\n\n${part}\n`,
    );
    return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="X"\n\n${lines.join('')}--X--\n`;
  };
  const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
  const nodes = (id: string, UserData: string) => ({
    [`${id}Template`]: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: { UserData } } },
    [id]: {
      Type: 'AWS::EKS::Nodegroup',
      Properties: {
        ClusterName: 'main',
        AmiType: 'AL2023_x86_64_STANDARD',
        LaunchTemplate: { Id: { Ref: `${id}Template` }, Version: '1' },
        NodeRole: 'arn:aws:iam::111122223333:role/n',
        Subnets: ['subnet-1'],
      },
    },
  });
  const check = (...userData: readonly string[]) => {
    const Resources = Object.assign({}, ...userData.map((one, index) => nodes(`Nodes${index}`, one))) as Record<
      string,
      unknown
    >;
    return checkTemplates([{ file: 't.json', content: { Resources } }]);
  };

  it.each([
    ['one that is too large', [base64(gzipSync(Buffer.alloc(5_000_000, 10)))]],
    ['a part that is too large', [base64(mime([partOf(5_000_000)]))]],
    ['many parts that are too large together', [base64(mime(Array.from({ length: 60 }, () => longLine(3_900_000))))]],
    ['many that are too large together', Array.from({ length: 60 }, (_, size) => longLine(3_900_000 + size))],
  ])('%s is left unjudged', (_, userData) => {
    const bare = base64('#!/bin/sh\n/etc/eks/bootstrap.sh main\n');
    const { diagnostics, findings } = check(bare, ...userData);
    expect(diagnostics).toMatchObject([
      {
        severity: 'error',
        file: 't.json',
        message: 'it is too large once it is unpacked, so what depends on it is not judged',
      },
    ]);
    const failed = findings
      .filter(({ resource, verdict }) => resource.id === 'Nodes0Template' && verdict === 'fail')
      .map(({ rule }) => rule);
    expect(failed).toEqual(
      check(bare)
        .findings.filter(({ resource, verdict }) => resource.id === 'Nodes0Template' && verdict === 'fail')
        .map(({ rule }) => rule),
    );
    expect(failed).not.toEqual([]);
    expect(
      findings.filter(
        ({ resource, verdict }) => resource.id === `Nodes${userData.length}Template` && verdict === 'unverifiable',
      ),
    ).not.toEqual([]);
  });

  it('of an ordinary size is judged', () => {
    expect(check(...Array.from({ length: 40 }, () => base64(mime([partOf(100_000)])))).diagnostics).toEqual([]);
  });
});

describe('a regular expression', () => {
  const found = (expression: string, text: string) => patternOf(expression).program.first(text)?.groups;

  it.each([
    ['^(?:a|aa)+$', `${'a'.repeat(5000)}b`],
    ['(?:a|a)*b', 'a'.repeat(5000)],
    ['(?:a+)+b', 'a'.repeat(5000)],
    ['(?:(?:a?){900}){1,9}c', 'a'.repeat(60)],
    [`${'(?:a|b|ab)?'.repeat(60)}c`, 'ab'.repeat(500)],
  ])('%s takes no more steps than instructions times characters', (expression, text) => {
    const { program } = patternOf(expression);
    expect(program.first(text)).toBeUndefined();
    expect(program.taken).toBeLessThan(5_000_000);
  });

  it.each([
    ['(a|ab)(c|bcd)(d*)', 'abcd', ['abcd', 'a', 'bcd', '']],
    ['(a+?)(a*)', 'aaa', ['aaa', 'a', 'aa']],
    ['x{2,3}?', 'xxxx', ['xx']],
    ['(?:(a)|b)*', 'ab', ['ab', 'a']],
    ['(?i)[a-c]+\\.', 'xABC.', ['ABC.']],
    ['(a*)*', 'b', ['', '']],
    ['\\bfoo\\b', 'a foo', ['foo']],
    ['(?m)^b$', 'a\nb\nc', ['b']],
    ['.', '\u{1F600}', ['\u{1F600}']],
  ])('%s finds in %j what Go finds', (expression, text, groups) => {
    expect(found(expression, text)).toEqual(groups);
  });

  it('that takes too long is left', () => {
    expect(() => patternOf('(?:a|b)*c').program.first('a'.repeat(2_000_000))).toThrow(
      'the text is too long for the regular expression',
    );
  });
});
