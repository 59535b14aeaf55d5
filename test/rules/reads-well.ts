import type { Finding } from '../../lib/engine';

/** What a missing name, a forgotten placeholder or an empty list leaves behind. */
const GAP =
  / {2}| [,.;:](?:\s|$)|\{\{|\bundefined\b|\[object |\(\)(?!\w*[`;])|\bfrom (?:set by|default of|argument|output)\b|\band no \S+ as\b/;

/** Expects the texts of findings to have no gaps. */
export function expectToReadWell(findings: readonly Finding[]): void {
  expect(findings.flatMap(({ message, fix }) => [message, fix]).filter((text) => GAP.test(text))).toEqual([]);
}
