/**
 * Checks Amazon EKS infrastructure for misconfigurations, without the CDK. CDK users want `eks-guardrails/aws-cdk`.
 *
 * @packageDocumentation
 */
export { checkPaths, checkTemplates, type CheckResult } from './check';
export { ConfigurationError, docsUrl, FAIL_ON, fails, PRESETS, RULE_LEVELS } from './engine';
export type {
  Configuration,
  Diagnostic,
  FactSource,
  FailOn,
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
export { EksModel, type ClusterPart, type ClusterView } from './model/model';
export type * from './model/resources';
export type { Source, SourceLocation } from './value';
export { Absent, Choice, Known, Unknown, type Alternative, type Data, type DataMap, type Plain, type ReferenceTarget, type Value, type When } from './value';
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
export type { Format, FormatName, JsonDiagnostic, JsonFinding, JsonInput, JsonLocation, JsonReport, ListedFindings, ReportContext } from './report';
export { allRules } from './rules';
export { decodeUserData, type DecodedUserData } from './user-data/decode';
export type { Effect, MimeDefect, MimeDefectKind, PartKind, UserDataDocument, UserDataFormat, UserDataPart } from './user-data/document';
export { readUserData } from './user-data/read-document';
export { SourceText, type TextPiece, type TextPosition, type UnknownPart } from './user-data/source-text';
