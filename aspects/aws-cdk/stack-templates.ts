import { join } from 'node:path';
import { CfnElement, Stack, Stage, Token } from 'aws-cdk-lib';
import { PATH_METADATA_ENABLE_CONTEXT } from 'aws-cdk-lib/cx-api';
import type { IConstruct } from 'constructs';
import { fileText } from '../../lib/files/read';
import type { TemplateInput } from '../../lib/cloudformation/template-input';
import type { Acknowledgement } from '../../lib/value';

/** A stack, nested ones included, with the elements that make up its template. */
export interface StackElements {
  readonly stack: Stack;
  readonly elements: readonly CfnElement[];
}

/** All stacks at and below a construct, in nested stages and nested stacks too. */
export function stacksIn(root: IConstruct): StackElements[] {
  const byStack = new Map<Stack, CfnElement[]>();
  const queue: IConstruct[] = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (Stack.isStack(node) && !byStack.has(node)) byStack.set(node, []);
    if (CfnElement.isCfnElement(node)) {
      const elements = byStack.get(node.stack);
      if (elements === undefined) byStack.set(node.stack, [node]);
      else elements.push(node);
    }
    const { children } = node.node;
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) queue.push(child);
    }
  }
  return [...byStack].map(([stack, elements]) => ({ stack, elements }));
}

/** Where CDK writes the template of a stack. */
export function templateFileOf(stack: Stack): string {
  return join(Stage.of(stack)?.outdir ?? '', stack.templateFile);
}

/**
 * Templates as CDK wrote them, with their links to nested stacks.
 * @param stacks stacks whose templates are already written
 */
export function writtenTemplates(
  stacks: readonly StackElements[],
  acknowledgements: readonly Acknowledgement[],
): TemplateInput[] {
  return templateInputs(stacks, acknowledgements, ({ stack, elements }) => {
    const file = templateFileOf(stack);
    return {
      file,
      text: fileText(file),
      // With the metadata on, each resource of the template carries its path already.
      constructPaths: isTruthy(stack.node.tryGetContext(PATH_METADATA_ENABLE_CONTEXT))
        ? new Map()
        : pathsByLogicalId(stack, elements),
    };
  });
}

/**
 * Templates as CDK will write them: what the constructs render now, raw overrides included.
 * References between stacks are only right when CDK has prepared the tree, so after its aspects.
 */
export function renderedTemplates(
  stacks: readonly StackElements[],
  acknowledgements: readonly Acknowledgement[],
): TemplateInput[] {
  return templateInputs(stacks, acknowledgements, ({ stack, elements }) => {
    const content: Record<string, Record<string, unknown>> = {};
    const constructPaths = new Map<string, string>();
    for (const element of elements) {
      for (const [section, entries] of Object.entries(
        stack.resolve(element._toCloudFormation()) as Record<string, unknown>,
      )) {
        if (typeof entries !== 'object' || entries === null) continue;
        Object.assign((content[section] ??= {}), entries);
        if (section === 'Resources') for (const id of Object.keys(entries)) constructPaths.set(id, element.node.path);
      }
    }
    return { file: templateFileOf(stack), content, constructPaths };
  });
}

type TemplateSource = Pick<TemplateInput, 'file' | 'text' | 'content'> & {
  readonly constructPaths: ReadonlyMap<string, string>;
};

function templateInputs(
  stacks: readonly StackElements[],
  acknowledgements: readonly Acknowledgement[],
  read: (stack: StackElements) => TemplateSource,
): TemplateInput[] {
  const nestedOf = new Map<Stack, StackElements[]>();
  for (const one of stacks) {
    const parent = one.stack.nestedStackParent;
    if (parent === undefined) continue;
    const siblings = nestedOf.get(parent);
    if (siblings === undefined) nestedOf.set(parent, [one]);
    else siblings.push(one);
  }
  const inputOf = (one: StackElements): TemplateInput => {
    const { constructPaths, ...source } = read(one);
    const nestedTemplates = new Map<string, TemplateInput>();
    for (const nested of nestedOf.get(one.stack) ?? []) {
      const resource = nested.stack.nestedStackResource;
      if (resource !== undefined) nestedTemplates.set(one.stack.resolve(resource.logicalId) as string, inputOf(nested));
    }
    const { stackName, region, account } = one.stack;
    return {
      ...source,
      // Only CloudFormation knows the name of a nested stack.
      ...(Token.isUnresolved(stackName) ? {} : { stack: stackName }),
      ...(Token.isUnresolved(region) ? {} : { region }),
      ...(Token.isUnresolved(account) ? {} : { account }),
      assembly: { nestedTemplates, constructPaths, acknowledgements },
    };
  };
  return stacks.filter(({ stack }) => stack.nestedStackParent === undefined).map(inputOf);
}

function pathsByLogicalId(stack: Stack, elements: readonly CfnElement[]): Map<string, string> {
  return new Map(elements.map((element) => [stack.resolve(element.logicalId) as string, element.node.path]));
}

function isTruthy(context: unknown): boolean {
  return context === true || context === 'true';
}
