import { DataAwsRegion } from '@cdktf/provider-aws/lib/data-aws-region';
import { TerraformProvider, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { ClusterFacts } from './cluster';
import { jsonTokens } from './json-text';

const made = new WeakMap<TerraformStack, Map<TerraformProvider | undefined, DataAwsRegion>>();

/** Region of the cluster's provider configuration, or of the cluster itself; undefined when it isn't known at synthesis. */
export function knownRegion(scope: IConstruct, { region: own, provider }: ClusterFacts): string | undefined {
  const region: unknown = own ?? Reflect.get(provider ?? defaultProvider(scope) ?? {}, 'region');
  return typeof region === 'string' && !jsonTokens.isToken(region) ? region : undefined;
}

/** The same, as a token where it isn't known; asked once for each provider configuration of a stack. */
export function regionOf(scope: IConstruct, facts: ClusterFacts): string {
  const known = knownRegion(scope, facts) ?? facts.region;
  if (known !== undefined) return known;
  const stack = TerraformStack.of(scope);
  const asked = made.get(stack) ?? new Map<TerraformProvider | undefined, DataAwsRegion>();
  made.set(stack, asked);
  const { provider } = facts;
  const number = asked.size === 0 ? '' : String(asked.size + 1);
  const found =
    asked.get(provider) ??
    new DataAwsRegion(stack, `EksGuardrailsRegion${number}`, provider === undefined ? {} : { provider });
  asked.set(provider, found);
  // Its name has another attribute in each version of the AWS provider; the id is the name in all of them.
  return found.id;
}

/** The configuration of the AWS provider that a stack's resources have unless they name another. */
export function defaultProvider(scope: IConstruct): TerraformProvider | undefined {
  return TerraformStack.of(scope)
    .node.findAll()
    .find(
      (child): child is TerraformProvider =>
        TerraformProvider.isTerraformProvider(child) &&
        child.terraformResourceType === 'aws' &&
        child.alias === undefined,
    );
}
