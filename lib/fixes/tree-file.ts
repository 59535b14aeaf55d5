import type { Repair } from '../engine/repair';
import { parseDocument } from '../languages';
import type { EditedSetting, SettingPlaces } from '../value';
import { changeEmbedded } from './data-change';
import { dataDiffers } from './differences';
import type { Change, EditedText } from './edited-text';
import { jsonTree } from './json-tree';
import { refuse, type EditPlan } from './text-edit';
import { walk, type Tree, type TreePath } from './tree';
import { removeAt, setIn } from './tree-edit';
import { yamlTree } from './yaml-tree';

/** A file in JSON or YAML that is repaired. */
export class TreeFile implements EditedText {
  private constructor(
    private readonly tree: Tree,
    private readonly root: unknown,
    private readonly places: SettingPlaces,
  ) {}

  /** Undefined if it can't be read without problems. */
  static read(text: string, file: string, places: SettingPlaces): TreeFile | undefined {
    const { root, diagnostics } = parseDocument(text, file);
    const tree = jsonTree(text) ?? yamlTree(text);
    return tree === undefined || root === undefined || diagnostics.length > 0
      ? undefined
      : new TreeFile(tree, root, places);
  }

  /** @param item index of the item of a list that the finding is about */
  repair(type: string, id: string, repair: Repair, item: number | undefined): EditPlan {
    const setting: EditedSetting = { type, id, field: repair.field, item };
    const path = this.places.pathTo(setting, this.root);
    if (path === undefined) return refuse(`there is no machine edit for ${type}`);
    const refusal = this.places.refusal(setting, path, this.root, repair.kind === 'remove');
    if (refusal !== undefined) return refuse(refusal);
    switch (repair.kind) {
      case 'remove':
        return removeAt(this.tree, path);
      case 'set':
        return repair.unlessSet === true && walk(this.tree, path).missing.length === 0
          ? { edits: [] }
          : setIn(this.tree, path, repair.to);
      case 'setData':
      case 'moveData':
        return changeEmbedded(this.tree, path, repair);
    }
  }

  differsBeyond(after: TreeFile, changes: readonly Change[]): boolean {
    const paths = changes.flatMap(({ type, id, repair, item }): readonly TreePath[] => {
      const path = this.places.pathTo({ type, id, field: repair.field, item }, this.root);
      return path === undefined ? [] : [path];
    });
    return dataDiffers(this.root, after.root, paths);
  }
}
