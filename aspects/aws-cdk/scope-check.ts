import { Stage, type Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { runRules, type Configuration, type Diagnostic, type Finding } from '../../lib/engine';
import { EksModel, type EksResource, type Resource } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { allRules } from '../../lib/rules';
import { isAtOrBelow } from '../engine-neutral/construct-path';
import { usedResources } from '../engine-neutral/used-resources';
import { acknowledgementsIn } from './acknowledgements';
import { renderedTemplates, stacksIn, templateFileOf } from './stack-templates';

/** What a check of a part of a construct tree found. */
export interface ScopeCheck {
  /** Findings that concern the scope, suppressed ones included. */
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks what the constructs at and below a scope render.
 *
 * All stacks of the scope's stage are read, so that a node group finds its launch template in another stack; reported is what
 * concerns the scope: findings on its resources, and those on resources elsewhere that its own resources use.
 *
 * References between stacks are only right in a tree that CDK has prepared: after aspects, or after a synthesis.
 * @throws ConfigurationError if the configuration names something that doesn't exist
 */
export function checkScope(scope: IConstruct, configuration: Configuration): ScopeCheck {
  const whole = checkStage(stageOf(scope), configuration);
  const files = new Set(stacksAround(scope).map(templateFileOf));
  const concerns = (finding: Finding): boolean => {
    const { path } = finding.resource;
    if (path === undefined) return files.has(finding.source.locate().file);
    if (isAtOrBelow(path, scope.node.path)) return true;
    return finding.related.some(({ source }) => files.has(source.locate().file)) && usedByScope().has(finding.resource);
  };
  let used: ReadonlySet<Resource> | undefined;
  const usedByScope = (): ReadonlySet<Resource> =>
    (used ??= new Set(
      whole.resources
        .filter(({ path }) => path !== undefined && isAtOrBelow(path, scope.node.path))
        .flatMap(usedResources),
    ));
  return {
    findings: whole.findings.filter(concerns),
    diagnostics: whole.diagnostics.filter(({ file }) => files.has(file)),
  };
}

/** Forgets what was rendered for the stage of a scope: needed before a new synthesis. */
export function forgetChecks(scope: IConstruct): void {
  checksByStage.delete(stageOf(scope));
}

/** The stage whose assembly a construct belongs to; a stage is its own. */
export function stageOf(construct: IConstruct): IConstruct {
  return Stage.isStage(construct) ? construct : (Stage.of(construct) ?? construct.node.root);
}

interface StageCheck extends ScopeCheck {
  readonly resources: readonly EksResource[];
}

/** One rendering serves all aspects of a stage that have the same configuration, however many stacks they sit on. */
const checksByStage = new WeakMap<IConstruct, Map<string, StageCheck>>();

function checkStage(stage: IConstruct, configuration: Configuration): StageCheck {
  const known = checksByStage.get(stage) ?? new Map<string, StageCheck>();
  checksByStage.set(stage, known);
  const key = JSON.stringify(configuration);
  let check = known.get(key);
  if (check === undefined) {
    const { resources, diagnostics } = readTemplates(
      renderedTemplates(stacksIn(stage), acknowledgementsIn(stage)),
      configuration.parameters,
    );
    check = { resources, diagnostics, findings: runRules(new EksModel(resources), allRules, configuration) };
    known.set(key, check);
  }
  return check;
}

/** The stacks at and below a scope, or the one that it is in. */
function stacksAround(scope: IConstruct): Stack[] {
  return stacksIn(scope).map(({ stack }) => stack);
}
