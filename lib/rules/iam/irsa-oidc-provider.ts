import { defineRule, resourceName, type Judgement } from '../../engine';
import { servicePrincipals } from '../../knowledge';
import {
  alternativesOf,
  except,
  textOf,
  type Cluster,
  type EksModel,
  type OidcProvider,
  type Principal,
  type Role,
  type When,
} from '../../eks';
import { isText } from '../../eks/analysis/addon';
import { clusterOfProvider, clusterOfTrust, issuerOfPrincipal, webIdentitiesOf } from '../../eks/analysis/identity';
import { inAnyPartition, type TrustStatement } from '../../eks/iam';
import { unverifiable } from '../parts/case-judgements';
import { isOfModule, secondProviders } from './parts/second-provider';

/*
 * IAM takes tokens of a cluster only if the account has an IAM OIDC provider for its issuer, and only for audiences that are listed there. EKS makes the
 * issuer, and leaves the provider to others. Source: Amazon EKS user guide, "Create an IAM OIDC provider for your cluster".
 */

type MessageId = 'missing' | 'audience' | 'second';

export const irsaOidcProvider = defineRule<MessageId>({
  id: 'irsa-oidc-provider',
  subject: 'iam',
  title: 'The issuer of a cluster whose tokens a role trusts has an IAM OIDC provider that accepts them',
  severity: 'error',
  since: '0.1.0',
  messages: {
    missing: {
      text: 'Role {{role}} trusts tokens of cluster {{cluster}}, but nothing here makes an IAM OIDC provider for its issuer: unless somebody has made one, pods get "No OpenIDConnect provider found in your account".',
      fix: {
        summary:
          'Make an IAM OIDC provider for the issuer of the cluster, with `sts.amazonaws.com` among its client ids.',
        code: {
          cloudformation: [
            'OidcProvider:',
            '  Type: AWS::IAM::OIDCProvider',
            '  Properties:',
            '    Url: !GetAtt {{id}}.OpenIdConnectIssuerUrl',
            '    ClientIdList: [sts.amazonaws.com]',
          ].join('\n'),
          terraform: [
            'resource "aws_iam_openid_connect_provider" "eks" {',
            '  url            = aws_eks_cluster.main.identity[0].oidc[0].issuer',
            '  client_id_list = ["sts.amazonaws.com"]',
            '}',
          ].join('\n'),
        },
        safety: 'safe',
      },
    },
    audience: {
      text: 'IAM OIDC provider {{provider}} {{found}}, and role {{role}} trusts its tokens: EKS gives pods tokens for sts.amazonaws.com, and they get "Incorrect token audience".',
      fix: {
        summary: 'Add `sts.amazonaws.com` to the client ids of the provider.',
        code: {
          cloudformation: 'ClientIdList: [sts.amazonaws.com]',
          terraform: 'client_id_list = ["sts.amazonaws.com"]',
        },
        safety: 'safe',
      },
    },
    second: {
      text: 'IAM OIDC provider {{provider}} is for the issuer of a cluster for which {{other}} makes one already: an account takes one for a URL, and the deployment ends with "EntityAlreadyExists".',
      fix: { summary: 'Remove it, and use {{other}} in its place{{how}}.', safety: 'needs-decision' },
    },
  },
  *check(model: EksModel) {
    const providers = new Providers(model.oidcProviders);
    const judged = new Map<OidcProvider, When[]>();
    for (const role of model.roles) {
      for (const { when: given, statement } of webIdentitiesOf(role)) {
        const when = role.exists.and(given);
        if (when === undefined) continue;
        for (const principal of statement.federated) {
          yield* judge({ role, statement, principal, when }, providers, judged, model.clusters);
        }
      }
    }
    yield* judgeAddons(model, providers);
    for (const { provider, other } of secondProviders(model))
      yield {
        verdict: 'fail',
        resource: provider,
        message: 'second',
        data: {
          provider: resourceName(provider),
          other: resourceName(other),
          how: isOfModule(other)
            ? ', whose ARN the module gives as `oidc_provider_arn`; or have the module make none, with `enable_irsa = false`'
            : '',
        },
        related: [{ message: `${resourceName(other)} is for the same issuer`, source: other.source }],
        when: provider.exists,
      };
  },
});

