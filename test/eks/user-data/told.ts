import { expectGolden } from '../../reports/golden';

interface Told {
  readonly offset: number;
  readonly level?: string;
  readonly message: string;
  readonly fix?: string;
}

/** Compares all that is said of some texts with a golden file: each text, and what its problems are, where, and what to write instead. */
export function expectTold(name: string, cases: readonly (readonly [text: string, problems: readonly Told[]])[]): void {
  const blocks = cases.map(([text, problems]) => {
    const shown = text.split('\n').map((line) => `| ${line}`.trimEnd());
    const told = problems.map(({ offset, level, message, fix }) => {
      const before = text.slice(0, offset).split('\n');
      const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
      return [
        `  ${place}${level === undefined ? '' : ` ${level}`}: ${message}`,
        ...(fix === undefined ? [] : [`    ${fix}`]),
      ].join('\n');
    });
    return [...shown, ...told, ''].join('\n');
  });
  expectGolden(name, blocks.join('\n'), __dirname);
}
