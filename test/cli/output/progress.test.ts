import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { progressOn } from '../../../lib/cli/output/progress';
import { workspace } from '../workspace';
import { itWithAll } from '../../share';

const folder = workspace({});

function busyFor(milliseconds: number): void {
  // As a check is: no timer of this thread gets its turn.
  for (const end = Date.now() + milliseconds; Date.now() < end; );
}

/** What appears on a screen while the thread is busy. */
function drawn(name: string, busy: number, columns: number): { byThread: string; byMain: string } {
  const file = join(folder, name);
  const fd = openSync(file, 'w');
  const written: string[] = [];
  const screen = { isTTY: true, columns, fd, write: (text: string) => written.push(text) };
  const progress = progressOn(screen, false, {}, { patience: 50, interval: 10 });
  progress.reading.onFile?.('infra/main.tf', 'input');
  busyFor(busy);
  progress.end();
  const byThread = readFileSync(file, 'utf8');
  closeSync(fd);
  return { byThread, byMain: written.join('') };
}

describe('progress', () => {
  it('tells of a long run, and clears its line, whether the terminal says how wide it is or not', () => {
    const { byThread, byMain } = drawn('long', 1500, 0);
    expect(byThread).toContain('reading, 1 file: infra/main.tf');
    expect(byMain).toBe('\r\u001b[2K');
  });

  itWithAll('stays within one line of a narrow terminal, and of one that gets narrower', () => {
    const { byThread } = drawn('narrow', 1500, 16);
    const [, ...lines] = byThread.split('\r\u001b[2K');
    expect(lines.length).toBeGreaterThan(0);
    // Between these two, the terminal itself cuts off what is too long.
    for (const line of lines) expect(line).toMatch(/^\u001b\[\?7l\d+ s {2}readi…\u001b\[\?7h$/);
  });

  it.each<[string, Readonly<Record<string, string>>, { isTTY?: boolean; fd?: undefined; isQuiet?: boolean }]>([
    ['a pipe', {}, { isTTY: false }],
    ['what is no file', {}, { fd: undefined }],
    ['a quiet run', {}, { isQuiet: true }],
    ['a dumb terminal', { TERM: 'dumb' }, {}],
    ['CI', { CI: 'true' }, {}],
    ['CI that counts', { CI: '1' }, {}],
    ['GitHub Actions', { GITHUB_ACTIONS: 'true' }, {}],
    ['Azure Pipelines', { TF_BUILD: 'True' }, {}],
    ['Jenkins', { JENKINS_URL: 'https://jenkins.example.com' }, {}],
  ])('is silent in %s', (_, env, { isQuiet = false, ...options }) => {
    const screen = { isTTY: true, columns: 60, fd: 1, write: () => true, ...options };
    expect(progressOn(screen, isQuiet, env).reading).toEqual({});
  });

  it.each(['', '0', 'false'])('takes CI=%s for a terminal of somebody', (ci) => {
    const screen = { isTTY: true, columns: 60, fd: 1, write: () => true };
    const progress = progressOn(screen, false, { CI: ci, GITHUB_ACTIONS: 'false' });
    progress.end();
    expect(progress.reading).not.toEqual({});
  });
});
