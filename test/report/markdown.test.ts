import fc from 'fast-check';
import { render } from '../../lib/report';
import { cell, code, codeBlock, inline } from '../../lib/report/markdown-text';
import { expectGolden } from './golden';
import { contextWith, findingOn, resultOf } from './hand-made';
import { everything, files, hopLimit, many, sample } from './sample';

describe('the Markdown report', () => {
  it('looks like the golden file', () => {
    expectGolden('markdown.md', render('markdown', sample, contextWith(files)));
  });

  it('looks like the golden file when everything is listed', () => {
    expectGolden('markdown-verbose.md', render('markdown', sample, contextWith(files, { list: everything })));
  });

  it('says that there is nothing to say', () => {
    expect(render('markdown', resultOf([]), contextWith({}))).toBe('### eks-guardrails\n\nNo findings in 1 input, 12 resources\n');
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

  it('keeps the cells of a table apart', () => {
    expect(cell(code('a|b'))).toBe('`a\\|b`');
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
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '[', ']', '(', '`', '\\', 'a', '*'), maxLength: 15 }), (message) => {
        const shown = render('markdown', resultOf([findingOn(hopLimit.resource, { message, fix: '', fixCode: undefined })]), contextWith(files));
        const [, line = ''] = /line \d+: (.*)$/m.exec(shown) ?? [];
        const outside = line.replaceAll(/\\[\\`*_~<>&[\]#|$]|`[^`]+`/g, '');
        expect(outside).not.toMatch(/[<>[\]`*]/);
      }),
    );
  });
});
