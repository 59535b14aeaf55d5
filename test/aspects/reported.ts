import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';

/** One violation as CDK writes it into the validation report. */
export interface ReportedViolation {
  readonly ruleName: string;
  readonly description: string;
  readonly suggestedFix?: string;
  readonly severity: string;
  readonly ruleMetadata?: Readonly<Record<string, string>>;
  readonly violatingConstructs: readonly {
    readonly constructPath: string;
    readonly cloudFormationResource?: {
      readonly templatePath: string;
      readonly logicalId: string;
      readonly propertyPaths?: readonly string[];
    };
    readonly stackTraces?: readonly string[];
  }[];
  readonly reason?: string;
  readonly acknowledgedAt?: string;
}

export interface PluginReport {
  readonly pluginName: string;
  readonly pluginVersion?: string;
  readonly conclusion: 'success' | 'failure';
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations: readonly ReportedViolation[];
  readonly suppressedViolations?: readonly ReportedViolation[];
}

/** Synthesizes an app; the message of the error if that fails. */
export function synthesize(app: App): string | undefined {
  const silenced = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    app.synth();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    silenced.mockRestore();
  }
}

/** What a plugin told CDK in the last synthesis of an app. */
export function reportOf(app: App, pluginName = 'EksGuardrails'): PluginReport | undefined {
  const text = readFileSync(join(app.outdir, 'validation-report.json'), 'utf8');
  return (JSON.parse(text) as { pluginReports: PluginReport[] }).pluginReports.find(
    (report) => report.pluginName === pluginName,
  );
}

/** `rule path severity`, sorted; those that a violation tells as well among them. */
export function linesOf(violations: readonly ReportedViolation[]): string[] {
  return violations
    .flatMap(({ ruleName, severity, violatingConstructs, ruleMetadata }) =>
      [
        ...violatingConstructs.map(({ constructPath }) => constructPath),
        ...(ruleMetadata?.['alsoHoldsFor']?.split(', ') ?? []),
      ].map((constructPath) => `${ruleName.replace(/^EksGuardrails-/, '')} ${constructPath} ${severity}`),
    )
    .sort();
}
