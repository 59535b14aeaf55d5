import type { Repair } from '../engine/repair';
import { repairPath } from '../eks/resources';
import type { Block } from '../languages/hcl/ast';
import { dataChange } from './data-change';
import type { CallPlace } from './edited-text';
import { changeDataIn, entryAt, newData, removeEntryAt, setEntry } from './hcl-data';
import { decidedElsewhere, literalText, setArgument } from './hcl-edit';
import type { HclText } from './hcl-text';
import { refuse, type EditPlan } from './text-edit';
import { NOT_CLEAR } from './tree';

/*
 * Repairs of what the call of a known module declares: in the call, under the names that its version has.
 */

const NO_INPUT = 'the module has no input for it';

interface Way {
  readonly block: Block;
  /** From the argument of the call to the setting. */
  readonly path: readonly [string, ...string[]];
}

/** The block of a call; undefined if the file doesn't have it. */
export function callBlock({ body }: HclText, { at }: CallPlace): Block | undefined {
  const name = placeOf(at)?.name;
  return body.blocks.find(({ type, labels }) => type === 'module' && labels[0] === name);
}

/** The argument of the call that a repair is about. */
export function callArgument(type: string, repair: Repair, call: CallPlace): readonly string[] {
  const name = placeOf(call.at)?.name ?? '';
  const way = pathIn(type, repair, call);
  return 'refusal' in way ? [name] : [name, way.path[0]];
}

export function changeCall(hcl: HclText, type: string, repair: Repair, call: CallPlace): EditPlan {
  const block = callBlock(hcl, call);
  if (block === undefined) return refuse('the call of the module stands elsewhere');
  const found = pathIn(type, repair, call);
  return 'refusal' in found ? found : change(hcl, { block, path: found.path }, repair);
}

function change(hcl: HclText, { block, path }: Way, repair: Repair): EditPlan {
  const [name, ...rest] = path;
  const attribute = block.body.attributes.find((one) => one.name === name);
  const decided =
    attribute === undefined || rest.length === 0 ? undefined : decidedElsewhere(hcl.text, attribute.value);
  const object = attribute?.value.kind === 'object' ? attribute.value : undefined;
  if (attribute !== undefined && rest.length > 0 && object === undefined) return refuse(decided ?? NOT_CLEAR);
  const value = rest.length === 0 ? attribute?.value : object === undefined ? undefined : entryAt(object, rest)?.value;
  const set = (text: string): EditPlan => {
    if (object !== undefined) return setEntry(hcl, object, rest, text);
    const whole = rest.reduceRight((inner, key) => `{ ${keyOf(key)} = ${inner} }`, text);
    return setArgument(hcl, block, [name], { expression: whole });
  };
  switch (repair.kind) {
    case 'set':
      return repair.unlessSet === true && value !== undefined ? { edits: [] } : set(literalText(repair.to));
    case 'setData':
    case 'moveData':
    case 'renameData':
    case 'removeData': {
      const data = dataChange(repair);
      if (value !== undefined) return changeDataIn(hcl, value, data, (one) => decidedElsewhere(hcl.text, one));
      return data.kind === 'setData' ? set(newData(data)) : refuse(NOT_CLEAR);
    }
    case 'remove':
      if (repair.ifSet === true && value === undefined) return { edits: [] };
      return object === undefined ? refuse(NOT_CLEAR) : removeEntryAt(hcl, object, rest);
    case 'refer':
    case 'lines':
    case 'encode':
    case 'newTemplate':
    case 'attachPolicy':
    case 'setList':
    case 'trustToo':
      return refuse(NO_INPUT);
  }
}

function keyOf(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
}

function pathIn(
  type: string,
  repair: Repair,
  { at, inputs }: CallPlace,
): { readonly path: Way['path'] } | { readonly refusal: string } {
  const place = placeOf(at);
  const [outer, ...inner] = repairPath(type, repair.field, 'terraform') ?? [];
  const input = outer === undefined ? undefined : inputs.get(outer);
  if (place === undefined || outer === undefined || input === undefined || inner.includes('*')) return refuse(NO_INPUT);
  if (input.includes('\n'))
    return refuse("which version of the module is called isn't known, and its input has another name in others");
  const [first, ...rest] = [...place.steps, ...(input === '' ? [] : [input]), ...inner];
  return first === undefined ? refuse(NO_INPUT) : { path: [first, ...rest] };
}

/** The name of the call, and the steps below it: `addons`, `vpc-cni`. */
function placeOf(at: string): { readonly name: string; readonly steps: readonly string[] } | undefined {
  const found = /(?:^|\.)module\.([\w-]+)(?:\[[^\]]*\])?((?:\.[\w-]+|\["[^"]*"\])*)$/.exec(at);
  const [, name, steps = ''] = found ?? [];
  if (name === undefined || name === '') return undefined;
  return { name, steps: [...steps.matchAll(/\.([\w-]+)|\["([^"]*)"\]/g)].map(([, one, key]) => one ?? key ?? '') };
}
