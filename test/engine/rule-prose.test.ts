import fs from 'node:fs';
import type * as Eks from '../../lib/eks';
import { defineRule } from '../../lib/engine';
import type * as Engine from '../../lib/engine';
import { parsePage } from '../../lib/engine/rule-prose';
import type * as Reports from '../../lib/reports/rule-information';
import type * as Rules from '../../lib/rules';

const PAGE = `# acme-rule

## What happens

Pods get \`401\`.

## How to recognise it

- \`no EC2 IMDS role found\` (EBS CSI driver)
- A controller restarts
  for ever

## Why

Because of *that*.

## Examples

Wrong:

\`\`\`yaml
## no heading
\`\`\`

## What it can't see

- This.
- That.

## When to ignore it

Never.

## Sources

- [A guide: the chapter](https://example.com/guide#chapter)
- [Code](https://example.com/code)
`;

describe('the page of a rule', () => {
  it('says what its sections hold', () => {
    expect(parsePage('acme-rule', PAGE)).toEqual({
      symptom: 'Pods get `401`.',
      signs: ['`no EC2 IMDS role found` (EBS CSI driver)', 'A controller restarts for ever'],
      why: 'Because of *that*.',
      examples: 'Wrong:\n\n```yaml\n## no heading\n```',
      limits: '- This.\n- That.',
      ignore: 'Never.',
      sources: [
        { title: 'A guide: the chapter', url: 'https://example.com/guide#chapter' },
        { title: 'Code', url: 'https://example.com/code' },
      ],
    });
  });

  it('is the same with the line ends of Windows', () => {
    expect(parsePage('acme-rule', PAGE.replaceAll('\n', '\r\n'))).toEqual(parsePage('acme-rule', PAGE));
  });

  it('may have blank lines between the items of a list', () => {
    const apart = PAGE.replace('- A controller', '\n- A controller').replace('- [Code]', '\n  \n- [Code]');
    expect(parsePage('acme-rule', apart)).toEqual(parsePage('acme-rule', PAGE));
  });

  it.each([
    [
      '- A controller',
      'A controller',
      '"A controller restarts" is no item of a list, such as "- `a line of a log` (who',
    ],
    ['# acme-rule\n', '# acme-rules\n', 'it begins with "# acme-rule" and nothing else before the first section'],
    ['# acme-rule\n', '# acme-rule\n\nMore.\n', 'it begins with "# acme-rule" and nothing else before'],
    [
      '## Why\n',
      '## Reason\n',
      '"## Reason" is no section of a page; they are "## What happens", "## How to recognise it", "## Why", ',
    ],
    ['## Why\n', '## Reason\n', 'it says nothing under "## Why"'],
    ['## Why\n', '## What happens\n', '"## What happens" stands there twice'],
    ['Because of *that*.', '', 'it says nothing under "## Why"'],
    ['## Why\n\nBecause of *that*.\n\n', '', 'it says nothing under "## Why"'],
    [/- \[[^]*/, '', 'it says nothing under "## Sources"'],
    ['- [Code](https://example.com/code)', 'See the code.', '"See the code." is no source, such as "- [title](https'],
    ['https://example.com/code', 'http://example.com/code', 'is no source, such as "- [title](https://…)"'],
    [/## Why[^]*?(## Ex[^]*?)(## What it)/, '$1## Why\n\nSo.\n\n$2', 'its sections are in another order than'],
  ])('is refused where %s is %s', (part, other, problem) => {
    const page = PAGE.replace(part, other);
    expect(page).not.toBe(PAGE);
    expect(() => parsePage('acme-rule', page)).toThrow(problem);
    expect(() => parsePage('acme-rule', page)).toThrow('the page acme-rule.md: ');
  });

  it('is where the texts are when an installation lacks it', () => {
    const rule = defineRule({
      id: 'acme-rule',
      subject: 'imds',
      title: 'T',
      severity: 'error',
      since: '',
      messages: {},
      check: () => [],
    });
    const address = 'https://github.com/eks-guardrails/eks-guardrails/blob/main/docs/rules/acme-rule.md';
    expect({ ...rule }).toMatchObject({
      symptom: `This installation lacks the texts of the rule: ${address}.`,
      why: '',
      sources: [],
    });
  });
});

describe('the pages of the rules', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are read when somebody asks for one, and once', () => {
    // Modules of their own: other tests have read pages.
    jest.isolateModules(() => {
      const engine = jest.requireActual<typeof Engine>('../../lib/engine');
      const { EksModel } = jest.requireActual<typeof Eks>('../../lib/eks');
      const { allRules } = jest.requireActual<typeof Rules>('../../lib/rules');
      const { rulesOf } = jest.requireActual<typeof Reports>('../../lib/reports/rule-information');
      const opened = jest.spyOn(fs, 'openSync');
      const pages = (): string[] =>
        opened.mock.calls.map(([file]) => String(file)).filter((file) => file.endsWith('.md'));
      engine.resolveConfiguration({ preset: 'strict' }, allRules);
      const findings = engine.runRules(new EksModel([]), allRules, { asOf: '2026-11-21' });
      expect(rulesOf(findings)).toEqual([]);
      expect(pages()).toEqual([]);

      const rule = allRules.find(({ id }) => id === 'imds-v1');
      expect(`${rule?.why ?? ''}${rule?.limits ?? ''}`).toMatch(/IMDSv1/);
      expect(pages()).toEqual([expect.stringMatching(/imds-v1\.md$/)]);
    });
  });
});
