import type { SyntaxProblem } from './ast';
import type { Token, TokenKind } from './token';

/** Ends the reading of an expression or of a block's head; caught where reading can go on. */
export class SyntaxFailure extends Error {
  constructor(readonly problem: SyntaxProblem) {
    super(problem.message);
  }
}

/** Nesting that is read; deeper, the stack of whoever walks the tree would be at risk. */
export const MAX_DEPTH = 256;
export const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

const OPENER_OF: Partial<Record<TokenKind, readonly TokenKind[]>> = {
  ')': ['('],
  ']': ['['],
  '}': ['{'],
  'end-quote': ['quote'],
  'end-heredoc': ['heredoc'],
  'end-sequence': ['interpolation', 'directive'],
};
const OPENERS: ReadonlySet<TokenKind> = new Set(['(', '[', '{', 'quote', 'heredoc', 'interpolation', 'directive']);

/** Tokens in order, with their brackets matched. Newlines are passed over where they mean nothing. */
export class TokenStream {
  readonly problems: SyntaxProblem[] = [];
  private readonly closers: ReadonlyMap<number, number>;
  private readonly endOfText: Token;
  private index = 0;
  private newlinesCount = true;
  private depth = 0;
  private previousEnd: number;

  constructor(
    private readonly source: string,
    private readonly tokens: readonly Token[],
    private readonly base = 0,
  ) {
    this.closers = matchBrackets(tokens);
    this.previousEnd = base;
    const end = base + source.length;
    this.endOfText = tokens.at(-1) ?? { kind: 'end-of-text', text: '', start: end, end };
  }

  peek(): Token {
    let token = this.tokens[this.index];
    while (token?.kind === 'newline' && !this.newlinesCount) token = this.tokens[++this.index];
    return token ?? this.endOfText;
  }

  read(): Token {
    const token = this.peek();
    if (this.index < this.tokens.length) this.index++;
    this.previousEnd = token.end;
    return token;
  }

  /** Reads the next token if it is of this kind. */
  take(kind: TokenKind): Token | undefined {
    return this.peek().kind === kind ? this.read() : undefined;
  }

  /** @param expected what is missing if the next token isn't of this kind */
  expect(kind: TokenKind, expected: string): Token {
    return this.take(kind) ?? this.unexpected(expected);
  }

  /** The next token is this word; keywords are words like others elsewhere. */
  atWord(word: string): boolean {
    const token = this.peek();
    return token.kind === 'word' && token.text === word;
  }

  /** End of the token that was read last. */
  get lastEnd(): number {
    return this.previousEnd;
  }

  textBetween(start: number, end: number): string {
    return this.source.slice(start - this.base, end - this.base);
  }

  /** Within some brackets newlines separate nothing; within the braces of an object they do. */
  withNewlines<T>(count: boolean, read: () => T): T {
    const before = this.newlinesCount;
    this.newlinesCount = count;
    try {
      return read();
    } finally {
      this.newlinesCount = before;
    }
  }

  nested<T>(read: () => T): T {
    if (this.depth >= MAX_DEPTH) this.fail(TOO_DEEP, this.peek().start);
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  report(message: string, offset: number): void {
    this.problems.push({ message, offset });
  }

  fail(message: string, offset: number): never {
    throw new SyntaxFailure({ message, offset });
  }

  unexpected(expected: string): never {
    const token = this.peek();
    this.fail(`expected ${expected}, found ${describe(token)}`, token.start);
  }

  /** Reads an opening bracket; one that is never closed fails at once, so that nothing behind it is read twice. */
  open(): Token {
    const token = this.read();
    if (!this.closers.has(this.index - 1)) this.fail(`${describe(token)} is not closed`, token.start);
    return token;
  }

  /** Whether the bracket that comes next is closed somewhere. */
  isClosed(): boolean {
    this.peek();
    return this.closers.has(this.index);
  }

  isAtLineStart(): boolean {
    return this.tokens[this.index - 1]?.kind === 'newline';
  }

  get position(): number {
    return this.index;
  }

  /** Goes back to a position and from there to the newline that ends the item, or to the bracket or end that ends its body. Brackets are passed over whole. */
  skipItem(position: number): void {
    let i = position;
    for (; i < this.tokens.length - 1; i = (this.closers.get(i) ?? i) + 1) {
      const kind = this.tokens[i]?.kind;
      if (kind === 'newline' || kind === '}') break;
    }
    this.goTo(i);
  }

  private goTo(index: number): void {
    this.index = index;
    this.previousEnd = this.tokens[index - 1]?.end ?? this.base;
  }
}

/** Index of the closing token by that of the opening one. An opener that a closer of another kind overtakes has none. */
function matchBrackets(tokens: readonly Token[]): Map<number, number> {
  const closers = new Map<number, number>();
  const open: { readonly kind: TokenKind; readonly index: number }[] = [];
  const counts = new Map<TokenKind, number>();
  const count = (kind: TokenKind, change: number): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + change);
  };
  let index = -1;
  for (const { kind } of tokens) {
    index++;
    if (OPENERS.has(kind)) {
      open.push({ kind, index });
      count(kind, 1);
    }
    const wanted = OPENER_OF[kind];
    if (wanted === undefined || !wanted.some((opener) => (counts.get(opener) ?? 0) > 0)) continue;
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      count(top.kind, -1);
      if (!wanted.includes(top.kind)) continue;
      closers.set(top.index, index);
      break;
    }
  }
  return closers;
}

const DESCRIPTIONS: Partial<Record<TokenKind, string>> = {
  'end-of-text': 'the end of the text',
  newline: 'the end of the line',
  quote: 'the text that starts here',
  heredoc: 'the text that starts here',
  'end-heredoc': 'the end of a heredoc',
  text: 'text',
};

/** What a token is called in a message. */
export function describe({ kind, text }: Token): string {
  if (kind === 'invalid' && text.startsWith('/*')) return 'a comment that is not closed';
  return DESCRIPTIONS[kind] ?? `"${text}"`;
}
