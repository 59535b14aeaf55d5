/**
 * Checks Amazon EKS infrastructure for misconfigurations, without the CDK. CDK users want `eks-guardrails/aws-cdk`.
 *
 * @packageDocumentation
 */
export { checkPaths, checkTemplates, type CheckResult } from './check';
export { ConfigurationError, docsUrl, PRESETS, RULE_LEVELS } from './engine';
export type {
  Configuration,
  Diagnostic,
  FactSource,
  Finding,
  Fix,
  Judgement,
  Message,
  Preset,
  RelatedPlace,
  Rule,
  RuleContext,
  RuleLevel,
  RuleMetadata,
  RuleOption,
  RuleSetting,
  Severity,
  Summary,
  Verdict,
} from './engine';
export type * from './model';
export { maxPods, type MaxPods, type MaxPodsMode } from './networking';
export type { AssemblyContext, Acknowledgement, InputSummary, TemplateInput } from './readers/reader';
export { FORMATS, isFormatName, render } from './report';
export type { Format, FormatName, JsonDiagnostic, JsonFinding, JsonInput, JsonLocation, JsonReport, ListedFindings, ReportContext } from './report';
export { allRules } from './rules';
