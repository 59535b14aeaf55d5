import { DataAwsPartition } from '@cdktf/provider-aws/lib/data-aws-partition';
import { TerraformStack, type TerraformProvider } from 'cdktf';
import type { IConstruct } from 'constructs';

const made = new WeakMap<TerraformStack, Map<TerraformProvider | undefined, DataAwsPartition>>();

/** The partition that a stack is deployed to, `aws` for one, as a token; asked once for each provider configuration of a stack. */
export function partitionOf(scope: IConstruct, provider: TerraformProvider | undefined): string {
  const stack = TerraformStack.of(scope);
  const known = made.get(stack) ?? new Map<TerraformProvider | undefined, DataAwsPartition>();
  made.set(stack, known);
  const number = known.size === 0 ? '' : String(known.size + 1);
  const found =
    known.get(provider) ??
    new DataAwsPartition(stack, `EksGuardrailsPartition${number}`, provider === undefined ? {} : { provider });
  known.set(provider, found);
  return found.partition;
}
