import type { Repair } from '../engine/repair';
import { changeEmbedded } from './cloudformation';
import { changeHclData } from './hcl-data';
import { decidedElsewhere, hclText, removeArgument, resourceBlock, setArgument, type HclText } from './hcl-edit';
import { jsonTree } from './json-tree';
import { OVERRULED_BY, terraformPath } from './properties';
import { refuse, type EditPlan } from './text-edit';
import { walk, type Tree } from './tree';
import { removeAt, setIn } from './tree-edit';

/** Type and name of an address: `module.a["x"].aws_eks_addon.cni[0]` is `aws_eks_addon`, `cni`. */
export function resourceName(address: string, type: string): string | undefined {
  const at = address.replace(/\[[^[\]]*\]$/, '');
  const name = at.slice(at.lastIndexOf('.') + 1);
  return at === `${type}.${name}` || at.endsWith(`.${type}.${name}`) ? name : undefined;
}

/** A file of a configuration in HCL that is repaired. */
export class HclFile {
  private constructor(private readonly hcl: HclText) {}

  /** Undefined if it can't be read without problems. */
  static read(text: string): HclFile | undefined {
    const hcl = hclText(text);
    return hcl === undefined ? undefined : new HclFile(hcl);
  }

  /** @param item index of the nested block that the finding is about */
  repair(type: string, address: string, repair: Repair, item: number | undefined): EditPlan {
    const { hcl } = this;
    const name = resourceName(address, type);
    const block = name === undefined ? undefined : resourceBlock(hcl, type, name);
    if (block === undefined) return refuse('what makes it is no resource of this file: a module, for instance');
    const path = terraformPath(type, repair.field);
    if (path === undefined) return refuse(`there is no machine edit for ${type}`);
    const overruling = OVERRULED_BY[path[0] ?? ''];
    const other = block.body.attributes.find((one) => one.name === overruling);
    if (other !== undefined) return refuse(`\`${other.name}\` is set, which is for more than updates`);
    switch (repair.kind) {
      case 'remove':
        return removeArgument(hcl, block, path, item);
      case 'set': {
        const plan = setArgument(hcl, block, path, repair.to, item);
        return repair.unlessSet === true && isSet(block.body, path) ? { edits: [] } : plan;
      }
      case 'setData':
      case 'moveData':
        return changeHclData(hcl, block, path, repair, (value) => decidedElsewhere(hcl.text, value));
    }
  }
}

function isSet(body: HclText['body'], [first, ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return body.attributes.some(({ name }) => name === first);
  const inner = body.blocks.find(({ type }) => type === first)?.body;
  return inner !== undefined && isSet(inner, rest);
}

/** A file of a configuration in JSON that is repaired. */
export class JsonConfigurationFile {
  private constructor(private readonly tree: Tree) {}

  /** Undefined if it isn't JSON. */
  static read(text: string): JsonConfigurationFile | undefined {
    const tree = jsonTree(text);
    return tree === undefined ? undefined : new JsonConfigurationFile(tree);
  }

  repair(type: string, address: string, repair: Repair, item: number | undefined): EditPlan {
    const name = resourceName(address, type) ?? '';
    const field = terraformPath(type, repair.field);
    if (field === undefined) return refuse(`there is no machine edit for ${type}`);
    if (walk(this.tree, ['resource', type, name]).missing.length > 0) return refuse('what makes it is no resource of this file: a module, for instance');
    const path = this.withItems(['resource', type, name], field, item);
    if (path === undefined) return refuse('there are several blocks where one is expected');
    const overruling = OVERRULED_BY[field[0] ?? ''];
    if (overruling !== undefined && walk(this.tree, ['resource', type, name, overruling]).missing.length === 0) return refuse(`\`${overruling}\` is set, which is for more than updates`);
    const { node, missing } = walk(this.tree, path);
    if (missing.length === 0) {
      const decided = interpolation(this.tree.text.slice(node.start, node.end), repair.kind === 'remove');
      if (decided !== undefined) return refuse(decided);
    }
    switch (repair.kind) {
      case 'remove':
        return removeAt(this.tree, path);
      case 'set':
        return repair.unlessSet === true && missing.length === 0 ? { edits: [] } : setIn(this.tree, path, repair.to);
      case 'setData':
      case 'moveData':
        return changeEmbedded(this.tree, path, repair);
    }
  }

  /** A nested block may be an object, or stand in a list. */
  private withItems(start: readonly string[], field: readonly string[], item: number | undefined): readonly string[] | undefined {
    const path = [...start];
    for (const step of field) {
      if (step === '*') continue;
      path.push(step);
      const { node, missing } = walk(this.tree, path);
      if (missing.length > 0 || node.kind !== 'list' || step === field.at(-1)) continue;
      const items = node.entries().length;
      if (items !== 1 && item === undefined) return undefined;
      path.push(String(items === 1 ? 0 : item));
    }
    return path;
  }
}

const DECIDING = /\b(?:var|local|module|each|count)\.|\?/;

/** Why a value of the JSON syntax isn't decided where it is written. */
function interpolation(raw: string, mayRefer: boolean): string | undefined {
  const found = /\$\{[^}]*\}?|%\{[^}]*\}?/.exec(raw.replaceAll('$${', ''))?.[0];
  return found === undefined || (mayRefer && !DECIDING.test(found)) ? undefined : `it is decided by \`${found}\``;
}
