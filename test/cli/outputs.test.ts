import { pairOutputs, type OutputArgument } from '../../lib/cli/outputs';

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
  ])('%s', (text, expected) => {
    expect(pairOutputs(args(text)).map(({ format, file }) => `${format} to ${file ?? 'stdout'}`)).toEqual(expected);
  });

  it.each([
    ['format:sarfi', 'there is no format "sarfi"; did you mean "sarif"? The formats are text, json, sarif, '],
    ['format:GitLab', 'there is no format "GitLab"; did you mean "gitlab"?'],
    ['format:toString', 'there is no format "toString"; the formats are text, json, sarif, '],
    ['format:json format:text', 'two formats would go to standard output'],
    ['format:json output:- format:text', 'two formats would go to standard output'],
    ['format:json output:a format:text output:a', 'two formats would go to "a"'],
    ['output:a output:b', 'two files are named for one report ("a" and "b")'],
    ['format:json output:a output:b', 'no format is given for "b"'],
    ['format:json output:', '--output needs the name of a file'],
  ])('refuses %s', (text, message) => {
    expect(() => pairOutputs(args(text))).toThrow(message);
  });
});