/** A principal of a role that trusts tokens of a cluster. */
interface Use {
  readonly role: Role;
  readonly statement: TrustStatement;
  readonly principal: Principal;
  readonly when: When;
}

/** The providers of the input, by what they are for. */
class Providers {
  private readonly byCluster = new Map<Cluster, OidcProvider[]>();
  private readonly byIssuer = new Map<string, OidcProvider[]>();
  /** Of an issuer that isn't known. */
  readonly open: OidcProvider[] = [];

  constructor(all: readonly OidcProvider[]) {
    for (const provider of all) {
      const cluster = clusterOfProvider(provider);
      if (cluster !== undefined) push(this.byCluster, cluster, provider);
      for (const { value } of alternativesOf(provider.url)) {
        if (value.kind === 'known') push(this.byIssuer, issuerIn(value.value), provider);
        else if (cluster === undefined) this.open.push(provider);
      }
    }
  }

  ofCluster(cluster: Cluster): readonly OidcProvider[] {
    return this.byCluster.get(cluster) ?? [];
  }

  ofIssuer(issuer: string): readonly OidcProvider[] {
    return this.byIssuer.get(issuerIn(issuer)) ?? [];
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Without scheme and slash at the end, and in small letters. */
function issuerIn(url: string): string {
  return url
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .toLowerCase();
}

function* judge(
  use: Use,
  providers: Providers,
  judged: Map<OidcProvider, When[]>,
  clusters: readonly Cluster[],
): Generator<Judgement<MessageId>> {
  const { role, statement, principal, when } = use;
  const { target } = principal;
  if (isProvider(target)) {
    yield* judgeAudience(target, use, judged);
    return;
  }
  const cluster = clusterOfTrust(statement) ?? clusterNamedIn(principal, role, clusters);
  const found = cluster === undefined ? byIssuer(principal, providers) : providers.ofCluster(cluster);
  for (const provider of found) yield* judgeAudience(provider, use, judged);
  // An issuer of a cluster that isn't here may have its provider anywhere.
  if (cluster === undefined) return;
  let rest: readonly When[] = [when];
  for (const { exists } of found) rest = except(rest, exists);
  // A data source fails where there is none.
  for (const { kind, exists } of cluster.lookedUp ?? []) if (kind === 'oidc-provider') rest = except(rest, exists);
  for (const missing of rest) {
    const both = missing.and(cluster.exists);
    if (both === undefined) continue;
    if (providers.open.length > 0) {
      const [first] = providers.open;
      yield {
        verdict: 'unverifiable',
        resource: role,
        reason: `${first === undefined ? 'a provider' : resourceName(first)} may be for cluster ${resourceName(cluster)}`,
        when: both,
      };
      continue;
    }
    // A switch for the provider is there for accounts that have it already.
    const [switched] = found.filter(({ exists }) => exists.and(when) !== undefined);
    if (switched !== undefined) {
      yield {
        verdict: 'unverifiable',
        resource: role,
        reason: `${resourceName(switched)} is made under a condition only: where it isn't, somebody else has to have made one`,
        when: both,
      };
      continue;
    }
    const outsider = cluster.outsiders?.find((one) => one.may('trust'));
    if (outsider !== undefined) {
      const reason = `${outsider.who} may make an IAM OIDC provider for cluster ${resourceName(cluster)}`;
      yield { verdict: 'unverifiable', resource: role, reason, when: both };
      continue;
    }
    yield {
      verdict: 'fail',
      resource: role,
      message: 'missing',
      severity: 'warning',
      source: principal.id.kind === 'choice' ? statement.source : principal.id.source,
      data: { role: resourceName(role), cluster: resourceName(cluster), id: cluster.id },
      related: [{ message: `${resourceName(cluster)} has the issuer`, source: cluster.source }],
      when: both,
    };
  }
  if (rest.length === 0) yield { verdict: 'pass', resource: role, when };
}

/** The cluster of the same stack whose issuer is filled into an ARN. */
function clusterNamedIn({ id }: Principal, { stack }: Role, clusters: readonly Cluster[]): Cluster | undefined {
  const texts = alternativesOf(id).flatMap(({ value }) => textOf(value) ?? []);
  const named = clusters.filter((cluster) => {
    // Within its module, an address is written without that.
    const name = cluster.id.replace(/^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/, '');
    return cluster.stack === stack && texts.some((text) => isIssuerOf(name, text));
  });
  return named.length === 1 ? named[0] : undefined;
}

function isIssuerOf(name: string, text: string): boolean {
  return ['OpenIdConnectIssuer', 'identity[0].oidc', 'identity.0.oidc'].some((attribute) => {
    const at = text.indexOf(`${name}.${attribute}`);
    return at >= 0 && !/[\w.-]/.test(text.charAt(at - 1));
  });
}

function byIssuer(principal: Principal, providers: Providers): readonly OidcProvider[] {
  return alternativesOf(principal.id).flatMap(({ value }) => {
    const issuer = issuerOfPrincipal(principal, value);
    return issuer === undefined ? [] : providers.ofIssuer(issuer);
  });
}

function isProvider(target: Principal['target']): target is OidcProvider {
  return target !== undefined && 'kind' in target && target.kind === 'oidc-provider';
}

/** @param judged when each provider has been judged: many roles trust one */
function* judgeAudience(
  provider: OidcProvider,
  { role, statement, when: used }: Use,
  judged: Map<OidcProvider, When[]>,
): Generator<Judgement<MessageId>> {
  const { irsaAudience } = servicePrincipals();
  // Tokens for another audience are made by whoever mounts them.
  const isOwn = statement.audiences.some(({ values }) => values.every((value) => isText(value, irsaAudience) === 'no'));
  if (isOwn) return;
  for (const { when: given, value } of alternativesOf(provider.clientIds)) {
    const when = used.and(provider.exists)?.and(given);
    const before = judged.get(provider) ?? [];
    if (when === undefined || before.some(({ text }) => text === when.text)) continue;
    judged.set(provider, [...before, when]);
    const common = { resource: provider, source: value.source, when } as const;
    if (value.kind === 'unknown') {
      yield { ...common, verdict: 'unverifiable', reason: `its client ids aren't known: ${value.reason}` };
      continue;
    }
    const ids = value.kind === 'known' ? value.value : [];
    const answers = ids.map((id) => isText(inAnyPartition(id), irsaAudience));
    if (answers.includes('yes')) yield { ...common, verdict: 'pass' };
    else if (answers.includes('maybe'))
      yield { ...common, ...unverifiable(`whether ${irsaAudience} is among its client ids isn't known`) };
    else
      yield {
        ...common,
        verdict: 'fail',
        message: 'audience',
        data: {
          provider: resourceName(provider),
          role: resourceName(role),
          found:
            ids.length === 0
              ? 'names no client id'
              : `accepts ${ids.flatMap((id) => (id.kind === 'known' ? [id.value] : [])).join(', ')} only`,
        },
        related: [{ message: `${resourceName(role)} trusts its tokens`, source: statement.source }],
      };
  }
}

/** Service account roles that the input only names: whom they trust can't be seen. */
function* judgeAddons(model: EksModel, providers: Providers): Generator<Judgement<MessageId>> {
  for (const addon of model.addons) {
    const { cluster } = model.viewOf(addon);
    if (cluster === undefined || providers.ofCluster(cluster).length > 0) continue;
    for (const { when: given, value } of alternativesOf(addon.serviceAccountRole)) {
      const when = addon.exists.and(given)?.and(cluster.exists);
      if (when === undefined || value.kind !== 'known' || value.value.target !== undefined) continue;
      yield {
        verdict: 'unverifiable',
        resource: addon,
        source: value.source,
        reason: `role ${value.value.text} is not part of the input, nor is an IAM OIDC provider of cluster ${resourceName(cluster)}`,
        when,
      };
    }
  }
}
