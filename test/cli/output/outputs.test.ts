import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isSameFile } from '../../../lib/cli/output/output-places';
import { pairOutputs, type OutputArgument } from '../../../lib/cli/output/outputs';
import { checkIn } from '../in-process';
import { workspace } from '../workspace';

/** Reads `format:json output:a`. */
function args(text: string): OutputArgument[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [kind, value = ''] = word.split(':');
      return { kind: kind === 'format' ? 'format' : 'output', value };
    });
}

describe('pairOutputs', () => {
  it.each([
    ['', ['text to stdout']],
    ['format:json', ['json to stdout']],
    ['output:a', ['text to a']],
    ['output:-', ['text to stdout']],
    ['format:json output:a', ['json to a']],
    ['output:a format:json', ['json to a']],
    ['format:text format:json output:a', ['text to stdout', 'json to a']],
    ['format:json output:a format:text', ['json to a', 'text to stdout']],
    ['format:json output:a format:text output:b', ['json to a', 'text to b']],
    ['output:a format:json output:b format:text', ['json to a', 'text to b']],
    ['format:json output:a format:text output:-', ['json to a', 'text to stdout']],
    ['format:json output:a format:json output:b', ['json to a', 'json to b']],
    ['format:json output:/dev/stdout', ['json to stdout']],
    ['output:a.sarif', ['sarif to a.sarif']],
    ['output:out/a.JSON', ['json to out/a.JSON']],
    ['output:a.html output:b.md output:c.xml', ['html to a.html', 'markdown to b.md', 'junit to c.xml']],
    ['format:json output:a output:b.sarif', ['json to a', 'sarif to b.sarif']],
    ['output:a.sarif format:gitlab', ['gitlab to a.sarif']],
    ['output:a.txt', ['text to a.txt']],
    ['output:html', ['text to html']],
  ])('%s', (text, expected) => {
    expect(pairOutputs(args(text)).map(({ format, file }) => `${format} to ${file ?? 'stdout'}`)).toEqual(expected);
  });

  it.each([
    ['format:sarfi', 'there is no format "sarfi"; did you mean "sarif"? The formats are text, compact, json, sarif, '],
    ['format:GitLab', 'there is no format "GitLab"; did you mean "gitlab"?'],
    ['output:a.constructor', 'no format is given for "a.constructor", and its name doesn\'t tell'],
    ['format:toString', 'there is no format "toString"; the formats are text, compact, json, sarif, '],
    ['format:json format:text', 'two formats would go to standard output'],
    ['format:json output:- format:text', 'two formats would go to standard output'],
    ['format:json output:/dev/stdout format:text', 'two formats would go to standard output'],
    ['output:a output:b', 'no format is given for "a", and its name doesn\'t tell'],
    ['output:a output:b.json', 'no format is given for "a", and its name doesn\'t tell'],
    ['format:json output:a output:b', 'no format is given for "b", and its name doesn\'t tell'],
    ['format:json output:', '--output needs the name of a file'],
  ])('refuses %s', (text, message) => {
    expect(() => pairOutputs(args(text))).toThrow(message);
  });
});

describe('isSameFile', () => {
  const folder = workspace({ 'a.yaml': '', 'b.yaml': '', 'sub/x': '' });

  it.each([
    ['one name in two ways', 'a.yaml', 'sub/../a.yaml', true],
    ['two files', 'a.yaml', 'b.yaml', false],
    ['a link', 'a.yaml', 'link.yaml', true],
    ['two names of one file', 'a.yaml', 'hard.yaml', true],
    ['files that are to be made', 'c.yaml', 'd.yaml', false],
    ['one that is to be made, and one that is there', 'a.yaml', 'd.yaml', false],
    ['a file that is to be made', 'sub/c.yaml', './sub/c.yaml', true],
    ['what lies below a file', 'a.yaml/x', 'a.yaml/y', false],
  ])('knows %s', (_, one, other, expected) => {
    for (const [make, name] of [
      [symlinkSync, 'link.yaml'],
      [linkSync, 'hard.yaml'],
    ] as const) {
      try {
        make(join(folder, 'a.yaml'), join(folder, name));
      } catch {
        // It is there from the test before.
      }
    }
    expect(isSameFile(join(folder, one), join(folder, other))).toBe(expected);
    expect(isSameFile(join(folder, other), join(folder, one))).toBe(expected);
  });
});

describe('a report that would take the place of what was read', () => {
  const folder = workspace({
    'app/cdk.out/manifest.json':
      '{"version":"48.0.0","artifacts":{"S":{"type":"aws:cloudformation:stack","properties":{"templateFile":"S.template.json"}}}}',
    'app/cdk.out/S.template.json': '{"Resources":{"A":{"Type":"AWS::SNS::Topic"}}}',
    'other/a.yaml': 'Resources: { A: { Type: AWS::SNS::Topic } }\n',
    'broken/a.yaml': 'Resources: [',
  });

  it.each([
    ['of a synthesized app', 'app', 'app/cdk.out/S.template.json', true],
    ['in a folder', 'other', 'other/a.yaml', true],
    ['and could not be', 'broken', 'broken/a.yaml', true],
    ['beside it', 'app', 'app/cdk.out-report.json', false],
  ])('is refused %s', async (_, path, file, isRefused) => {
    const { stderr } = await checkIn(folder, [path], {
      outputs: [
        { kind: 'format', value: 'json' },
        { kind: 'output', value: file },
      ],
    });
    expect(stderr.includes(`can't write ${file}: it was read by this check`)).toBe(isRefused);
  });
});
