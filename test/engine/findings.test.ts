import { runRules, type Finding, type Fix, type Judgement, type Repair, type Rule } from '../../lib/engine';
import { filledRepair } from '../../lib/engine/repair';
import { EksModel, type Resource, type Source, type When } from '../../lib/eks';
import { resourceAt } from '../reports/hand-made';

const at = (line: number, more: Partial<Source> = {}): Source => ({
  locate: () => ({ file: 'a.yaml', line, column: 1 }),
  ...more,
});
const made = (more: object = {}): Resource => ({ ...resourceAt(at(1), { id: 'A', ...more }), ...more });

function rule(
  judgements: readonly Judgement[],
  fix: Fix = { summary: 'Fix {{what}}.', safety: 'safe' },
  more: Partial<Rule> = {},
): Rule {
  const messages = { bad: { text: 'Bad {{what}}.', fix } };
  return {
    id: 'test-rule',
    subject: 'node-group',
    title: 'T',
    severity: 'error',
    since: '',
    symptom: '',
    why: '',
    limits: '',
    ignore: '',
    sources: [],
    messages,
    check: () => judgements,
    ...more,
  };
}

const failing = (more: Partial<Judgement> = {}): Judgement => ({
  verdict: 'fail',
  resource: made(),
  message: 'bad',
  data: { what: 'it' },
  ...more,
});
const run = (judgements: readonly Judgement[], fix?: Fix, more?: Partial<Rule>): readonly Finding[] =>
  runRules(new EksModel([]), [rule(judgements, fix, more)]);
const only = (findings: readonly Finding[]): Finding => {
  const [finding, ...others] = findings;
  if (finding === undefined || others.length > 0) throw new Error(`there are ${findings.length} findings`);
  return finding;
};

describe('where a value comes from', () => {
  it.each([
    ['local.hops', ' The value comes from local.hops.'],
    ['default of variable hops', ' The value comes from the default of variable hops.'],
    ['argument hops of module.m', ' The value comes from the argument hops of module.m.'],
    ['output hops of module.m', ' The value comes from the output hops of module.m.'],
    ['local.default of it', ' The value comes from local.default of it.'],
    ['set by module.m', ' The value is set by module.m.'],
    [undefined, ''],
  ])('%s', (from, text) => {
    expect(only(run([failing({ source: at(2, from === undefined ? {} : { from }) })])).message).toBe(`Bad it.${text}`);
  });
});

describe('what happens under an assumption', () => {
  const when = (text: string): When => ({ text, and: (other) => other, not: () => [when(`not ${text}`)] });

  it('is said once, of all assumptions together', () => {
    const resource = made();
    const other = made({ id: 'B' });
    const findings = run([
      failing({ resource, when: when('a') }),
      failing({ resource: other, when: when('c') }),
      failing({ resource, when: when('b') }),
      failing({ resource, when: when('a') }),
    ]);
    expect(findings.map(({ resource: { id }, message }) => `${id}: ${message}`)).toEqual([
      expect.stringMatching(/^A: Bad it\. This happens when a, or b/) as string,
      'B: Bad it. This happens when c.',
    ]);
    expect(only(run([failing({ resource, when: when('a') }), failing({ resource, when: when('a') })])).message).toBe(
      'Bad it. This happens when a.',
    );
  });

  it.each<[string, Partial<Judgement>]>([
    ['other data', { data: { what: 'that' } }],
    ['another severity', { severity: 'info' }],
    ['something else', { about: 'env.A' }],
    ['another place', { source: at(7) }],
  ])('is said again of %s', (_, more) => {
    const resource = made();
    const messages = run([failing({ resource, when: when('a') }), failing({ resource, when: when('b'), ...more })]).map(
      ({ message }) => message,
    );
    expect(messages).toEqual([
      'Bad it. This happens when a.',
      expect.stringMatching(/ This happens when b\.$/) as string,
    ]);
  });

  it('is not said again of what always happens', () => {
    const resource = made();
    expect(
      run([failing({ resource }), failing({ resource, when: when('a') }), failing({ resource, when: when('') })]).map(
        ({ message }) => message,
      ),
    ).toEqual(['Bad it.']);
  });
});

