import { addonServiceAccounts, callsNoAws } from '../../knowledge';
import {
  alternativesOf,
  always,
  cases,
  type Data,
  dataAt,
  except,
  type Resource,
  type Source,
  textOf,
  Unknown,
  type Value,
  type When,
} from '../../value';
import type { TrustStatement } from '../iam/trust-statement';
import { isText } from './addon';
import { ROLE_ANNOTATION } from './annotated-accounts';
import { chartsIn, releaseAccounts, serviceAccountsIn, type ChartRelease } from './chart-accounts';
import { clusterOfTrust, webIdentitiesOf, type ServiceAccount } from './identity';
import type { ClusterView, EksModel } from '../model/model';
import { resourceName, roleBehind, roleName } from '../model/resource-name';
import type { Addon, AddonConfiguration, PodIdentityAssociation, Role } from '../model/resources';
import { workloadsOf } from './workloads';

/** Pods that assume a role by the token of their service account. */
export interface RoleUse {
  readonly role: Role | undefined;
  /** Why the role isn't known. */
  readonly doubt: string;
  readonly user: Resource;
  /** The role serves one of them; none if it isn't known which there are. */
  readonly accounts: readonly ServiceAccount[];
  /** Why the pods may have other service accounts. @default - they have these */
  readonly open?: string;
  /** Why the pods may not use the role at all. @default - they do */
  readonly unsure?: string;
  /** A service account alone: nothing in the input surely has pods that run as it. @default - its user has them */
  readonly isIdle?: true;
  /** Why its pods may do without the role where others use it. @default - they need it */
  readonly dispensable?: string;
  readonly source: Source;
  readonly when: When;
}

/** All that uses a role by the token of a service account: add-ons, ServiceAccount manifests and Helm releases. */
export function* roleUsesOf(model: EksModel): Generator<RoleUse> {
  for (const view of model.clusterViews) {
    let associations: Associations | undefined;
    let elsewhere: Associations | undefined;
    for (const use of viewUses(view, model)) {
      // Where an association exists it wins, and the annotation, which CDK writes all the same, has no effect.
      let rest: readonly When[] = [use.when];
      for (const one of (associations ??= new Associations(view.podIdentityAssociations)).of(use)) {
        if (rest.length === 0) break;
        rest = except(rest, one.exists);
      }
      if (rest.length === 0) continue;
      const [other] = (elsewhere ??= new Associations(perhapsOf(view, model))).of(use);
      const unsure =
        use.unsure ??
        (other === undefined
          ? undefined
          : `whether ${resourceName(other)} is of the same cluster, and wins there, isn't known`);
      for (const when of rest) yield { ...use, when, ...(unsure === undefined ? {} : { unsure }) };
    }
  }
}

/** Associations of other views that may be of the same cluster: that of the one, or of the other, isn't part of the input. */
function perhapsOf(view: ClusterView, model: EksModel): readonly PodIdentityAssociation[] {
  return model.clusterViews.flatMap((other) =>
    other !== view && (view.cluster === undefined || other.cluster === undefined) ? other.podIdentityAssociations : [],
  );
}

/** The associations of a cluster, found by what each is surely for. Those for what isn't known are looked at one by one. */
class Associations {
  private readonly byAccount = new Map<string, number[]>();
  private readonly byRole = new Map<Role | undefined, number[]>();
  private readonly ofAnyAccount: number[] = [];
  private readonly ofAnyRole: number[] = [];

  constructor(private readonly all: readonly PodIdentityAssociation[]) {
    for (const [index, { namespace, serviceAccount, role }] of all.entries()) {
      if (namespace.kind === 'known' && serviceAccount.kind === 'known')
        push(this.byAccount, keyOf({ namespace: namespace.value, name: serviceAccount.value }), index);
      else this.ofAnyAccount.push(index);
      if (role.kind === 'known') push(this.byRole, role.value.target, index);
      else if (role.kind !== 'absent') this.ofAnyRole.push(index);
    }
  }

  /** Those that may be for a use, in their order. */
  of({ accounts, role }: RoleUse): readonly PodIdentityAssociation[] {
    if (accounts.length === 0)
      return this.some(this.byRole.get(role) ?? [], this.ofAnyRole, (one) => isRole(one.role, role));
    const surely = accounts.flatMap((account) => this.byAccount.get(keyOf(account)) ?? []);
    return this.some(surely, this.ofAnyAccount, (one) =>
      accounts.some(
        ({ namespace, name }) => isText(one.namespace, namespace) !== 'no' && isText(one.serviceAccount, name) !== 'no',
      ),
    );
  }

