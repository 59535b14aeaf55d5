import { skippedNote } from './needs';

/**
 * Set by `npm test`, but not with `--all`: what is tried again in many ways takes a part of its cases there. A test file by itself tries them all.
 */
export const IS_SHARED = process.env['EKS_GUARDRAILS_SHARE'] === '1';

const NOTE = skippedNote(IS_SHARED ? 'npm test -- --all runs it' : undefined);

/** Declares a test that takes seconds, and of which a whole run has the like: `npm test -- --all` runs it, and its file by itself. */
export function itWithAll(name: string, test: jest.ProvidesCallback, timeout?: number): void {
  (IS_SHARED ? it.skip : it)(`${name}${NOTE}`, test, timeout);
}

/** The same for all tests of a subject. */
export function describeWithAll(name: string, tests: () => void): void {
  (IS_SHARED ? describe.skip : describe)(`${name}${NOTE}`, tests);
}

/** One part of many named cases in a whole run, the same every time and wherever they stand. @param parts how many parts there are of them */
export function share<T extends readonly [name: string, ...unknown[]]>(cases: readonly T[], parts = 8): readonly T[] {
  if (!IS_SHARED) return cases;
  const chosen = cases.filter(([name]) => numberOf(name) % parts === 0);
  return chosen.length > 0 ? chosen : cases.slice(0, 1);
}

/** How many cases a property draws: a whole run takes a fourth of them, since they are the same every time. */
export function runs(count: number): number {
  return IS_SHARED ? Math.ceil(count / 4) : count;
}

/** A number that names have nothing to do with. */
function numberOf(name: string): number {
  let number = 0;
  for (const letter of name) number = (Math.imul(number, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  // The last bits of such a sum are those of the letters.
  return (Math.imul(number, 0x9e3779b1) >>> 16) & 0xffff;
}