describe('the code of a fix', () => {
  const code = {
    cloudformation: 'ConfigurationValues: a',
    cdk: 'configurationValues: {{what}}',
    terraform: 'configuration_values = jsonencode({\n  a = 1\n})',
  } as unknown as NonNullable<Fix['code']>;
  const codeFor = (more: object, given: NonNullable<Fix['code']> | 'none' = code) =>
    only(
      run([failing({ resource: made({ type: 'AWS::EKS::Addon', ...more }) })], {
        summary: 'Change the configuration values of {{what}}.',
        safety: 'safe',
        ...(given === 'none' ? {} : { code: given }),
      }),
    );

  it.each<[string, object, string | undefined]>([
    ['of its language', { frontEnd: 'cloudformation' }, 'ConfigurationValues: a'],
    ['of Terraform', { frontEnd: 'terraform' }, 'configuration_values = jsonencode({\n  a = 1\n})'],
    [
      'of TypeScript, for CDKTF',
      { frontEnd: 'cdktf', type: 'aws_eks_addon', path: 'Prod/cni' },
      '// in the properties of the EksAddon Prod/cni:\nconfigurationValues: JSON.stringify({\n  a: 1,\n}),',
    ],
    ['of a chart in CloudFormation', { frontEnd: 'cloudformation', kind: 'helm-release' }, 'Values: a'],
    [
      'of a chart in Terraform',
      { frontEnd: 'terraform', kind: 'helm-release' },
      'values = [yamlencode({\n  a = 1\n})]',
    ],
    ['of something that is no chart', { frontEnd: 'cloudformation', kind: 'addon' }, 'ConfigurationValues: a'],
  ])('is that %s', (_, more, expected) => {
    const { fix, fixCode } = codeFor(more);
    expect(fixCode).toBe(expected);
    expect(fix).toBe(
      `Change ${'kind' in more && more.kind === 'helm-release' ? "the chart's values" : 'the configuration values'} of it.`,
    );
  });

  it('is none where none is given for the language', () => {
    expect(codeFor({}, 'none').fixCode).toBeUndefined();
    expect(codeFor({ frontEnd: 'terraform' }, { cloudformation: 'a' }).fixCode).toBeUndefined();
    expect(codeFor({ frontEnd: 'cloudformation' }, { terraform: 'a' }).fixCode).toBeUndefined();
    expect(codeFor({ frontEnd: 'cdktf' }, { cloudformation: 'a' }).fixCode).toBeUndefined();
  });

  it.each<[string, string, string | undefined]>([
    ['an input', 'hops = 2', 'node_hops = 2'],
    ['several inputs', 'hops = 2\ntokens   = "required"', 'node_hops   = 2\nhttp_tokens = "required"'],
    ['lines within', 'hops = {\n  a = 1\n}', 'node_hops = {\n  a = 1\n}'],
    ['what the module has no input for', 'other = 2', undefined],
    [
      'a block',
      'hops {\n  a = 1\n  b {\n    long = 2\n  }\n}',
      'node_hops = {\n  a = 1\n  b = {\n    long = 2\n  }\n}',
    ],
    ['a block that the module has no input for', 'other {\n  a = 1\n}', undefined],
    ['what is no configuration', 'spec: { a: 1 }', undefined],
  ])('is that of a call for %s', (_, terraform, expected) => {
    const moduleInputs = new Map([
      ['hops', 'node_hops'],
      ['tokens', 'http_tokens'],
    ]);
    expect(codeFor({ frontEnd: 'terraform', moduleInputs }, { terraform }).fixCode).toBe(expected);
  });
});

