import type { TokenStream } from './token-stream';
import type { Token } from './token';

/** The literal text between two interpolations or directives. */
export interface TextPiece {
  readonly kind: 'text';
  text: string;
  start: number;
  end: number;
}

/** White space as Go's `unicode.IsSpace` has it, by which HCL trims. */
const BLANK_CHARACTER = /[\t-\r\u0085\p{Z}]/u;
const QUOTED_ESCAPE = /\\(?:u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|[^]|$)|\$\$\{|%%\{/g;
const BARE_ESCAPE = /\$\$\{|%%\{/g;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/** What a text token stands for. Within quotes backslashes escape; everywhere `$${` and `%%{` do. */
export function textPiece(token: Token, quoted: boolean, stream: TokenStream): TextPiece {
  const decoded = token.text.replace(quoted ? QUOTED_ESCAPE : BARE_ESCAPE, (escape: string, offset: number) =>
    escape.startsWith('\\') ? unescape(escape, token.start + offset, stream) : escape.slice(1),
  );
  // Texts of Terraform are in normal form C.
  return { kind: 'text', text: decoded.normalize('NFC'), start: token.start, end: token.end };
}

function unescape(escape: string, offset: number, stream: TokenStream): string {
  const selector = escape.charAt(1);
  const simple = SIMPLE_ESCAPES[selector];
  if (simple !== undefined) return simple;
  if (selector === 'u' || selector === 'U') {
    const code = parseInt(escape.slice(2), 16);
    const surrogate = code >= 0xd800 && code <= 0xdfff;
    if (escape.length === (selector === 'u' ? 6 : 10) && code <= 0x10ffff && !surrogate)
      return String.fromCodePoint(code);
    stream.report(`"${escape}" is not a character: "\\u" takes four hexadecimal digits, "\\U" eight`, offset);
  } else {
    stream.report(`"${escape}" escapes nothing; a backslash is written "\\\\"`, offset);
  }
  return escape.slice(1);
}

export function trimStart(text: string): string {
  return text.slice(blankLength(text));
}

/** By hand, because a pattern that ends in `$` tries again behind each blank. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && BLANK_CHARACTER.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Number of blanks that a text starts with. */
function blankLength(text: string): number {
  let length = 0;
  while (length < text.length && BLANK_CHARACTER.test(text.charAt(length))) length++;
  return length;
}

/**
 * Takes from the lines of a `<<-` heredoc the indentation that all of them share. Each text is (the rest of) a line;
 * lines of blanks alone don't count, an interpolation at the start of a line counts as no indentation, and a text that
 * was trimmed of its newline ends no line: flushHeredocTemplateParts in hashicorp/hcl, hclsyntax/parser_template.go.
 */
export function stripIndentation(pieces: readonly (TextPiece | { readonly kind: string })[]): void {
  let shared = Infinity;
  let lineStarts = true;
  const starts: TextPiece[] = [];
  for (const piece of pieces) {
    if (lineStarts && !isText(piece)) shared = 0;
    if (lineStarts && isText(piece)) {
      const indentation = blankLength(piece.text);
      if (indentation < piece.text.length || !piece.text.endsWith('\n')) {
        starts.push(piece);
        shared = Math.min(shared, indentation);
      }
    }
    lineStarts = isText(piece) && piece.text.endsWith('\n');
  }
  for (const piece of starts) {
    piece.text = piece.text.slice(shared);
    piece.start += shared;
  }
}

export function isText(piece: TextPiece | { readonly kind: string }): piece is TextPiece {
  return piece.kind === 'text';
}
