import { Token, Tokenization } from 'aws-cdk-lib';
import { TokenTools } from '../engine-neutral/tokens';

/** CDK's tokens. */
export const cdkTokens = new TokenTools({
  isToken: (value) => Token.isUnresolved(value),
  tokenText: (token) => Token.asString(typeof token === 'number' ? Tokenization.reverse(token) : token),
});

export const isToken = (value: unknown): boolean => cdkTokens.isToken(value);
