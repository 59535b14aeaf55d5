import type { Repair } from '../engine/repair';
import { LineIndex } from '../languages/positions';
import { resourceName } from './address';
import { changeEmbedded } from './data-change';
import { dataDiffers, hclDiffers } from './differences';
import type { Change, EditedText } from './edited-text';
import { changeHclData } from './hcl-data';
import { decidedElsewhere, madeByDynamic, removeArgument, resourceBlock, setArgument } from './hcl-edit';
import { HclText } from './hcl-text';
import { jsonTree } from './json-tree';
import { repairPath } from '../eks/resources';
import { OVERRULED_BY } from '../eks/resources/repaired-settings';
import { refuse, type EditPlan } from './text-edit';
import { walk, type Tree } from './tree';
import { removeAt, setIn } from './tree-edit';

const NOT_DECLARED = 'what makes it is no resource of this file but a module: change its call';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A file of a configuration in HCL that is repaired. */
export class HclFile implements EditedText {
  private constructor(private readonly hcl: HclText) {}

  /** Undefined if it can't be read without problems. */
  static read(text: string): HclFile | undefined {
    const hcl = HclText.read(text);
    return hcl === undefined ? undefined : new HclFile(hcl);
  }

  whyNotDeclared(type: string, address: string, { line }: Place): string | undefined {
    const block = resourceBlock(this.hcl, type, resourceName(address, type) ?? '');
    return block !== undefined && new LineIndex(this.hcl.text).at(block.headRange.start).line === line
      ? undefined
      : NOT_DECLARED;
  }

  /** @param item index of the nested block that the finding is about */
  repair(type: string, address: string, repair: Repair, item: number | undefined): EditPlan {
    const { hcl } = this;
    const block = resourceBlock(hcl, type, resourceName(address, type) ?? '');
    if (block === undefined) return refuse(NOT_DECLARED);
    const path = repairPath(type, repair.field, 'terraform');
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

  differsBeyond(after: HclFile, changes: readonly Change[]): boolean {
    const isLossy = changes.some(({ repair: { kind } }) => kind === 'remove' || kind === 'moveData');
    return hclDiffers(this.hcl, after.hcl, changes.map(argumentOf), isLossy);
  }
}

/** Type and name of the resource that is changed, and the argument or block in it. */
function argumentOf({ type, id, repair }: Change): readonly string[] {
  return [type, resourceName(id, type) ?? '', ...(repairPath(type, repair.field, 'terraform')?.slice(0, 1) ?? [])];
}

function isSet(body: HclText['body'], [first, ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return body.attributes.some(({ name }) => name === first);
  const inner = body.blocks.find(({ type }) => type === first)?.body;
  return inner !== undefined && isSet(inner, rest);
}

/** A file of a configuration in JSON that is repaired. */
export class JsonConfigurationFile implements EditedText {
  private constructor(private readonly tree: Tree) {}

  /** Undefined if it isn't JSON. */
  static read(text: string): JsonConfigurationFile | undefined {
    const tree = jsonTree(text);
    return tree === undefined ? undefined : new JsonConfigurationFile(tree);
  }

  whyNotDeclared(type: string, address: string, { line, column }: Place): string | undefined {
    const { missing, entries } = walk(this.tree, ['resource', type, resourceName(address, type) ?? '']);
    const at = new LineIndex(this.tree.text).at(entries.at(-1)?.entry.start ?? 0);
    return missing.length === 0 && at.line === line && at.column === column ? undefined : NOT_DECLARED;
  }

  repair(type: string, address: string, repair: Repair, item: number | undefined): EditPlan {
    const name = resourceName(address, type) ?? '';
    const field = repairPath(type, repair.field, 'terraform');
    if (field === undefined) return refuse(`there is no machine edit for ${type}`);
    if (walk(this.tree, ['resource', type, name]).missing.length > 0) return refuse(NOT_DECLARED);
    const [first = ''] = field;
    if (field.length > 1 && this.isDynamic(['resource', type, name, 'dynamic'], first))
      return refuse(madeByDynamic(first));
    const path = this.withItems(['resource', type, name], field, item);
    if (path === undefined) return refuse('there are several blocks where one is expected');
    const overruling = OVERRULED_BY[first];
    if (overruling !== undefined && walk(this.tree, ['resource', type, name, overruling]).missing.length === 0)
      return refuse(`\`${overruling}\` is set, which is for more than updates`);
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

  differsBeyond(after: JsonConfigurationFile, changes: readonly Change[]): boolean {
    return dataDiffers(
      JSON.parse(this.tree.text),
      JSON.parse(after.tree.text),
      changes.map((change) => ['resource', ...argumentOf(change)]),
    );
  }

  /** Whether dynamic blocks, which stand in an object or in several, make the nested blocks of a name. */
  private isDynamic(path: readonly string[], name: string): boolean {
    const { node, missing } = walk(this.tree, path);
    if (missing.length > 0 || node.kind === 'scalar') return false;
    const entries = node.entries();
    return node.kind === 'map'
      ? entries.some(({ key }) => key === name)
      : entries.some(({ key }) => this.isDynamic([...path, key], name));
  }

  /** A nested block may be an object, or stand in a list. */
  private withItems(
    start: readonly string[],
    field: readonly string[],
    item: number | undefined,
  ): readonly string[] | undefined {
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
