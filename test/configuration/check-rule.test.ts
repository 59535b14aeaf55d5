import { alternativesOf, defineRule } from '../../lib';
import { checkRule } from '../../lib/testing';

const clusterName = defineRule({
  id: 'acme-cluster-name',
  title: 'Clusters have a name',
  severity: 'error',
  messages: { nameless: { text: 'Cluster "{{cluster}}" has no name.', fix: 'Give it one.' } },
  *check(model) {
    for (const cluster of model.clusters) {
      for (const { value } of alternativesOf(cluster.name)) {
        if (value.kind === 'absent')
          yield { verdict: 'fail', resource: cluster, message: 'nameless', data: { cluster: cluster.id } };
        else if (value.kind === 'unknown')
          yield { verdict: 'unverifiable', resource: cluster, reason: value.reason, source: value.source };
      }
    }
  },
});

const named = { template: { Resources: { Main: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'main' } } } } };
const nameless = { template: 'Resources:\n  Main:\n    Type: AWS::EKS::Cluster\n    Properties: {}\n' };
const inTerraform = { terraform: 'resource "aws_eks_cluster" "main" {\n  name = "main"\n}\n' };

describe('checkRule', () => {
  it('is silent when all is as wanted', () => {
    expect(() => {
      checkRule(clusterName, {
        valid: [named, inTerraform],
        invalid: [
          nameless,
          { ...nameless, findings: [{ message: 'nameless', severity: 'error', resource: 'Main', text: '"Main"' }] },
        ],
      });
    }).not.toThrow();
    const open = {
      template: {
        Parameters: { Name: { Type: 'String' } },
        Resources: { Main: { Type: 'AWS::EKS::Cluster', Properties: { Name: { Ref: 'Name' } } } },
      },
      findings: [{ verdict: 'unverifiable' as const }],
    };
    expect(() => {
      checkRule(clusterName, { valid: [named], invalid: [open] });
    }).not.toThrow();
  });

  it.each<[string, Parameters<typeof checkRule>[1], string]>([
    [
      'a valid input fails',
      { valid: [{ ...nameless, name: 'no name' }], invalid: [nameless] },
      'valid case "no name": expected nothing, found:\n    error nameless on Main: Cluster "Main" has no name.',
    ],
    [
      'an invalid input passes',
      { valid: [named], invalid: [named] },
      'invalid case 1: expected something wrong, found nothing',
    ],
    [
      'another finding is wanted',
      { valid: [named], invalid: [{ ...nameless, findings: [{ resource: 'Other' }] }] },
      'expected:\n    {"resource":"Other"}\n  found:\n    error nameless on Main',
    ],
    [
      'the input is broken',
      { valid: [{ template: 'Resources: [' }], invalid: [nameless] },
      "valid case 1: the input can't be read: line 1",
    ],
    [
      'there is no input',
      { valid: [{}], invalid: [nameless] },
      'expected one of template, terraform and plan, found 0',
    ],
    ['nothing is tested', { valid: [], invalid: [] }, 'a rule that always fails would pass'],
  ])('throws when %s', (_, cases, message) => {
    expect(() => {
      checkRule(clusterName, cases);
    }).toThrow(message);
  });

  it('throws when the rule does', () => {
    const crashing = defineRule({
      id: 'acme-crash',
      title: 'T',
      severity: 'error',
      messages: {},
      check: () => {
        throw new Error('no luck');
      },
    });
    expect(() => {
      checkRule(crashing, { valid: [named], invalid: [nameless] });
    }).toThrow(
      /Rule acme-crash stopped with an error \(no luck, in test\/configuration\/check-rule\.test\.ts:\d+:\d+\)/,
    );
  });

  it.each<[string, unknown, string]>([
    [
      'a wanted finding',
      { valid: [named], invalid: [{ ...nameless, findings: [{ messag: 'nope' }] }] },
      'invalid[0].findings[0].messag: there is no part of a finding "messag"; did you mean "message"?',
    ],
    [
      'a case',
      { valid: [{ ...named, nam: 'a' }], invalid: [nameless] },
      'valid[0].nam: there is no part of a valid case "nam"; did you mean "name"?',
    ],
    [
      'a kind of cases',
      { valids: [named], invalid: [nameless] },
      'valids: there is no kind of cases "valids"; did you mean "valid"?',
    ],
    ['nothing but valid cases', { valid: [named] }, '"invalid" is missing; it is a list'],
    ['no finding at all', { valid: [named], invalid: [{ ...named, findings: [] }] }, '"findings" is empty'],
  ])('throws for %s that wants nothing', (_, cases, message) => {
    expect(() => {
      checkRule(clusterName, cases as Parameters<typeof checkRule>[1]);
    }).toThrow(message);
  });

  it('takes a rule that nobody has defined, and refuses what the check would refuse', () => {
    const own = {
      id: 'acme-own',
      title: 'T',
      severity: 'error' as const,
      messages: { bad: { text: 'Bad.', fix: 'Fix.' } },
      check: () => [],
    };
    const cases = { valid: [named], invalid: [] };
    expect(() => {
      checkRule(own, cases);
    }).toThrow('a rule that never fails would pass');
    expect(() => {
      checkRule({ ...own, id: 'imds-v1' }, cases);
    }).toThrow('the custom rule "imds-v1" has the id of a built-in rule');
    expect(() => {
      checkRule({ ...own, title: ' ' }, cases);
    }).toThrow('rule "acme-own" is not whole: title: expected a text');
  });
});

