import { DiagnosticSeverity, type Diagnostic, type Range } from 'vscode-languageserver/node';
import { resolve } from 'node:path';
import type { Finding, Severity } from '../engine';
import { SourceText, wordLength } from '../reports/code-frame';
import { printable } from '../reports/prose';
import type { SourceLocation } from '../value';
import type { Check } from './check';
import { realPathOf, type Documents } from './documents';

const SOURCE = 'eks-guardrails';

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** What is shown at a place of a file. */
export interface Shown {
  readonly path: string;
  readonly diagnostic: Diagnostic;
  /** @default - it is about the input itself */
  readonly finding?: Finding;
}

/** What a check found, as editors show it. */
export function shownOf(
  { findings, diagnostics, secrets }: Check['result'],
  documents: Documents,
  withUnverifiable: boolean,
): readonly Shown[] {
  const texts = new Map<string, SourceText | undefined>();
  const textAt = (path: string): SourceText | undefined => {
    if (!texts.has(path)) {
      const content = documents.read(path);
      texts.set(path, 'text' in content ? new SourceText(content.text.replace(/^\uFEFF/, '')) : undefined);
    }
    return texts.get(path);
  };
  const placeOf = (location: SourceLocation): { readonly path: string; readonly range: Range } => {
    const path = realPathOf(resolve(location.file));
    return { path, range: rangeOf(location, textAt(path)) };
  };
  const words = (text: string): string => printable(secrets?.hide(text) ?? text);
  const shown: Shown[] = diagnostics.map(({ severity, message, ...location }) => {
    const { path, range } = placeOf(location);
    const level = severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
    return { path, diagnostic: { range, severity: level, source: SOURCE, message: words(message) } };
  });
  for (const finding of findings) {
    const { rule, verdict, severity, message, fix, docs, source, related, suppressed } = finding;
    if (suppressed !== undefined || (verdict === 'unverifiable' && !withUnverifiable)) continue;
    const { path, range } = placeOf(source.locate());
    shown.push({
      path,
      finding,
      diagnostic: {
        range,
        severity: verdict === 'fail' ? SEVERITIES[severity] : DiagnosticSeverity.Hint,
        source: SOURCE,
        code: rule,
        codeDescription: { href: docs },
        message: words(`${message}\n${fix}`),
        relatedInformation: related.map((other) => {
          const place = placeOf(other.source.locate());
          return {
            location: { uri: documents.uriOf(place.path), range: place.range },
            message: words(other.message),
          };
        }),
      },
    });
  }
  return shown;
}

/** From a place to the end of the key or value that stands there: editors want an end that exists. */
function rangeOf({ line, column }: SourceLocation, text: SourceText | undefined): Range {
  const length = text === undefined || line < 1 || line > text.lineCount ? 0 : text.lineLength(line);
  const start = Math.max(0, Math.min(column - 1, length));
  const end = Math.min(length, start + wordLength(text?.line(line, start) ?? ''));
  return {
    start: { line: Math.max(0, line - 1), character: start },
    end: { line: Math.max(0, line - 1), character: end },
  };
}
