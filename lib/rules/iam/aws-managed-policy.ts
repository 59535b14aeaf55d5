import { defineRule, resourceName, type Judgement } from '../../engine';
import { alternativesOf, type EksModel, type Reference, type Role, type Value } from '../../eks';
import { webIdentitiesOf } from '../../eks/analysis/identity';
import { managedPoliciesAsOf, servicePrincipals } from '../../knowledge';
import { serviceTrustCases } from './parts/given-roles';
import { misspeltPoliciesOf } from './parts/misspelt-policy';
import { usersOf } from './parts/role-users';
import { rolesOfServices } from './parts/service-roles';

/*
 * Nothing looks at the ARN of a policy before the deployment, and IAM refuses one of AWS that there isn't: in Terraform the role is there then, without what it
 * was to allow. Source: IAM API reference, AttachRolePolicy, NoSuchEntity.
 */

export const awsManagedPolicy = defineRule<'misspelt'>({
  id: 'aws-managed-policy',
  subject: 'iam',
  title: 'The AWS managed policies of a role are called as AWS calls them',
  severity: 'error',
  since: '0.1.0',
  messages: {
    misspelt: {
      text: 'Role {{role}} attaches {{found}}, of which AWS had no policy on {{asOf}}: the deployment ends with "NoSuchEntity", and the role lacks what `{{name}}` allows.',
      fix: {
        summary: 'Write `{{meant}}`.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    const given = rolesGiven(model);
    for (const role of model.roles) if (given.has(role) || isForEks(role)) yield* judge(role);
  },
});

/** The roles that something of EKS is given: nodes, clusters, add-ons and service accounts. */
function rolesGiven(model: EksModel): ReadonlySet<Role> {
  const roles = new Set<Role>([...rolesOfServices(model).keys(), ...usersOf(model).keys()]);
  const add = (value: Value<Reference<Role>>): void => {
    for (const { value: one } of alternativesOf(value))
      if (one.kind === 'known' && one.value.target !== undefined) roles.add(one.value.target);
  };
  for (const { role } of model.podIdentityAssociations) add(role);
  for (const { podIdentityAssociations, serviceAccountRole } of model.addons) {
    add(serviceAccountRole);
    for (const { value } of alternativesOf(podIdentityAssociations))
      if (value.kind === 'known') for (const { role } of value.value) add(role);
  }
  return roles;
}

/** Whether a role trusts EKS itself, or the pods of a cluster. */
function isForEks(role: Role): boolean {
  const { podIdentityPrincipal, clusterPrincipal, fargatePrincipal } = servicePrincipals();
  return (
    webIdentitiesOf(role).length > 0 ||
    [podIdentityPrincipal, clusterPrincipal, fargatePrincipal].some((service) =>
      serviceTrustCases(role, [service]).some(({ answer }) => answer === 'trusted'),
    )
  );
}

function judge(role: Role): readonly Judgement<'misspelt'>[] {
  const misspelt = misspeltPoliciesOf(role);
  if (misspelt.length === 0) return [{ verdict: 'pass', resource: role }];
  return misspelt.map(({ found, meant, source, when }) => ({
    verdict: 'fail',
    resource: role,
    message: 'misspelt',
    // Whether IAM takes capital and small letters for the same isn't documented.
    severity: found.toLowerCase() === meant.toLowerCase() ? 'warning' : 'error',
    source,
    data: {
      role: resourceName(role),
      found,
      meant,
      name: meant.slice(meant.lastIndexOf('/') + 1),
      asOf: managedPoliciesAsOf(),
    },
    about: found,
    when,
  }));
}
