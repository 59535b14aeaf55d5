import type { IConstruct } from 'constructs';
import { refuse } from '../engine-neutral/construction-error';

/** The ARN of something that is given as an object with its ARN, or as the ARN itself. */
export function arnOf(scope: IConstruct, option: string, given: { readonly arn: string } | string): string {
  const arn: unknown = typeof given === 'string' ? given : (given as { readonly arn?: unknown } | null)?.arn;
  if (typeof arn !== 'string' || arn === '')
    refuse(scope, `${option} has no ARN; give the resource or the data source, or the ARN itself`);
  return arn;
}
