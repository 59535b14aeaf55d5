import { AnnotationMetadataEntryType } from 'cdktf';
import type { Diagnostic, Finding, Severity } from '../../lib/engine';
import { reportedLevel, type EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { findingText, fixTexts } from '../engine-neutral/finding-text';

/** One message of the library about an app. */
export interface Report {
  /** `error` fails the synthesis. */
  readonly level: Severity;
  /** Of the construct that it is about; undefined for a problem of a whole configuration. */
  readonly path: string | undefined;
  /** Of the configuration that it is about. */
  readonly file: string;
  readonly text: string;
}

export const ANNOTATION_LEVELS: Readonly<Record<Severity, AnnotationMetadataEntryType>> = {
  error: AnnotationMetadataEntryType.ERROR,
  warning: AnnotationMetadataEntryType.WARN,
  info: AnnotationMetadataEntryType.INFO,
};

/** What a check has to tell; findings that the user accepted are left out. */
export function reportsOf(
  { findings, diagnostics }: { readonly findings: readonly Finding[]; readonly diagnostics: readonly Diagnostic[] },
  { failOn }: EksGuardrailsConfiguration,
): Report[] {
  const open = findings.filter(({ suppressed }) => suppressed === undefined);
  const levelOf = (finding: Finding): Severity => reportedLevel(finding, failOn);
  const fixes = fixTexts(open, levelOf);
  return [
    ...diagnostics.map(({ severity, message, file, line, column }) => ({
      level: severity,
      path: undefined,
      file,
      text: `${message} (${file}:${line}:${column})`,
    })),
    ...open.map((finding) => ({
      level: levelOf(finding),
      path: finding.resource.path,
      file: finding.resource.source.locate().file,
      text: findingText(finding, undefined, fixes.get(finding)),
    })),
  ];
}

/** `[error] Platform/Workers: imds-hop-limit: …` */
export function lineOf({ level, path, text }: Report): string {
  return path === undefined ? `[${level}] ${text}` : `[${level}] ${path}: ${text}`;
}
