import { parse } from 'yaml';
import { inlinePolicyCode, statementsInCode } from '../../../../lib/rules/iam/parts/inline-policy-code';
import {
  loadBalancerControllerActions,
  loadBalancerControllerGrants,
  loadBalancerControllerStatements,
  type ControllerStatement,
} from '../../../../lib/knowledge';

interface Statement {
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: object;
}

const code = inlinePolicyCode('LoadBalancerControllerMore');
const all = loadBalancerControllerActions('3.5.0')?.all ?? [];

/** What each language has of some actions, read by that language or as nearly so as can be. */
function inLanguages(actions: readonly string[], partition?: string): Record<string, readonly Statement[]> {
  const data: Record<string, string> = statementsInCode(loadBalancerControllerGrants(actions), partition);
  const filled = (text: string): string => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => data[name] ?? '');
  const { LoadBalancerControllerMore: policy } = parse(
    filled(code.cloudformation).replace('!Ref ThisResource', 'role'),
  ) as { LoadBalancerControllerMore: { Properties: { PolicyDocument: { Statement: Statement[] } } } };
  return {
    cloudformation: policy.Properties.PolicyDocument.Statement,
    'aws-cdk': fromCdk(filled(code['aws-cdk'])),
    terraform: fromHcl(filled(code.terraform)),
  };
}

interface CdkStatement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: object;
}

function fromCdk(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  class PolicyStatement {
    constructor({ actions, resources, conditions }: CdkStatement) {
      const condition = conditions === undefined ? {} : { Condition: conditions };
      statements.push({ Effect: 'Allow', Action: actions, Resource: resources, ...condition });
    }
  }
  const role = { addToPrincipalPolicy: () => undefined };
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('role', 'iam', text) as (role: object, iam: object) => void;
  run(role, { PolicyStatement });
  return statements;
}

function fromHcl(text: string): readonly Statement[] {
  const list = text.slice(text.indexOf('Statement = ') + 'Statement = '.length, text.lastIndexOf(']') + 1);
  const object = list
    .replaceAll(/^(\s*\S+) = /gm, '$1: ')
    .replaceAll(/(["\]}])$/gm, '$1,')
    .replace(/,$/, '');
  // oxlint-disable-next-line typescript/no-implied-eval
  const value = new Function(`return ${object}`) as () => readonly Statement[];
  return value();
}

/** The places of a statement, in which the order of conditions doesn't count. */
function placeOf(resources: readonly string[], condition: object = {}): string {
  return JSON.stringify([resources, Object.entries(condition).sort()]);
}

function publishedPlaces(action: string, partition: string): readonly string[] {
  return loadBalancerControllerStatements('3.5.0', partition)
    .filter(({ actions }) => actions.includes(action))
    .map(({ resources, condition }: ControllerStatement) =>
      placeOf(
        resources.map((resource) => resource.replace('${partition}', partition)),
        condition,
      ),
    );
}

describe.each([
  ['aws', undefined],
  ['aws-us-gov', 'aws-us-gov'],
  ['aws-cn', 'aws-cn'],
] as const)('the code for partition %s', (partition, known) => {
  it.each(['cloudformation', 'aws-cdk', 'terraform'])(
    'allows in %s what is published, where it is published',
    (language) => {
      const statements = inLanguages(all, known)[language] ?? [];
      expect([...new Set(statements.flatMap(({ Action }) => Action))].sort()).toEqual([...all].sort());
      for (const { Effect, Action, Resource, Condition } of statements) {
        expect(Effect).toBe('Allow');
        for (const action of Action)
          expect(publishedPlaces(action, partition)).toContain(placeOf([Resource].flat(), Condition));
      }
    },
  );
});

describe('what is changed or taken away', () => {
  const OF_CLUSTER = { Null: { 'aws:ResourceTag/elbv2.k8s.aws/cluster': 'false' } };

  it.each([
    'ec2:DeleteSecurityGroup',
    'elasticloadbalancing:DeleteLoadBalancer',
    'elasticloadbalancing:ModifyListenerAttributes',
    'elasticloadbalancing:ModifyCapacityReservation',
    'elasticloadbalancing:ModifyIpPools',
  ])('is allowed where it has the tag of a cluster alone: %s', (action) => {
    for (const statements of Object.values(inLanguages([action]))) {
      expect(statements).toHaveLength(1);
      expect(statements[0]).toMatchObject({ Action: [action], Condition: OF_CLUSTER });
    }
  });

  it('is allowed of the tags of security groups alone', () => {
    for (const statements of Object.values(inLanguages(['ec2:DeleteTags'], 'aws-us-gov')))
      expect(statements.map(({ Resource, Condition }) => [[Resource].flat(), Condition])).toEqual([
        [
          ['arn:aws-us-gov:ec2:*:*:security-group/*'],
          {
            Null: {
              'aws:RequestTag/elbv2.k8s.aws/cluster': 'true',
              'aws:ResourceTag/elbv2.k8s.aws/cluster': 'false',
            },
          },
        ],
      ]);
  });
});
