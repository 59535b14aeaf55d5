import type { Cluster, EksModel, OidcProvider } from '../../../eks';
import { isCluster, looksLikeEks } from '../../../eks/analysis/identity';

/*
 * An account has one IAM OIDC provider for a URL. Source: IAM API reference, CreateOpenIDConnectProvider, EntityAlreadyExists.
 */

/** A provider beside another one of the same account and for the same issuer. */
interface SecondProvider {
  readonly provider: OidcProvider;
  readonly other: OidcProvider;
}

/** Those that are there whenever the other one is. Of two, the one that a module makes was there first: nobody sees it. */
export function* secondProviders({ oidcProviders }: EksModel): Generator<SecondProvider> {
  const clusters = new Map<Cluster, string>();
  const groups = new Map<string, OidcProvider[]>();
  for (const provider of oidcProviders) {
    const url = urlOf(provider, clusters);
    if (provider.account === undefined || url === undefined) continue;
    const { stack, dialect, source, account, exists } = provider;
    // Templates of several accounts may have one name.
    const file = dialect.scopeOfNames === 'stack' ? '' : source.locate().file;
    const key = JSON.stringify([stack, file, account, url, exists.text]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [provider]);
    else group.push(provider);
  }
  for (const group of groups.values()) {
    const [other, ...others] = group.toSorted((a, b) => Number(isOfModule(b)) - Number(isOfModule(a)));
    if (other !== undefined) for (const provider of others) yield { provider, other };
  }
}

export function isOfModule({ moduleInputs }: OidcProvider): boolean {
  return moduleInputs !== undefined;
}

/** What tells the URL of an issuer of EKS from others: a cluster has a second one, with another host. */
function urlOf({ url }: OidcProvider, clusters: Map<Cluster, string>): string | undefined {
  if (url.kind === 'known') return looksLikeEks(url.value) ? url.value.replace(/^https:\/\//, '') : undefined;
  if (url.kind !== 'unknown') return undefined;
  const cluster = url.reference?.resource;
  if (!isCluster(cluster)) return looksLikeEks(url.text ?? '') ? url.symbol : undefined;
  const named = clusters.get(cluster) ?? String(clusters.size);
  clusters.set(cluster, named);
  return `${named} ${url.text ?? ''}`;
}
