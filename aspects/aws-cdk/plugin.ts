import { dirname, resolve, sep } from 'node:path';
import type {
  IPolicyValidationContext,
  IPolicyValidationPlugin,
  PolicyValidationPluginReport,
  PolicyViolation,
} from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { checkPaths, checkTemplates } from '../../lib/check';
import { fails, RULE_NAMESPACE, rulesOf, type Diagnostic, type Finding, type Severity } from '../../lib/engine';
import { fileText } from '../../lib/files/read';
import type { TemplateInput } from '../../lib/cloudformation/template-input';
import type { Acknowledgement } from '../../lib/value';
import { allRules } from '../../lib/rules';
import { packageVersion } from '../../lib/version';
import { acknowledgementsIn, isAcknowledged } from './acknowledgements';
import { reportedLevel, settledConfiguration, type EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { fixTexts } from '../engine-neutral/finding-text';
import { grouped, type Grouped } from './grouped';
import { stacksIn, templateFileOf, writtenTemplates } from './stack-templates';

/** Rule name under which problems of the templates themselves are reported. */
const TEMPLATE_DIAGNOSTIC = 'template-diagnostic';

/**
 * Checks all stacks of an app for EKS pitfalls when it is synthesized: `cdk synth` fails and shows, for each pitfall, the line of
 * the user's own code that created the resource, what will happen to the cluster, and the fix.
 *
 * ```ts
 * Validations.of(app).addPlugins(new EksGuardrails());
 * ```
 *
 * It reads the final templates, so it sees raw overrides and whatever aspects changed. All stacks of all stages, and nested
 * stacks, are judged together, so that links between stacks resolve. Put on a `Stage`, it checks the stacks of that stage.
 *
 * - A finding is accepted with a reason by `Validations.of(construct).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: '…' })`,
 *   on the resource or anything above it; CDK keeps it in the validation report as suppressed.
 * - What can't be judged before deployment is listed at level INFO and doesn't fail, unless `failOn` says so.
 * - What holds of several resources that one line makes, such as a loop's, is told once, with their names.
 * - CDK prints the user's source line from the creation stack that it records for each resource. It does so by default; it is
 *   missing if the context key `aws:cdk:disable-creation-stack-traces` is set (`--debug` brings it back), and for resources that a
 *   library creates more than ten calls below the user's code (`node --stack-trace-limit=50` looks further).
 * - `CDK_VALIDATION=false` switches off CDK's built-in validation only, not this plugin.
 */
export class EksGuardrails implements IPolicyValidationPlugin {
  /** First part of the ids in acknowledgements. */
  readonly name = RULE_NAMESPACE;
  readonly version = packageVersion();
  readonly ruleIds: string[];
  private readonly configuration: EksGuardrailsConfiguration;

  /**
   * @param configuration preset, levels of single rules, and what fails, on top of the configuration file. Default: preset `recommended`, errors fail.
   * @throws ConfigurationError if the file can't be used, or one of them names a rule, preset, level or option that doesn't exist
   */
  constructor(configuration: EksGuardrailsConfiguration = {}) {
    this.configuration = settledConfiguration(configuration);
    this.ruleIds = rulesOf(this.configuration, allRules).map((rule) => rule.id);
  }

  /** Called by CDK at the end of a synthesis. Never throws: what goes wrong inside becomes a violation. */
  validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    try {
      return this.report(context);
    } catch (error) {
      return { success: false, violations: [crashViolation(error)] };
    }
  }

  private report(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const appConstruct = constructTreeOf(context);
    const acknowledgements = appConstruct === undefined ? [] : acknowledgementsIn(appConstruct);
    const result =
      appConstruct === undefined
        ? // The assembly then says what the constructs would.
          checkPaths(assembliesOf(context.templatePaths), this.configuration)
        : checkTemplates(templatesOf(context, acknowledgements), this.configuration);
    const { findings, diagnostics, summary, asOf } = result;
    // CDK takes out what is acknowledged by itself, and lists it in its report; it can't know of suppressions in a template.
    const reported = findings.filter(
      ({ suppressed, rule, resource }) =>
        suppressed === undefined || isAcknowledged(acknowledgements, rule, resource.path ?? ''),
    );
    const { failOn } = this.configuration;
    const levelOf = (finding: Finding): Severity => reportedLevel(finding, failOn);
    const groups = grouped(reported, result, levelOf, appConstruct);
    const fixes = fixTexts(
      groups.map(({ finding }) => finding),
      levelOf,
    );
    return {
      success:
        !diagnostics.some(({ severity }) => severity === 'error') &&
        !findings.some((finding) => fails(finding, failOn)),
      violations: [
        ...diagnostics.map(diagnosticViolation),
        ...groups.map((group) => findingViolation(group, fixes.get(group.finding) ?? '', this.configuration)),
      ],
      // Not a key named `error`: CDK takes that for a plugin that failed to run.
      metadata: {
        errors: `${summary.error}`,
        warnings: `${summary.warning}`,
        infos: `${summary.info}`,
        unverifiable: `${summary.unverifiable}`,
        suppressed: `${summary.suppressed}`,
        ...(asOf === undefined ? {} : { asOf }),
      },
    };
  }
}

