import { Token, Tokenization } from 'cdktf';
import { ConstructionError } from '../engine-neutral/construction-error';
import { TokenTools } from '../engine-neutral/tokens';

/** CDKTF's tokens. */
export const cdktfTokens = new TokenTools({
  // An item of a list token is a text that CDKTF itself doesn't take for a token.
  isToken: (value) => Token.isUnresolved(value) || (typeof value === 'string' && value.includes('{TfToken[')),
  tokenText,
});

function tokenText(token: unknown): string {
  if (typeof token === 'number') return Token.asString(Tokenization.reverseNumber(token));
  if (typeof token === 'object' && token !== null && !Tokenization.isResolvable(token)) {
    throw new ConstructionError(
      undefined,
      "a token that stands for a whole map can't be written into text; write the entries one by one",
    );
  }
  return Token.asString(token);
}

export const isToken = (value: unknown): boolean => cdktfTokens.isToken(value);
export const numberText = (value: number): string => cdktfTokens.numberText(value);
