import { Annotations, TerraformStack, type IAspect } from 'cdktf';
import type { IConstruct } from 'constructs';
import { settledConfiguration, type EksGuardrailsConfiguration } from '../engine-neutral/configuration';
import { constructAt } from '../engine-neutral/construct-path';
import { ANNOTATION_LEVELS, reportsOf, type Report } from './reported';
import { checkScope } from './scope-check';

/**
 * Checks one stack, or a construct in it, for EKS pitfalls and marks each one as an error on the construct that causes it, which makes `cdktf synth`
 * fail.
 *
 * ```ts
 * Aspects.of(stack).add(new EksGuardrailsAspect());
 * ```
 *
 * It judges after all aspects of its stack, in whatever order they were added, and what the constructs render, so it sees raw overrides. Resources in
 * other stacks of the app are found, as they are at that moment.
 *
 * - It has no effect on an `App`: CDKTF calls the aspects of stacks and of what is in them, never those of the app. For a whole app, and to
 *   have nothing written when one of its stacks fails, use `EksGuardrails.of(app)`.
 * - A finding is accepted with `EksGuardrails.acknowledge(construct, { rule, reason })`, on the resource or anything above it.
 * - With `skipValidation`, CDKTF asks no construct for its validations, and this one doesn't judge.
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

  /** Called by CDKTF for each construct; the topmost one is the scope to check. */
  visit(construct: IConstruct): void {
    const { scope: parent } = construct.node;
    if (!this.scopes.has(construct) && (parent === undefined || !this.visited.has(parent))) {
      this.scopes.add(construct);
      // CDKTF runs validations when all aspects of the stack are done, and before it collects the annotations and writes.
      construct.node.addValidation({ validate: () => this.judge(construct) });
    }
    this.visited.add(construct);
  }

  /** Annotates what the scope violates. An internal error is returned, for CDKTF to throw. */
  private judge(scope: IConstruct): string[] {
    try {
      for (const report of reportsOf(checkScope(scope, this.configuration), this.configuration))
        annotate(scope, report);
      return [];
    } catch (error) {
      return [
        `EksGuardrails stopped with an internal error (${error instanceof Error ? error.message : String(error)}); nothing was checked`,
      ];
    }
  }
}

/** On another stack the annotation could come too late: it may be written already. */
function annotate(scope: IConstruct, { level, path, text }: Report): void {
  const construct = path === undefined ? scope : constructAt(scope, path);
  const isHere = construct !== undefined && stackOf(construct) === stackOf(scope);
  const target = isHere ? construct : scope;
  const message = isHere ? text : `${path ?? ''}: ${text}`;
  const type: string = ANNOTATION_LEVELS[level];
  if (target.node.metadata.some((entry) => entry.type === type && entry.data === message)) return;
  const annotations = Annotations.of(target);
  if (level === 'error') annotations.addError(message);
  else if (level === 'warning') annotations.addWarning(message);
  else annotations.addInfo(message);
}

function stackOf(construct: IConstruct): TerraformStack | undefined {
  return construct.node.scopes.findLast((scope) => TerraformStack.isStack(scope));
}
