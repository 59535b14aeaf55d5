import { gzipSync } from 'node:zlib';
import { sourceTextOf } from '../../../lib/eks/user-data/text-of-value';
import { userDataFromBase64 } from '../../../lib/front-ends/parts/user-data-text';
import { Base64Text, UnknownBase64 } from '../../../lib/value/composed-text';
import { Known, nowhere, Unknown, type Source } from '../../../lib/value';

/** A place that tells the offset in the text that it is of. */
function at(offset: number): Source {
  return { locate: () => ({ file: 'a', line: 1, column: offset }), inText: (_, inner) => at(offset + inner) };
}

const read = (text: string) => userDataFromBase64(new Known(text, at(0), 'a note'));
const encode = (text: string) => Buffer.from(text).toString('base64');

describe('user data in base64', () => {
  it.each(['#!/bin/bash\n', 'äöü €', ''])('is decoded: %j', (text) => {
    const { value, note } = read(encode(text));
    expect([value.text.text, value.encodedBy, value.layers, value.size, note]).toEqual([
      text,
      'user',
      [],
      Buffer.byteLength(text),
      'a note',
    ]);
  });

  it.each(['#!/bin/bash', 'abc', 'YWJj=', 'YQ=', 'YW=J', 'YWJj!===', '===='])(
    'is taken as it is where it is none: %j',
    (text) => {
      const { value } = read(text);
      expect([value.text.text, value.encodedBy, value.size]).toEqual([text, 'nobody', undefined]);
    },
  );

  it('may have blanks in it', () => {
    expect(read('YWJj\nZGVm\n').value.text.text).toBe('abcdef');
  });

  it('has its places in the base64', () => {
    const column = (text: string, offset: number) => read(text).value.text.sourceAt(offset).locate().column;
    const text = encode('abcdefghi');
    expect([0, 2, 3, 5, 6, 8].map((offset) => column(text, offset))).toEqual([0, 0, 4, 4, 8, 8]);
    const broken = `${text.slice(0, 4)}\n ${text.slice(4)}\n`;
    expect([0, 3, 6].map((offset) => column(broken, offset))).toEqual([0, 6, 10]);
    // Two bytes each.
    expect([0, 1, 2, 3].map((offset) => column(encode('ääää'), offset))).toEqual([0, 0, 4, 8]);
  });

  it('that is packed as well has the place of the whole', () => {
    const { value } = read(gzipSync('#!/bin/bash\n').toString('base64'));
    expect(value.text.text).toBe('#!/bin/bash\n');
    expect(value.layers).toHaveLength(1);
    expect(value.text.sourceAt(5).locate().column).toBe(0);
  });
});

describe('the places of a text', () => {
  it('lead into what was encoded', () => {
    const decoded = new Known('abcdef', at(100));
    const text = sourceTextOf(new Base64Text(decoded, nowhere));
    expect(text.text).toBe(encode('abcdef'));
    expect([0, 3, 4, 7].map((offset) => text.sourceAt(offset).locate().column)).toEqual([100, 100, 103, 103]);
  });

  it('are those of the value where nothing tells more', () => {
    const place: Source = { locate: () => ({ file: 'a', line: 7, column: 3 }) };
    expect(sourceTextOf(new Known('abc', place)).sourceAt(2)).toBe(place);
    expect(
      sourceTextOf(new Known('abc', at(5)))
        .sourceAt(2)
        .locate().column,
    ).toBe(7);
  });

  it('of what is unknown keep what is known of it', () => {
    const unknown = new Unknown('a variable', nowhere, '${x}');
    expect(sourceTextOf(unknown).unknownParts).toMatchObject([{ unknown }]);
    expect(sourceTextOf(unknown).unknownParts[0]).not.toHaveProperty('encoded');
    const encoded = new UnknownBase64(unknown, nowhere);
    expect(sourceTextOf(encoded).unknownParts).toMatchObject([
      { unknown: encoded, encoded: { unknownParts: [{ unknown }] } },
    ]);
  });
});