describe('repairs', () => {
  const repairs: readonly Repair[] = [
    { kind: 'set', field: 'amiType', to: '{{what}}' },
    { kind: 'set', field: 'metadata.hopLimit', to: 2, unlessSet: true },
    { kind: 'remove', field: 'instanceProfile' },
    { kind: 'setData', field: 'configuration', at: 'env.{{what}}', to: '"{{what}}"' },
  ];
  const repairsWith = (fix: Partial<Fix>, what = 'it') =>
    only(run([failing({ data: { what } })], { summary: 'Fix.', safety: 'safe', ...fix }));

  it('are filled', () => {
    expect(repairsWith({ repairs }).repairs).toEqual([
      { kind: 'set', field: 'amiType', to: 'it' },
      { kind: 'set', field: 'metadata.hopLimit', to: 2, unlessSet: true },
      { kind: 'remove', field: 'instanceProfile' },
      { kind: 'setData', field: 'configuration', at: 'env.it', to: '"it"' },
    ]);
  });

  it('tell what they do to the cluster where somebody has to decide', () => {
    const { repairEffect } = repairsWith({ safety: 'needs-decision', repairs, effect: 'replaces {{what}}' });
    expect(repairEffect).toBe('replaces it');
    expect(repairsWith({ repairs, effect: 'nothing' }).repairEffect).toBeUndefined();
  });

  it('are none where somebody has to decide without knowing what they do, none are given, or one of them is not known', () => {
    for (const fix of [
      // Nobody could be told what it does to the cluster.
      { safety: 'needs-decision', repairs },
      {},
      { repairs: [...repairs, { kind: 'moveData', field: 'configuration', at: 'a', to: '' }] },
    ] as const) {
      expect('repairs' in repairsWith(fix)).toBe(false);
    }
  });

  it.each<[Repair, Repair | undefined]>([
    [
      { kind: 'set', field: 'amiType', to: 'x' },
      { kind: 'set', field: 'amiType', to: 'x!' },
    ],
    [
      { kind: 'set', field: 'preserveOnDelete', to: true },
      { kind: 'set', field: 'preserveOnDelete', to: true },
    ],
    [
      { kind: 'remove', field: 'amiType' },
      { kind: 'remove', field: 'amiType' },
    ],
    [
      { kind: 'moveData', field: 'configuration', at: 'a', to: 'b' },
      { kind: 'moveData', field: 'configuration', at: 'a!', to: 'b!' },
    ],
    [{ kind: 'setData', field: 'configuration', at: 'a', to: '' }, undefined],
  ])('%j is filled to %j', (repair, expected) => {
    expect(filledRepair(repair, (template) => (template === '' ? '' : `${template}!`))).toEqual(expected);
  });
});

describe('what is not enabled', () => {
  const resource = made();
  const off = made({ id: 'Off', isNotEnabled: true });
  const [enabled, asIf] = [new EksModel([]), new EksModel([])];
  const judging = (judge: (model: EksModel) => readonly Judgement[]) =>
    runRules(enabled, [rule([], undefined, { check: judge })], {}, asIf).map(
      ({ rule: id, resource: { id: name }, message }) => `${id} ${name}: ${message.slice(0, 30)}`,
    );

  it('is judged behind the others, and alone', () => {
    expect(
      judging((model) =>
        model === asIf
          ? [failing({ resource: off }), failing({ resource, data: { what: 'that' } })]
          : [failing({ resource })],
      ),
    ).toEqual(['test-rule A: Bad it.', 'test-rule Off: In a module that no root modul']);
  });

  it('is not told where it is not known', () => {
    const unsure = (of: Judgement['resource']): Judgement => ({ verdict: 'unverifiable', resource: of, reason: 'r' });
    expect(
      judging((model) => (model === asIf ? [unsure(off), failing({ resource: off })] : [unsure(resource)])),
    ).toEqual(["test-rule A: Can't tell whether A follows t", 'test-rule Off: In a module that no root modul']);
  });

  it('tells where a rule stops only there', () => {
    const boom = (): never => {
      throw new Error('boom');
    };
    expect(judging((model) => (model === asIf ? boom() : []))).toEqual([
      'rule-crashed : Rule test-rule stopped with an',
    ]);
    expect(judging(boom)).toEqual(['rule-crashed : Rule test-rule stopped with an']);
  });
});
