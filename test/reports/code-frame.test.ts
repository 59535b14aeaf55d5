import fc from 'fast-check';
import { codeFrame, markerOf, SourceText } from '../../lib/reports/code-frame';
import { columnsOf } from '../../lib/text/columns';

function frame(text: string, line: number, column: number, width = 60): string[] {
  return (codeFrame(new SourceText(text), line, column, width) ?? []).flatMap((shown) => {
    const marker = markerOf(shown);
    return [`${shown.number}|${shown.text}`, ...(marker === undefined ? [] : [`|${marker}`])];
  });
}

describe('SourceText', () => {
  it.each([
    ['one line without a line break', 'abc', ['abc']],
    ['a final line break', 'a\nb\n', ['a', 'b']],
    ['empty lines', 'a\n\nb', ['a', '', 'b']],
    ['Windows line breaks', 'a\r\nb\r\n', ['a', 'b']],
    ['nothing', '', ['']],
    ['a line break only', '\n', ['']],
    ['empty lines of Windows', '\r\na\r\n\r\n', ['', 'a', '']],
  ])('splits %s', (_, text, lines) => {
    const source = new SourceText(text);
    expect(Array.from({ length: source.lineCount }, (_item, index) => source.line(index + 1))).toEqual(lines);
  });
});

describe('codeFrame', () => {
  it('marks a YAML key and takes the common indentation away', () => {
    expect(frame('a:\n    b:\n      c: 1\n      d: 2\n', 3, 7)).toEqual([
      '1|a:',
      '2|    b:',
      '3|      c: 1',
      '|      ^',
      '4|      d: 2',
    ]);
    expect(frame('x\n\n    b:\n      c: 1\n      d: 2\n    e:\n', 4, 7)).toEqual([
      '3|b:',
      '4|  c: 1',
      '|  ^',
      '5|  d: 2',
      '6|e:',
    ]);
  });

  it.each([
    ['a JSON key with its quotes', '{ "a \\" b": 1 }', 3, '^^^^^^^^'],
    ['a resource type with colons', 'Type: AWS::EKS::Nodegroup', 7, '^^^^^^^^^^^^^^^^^^^'],
    ['a YAML key without its colon', 'HttpTokens: optional', 1, '^^^^^^^^^^'],
    ['a short-form function', '  - !Ref Name', 5, '^^^^'],
    ['a number in a list', '[1, 22, 3]', 5, '^^'],
    ['punctuation', 'a: {b: 1}', 4, '^'],
    ['a key in single quotes', "'it''s a': 1", 1, '^^^^^^^^^'],
    ['an open quote', '"a b', 1, '^^'],
    ['a word with a colon inside', 'a:b:::c, d', 1, '^^^'],
  ])('marks %s', (_, text, column, marker) => {
    expect(frame(text, 1, column)[1]?.slice(1).trim()).toBe(marker);
  });

  it('counts tabs as two columns', () => {
    expect(frame('\t\t"Role": 1', 1, 3)).toEqual(['1|    "Role": 1', '|    ^^^^^^']);
  });

  it('cuts a window out of a minified line', () => {
    const text = `{${'"x":1,'.repeat(5000)}"Hop":2,${'"y":1,'.repeat(5000)}"z":3}`;
    const [code = '', marker = ''] = frame(text, 1, text.indexOf('"Hop"') + 1);
    expect(code.length).toBe(62);
    expect(code).toMatch(/^1\|\.\.\..*"Hop":2.*\.\.\.$/);
    expect(code.slice(marker.indexOf('^') + 1, marker.lastIndexOf('^') + 2)).toBe('"Hop"');
  });

  it('has no frame for a place that does not exist', () => {
    expect(frame('a\n\nb', 9, 1)).toEqual([]);
    expect(frame('a\n\nb', 0, 1)).toEqual([]);
    expect(frame('a\n\nb', 2, 1)).toEqual([]);
  });

  it.each([
    [
      'wide characters',
      'Tags: { "日本🎉": x, Hop: 1 }',
      'Hop',
      60,
      ['1|Tags: { "日本🎉": x, Hop: 1 }', '|                     ^^^'],
    ],
    ['a wide key', '"名前": 1', '"名前"', 60, ['1|"名前": 1', '|^^^^^^']],
    ['marks on letters', 'u\u0308ber: { Hop: 1 }', 'Hop', 60, ['1|u\u0308ber: { Hop: 1 }', '|        ^^^']],
    [
      'wide characters that are cut',
      `{ "${'日'.repeat(40)}": x, Hop: 1, "${'本'.repeat(40)}": y }`,
      'Hop',
      40,
      [`1|...${'日'.repeat(5)}": x, Hop: 1, "${'本'.repeat(4)}...`, '|                   ^^^'],
    ],
    [
      'nothing that is seen, at the end of a full line',
      '日日aaaaaaa\u200d',
      '\u200d',
      11,
      ['1|日日aaaaaaa\u200d', '|          ^'],
    ],
    [
      'a family that stays whole',
      `${'a'.repeat(16)}👨\u200d👩\u200d👧b`,
      'a',
      20,
      [`1|${'a'.repeat(16)}👨\u200d👩\u200d👧b`, `|${'^'.repeat(19)}`],
    ],
  ])('puts the marker below the word behind %s', (_, text, word, width, expected) => {
    expect(frame(text, 1, text.indexOf(word) + 1, width)).toEqual(expected);
  });

  it('cuts no character in two', () => {
    for (let length = 0; length < 8; length++)
      expect(frame(`a: ${'x'.repeat(length)}${'🎉'.repeat(30)}`, 1, 1, 20)[0]).toMatch(/^1\|a: x*🎉+\.\.\.$/u);
  });

  it('stays within its width and marks inside the line, for any text and place', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '"', ':', '\t', '\n', '\r', '\\', '{', '日', '🎉', '\u0301', '\u200d'),
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 10, max: 90 }),
        (content, line, column, width) => {
          const lines = codeFrame(new SourceText(content), line, column, width);
          if (lines === undefined) return;
          const markers = lines.flatMap((shown) => markerOf(shown) ?? []);
          expect(markers).toEqual([expect.stringMatching(/^ *\^+$/)]);
          for (const shown of [...markers, ...lines.map(({ text: code }) => code)])
            expect(columnsOf(shown)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
