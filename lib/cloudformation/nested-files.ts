import { dirname, resolve } from 'node:path';
import type { TemplateInput } from './template-input';
import { isMap, member } from './cursor';

export interface NestedFiles {
  /** Templates of nested stacks by logical id of the stack, for each template that uses some. */
  readonly children: ReadonlyMap<TemplateInput, ReadonlyMap<string, TemplateInput>>;
  /** All stacks that use a template, also where it stays on its own. */
  readonly uses: ReadonlyMap<TemplateInput, readonly Use[]>;
}

/** A stack whose template is another input. */
interface Use {
  readonly parent: TemplateInput;
  readonly id: string;
}

const STACK = 'AWS::CloudFormation::Stack';

/**
 * Finds nested stacks whose `TemplateURL` is the path of another input, as `aws cloudformation package` takes it.
 * A template that several stacks use is not linked: it stays on its own, because each stack may pass it something else. Stacks that can't
 * be created don't count beside others.
 * @param rootOf the parsed template of an input
 * @param mayExist whether a template can create a stack
 * @param realPathOf where a path leads to: what a stack names may be a link to another input
 */
export function findNestedFiles(
  inputs: readonly TemplateInput[],
  rootOf: (input: TemplateInput) => unknown,
  mayExist: (input: TemplateInput, id: string) => boolean,
  realPathOf: (path: string) => string,
): NestedFiles {
  const nested = new Map<TemplateInput, Map<string, TemplateInput>>();
  const uses = new Map<TemplateInput, Use[]>();
  const parents = inputs.filter(({ text, assembly }) => assembly === undefined && text?.includes(STACK) === true);
  if (parents.length === 0) return { children: nested, uses };
  const byFile = new Map<string, TemplateInput>();
  for (const input of inputs) {
    // An assembly says itself what its nested stacks are.
    if (input.text !== undefined && input.assembly === undefined) byFile.set(realPathOf(resolve(input.file)), input);
  }
  for (const parent of parents) {
    const resources = member(rootOf(parent), 'Resources');
    if (!isMap(resources)) continue;
    for (const [id, resource] of Object.entries(resources)) {
      const url =
        member(resource, 'Type') === STACK ? member(member(resource, 'Properties'), 'TemplateURL') : undefined;
      const child = typeof url === 'string' ? byFile.get(realPathOf(resolve(dirname(parent.file), url))) : undefined;
      if (child === undefined) continue;
      const others = uses.get(child);
      if (others === undefined) uses.set(child, [{ parent, id }]);
      else others.push({ parent, id });
    }
  }
  for (const [child, all] of uses) {
    const possible = all.length === 1 ? all : all.filter(({ parent, id }) => mayExist(parent, id));
    const [use, other] = possible.length === 0 ? all.slice(0, 1) : possible;
    if (use === undefined || other !== undefined) continue;
    const children = nested.get(use.parent) ?? new Map<string, TemplateInput>();
    nested.set(use.parent, children.set(use.id, child));
  }
  return { children: nested, uses };
}
