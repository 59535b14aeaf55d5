import type { DocumentPath } from '../../languages';
import { isJsonMap, listOf, mapOf, memberOf, textOf, type JsonMap } from '../../terraform/json-tree';
import type { PlannedChange } from '../../value';
import { terraformType } from './names';

/** The state of a resource as Pulumi keeps or previews it, before its properties are read. */
export interface PulumiResource {
  readonly urn: string;
  /** `aws:eks/nodeGroup:NodeGroup`. */
  readonly token: string;
  /** What Terraform calls that. */
  readonly type: string;
  /** What the program calls it. */
  readonly name: string;
  /** What the provider calls it; undefined for one that is about to be created. */
  readonly id: string | undefined;
  /** What the program says, with defaults of the provider. */
  readonly inputs: JsonMap;
  /** What the provider answers, those among it. */
  readonly outputs: JsonMap;
  /** The resources that each property comes from, by their URNs. */
  readonly origins: JsonMap;
  /** All that it waits for. */
  readonly dependencies: readonly string[];
  /** URN and id of its provider. */
  readonly provider: string;
  readonly ignoredChanges: readonly string[];
  /** A program only looks at it, and something else manages it. */
  readonly isExternal: boolean;
  /** A component: it is made of others, which stand beside it. */
  readonly isComponent: boolean;
  /** Where its state stands in the text. */
  readonly path: DocumentPath;
  readonly change?: PulumiChange;
}

/** What a preview is about to do. */
interface PulumiChange extends Omit<PlannedChange, 'before'> {
  readonly before: PulumiResource | undefined;
}

/** All resources that a deployment holds, but for those that the next update deletes. */
export function resourcesOfDeployment(states: unknown, path: DocumentPath): readonly PulumiResource[] {
  const found = new Map<string, PulumiResource>();
  listOf(states).forEach((state, index) => {
    const resource = resourceOf(state, [...path, index]);
    if (resource !== undefined && memberOf(state, 'delete') !== true) found.set(resource.urn, resource);
  });
  return [...found.values()];
}

/** Steps that leave nothing of a resource, or of the one that another takes the place of. */
const GOES: ReadonlySet<string> = new Set([
  'delete',
  'delete-replaced',
  'discard',
  'discard-replaced',
  'remove-pending-replace',
]);

/** The actions of the others; what is refreshed or read stays as it is. Source: pulumi/pulumi, pkg/resource/deploy/step.go. */
const ACTIONS: Readonly<Record<string, PlannedChange['action']>> = {
  create: 'create',
  import: 'none',
  update: 'update',
  replace: 'replace',
  'create-replacement': 'replace',
  'import-replacement': 'replace',
  'read-replacement': 'replace',
};

/** All resources that there are after a preview's steps. Of several steps of one, the last that leaves it says what it becomes. */
export function resourcesOfPreview(preview: JsonMap): readonly PulumiResource[] {
  const found = new Map<string, PulumiResource>();
  listOf(preview['steps']).forEach((step, index) => {
    const op = textOf(memberOf(step, 'op')) ?? '';
    if (!isJsonMap(step) || GOES.has(op)) return;
    const resource =
      resourceOf(step['newState'], ['steps', index, 'newState']) ??
      resourceOf(step['oldState'], ['steps', index, 'oldState']);
    if (resource !== undefined) found.set(resource.urn, { ...resource, change: changeOf(step, op, index, resource) });
  });
  return [...found.values()];
}

function changeOf(step: JsonMap, op: string, index: number, after: PulumiResource): PulumiChange {
  const action = (Object.hasOwn(ACTIONS, op) ? ACTIONS[op] : undefined) ?? 'none';
  const before = action === 'create' ? undefined : resourceOf(step['oldState'], ['steps', index, 'oldState']);
  return {
    action,
    before,
    replacedBecause: action === 'replace' ? textsOf(step['replaceReasons']) : [],
    isCreatedFirst: action === 'replace' && before !== undefined && !keepsName(before, after),
  };
}

/**
 * What has a name of its own that stays is deleted first, and anything else last, unless the program says otherwise, which previews don't tell.
 * Source: pulumi/pulumi-terraform-bridge, pkg/tfbridge/schema.go, nameRequiresDeleteBeforeReplace.
 */
function keepsName(before: PulumiResource, { token, inputs }: PulumiResource): boolean {
  const own = /\/(\w+):/.exec(token)?.[1] ?? '';
  return ['name', `${own}Name`].some((key) => {
    const name = memberOf(inputs, key);
    return name !== undefined && name === memberOf(before.inputs, key);
  });
}

function resourceOf(state: unknown, path: DocumentPath): PulumiResource | undefined {
  if (!isJsonMap(state)) return undefined;
  const urn = textOf(state['urn']);
  const token = textOf(state['type']);
  if (urn === undefined || token === undefined) return undefined;
  const id = textOf(state['id']);
  return {
    urn,
    token,
    type: terraformType(token),
    name: nameIn(urn),
    id: id === '' ? undefined : id,
    inputs: mapOf(state['inputs']),
    outputs: mapOf(state['outputs']),
    origins: mapOf(state['propertyDependencies']),
    dependencies: textsOf(state['dependencies']),
    provider: textOf(state['provider']) ?? '',
    ignoredChanges: textsOf(state['ignoreChanges']),
    isExternal: state['external'] === true,
    isComponent: state['custom'] !== true,
    path,
  };
}

/** `urn:pulumi:prod::shop::aws:eks/addon:Addon::vpc-cni`; a name may have anything in it. */
function nameIn(urn: string): string {
  return urn.split('::').slice(3).join('::');
}

export function textsOf(json: unknown): readonly string[] {
  return listOf(json).filter((item) => typeof item === 'string');
}
