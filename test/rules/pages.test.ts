import { AS_OF } from '../as-of';
import { EksModel } from '../../lib/eks';
import { runRules, type Finding, type Rule } from '../../lib/engine';
import { allRules } from '../../lib/rules';
import { modelOfStack } from './cdk-model';
import { isTemplate, modelOf } from './models';
import { examplesOf, type PageExample } from '../../lib/cli/rules/page-examples';
import { hclModelOf } from './terraform/front-ends';
import { translate } from './terraform/translate';
import { testUnderCondition } from './under-condition';

/** Rules about what a tool makes of its own configuration. */
const OF_EKSCTL = ['eksctl-refuses', 'eksctl-ignored-key'];

/** Rules that compare what is with what will be, so that they speak of plans only. */
const OF_PLANS = ['cluster-version-step', 'ami-type-replacement', 'node-group-replacement', 'cluster-replacement'];

/** Other rules that have to speak of a wrong example, too, by rule and language. */
const BESIDE: ReadonlyMap<string, readonly string[]> = new Map([
  // EKS offers a version of an add-on for some versions of clusters only.
  ['kube-proxy-version-skew: yaml', ['addon-version']],
  ['kube-proxy-version-skew: hcl', ['addon-version']],
  ['pod-security-groups-ip-family: yaml', ['addon-version']],
  ['pod-security-groups-ip-family: hcl', ['addon-version']],
  // AL2, which EKS refuses here, does not require tokens.
  ['ami-type-kubernetes-version: ts', ['imds-v1']],
]);

/** Rules of which the right example has nothing that they would judge. */
const NOTHING_LEFT: ReadonlyMap<string, string> = new Map([
  ['addon-create-conflict', 'the cluster has no copy of the add-on to meet'],
  ['pod-identity-and-irsa', 'the add-on has one role only'],
  ['removed-api', 'the object is in a version that nothing has ended'],
  ['vpc-cni-extra-env', 'the setting has gone to where it belongs'],
]);

describe('the examples of a page', () => {
  const page = (...lines: readonly string[]): string => lines.join('\n');
  const whole = page(
    '### Terraform',
    '',
    'Wrong (`a-b`):',
    '',
    '```hcl',
    'a = 1',
    '```',
    '',
    'Right:',
    '',
    '```hcl',
    'a = 2',
    '```',
  );

  it('are a wrong and a right one under each heading', () => {
    expect(
      examplesOf('a', `${whole}\n\n${whole.replaceAll('hcl', 'yaml').replace('Terraform', 'CloudFormation')}`),
    ).toEqual([
      { heading: 'Terraform', language: 'hcl', message: 'a-b', text: 'a = 1\n' },
      { heading: 'Terraform', language: 'hcl', text: 'a = 2\n' },
      { heading: 'CloudFormation', language: 'yaml', message: 'a-b', text: 'a = 1\n' },
      { heading: 'CloudFormation', language: 'yaml', text: 'a = 2\n' },
    ]);
  });

  it.each([
    ['### Terraform', '### Pulumi', '"### Pulumi" is no heading of examples'],
    ['### Terraform', 'As follows.\n\n### Terraform', '"As follows." is no heading of examples'],
    ['Right:', 'Better:', 'under "### Terraform" stand "Wrong (`message`):" with a block in ```hcl'],
    ['Wrong (`a-b`):', 'Wrong:', 'under "### Terraform" stand'],
    ['```hcl', '```yaml', 'under "### Terraform" stand'],
    ['a = 2\n```', 'a = 2\n```\n\nOr so:\n\n```hcl\na = 3\n```', 'under "### Terraform" stand'],
  ])('are refused where %s is %s', (part, other, problem) => {
    expect(() => examplesOf('a', whole.replace(part, other))).toThrow(`the page a.md: ${problem}`);
  });
});

describe.each(allRules.map((rule) => [rule.id, rule] as const))('the page of %s', (id, rule) => {
  const examples = examplesOf(id, rule.examples ?? '');
  const wrong = examples.filter(({ message }) => message !== undefined);
  const right = examples.filter(({ message }) => message === undefined);

  it('has examples in CloudFormation and Terraform, if the rule speaks of them', () => {
    const languages = wrong.flatMap(({ heading, language }) =>
      heading === 'eksctl' || language === 'ts' ? [] : [language],
    );
    expect(languages).toEqual(OF_EKSCTL.includes(id) ? [] : OF_PLANS.includes(id) ? ['json'] : ['yaml', 'hcl']);
  });

  it('has signs by which its problem is found, each once', () => {
    const { severity, signs = [] } = rule;
    expect(signs.length > 0 || severity !== 'error').toBe(true);
    const lines = signs.map(quotedLine);
    expect(lines).toEqual([...new Set(lines)]);
  });

  it.each(named(wrong))('has a wrong example in %s of which the rule gives the message that is named', (_, example) => {
    const { own, others } = findingsOf(rule, modelOfExample(example));
    expect(own.map(({ verdict, messageId }) => [verdict, messageId])).toEqual([['fail', example.message]]);
    expect(others).toEqual(BESIDE.get(`${id}: ${example.language}`) ?? []);
  });

  it.each(named(right))('has a right example in %s, which the rule accepts and no other warns of', (_, example) => {
    const model = modelOfExample(example);
    expect(findingsOf(rule, model)).toEqual({ own: [], others: [] });
    const options: Record<string, string> = {};
    for (const [name, option] of Object.entries(rule.options ?? {})) options[name] = option.default;
    const judged = [...rule.check(model, { today: AS_OF, options })];
    expect(judged.length > 0).toBe(!NOTHING_LEFT.has(id));
  });

  testUnderCondition(
    rule,
    examples.flatMap(({ language, message = 'right', text }) =>
      language === 'yaml' && isTemplate({ template: text })
        ? [{ name: message, template: text, translation: translate(text) }]
        : [],
    ),
  );
});

/** The line of a log that a sign begins with, else the whole sign: what is said of a line makes no other sign of it. */
function quotedLine(sign: string): string {
  return /^`[^`]+`/.exec(sign)?.[0] ?? sign;
}

function named(examples: readonly PageExample[]): [string, PageExample][] {
  return examples.map((example) => [example.language, example]);
}

/** What the rule itself says of an example, and what others call a warning or an error. */
function findingsOf(rule: Rule, model: EksModel): { own: Finding[]; others: string[] } {
  const findings = runRules(model, allRules, { asOf: AS_OF });
  return {
    own: findings.filter((finding) => finding.rule === rule.id),
    others: findings
      .filter(({ rule: id, verdict, severity }) => id !== rule.id && verdict === 'fail' && severity !== 'info')
      .map(({ rule: id }) => id),
  };
}

function modelOfExample({ language, text }: PageExample): EksModel {
  if (language === 'ts') return modelOfStack(text);
  return language === 'hcl' ? hclModelOf(text) : modelOf(text);
}
