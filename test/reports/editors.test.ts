import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from '../../lib/reports';
import { workspace } from '../cli/workspace';
import { skippedNote } from '../needs';
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

const [, ERROR_FORMAT = ''] = /^set errorformat=(.*)$/m.exec(GUIDE) ?? [];

/** What Vim makes of the report: for each line whether it has a place, and what was found in it. */
interface QuickfixItem {
  readonly valid: number;
  readonly file: string;
  readonly lnum: number;
  readonly col: number;
  readonly type: string;
  readonly text: string;
}

const EXPECTED: readonly QuickfixItem[] = [
  { valid: 1, file: 'b.json', lnum: 3, col: 9, type: 'e', text: 'input it ends inside a string' },
  { valid: 1, file: 'my infra/nodes.yaml', lnum: 2, col: 3, type: 'e', text: 'imds-hop-limit Blue has: 1 hop.' },
  { valid: 1, file: 'my infra/nodes.yaml', lnum: 2, col: 3, type: 'w', text: 'imds-v1 IMDSv1.' },
  { valid: 0, file: '', lnum: 0, col: 0, type: '', text: LINES.at(-1) ?? '' },
];

/** What an item of Vim's `errorformat` matches. Source: Vim, runtime/doc/quickfix.txt, "errorformat". */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['%f', '(?<file>.+?)'],
  ['%l', '(?<line>\\d+)'],
  ['%c', '(?<column>\\d+)'],
  ['%t', '(?<type>.)'],
  ['%*[a-z]', '[a-z]+'],
  ['%m', '(?<text>.+)'],
]);

it('the manual of Vim says that it finds place, level and message', () => {
  const pattern = ERROR_FORMAT.replaceAll('\\ ', ' ').replaceAll(
    /%(?:\*\[[^\]]*\]|\w)/g,
    (item) => ITEMS.get(item) ?? 'unknown',
  );
  const read = LINES.map((text): QuickfixItem => {
    const { file, line, column, type, ...rest } = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {};
    return file === undefined
      ? { valid: 0, file: '', lnum: 0, col: 0, type: '', text }
      : { valid: 1, file, lnum: Number(line), col: Number(column), type: type ?? '', text: rest['text'] ?? '' };
  });
  expect(read).toEqual(EXPECTED);
});

const folder = workspace({ 'report.txt': REPORT });
const vim = spawnSync('vim', ['--version'], { encoding: 'utf8' });
const lack =
  vim.error === undefined && vim.stdout.includes('+quickfix') ? undefined : 'no Vim with quickfix on the PATH';
(lack === undefined ? it : it.skip)(`Vim itself finds them${skippedNote(lack)}`, () => {
  writeFileSync(
    join(folder, 'read.vim'),
    `set errorformat=${ERROR_FORMAT}
cgetfile report.txt
let items = map(getqflist(), {_, one -> {'valid': one.valid, 'file': bufname(one.bufnr), 'lnum': one.lnum, 'col': one.col, 'type': one.type, 'text': one.text}})
call writefile([json_encode(items)], 'items.json')
qall!
`,
  );
  spawnSync('vim', ['-Nu', 'NONE', '-i', 'NONE', '-es', '-S', 'read.vim'], { cwd: folder, timeout: 30_000 });
  expect(JSON.parse(readFileSync(join(folder, 'items.json'), 'utf8'))).toEqual(EXPECTED);
});

interface Tasks {
  readonly tasks: readonly {
    readonly problemMatcher: {
      readonly fileLocation: readonly string[];
      readonly pattern: Readonly<Record<string, string | number>>;
    };
  }[];
}

/** Groups that a pattern can have. Source: Visual Studio Code, "Integrate with External Tools via Tasks", "Defining a problem matcher". */
const GROUPS = ['file', 'line', 'column', 'severity', 'message', 'location', 'endLine', 'endColumn', 'code'];

it('Visual Studio Code finds place, level, rule and message', () => {
  const [, json = ''] = /```jsonc\n(\{\n {2}"version": "2\.0\.0"[\s\S]*?\n\})\n```/.exec(GUIDE) ?? [];
  const matcher = (JSON.parse(json) as Tasks).tasks[0]?.problemMatcher;
  expect(matcher?.fileLocation).toEqual(['relative', '${workspaceFolder}']);
  const { regexp, ...groups } = matcher?.pattern ?? {};
  expect(Object.keys(groups).filter((name) => !GROUPS.includes(name))).toEqual([]);
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
