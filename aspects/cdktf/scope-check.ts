import { TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { runRules, type Configuration, type Diagnostic, type Finding } from '../../lib/engine';
import { EksModel, type Resource } from '../../lib/eks';
import type { TerraformStackInput } from '../../lib/front-ends/terraform/stack-input';
import { readTerraformStacks } from '../../lib/front-ends/terraform/stacks';
import { allRules } from '../../lib/rules';
import { isAtOrBelow } from '../engine-neutral/construct-path';
import { usedResources } from '../engine-neutral/used-resources';
import { acknowledgementsAboveStacks } from './acknowledgements';
import { configurationFileOf, renderedStack, stacksIn } from './stack-inputs';

/** What a check of a part of a construct tree found. */
export interface ScopeCheck {
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks what the constructs at and below a scope render.
 *
 * All stacks of the app are read, so that a node group finds its launch template in another stack; reported is what concerns the scope: findings on
 * its resources, and those on resources elsewhere that its own resources use. Of the other stacks it is what they render at this moment.
 */
export function checkScope(scope: IConstruct, configuration: Configuration): ScopeCheck {
  const own = new Set(ownStacks(scope));
  const inputs = stacksIn(scope.node.root).flatMap((stack) =>
    own.has(stack) ? [renderedStack(stack)] : otherStack(stack),
  );
  const { resources, diagnostics, suppressions } = readTerraformStacks(
    inputs,
    acknowledgementsAboveStacks(scope.node.root),
    configuration.parameters?.terraform,
  );
  const findings = runRules(new EksModel(resources, suppressions), allRules, configuration);

  const files = new Set([...own].map(configurationFileOf));
  const isOwn = ({ path, source }: Resource): boolean =>
    path === undefined ? files.has(source.locate().file) : isAtOrBelow(path, scope.node.path);
  const used = new Set(resources.filter(isOwn).flatMap(usedResources));
  const isRelated = ({ resource, related }: Finding): boolean =>
    used.has(resource) && related.some(({ source }) => files.has(source.locate().file));
  return {
    findings: findings.filter((finding) => isOwn(finding.resource) || isRelated(finding)),
    // Local modules and assets are copied beside a stack only after this, so what is missing may be no error.
    diagnostics: diagnostics
      .filter(({ file }) => files.has(file))
      .map((diagnostic) => ({ ...diagnostic, severity: 'warning' })),
  };
}

/** The stacks at and below a scope, or the one that it is in. */
function ownStacks(scope: IConstruct): TerraformStack[] {
  const below = stacksIn(scope);
  return below.length > 0 ? below : scope.node.scopes.filter((one) => TerraformStack.isStack(one)).slice(-1);
}

/** A stack that can't be rendered yet is told by its own synthesis; here its resources are just not known. */
function otherStack(stack: TerraformStack): TerraformStackInput[] {
  try {
    return [renderedStack(stack)];
  } catch {
    return [];
  }
}
