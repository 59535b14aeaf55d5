import { nodeRoleOf, type EksModel, type Role } from '../../../eks';
import { servicePrincipals } from '../../../knowledge';
import { givenRoles, serviceTrustCases } from './given-roles';
import { nodeClassRoles } from './node-class-roles';
import { usersOf } from './role-users';

/** The names that EC2 goes by where nodes assume their role. */
export function nodePrincipals(): readonly string[] {
  return [...new Set(['ec2.amazonaws.com', ...Object.values(servicePrincipals().nodePrincipal)])];
}

const CONTROL_PLANE: readonly string[] = ['eks.amazonaws.com'];

/**
 * Whether a role is that of a cluster or of nodes, which no service account uses, and surely doesn't trust the service that has to assume it: that is
 * what is wrong with it, and told with what it is for.
 */
export function trustsPodsByMistake(role: Role, model: EksModel): boolean {
  const services = rolesOfServices(model).get(role);
  return (
    services !== undefined &&
    usersOf(model).get(role) === undefined &&
    serviceTrustCases(role, services).every(({ answer }) => answer === 'refused')
  );
}

const known = new WeakMap<EksModel, ReadonlyMap<Role, readonly string[]>>();

/** The roles of nodes and clusters, and the services that have to assume them. */
export function rolesOfServices(model: EksModel): ReadonlyMap<Role, readonly string[]> {
  let found = known.get(model);
  if (found === undefined) {
    const roles = new Map<Role, readonly string[]>();
    for (const nodeGroup of [...model.nodeGroups, ...model.selfManagedNodeGroups])
      for (const { role } of givenRoles(nodeRoleOf(nodeGroup), nodeGroup.exists))
        if (role !== undefined) roles.set(role, nodePrincipals());
    for (const { role } of nodeClassRoles(model)) roles.set(role, nodePrincipals());
    for (const cluster of model.clusters)
      for (const { role } of givenRoles(cluster.role, cluster.exists))
        if (role !== undefined) roles.set(role, CONTROL_PLANE);
    known.set(model, (found = roles));
  }
  return found;
}
