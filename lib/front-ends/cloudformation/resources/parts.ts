import type { Template } from '../../../cloudformation/template';

/** Logical ids of what is no resource of the model, but read together with one. */
export interface Parts {
  /** IAM policies, which belong to roles. */
  readonly policies: string[];
  /** Rules of security groups. */
  readonly securityGroupRules: string[];
}

const parts = new WeakMap<Template, Parts>();

export function partsIn(template: Template): Parts {
  let found = parts.get(template);
  if (found === undefined) parts.set(template, (found = { policies: [], securityGroupRules: [] }));
  return found;
}
