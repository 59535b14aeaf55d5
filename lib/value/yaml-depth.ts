import { Parser, type CST } from 'yaml';

/*
 * How deep YAML is nested, found without recursion. What composes its tokens recurses, and a stack that ends while V8 compiles a regular expression
 * is no error to catch: the process ends.
 */

/** Whether a text is nested deeper than so many levels; a value within the last one is no level. */
export function isNestedDeeper(text: string, most: number): boolean {
  return text.length > most && tooDeepAt([...new Parser().parse(text)], most + 1) !== undefined;
}

/** Where tokens that aren't composed yet are nested deeper than so many levels. */
export function tooDeepAt(tokens: readonly CST.Token[], most: number): number | undefined {
  let level: CST.Token[] = [...tokens];
  for (let depth = 0; level.length > 0; depth++) {
    // Documents, sequences and maps: each level of YAML is one level of tokens.
    const [first] = level;
    if (depth > most && first !== undefined) return 'offset' in first ? first.offset : 0;
    const next: CST.Token[] = [];
    for (const token of level) {
      if (token.type === 'document') {
        if (token.value !== undefined) next.push(token.value);
      } else if ('items' in token) {
        for (const item of token.items) {
          if (item.key !== undefined && item.key !== null) next.push(item.key);
          if (item.value !== undefined) next.push(item.value);
        }
      }
    }
    level = next;
  }
  return undefined;
}
