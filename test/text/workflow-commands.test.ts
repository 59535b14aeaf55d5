import fc from 'fast-check';
import { jsonText } from '../../lib/text/json-text';
import { CommandFilter, holdsCommands, withoutCommandsInMarkup } from '../../lib/text/workflow-commands';

/** As the runner does: each line from its first character that is no blank, and the older form anywhere. */
function isCommand(text: string): boolean {
  return text
    .split(/\r\n|\r|\n/)
    .some((line) => line.trimStart().startsWith('::') || /##(?:vso|teamcity)?\[/i.test(line));
}

const pieces = fc.array(
  fc.string({
    unit: fc.constantFrom(
      ':',
      '::',
      '#',
      '##[',
      '##VSO',
      '##teamcity',
      '[',
      ' ',
      '\n',
      '\r',
      '\t',
      '\u0085',
      '\u2028',
      'a',
      '"',
    ),
    maxLength: 6,
  }),
  { maxLength: 8 },
);

describe('CommandFilter', () => {
  it.each([
    ['    ::add-mask::a\n', '    : :add-mask::a\n'],
    ['fine: a::b\n::error::x\n', 'fine: a::b\n: :error::x\n'],
    ['\n\t ::error::x', '\n\t : :error::x'],
    ['  see ##[error]x\n', '  see ## [error]x\n'],
    ['a ##vso[task.setvariable variable=x]y', 'a ##vso [task.setvariable variable=x]y'],
    ['##teamcity[x]', '##teamcity [x]'],
    ['a.tf:1:2  AWS::EKS::Nodegroup\n', 'a.tf:1:2  AWS::EKS::Nodegroup\n'],
    ['{"a": "b ::c"}\n', '{"a": "b ::c"}\n'],
  ])('%j', (text, expected) => {
    expect(new CommandFilter().next(text)).toBe(expected);
  });

  it('lets no command through and does the same however the text is cut into pieces', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const filter = new CommandFilter();
        const safe = parts.map((part) => filter.next(part)).join('');
        expect(isCommand(safe.replaceAll('\u0085', ' '))).toBe(false);
        expect(safe).toBe(new CommandFilter().next(parts.join('')));
        expect(safe === parts.join('')).toBe(!holdsCommands(parts.join('')));
      }),
    );
  });

  it('remembers that a line is blank, however long it is, and what is before it', () => {
    const blank = ' '.repeat(20);
    for (const before of ['', 'a\n', 'a:\r']) {
      const filter = new CommandFilter();
      expect(filter.next(before + blank) + filter.next('::x')).toBe(`${before}${blank}: :x`);
    }
    const filter = new CommandFilter();
    expect(filter.next(`a${blank}`) + filter.next('::x')).toBe(`a${blank}::x`);
  });

  it('takes time that grows with the text alone', () => {
    const filter = new CommandFilter();
    const blank = ' '.repeat(1_000_000);
    expect(filter.next(blank) + filter.next(blank) + filter.next('::x')).toBe(`${blank}${blank}: :x`);
  });
});

describe('what programs read', () => {
  it('is no command, and means the same', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        expect(isCommand(jsonText({ text }, 2))).toBe(false);
        expect(JSON.parse(jsonText({ text }, 2))).toEqual({ text });
        const markup = withoutCommandsInMarkup(text);
        expect(isCommand(markup.replaceAll('\u0085', ' '))).toBe(false);
        expect(markup.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(text);
      }),
    );
  });

  it('holds no character that a terminal obeys', () => {
    const text = 'a\u007f\u009b31m\u202e\u200f"\\ü';
    expect(jsonText(text)).toBe('"a\\u007f\\u009b31m\\u202e\\u200f\\"\\\\ü"');
    expect(JSON.parse(jsonText(text))).toBe(text);
  });
});
