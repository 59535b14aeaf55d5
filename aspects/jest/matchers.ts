import type { Stack, Stage } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { Construct } from 'constructs';
import { checkTemplates } from '../../lib/check';
import {
  ConfigurationError,
  ENGINE_RULES,
  fails,
  rulesOf,
  unknownRule,
  type Configuration,
  type Diagnostic,
  type Finding,
  type Severity,
} from '../../lib/engine';
import { allRules } from '../../lib/rules';
import { settledConfiguration, type EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { fixText } from '../engine-neutral/finding-text';
import { checkScope, forgetChecks } from '../aws-cdk/scope-check';
import { synthesized } from '../aws-cdk/synthesized';
import { missingFlags } from './cdk-context';

/** What the matchers take: the template of one stack, a stack, a stage or a whole app. */
export type Checkable = Template | Stack | Stage;

/** Which finding `toViolate` looks for. */
export interface ViolationOptions {
  /**
   * Logical id or construct path of the resource; the path of the construct that the user created is enough (`Prod/Workers`
   * for `Prod/Workers/Resource`).
   * @default - any resource
   */
  readonly resource?: string;
  /** @default - any severity */
  readonly severity?: Severity;
  /**
   * `unverifiable` looks for what can't be judged before deployment.
   * @default 'fail'
   */
  readonly verdict?: Finding['verdict'];
  /**
   * How to run the rules.
   * @default - preset `recommended`
   */
  readonly configuration?: Configuration;
}

/** What a Jest matcher returns. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Passes if no rule finds anything that fails, by default no error. A suppressed or acknowledged finding doesn't count.
 *
 * For a stack, stage or app, references between stacks are followed, and nested stacks and stages are included; a `Template` is judged alone,
 * and knows no acknowledgements, which CDK keeps with the constructs.
 * @param given on top of the configuration file, as in the app
 * @throws ConfigurationError if the configuration names something that doesn't exist, or its file can't be used
 */
export function toPassEksGuardrails(received: unknown, given: EksGuardrailsConfiguration = {}): MatcherResult {
  const configuration = settledConfiguration(given);
  const { findings, unreadable } = check(received, configuration);
  const failing = findings.filter((finding) => fails(finding, configuration.failOn));
  const pass = failing.length === 0 && unreadable.length === 0;
  return {
    pass,
    message: () =>
      pass
        ? 'expected at least one finding that fails, and found none'
        : [
            `expected no findings, and found ${failing.length + unreadable.length}:`,
            ...unreadable.map(({ message }) => `  ${message}`),
            ...failing.map(describe),
            ...flagsNote(received),
          ].join('\n'),
  };
}

/**
 * Passes if a rule finds something.
 * @param rule id of the rule, such as `imds-hop-limit`
 * @throws ConfigurationError if there is no such rule, or the configuration names something that doesn't exist
 */
export function toViolate(received: unknown, rule: string, options: ViolationOptions = {}): MatcherResult {
  const rules = rulesOf(options.configuration ?? {}, allRules);
  if (!rules.some(({ id }) => id === rule) && !(Object.values(ENGINE_RULES) as string[]).includes(rule)) {
    throw new ConfigurationError(unknownRule(rule, rules));
  }
  const { resource, severity, verdict = 'fail', configuration = {} } = options;
  const { findings, unreadable } = check(received, configuration);
  const ofRule = findings.filter((finding) => finding.rule === rule);
  const matching = ofRule.filter(
    (finding) =>
      finding.verdict === verdict &&
      (severity === undefined || finding.severity === severity) &&
      (resource === undefined || isResource(finding, resource)),
  );
  const wanted = [
    verdict === 'fail' ? `a violation of ${rule}` : `an unverifiable ${rule}`,
    severity && `of severity ${severity}`,
    resource && `on ${resource}`,
  ]
    .filter(Boolean)
    .join(' ');
  return {
    pass: matching.length > 0,
    message: () =>
      matching.length > 0
        ? [`expected no ${wanted.replace(/^an? /, '')}, and found:`, ...matching.map(describe)].join('\n')
        : [
            `expected ${wanted}, and found none.`,
            ...unreadable.map(({ message }) => `  ${message}`),
            ...(ofRule.length > 0 ? [`What ${rule} found:`, ...ofRule.map(describe)] : rulesFound(findings)),
            ...flagsNote(received),
          ].join('\n'),
  };
}

function check(received: unknown, configuration: Configuration): { findings: Finding[]; unreadable: Diagnostic[] } {
  const { findings, diagnostics } = run(received, configuration);
  return {
    findings: findings.filter(({ suppressed }) => suppressed === undefined),
    unreadable: diagnostics.filter(({ severity }) => severity === 'error'),
  };
}

function run(
  received: unknown,
  configuration: Configuration,
): { findings: readonly Finding[]; diagnostics: readonly Diagnostic[] } {
  if (Construct.isConstruct(received)) {
    const scope = synthesized(received);
    forgetChecks(scope);
    return checkScope(scope, configuration);
  }
  if (isTemplate(received)) {
    // The context says that it is CDK's, so that fixes are shown as CDK code.
    const assembly = { nestedTemplates: new Map(), constructPaths: new Map(), acknowledgements: [] };
    return checkTemplates([{ file: 'template', content: received.toJSON(), assembly }], configuration);
  }
  throw new TypeError('expected a Template of aws-cdk-lib/assertions, a Stack, a Stage or an App');
}

function isTemplate(value: unknown): value is Template {
  return (
    typeof value === 'object' &&
    value !== null &&
    'toJSON' in value &&
    typeof value.toJSON === 'function' &&
    'hasResource' in value
  );
}

function isResource({ resource }: Finding, wanted: string): boolean {
  return [wanted, `${wanted}/Resource`, `${wanted}/Default`].includes(resource.path ?? '') || resource.id === wanted;
}

function describe(finding: Finding): string {
  const { path, id } = finding.resource;
  const level = finding.verdict === 'unverifiable' ? 'unverifiable' : finding.severity;
  const text = [
    `${level} ${finding.rule} on ${path === undefined ? id : `${path} (${id})`}`,
    finding.message,
    `Fix: ${fixText(finding)}`,
  ];
  return text.map((lines, index) => lines.replace(/^/gm, index === 0 ? '  ' : '    ')).join('\n');
}

/** Why `cdk synth` may say something else. */
function flagsNote(received: unknown): string[] {
  const flags = Construct.isConstruct(received) ? missingFlags(received) : [];
  if (flags.length === 0) return [];
  const named = flags.length > 3 ? `${flags.slice(0, 3).join(', ')} and ${flags.length - 3} more` : flags.join(', ');
  return [
    `cdk.json sets ${named}, which this app doesn't have, so \`cdk synth\` may write something else. Make it with new App({ context: cdkContext() }) from 'eks-guardrails/jest'.`,
  ];
}

function rulesFound(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return ['No rule found anything.'];
  return [`Other rules found: ${[...new Set(findings.map(({ rule }) => rule))].join(', ')}.`];
}
