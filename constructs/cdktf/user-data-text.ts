import { Token, type IResolvable, type IResolveContext } from 'cdktf';
import { quoted } from './json-text';
import { isToken } from './tokens';

/** How CDKTF marks a token within text. */
const TOKEN = /(\$\{TfToken\[[a-zA-Z0-9:._-]+\]\})/;

/**
 * User data as a launch template takes it, in base64. Text with tokens is encoded by Terraform, once it knows what they stand for. (CDKTF's
 * `Fn.base64encode` loses the quotes and backslashes of texts.)
 */
export function userDataInBase64(text: string): string {
  return isToken(text) ? Token.asString(new Base64Expression(text)) : inBase64(text);
}

function inBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** A token, because CDKTF leaves out the `${}` of tokens between braces that others have written. */
class Base64Expression implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly text: string) {}

  resolve(context: IResolveContext): string {
    const pieces = this.text
      .split(TOKEN)
      .map((piece, index) => (index % 2 === 0 ? { own: piece } : { resolved: String(context.resolve(piece)) }));
    if (pieces.every((piece) => piece.resolved === undefined || !INTERPOLATION.test(piece.resolved)))
      return inBase64(pieces.map((piece) => piece.own ?? piece.resolved).join(''));
    // What the text itself has of `${…}` and `%{…}` belongs to the node; in what tokens stand for, it is Terraform's.
    const quotable = pieces
      .map((piece) =>
        piece.resolved === undefined ? withoutInterpolation(piece.own) : quoted(piece.resolved).slice(1, -1),
      )
      .join('');
    return `\${base64encode("${quotable}")}`;
  }

  toString(): string {
    return Token.asString(this);
  }
}

const INTERPOLATION = /[$%]\{/;
const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function withoutInterpolation(text: string): string {
  return text.replaceAll(
    /["\\\p{Cc}]|[$%](?=\{|$)/gu,
    (char) => ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
