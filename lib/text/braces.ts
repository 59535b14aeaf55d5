/** More alternatives than anybody writes; `{a,b}{a,b}…` doubles with every pair. */
export const MAX_ALTERNATIVES = 256;

const BRACES = /(?<!\\)\{([^{},]*,[^{}]*)\}/;

/** What a pattern with braces stands for, the innermost ones first: `a{b,c}` is `ab` and `ac`. Stops when there are too many. */
export function withoutBraces(pattern: string): readonly string[] {
  let all: readonly string[] = [pattern];
  // All of them have the same braces left, save for those that a choice holds itself.
  while (all.length <= MAX_ALTERNATIVES && all.some((one) => BRACES.test(one))) {
    all = all.flatMap((one) => {
      const [braces, list] = BRACES.exec(one) ?? [];
      return braces === undefined || list === undefined
        ? [one]
        : list.split(',').map((choice) => one.replace(braces, () => choice));
    });
  }
  return [...new Set(all)];
}
