import fc from 'fast-check';
import { render } from '../../lib/reports';
import { code, codeBlock, inline } from '../../lib/reports/markdown-text';
import { expectGolden } from './golden';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';
import { everything, files, hopLimit, many, sample } from './sample';

describe('the Markdown report', () => {
  it('looks like the golden file', () => {
    expectGolden('markdown.md', render('markdown', sample, contextWith(files)));
  });

  it('looks like the golden file when everything is listed', () => {
    expectGolden('markdown-verbose.md', render('markdown', sample, contextWith(files, { list: everything })));
  });

  it('says that there is nothing to say', () => {
    expect(render('markdown', resultOf([]), contextWith({}))).toBe(
      '### eks-guardrails\n\nNo findings in 1 input, 12 resources\n',
    );
  });

  it('fits into a comment on GitHub, and says what is left out', () => {
    for (const size of [50, 150, 500, 5000]) {
      const report = render('markdown', many(size), contextWith(files));
      expect(report.length).toBeLessThan(65_000);
      const rows = report.split('\n').filter((line) => /^\| (?:error|warning) /.test(line)).length;
      const [, left = '0'] = /^(\d+) more findings are left out here/m.exec(report) ?? [];
      expect(rows + Number(left)).toBe(size);
      expect(report.match(/<details>/g)?.length).toBe(report.match(/<\/details>/g)?.length);
    }
  });

  it('keeps the worst when not all fit', () => {
    const report = render('markdown', many(5000), contextWith(files));
    expect(report).not.toMatch(/^\| warning /m);
  });

  it('lists the errors of all files before any warning', () => {
    const noted = many(800).findings.map((finding) => ({ ...finding, severity: 'warning' as const }));
    const error = findingOn(resourceAt(placeOf('last.yaml', 'Last: 1', 'Last'), { id: 'Last' }));
    const report = render('markdown', resultOf([...noted, error]), contextWith(files));
    expect(report.indexOf('#### `last.yaml`')).toBeGreaterThan(0);
    expect(report.indexOf('#### `last.yaml`')).toBeLessThan(report.indexOf('#### `cluster.yaml`'));
    expect(report).toContain(
      '| error | [imds-hop-limit](https://example.com/imds-hop-limit) | `Last` | 1 |\n\n<details>',
    );
    const rows = report.split('\n').filter((line) => line.startsWith('| warning ')).length;
    expect(report).toContain(
      `\n${800 - rows} more findings are left out here, because comments may not be longer: ${800 - rows} warnings.\n`,
    );
  });

  it('does not let one finding take all the room', () => {
    const { related } = hopLimit;
    const places = Array.from({ length: 300 }, () => related).flat();
    const report = render('markdown', resultOf([{ ...hopLimit, related: places }]), contextWith(files));
    expect(report.match(/^- `/gm)).toHaveLength(10);
    expect(report).toContain(`\n- and ${places.length - 10} more places\n`);
    const ten = render('markdown', resultOf([{ ...hopLimit, related: places.slice(0, 10) }]), contextWith(files));
    expect(ten.match(/^- `/gm)).toHaveLength(10);
    expect(ten).not.toContain('more place');
    expect(render('markdown', resultOf([{ ...hopLimit, related: places.slice(0, 11) }]), contextWith(files))).toContain(
      '\n- and 1 more place\n',
    );
  });

  it('tells ten causes that keep rules from judging, and how many more there are', () => {
    const report = (causes: number) => {
      const open = Array.from({ length: causes }, (_, index) => ({
        ...hopLimit,
        verdict: 'unverifiable' as const,
        cause: `cause ${index}`,
      }));
      return render('markdown', resultOf(open), contextWith(files));
    };
    expect(report(10).match(/^- .*: cause \d+$/gm)).toHaveLength(10);
    expect(report(10)).not.toContain('more cause');
    expect(report(11).match(/^- .*: cause \d+$/gm)).toHaveLength(10);
    expect(report(11)).toContain('\n- and 1 more cause\n\n</details>\n');
  });

  it('says how bad it is what is left out', () => {
    const report = render('markdown', many(5000), contextWith(files));
    const [, total = '', errors = '', warnings = ''] =
      /^(\d+) more findings are left out here, because comments may not be longer: (\d+) errors, (\d+) warnings\.$/m.exec(
        report,
      ) ?? [];
    expect(Number(errors) + Number(warnings)).toBe(Number(total));
    expect(Number(warnings)).toBe(3333);
  });

  it.each(['docs/acme x.md', 'javascript:alert(1)', '//example.com/x'])('links no rule with %s', (docs) => {
    expect(render('markdown', resultOf([{ ...hopLimit, docs }]), contextWith(files))).toContain(
      '| error | imds-hop-limit | `WorkersTemplate` | 13 |',
    );
  });

  it('links no rule that has no page', () => {
    const report = render('markdown', resultOf([{ ...hopLimit, rule: 'mine', docs: '' }]), contextWith(files));
    expect(report).toContain('| error | mine | `WorkersTemplate` | 13 |');
    expect(report).not.toContain(']()');
  });

  it('fences code that holds fences', () => {
    const report = render('markdown', resultOf([{ ...hopLimit, fixCode: '```\nnested\n```' }]), contextWith(files));
    expect(report).toContain('\n````yaml\n```\nnested\n```\n````\n');
  });
});

describe('text in Markdown', () => {
  it.each([
    ['<script>alert(1)</script>', '\\<script\\>alert(1)\\</script\\>'],
    ['a `code <b>` b_c*', 'a `code <b>` b\\_c\\*'],
    ['an odd ` backtick', 'an odd \\` backtick'],
    ['[text](javascript:x)', '\\[text\\](javascript:x)'],
    ['two\nlines', 'two lines'],
    ['ping @team', 'ping @\u200bteam'],
    ['$Latest and $Default', '\\$Latest and \\$Default'],
    ['a|b', 'a&#124;b'],
    ['see http://evil.example or www.evil.example', 'see http:\u200b//evil.example or www\u200b.evil.example'],
    ['without https:// in it', 'without https:// in it'],
    ['GH-12 and #12', 'GH-\u200b12 and \\#\u200b12'],
  ])('%s', (text, expected) => {
    expect(inline(text)).toBe(expected);
  });

  it.each([
    ['Workers', '`Workers`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['', ''],
  ])('as code: %s', (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  it('keeps the cells of a table apart, for every reader', () => {
    expect(code('a|b')).toBe('<code>a&#124;b</code>');
    expect(code('x\\|[y](z) @o ä')).toBe('<code>x&#92;&#124;&#91;y&#93;&#40;z&#41; &#64;o ä</code>');
  });

  it('closes every fence that it opens', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '```', '\n', 'x'), maxLength: 20 }), (text) => {
        const [fence = '', ...rest] = codeBlock('', text).split('\n');
        expect(rest.filter((line) => /^ *`{3,}/.test(line) && line.startsWith(fence))).toEqual([fence]);
      }),
    );
  });

  it('lets no tag and no link of a message through', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '[', ']', '(', '`', '\\', 'a', '*'), maxLength: 15 }),
        (message) => {
          const shown = render(
            'markdown',
            resultOf([findingOn(hopLimit.resource, { message, fix: '', fixCode: undefined })]),
            contextWith(files),
          );
          const [, line = ''] = /line \d+: (.*)$/m.exec(shown) ?? [];
          const outside = line.replaceAll(/\\[\\`*_~<>&[\]#|$]|`[^`]+`/g, '');
          expect(outside).not.toMatch(/[<>[\]`*]/);
        },
      ),
    );
  });
});
