import type { CfnResource, IPolicyValidationContext, PolicyValidationPluginReport, PolicyViolation } from 'aws-cdk-lib';
import { NagMessageLevel, NagPack, NagRuleCompliance, type NagPackProps } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { checkTemplates } from '../../lib/check';
import { RULE_NAMESPACE, rulesOf, type Diagnostic, type Finding } from '../../lib/engine';
import { allRules } from '../../lib/rules';
import { packageVersion } from '../../lib/version';
import { acknowledgementsIn } from '../aws-cdk/acknowledgements';
import { reportedLevel, settledConfiguration, type EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { fixText } from '../engine-neutral/finding-text';
import { constructTreeOf, diagnosticViolation, templatesOf } from '../aws-cdk/plugin';
import { checkScope } from '../aws-cdk/scope-check';
import { synthesized } from '../aws-cdk/synthesized';

/** Properties of {@link EksGuardrailsChecks}. */
export interface EksGuardrailsChecksProps extends NagPackProps, EksGuardrailsConfiguration {}

/**
 * The rules of eks-guardrails as a cdk-nag pack, for apps that run cdk-nag already.
 *
 * ```ts
 * Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new EksGuardrailsChecks(app));
 * ```
 *
 * Ids follow cdk-nag's convention, `EksGuardrails-imds-hop-limit`, and are acknowledged like those of other packs:
 * `Validations.of(construct).acknowledge({ id: 'EksGuardrails-imds-hop-limit', reason: '…' })`. Acknowledgements for the plugin
 * and the aspect, `EksGuardrails::imds-hop-limit`, hold here too. With `verbose`, a finding also
 * tells why AWS behaves so.
 *
 * Unlike other packs, it judges the final templates, so it sees raw overrides, and warnings alone don't fail the synthesis
 * unless `failOn` says so.
 */
export class EksGuardrailsChecks extends NagPack {
  readonly name = RULE_NAMESPACE;
  override readonly version = packageVersion();
  override readonly ruleIds: string[];

  private readonly configuration: EksGuardrailsConfiguration;
  private readonly explains: boolean;
  /** Findings of the validation that is running, by construct path. */
  private findings: ReadonlyMap<string, readonly Finding[]> = new Map();

  /**
   * @param scope where `writeSuppressionsToCloudFormation` works; may be left out without it
   * @throws ConfigurationError if the configuration names a rule, preset, level or option that doesn't exist
   */
  constructor(
    scope?: IConstruct,
    { verbose, writeSuppressionsToCloudFormation, ...configuration }: EksGuardrailsChecksProps = {},
  ) {
    super(scope, {
      verbose: verbose ?? false,
      writeSuppressionsToCloudFormation: writeSuppressionsToCloudFormation ?? false,
    });
    this.packName = RULE_NAMESPACE;
    this.configuration = settledConfiguration(configuration);
    this.ruleIds = rulesOf(this.configuration, allRules).map((rule) => `${RULE_NAMESPACE}-${rule.id}`);
    this.explains = verbose ?? false;
  }

  /** Called by CDK at the end of a synthesis. */
  override validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const appConstruct = constructTreeOf(context);
    // cdk-nag says what is missing.
    if (appConstruct === undefined) return super.validate(context);
    const { findings, diagnostics } = checkTemplates(
      templatesOf(context, acknowledgementsIn(appConstruct)),
      this.configuration,
    );
    return this.reportOn(appConstruct, findings, diagnostics);
  }

  /** Checks a construct tree outside of CDK's validation, for tests; it is synthesized for that if it wasn't. */
  override validateScope(scope: IConstruct): PolicyValidationPluginReport {
    const { findings, diagnostics } = checkScope(synthesized(scope), this.configuration);
    return this.reportOn(scope, findings, diagnostics);
  }

  protected override checkResource(node: CfnResource): void {
    for (const finding of this.findings.get(node.node.path) ?? []) {
      this.applyRule({
        ruleSuffixOverride: finding.rule,
        info: finding.message,
        explanation: explanationOf(finding),
        level: finding.severity === 'error' ? NagMessageLevel.ERROR : NagMessageLevel.WARN,
        node,
        rule: () => NagRuleCompliance.NON_COMPLIANT,
      });
    }
  }

  private reportOn(
    scope: IConstruct,
    findings: readonly Finding[],
    diagnostics: readonly Diagnostic[],
  ): PolicyValidationPluginReport {
    const open = findings.filter(({ suppressed }) => suppressed === undefined);
    const byPath = new Map<string, Finding[]>();
    for (const finding of open) {
      const { path } = finding.resource;
      if (path === undefined) continue;
      const others = byPath.get(path);
      if (others === undefined) byPath.set(path, [finding]);
      else others.push(finding);
    }
    this.findings = byPath;
    // From the root, because the resource to change may stand outside of the scope.
    const { violations: merged } = super.validateScope(scope.node.root);
    const violations = [
      ...diagnostics.map(diagnosticViolation),
      ...this.oneByOne(merged),
      ...open.filter(({ resource }) => resource.path === undefined).map((finding) => this.violation(finding)),
    ];
    return { success: violations.every(({ severity }) => severity !== 'error'), violations };
  }

  /** cdk-nag keeps one text per rule; ours says what was found on each resource. */
  private oneByOne(merged: readonly PolicyViolation[]): PolicyViolation[] {
    const next = new Map<string, number>();
    return merged.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.flatMap(({ constructPath = '' }) => {
        const key = `${ruleName}|${constructPath}`;
        const index = next.get(key) ?? 0;
        next.set(key, index + 1);
        const finding = this.findings.get(constructPath)?.filter(({ rule }) => ruleName === `${this.packName}-${rule}`)[
          index
        ];
        return finding === undefined ? [] : [this.violation(finding)];
      }),
    );
  }

  private violation(finding: Finding): PolicyViolation {
    const { file, property } = finding.source.locate();
    const { id, path } = finding.resource;
    return {
      ruleName: `${this.packName}-${finding.rule}`,
      description: this.explains ? `${finding.message} ${explanationOf(finding)}`.trim() : finding.message,
      severity: reportedLevel(finding, this.configuration.failOn),
      fix: fixText(finding),
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
}

/** Why the rule exists, as in the other packs. */
function explanationOf(finding: Finding): string {
  return allRules.find(({ id }) => id === finding.rule)?.why ?? '';
}
