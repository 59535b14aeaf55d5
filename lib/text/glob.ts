/** One step of a pattern. `entry` and `inside` together are two stars and a slash: any number of folders, none included. */
type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' | 'star' | 'any' | 'entry' | 'inside' }
  | { readonly kind: 'class'; readonly ranges: readonly (readonly [string, string])[]; readonly isNegated: boolean };

/**
 * A matcher for whole texts: `*` is any text without `/`, `**` any text, `?` one character other than `/`, `[a-c]` one of a set, `[!a-c]` one
 * outside of it. A backslash takes the next character as it is. The time for a match grows with pattern × text, whatever they hold.
 *
 * A pattern with brackets also matches with the brackets taken as they are, so that addresses of Terraform can be written as it shows them:
 * `aws_eks_node_group.this[0]`.
 */
export function globMatcher(pattern: string): (text: string) => boolean {
  const readings = [tokensOf(pattern, true)];
  if (pattern.includes('[')) readings.push(tokensOf(pattern, false));
  return (text) => text === pattern || readings.some((tokens) => matches(tokens, text));
}

/** Whether a text holds characters with a meaning in patterns, and so may match other texts than itself. */
export function isGlob(text: string): boolean {
  return /[*?[\\]/.test(text);
}

function tokensOf(text: string, withClasses: boolean): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = Array.from(text);
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '\\' && at + 1 < pattern.length) tokens.push({ kind: 'char', char: pattern[++at] ?? '' });
    else if (char === '?') tokens.push({ kind: 'one' });
    else if (char === '*') {
      const start = at;
      while (pattern[at + 1] === '*') at++;
      const isFolders = at > start && (start === 0 || pattern[start - 1] === '/') && pattern[at + 1] === '/';
      if (isFolders) {
        at++;
        tokens.push({ kind: 'entry' }, { kind: 'inside' });
      } else tokens.push({ kind: at > start ? 'any' : 'star' });
    } else {
      const end = char === '[' && withClasses ? classEnd(pattern, at) : undefined;
      if (end === undefined) tokens.push({ kind: 'char', char });
      else {
        tokens.push(classOf(pattern.slice(at + 1, end)));
        at = end;
      }
    }
  }
  return tokens;
}

/** Where the `]` of a set stands; one right at the start belongs to the set. */
function classEnd(pattern: readonly string[], start: number): number | undefined {
  const first = start + (pattern[start + 1] === '!' || pattern[start + 1] === '^' ? 2 : 1);
  const end = pattern.indexOf(']', first + 1);
  return end < 0 ? undefined : end;
}

function classOf(content: readonly string[]): Token {
  const isNegated = content[0] === '!' || content[0] === '^';
  const members = isNegated ? content.slice(1) : content;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? '';
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([from, isRange ? (members[at + 2] ?? '') : from]);
    if (isRange) at += 2;
  }
  return { kind: 'class', ranges, isNegated };
}

/** Follows all ways through the pattern at once, so that no text makes it try again. */
function matches(tokens: readonly Token[], text: string): boolean {
  let states = new Uint8Array(tokens.length + 1);
  reach(states, 0, tokens);
  for (const char of text) {
    const next = new Uint8Array(tokens.length + 1);
    tokens.forEach((token, state) => {
      if (states[state] === 1) for (const target of step(token, char, state)) reach(next, target, tokens);
    });
    states = next;
  }
  return states[tokens.length] === 1;
}

/** The states that a character leads to. */
function step(token: Token, char: string, state: number): readonly number[] {
  switch (token.kind) {
    case 'char':
      return token.char === char ? [state + 1] : [];
    case 'one':
      return char === '/' ? [] : [state + 1];
    case 'star':
      return char === '/' ? [] : [state];
    case 'any':
      return [state];
    case 'entry':
      return [char === '/' ? state : state + 1];
    case 'inside':
      return [char === '/' ? state - 1 : state];
    case 'class':
      return char !== '/' && token.ranges.some(([from, to]) => from <= char && char <= to) !== token.isNegated
        ? [state + 1]
        : [];
  }
}

/** Marks a state, and those behind it that need no character. */
function reach(states: Uint8Array, target: number, tokens: readonly Token[]): void {
  for (let state = target; states[state] === 0; ) {
    states[state] = 1;
    const kind = tokens[state]?.kind;
    if (kind === 'star' || kind === 'any') state++;
    else if (kind === 'entry') state += 2;
    else return;
  }
}
