import { Token, Tokenization } from 'aws-cdk-lib';
import { PlainText } from '../../lib/user-data/node-config';
import { nowhere, Unknown, type Data } from '../../lib/value';
import { ConstructionError } from './construction-error';

/** A value that is decided at deployment. Text with a token in it can't be judged either. */
export function isToken(value: unknown): boolean {
  return Token.isUnresolved(value);
}

/**
 * Turns the tokens in a document into text that survives YAML and TOML: numbers unquoted, everything else as strings.
 * @param document what the value belongs to, for the message: `NodeConfig`
 * @throws ConstructionError for a token that stands for a whole list
 */
export function renderTokens(value: unknown, document: string, path: string): unknown {
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Token.isUnresolved(value)) {
    if (Array.isArray(value)) throw new ConstructionError(undefined, `${document}: \`${path}\` is a list token; write the items one by one`);
    return Token.asString(value);
  }
  if (Array.isArray(value)) return value.map((item, index) => renderTokens(item, document, `${path}.${index}`));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderTokens(item, document, `${path}.${key}`)]));
}

/** A number, or the text of one that is decided at deployment, to be written without quotes. */
export function plainNumber(value: number): number | PlainText {
  return Token.isUnresolved(value) ? new PlainText(numberText(value)) : value;
}

/** A number in text: CDK's number tokens would be written as the negative number that stands for them. */
export function numberText(value: number): string {
  return Token.isUnresolved(value) ? Token.asString(Tokenization.reverse(value)) : String(value);
}

/** A value as this library's checks read it: what is decided at deployment isn't known. */
export function toData(value: unknown): Data {
  if (value === null || typeof value === 'boolean') return value;
  if (Token.isUnresolved(value)) return new Unknown('it is decided at deployment', nowhere);
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map(toData);
  if (typeof value !== 'object') return new Unknown('it is no plain value', nowhere);
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]: [string, unknown]) => (item === undefined ? [] : [[key, toData(item)] as const])));
}
