import type { ClusterView, EksModel } from '../model/model';
import type { KubernetesManifest, Reference, Role } from '../model/resources';
import { yaml } from '../../text/lazy-parsers';
import { alternativesOf, type Data, dataAt, Known, type Plain, type Resource, type Source, Unknown } from '../../value';

/**
 * The ConfigMap `kube-system/aws-auth`, which tells the API server who IAM roles are, as far as manifests of the input hold it.
 * Source: Amazon EKS User Guide, "Grant IAM users and roles access to Kubernetes APIs with a ConfigMap".
 */

/** What one entry of `mapRoles` makes of a role. */
export interface RoleMapping {
  readonly manifest: KubernetesManifest;
  /** Where the list stands; the manifest, if there is no better place. */
  readonly source: Source;
  /** Kubernetes groups, with `${…}` for what isn't known of one; undefined if it is no list. */
  readonly groups: readonly string[] | undefined;
}

export class AwsAuth {
  private readonly byRole = new Map<string, RoleMapping[]>();
  private readonly unresolved: RoleMapping[] = [];
  /** Why there may be more mappings than can be seen; undefined if nothing hints at that. */
  readonly unseen: string | undefined;

  constructor(
    view: ClusterView,
    private readonly roles: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    const unseen: (string | undefined)[] = [];
    for (const manifest of view.manifests) {
      const { object } = manifest;
      if (object instanceof Unknown) unseen.push(`what ${manifest.id} applies isn't known`);
      else if (isAwsAuth(object)) unseen.push(this.add(manifest, dataAt(object, 'data', 'mapRoles')));
    }
    for (const { target } of view.patches) {
      const mayBe = alternativesOf(target).some(
        ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && /\baws-auth$/.test(value.value)),
      );
      if (mayBe) unseen.push('a patch changes `aws-auth`');
    }
    this.unseen = unseen.find((reason) => reason !== undefined);
  }

  get all(): readonly RoleMapping[] {
    return [...new Set([...this.unresolved, ...[...this.byRole.values()].flat()])];
  }

  /** The mappings of a role, in the order of the input; it is told by reference, ARN or name. @param part what names the role */
  mappingsOf(part: Resource, role: Plain<Reference<Role>>): readonly RoleMapping[] {
    return this.named(role).filter(({ manifest }) => this.isCertain(manifest, part, role));
  }

  /** Mappings that may be of the role: their own role can't be told, or there are several of that name, or it isn't known itself. */
  possibleMappingsOf(part: Resource, role: Plain<Reference<Role>>): readonly RoleMapping[] {
    const certain = new Set(this.mappingsOf(part, role));
    const candidates = role.kind === 'unknown' ? [...this.byRole.values()].flat() : this.named(role);
    return [...new Set([...this.unresolved, ...candidates])].filter((mapping) => !certain.has(mapping));
  }

  private named(role: Plain<Reference<Role>>): readonly RoleMapping[] {
    return [...new Set(keysOfRole(role))].flatMap((key) => this.byRole.get(key) ?? []);
  }

  /** The text of a manifest holds logical ids and names of parameters, which other stacks may have too. */
  private isCertain(manifest: KubernetesManifest, part: Resource, role: Plain<Reference<Role>>): boolean {
    if (role.kind === 'absent') return false;
    if (role.kind === 'unknown') return role.symbol !== undefined && manifest.stack === part.stack;
    const { target } = role.value;
    return target === undefined || manifest.stack === target.stack || this.roles.get(target.id)?.size === 1;
  }

  /** @returns why it can't be read */
  private add(manifest: KubernetesManifest, mapRoles: Data | undefined): string | undefined {
    if (mapRoles === undefined || mapRoles === null) return undefined;
    const text = mapRoles instanceof Unknown ? mapRoles.text : mapRoles;
    const list = typeof text === 'string' ? readList(text) : undefined;
    if (list === undefined)
      return `what \`aws-auth\` maps isn't known${mapRoles instanceof Unknown ? `: ${mapRoles.reason}` : ''}`;
    const source = mapRoles instanceof Unknown ? mapRoles.source : manifest.source;
    for (const item of list) {
      const { rolearn, groups } = fieldsOf(item);
      const mapping = {
        manifest,
        source,
        groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : undefined,
      };
      const key = typeof rolearn === 'string' ? keyOfArn(rolearn) : undefined;
      if (key === undefined || (key.startsWith('name ') && key.includes('${'))) this.unresolved.push(mapping);
      if (key === undefined) continue;
      const others = this.byRole.get(key);
      if (others === undefined) this.byRole.set(key, [mapping]);
      else others.push(mapping);
    }
    return undefined;
  }
}

/** Whether an object is the ConfigMap that tells who IAM roles are. */
export function isAwsAuth(object: Data): boolean {
  const namespace = dataAt(object, 'metadata', 'namespace');
  return (
    dataAt(object, 'kind') === 'ConfigMap' &&
    dataAt(object, 'metadata', 'name') === 'aws-auth' &&
    (namespace === 'kube-system' || namespace instanceof Unknown)
  );
}

/** The mappings of a cluster; read once. */
export function awsAuthOf(view: ClusterView, model: EksModel): AwsAuth {
  let found = cache.get(view);
  if (found === undefined) {
    found = new AwsAuth(view, stacksById(model));
    cache.set(view, found);
  }
  return found;
}

const cache = new WeakMap<ClusterView, AwsAuth>();

