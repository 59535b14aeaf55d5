import type { DocumentPath } from '../../languages';
import type { InstanceKey } from '../address';
import { isJsonMap, listOf, mapOf, memberAt, memberOf, textOf, type JsonMap } from '../json-tree';

/** A resource as a plan or state holds it, before its values are read. */
export interface PlannedResource {
  readonly address: string;
  /** Address of its module; empty for the root module. */
  readonly module: string;
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey | undefined;
  /** Its attributes after the plan; undefined if the input doesn't hold them. */
  readonly values: JsonMap | undefined;
  /** Mirrors the attributes, true where they are known only after apply; undefined where unknown attributes are left out instead. */
  readonly unknown: unknown;
  /** Mirrors the attributes, true where they are sensitive. */
  readonly sensitive: unknown;
  /** Where the resource stands in the text, and its attributes from there on. */
  readonly path: DocumentPath;
  readonly valuesPath: DocumentPath;
  /** The `change` of `resource_changes`; undefined if the input doesn't hold it. */
  readonly change?: JsonMap;
  /** Its attributes are those that it has before the plan. */
  readonly isPrior?: true;
}

/**
 * All resources that exist after the plan: those of `resource_changes`, which alone tell what is unknown; what only `planned_values`
 * holds; and of `prior_state` the data sources that were read while planning, and what a plan for targets leaves alone.
 * See "JSON Output Format" of Terraform's documentation.
 */
export function resourcesOfPlan(plan: JsonMap): readonly PlannedResource[] {
  const found = new Map<string, PlannedResource>();
  /** Addresses of which nothing is left, or that something else stands for. */
  const done = new Set<string>();
  listOf(plan['resource_changes']).forEach((change, index) => {
    addChange(change, ['resource_changes', index], found, done);
  });
  listOf(plan['deferred_changes']).forEach((deferred, index) => {
    addChange(memberOf(deferred, 'resource_change'), ['deferred_changes', index, 'resource_change'], found, done);
  });
  const add = (resource: PlannedResource) => {
    if (!found.has(resource.address) && !done.has(resource.address)) found.set(resource.address, resource);
  };
  // Unknown attributes are left out there.
  eachInModule(memberAt(plan, 'planned_values', 'root_module'), ['planned_values', 'root_module'], '', undefined, add);
  eachInModule(
    memberAt(plan, 'prior_state', 'values', 'root_module'),
    ['prior_state', 'values', 'root_module'],
    '',
    false,
    add,
  );
  return [...found.values()];
}

/** All resources of a state. */
export function resourcesOfState(state: JsonMap): readonly PlannedResource[] {
  const found = new Map<string, PlannedResource>();
  eachInModule(memberAt(state, 'values', 'root_module'), ['values', 'root_module'], '', false, (resource) => {
    if (!found.has(resource.address)) found.set(resource.address, resource);
  });
  return [...found.values()];
}

function addChange(json: unknown, path: DocumentPath, found: Map<string, PlannedResource>, done: Set<string>): void {
  // A deposed object is what is left of a resource that was replaced; the plan only deletes it.
  if (!isJsonMap(json) || textOf(json['deposed']) !== undefined) return;
  const { change } = json;
  const previous = textOf(json['previous_address']);
  if (previous !== undefined) done.add(previous);
  const resource = resourceOf(json, path, textOf(json['module_address']) ?? '');
  if (resource === undefined || !isJsonMap(change)) return;
  done.add(resource.address);
  const actions = listOf(change['actions']);
  const goes = actions.length > 0 && actions.every((action) => action === 'delete' || action === 'forget');
  if (goes) return;
  const { after } = change;
  const values = isJsonMap(after) ? after : undefined;
  found.set(resource.address, {
    ...resource,
    values,
    unknown: change['after_unknown'] ?? false,
    sensitive: change['after_sensitive'],
    valuesPath: ['change', 'after'],
    change,
  });
}

/** Calls `use` for each resource of a module and of those inside of it. */
function eachInModule(
  json: unknown,
  path: DocumentPath,
  address: string,
  unknown: false | undefined,
  use: (resource: PlannedResource) => void,
): void {
  listOf(memberOf(json, 'resources')).forEach((item, index) => {
    if (!isJsonMap(item) || textOf(item['deposed_key']) !== undefined) return;
    const resource = resourceOf(item, [...path, 'resources', index], address);
    if (resource === undefined) return;
    const values = isJsonMap(item['values']) ? item['values'] : undefined;
    use({ ...resource, values, unknown, sensitive: item['sensitive_values'], valuesPath: ['values'] });
  });
  listOf(memberOf(json, 'child_modules')).forEach((module, index) => {
    eachInModule(
      module,
      [...path, 'child_modules', index],
      textOf(memberOf(module, 'address')) ?? address,
      unknown,
      use,
    );
  });
}

function resourceOf(
  json: JsonMap,
  path: DocumentPath,
  module: string,
): Omit<PlannedResource, 'values' | 'unknown' | 'sensitive' | 'valuesPath'> | undefined {
  const type = textOf(json['type']);
  const name = textOf(json['name']);
  if (type === undefined || name === undefined) return undefined;
  const { index, mode: written } = json;
  const key = typeof index === 'string' || typeof index === 'number' ? index : undefined;
  const mode = written === 'data' ? 'data' : 'managed';
  // Ephemeral resources are in no plan; whatever else there will be isn't known here.
  if (written !== undefined && written !== 'data' && written !== 'managed') return undefined;
  const address =
    textOf(json['address']) ??
    `${module === '' ? '' : `${module}.`}${mode === 'data' ? 'data.' : ''}${type}.${name}${key === undefined ? '' : `[${JSON.stringify(key)}]`}`;
  return { address, module, mode, type, name, key, path };
}

/** Whether an attribute, or a part of it, isn't told: it is known after apply only, or sensitive. */
export function isUntold(resource: PlannedResource, steps: readonly (string | number)[]): boolean {
  return isMarked(resource.unknown, steps) || isMarked(resource.sensitive, steps) || isLeftOut(resource, steps);
}

function isMarked(marks: unknown, steps: readonly (string | number)[]): boolean {
  let mark = marks;
  for (const step of steps) {
    if (mark === true) return true;
    mark = memberOf(mark, step);
  }
  return holdsMark(mark, 0);
}

function holdsMark(mark: unknown, depth: number): boolean {
  if (mark === true) return true;
  if (typeof mark !== 'object' || mark === null || depth > 16) return false;
  return Object.values(mark).some((inner) => holdsMark(inner, depth + 1));
}

function isLeftOut({ values, unknown }: PlannedResource, steps: readonly (string | number)[]): boolean {
  return unknown === undefined && steps.length > 0 && memberAt(values, ...steps) === undefined;
}

/** A text of a resource that is told. */
export function toldText(resource: PlannedResource, attribute: string): string | undefined {
  return isUntold(resource, [attribute]) ? undefined : textOf(mapOf(resource.values)[attribute]);
}
