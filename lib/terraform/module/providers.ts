import { alternativesOf } from '../../value';
import { evaluate } from '../evaluation/evaluate';
import { asText } from '../terraform-value';
import type { Declared } from './merged-file';
import { attributeOf, type DeclaredResource } from './module-configuration';
import type { ModuleInstance } from './module-instance';
import { providerKey } from './provider-key';

/** What is known of the configuration of a provider. */
export interface Provider {
  /** Undefined where it isn't known. */
  readonly region: string | undefined;
  /** What tells it from the others of the same root module. */
  readonly id: string;
}

/** A provider by its name, `aws` or `aws.west`; undefined where it isn't known. */
export type ProviderOf = (provider: string) => Provider | undefined;

/** What a root module has without a word: one provider of each name, without an alias. */
export function unwritten(key: string): Provider | undefined {
  return key.includes('.') ? undefined : { region: undefined, id: key };
}

/** The providers of a module instance: its own, and those that the call hands over. */
export class ModuleProviders {
  private readonly known = new Map<string, Provider | undefined>();

  constructor(
    private readonly module: ModuleInstance,
    private readonly handedOver: ProviderOf,
  ) {}

  /** The provider of a resource. */
  of(declared: DeclaredResource): Provider | undefined {
    const written = attributeOf(declared, 'provider')?.value;
    const named = providerKey(written);
    // Which one of a loop it is isn't known.
    if (written !== undefined && named === undefined) return undefined;
    // `aws_eks_cluster` belongs to the provider `aws`.
    return this.get(named ?? declared.type.split('_', 1)[0] ?? '');
  }

  get(key: string): Provider | undefined {
    if (!this.known.has(key)) {
      this.known.set(key, undefined);
      const own = this.module.configuration.providers.get(key);
      const id = `${this.module.prefix}${key}`;
      this.known.set(key, own === undefined ? this.handedOver(key) : { region: this.regionIn(own), id });
    }
    return this.known.get(key);
  }

  private regionIn(declared: Declared): string | undefined {
    const attribute = attributeOf(declared, 'region');
    if (attribute === undefined) return undefined;
    const values = alternativesOf(asText(evaluate(attribute.value, this.module.scope(declared.file))));
    const [first] = values;
    return values.length === 1 && first?.value.kind === 'known' ? first.value.value : undefined;
  }
}

/** The providers that a call hands over: `providers = { aws = aws.west }`. What it doesn't name is what the caller has, unless it has an alias. */
export function handOver(caller: ModuleInstance, declared: Declared): ProviderOf {
  const written = attributeOf(declared, 'providers')?.value;
  const named = new Map<string, string | undefined>();
  for (const { key, value } of written?.kind === 'object' ? written.entries : []) {
    const inner = providerKey(key);
    if (inner !== undefined) named.set(inner, providerKey(value));
  }
  return (provider) => {
    const outer = named.has(provider) ? named.get(provider) : provider.includes('.') ? undefined : provider;
    return outer === undefined ? undefined : caller.provider(outer);
  };
}