/** The stacks that have a role of each logical id. */
function stacksById(model: EksModel): ReadonlyMap<string, ReadonlySet<string>> {
  let stacks = stacksByModel.get(model);
  if (stacks === undefined) {
    stacks = new Map<string, Set<string>>();
    for (const { id, stack } of model.roles) {
      const known = stacks.get(id);
      if (known === undefined) stacks.set(id, new Set([stack]));
      else known.add(stack);
    }
    stacksByModel.set(model, stacks);
  }
  return stacks;
}

const stacksByModel = new WeakMap<EksModel, Map<string, Set<string>>>();

/** A list in YAML or JSON; undefined if it is none. */
function readList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown =
      text.trim() === ''
        ? []
        : yaml().parse(text, { logLevel: 'error', prettyErrors: false, uniqueKeys: false, maxAliasCount: 100 });
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(item: unknown): { readonly rolearn?: unknown; readonly groups?: unknown } {
  return typeof item === 'object' && item !== null ? item : {};
}

/** What is the same for a role however its ARN is written: `${Role.Arn}`, an ARN with the reference as its name, or with the name itself. */
function keyOfArn(arn: string): string {
  const [, attributeOf] = /^\$\{([^{}]+)\.[Aa]rn\}$/.exec(arn) ?? [];
  if (attributeOf !== undefined) return `resource ${attributeOf}`;
  const isArn = arn.startsWith('arn:') && arn.includes(':role/');
  const name = isArn ? arn.slice(arn.lastIndexOf('/') + 1) : arn;
  const [, reference] = isArn ? (/^\$\{([^{}.]+)\}$/.exec(name) ?? []) : [];
  return reference === undefined ? `name ${name}` : `resource ${reference}`;
}

function keysOfRole(role: Plain<Reference<Role>>): readonly string[] {
  if (role.kind === 'absent') return [];
  if (role.kind === 'unknown') return role.text === undefined ? [] : [keyOfArn(role.text)];
  const { target, text } = role.value;
  if (target === undefined) return [keyOfArn(text)];
  const names = alternativesOf(target.name).flatMap(({ value }) =>
    value.kind === 'known' ? [`name ${value.value}`] : [],
  );
  return [`resource ${target.id}`, ...names];
}

/** Whom a cluster lets in by access entries, also those that EKS makes for managed node groups. */
export class EntryHolders {
  private readonly keys = new Set<string>();
  /** Whether an entry may be for whatever role, or for one of a name that only AWS tells. */
  private isOpen = false;
  private hasNameless = false;

  constructor(
    view: ClusterView,
    private readonly roles: readonly Role[],
  ) {
    // What may be of the cluster may let somebody into it.
    const views = [view, ...view.strays];
    const accessEntries = views.flatMap((one) => one.accessEntries);
    const nodeGroups = views.flatMap((one) => one.nodeGroups);
    const principals = [...accessEntries.map((one) => one.principal), ...nodeGroups.map((one) => one.nodeRole)];
    for (const { value } of principals.flatMap((one) => alternativesOf(one))) {
      for (const key of keysOfRole(value)) this.keys.add(key);
      if (value.kind === 'unknown') this.isOpen = true;
      if (value.kind === 'known' && value.value.target !== undefined && !hasKnownName(value.value.target))
        this.hasNameless = true;
    }
  }

  /** Whether an ARN of `aws-auth`, or what stands for it there, is among them. */
  lets(arn: string, { stack }: Pick<KubernetesManifest, 'stack'>): 'in' | 'not' | 'perhaps' {
    const key = keyOfMapped(arn);
    if (this.keys.has(key)) return 'in';
    const role = this.roleOf(arn, { stack });
    // What is filled in, or is a blank, may be anybody.
    if (role === undefined && (/[$<{]/.test(arn) || !arn.startsWith('arn:'))) return 'perhaps';
    const names = role === undefined ? [] : keysOfRole(new Known({ text: role.id, target: role }, role.source));
    if (names.some((name) => this.keys.has(name))) return 'in';
    return this.isOpen || (role === undefined && this.hasNameless) ? 'perhaps' : 'not';
  }

  /** The role of the input that an ARN of `aws-auth` refers to. */
  roleOf(arn: string, { stack }: Pick<KubernetesManifest, 'stack'>): Role | undefined {
    const key = keyOfMapped(arn);
    return this.roles.find((one) => one.stack === stack && key === `resource ${one.id}`);
  }
}

/** What equals for a role however `aws-auth` writes it. */
function keyOfMapped(arn: string): string {
  return keyOfArn(arn.replace(SESSION, 'arn:aws:iam::$1:role/$2'));
}

/** A session of a role, by which `aws-auth` finds nobody, though its author means the role. */
const SESSION = /^arn:[^:]*:sts::([^:]*):assumed-role\/([^/]+)\/.*$/;

function hasKnownName({ name }: Role): boolean {
  return alternativesOf(name).every(({ value }) => value.kind === 'known');
}

/** What equals for two references to one role, as far as that can be told; undefined if nothing is known of it. */
export function roleIdentity(part: Resource, role: Plain<Reference<Role>>): Role | string | undefined {
  if (role.kind === 'absent') return undefined;
  if (role.kind === 'unknown') return role.symbol === undefined ? undefined : `${part.stack}\n${role.symbol}`;
  return role.value.target ?? keyOfArn(role.value.text);
}
