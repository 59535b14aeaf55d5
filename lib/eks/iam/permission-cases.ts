import type { AttachedPolicy, PolicyStatement, Role } from '../model/resources';
import { always, cases, Known, type Value, type When } from '../../value';
import { permissionsOf, RolePermissions } from './role-permissions';

/** The permissions of a role under one assumption about the input's conditions. */
export interface PermissionCase {
  readonly when: When;
  readonly permissions: RolePermissions;
}

/**
 * The permissions of a role, split by the conditions of the input on which its policies depend, so that a rule can
 * say "fails when IsIpv6 is true" where {@link permissionsOf} could only say "unknown". One case when nothing depends on
 * a condition.
 */
export function permissionCases(role: Role): readonly PermissionCase[] {
  let found = cache.get(role);
  if (found === undefined) {
    found = dependsOnConditions(role) ? splitCases(role) : [{ when: always, permissions: permissionsOf(role) }];
    cache.set(role, found);
  }
  return found;
}

const cache = new WeakMap<Role, readonly PermissionCase[]>();

/** Whether anything in the policies of the role has alternatives. */
function dependsOnConditions({ policies }: Role): boolean {
  return policies.some((policy) => {
    if (policy.kind === 'managed') return policy.arn.kind === 'choice';
    const { document } = policy;
    return document.kind === 'choice' || (document.kind === 'known' && document.value.statements.some(hasAlternatives));
  });
}

function hasAlternatives({ effect, actions, notActions, resources, notResources }: PolicyStatement): boolean {
  return (
    effect.kind === 'choice' ||
    [actions, notActions, resources, notResources].some((list) => list.some(({ kind }) => kind === 'choice'))
  );
}

function splitCases(role: Role): readonly PermissionCase[] {
  const byPolicy = splitRole(role, mapPolicies);
  const result = byPolicy.flatMap((outer) =>
    splitRole(outer.role, mapStatements).flatMap((inner) => {
      const when = outer.when.and(inner.when);
      return when === undefined ? [] : [{ when, role: inner.role }];
    }),
  );
  return result.map(({ when, role: resolved }) => ({
    when,
    permissions: resolved === role ? permissionsOf(role) : new RolePermissions(resolved),
  }));
}

/** Puts other values in the place of some of a role's values; `replace` is called in the same order every time. */
type RoleMapper = (role: Role, replace: <T>(value: Value<T>) => Value<T>) => Role;

function splitRole(role: Role, map: RoleMapper): readonly { readonly when: When; readonly role: Role }[] {
  const choices: Record<string, Value<unknown>> = {};
  let count = 0;
  map(role, (value) => {
    if (value.kind === 'choice') choices[String(count++)] = value;
    return value;
  });
  if (count === 0) return [{ when: always, role }];
  return cases(choices).map(({ when, values }) => {
    let index = 0;
    const resolved = map(role, <T>(value: Value<T>) =>
      value.kind === 'choice' ? ((values[String(index++)] ?? value) as Value<T>) : value,
    );
    return { when, role: resolved };
  });
}

function mapPolicies(role: Role, replace: <T>(value: Value<T>) => Value<T>): Role {
  const policies = role.policies.map(
    (policy): AttachedPolicy =>
      policy.kind === 'document'
        ? { ...policy, document: replace(policy.document) }
        : { ...policy, arn: replace(policy.arn) },
  );
  return withPolicies(role, policies);
}

function mapStatements(role: Role, replace: <T>(value: Value<T>) => Value<T>): Role {
  const mapStatement = (statement: PolicyStatement): PolicyStatement => ({
    ...statement,
    effect: replace(statement.effect),
    actions: statement.actions.map(replace),
    notActions: statement.notActions.map(replace),
    resources: statement.resources.map(replace),
    notResources: statement.notResources.map(replace),
  });
  const policies = role.policies.map((policy): AttachedPolicy => {
    if (policy.kind !== 'document' || policy.document.kind !== 'known') return policy;
    const { value, source, note } = policy.document;
    return {
      ...policy,
      document: new Known({ ...value, statements: value.statements.map(mapStatement) }, source, note),
    };
  });
  return withPolicies(role, policies);
}

/** Roles of front ends work out their parts when asked: those that matter here are copied by name. */
function withPolicies(role: Role, policies: readonly AttachedPolicy[]): Role {
  return { ...role, policies, ...(role.boundary === undefined ? {} : { boundary: role.boundary }) };
}
