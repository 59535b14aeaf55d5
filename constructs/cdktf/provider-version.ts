import { TerraformStack, type TerraformProvider } from 'cdktf';
import type { IConstruct } from 'constructs';
import { compareVersions } from '../../lib/knowledge';
import type { ClusterFacts } from './cluster';
import { defaultProvider } from './region';

/** Options that older versions of the AWS provider don't know, with the first that does. Source: the changelog of the provider. */
const SINCE = {
  updateStrategy: ['update_config.update_strategy', '6.26.0'],
  warmPool: ['warm_pool_config', '6.56.0'],
} as const;

/**
 * The options of which Terraform would say "Unsupported argument". Asked when the app is complete: the stack may still be told another version than that of the
 * bindings. Constraints that several versions meet say nothing.
 */
export function providerVersionProblems(
  scope: IConstruct,
  facts: ClusterFacts,
  given: Readonly<Partial<Record<keyof typeof SINCE, unknown>>>,
): string[] {
  const provider = facts.provider ?? defaultProvider(scope);
  const version = provider === undefined ? undefined : requiredVersion(TerraformStack.of(scope), provider);
  if (version === undefined || !/^=?\s*\d+\.\d+\.\d+$/.test(version)) return [];
  const exact = version.replace(/^=?\s*/, '');
  return (Object.keys(SINCE) as (keyof typeof SINCE)[])
    .filter((option) => given[option] !== undefined && compareVersions(exact, SINCE[option][1]) < 0)
    .map((option) => {
      const [argument, since] = SINCE[option];
      return `${option} is set and the stack asks for version ${exact} of the AWS provider, which has no ${argument}; Terraform refuses the argument before ${since}: take bindings of a newer provider, say stack.addOverride('terraform.required_providers.aws.version', '${since}'), or leave ${option} out`;
    });
}

/** The version that the stack asks for: what it is told, or that of the bindings. */
function requiredVersion(stack: TerraformStack, provider: TerraformProvider): string | undefined {
  let told: unknown = Reflect.get(stack, 'rawOverrides');
  for (const key of ['terraform', 'required_providers', provider.terraformResourceType, 'version'])
    told = typeof told === 'object' && told !== null ? Reflect.get(told, key) : undefined;
  if (told !== undefined) return typeof told === 'string' ? told : undefined;
  const { providerVersion, providerVersionConstraint } = provider.terraformGeneratorMetadata ?? {};
  return providerVersion ?? providerVersionConstraint;
}
