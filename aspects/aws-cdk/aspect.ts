import { App, Annotations, Stage, type IAspect } from 'aws-cdk-lib';
import { ArtifactMetadataEntryType } from 'aws-cdk-lib/cloud-assembly-schema';
import type { IConstruct } from 'constructs';
import { acknowledgementId, type Diagnostic, type Severity } from '../../lib/engine';
import { reportedLevel, settledConfiguration, type EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { constructAt } from '../engine-neutral/construct-path';
import { findingText } from '../engine-neutral/finding-text';
import { checkScope, forgetChecks, stageOf } from './scope-check';
import { createdAt, creationFrames } from './user-source';

/**
 * Checks a construct, stack, stage or app for EKS pitfalls and marks each one as an error on the construct that causes it,
 * which makes `cdk synth` fail.
 *
 * ```ts
 * Aspects.of(stack).add(new EksGuardrailsAspect());
 * ```
 *
 * It judges after all other aspects, whatever their priority and the order in which they were added, and judges what the constructs
 * render, so it sees raw overrides. Launch templates and clusters in other stacks of the same stage are found.
 *
 * - Accept a finding with `Validations.of(construct).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason: '…' })`, on the
 *   resource or anything above it.
 * - Warnings and findings that can't be judged before deployment are annotated as warnings and infos, and don't fail.
 * - Nested stages: CDK synthesizes them first, doesn't pass the aspects of the app on to them, and its command doesn't look at errors
 *   on their constructs. So there the errors are thrown from `app.synth()`, all of them in one message, and what is
 *   no error is printed, where CDK wouldn't show it any more.
 * - The one way around it is `app.synth({ skipValidation: true })`.
 *
 * For a whole app, the plugin `EksGuardrails` is the better door: one report, no exception, acknowledged findings listed.
 */
export class EksGuardrailsAspect implements IAspect {
  private readonly scopes = new WeakSet<IConstruct>();
  private readonly visited = new WeakSet<IConstruct>();
  private readonly configuration: EksGuardrailsConfiguration;

  /**
   * @param configuration preset, levels of single rules, and what fails, on top of the configuration file. Default: preset `recommended`, errors fail.
   * @throws ConfigurationError if the file can't be used, or one of them names a rule, preset, level or option that doesn't exist
   */
  constructor(configuration: EksGuardrailsConfiguration = {}) {
    this.configuration = settledConfiguration(configuration);
  }

  /** Called by CDK for each construct; the topmost one is the scope to check. */
  visit(construct: IConstruct): void {
    const { scope: parent } = construct.node;
    if (this.scopes.has(construct)) {
      forgetChecks(construct);
    } else if (parent === undefined || !this.visited.has(parent) || Stage.isStage(construct)) {
      this.scopes.add(construct);
      forgetChecks(construct);
      // CDK runs validations when all aspects are done and references between stacks are resolved, and before it writes the templates.
      construct.node.addValidation({ validate: () => this.judge(construct) });
    }
    this.visited.add(construct);
  }

  /** Annotates what the scope violates; returns what no annotation can tell, which CDK then throws. */
  private judge(scope: IConstruct): string[] {
    const { findings, diagnostics } = checkScope(scope, this.configuration);
    const thrown: string[] = [];
    for (const diagnostic of diagnostics) annotateDiagnostic(scope, diagnostic);
    for (const finding of findings) {
      if (finding.suppressed !== undefined) continue;
      const construct = constructAt(scope, finding.resource.path ?? scope.node.path) ?? scope;
      if (this.isCheckedByItsStage(construct, scope)) continue;
      const level = reportedLevel(finding, this.configuration.failOn);
      const text = findingText(finding, createdAt(construct));
      if (level === 'error' && !App.isApp(stageOf(construct))) thrown.push(`${construct.node.path}: ${text}`);
      else if (stageOf(construct) !== stageOf(scope)) console.error(`[${level}] ${construct.node.path}: ${text}`);
      else annotate(construct, level, finding.rule, text);
    }
    return thrown;
  }

  /** The same aspect may sit on a nested stage too, which has then reported for itself. */
  private isCheckedByItsStage(construct: IConstruct, scope: IConstruct): boolean {
    const stage = stageOf(construct);
    return stage !== stageOf(scope) && this.scopes.has(stage);
  }
}

const ENTRY_TYPES: Readonly<Record<Severity, string>> = {
  error: ArtifactMetadataEntryType.ERROR,
  warning: ArtifactMetadataEntryType.WARN,
  info: ArtifactMetadataEntryType.INFO,
};

/**
 * Like `Annotations.of(construct).addError()` and its kin, but with the place where the user created the construct as the
 * place of the message; theirs would be this file, or the call of `app.synth()`.
 */
function annotate(construct: IConstruct, level: Severity, rule: string, text: string): void {
  const message =
    level === 'error' ? `${text} (${acknowledgementId(rule)})` : `${text} [ack: ${acknowledgementId(rule)}]`;
  const type = ENTRY_TYPES[level];
  if (construct.node.metadata.some((entry) => entry.type === type && entry.data === message)) return;
  const frames = creationFrames(construct);
  construct.node.addMetadata(type, message, frames.length > 0 ? { stackTraceOverride: frames } : {});
}

function annotateDiagnostic(scope: IConstruct, { severity, message, file }: Diagnostic): void {
  const text = `${message} (${file})`;
  if (severity === 'error') Annotations.of(scope).addError(text);
  else Annotations.of(scope).addWarningV2(acknowledgementId('template-diagnostic'), text);
}
