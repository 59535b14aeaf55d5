import fc from 'fast-check';
import { readUserDataFile } from '../../../lib/eks/user-data/placeholders';
import { runs, share } from '../../share';

const read = (text: string) => readUserDataFile(text, 'nodes.tftpl');
const sequencesOf = (text: string): (string | undefined)[] =>
  read(text).unknownParts.map(({ unknown }) => unknown.text);

/** Inside of a sequence: names, quoted strings with anything in them, braces, and sequences in strings. */
const expression: fc.Arbitrary<string> = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('name', 'f(x)', '"}"', '"{"', '"\\"}"', '"$${"', '"%%{x"', '"\\\\"', '\n', ' ~'),
    tie('expression').map((inner) => `{ a = ${inner} }`),
    tie('expression').map((inner) => `"<\${${inner}}>"`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `${a} ${b}`),
  ),
})).expression;

describe('a text that templatefile fills', () => {
  it.each([
    ['${name}'],
    ['%{ if named ~}'],
    ['${yamlencode({ a = 1 })}'],
    ['${jsonencode({ a = { b = {} } })}'],
    ['%{ if x == "}" }'],
    ['${x == "\\"}" ? 1 : 2}'],
    ['${"a ${f("}")} b"}'],
    ['${"$${"}'],
    ['${merge(a, {\n  b = "}"\n})}'],
  ])('takes %j for one sequence', (sequence) => {
    expect(sequencesOf(sequence)).toEqual([sequence]);
    expect(sequencesOf(`a: ${sequence}\nb: {}\n`)).toEqual([sequence]);
    expect(read(`a: ${sequence}\nb: {}\n`).text).toMatch(/^a: \d{8}\nb: {}\n$/);
  });

  it('keeps the text around sequences, and doubled signs as the text that they stand for', () => {
    const text = read('a $${b} %%{c} ${d} e} $f 5% {g}');
    expect(text.text).toMatch(/^a \$\{b} %\{c} \d{8} e} \$f 5% \{g}$/);
    expect(text.show()).toBe('a ${b} %{c} ${d} e} $f 5% {g}');
  });

  it('knows nothing behind a sequence that is not closed', () => {
    expect(sequencesOf('a ${b { c } \n d')).toEqual(['${b { c } \n d']);
    expect(sequencesOf('${a} ${')).toEqual(['${a}', '${']);
  });

  it('ends a quoted string with its line, so that one quote too many does not hide the rest', () => {
    expect(sequencesOf('${a "b\n}\nc ${d}')).toEqual(['${a "b\n}', '${d}']);
  });

  it('counts lines and columns as they stand in the file', () => {
    const text = read('x ${{\n  a = 1\n}} y\n$${z} ${w}!');
    const at = (found: string) => text.positionAt(text.text.indexOf(found));
    expect(at('y')).toEqual({ line: 3, column: 4 });
    expect(at('${z')).toEqual({ line: 4, column: 2 });
    expect(at('!')).toEqual({ line: 4, column: 11 });
    expect(text.unknownParts.map(({ unknown }) => unknown.source.locate())).toEqual([
      { file: 'nodes.tftpl', line: 1, column: 3 },
      { file: 'nodes.tftpl', line: 4, column: 7 },
    ]);
    expect(text.positionAt(text.text.length)).toEqual({ line: 4, column: 12 });
    expect(text.sourceAt(text.text.indexOf('y')).locate()).toEqual({ file: 'nodes.tftpl', line: 3, column: 4 });
  });

  it('finds every sequence, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z:\n }]{0,6}$/), fc.constantFrom('$', '%'), expression)),
        (items) => {
          const sequences = items.map(([, sign, inner]) => `${sign}{${inner}}`);
          const text = read(items.map(([before], index) => `${before}${sequences[index] ?? ''}`).join(''));
          expect(text.unknownParts.map(({ unknown }) => unknown.text)).toEqual(sequences);
          expect(text.text.replaceAll(/\d{8}/g, '')).toBe(items.map(([before]) => before).join(''));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('has a result for any text, which shows what it says', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('$', '%', '{', '}', '"', '\\', '\n', '\r', 'a'), maxLength: 60 }),
        (content) => {
          const text = read(content);
          expect(text.show().replaceAll(/[$%]/g, '')).toBe(content.replaceAll(/[$%]/g, ''));
          for (let offset = 0; offset <= text.text.length; offset++)
            expect(text.positionAt(offset).line).toBeLessThanOrEqual(content.split(/\r\n|\n|\r/).length);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it.each(share(['${', '${"', '${"${', '${{', '%{"\n', '${"}"} ', '$', '"${}'].map((piece) => [piece] as const)))(
    'takes linear time for many %j',
    (piece) => {
      // Processor time: other work on the machine doesn't count.
      const start = process.cpuUsage();
      read(piece.repeat(60_000)).sourceAt(500).locate();
      expect(process.cpuUsage(start).user).toBeLessThan(3_000_000);
    },
  );
});
