import { alternativesOf } from '../../value';
import { evaluate } from '../evaluation/evaluate';
import { asText } from '../terraform-value';
import type { Declared } from './merged-file';
import { attributeOf, type DeclaredResource } from './module-configuration';
import type { ModuleInstance } from './module-instance';
import { providerKey } from './provider-key';

/** Region of a provider by its name, `aws` or `aws.west`; undefined where it isn't known. */
export type RegionOf = (provider: string) => string | undefined;

/** The providers of a module instance: its own, and those that the call hands over. */
export class ModuleProviders {
  private readonly regions = new Map<string, string | undefined>();

  constructor(
    private readonly module: ModuleInstance,
    private readonly handedOver: RegionOf,
  ) {}

  /** Region of the provider of a resource. */
  regionOf(declared: DeclaredResource): string | undefined {
    const named = providerKey(attributeOf(declared, 'provider')?.value);
    // `aws_eks_cluster` belongs to the provider `aws`.
    return this.region(named ?? declared.type.split('_', 1)[0] ?? '');
  }

  region(key: string): string | undefined {
    if (!this.regions.has(key)) {
      this.regions.set(key, undefined);
      const own = this.module.configuration.providers.get(key);
      this.regions.set(key, own === undefined ? this.handedOver(key) : this.ownRegion(own));
    }
    return this.regions.get(key);
  }

  private ownRegion(declared: Declared): string | undefined {
    const attribute = attributeOf(declared, 'region');
    if (attribute === undefined) return undefined;
    const values = alternativesOf(asText(evaluate(attribute.value, this.module.scope(declared.file))));
    const [first] = values;
    return values.length === 1 && first?.value.kind === 'known' ? first.value.value : undefined;
  }
}

/** The providers that a call hands over: `providers = { aws = aws.west }`. What it doesn't name is what the caller has, unless it has an alias. */
export function handOver(caller: ModuleInstance, declared: Declared): RegionOf {
  const written = attributeOf(declared, 'providers')?.value;
  const named = new Map<string, string>();
  for (const { key, value } of written?.kind === 'object' ? written.entries : []) {
    const inner = providerKey(key);
    const outer = providerKey(value);
    if (inner !== undefined && outer !== undefined) named.set(inner, outer);
  }
  return (provider) => {
    const outer = named.get(provider) ?? (provider.includes('.') ? undefined : provider);
    return outer === undefined ? undefined : caller.providerRegion(outer);
  };
}
