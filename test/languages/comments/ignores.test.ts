import { nowhere, type PlacedSuppression, type SuppressedPlace } from '../../../lib/eks';
import { decidingComments, ignoresIn, type Coverage } from '../../../lib/languages/comments/ignores';
import { Layout, type Comment, type Item } from '../../../lib/languages/comments/placement';
import { LineIndex } from '../../../lib/languages/positions';
import { resourceAt } from '../../reports/hand-made';

const DECISION = 'eks-guardrails:ignore imds-v1 -- Known';

/** The comments of a text whose lines begin with `#`, as their readers give them. */
function commentsOf(text: string): readonly Comment[] {
  return [...text.matchAll(/#[^\n]*/g)].map(({ 0: whole, index }) => ({
    text: whole.slice(1).trim(),
    start: index,
    end: index + whole.length,
  }));
}

describe('comments that may hold a decision', () => {
  const belowOf = (text: string) =>
    decidingComments(text, commentsOf(text).toReversed()).map(({ text: own, below }) => [own, below]);

  it('are those about eks-guardrails, in their order', () => {
    expect(belowOf(`# one\n# ${DECISION} 1\na: 1\n# two\nb: 1 # ${DECISION} 2\n`)).toEqual([
      [`${DECISION} 1`, undefined],
      [`${DECISION} 2`, undefined],
    ]);
  });

  it.each([
    ['the next line', '\n# more', 'more'],
    ['the next line, indented', ' \t\n  \t# more', 'more'],
    ['no line', '', undefined],
    ['the line after an empty one', '\n\n# more', undefined],
    ['a line of something else', '\na: 1 # more', undefined],
    ['the next line, as far away as anybody writes', `\n${' '.repeat(498)}# more`, 'more'],
    ['the next line, too far away', `\n${' '.repeat(499)}# more`, undefined],
    ['the next line, very far away', `\n${' '.repeat(900)}# more`, undefined],
  ])('go on in %s', (_, rest, below) => {
    expect(belowOf(`# ${DECISION}${rest}\n`)).toEqual([[DECISION, below]]);
  });
});

describe('what is decided', () => {
  const text = `one:\n  a: 1 # ${DECISION}\n  b: 2\ntwo: 3\n`;
  const lines = new LineIndex(text);
  const item = (name: string, of: string, parent?: Item): Item => ({
    name,
    start: text.indexOf(of),
    end: text.indexOf(of) + of.length,
    parent,
    isBracketed: false,
  });
  const holder = item('one', text.slice(0, text.indexOf('two')));
  const inner = item('a', 'a: 1', holder);
  const read = (
    own: string,
    coverage: (item: Item | undefined) => Coverage | { problem: string } | undefined = () => ({ item: inner, holder }),
  ) =>
    ignoresIn(
      {
        file: 'a.yaml',
        lines,
        placed: [{ comment: { text: own, start: text.indexOf('#'), end: text.indexOf('#') + 1 }, item: inner }],
      },
      coverage,
    );
  const at = (line: number, column: number, file = 'a.yaml') => ({ file, line, column });
  const where = (place: object, head: object = at(9, 1)) =>
    ({ resource: resourceAt(nowhere), head, place }) as unknown as SuppressedPlace;
  const first = (suppressions: readonly PlacedSuppression[]): PlacedSuppression => {
    const [suppression] = suppressions;
    if (suppression === undefined) throw new Error('there is no suppression');
    return suppression;
  };

  it('is a suppression for each rule, with its place and its scope', () => {
    const { suppressions, diagnostics } = read(
      'eks-guardrails:ignore imds-v1, imds-hop-limit -- Known (until 2027-01-31)',
    );
    expect(diagnostics).toEqual([]);
    expect(suppressions).toMatchObject([
      { rule: 'imds-v1', reason: 'Known', until: '2027-01-31', scope: { name: 'a', line: 2 } },
      { rule: 'imds-hop-limit' },
    ]);
    expect(suppressions.map(({ source }) => source.locate())).toEqual([at(2, 8), at(2, 8)]);
    expect(JSON.parse(JSON.stringify(first(suppressions).source))).toEqual(at(2, 8));
    expect('until' in first(read(DECISION).suppressions)).toBe(false);
  });

  it('covers what stands in the item, or whose resource does', () => {
    const suppression = first(read(DECISION).suppressions);
    for (const place of [at(2, 3), at(2, 6)]) {
      expect(suppression.covers(where(place))).toBe(true);
      expect(suppression.covers(where(at(9, 1), place))).toBe(true);
    }
    for (const place of [at(2, 2), at(2, 7), at(1, 4), at(3, 4), at(2, 3, 'b.yaml')]) {
      expect(suppression.covers(where(place))).toBe(false);
      expect(suppression.covers(where(at(9, 1), place))).toBe(false);
    }
  });

  it('covers what is said besides', () => {
    const asked: SuppressedPlace[] = [];
    const also = (given: SuppressedPlace) => {
      asked.push(given);
      return given.place.line === 9;
    };
    const suppression = first(read(DECISION, () => ({ item: inner, holder, also })).suppressions);
    expect([at(9, 1), at(8, 1), at(2, 3)].map((place) => suppression.covers(where(place)))).toEqual([
      true,
      false,
      true,
    ]);
    expect(asked).toHaveLength(2);
  });

  it('stands in its holder', () => {
    const suppression = first(read(DECISION).suppressions);
    expect(
      [at(1, 1), at(2, 1), at(3, 7), at(4, 1), at(2, 1, 'b.yaml')].map((place) => suppression.isIn(place)),
    ).toEqual([true, true, true, false, false]);
  });

  it('is nothing where the comment is none, or says nothing now', () => {
    expect(read('eks-guardrails is used here')).toEqual({ suppressions: [], diagnostics: [] });
    expect(read(DECISION, () => undefined)).toEqual({ suppressions: [], diagnostics: [] });
  });

  it('is told to be wrong, or to stand at nothing', () => {
    expect(read(DECISION, () => ({ problem: 'it stands at nothing' }))).toEqual({
      suppressions: [],
      diagnostics: [{ severity: 'warning', message: 'it stands at nothing', ...at(2, 8) }],
    });
    // What it stands at doesn't matter, then.
    for (const coverage of [undefined, { problem: 'it stands at nothing' }]) {
      expect(read('eks-guardrails:ignore -- Known', () => coverage).diagnostics).toMatchObject([
        { severity: 'warning', message: expect.stringContaining('names no rule') as string, ...at(2, 8) },
      ]);
    }
  });
});

