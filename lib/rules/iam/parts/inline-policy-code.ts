import type { ControllerStatement } from '../../../knowledge';

/** Code that allows a role more, as an inline policy of its own; placeholders are those of {@link statementsInCode}. */
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
      '{{statementsInYaml}}',
    ].join('\n'),
    'aws-cdk': ['// where `role` is the Role that the finding names:', '{{statementsInCdk}}'].join('\n'),
    terraform: [
      `resource "aws_iam_role_policy" "${label}" {`,
      '  role = aws_iam_role.controller.name',
      '  policy = jsonencode({',
      '    Version = "2012-10-17"',
      '    Statement = [{',
      '{{statementsInTerraform}}',
      '    }]',
      '  })',
      '}',
    ].join('\n'),
  };
}

/** Statements for {@link inlinePolicyCode}; `${partition}` in their resources is filled in. */
export function statementsInCode(
  statements: readonly ControllerStatement[],
  partition = 'aws',
): Record<'statementsInYaml' | 'statementsInCdk' | 'statementsInTerraform', string> {
  const written = statements.map(({ actions, resources, condition = {} }) => ({
    actions,
    resources: resources.map((resource) => resource.replace('${partition}', () => partition)),
    conditions: Object.entries(condition).map(([operator, keys]) => ({ operator, keys: Object.entries(keys) })),
  }));
  return {
    statementsInYaml: written.map(inYaml).join('\n'),
    statementsInCdk: written.map(inCdk).join('\n'),
    statementsInTerraform: written.map(inTerraform).join('\n    }, {\n'),
  };
}

interface Written {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly {
    readonly operator: string;
    readonly keys: readonly (readonly [key: string, value: string | readonly string[]])[];
  }[];
}

function inYaml({ actions, resources, conditions }: Written): string {
  return [
    '        - Effect: Allow',
    '          Action:',
    ...actions.map((action) => `            - ${action}`),
    ...(resources.length === 1
      ? [`          Resource: '${resources.join()}'`]
      : ['          Resource:', ...resources.map((resource) => `            - '${resource}'`)]),
    ...(conditions.length === 0 ? [] : ['          Condition:']),
    ...conditions.flatMap(({ operator, keys }) => [
      // `Null` would be no text without quotes.
      `            '${operator}':`,
      ...keys.map(([key, value]) => `              ${key}: ${valueIn(value, "'")}`),
    ]),
  ].join('\n');
}

function inCdk({ actions, resources, conditions }: Written): string {
  return [
    'role.addToPrincipalPolicy(new iam.PolicyStatement({',
    '  actions: [',
    ...actions.map((action) => `    '${action}',`),
    '  ],',
    ...(resources.length === 1
      ? [`  resources: ['${resources.join()}'],`]
      : ['  resources: [', ...resources.map((resource) => `    '${resource}',`), '  ],']),
    ...(conditions.length === 0 ? [] : ['  conditions: {']),
    ...conditions.flatMap(({ operator, keys }) => [
      `    ${operator}: {`,
      ...keys.map(([key, value]) => `      '${key}': ${valueIn(value, "'")},`),
      '    },',
    ]),
    ...(conditions.length === 0 ? [] : ['  },']),
    '}));',
  ].join('\n');
}

function inTerraform({ actions, resources, conditions }: Written): string {
  return [
    '      Effect = "Allow"',
    '      Action = [',
    ...actions.map((action) => `        "${action}",`),
    '      ]',
    ...(resources.length === 1
      ? [`      Resource = "${resources.join()}"`]
      : ['      Resource = [', ...resources.map((resource) => `        "${resource}",`), '      ]']),
    ...(conditions.length === 0 ? [] : ['      Condition = {']),
    ...conditions.flatMap(({ operator, keys }) => [
      `        ${operator} = {`,
      ...keys.map(([key, value]) => `          "${key}" = ${valueIn(value, '"')}`),
      '        }',
    ]),
    ...(conditions.length === 0 ? [] : ['      }']),
  ].join('\n');
}

function valueIn(value: string | readonly string[], quote: string): string {
  const quoted = (text: string): string => quote + text + quote;
  return typeof value === 'string' ? quoted(value) : `[${value.map(quoted).join(', ')}]`;
}
