import { resourceName } from '../../../engine';
import {
  alternativesOf,
  always,
  controllersOf,
  eniConfigsOf,
  whereExists,
  type ClusterView,
  type EksModel,
  type When,
} from '../../../eks';
import { roleUsesOf } from '../../../eks/analysis/role-uses';
import type { Place } from './closed-subnets';

/** A service that somebody needs there. */
export interface Need {
  readonly service: string;
  /** What happens without it, after "nodes" and the like. */
  readonly effect: string;
}

const JOIN = "nodes ask EC2 for their own name and the VPC CNI for addresses, get no answer, and don't become Ready";
const PULL = 'no image is pulled from ECR, not even those of EKS itself';

export function servicesFor(place: Place, view: ClusterView, identities: Identities): readonly Need[] {
  const nodes = [...place.users].filter((user) => user.kind !== 'fargate-profile');
  const needs: Need[] = [
    ...(nodes.length > 0 ? [{ service: 'ec2', effect: JOIN }] : []),
    { service: 'ecr.api', effect: PULL },
    { service: 'ecr.dkr', effect: PULL },
    { service: 's3', effect: PULL },
  ];
  const associated = identities.associated(view, place.when);
  if (nodes.length > 0 && associated !== undefined)
    needs.push({ service: 'eks-auth', effect: `pods get no credentials by Pod Identity (${associated})` });
  // With custom networking pods are in other subnets than their nodes.
  if (eniConfigsOf(view).length > 0) return needs;
  const assumed = identities.assumed(view, place.when);
  if (assumed !== undefined)
    needs.push({
      service: 'sts',
      effect: `pods get no credentials for the role of their service account (${assumed})`,
    });
  const balancing = controllersOf(view).find(
    ({ software, resource }) =>
      software === 'aws-load-balancer-controller' && resource.exists.and(place.when) !== undefined,
  );
  if (balancing !== undefined)
    needs.push({ service: 'elasticloadbalancing', effect: `the ${balancing.name} makes no load balancers` });
  return needs;
}

/** What of a cluster gets credentials how. */
export class Identities {
  private readonly uses = new Map<ClusterView, { readonly name: string; readonly when: When }[]>();

  constructor(model: EksModel) {
    for (const { user, when, unsure } of roleUsesOf(model)) {
      const view = model.findView(user);
      if (view === undefined || unsure !== undefined) continue;
      const list = this.uses.get(view) ?? [];
      this.uses.set(view, list);
      list.push({ name: resourceName(user), when });
    }
  }

  /** Something that surely uses a role of its service account, where an assumption holds. */
  assumed(view: ClusterView, given: When): string | undefined {
    return nameOf(this.uses.get(view) ?? [], given);
  }

  /** The same with Pod Identity. */
  associated({ podIdentityAssociations, addons }: ClusterView, given: When): string | undefined {
    const ofAddons = addons.flatMap((addon) =>
      alternativesOf(whereExists(addon, addon.podIdentityAssociations)).flatMap(({ value, when }) => {
        const both = addon.exists.and(when);
        return value.kind === 'known' && value.value.length > 0 && both !== undefined
          ? [{ name: resourceName(addon), when: both }]
          : [];
      }),
    );
    const own = podIdentityAssociations.map((one) => ({ name: resourceName(one), when: one.exists }));
    return nameOf([...own, ...ofAddons], given);
  }
}

/** One that is there in all cases, the first by name, so that the order of the input doesn't matter. */
function nameOf(users: readonly { readonly name: string; readonly when: When }[], given: When): string | undefined {
  const there = users.filter(({ when }) => when === always || when.and(given)?.text === given.text);
  return there.map(({ name }) => name).sort()[0];
}
