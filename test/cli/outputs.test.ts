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