describe('what a comment is about', () => {
  /** Items of a text by their names, each of a line; the comment is the first `#` of a line. */
  function about(
    text: string,
    names: readonly string[],
    options: { bracketed?: boolean; mark?: string } = {},
  ): string | undefined {
    const items: Item[] = [];
    for (const name of names) {
      const start = text.indexOf(name);
      const end = text.indexOf('\n', start);
      items.push({
        name,
        start,
        end: end < 0 ? text.length : end,
        parent: undefined,
        isBracketed: options.bracketed === true,
      });
    }
    const comments = commentsOf(text);
    const comment = comments.find((one) => one.text === (options.mark ?? 'x'));
    if (comment === undefined) throw new Error('there is no comment');
    return new Layout(text, items.toReversed(), comments.toReversed()).itemOf(comment)?.name;
  }

  it.each<[string, string, string[], string | undefined]>([
    ['what begins in its line', 'a: 1 # x\nb: 2\n', ['a', 'b'], 'a'],
    ['what begins below', '# x\na: 1\nb: 2\n', ['a', 'b'], 'a'],
    ['what begins below another comment', '# x\n# y\na: 1\n', ['a'], 'a'],
    ['what begins below, in the last line', '# x\na: 1', ['a'], 'a'],
    ['nothing below an empty line', '# x\n\na: 1\n', ['a'], undefined],
    ['nothing at the end', 'a: 1\n# x', ['a'], undefined],
    ['nothing below brackets', '# x\n} a\n', ['a'], undefined],
    ['nothing where nothing is', '# x\n', [], undefined],
    ['nothing of what is below but no item', '# x\n---\na: 1\n', ['a'], undefined],
    ['what stands above and further left', 'a:\n  # x\n\nb: 1\n', ['a', 'b'], 'a'],
    ['not what stands above at the same column', 'a: 1\n# x\n\nb: 1\n', ['a', 'b'], undefined],
    ['what stands above, if what follows is further left', 'a: 1\n  # x\nb: 1\n', ['a', 'b'], 'a'],
  ])('is %s', (_, text, names, expected) => {
    expect(about(text, names)).toBe(expected);
  });

  it('is what begins below, however it is indented, where indentation means nothing', () => {
    expect(about('a = 1\n    # x\nb = 1\n', ['a', 'b'], { bracketed: true })).toBe('b');
    expect(about('a = 1\n    # x\n\nb = 1\n', ['a', 'b'], { bracketed: true })).toBeUndefined();
  });
});
