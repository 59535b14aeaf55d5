import { repairPath } from '../../eks/resources';
import { whyKept } from '../../eks/resources/repaired-settings';
import type { SettingPlaces } from '../../value';
import { member } from '../../cloudformation/cursor';

/** Where settings are in a template. */
export const TEMPLATE_SETTINGS: SettingPlaces = {
  pathTo({ type, id, field, item }) {
    const path = repairPath(type, field, 'cloudFormation');
    return path === undefined
      ? undefined
      : ['Resources', id, 'Properties', ...path.map((step) => (step === '*' ? String(item) : step))];
  },
  refusal({ type, id, field }, path, root, isRemoval) {
    if (member(member(root, 'Resources'), id) === undefined) return `${id} isn't written as a resource of its own`;
    return decidedElsewhere(root, path, isRemoval) ?? whyKept(type, field, path.reduce(member, root));
  },
};

/** Why the value at a path isn't decided there. What goes may refer to other resources. */
function decidedElsewhere(root: unknown, path: readonly string[], mayRefer: boolean): string | undefined {
  let value = root;
  for (const [depth, step] of path.entries()) {
    // The template and its list of resources, which may be long, are no functions.
    const condition = depth > 1 && isFunction(value) ? decider(value, root, mayRefer) : undefined;
    if (condition !== undefined) return condition;
    value = member(value, step);
  }
  return deciderWithin(value, root, mayRefer);
}

function deciderWithin(value: unknown, root: unknown, mayRefer: boolean): string | undefined {
  if (isFunction(value)) return decider(value, root, mayRefer);
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.values(value)
    .map((one) => deciderWithin(one, root, mayRefer))
    .find((reason) => reason !== undefined);
}

function decider(value: object, root: unknown, mayRefer: boolean): string | undefined {
  const [name = '', argument] = Object.entries(value)[0] ?? [];
  if (name === 'Fn::If') return 'it is decided by a condition (`Fn::If`)';
  if (name === 'Ref' && member(member(root, 'Parameters'), String(argument)) !== undefined)
    return `it is decided by parameter ${String(argument)}`;
  if (mayRefer && ['Ref', 'Fn::GetAtt', 'Fn::ImportValue', 'Fn::Sub'].includes(name)) return undefined;
  return `it is decided by \`${name}\``;
}

function isFunction(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && keys.some((key) => key === 'Ref' || key.startsWith('Fn::'));
}