  private some(
    surely: readonly number[],
    others: readonly number[],
    isOne: (association: PodIdentityAssociation) => boolean,
  ): readonly PodIdentityAssociation[] {
    const one = (index: number): readonly PodIdentityAssociation[] => this.all.slice(index, index + 1);
    const certain = [...new Set(surely)].sort((a, b) => a - b).flatMap(one);
    // One that always exists leaves nothing to look for.
    if (certain.some(({ exists }) => exists === always)) return certain;
    return [...certain, ...others.flatMap(one).filter(isOne)];
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function isRole(reference: Value<{ readonly target: Role | undefined }>, role: Role | undefined): boolean {
  return alternativesOf(reference).some(
    ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && value.value.target === role),
  );
}

function* viewUses(view: ClusterView, model: EksModel): Generator<RoleUse> {
  const named = (text: string) => roleMeant(text, view, model);
  let running: ReadonlySet<string> | undefined;
  for (const addon of view.addons) yield* addonUses(addon);
  for (const manifest of view.manifests) {
    const { object } = manifest;
    for (const release of chartsIn(manifest)) yield* releaseUses(manifest, release, named);
    if (dataAt(object, 'kind') !== 'ServiceAccount') continue;
    const metadata = dataAt(object, 'metadata');
    const place = dataAt(metadata, 'namespace') ?? (manifest.dialect.name === 'kubernetes' ? null : 'default');
    const doubts = place === null ? { open: NO_NAMESPACE } : {};
    for (const use of annotationUse(manifest, metadata, named, dataAt(metadata, 'name'), place, always, doubts)) {
      yield use.accounts.some((account) => (running ??= runningAccounts(view)).has(keyOf(account)))
        ? use
        : { ...use, isIdle: true };
    }
  }
  for (const release of view.helmReleases) yield* releaseUses(release, release, named);
}

/** That is the option `-n` of kubectl, or the target of an Application of Argo CD. */
const NO_NAMESPACE = 'its manifest names no namespace, which is decided where it is applied';

/** The role of a name or ARN that is written out: the only one of the input that is called so, unless it is for another cluster or of another account. */
export function roleMeant(text: string, view: ClusterView, model: EksModel): Role | undefined {
  const name = roleName(text);
  const [role, ...others] = name === undefined ? [] : (rolesByName(model).get(name) ?? []);
  if (role === undefined || others.length > 0) return undefined;
  const statements = webIdentitiesOf(role).map(({ statement }) => statement);
  if (statements.some((statement) => isOfOtherAccount(text, statement))) return undefined;
  const clusters = statements.map(clusterOfTrust);
  return clusters.every((cluster) => cluster === undefined || cluster === view.cluster) ? role : undefined;
}

/** Whether a role of an ARN can't be the one that has a statement: a role trusts OIDC providers of its own account alone. */
function isOfOtherAccount(arn: string, { federated }: TrustStatement): boolean {
  const account = ACCOUNT.exec(arn)?.[1];
  const others = federated.flatMap(({ id }) =>
    alternativesOf(id).flatMap(({ value }) => ACCOUNT.exec(textOf(value) ?? '')?.[1] ?? []),
  );
  return account !== undefined && others.length > 0 && !others.includes(account);
}

const ACCOUNT = /^arn:[^:]*:iam::(\d{12}):/;

const byName = new WeakMap<EksModel, ReadonlyMap<string, readonly Role[]>>();

function rolesByName(model: EksModel): ReadonlyMap<string, readonly Role[]> {
  let found = byName.get(model);
  if (found === undefined) {
    const roles = new Map<string, Role[]>();
    for (const role of model.roles) if (role.name.kind === 'known') push(roles, role.name.value, role);
    byName.set(model, (found = roles));
  }
  return found;
}

/** The service accounts that pods surely run as: those of manifests, of charts that are told so, and of add-ons. */
function runningAccounts(view: ClusterView): ReadonlySet<string> {
  const accounts: ServiceAccount[] = [];
  for (const { namespace, serviceAccount } of workloadsOf(view))
    if (namespace !== undefined && serviceAccount !== undefined) accounts.push({ namespace, name: serviceAccount });
  for (const { namespace, values } of view.helmReleases) {
    const names = serviceAccountsIn(values).map(({ settings }) => dataAt(settings, 'name'));
    for (const { value } of alternativesOf(namespace)) {
      const place = value.kind === 'known' ? value.value : 'default';
      for (const name of names) if (typeof name === 'string') accounts.push({ namespace: place, name });
    }
  }
  for (const { name, namespace } of view.addons) {
    const known = name.kind === 'known' ? addonServiceAccounts(name.value) : undefined;
    const place = namespace.kind === 'known' ? namespace.value : known?.namespace;
    if (known !== undefined && place !== undefined)
      accounts.push(...known.accounts.map((account) => ({ namespace: place, name: account })));
  }
  return new Set(accounts.map(keyOf));
}

function keyOf({ namespace, name }: ServiceAccount): string {
  return `${namespace}/${name}`;
}

function* addonUses(addon: Addon): Generator<RoleUse> {
  const values = {
    name: addon.name,
    pods: addon.podIdentityAssociations,
    irsa: addon.serviceAccountRole,
    namespace: addon.namespace,
  };
  for (const {
    when,
    values: { name, pods, irsa, namespace },
  } of cases(values)) {
    const both = addon.exists.and(when);
    if (both === undefined || irsa.kind === 'absent' || name.kind !== 'known' || callsNoAws(name.value)) continue;
    const known = addonServiceAccounts(name.value);
    const role = irsa.kind === 'known' ? irsa.value.target : undefined;
    // Of other add-ons only a role that serves no pod at all tells anything.
    if (known === undefined && role === undefined) continue;
    const place = namespace.kind === 'known' ? namespace.value : known?.namespace;
    const accounts =
      known === undefined || place === undefined
        ? []
        : known.accounts.map((account) => ({ namespace: place, name: account }));
    // With a Pod Identity association too, the add-on uses that one.
    if (
      pods.kind === 'known' &&
      pods.value.some(
        (item) =>
          accounts.length === 0 || accounts.some((account) => isText(item.serviceAccount, account.name) !== 'no'),
      )
    )
      continue;
    const doubt =
      irsa.kind === 'known'
        ? (irsa.value.ambiguous ?? `role ${irsa.value.text} is not part of the input`)
        : `its service account role is not known (${irsa.reason})`;
    const open =
      namespace.kind === 'unknown'
        ? 'the namespace of the add-on is not known'
        : known?.fixed === true
          ? undefined
          : renamedBy(addon.configuration);
    const unsure = pods.kind === 'unknown' ? 'whether it has Pod Identity associations is not known' : undefined;
    yield { role, doubt, user: addon, accounts, ...given({ open, unsure }), source: irsa.source, when: both };
  }
}

/** Why configuration values may have given a service account another name. */
function renamedBy(configuration: Value<AddonConfiguration>): string | undefined {
  for (const { value } of alternativesOf(configuration)) {
    if (value.kind === 'unknown') return 'its configuration values are not known';
    if (value.kind !== 'known' || value.value.kind !== 'parsed') continue;
    const { data } = value.value;
    if (
      data instanceof Unknown ||
      serviceAccountsIn(data).some(({ settings }) => dataAt(settings, 'name') !== undefined)
    )
      return 'its configuration values name a service account';
  }
  return undefined;
}

function* annotationUse(
  user: Resource,
  holder: Data | undefined,
  named: (text: string) => Role | undefined,
  name: Data | undefined,
  namespace: Data,
  when: When = always,
  doubts: Pick<RoleUse, 'open' | 'unsure'> & { readonly older?: string | undefined } = {},
): Generator<RoleUse> {
  const annotation = dataAt(holder, 'annotations', ROLE_ANNOTATION);
  const text = annotation instanceof Unknown ? annotation.text : annotation;
  const role =
    (annotation instanceof Unknown ? roleBehind(annotation) : undefined) ??
    (typeof text === 'string' && text.startsWith('arn:') ? named(text) : undefined);
  const both = user.exists.and(when);
  if (role === undefined || both === undefined) return;
  const isKnown = typeof name === 'string' && typeof namespace === 'string';
  const names = [name, doubts.older];
  const open = isKnown ? undefined : (doubts.open ?? 'the name or the namespace of its service account is not known');
  yield {
    role,
    doubt: '',
    user,
    accounts: isKnown ? names.flatMap((one) => (typeof one === 'string' ? [{ namespace, name: one }] : [])) : [],
    ...given({ open, unsure: doubts.unsure }),
    source: user.source,
    when: both,
  };
}

function* releaseUses(
  user: Resource,
  release: ChartRelease,
  named: (text: string) => Role | undefined,
): Generator<RoleUse> {
  for (const { settings, name, older, place, when, open, unsure, dispensable } of releaseAccounts(release))
    for (const use of annotationUse(user, settings, named, name, place, when, { ...given({ open, unsure }), older }))
      yield dispensable === undefined ? use : { ...use, dispensable };
}

/** Without the properties that say nothing. */
function given(reasons: {
  readonly open: string | undefined;
  readonly unsure: string | undefined;
}): Pick<RoleUse, 'open' | 'unsure'> {
  const { open, unsure } = reasons;
  return { ...(open === undefined ? {} : { open }), ...(unsure === undefined ? {} : { unsure }) };
}
