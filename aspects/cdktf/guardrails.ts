import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { App, type StackAnnotation } from 'cdktf';
import type { IConstruct } from 'constructs';
import { checkTerraformStacks } from '../../lib/check';
import { ConfigurationError } from '../../lib/engine';
import { settledConfiguration, type EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { acknowledge, acknowledgementsAboveStacks, type AcknowledgeOptions } from './acknowledgements';
import { holdSynthesis, type SynthesizedStack } from './held-synthesis';
import { ANNOTATION_LEVELS, lineOf, reportsOf, type Report } from './reported';

/** Thrown by `app.synth()` when the app has misconfigurations; the message lists them. */
export class EksGuardrailsError extends Error {
  override readonly name = 'EksGuardrailsError';

  /** @param thrownBy the function that the user called, for the place of the error */
  constructor(message: string, thrownBy: (...args: never[]) => unknown) {
    super(message);
    Error.captureStackTrace(this, thrownBy);
    const { stack = '' } = this;
    const header = `${this.name}: ${message}`;
    // Only the first line of the stack trace is kept, so that the message stays visible in a terminal.
    this.stack = stack.startsWith(header) ? `${header}${stack.slice(header.length).split('\n', 2).join('\n')}` : stack;
  }
}

/**
 * Checks all stacks of an app for EKS pitfalls when it is synthesized: `app.synth()` throws, and with it `cdktf synth`, `cdktf diff` and
 * `cdktf deploy` stop, before anything is written.
 *
 * ```ts
 * const app = new App();
 * EksGuardrails.of(app);
 * ```
 *
 * It judges what the stacks render in the end, so it sees raw overrides and whatever aspects changed, and stacks that are added later. All stacks are
 * judged together, so that links between them resolve.
 *
 * - Nothing is written unless all stacks pass: the output folder then is as it was before, with the earlier synthesis in it, if there was one.
 * - A finding is accepted with `EksGuardrails.acknowledge(construct, { rule, reason })`, on the resource or anything above it.
 * - Warnings, and what can't be judged before deployment, become annotations, which `cdktf synth` shows, and don't fail unless `failOn` says so.
 * - `skipValidation` of the app switches off CDKTF's own validations, not this one; `failOn: 'never'` does.
 */
export class EksGuardrails {
  private static readonly byApp = new WeakMap<App, EksGuardrails>();

  private readonly configuration: EksGuardrailsConfiguration;

  /**
   * Switches the checks on for an app, before or after its stacks are made, once.
   * @param configuration preset, levels of single rules, and what fails, on top of the configuration file. Default: preset `recommended`, errors fail.
   * @throws ConfigurationError if the file can't be used, one of them names a rule, preset, level or option that doesn't exist, or if the app has another one already
   */
  static of(app: App, configuration?: EksGuardrailsConfiguration): EksGuardrails {
    // JavaScript users may take a stack for it, and would then check nothing.
    if (!App.isApp(app))
      throw new TypeError('EksGuardrails.of takes the App; for a single stack there is EksGuardrailsAspect');
    const existing = this.byApp.get(app);
    if (existing === undefined) {
      const made = new EksGuardrails(app, configuration ?? {});
      this.byApp.set(app, made);
      return made;
    }
    if (configuration !== undefined && !isDeepStrictEqual(configuration, existing.given)) {
      throw new ConfigurationError('EksGuardrails.of was already called for this app, with another configuration');
    }
    return existing;
  }

  /**
   * Accepts what a rule finds on a construct and everything below it.
   *
   * ```ts
   * EksGuardrails.acknowledge(template, { rule: 'imds-hop-limit', reason: 'Every workload has its own role, region and VPC id' });
   * ```
   *
   * It is written into the stack's configuration, in a comment, so that `eks-guardrails check cdktf.out` accepts it too. Above all stacks, on the
   * app, it holds for the app's own check alone.
   */
  static acknowledge(construct: IConstruct, options: AcknowledgeOptions): void {
    acknowledge(construct, options);
  }

  private constructor(
    private readonly app: App,
    private readonly given: EksGuardrailsConfiguration,
  ) {
    this.configuration = settledConfiguration(given);
    holdSynthesis(app, (stacks) => {
      this.judge(stacks);
    });
  }

  private judge(stacks: readonly SynthesizedStack[]): void {
    const reports = this.check(stacks);
    const errors = reports.filter(({ level }) => level === 'error');
    const others = reports.filter(({ level }) => level !== 'error');
    if (errors.length === 0) {
      annotate(this.app, stacks, others);
      // The command shows the annotations by itself, and sets this variable for the app that it runs.
      if (process.env['CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS'] === undefined) print(others);
      return;
    }
    const warnings = others.filter(({ level }) => level === 'warning');
    print(warnings);
    const rest = others.length - warnings.length;
    if (rest > 0)
      console.error(
        `[info] ${rest} more can't be judged before deployment, or are for information; they are listed when nothing fails`,
      );
    const { outdir } = this.app;
    const earlier = stacks.some(({ input }) => existsSync(input.file))
      ? `; what is in ${outdir} is from an earlier synthesis`
      : '';
    const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
    throw new EksGuardrailsError(
      [`${count}. Nothing was written${earlier}.`, ...errors.map(lineOf)].join('\n\n'),
      synthOf(this.app),
    );
  }

  private check(stacks: readonly SynthesizedStack[]): Report[] {
    try {
      const inputs = stacks.map(({ input }) => input);
      return reportsOf(
        checkTerraformStacks(inputs, this.configuration, acknowledgementsAboveStacks(this.app)),
        this.configuration,
      );
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const message = `stopped with an internal error (${text}); nothing was checked, and nothing was written. Report it with the app that causes it.`;
      throw new EksGuardrailsError(message, synthOf(this.app));
    }
  }
}

/** The function that the user calls. */
function synthOf({ synth }: { readonly synth: () => void }): () => void {
  return synth;
}

function print(reports: readonly Report[]): void {
  // In one go: the command of CDKTF puts a line of its own before each output of the app.
  if (reports.length > 0) console.error(reports.map(lineOf).join('\n\n'));
}

/** Adds to the annotations that the manifest will hold. On the constructs they would come back in the next synthesis. */
function annotate({ manifest }: App, stacks: readonly SynthesizedStack[], reports: readonly Report[]): void {
  const files = new Map(stacks.map(({ input, stack }) => [input.file, stack]));
  for (const report of reports) {
    const stack = files.get(report.file);
    if (stack === undefined) continue;
    const entry = manifest.forStack(stack);
    const added: StackAnnotation = {
      constructPath: report.path ?? stack.node.path,
      level: ANNOTATION_LEVELS[report.level],
      message: report.text,
    };
    const isKnown = entry.annotations.some(
      ({ constructPath, message }) => constructPath === added.constructPath && message === added.message,
    );
    if (!isKnown) entry.annotations.push(added);
  }
}
