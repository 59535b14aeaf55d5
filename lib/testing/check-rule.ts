import { EksModel } from '../eks';
import {
  defineCustomRule,
  isCrash,
  rulesOf,
  runRules,
  type CustomRule,
  type Finding,
  type Rule,
  type Severity,
} from '../engine';
import { readTemplates } from '../front-ends/cloudformation';
import type { ReadResult } from '../front-ends/reader';
import { expandKnownModule } from '../front-ends/terraform/known-modules';
import { hclFile } from '../terraform/module/hcl-file';
import { readRootModules } from '../terraform/module/root-modules';
import { readPlan } from '../terraform/plan/plan';
import { readInstances } from '../front-ends/terraform/resources';
import { allRules } from '../rules';
import { problemsOf, propertyText, type Shape } from '../text/shape';

/** Something to run a rule on: exactly one of `template`, `terraform` and `plan`. */
export interface RuleCase {
  /** What it shows, for messages: "a private cluster". @default - its place in the list */
  readonly name?: string;
  /** A CloudFormation template: JSON or YAML text, or an object. */
  readonly template?: string | object;
  /** Terraform configuration, in HCL. */
  readonly terraform?: string;
  /** What `terraform show -json` prints for a plan. */
  readonly plan?: string;
  /** Options of the rule. @default - the rule's own */
  readonly options?: Readonly<Record<string, string>>;
  /** The day of the check, `YYYY-MM-DD`. @default - what EKS_GUARDRAILS_AS_OF says, else today in UTC */
  readonly today?: string;
}

/** Something that the rule must find wrong, or can't judge. */
export interface FailingCase extends RuleCase {
  /** What it must find, all of it, in this order. @default - at least one thing that is wrong */
  readonly findings?: readonly WantedFinding[];
}

/** What a finding must be like; what is left out may be anything. */
export interface WantedFinding {
  /** The name of the message, as the rule declares it. */
  readonly message?: string;
  readonly severity?: Severity;
  /** Logical id, address or construct path of the resource. */
  readonly resource?: string;
  /** A part of the text. */
  readonly text?: string;
  /** @default 'fail' */
  readonly verdict?: Finding['verdict'];
}

export interface RuleCases {
  /** What the rule must find nothing in, not even something that it can't judge. */
  readonly valid: readonly RuleCase[];
  readonly invalid: readonly FailingCase[];
}

/**
 * Runs a rule on inputs that it must accept and on inputs that it must not.
 *
 * ```ts
 * test('clusters have a name', () => {
 *   checkRule(clusterName, { valid: [{ template: named }], invalid: [{ template: nameless, findings: [{ message: 'nameless' }] }] });
 * });
 * ```
 * @throws Error that lists everything that is not as wanted: also inputs that can't be read, and a rule that throws; ConfigurationError for a rule
 * that isn't whole, or has the id of a built-in one
 */
export function checkRule(own: CustomRule, cases: RuleCases): void {
  const rule = defineCustomRule(own);
  rulesOf({ customRules: [rule] }, allRules);
  const misspelt = problemsOf(CASES, cases).map(({ path, message }) => `${propertyText(path)}: ${message}`);
  if (misspelt.length > 0) throw failure(rule, misspelt);
  const { valid, invalid } = cases;
  const problems = [
    ...valid.flatMap((one, index) => prefixed(`valid ${nameOf(one, index)}`, validProblems(rule, one))),
    ...invalid.flatMap((one, index) => prefixed(`invalid ${nameOf(one, index)}`, invalidProblems(rule, one))),
  ];
  if (valid.length === 0) problems.push('there is no valid case: a rule that always fails would pass');
  if (invalid.length === 0) problems.push('there is no invalid case: a rule that never fails would pass');
  if (problems.length > 0) throw failure(rule, problems);
}

function failure({ id }: Rule, problems: readonly string[]): Error {
  return new Error([`rule ${id}:`, ...problems.map((problem) => `  ${problem.replaceAll('\n', '\n  ')}`)].join('\n'));
}

const TEXT: Shape = { kind: 'text', what: 'a text' };

function object(noun: string, shapes: Readonly<Record<string, Shape>>): Shape & { kind: 'object' } {
  return {
    kind: 'object',
    noun,
    properties: Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { shape, description: '' }])),
  };
}

const CASE: Readonly<Record<string, Shape>> = {
  name: TEXT,
  template: { kind: 'anything' },
  terraform: TEXT,
  plan: TEXT,
  options: { kind: 'map', value: TEXT },
  today: TEXT,
};
const WANTED = object('part of a finding', {
  message: TEXT,
  severity: { kind: 'choice', values: ['error', 'warning', 'info'] },
  resource: TEXT,
  text: TEXT,
  verdict: { kind: 'choice', values: ['fail', 'unverifiable'] },
});

