import { resourceName } from '../../../engine';
import type { Cluster, ClusterPart, ClusterView, EksModel, Resource, Role } from '../../../eks';
import { isAddon, isText } from '../../../eks/analysis/addon';
import { annotatedAccount } from '../../../eks/analysis/annotated-accounts';
import {
  clusterOfTrust,
  namesServiceAccount,
  webIdentitiesOf,
  type ServiceAccount,
} from '../../../eks/analysis/identity';
import { roleUsesOf } from '../../../eks/analysis/role-uses';

/*
 * What may give the service account of an add-on a role although the add-on names none. An input may hold many clusters, and what is surely another one's gives
 * nothing here.
 */

/** An add-on, of which a cluster has one, and the service account that its calls to AWS are made as. */
export interface Caller extends ServiceAccount {
  readonly addon: string;
}

/** Why the service account may have a role; undefined where nothing of the input says so. */
export function roleElsewhere(caller: Caller, view: ClusterView, model: EksModel): string | undefined {
  const { uses, associations, trusts } = givingOf(caller, model);
  const own = uses.in(view);
  if (own !== undefined) return `${resourceName(own)} gives its service account a role`;
  const annotated = annotatedAccount(caller, view);
  if (annotated !== undefined) return `${resourceName(annotated)} gives its service account a role`;
  const other = uses.perhapsOf(view) ?? associations.perhapsOf(view);
  if (other !== undefined) return `whether ${resourceName(other)} is of the same cluster isn't known`;
  const role = trusts.perhapsOf(view);
  return role && `role ${resourceName(role)} trusts its service account, and something outside may give it`;
}

interface Giving {
  /** Other things than the add-on that name a role for the account. */
  readonly uses: Users;
  readonly associations: Users;
  readonly trusts: Trusts;
}

/** By models, for each account: clusters ask one after the other. */
const known = new WeakMap<EksModel, Map<string, Giving>>();

function givingOf(caller: Caller, model: EksModel): Giving {
  const ofModel = known.get(model) ?? new Map<string, Giving>();
  known.set(model, ofModel);
  const key = `${caller.addon} ${caller.namespace} ${caller.name}`;
  const found = ofModel.get(key) ?? findGiving(caller, model);
  ofModel.set(key, found);
  return found;
}

function findGiving(caller: Caller, model: EksModel): Giving {
  const uses = new Users();
  const associations = new Users();
  const users = new Map<Role, Set<ClusterView>>();
  for (const { user, role, accounts } of roleUsesOf(model)) {
    const view = model.findView(user);
    if (view === undefined || !accounts.some((one) => isSame(one, caller))) continue;
    // The same add-on with a role is that of another cluster, or there in the place of this one.
    if (!isSameAddon(user, caller)) uses.add(view, user);
    if (role !== undefined) users.set(role, (users.get(role) ?? new Set()).add(view));
  }
  for (const one of model.podIdentityAssociations)
    if (isText(one.serviceAccount, caller.name) === 'yes' && isText(one.namespace, caller.namespace) !== 'no')
      associations.add(model.viewOf(one), one);
  return { uses, associations, trusts: new Trusts(caller, users, model) };
}

function isSame(one: ServiceAccount, other: ServiceAccount): boolean {
  return one.namespace === other.namespace && one.name === other.name;
}

function isSameAddon(user: Resource, { addon }: Caller): boolean {
  return 'kind' in user && user.kind === 'addon' && isAddon(user as Parameters<typeof isAddon>[0], addon) !== 'no';
}

/** What gives the account a role, by the clusters that it may be of. */
class Users {
  private readonly byView = new Map<ClusterView, Resource>();
  /** Of a cluster that the input has, and of one that it hasn't. */
  private readonly whole = new ByName();
  private readonly loose = new ByName();

  add(view: ClusterView, user: Resource): void {
    if (!this.byView.has(view)) this.byView.set(view, user);
    (view.cluster === undefined ? this.loose : this.whole).add(nameOf(view), user);
  }

