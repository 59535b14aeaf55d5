/** How pieces of a text report look. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly green: Paint;
  readonly cyan: Paint;
}

export type Paint = (text: string) => string;

export const plainStyle: Style = {
  bold: same,
  dim: same,
  red: same,
  yellow: same,
  blue: same,
  green: same,
  cyan: same,
};

export const ansiStyle: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  yellow: sgr(33, 39),
  blue: sgr(34, 39),
  green: sgr(32, 39),
  cyan: sgr(36, 39),
};

function same(text: string): string {
  return text;
}

function sgr(on: number, off: number): Paint {
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}
