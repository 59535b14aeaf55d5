import { Cursor, isMap } from '../../cloudformation/cursor';
import type { Resource } from '../../value';

/** What of a template names one of its resources: resources by their ids, and outputs. */
export function referrersOf(resource: Resource, id: string): readonly string[] {
  const { source } = resource;
  const root = source instanceof Cursor ? source.template.root.raw : undefined;
  if (!isMap(root)) return [];
  const { Resources: resources, Outputs: outputs } = root;
  return [
    ...namesOf(resources, id).filter((name) => name !== id),
    ...namesOf(outputs, id).map((name) => `output ${name}`),
  ];
}

function namesOf(section: unknown, id: string): readonly string[] {
  return isMap(section) ? Object.entries(section).flatMap(([name, one]) => (refersTo(one, id) ? [name] : [])) : [];
}

function refersTo(raw: unknown, id: string): boolean {
  if (Array.isArray(raw)) return raw.some((item) => refersTo(item, id));
  if (!isMap(raw)) return false;
  return Object.entries(raw).some(([key, value]) => (NAMING[key]?.(value, id) ?? false) || refersTo(value, id));
}

const isOneOf = (value: unknown, id: string): boolean => value === id || (Array.isArray(value) && value.includes(id));

/** Attributes and functions that name a resource. */
const NAMING: Readonly<Record<string, (value: unknown, id: string) => boolean>> = {
  DependsOn: isOneOf,
  Ref: isOneOf,
  'Fn::GetAtt': (value, id) =>
    Array.isArray(value) ? value[0] === id : typeof value === 'string' && value.startsWith(`${id}.`),
  'Fn::Sub': (value, id) => {
    const text: unknown = Array.isArray(value) ? value[0] : value;
    return typeof text === 'string' && (text.includes(`\${${id}}`) || text.includes(`\${${id}.`));
  },
};
