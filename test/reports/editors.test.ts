import { readFileSync } from 'node:fs';
import { render } from '../../lib/reports';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

/* The settings of editors in the guide read the compact report. */

const GUIDE = readFileSync('docs/guides/command.md', 'utf8');
const yaml = 'Resources:\n  Blue: {}\n';
const at = placeOf('my infra/nodes.yaml', yaml, 'Blue:');
const REPORT = render(
  'compact',
  resultOf(
    [
      findingOn(resourceAt(at, { id: 'Blue' }), { message: 'Blue has: 1 hop.' }),
      findingOn(resourceAt(at, { id: 'Blue' }), { severity: 'warning', rule: 'imds-v1', message: 'IMDSv1.' }),
    ],
    [{ severity: 'error', message: 'it ends inside a string', file: 'b.json', line: 3, column: 9 }],
  ),
  contextWith({}),
);
const LINES = REPORT.trimEnd().split('\n');

/** What an item of Vim's `errorformat` matches. Source: Vim, runtime/doc/quickfix.txt, "errorformat". */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['%f', '(?<file>.+?)'],
  ['%l', '(?<line>\\d+)'],
  ['%c', '(?<column>\\d+)'],
  ['%t', '(?<type>.)'],
  ['%*[a-z]', '[a-z]+'],
  ['%m', '(?<message>.+)'],
]);

it('Vim finds place, level and message', () => {
  const [, written = ''] = /^set errorformat=(.*)$/m.exec(GUIDE) ?? [];
  const pattern = written
    .replaceAll('\\ ', ' ')
    .replaceAll(/%(?:\*\[[^\]]*\]|\w)/g, (item) => ITEMS.get(item) ?? 'unknown');
  const read = LINES.map((line) => new RegExp(`^${pattern}$`).exec(line)?.groups);
  expect(read.map((groups) => groups && { ...groups })).toEqual([
    { file: 'b.json', line: '3', column: '9', type: 'e', message: 'input it ends inside a string' },
    { file: 'my infra/nodes.yaml', line: '2', column: '3', type: 'e', message: 'imds-hop-limit Blue has: 1 hop.' },
    { file: 'my infra/nodes.yaml', line: '2', column: '3', type: 'w', message: 'imds-v1 IMDSv1.' },
    undefined,
  ]);
});

interface Tasks {
  readonly tasks: readonly {
    readonly problemMatcher: { readonly pattern: Readonly<Record<string, string | number>> };
  }[];
}

/** Keys of a pattern. Source: Visual Studio Code, "Integrate with External Tools via Tasks", "Defining a problem matcher". */
it('Visual Studio Code finds place, level, rule and message', () => {
  const [, json = ''] = /```jsonc\n(\{\n {2}"version": "2\.0\.0"[\s\S]*?\n\})\n```/.exec(GUIDE) ?? [];
  const { regexp, ...groups } = (JSON.parse(json) as Tasks).tasks[0]?.problemMatcher.pattern ?? {};
  const read = LINES.map((line) => {
    const match = new RegExp(String(regexp)).exec(line);
    return match && Object.fromEntries(Object.entries(groups).map(([name, index]) => [name, match[Number(index)]]));
  });
  expect(read).toEqual([
    { file: 'b.json', line: '3', column: '9', severity: 'error', code: 'input', message: 'it ends inside a string' },
    {
      file: 'my infra/nodes.yaml',
      line: '2',
      column: '3',
      severity: 'error',
      code: 'imds-hop-limit',
      message: 'Blue has: 1 hop.',
    },
    { file: 'my infra/nodes.yaml', line: '2', column: '3', severity: 'warning', code: 'imds-v1', message: 'IMDSv1.' },
    null,
  ]);
});