/** The app that is validated; aws-cdk-lib 2.257 doesn't give it. */
export function constructTreeOf(context: Partial<IPolicyValidationContext>): IConstruct | undefined {
  return context.appConstruct;
}

/** The templates that CDK wants checked, and those of their nested stacks, which it doesn't list. */
export function templatesOf(
  context: IPolicyValidationContext,
  acknowledgements: readonly Acknowledgement[],
): TemplateInput[] {
  const stacks = stacksIn(context.appConstruct);
  const listed = new Map(context.templatePaths.map((path) => [resolve(path), path]));
  const topLevel = new Set<object>();
  for (const { stack } of stacks) {
    if (listed.delete(resolve(templateFileOf(stack)))) topLevel.add(stack);
  }
  const wanted = stacks.filter(({ stack }) => {
    let top = stack;
    while (top.nestedStackParent !== undefined) top = top.nestedStackParent;
    return topLevel.has(top);
  });
  const withoutConstructs = [...listed.values()].map((file) => ({ file, text: fileText(file) }));
  return [...writtenTemplates(wanted, acknowledgements), ...withoutConstructs];
}

/** The folders of the assemblies that templates belong to, without those inside another one. */
function assembliesOf(templatePaths: readonly string[]): string[] {
  const folders = [...new Set(templatePaths.map((path) => dirname(resolve(path))))];
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(other + sep)));
}

function findingViolation(group: Grouped, fix: string, { failOn }: EksGuardrailsConfiguration): PolicyViolation {
  const { finding, message, paths, variants } = group;
  const { file, property } = finding.source.locate();
  const { id, path } = finding.resource;
  return {
    ruleName: finding.rule,
    description: message,
    severity: severityFor(finding, reportedLevel(finding, failOn)),
    // The page comes last.
    fix: fix
      .split(/\n(?=Docs: )/)
      .toSpliced(1, 0, ...variants)
      .join('\n'),
    ruleMetadata: {
      docs: finding.docs,
      severity: finding.severity,
      verdict: finding.verdict,
      ...(paths.length === 0 ? {} : { alsoHoldsFor: paths.join(', ') }),
    },
    violatingResources: [
      {
        resourceLogicalId: id,
        ...(path === undefined ? {} : { constructPath: path }),
        templatePath: file,
        locations: property === undefined ? [] : [property],
      },
    ],
  };
}

/**
 * CDK takes out whatever has an acknowledgement, also one without a reason, or of what nobody can accept. It leaves in what is fatal, so an error
 * whose acknowledgement has no effect is that.
 */
function severityFor({ rule, resource, suppressed }: Finding, level: Severity): Severity | 'fatal' {
  const isVain = suppressed === undefined && resource.suppressions.some((suppression) => suppression.rule === rule);
  return isVain && level === 'error' ? 'fatal' : level;
}

/** A problem of a template itself; of severity `error`, it means that something was not checked. */
export function diagnosticViolation({ severity, message, file, line, column }: Diagnostic): PolicyViolation {
  return {
    ruleName: TEMPLATE_DIAGNOSTIC,
    description: `${message} (${file}:${line}:${column})`,
    severity,
    violatingResources: [{ templatePath: file, locations: [] }],
  };
}

function crashViolation(error: unknown): PolicyViolation {
  const text = error instanceof Error ? error.message : String(error);
  return {
    ruleName: 'rule-crashed',
    description: `EksGuardrails stopped with an internal error (${text}); nothing was checked.`,
    severity: 'fatal',
    fix: 'Report it with the app that causes it; until then take the plugin out.',
    violatingResources: [{ constructPath: '', locations: [] }],
  };
}
