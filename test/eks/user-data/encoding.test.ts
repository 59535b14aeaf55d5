import { gzipSync } from 'node:zlib';
import { Unknown } from '../../../lib/eks';
import { base64Bytes, decodeBase64, decodeQuotedPrintable, utf8 } from '../../../lib/eks/user-data/encoding';
import { SourceText } from '../../../lib/eks/user-data/source-text';

const at = (offset: number) => ({ locate: () => ({ file: 'a', line: 1, column: offset }) });
const source = (text: string): SourceText => SourceText.of(text, at);

/** A text with the offset that each of its units comes from. */
function placed(text: SourceText | undefined): unknown {
  return text === undefined
    ? undefined
    : [text.text, Array.from({ length: text.text.length }, (_, index) => text.sourceAt(index).locate().column)];
}

describe('quoted-printable', () => {
  it.each([
    ['ab=63', 'abc', [0, 1, 2]],
    ['a=\nb', 'ab', [0, 3]],
    ['a= \t\r\nb', 'ab', [0, 6]],
    ['a=C3=A4b', 'aäb', [0, 1, 7]],
    ['äb=63', 'äbc', [0, 1, 2]],
    ['😀=62c', '😀bc', [0, 0, 2, 5]],
    ['=E2=82=AC=F0=9F=98=80x', '€😀x', [0, 9, 15, 21]],
    ['a=zb', 'a=zb', [0, 1, 2, 3]],
    ['a=', 'a=', [0, 1]],
  ])('%j is %j', (text, expected, offsets) => {
    expect(placed(decodeQuotedPrintable(source(text)))).toEqual([expected, offsets]);
  });

  it('that is no UTF-8 is none', () => {
    expect(decodeQuotedPrintable(source('a=FFb'))).toBeUndefined();
  });

  it('keeps what is not known in its place', () => {
    const unknown = new Unknown('it is a parameter', at(0), '${P}');
    for (const before of ['=61', 'ä', '=C3=A4', '=E2=82=AC']) {
      const text = SourceText.compose([{ text: before, sourceAt: at }, { unknown }, { text: '=62', sourceAt: at }]);
      const decoded = decodeQuotedPrintable(text);
      expect([before, decoded?.text.length, decoded?.unknownParts.map(({ start, end }) => [start, end])]).toEqual([
        before,
        2 + (text.text.length - before.length - 3),
        [[1, 1 + (text.text.length - before.length - 3)]],
      ]);
      expect(decoded?.text.endsWith('b')).toBe(true);
    }
  });
});

describe('base64', () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');

  it.each([
    ['YWJj', 'abc', [0, 1, 2]],
    ['YW\nJj', 'abc', [0, 1, 3]],
    [encoded('aäb'), 'aäb', [0, 1, 4]],
    [encoded('abcdef'), 'abcdef', [0, 1, 2, 4, 5, 6]],
  ])('%j is %j', (text, expected, offsets) => {
    expect(placed(decodeBase64(source(text), 'repair'))).toEqual([expected, offsets]);
  });

  it('is read strictly, or with what cloud-init passes over', () => {
    const both = (text: string) =>
      (['strict', 'repair'] as const).map((mode) => decodeBase64(source(text), mode)?.text);
    expect(both('YWJj')).toEqual(['abc', 'abc']);
    expect(both('YW\r\nJj')).toEqual(['abc', 'abc']);
    expect(both('YW Jj')).toEqual([undefined, 'abc']);
    expect(both('YW-Jj')).toEqual([undefined, 'abc']);
    expect(both('YWI')).toEqual([undefined, 'ab']);
    expect(both('YWI=')).toEqual(['ab', 'ab']);
    expect(both('YWJjA')).toEqual([undefined, undefined]);
    expect(both(Buffer.from([0, 1]).toString('base64'))).toEqual([undefined, undefined]);
  });

  it.each([
    ['YQ==', true, 1],
    ['YQ=', false, undefined],
    ['YQ', false, 1],
    ['YQ', true, undefined],
    ['YQ= =', false, 1],
    ['Y', false, undefined],
    ['Y*Q=', false, undefined],
    ['', true, 0],
  ])('%j, strict: %j, has %j bytes', (text, strict, length) => {
    expect(base64Bytes(text, strict)?.length).toBe(length);
  });

  it('of compressed data is what was compressed, and stands where it begins', () => {
    const packed = gzipSync('hällo').toString('base64');
    expect(placed(decodeBase64(source(`  ${packed}`), 'repair'))).toEqual(['hällo', [2, 2, 2, 2, 2]]);
    expect(decodeBase64(source(packed.slice(0, 16)), 'repair')).toBeUndefined();
    const huge = decodeBase64(source(gzipSync(Buffer.alloc(50_000_000, 'a')).toString('base64')), 'repair');
    expect(huge?.unknownParts.map(({ unknown }) => unknown.reason)).toEqual(['it is too large once it is unpacked']);
  });
});

it('a byte order mark is part of a text', () => {
  expect(utf8(Buffer.from('\ufeffa'))).toBe('\ufeffa');
});
