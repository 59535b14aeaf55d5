/**
 * Checks Amazon EKS infrastructure for misconfigurations, without the CDK. CDK users want `eks-guardrails/aws-cdk`.
 *
 * @packageDocumentation
 */
export { checkPaths, checkTemplates, type CheckResult } from './check';
export type { Reading, RootModuleFolders, StandardInput } from './readers/input-files';
export { defineConfig, loadConfigurationFile, loadNearestConfiguration, withConfigurationFile } from './configuration';
export type { CheckConfiguration, ConfigurationFile, ConfigurationFileContent, ConfigurationProblem, IgnoreContent } from './configuration';
export { ConfigurationFileError } from './configuration';
export { ConfigurationError, defineCustomRule as defineRule, docsUrl, FAIL_ON, fails, PRESETS, RULE_LEVELS } from './engine';
export type {
  Configuration,
  CustomMessage,
  CustomRule,
  Diagnostic,
  FactSource,
  FailOn,
  Finding,
  Fix,
  Ignore,
  Judgement,
  Message,
  TerraformSettings,
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
export { EksModel, type ClusterPart, type ClusterView } from './model/model';
export { casesOf, whereExists } from './model/existence';
export { amiFamilyOf, instanceTypesOf, kubernetesVersionOf, launchTemplateOf, type AnyNodeGroup } from './model/node-group';
export { resourceName } from './model/resource-name';
export type * from './model/resources';
export type { ParameterValue, ParameterValues, Source, SourceLocation } from './value';
export { Absent, alternativesOf, always, cases, Choice, dataAt, isDataMap, Known, sourceOf, textOf, Unknown, type Alternative, type Case, type Data, type DataMap, type Plain, type ReferenceTarget, type Value, type When } from './value';
export {
  diffAddonVersions,
  knowsVpcCniSchema,
  maxPods,
  nearestVpcCniVersions,
  schemaDiff,
  updateEffects,
  type AddonDiff,
  type ChangedDefault,
  type ConflictMode,
  type LiveEnvironment,
  type MaxPods,
  type MaxPodsMode,
  type SchemaDiff,
  type SchemaKey,
  type SettingEffect,
  type SettingStatus,
  type UpdateRequest,
} from './networking';
export type { EffectTime, VpcCniEffect } from './knowledge';
export type { AssemblyContext, Acknowledgement, InputSummary, TemplateInput } from './readers/reader';
export { FORMATS, isFormatName, render } from './report';
export type { Format, FormatName, JsonDiagnostic, JsonFinding, JsonInput, JsonLocation, JsonReport, ListedFindings, ReportContext, Repository } from './report';
export { allRules } from './rules';
export { decodeUserData, type DecodedUserData } from './user-data/decode';
export type { Effect, MimeDefect, MimeDefectKind, PartKind, UserDataDocument, UserDataFormat, UserDataPart } from './user-data/document';
export { readUserData } from './user-data/read-document';
export { SourceText, type TextPiece, type TextPosition, type UnknownPart } from './user-data/source-text';
