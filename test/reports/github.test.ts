import fc from 'fast-check';
import { render } from '../../lib/reports';
import { expectGolden } from './golden';
import { contextWith, findingOn, resourceAt, resultOf } from './hand-made';
import { everything, files, hopLimit, many, sample, suppressed, unverifiable } from './sample';

interface Command {
  readonly level: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Reads a workflow command as the runner does: parts at `::` and `,`, then the escapes. */
function readCommand(line: string): Command {
  const [, level = '', properties = '', message = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
  const unescapeData = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const unescapeProperty = (text: string) => unescapeData(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
  const pairs = properties.split(',').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=');
    return [name, unescapeProperty(value.join('='))];
  });
  return { level, properties: Object.fromEntries(pairs), message: unescapeData(message) };
}

function lines(...[result, values]: [Parameters<typeof render>[1], Parameters<typeof contextWith>[1]?]): string[] {
  return render('github', result, contextWith(files, values)).trimEnd().split('\n');
}

describe('the annotations of GitHub', () => {
  it('look like the golden file', () => {
    expectGolden('github.txt', render('github', sample, contextWith(files)));
  });

  it('name file, line and columns, the rule, the fix and the documentation', () => {
    const [line = ''] = lines(resultOf([hopLimit]));
    expect(readCommand(line)).toEqual({
      level: 'error',
      properties: {
        file: 'cluster.yaml',
        line: '13',
        endLine: '13',
        col: '11',
        endColumn: '33',
        title: 'imds-hop-limit',
      },
      message: `${hopLimit.message}\nFix: ${hopLimit.fix}\nhttps://example.com/imds-hop-limit`,
    });
  });

  it('are at most ten of a level, worst first, and the last line but one counts the others', () => {
    const report = lines(many(100));
    const levels = report.slice(0, -2).map((line) => readCommand(line).level);
    expect(levels).toEqual([...Array<string>(10).fill('error'), ...Array<string>(10).fill('warning')]);
    expect(report.slice(-2)).toEqual([
      'Not annotated, because GitHub shows 10 per level and step: 24 more errors, 56 more warnings',
      '34 errors, 66 warnings in 1 input, 12 resources',
    ]);
  });

  it('are notices for what cannot be told, and none for what is accepted', () => {
    const levels = lines(resultOf([suppressed, unverifiable]), { list: everything }).map(
      (line) => readCommand(line).level,
    );
    expect(levels).toEqual(['notice', '']);
  });

  it('say that there is nothing to say', () => {
    expect(lines(resultOf([]))).toEqual(['No findings in 1 input, 12 resources']);
  });

  it('survive the way to the runner, whatever they hold, and never begin a command of their own', () => {
    const text = fc.string({
      unit: fc.constantFrom('::', ',', '%', '%0A', '=', '\n', '\r', 'error', 'a', ' ', ':', '##['),
      maxLength: 10,
    });
    fc.assert(
      fc.property(text, text, text, (message, rule, file) => {
        const source = { locate: () => ({ file: `x/${file.replaceAll(/[\r\n]/g, '')}y`, line: 3, column: 2 }) };
        const report = lines(resultOf([findingOn(resourceAt(source), { message, rule })]));
        expect(report).toHaveLength(2);
        const { properties, message: received } = readCommand(report[0] ?? '');
        expect(properties['title']).toBe(rule.replaceAll('\r', '?'));
        expect(properties['file']).toBe(`x/${file.replaceAll(/[\r\n]/g, '')}y`);
        expect(received.startsWith(message.replaceAll('\r', '?'))).toBe(true);
      }),
    );
  });
});
