import { DefaultTokenResolver, StringConcat, Tokenization } from 'cdktf';
import type { IConstruct } from 'constructs';

const resolver = new DefaultTokenResolver(new StringConcat());

/** What is written for a text: a token as `${aws_iam_role.Nodes.arn}`. Each reading of an attribute is a token of its own, so compare these. */
export function resolvedText(scope: IConstruct, text: string): string {
  const resolved: unknown = Tokenization.resolve(text, { scope, resolver, preparing: false });
  return typeof resolved === 'string' ? resolved : text;
}