describe('a finding that is wanted', () => {
  const level = defineRule<'named' | 'other'>({
    id: 'acme-level',
    title: 'Clusters are as wanted',
    severity: 'error',
    options: { wanted: { description: '', allowed: ['a', 'b'], default: 'a' } },
    messages: {
      named: { text: 'Cluster {{name}} is no {{wanted}}.', fix: 'Fix.' },
      other: { text: 'Other.', fix: 'Fix.' },
    },
    *check(model, { options, today }) {
      for (const cluster of model.clusters) {
        const [name] = alternativesOf(cluster.name).map(({ value }) =>
          value.kind === 'known' ? value.value : value.kind,
        );
        const wanted = options['wanted'] ?? '';
        if (name === 'unknown') yield { verdict: 'unverifiable', resource: cluster, reason: 'its name is not known' };
        else if (name === 'dated')
          yield { verdict: 'fail', resource: cluster, message: 'named', data: { name: today, wanted } };
        else if (name !== wanted)
          yield {
            verdict: 'fail',
            resource: cluster,
            message: 'named',
            severity: 'warning',
            data: { name: name ?? '', wanted },
          };
      }
    },
  });
  const clusters = (...names: readonly unknown[]) => ({
    template: {
      Parameters: { Name: { Type: 'String' } },
      Resources: Object.fromEntries(
        names.map((Name, index) => [
          `C${index}`,
          { Type: 'AWS::EKS::Cluster', Properties: { Name }, Metadata: { 'aws:cdk:path': `Prod/C${index}/Resource` } },
        ]),
      ),
    },
  });
  const check =
    (invalid: object, valid: object = clusters('a')) =>
    () => {
      checkRule(level, { valid: [valid], invalid: [invalid] });
    };

  it.each<[string, object]>([
    ['message', { message: 'named' }],
    ['severity', { severity: 'warning' }],
    ['logical id', { resource: 'C0' }],
    ['construct path', { resource: 'Prod/C0/Resource' }],
    ['path of the construct that the user made', { resource: 'Prod/C0' }],
    ['text', { text: 'x is no a' }],
    ['verdict', { verdict: 'fail' }],
    ['all of it', { message: 'named', severity: 'warning', resource: 'C0', text: 'Cluster x', verdict: 'fail' }],
    ['nothing of it', {}],
  ])('is like that by its %s', (_, wanted) => {
    expect(check({ ...clusters('x'), findings: [wanted] })).not.toThrow();
  });

  it.each<[string, object]>([
    ['message', { message: 'other' }],
    ['severity', { severity: 'error' }],
    ['resource', { resource: 'C1' }],
    ['part of a path', { resource: 'Prod' }],
    ['text', { text: 'is no b' }],
    ['verdict', { verdict: 'unverifiable' }],
    ['one of it', { message: 'named', severity: 'error', resource: 'C0' }],
  ])('is another by its %s', (_, wanted) => {
    expect(check({ ...clusters('x'), findings: [wanted] })).toThrow(
      `expected:\n    ${JSON.stringify(wanted)}\n  found:\n    warning named on Prod/C0/Resource: Cluster x is no a.`,
    );
  });

  it('is one of as many as are found, in their order', () => {
    const [first, second] = [{ resource: 'C0' }, { resource: 'C1' }];
    expect(check({ ...clusters('x', 'y'), findings: [first, second] })).not.toThrow();
    for (const findings of [[first], [second, first], [first, second, {}], [first, first]])
      expect(check({ ...clusters('x', 'y'), findings })).toThrow('invalid case 1: expected:');
    expect(check({ ...clusters('a'), findings: [{}] })).toThrow('found:\n    nothing');
  });

  it('may be that it can not be judged', () => {
    const open = clusters({ Ref: 'Name' });
    expect(check({ ...open, findings: [{ verdict: 'unverifiable' }] })).not.toThrow();
    expect(check(open)).toThrow(
      "invalid case 1: expected something wrong, found only:\n    unverifiable on Prod/C0/Resource: Can't tell whether",
    );
    expect(check({ ...clusters('x', { Ref: 'Name' }) })).not.toThrow();
    expect(check(clusters('x'), open)).toThrow(
      'valid case 1: expected nothing, found:\n    unverifiable on Prod/C0/Resource',
    );
  });

  it('is found with the options and on the day of the case', () => {
    expect(
      check({ ...clusters('a'), options: { wanted: 'b' } }, { ...clusters('b'), options: { wanted: 'b' } }),
    ).not.toThrow();
    expect(
      check({ ...clusters('dated'), today: '2027-01-31', findings: [{ text: 'Cluster 2027-01-31' }] }),
    ).not.toThrow();
    expect(check({ ...clusters('dated'), findings: [{ text: 'Cluster 2027-01-31' }] })).toThrow('Cluster 2026-11-21');
  });

  it('is one that nobody has accepted', () => {
    const accepted = clusters('x');
    const suppress = [
      { rule: 'acme-level', reason: 'Known' },
      { rule: 'imds-v1', reason: 'Known' },
    ];
    const { C0 } = accepted.template.Resources;
    const template = { Resources: { C0: { ...C0, Metadata: { ...C0?.Metadata, 'eks-guardrails': { suppress } } } } };
    expect(check(clusters('x'), { template })).not.toThrow();
    expect(check({ template })).toThrow('expected something wrong, found nothing');
  });

  it('is in a plan, too, and what can not be read is told', () => {
    const plan = (name: string) =>
      JSON.stringify({
        format_version: '1.2',
        terraform_version: '1.9.0',
        planned_values: {
          root_module: {
            resources: [
              {
                address: 'aws_eks_cluster.c',
                mode: 'managed',
                type: 'aws_eks_cluster',
                name: 'c',
                provider_name: 'registry.terraform.io/hashicorp/aws',
                schema_version: 0,
                values: { name },
              },
            ],
          },
        },
      });
    expect(
      check({ plan: plan('x'), findings: [{ resource: 'aws_eks_cluster.c' }] }, { plan: plan('a') }),
    ).not.toThrow();
    expect(check({ plan: '[]' })).toThrow("invalid case 1: the input can't be read: line 1, column 1: ");
    expect(
      check(
        { terraform: 'resource "aws_eks_cluster" "c" {\n  name = "x"\n}\n' },
        { terraform: 'resource "aws_eks_cluster" "c" {\n  name = "a"\n}\n' },
      ),
    ).not.toThrow();
    expect(check({ terraform: 'resource {' })).toThrow("invalid case 1: the input can't be read: line 1, column ");
    expect(check({ terraform: 'module "m" {\n  source = "./m"\n}\n' })).toThrow(
      'there is no folder "./m" with Terraform files',
    );
    expect(check({ ...clusters('x'), plan: plan('x') })).toThrow(
      'invalid case 1: expected one of template, terraform and plan, found 2',
    );
  });

  it('is missed in each case that is told', () => {
    const cases = {
      valid: [clusters('x'), { ...clusters('y'), name: 'y' }],
      invalid: [{ ...clusters('a'), name: 'a' }, clusters('a')],
    };
    expect(() => {
      checkRule(level, cases);
    }).toThrow(
      /^rule acme-level:\n {2}valid case 1: .*\n.*\n {2}valid case "y": .*\n.*\n {2}invalid case "a": .*\n {2}invalid case 2: expected something wrong, found nothing$/,
    );
    expect(() => {
      checkRule(level, { valid: [], invalid: [] });
    }).toThrow(
      'there is no valid case: a rule that always fails would pass\n  there is no invalid case: a rule that never fails would pass',
    );
  });
});
