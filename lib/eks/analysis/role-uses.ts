import {
  addonServiceAccounts,
  callsNoAws,
  chartServiceAccount,
  chartServiceAccountNameAt,
  chartServiceAccountPaths,
} from '../../knowledge';
import {
  alternativesOf,
  always,
  cases,
  type Data,
  dataAt,
  except,
  isDataMap,
  Known,
  type Plain,
  type Resource,
  type Source,
  textOf,
  Unknown,
  type Value,
  type When,
} from '../../value';
import type { TrustStatement } from '../iam/trust-statement';
import { isText } from './addon';
import { deliveredCharts } from './delivered-charts';
import { clusterOfTrust, webIdentitiesOf, type ServiceAccount } from './identity';
import type { ClusterView, EksModel } from '../model/model';
import { resourceName, roleBehind, roleName } from '../model/resource-name';
import type {
  Addon,
  AddonConfiguration,
  HelmRelease,
  KubernetesManifest,
  PodIdentityAssociation,
  Role,
} from '../model/resources';
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

/** What Flux or Argo CD installs by a manifest. */
function chartsIn({ object, source }: KubernetesManifest): readonly Release[] {
  return deliveredCharts(object, source).map(({ chart, release, namespace, values }) => ({
    chart: new Known(chart, source),
    release: textOr(release, source),
    namespace: textOr(namespace, source),
    values,
  }));
}

function textOr(text: string | undefined, source: Source): Known<string> | Unknown {
  return text === undefined ? new Unknown('it is not written', source) : new Known(text, source);
}

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

/** With it a service account names the role that its pods assume. */
export const ROLE_ANNOTATION = 'eks.amazonaws.com/role-arn';

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

function* releaseUses(user: Resource, release: Release, named: (text: string) => Role | undefined): Generator<RoleUse> {
  for (const { settings, name, older, place, when, open, unsure, dispensable } of releaseAccounts(release))
    for (const use of annotationUse(user, settings, named, name, place, when, { ...given({ open, unsure }), older }))
      yield dispensable === undefined ? use : { ...use, dispensable };
}

type Release = Pick<HelmRelease, 'chart' | 'namespace' | 'release' | 'values'>;

/** A service account that a chart makes by its values. */
interface ReleaseAccount extends Pick<RoleUse, 'dispensable'> {
  readonly settings: Data;
  readonly name: Data | undefined;
  /** Its name in older versions of the chart, if that is another one. */
  readonly older: string | undefined;
  /** Its namespace; null where that isn't known. */
  readonly place: string | null;
  readonly when: When;
  /** Why its name isn't known. */
  readonly open: string | undefined;
  /** Why the chart may not make it. */
  readonly unsure: string | undefined;
}

function* releaseAccounts(release: Release): Generator<ReleaseAccount> {
  const accounts = serviceAccountsIn(release.values);
  if (accounts.length === 0) return;
  for (const { when, values } of cases({ namespace: release.namespace, chart: release.chart, name: release.release })) {
    // Some charts can be told to install into another namespace than that of the release.
    const moved = [dataAt(release.values, 'namespaceOverride'), dataAt(release.values, 'namespace')].some(
      (data) => data !== undefined && data !== null && data !== '',
    );
    const { namespace } = values;
    const place =
      moved || namespace.kind === 'unknown' ? null : namespace.kind === 'known' ? namespace.value : 'default';
    for (const { path, settings } of accounts) {
      const create = dataAt(settings, 'create');
      // A chart that creates no service account leaves its annotations out.
      if (create === false) continue;
      const unread = unreadPath(values.chart, path);
      const unsure = create instanceof Unknown ? 'whether the chart creates the service account is not known' : unread;
      const written = dataAt(settings, 'name');
      const byChart = nameByChart(values.chart, values.name, path, release.values);
      const isWritten = written !== undefined && written !== null && written !== '';
      const isOlder = typeof written === 'string' && isWritten && hasOlderName(values.chart, path);
      const name = isWritten && !isOlder ? written : byChart;
      const older = isOlder && written !== byChart ? written : undefined;
      const open = name === undefined ? unread : undefined;
      const dispensable = dispensableIn(values.chart);
      yield { settings, name, older, place, when, open, unsure, ...(dispensable === undefined ? {} : { dispensable }) };
    }
  }
}

/** The service accounts of manifests and Helm releases with what their annotation for a role says. */
export interface AnnotatedAccount {
  readonly user: KubernetesManifest | HelmRelease;
  readonly annotation: Data;
  readonly name: Data | undefined;
  readonly source: Source;
  readonly when: When;
}

/** Those of a cluster that are surely made. */
export function* annotatedAccounts({ manifests, helmReleases }: ClusterView): Generator<AnnotatedAccount> {
  for (const manifest of manifests) {
    const { object, source, exists } = manifest;
    for (const release of chartsIn(manifest)) yield* annotatedIn(manifest, release);
    const annotation = dataAt(object, 'metadata', 'annotations', ROLE_ANNOTATION);
    if (dataAt(object, 'kind') !== 'ServiceAccount' || annotation === undefined) continue;
    const place = manifest.placeIn?.('metadata', 'annotations', ROLE_ANNOTATION) ?? source;
    yield { user: manifest, annotation, name: dataAt(object, 'metadata', 'name'), source: place, when: exists };
  }
  for (const release of helmReleases) yield* annotatedIn(release, release);
}

