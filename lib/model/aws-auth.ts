import { parse } from 'yaml';
import type { ClusterView } from './model';
import type { KubernetesManifest, Reference, Resource, Role } from './resources';
import { alternativesOf, dataAt, Unknown, type Data, type Plain, type Source } from '../value';

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
  /** Mappings of roles that can't be told. */
  readonly unresolved: RoleMapping[] = [];
  /** Why there may be more mappings than can be seen; undefined if nothing hints at that. */
  readonly unseen: string | undefined;

  constructor(view: ClusterView) {
    let unseen: string | undefined;
    for (const manifest of view.manifests) {
      const { object } = manifest;
      if (dataAt(object, 'kind') !== 'ConfigMap' || dataAt(object, 'metadata', 'name') !== 'aws-auth') continue;
      unseen ??= this.add(manifest, dataAt(object, 'data', 'mapRoles'));
    }
    for (const { target } of view.patches) {
      const mayBe = alternativesOf(target).some(({ value }) => value.kind === 'unknown' || (value.kind === 'known' && /\baws-auth$/.test(value.value)));
      if (mayBe) unseen ??= 'a patch changes `aws-auth`';
    }
    this.unseen = unseen;
  }

  /** The mappings of a role; it is told by reference, ARN or name. */
  mappingsOf(role: Plain<Reference<Role>>): readonly RoleMapping[] {
    return [...new Set(keysOfRole(role))].flatMap((key) => this.byRole.get(key) ?? []);
  }

  /** @returns why it can't be read */
  private add(manifest: KubernetesManifest, mapRoles: Data | undefined): string | undefined {
    if (mapRoles === undefined || mapRoles === null) return undefined;
    const text = mapRoles instanceof Unknown ? mapRoles.text : mapRoles;
    const list = typeof text === 'string' ? readList(text) : undefined;
    if (list === undefined) return `what \`aws-auth\` maps isn't known${mapRoles instanceof Unknown ? `: ${mapRoles.reason}` : ''}`;
    const source = mapRoles instanceof Unknown ? mapRoles.source : manifest.source;
    for (const item of list) {
      const { rolearn, groups } = fieldsOf(item);
      const mapping = { manifest, source, groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : undefined };
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

/** The mappings of a cluster; read once. */
export function awsAuthOf(view: ClusterView): AwsAuth {
  let found = cache.get(view);
  if (found === undefined) {
    found = new AwsAuth(view);
    cache.set(view, found);
  }
  return found;
}

const cache = new WeakMap<ClusterView, AwsAuth>();

/** A list in YAML or JSON; undefined if it is none. */
function readList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = text.trim() === '' ? [] : parse(text, { logLevel: 'silent', prettyErrors: false, uniqueKeys: false, maxAliasCount: 100 });
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
  const [, attributeOf] = /^\$\{([^{}]+)\.Arn\}$/.exec(arn) ?? [];
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
  const names = alternativesOf(target.name).flatMap(({ value }) => (value.kind === 'known' ? [`name ${value.value}`] : []));
  return [`resource ${target.id}`, ...names];
}

/** What equals for two references to one role, as far as that can be told; undefined if nothing is known of it. */
export function roleIdentity(part: Resource, role: Plain<Reference<Role>>): Role | string | undefined {
  if (role.kind === 'absent') return undefined;
  if (role.kind === 'unknown') return role.symbol === undefined ? undefined : `${part.stack}\n${role.symbol}`;
  return role.value.target ?? keyOfArn(role.value.text);
}
