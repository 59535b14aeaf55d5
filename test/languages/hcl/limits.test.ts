import { parseExpression, parseHcl, parseTemplate } from '../../../lib/languages/hcl/parser';
import { share } from '../../share';

const TOO_DEEP = 'nested more than 256 levels deep';

function messages({ problems }: { readonly problems: readonly { readonly message: string }[] }): string[] {
  return [...new Set(problems.map(({ message }) => message))];
}

/** Processor time in milliseconds, which other processes on the machine don't lengthen as they do the time on the clock. */
function cost(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

describe('limits of the HCL parser', () => {
  it.each([
    ['parentheses', (n: number) => `${'('.repeat(n)}1${')'.repeat(n)}`],
    ['tuples', (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`],
    ['objects', (n: number) => `${'{ a = '.repeat(n)}1${' }'.repeat(n)}`],
    ['calls', (n: number) => `${'f('.repeat(n)}${')'.repeat(n)}`],
    ['templates', (n: number) => `${'"${'.repeat(n)}1${'}"'.repeat(n)}`],
    ['indexes', (n: number) => `${'a['.repeat(n)}1${']'.repeat(n)}`],
    ['negations', (n: number) => `${'!'.repeat(n)}a`],
    ['conditions', (n: number) => `${'a ? b : '.repeat(n)}c`],
    ['splats', (n: number) => `a${'[*]'.repeat(n)}`],
    ['operators', (n: number) => `a${' + 1'.repeat(n)}`],
    ['references', (n: number) => `a${'.b'.repeat(n)}`],
    ['keys', (n: number) => `{ (a${' + 1'.repeat(n)}) = 1 }`],
    ['items of loops', (n: number) => `[for k in a : k${' + 1'.repeat(n)}]`],
    ['what loops go through', (n: number) => `[for k in a${'.b'.repeat(n)} : k]`],
    ['keys of loops', (n: number) => `{ for k in a : k${'.b'.repeat(n)} => k }`],
    ['conditions of loops', (n: number) => `[for k in a : k if k${'.b'.repeat(n)}]`],
    ['directives', (n: number) => `"${'%{ if a }'.repeat(n)}${'%{ endif }'.repeat(n)}"`],
    ['chains within parentheses', (n: number) => `${'('.repeat(n / 4)}1${' + 1 + 1 + 1 + 1)'.repeat(n / 4)}`],
  ])('end the reading of %s', (_, write) => {
    expect(messages(parseExpression(write(100)))).toEqual([]);
    for (const n of [260, 20_000]) {
      const text = write(n);
      const { body, problems } = parseHcl(`x = ${text}\nz = 1\n`);
      expect(messages({ problems })).toEqual([TOO_DEEP]);
      expect(body.attributes.map(({ name, value }) => `${name} ${value.kind}`)).toEqual(['x invalid', 'z literal']);
    }
  });

  it('end the reading of blocks', () => {
    const nested = (n: number): string => `${'a {\n'.repeat(n)}${'}\n'.repeat(n)}z = 1\n`;
    expect(messages(parseHcl(nested(200)))).toEqual([]);
    const { body, problems } = parseHcl(nested(20_000));
    expect(messages({ problems })).toEqual([TOO_DEEP]);
    expect(body.attributes.map(({ name }) => name)).toEqual(['z']);
  });

  // 100,000 characters of each take a fraction of a second; what is quadratic takes many.
  it.each(
    share([
      ['open brackets', '['],
      ['lines with open brackets', 'a = [{(\n'],
      ['lines with open objects', 'a = {\nb = 1\n'],
      ['open quotes', '"'],
      ['open interpolations', '"${'],
      ['lines with open interpolations', 'a = "${f(\n'],
      ['open heredocs', 'a = <<A\n'],
      ['open blocks', 'a {\n'],
      ['open blocks in one line', 'a { '],
      ['closing brackets', '}])'],
      ['open comments', '/* '],
      ['interpolations in one line of a heredoc', '${a}', 'a = <<A\n'],
      ['lines of a heredoc', '  ${a ~} \n', 'a = <<-A\n', 'A\n'],
      ['blanks in a heredoc', ' ', 'a = <<A\n', 'b ${~ c}\nA\n'],
      ['dots behind a number', '.', 'a = 1'],
      ['dots and digits', '1.'],
      ['signs', '$$%%', 'a = "', '"'],
      ['backslashes', '\\', 'a = "', '"'],
      ['words of a heredoc marker', 'x', 'a = <<'],
      ['good lines', 'a = f("x ${b.c[0]} y", { d = [1, 2] }) + 3\n', 'x {\n', '}\n'],
    ]),
  )('time is linear: %s', (_, part, before = '', behind = '') => {
    const text = before + part.repeat(100_000 / part.length) + behind;
    expect(cost(() => parseHcl(text))).toBeLessThan(2500);
    expect(cost(() => parseTemplate(text))).toBeLessThan(2500);
  });
});
