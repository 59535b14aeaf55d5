import type { Finding, OfferedRepair, RepairOffers } from '../../lib/engine';
import { render, type FormatName } from '../../lib/reports';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const yaml = 'A: 1\nB: 2\nC: 3\n';
const on = (name: string, values: Partial<Finding> = {}) =>
  findingOn(resourceAt(placeOf('cluster.yaml', yaml, `${name}:`), { id: name }), {
    message: `${name} is wrong.`,
    ...values,
  });

const safe: OfferedRepair = { safety: 'safe' };
const unsafe: OfferedRepair = { safety: 'unsafe', effect: 'replaces the nodes' };

function offers(list: readonly (readonly [Finding, OfferedRepair])[]): RepairOffers {
  const known = new Map(list);
  return { of: (finding) => known.get(finding), withEdits: () => expectNone() };
}

function expectNone(): never {
  throw new Error('edits were asked for');
}

function report(format: FormatName, findings: readonly Finding[], repairs: RepairOffers): string {
  return render(format, resultOf(findings), contextWith({ 'cluster.yaml': yaml }, { repairs }));
}

describe('marks of what can be repaired', () => {
  const [a, b, c] = [on('A'), on('B', { rule: 'imds-v1' }), on('C', { rule: 'imds-instance-tags', fix: '' })];
  const known = offers([
    [a, safe],
    [b, unsafe],
  ]);

  it.each<[FormatName, string[]]>([
    [
      'text',
      [
        'error  imds-hop-limit [fix]  cluster.yaml:1:1\n',
        'error  imds-v1 [unsafe fix]  cluster.yaml:2:1\n',
        'error  imds-instance-tags  cluster.yaml:3:1\n',
        '\n1 fixable with --fix, 2 with --fix --unsafe\n',
      ],
    ],
    [
      'compact',
      [
        ': error imds-hop-limit [fix] A is wrong.\n',
        ': error imds-v1 [unsafe fix] B is wrong.\n',
        ': error imds-instance-tags C is wrong.\n',
        '. 1 fixable with --fix, 2 with --fix --unsafe\n',
      ],
    ],
    [
      'github',
      [
        '::A is wrong.%0AFix: Declare 2.%0A--fix makes this change.%0A',
        '::B is wrong.%0AFix: Declare 2.%0A--fix --unsafe makes this change, and that replaces the nodes.%0A',
      ],
    ],
    [
      'markdown',
      [
        '\n1 fixable with `--fix`, 2 with `--fix --unsafe`\n',
        '\n--fix --unsafe makes this change, and that replaces the nodes.\n',
      ],
    ],
    [
      'html',
      [
        '<span class="repair">fix</span>',
        '<span class="repair">unsafe fix</span>',
        '--fix --unsafe makes this change, and that replaces the nodes.',
      ],
    ],
  ])('are in the %s report, which needs no edits for it', (format, texts) => {
    const told = report(format, [a, b, c], known);
    for (const text of texts) expect(told).toContain(text);
  });

  it('count those of an entry that has others', () => {
    const several = ['A', 'B', 'C'].map((name) => on(name, { rule: 'imds-v1', message: `"${name}" is wrong.` }));
    const [first, second] = several;
    if (first === undefined || second === undefined) throw new Error('three were made');
    const headline = (list: readonly (readonly [Finding, OfferedRepair])[]) =>
      report('text', several, offers(list)).split('\n')[0];
    expect(
      headline([
        [first, safe],
        [second, safe],
      ]),
    ).toBe('error  imds-v1 [fix 2 of 3]  cluster.yaml:1:1');
    expect(
      headline([
        [first, unsafe],
        [second, safe],
      ]),
    ).toBe('error  imds-v1 [fix 1 of 3]  cluster.yaml:1:1');
    const summary = report('text', several, offers([[first, safe]]))
      .trimEnd()
      .split('\n')
      .at(-1);
    expect(summary).toBe('1 fixable with --fix');
    expect(headline(several.map((finding) => [finding, unsafe]))).toBe('error  imds-v1 [unsafe fix]  cluster.yaml:1:1');
    expect(headline([])).toBe('error  imds-v1  cluster.yaml:1:1');
  });

  it('are nowhere if nobody knows of repairs', () => {
    const told = render('text', resultOf([a]), contextWith({ 'cluster.yaml': yaml }));
    expect(told).not.toMatch(/fixable|\[fix\]/);
  });
});
