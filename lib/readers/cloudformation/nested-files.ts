import { dirname, resolve } from 'node:path';
import type { TemplateInput } from '../reader';
import { isMap, member } from './cursor';

/** Templates of nested stacks by logical id of the stack, for each template that uses some. */
export type NestedFiles = ReadonlyMap<TemplateInput, ReadonlyMap<string, TemplateInput>>;

const STACK = 'AWS::CloudFormation::Stack';

/**
 * Finds nested stacks whose `TemplateURL` is the path of another input, as `aws cloudformation package` takes it.
 * A template that several stacks use is not linked: it stays on its own, because each stack may pass it something else.
 * @param rootOf the parsed template of an input
 */
export function findNestedFiles(inputs: readonly TemplateInput[], rootOf: (input: TemplateInput) => unknown): NestedFiles {
  const nested = new Map<TemplateInput, Map<string, TemplateInput>>();
  const parents = inputs.filter(({ text, assembly }) => assembly === undefined && text?.includes(STACK) === true);
  if (parents.length === 0) return nested;
  const byFile = new Map<string, TemplateInput>();
  for (const input of inputs) {
    // An assembly says itself what its nested stacks are.
    if (input.text !== undefined && input.assembly === undefined) byFile.set(resolve(input.file), input);
  }
  const uses = new Map<TemplateInput, number>();
  for (const parent of parents) {
    const resources = member(rootOf(parent), 'Resources');
    if (!isMap(resources)) continue;
    const children = new Map<string, TemplateInput>();
    for (const [id, resource] of Object.entries(resources)) {
      const url = member(resource, 'Type') === STACK ? member(member(resource, 'Properties'), 'TemplateURL') : undefined;
      const child = typeof url === 'string' ? byFile.get(resolve(dirname(parent.file), url)) : undefined;
      if (child === undefined) continue;
      children.set(id, child);
      uses.set(child, (uses.get(child) ?? 0) + 1);
    }
    nested.set(parent, children);
  }
  for (const children of nested.values()) {
    for (const [id, child] of children) if (uses.get(child) !== 1) children.delete(id);
  }
  return nested;
}
