import { resourceName, type Judgement, type RelatedPlace, type Severity } from '../../../engine';
import {
  alternativesOf,
  controllersOf,
  rolesOfController,
  textOf,
  type ClusterView,
  type Controller,
  type EksModel,
  type PolicyStatement,
  type Role,
  type Source,
  type When,
} from '../../../eks';
import type { ControllerChart } from '../../../knowledge';
import { permissionCases, type MissingPermissions, type RolePermissions } from '../../../eks/iam';
import { partitionOfStack } from '../../../eks/analysis/partition';
import { actionMatch } from '../../../eks/iam/statements';
import { listOf } from '../../../text/in-words';

/** A role of a controller, under one assumption about the input. */
export interface ControllerCase {
  readonly controller: Controller;
  readonly view: ClusterView;
  readonly role: Role;
  readonly permissions: RolePermissions;
  /** That it is deployed to, as far as the input tells. */
  readonly partition: string | undefined;
  readonly when: When;
}

/** What a rule says of one case. */
export type ControllerOutcome<M extends string> =
  | { readonly verdict: 'pass'; readonly when?: When }
  | { readonly verdict: 'unverifiable'; readonly reason: string; readonly when?: When }
  | {
      readonly verdict: 'fail';
      readonly message: M;
      readonly severity?: Severity;
      readonly data: Readonly<Record<string, string>>;
      readonly source?: Source;
      readonly about?: string;
      readonly when?: When;
    };

/** What is said of a controller whose role the input doesn't show. */
type Roleless<M extends string> = (
  controller: Controller,
  view: ClusterView,
  model: EksModel,
) => readonly Judgement<M>[] | undefined;

/**
 * Judges what the roles of a controller may do. One without a role that the input shows is unverifiable.
 * @param ofRoleless what is said instead of one without; undefined for nothing else
 * @param isConcerned whether the rule is about it; a text where that isn't known, for the end of "… because"
 */
export function* judgeControllerRoles<M extends string>(
  model: EksModel,
  software: ControllerChart,
  judge: (one: ControllerCase) => readonly ControllerOutcome<M>[],
  isConcerned: (controller: Controller) => boolean | string = () => true,
  ofRoleless: Roleless<M> = () => undefined,
): Generator<Judgement<M>> {
  for (const view of model.clusterViews) {
    for (const controller of controllersOf(view)) {
      if (controller.software !== software) continue;
      const { resource, name } = controller;
      const concerned = isConcerned(controller);
      if (concerned === false) continue;
      if (concerned !== true) {
        yield { verdict: 'unverifiable', resource, reason: concerned };
        continue;
      }
      const roles = rolesOfController(controller, view, model);
      if (roles.length === 0)
        yield* ofRoleless(controller, view, model) ?? [
          { verdict: 'unverifiable', resource, reason: `the role of ${name} is not part of the input` },
        ];
      for (const { role, doubt, source, when: used } of roles) {
        if (role === undefined) {
          yield { verdict: 'unverifiable', resource, source, reason: doubt, when: used };
          continue;
        }
        const related: readonly RelatedPlace[] = [
          { message: `${resourceName(resource)} calls AWS with ${resourceName(role)}`, source: resource.source },
        ];
        if (role.policies.length === 0) {
          const reason = `no policy of role ${resourceName(role)} is part of the input`;
          yield { verdict: 'unverifiable', resource: role, reason, related, when: used };
          continue;
        }
        const partition = partitionOfStack(role, model);
        for (const { when: given, permissions } of permissionCases(role)) {
          const when = role.exists.and(used)?.and(given);
          if (when === undefined) continue;
          for (const outcome of judge({ controller, view, role, permissions, partition, when })) {
            const both = outcome.when === undefined ? when : when.and(outcome.when);
            if (both !== undefined) yield { ...outcome, resource: role, related, when: both };
          }
        }
      }
    }
  }
}

/** What of the actions a role can't do on resources of the service that they belong to, and what isn't known of. */
export function lackOf(permissions: RolePermissions, actions: readonly string[]): MissingPermissions {
  const lacks = actions.map((action) => permissions.missing([action], resourceOf(action)));
  return {
    missing: lacks.flatMap(({ missing }) => missing),
    unknown: lacks.flatMap(({ unknown }) => unknown),
    reasons: [...new Set(lacks.flatMap(({ reasons }) => reasons))],
  };
}

/** Any resource that an action can be about. Associations of web ACLs are about load balancers as well. */
function resourceOf(action: string): string {
  const [service = ''] = action.split(':');
  return service === 'route53'
    ? HOSTED_ZONES
    : /^(?:ec2|elasticloadbalancing|acm|shield)$/.test(service)
      ? `arn:*:${service}:*:*:*`
      : '*';
}

const HOSTED_ZONES = 'arn:*:route53:::hostedzone/*';

/** Where the role allows one of the actions that it lacks, for behind their names: ` (allowed on … only)`; empty if nowhere. */
export function allowedElsewhere(role: Role, actions: readonly string[]): string {
  const resources = resourcesAllowed(role, actions);
  return resources.length === 0 ? '' : ` (allowed on ${codeOf(resources)} only)`;
}

/** The resources on which statements of a role allow one of the actions, as far as they are known. */
export function resourcesAllowed({ policies }: Role, actions: readonly string[]): readonly string[] {
  const texts = policies.flatMap((policy) =>
    policy.kind === 'managed'
      ? []
      : alternativesOf(policy.document).flatMap(({ value }) =>
          (value.kind === 'known' ? value.value.statements : []).flatMap((statement) =>
            allows(statement, actions)
              ? statement.resources.map((one) => (one.kind === 'choice' ? '' : (textOf(one) ?? '')))
              : [],
          ),
        ),
  );
  return [...new Set(texts.filter((text) => text !== ''))];
}

function allows(statement: PolicyStatement, actions: readonly string[]): boolean {
  const { effect } = statement;
  return (
    effect.kind === 'known' &&
    effect.value === 'Allow' &&
    actions.some((action) => actionMatch(statement, action.toLowerCase()) === 'yes')
  );
}

export function codeOf(texts: readonly string[]): string {
  return listOf(texts.map((text) => `\`${text}\``));
}