/** A misspelt name would want nothing, and the case would hold. */
const CASES: Shape = {
  ...object('kind of cases', {
    valid: { kind: 'list', item: object('part of a valid case', CASE) },
    invalid: {
      kind: 'list',
      item: object('part of an invalid case', { ...CASE, findings: { kind: 'list', item: WANTED } }),
    },
  }),
  required: ['valid', 'invalid'],
};

function nameOf({ name }: RuleCase, index: number): string {
  return name === undefined ? `case ${index + 1}` : `case "${name}"`;
}

function prefixed(name: string, problems: readonly string[]): string[] {
  return problems.map((problem) => `${name}: ${problem}`);
}

function validProblems(rule: Rule, one: RuleCase): string[] {
  const { findings, problems } = run(rule, one);
  return findings.length === 0 ? problems : [...problems, `expected nothing, found:\n${listed(findings)}`];
}

function invalidProblems(rule: Rule, one: FailingCase): string[] {
  const { findings, problems } = run(rule, one);
  if (problems.length > 0) return problems;
  const { findings: wanted } = one;
  if (wanted?.length === 0) return ['"findings" is empty: a case in which nothing is found is valid'];
  if (wanted === undefined)
    return findings.some(({ verdict }) => verdict === 'fail')
      ? []
      : [`expected something wrong, found ${findings.length === 0 ? 'nothing' : `only:\n${listed(findings)}`}`];
  const fits = findings.length === wanted.length && wanted.every((want, index) => isWanted(findings[index], want));
  return fits
    ? []
    : [`expected:\n${wanted.map((want) => `  ${JSON.stringify(want)}`).join('\n')}\nfound:\n${listed(findings)}`];
}

function isWanted(
  finding: Finding | undefined,
  { message, severity, resource, text, verdict = 'fail' }: WantedFinding,
): boolean {
  if (finding === undefined || finding.verdict !== verdict) return false;
  const { id, path } = finding.resource;
  return (
    (message === undefined || finding.messageId === message) &&
    (severity === undefined || finding.severity === severity) &&
    (resource === undefined || [id, path, path?.replace(/\/(?:Resource|Default)$/, '')].includes(resource)) &&
    (text === undefined || finding.message.includes(text))
  );
}

function listed(findings: readonly Finding[]): string {
  if (findings.length === 0) return '  nothing';
  return findings
    .map(
      ({ verdict, severity, messageId, resource, message }) =>
        `  ${verdict === 'fail' ? `${severity} ${messageId ?? ''}` : verdict} on ${resource.path ?? resource.id}: ${message}`,
    )
    .join('\n');
}

function run(rule: Rule, one: RuleCase): { findings: readonly Finding[]; problems: string[] } {
  const given = [one.template, one.terraform, one.plan].filter((input) => input !== undefined);
  if (given.length !== 1)
    return { findings: [], problems: [`expected one of template, terraform and plan, found ${given.length}`] };
  const { resources, diagnostics } = read(one);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    return {
      findings: [],
      problems: errors.map(
        ({ line, column, message }) => `the input can't be read: line ${line}, column ${column}: ${message}`,
      ),
    };
  const all = runRules(new EksModel(resources), [], {
    customRules: [rule],
    rules: { [rule.id]: { options: one.options ?? {} } },
    ...(one.today === undefined ? {} : { asOf: one.today }),
  });
  // Suppressions in the input may be about other rules.
  const crash = all.find(isCrash);
  return {
    findings: all.filter((finding) => finding.rule === rule.id && finding.suppressed === undefined),
    problems: crash === undefined ? [] : [crash.message],
  };
}

function read({ template, terraform, plan }: RuleCase): Pick<ReadResult, 'resources' | 'diagnostics'> {
  if (terraform !== undefined) {
    const root = {
      folder: '.',
      files: [hclFile(terraform, 'main.tf')],
      variableFiles: [],
      stack: '.',
      frontEnd: 'terraform',
    } as const;
    const modules = readRootModules([root], {
      access: { files: () => undefined, read: () => ({ problem: 'there are no other files' }) },
      knownModule: expandKnownModule,
    });
    return {
      resources: readInstances(modules.flatMap(({ instances }) => instances)),
      diagnostics: modules.flatMap(({ diagnostics }) => diagnostics),
    };
  }
  if (plan !== undefined) {
    const { instances, diagnostics } = readPlan(plan, 'plan.json');
    return { resources: readInstances(instances), diagnostics };
  }
  return readTemplates([
    typeof template === 'string'
      ? { file: 'template.yaml', text: template }
      : { file: 'template.json', content: template },
  ]);
}
