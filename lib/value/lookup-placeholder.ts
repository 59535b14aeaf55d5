import { Unknown, type Source } from '.';

/**
 * What the AWS CDK writes in place of a zone or of an SSM parameter's value until it has looked them up: the app is synthesized once
 * more then. Source: aws/aws-cdk, packages/aws-cdk-lib/core/lib/stack.ts and aws-ssm/lib/parameter.ts.
 */
const PLACEHOLDER = /^dummy(?:1[a-z]$|-value-for-)/;

/** The value that such a text stands for; undefined for all other texts. */
export function lookupPlaceholder(text: string, source: Source): Unknown | undefined {
  return text.startsWith('dummy') && PLACEHOLDER.test(text)
    ? new Unknown('the AWS CDK has not looked it up yet', source, `\${${text}}`)
    : undefined;
}

export function isLookupPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}