  in(view: ClusterView): Resource | undefined {
    return this.byView.get(view);
  }

  /** One of another view that may be the same cluster: two that the input has are two, and so are two of other names. */
  perhapsOf(view: ClusterView): Resource | undefined {
    if (this.byView.has(view)) return undefined;
    const name = nameOf(view);
    return this.loose.perhaps(name) ?? (view.cluster === undefined ? this.whole.perhaps(name) : undefined);
  }
}

class ByName {
  private first: Resource | undefined;
  private readonly byName = new Map<string | undefined, Resource>();

  add(name: string | undefined, user: Resource): void {
    this.first ??= user;
    if (!this.byName.has(name)) this.byName.set(name, user);
  }

  perhaps(name: string | undefined): Resource | undefined {
    return name === undefined ? this.first : (this.byName.get(undefined) ?? this.byName.get(name));
  }
}

/** The name of a cluster, if it is known to the last letter. */
function nameOf({
  cluster,
  addons,
  podIdentityAssociations,
  manifests,
  helmReleases,
}: ClusterView): string | undefined {
  const [part]: readonly ClusterPart[] = [...addons, ...podIdentityAssociations, ...manifests, ...helmReleases];
  if (cluster !== undefined) return textIn(cluster.name.kind === 'known' ? cluster.name.value : '');
  return textIn(part?.cluster.kind === 'known' ? part.cluster.value.text : '');
}

function textIn(name: string): string | undefined {
  return name === '' || name.includes('${') ? undefined : name;
}

/** The roles that trust the account, which something outside of the input may give it, such as `kubectl annotate`. */
class Trusts {
  private readonly byCluster = new Map<Cluster, Role>();
  private readonly byView = new Map<ClusterView, Role>();
  /** Of those of which neither the cluster nor a user is known: by where they stand, anywhere, and where no cluster stands that they would be for. */
  private readonly byPlace = new Map<string, Role>();
  private readonly any: Role | undefined;
  private readonly lone: Role | undefined;
  private readonly places = new Map<ClusterView, Set<string>>();

  constructor(caller: Caller, users: ReadonlyMap<Role, ReadonlySet<ClusterView>>, model: EksModel) {
    const views = new Map<string, Set<ClusterView>>();
    for (const resource of model.resources) {
      const view = model.findView(resource);
      if (view === undefined) continue;
      const place = placeOf(resource);
      views.set(place, (views.get(place) ?? new Set()).add(view));
      this.places.set(view, (this.places.get(view) ?? new Set()).add(place));
    }
    for (const role of model.roles)
      for (const { statement } of webIdentitiesOf(role)) {
        if (!namesServiceAccount(statement, caller)) continue;
        const cluster = clusterOfTrust(statement);
        const given = users.get(role);
        if (cluster !== undefined) this.byCluster.set(cluster, role);
        else if (given !== undefined) for (const view of given) this.byView.set(view, role);
        else {
          const place = placeOf(role);
          this.byPlace.set(place, role);
          this.any ??= role;
          const beside = [...(views.get(place) ?? [])];
          if (beside.length === 0 || beside.some((view) => view.cluster === undefined)) this.lone ??= role;
        }
      }
  }

  perhapsOf(view: ClusterView): Role | undefined {
    const { cluster } = view;
    const own = (cluster && this.byCluster.get(cluster)) ?? this.byView.get(view);
    if (own !== undefined || cluster === undefined) return own ?? this.any;
    for (const place of this.places.get(view) ?? []) {
      const role = this.byPlace.get(place);
      if (role !== undefined) return role;
    }
    return this.lone;
  }
}

/** What is deployed together: a template, or the modules below one root. */
function placeOf({ stack, dialect, source }: Resource): string {
  return dialect.scopeOfNames === 'stack'
    ? stack
    : `${stack}\n${source.locate().file.replace(/(?<![^\\/])[^\\/]*$/, '')}`;
}
