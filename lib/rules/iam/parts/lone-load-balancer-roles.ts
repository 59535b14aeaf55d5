import { controllersOf, type EksModel, type Role } from '../../../eks';
import { resourceName, type Judgement } from '../../../engine';
import {
  loadBalancerControllerActions,
  loadBalancerControllerGrants,
  loadBalancerControllerVersions,
} from '../../../knowledge';
import { namesServiceAccount, webIdentitiesOf } from '../../../eks/analysis/identity';
import { partitionOfStack } from '../../../eks/analysis/partition';
import { permissionCases } from '../../../eks/iam';
import { allowedElsewhere, codeOf, lackOf, type ControllerCase, type ControllerOutcome } from './controller-judgements';
import { statementsInCode } from './inline-policy-code';

/*
 * Roles that are known by their trust policies alone: nothing in the input installs the AWS Load Balancer Controller, whose service account they trust.
 */

type LoneCase = Pick<ControllerCase, 'role' | 'permissions' | 'partition'>;

export function* judgeLoneRoles(model: EksModel): Generator<Judgement<'stops'>> {
  const isInstalled = model.clusterViews.some((view) =>
    controllersOf(view).some(({ software }) => software === ACCOUNT.name),
  );
  if (isInstalled) return;
  for (const role of model.roles) {
    if (role.policies.length === 0 || !isForController(role)) continue;
    const partition = partitionOfStack(role, model);
    for (const { when: given, permissions } of permissionCases(role)) {
      const when = role.exists.and(given);
      if (when !== undefined) yield { ...judgeLone({ role, permissions, partition }), resource: role, when };
    }
  }
}

/** Whether all tokens that a role takes are those of the controller's service account. */
function isForController(role: Role): boolean {
  const identities = webIdentitiesOf(role);
  return (
    identities.length > 0 &&
    identities.every(
      ({ statement }) =>
        statement.subjects.length === 1 &&
        statement.subjects[0]?.values.length === 1 &&
        namesServiceAccount(statement, ACCOUNT),
    )
  );
}

/** As the documentation of the controller calls it. */
const ACCOUNT = { namespace: 'kube-system', name: 'aws-load-balancer-controller' };

/** What every version calls for every load balancer. A role that makes none may be for targets alone, and how the controller is set up isn't known. */
function judgeLone({ role, permissions, partition }: LoneCase): ControllerOutcome<'stops'> {
  const { oldest, newest } = loadBalancerControllerVersions();
  const { loadBalancer = [] } = loadBalancerControllerActions(oldest)?.needed ?? {};
  const { missing } = lackOf(permissions, loadBalancer);
  if (
    missing.length === 0 ||
    isForExisting(missing) ||
    loadBalancer.filter(isMaking).every((action) => missing.includes(action))
  )
    return { verdict: 'pass' };
  return {
    verdict: 'fail',
    message: 'stops',
    severity: 'warning',
    data: {
      role: resourceName(role),
      version: 'of every version',
      published: newest,
      what: 'load balancer',
      missing: codeOf(missing),
      elsewhere: allowedElsewhere(role, missing),
      also: ' Its trust policy is for the service account of the controller, which nothing here installs.',
      ...statementsInCode(loadBalancerControllerGrants(missing), partition),
    },
  };
}

/** Whether a role that lacks all of these makes no load balancers. */
export function isMaking(action: string): boolean {
  return /:(?:Create|Delete)/.test(action);
}

/**
 * Whether what a role lacks is the making and deleting of load balancers alone, as where others make them: the controller finds those by their tags.
 * Source: kubernetes-sigs/aws-load-balancer-controller, pkg/deploy/elbv2/load_balancer_synthesizer.go.
 */
export function isForExisting(missing: readonly string[]): boolean {
  return missing.length === ONES_OWN.length && ONES_OWN.every((action) => missing.includes(action));
}

const ONES_OWN = ['elasticloadbalancing:CreateLoadBalancer', 'elasticloadbalancing:DeleteLoadBalancer'];
