import { resolve } from 'node:path';
import { WATCHED, WatchedCheck } from '../../../lib/cli/check/watched-check';
import type { CheckResult } from '../../../lib/check';
import { ConfigurationFileError } from '../../../lib/configuration/problems';

const send = Object.getOwnPropertyDescriptor(process, 'send');
const { isTTY } = process.stdout;
let told: unknown[] = [];
let said = { stdout: '', stderr: '' };

beforeEach(() => {
  told = [];
  said = { stdout: '', stderr: '' };
  process.send = (message: unknown) => told.push(message) > 0;
  for (const name of ['stdout', 'stderr'] as const)
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    });
});

afterEach(() => {
  if (send === undefined) delete process.send;
  else Object.defineProperty(process, 'send', send);
  process.stdout.isTTY = isTTY;
  jest.restoreAllMocks();
});

const check = (...changed: readonly string[]): WatchedCheck | undefined =>
  WatchedCheck.current({ [WATCHED]: JSON.stringify({ changed: changed.slice(0, 4), count: changed.length }) });

const withProblem = (severity: 'error' | 'warning', file: string): CheckResult =>
  ({
    findings: [],
    inputs: [],
    diagnostics: [{ severity, file, line: 3, column: 1, message: 'broken' }],
  }) as unknown as CheckResult;

describe('a check that --watch has begun', () => {
  it('is told by the variable, and by a process that listens', () => {
    expect(check()).toBeInstanceOf(WatchedCheck);
    expect(WatchedCheck.current({})).toBeUndefined();
    delete process.send;
    expect(check()).toBeUndefined();
  });

  it('tells what it looked at', () => {
    check()?.tell({ files: ['a'], folders: ['b'] });
    check()?.tell({ files: ['a'], folders: ['b'] }, ['c']);
    expect(told).toEqual([
      { files: ['a'], folders: ['b'] },
      { files: ['a', 'c'], folders: ['b'] },
    ]);
  });

  it('tells the files of a configuration that can not be used, and nothing of another mistake', () => {
    const problem = { file: 'eks-guardrails.config.yaml', property: '', message: 'wrong' };
    check('x.tf')?.tellProblem(new ConfigurationFileError([problem]));
    expect(told).toEqual([{ files: ['eks-guardrails.config.yaml'], folders: [] }]);
    check('x.tf')?.tellProblem(new Error('no such rule'));
    expect(told).toHaveLength(1);
    expect(said.stderr).toMatch(/^(?:\d\d:\d\d:\d\d x\.tf changed\.\n\n){2}$/);
  });

  it.each([
    [['a'], 'a changed.'],
    [['a', 'b', 'c'], 'a, b, c changed.'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more changed.'],
  ])('says why it reports: %j', (changed, text) => {
    check(...changed)?.beginReport();
    expect(said.stderr.slice('00:00:00 '.length)).toBe(`${text}\n\n`);
  });

  it('says nothing the first time', () => {
    check()?.beginReport();
    expect(said).toEqual({ stdout: '', stderr: '' });
  });

  it('clears the screen of a terminal that can be cleared', () => {
    const { TERM: before } = process.env;
    try {
      process.env['TERM'] = 'xterm';
      check()?.beginReport();
      expect(said.stdout).toBe('');
      process.stdout.isTTY = true;
      check()?.beginReport();
      expect(said.stdout).toBe('\u001b[2J\u001b[3J\u001b[H');
      process.env['TERM'] = 'dumb';
      check()?.beginReport();
      expect(said.stdout).toHaveLength(11);
    } finally {
      if (before === undefined) delete process.env['TERM'];
      else process.env['TERM'] = before;
    }
  });

  it('is half done while what has changed can not be read', () => {
    expect(check('a.tf')?.isHalfDone(withProblem('error', resolve('a.tf')))).toBe(true);
    expect(said.stderr).toMatch(
      /^\n\d\d:\d\d:\d\d a\.tf changed\.\nIt can't be read yet, so the report above is of what was there before:\n.*a\.tf:3:1 broken\n$/,
    );
    expect(check('a.tf')?.isHalfDone(withProblem('warning', 'a.tf'))).toBe(false);
    expect(check('a.tf')?.isHalfDone(withProblem('error', 'b.tf'))).toBe(false);
    expect(check()?.isHalfDone(withProblem('error', 'a.tf'))).toBe(false);
  });
});