function* annotatedIn(user: KubernetesManifest | HelmRelease, release: Release): Generator<AnnotatedAccount> {
  for (const { settings, name, unsure, when: made } of releaseAccounts(release)) {
    const annotation = dataAt(settings, 'annotations', ROLE_ANNOTATION);
    const when = user.exists.and(made);
    if (annotation === undefined || unsure !== undefined || when === undefined) continue;
    yield { user, annotation, name, source: user.source, when };
  }
}

/**
 * External Secrets takes the role of its own pods for stores that name no service account.
 * Source: external-secrets/external-secrets, docs/provider/aws-access.md.
 */
function dispensableIn(chart: Plain<string>): string | undefined {
  return chart.kind === 'known' && chartNameOf(chart.value) === 'external-secrets'
    ? 'the stores of External Secrets may all name a service account, and its own pods then need no role'
    : undefined;
}

/** Whether newer versions of a chart have the name elsewhere among the settings, with a default that wins over the one that older ones take. */
function hasOlderName(chart: Plain<string>, path: readonly string[]): boolean {
  const name = chart.kind === 'known' ? chartNameOf(chart.value) : undefined;
  return name !== undefined && chartServiceAccountNameAt(name, path) !== undefined;
}

/** The name that a chart gives to a service account that nobody named. */
export function nameByChart(
  chart: Plain<string>,
  release: Plain<string>,
  path: readonly string[],
  values: Data,
): string | undefined {
  const chartName = chart.kind === 'known' ? chartNameOf(chart.value) : undefined;
  const newer = chartName === undefined ? undefined : chartServiceAccountNameAt(chartName, path);
  const given = newer === undefined ? undefined : dataAt(values, ...path, ...newer);
  if (given !== undefined && given !== null && given !== '') return typeof given === 'string' ? given : undefined;
  const name = chartName === undefined ? undefined : chartServiceAccount(chartName, path);
  return name === 'fullname' && chartName !== undefined ? fullName(chartName, release, values) : name;
}

/** The chart that a name or address is of. One of a directory may be any. */
export function chartNameOf(chart: string): string | undefined {
  return /^(?![./])(?:.*\/)?([^/]+)$/.exec(chart)?.[1];
}

/**
 * Why a chart may not read the settings of a service account: charts drop values that they don't know. All by themselves have one at
 * `serviceAccount`, and a chart among others below its own name; where else, only a table tells.
 */
function unreadPath(chart: Plain<string>, path: readonly string[]): string | undefined {
  if (chart.kind !== 'known') return undefined;
  const name = chartNameOf(chart.value);
  const known = name === undefined ? [] : chartServiceAccountPaths(name);
  const [part = '', ...rest] = path;
  if (known.includes(path.join('.')) || chartServiceAccountPaths(part).includes(rest.join('.'))) return undefined;
  if (known.length === 0 && rest.length === 0) return undefined;
  const list = known.length === 0 ? '' : ` (known of it: ${known.map((one) => `\`${one}\``).join(', ')})`;
  return `whether chart ${name ?? chart.value} makes a service account of the values at \`${path.join('.')}\` is not known${list}`;
}

/** As Helm's template for new charts puts it together, and most charts with it. */
function fullName(chart: string, release: Plain<string>, values: Data): string | undefined {
  const whole = dataAt(values, 'fullnameOverride') ?? '';
  const part = dataAt(values, 'nameOverride') ?? '';
  if (typeof whole !== 'string' || typeof part !== 'string') return undefined;
  if (whole !== '') return shortened(whole);
  if (release.kind !== 'known') return undefined;
  const name = part === '' ? chart : part;
  return shortened(release.value.includes(name) ? release.value : `${release.value}-${name}`);
}

function shortened(name: string): string {
  return name.slice(0, 63).replace(/-$/, '');
}

/** Deeper than charts put their service accounts. */
const MOST_STEPS = 6;

/** The settings of service accounts among values: what stands under `serviceAccount`. */
function serviceAccountsIn(
  data: Data | undefined,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly settings: Data }[] {
  if (!isDataMap(data) || path.length > MOST_STEPS) return [];
  return Object.entries(data).flatMap(([key, value]) => {
    const inner = [...path, key];
    const below = serviceAccountsIn(value, inner);
    return key === 'serviceAccount' && isDataMap(value) ? [{ path: inner, settings: value }, ...below] : below;
  });
}

/** Without the properties that say nothing. */
function given(reasons: {
  readonly open: string | undefined;
  readonly unsure: string | undefined;
}): Pick<RoleUse, 'open' | 'unsure'> {
  const { open, unsure } = reasons;
  return { ...(open === undefined ? {} : { open }), ...(unsure === undefined ? {} : { unsure }) };
}
