import type { PlannedChange } from '../../value';
import { pathText, type ValueStep } from '../address';
import { isJsonMap, listOf } from '../json-tree';
import type { PlannedResource } from './resources';

/** A change of a plan, before the values that a resource has now are read. */
export interface ResourceChange extends Omit<PlannedChange, 'before'> {
  /** The resource with the attributes that it has now; undefined for one that is about to be created. */
  readonly before: PlannedResource | undefined;
}

/** What a plan is about to do to a resource; undefined for a data source, and where the plan doesn't tell. */
export function changeOf(resource: PlannedResource): ResourceChange | undefined {
  const { change, mode } = resource;
  if (change === undefined || mode === 'data') return undefined;
  const actions = listOf(change['actions']);
  const action = actionOf(actions);
  if (action === undefined) return undefined;
  const isReplaced = action === 'replace';
  return {
    action,
    before: action === 'create' ? undefined : beforeOf(resource),
    replacedBecause: isReplaced
      ? [...new Set(listOf(change['replace_paths']).map((path) => pathText(listOf(path).filter(isStep))))].filter(
          (path) => path !== '',
        )
      : [],
    isCreatedFirst: isReplaced && actions[0] === 'create',
  };
}

/** See the list of actions in "JSON Output Format" of Terraform's documentation. */
function actionOf(actions: readonly unknown[]): PlannedChange['action'] | undefined {
  const isCreated = actions.includes('create');
  // What is forgotten stays as it is: nothing happens to it any more.
  if (isCreated) return actions.includes('delete') ? 'replace' : 'create';
  if (actions.includes('update')) return 'update';
  return actions.includes('no-op') ? 'none' : undefined;
}

function beforeOf({ change, ...resource }: PlannedResource): PlannedResource | undefined {
  const before = change?.['before'];
  // All attributes are told.
  return isJsonMap(before)
    ? {
        ...resource,
        values: before,
        unknown: false,
        sensitive: change?.['before_sensitive'],
        valuesPath: ['change', 'before'],
        isPrior: true,
      }
    : undefined;
}

function isStep(step: unknown): step is ValueStep {
  return typeof step === 'string' || typeof step === 'number';
}
