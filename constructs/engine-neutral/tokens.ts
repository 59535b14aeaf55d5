import { PlainText } from '../../lib/eks/user-data/node-config';
import { nowhere, Unknown, type Data } from '../../lib/value';
import { ConstructionError } from './construction-error';

/** How an engine (AWS CDK, CDK for Terraform) stands for values that are decided at deployment. */
export interface Tokens {
  /** Whether a value is decided at deployment. Text with a token in it can't be judged either. */
  isToken(value: unknown): boolean;
  /** A token of any kind as text, to be written into other text. */
  tokenText(token: unknown): string;
}

/** The functions of this library that treat tokens, for the tokens of one engine. */
export class TokenTools {
  constructor(private readonly tokens: Tokens) {}

  isToken(value: unknown): boolean {
    return this.tokens.isToken(value);
  }

  /**
   * Turns the tokens in a document into text that survives YAML and TOML: numbers unquoted, everything else as strings.
   * @param document what the value belongs to, for the message: `NodeConfig`
   * @throws ConstructionError for a token that stands for a whole list
   */
  renderTokens(value: unknown, document: string, path: string): unknown {
    if (typeof value === 'number') return this.plainNumber(value);
    if (typeof value !== 'object' || value === null) return value;
    if (this.isToken(value)) {
      if (Array.isArray(value))
        throw new ConstructionError(undefined, `${document}: \`${path}\` is a list token; write the items one by one`);
      return this.tokens.tokenText(value);
    }
    if (Array.isArray(value)) return value.map((item, index) => this.renderTokens(item, document, `${path}.${index}`));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.renderTokens(item, document, `${path}.${key}`)]),
    );
  }

  /** A number, or the text of one that is decided at deployment, to be written without quotes. */
  plainNumber(value: number): number | PlainText {
    return this.isToken(value) ? new PlainText(this.numberText(value)) : value;
  }

  /** A number in text: an engine's number tokens would be written as the negative number that stands for them. */
  numberText(value: number): string {
    return this.isToken(value) ? this.tokens.tokenText(value) : String(value);
  }

  /** A value as this library's checks read it: what is decided at deployment isn't known. */
  toData(value: unknown): Data {
    if (value === null || typeof value === 'boolean') return value;
    if (this.isToken(value)) return new Unknown('it is decided at deployment', nowhere);
    if (typeof value === 'string' || typeof value === 'number') return value;
    if (Array.isArray(value)) return value.map((item) => this.toData(item));
    if (typeof value !== 'object') return new Unknown('it is no plain value', nowhere);
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
        item === undefined ? [] : [[key, this.toData(item)] as const],
      ),
    );
  }
}
