import { resourceName, type Judgement, type RelatedPlace, type Severity } from '../../../engine';
import {
  controllersOf,
  rolesOfController,
  type ClusterView,
  type Controller,
  type EksModel,
  type Role,
  type Source,
  type When,
} from '../../../eks';
import type { ControllerChart } from '../../../knowledge';
import { permissionCases, type RolePermissions } from '../../../eks/iam';

/** A role of a controller, under one assumption about the input. */
export interface ControllerCase {
  readonly controller: Controller;
  readonly view: ClusterView;
  readonly role: Role;
  readonly permissions: RolePermissions;
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

/** Judges what the roles of a controller may do. One without a role that the input shows is unverifiable. */
export function* judgeControllerRoles<M extends string>(
  model: EksModel,
  software: ControllerChart,
  judge: (one: ControllerCase) => readonly ControllerOutcome<M>[],
  isConcerned: (controller: Controller) => boolean = () => true,
): Generator<Judgement<M>> {
  for (const view of model.clusterViews) {
    for (const controller of controllersOf(view)) {
      if (controller.software !== software || !isConcerned(controller)) continue;
      const { resource, name } = controller;
      const roles = rolesOfController(controller, view, model);
      if (roles.length === 0)
        yield { verdict: 'unverifiable', resource, reason: `the role of ${name} is not part of the input` };
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
        for (const { when: given, permissions } of permissionCases(role)) {
          const when = role.exists.and(used)?.and(given);
          if (when === undefined) continue;
          for (const outcome of judge({ controller, view, role, permissions, when })) {
            const both = outcome.when === undefined ? when : when.and(outcome.when);
            if (both !== undefined) yield { ...outcome, resource: role, related, when: both };
          }
        }
      }
    }
  }
}

/** Code that allows a role more, as an inline policy of its own; placeholders are those of {@link actionsInCode}. */
export function inlinePolicyCode(id: string): Record<'cloudformation' | 'aws-cdk' | 'terraform', string> {
  const label = id.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return {
    cloudformation: [
      `${id}:`,
      '  Type: AWS::IAM::RolePolicy',
      '  Properties:',
      '    RoleName: !Ref ThisResource',
      `    PolicyName: ${id}`,
      '    PolicyDocument:',
      "      Version: '2012-10-17'",
      '      Statement:',
      '        - Effect: Allow',
      '          Action:',
      '{{actionsInYaml}}',
      "          Resource: '*'",
    ].join('\n'),
    'aws-cdk': [
      '// where `role` is the Role that the finding names:',
      'role.addToPrincipalPolicy(new iam.PolicyStatement({',
      '  actions: [',
      '{{actionsInCdk}}',
      '  ],',
      "  resources: ['*'],",
      '}));',
    ].join('\n'),
    terraform: [
      `resource "aws_iam_role_policy" "${label}" {`,
      '  role = aws_iam_role.controller.name',
      '  policy = jsonencode({',
      '    Version = "2012-10-17"',
      '    Statement = [{',
      '      Effect = "Allow"',
      '      Action = [',
      '{{actionsInTerraform}}',
      '      ]',
      '      Resource = "*"',
      '    }]',
      '  })',
      '}',
    ].join('\n'),
  };
}

export function actionsInCode(
  actions: readonly string[],
): Record<'actionsInYaml' | 'actionsInCdk' | 'actionsInTerraform', string> {
  const lines = (line: (action: string) => string): string => actions.map(line).join('\n');
  return {
    actionsInYaml: lines((action) => `            - ${action}`),
    actionsInCdk: lines((action) => `    '${action}',`),
    actionsInTerraform: lines((action) => `        "${action}",`),
  };
}
