/** Operators, brackets and separators; the kind of such a token is its text. */
export const PUNCTUATION = [
  '...',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '::',
  '=>',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '*',
  '/',
  '%',
  '+',
  '-',
  '=',
  '<',
  '>',
  '!',
  '?',
  ':',
] as const;

export type TokenKind =
  | (typeof PUNCTUATION)[number]
  | 'word'
  | 'number'
  | 'newline'
  /** The quotes around a text; its inside is `text`, `interpolation` and `directive` tokens. */
  | 'quote'
  | 'end-quote'
  | 'heredoc'
  | 'end-heredoc'
  | 'text'
  /** `${` or `${~`. */
  | 'interpolation'
  /** `%{` or `%{~`. */
  | 'directive'
  /** The `}` or `~}` of an interpolation or directive. */
  | 'end-sequence'
  /** What no token starts with. */
  | 'invalid'
  | 'end-of-text';

/** Offsets are of the text that was read, plus the offset that its first character was said to have. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}
