/**
 * Checks Amazon EKS infrastructure for misconfigurations, without the CDK. CDK users want `eks-guardrails/aws-cdk`.
 *
 * @packageDocumentation
 */
export { checkPaths, checkTemplates, type CheckResult } from './check';
export type { Reading, RootModuleFolders, StandardInput } from './front-ends/input-files';
export { defineConfig, loadConfigurationFile, loadNearestConfiguration, withConfigurationFile } from './configuration';
export type {
  CheckConfiguration,
  ConfigurationFile,
  ConfigurationFileContent,
  ConfigurationProblem,
  IgnoreContent,
} from './configuration';
export { ConfigurationFileError } from './configuration';
export {
  ConfigurationError,
  defineCustomRule as defineRule,
  docsUrl,
  FAIL_ON,
  fails,
  PRESETS,
  RULE_LEVELS,
} from './engine';
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
  OfferedEdit,
  OfferedRepair,
  TerraformSettings,
  Preset,
  RelatedPlace,
  RepairOffers,
  Rule,
  RuleContext,
  RuleLevel,
  RuleMetadata,
  RuleOption,
  RuleProse,
  RuleSetting,
  Severity,
  Summary,
  Verdict,
} from './engine';
export { EksModel, type ClusterPart, type ClusterView } from './eks/model/model';
export { casesOf, whereExists } from './eks/model/existence';
export {
  amiFamilyOf,
  instanceTypesOf,
  kubernetesVersionOf,
  launchTemplateOf,
  type AnyNodeGroup,
} from './eks/analysis/node-group';
export { resourceName } from './eks/model/resource-name';
export type * from './eks/model/resources';
export type { ParameterValue, ParameterValues, Source, SourceLocation } from './value';
export {
  Absent,
  alternativesOf,
  always,
  cases,
  Choice,
  dataAt,
  isDataMap,
  Known,
  sourceOf,
  textOf,
  Unknown,
  type Alternative,
  type Case,
  type Data,
  type DataMap,
  type Plain,
  type ReferenceTarget,
  type Value,
  type When,
} from './value';
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
  type SettingValue,
  type SettingStatus,
  type UpdateRequest,
} from './eks/networking';
export type { AddonEffect as VpcCniEffect, EffectTime } from './knowledge';
export type { AssemblyContext, TemplateInput } from './cloudformation/template-input';
export type { Acknowledgement, InputSummary } from './value';
export { FORMATS, isFormatName, render } from './reports';
export type {
  Format,
  FormatName,
  JsonDiagnostic,
  JsonEdit,
  JsonFinding,
  JsonInput,
  JsonLocation,
  JsonPosition,
  JsonRepair,
  JsonReport,
  ListedFindings,
  ReportContext,
  Repository,
} from './reports';
export { allRules } from './rules';
export { decodeUserData, type DecodedUserData } from './eks/user-data/decode';
export type {
  Effect,
  MimeDefect,
  MimeDefectKind,
  PartKind,
  UserDataDocument,
  UserDataFormat,
  UserDataPart,
} from './eks/user-data/document';
export { readUserData } from './eks/user-data/read-document';
export { SourceText, type TextPiece, type TextPosition, type UnknownPart } from './eks/user-data/source-text';
