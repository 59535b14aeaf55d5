import { Writable } from 'node:stream';
import { guard, takesCommands, trusted, verbatim } from '../../../lib/cli/output/screen';

/** A guarded stream, and what has come to it. */
function screen(): { stream: Writable; shown: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  guard(stream);
  return { stream, shown: () => chunks.join('') };
}

describe('what a runner reads', () => {
  it('holds no command but those that are meant', () => {
    const { stream, shown } = screen();
    stream.write('::error::from a template\n');
    trusted(() => stream.write('::error::ours\n'));
    stream.write('a ##[error]b\n');
    expect(shown()).toBe(': :error::from a template\n::error::ours\na ## [error]b\n');
  });

  it('holds no command that comes in pieces, nor one that goes on after those that are meant', () => {
    const { stream, shown } = screen();
    for (const piece of ['##', 'vso', '[x]\n', ' :']) stream.write(piece);
    stream.write(':b\n');
    expect(shown()).toBe('##vso [x]\n : :b\n');
    const other = screen();
    other.stream.write(':');
    trusted(() => other.stream.write('\n'));
    other.stream.write(':a\n');
    expect(other.shown()).toBe(':\n:a\n');
  });

  it('is given bytes as they are', () => {
    const { stream, shown } = screen();
    stream.write(Buffer.from('::error::a\n'));
    expect(shown()).toBe('::error::a\n');
  });

  it('is trusted for one text only, even if that fails', () => {
    const { stream, shown } = screen();
    expect(() =>
      trusted(() => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    stream.write('::a\n');
    expect(shown()).toBe(': :a\n');
  });

  it.each([
    [{ TF_BUILD: 'True' }, true],
    [{ TEAMCITY_VERSION: '2026.1' }, true],
    [{}, false],
  ])('may be a command with %j', (env, expected) => {
    expect(takesCommands(env)).toBe(expected);
  });
});

describe('a diff', () => {
  const actions = process.env['GITHUB_ACTIONS'];
  const set = (value: string | undefined) => {
    if (value === undefined) delete process.env['GITHUB_ACTIONS'];
    else process.env['GITHUB_ACTIONS'] = value;
  };
  afterEach(() => {
    set(actions);
  });

  it('is kept from the runner where it holds a command, and is as it was', () => {
    set('true');
    expect(takesCommands({})).toBe(true);
    expect(verbatim('+a\n')).toBe('+a\n');
    for (const text of ['::a\n', '::a'])
      expect(verbatim(text)).toMatch(/^::stop-commands::(?<token>[\w-]+)\n::a\n::\k<token>::\n$/);
  });

  it('is as it was for everybody else', () => {
    set('false');
    expect(verbatim('::a\n')).toBe('::a\n');
  });
});
