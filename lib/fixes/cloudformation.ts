import type { Repair } from '../engine/repair';
import { parseDocument } from '../languages';
import { changeEmbedded } from './data-change';
import { dataDiffers } from './differences';
import type { Change, EditedText } from './edited-text';
import { jsonTree } from './json-tree';
import { cloudFormationPath, whyKept } from './properties';
import { refuse, type EditPlan } from './text-edit';
import { walk, type Tree, type TreePath } from './tree';
import { removeAt, setIn } from './tree-edit';
import { yamlTree } from './yaml-tree';

/** A template that is repaired. */
export class TemplateText implements EditedText {
  private constructor(
    private readonly tree: Tree,
    private readonly root: unknown,
  ) {}

  /** Undefined if it can't be read without problems. */
  static read(text: string, file: string): TemplateText | undefined {
    const { root, diagnostics } = parseDocument(text, file);
    const tree = jsonTree(text) ?? yamlTree(text);
    return tree === undefined || root === undefined || diagnostics.length > 0
      ? undefined
      : new TemplateText(tree, root);
  }

  /** @param item index of the item of a list that the finding is about */
  repair(type: string, id: string, repair: Repair, item: number | undefined): EditPlan {
    const path = pathOf(type, id, repair, item);
    if (path === undefined) return refuse(`there is no machine edit for ${type}`);
    if (member(member(this.root, 'Resources'), id) === undefined)
      return refuse(`${id} isn't written as a resource of its own`);
    const decided = this.decidedElsewhere(path, repair.kind === 'remove');
    if (decided !== undefined) return refuse(decided);
    const kept = whyKept(type, repair.field, path.reduce(member, this.root));
    if (kept !== undefined) return refuse(kept);
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

  differsBeyond(after: TemplateText, changes: readonly Change[]): boolean {
    const paths = changes.flatMap(({ type, id, repair, item }) => {
      const path = pathOf(type, id, repair, item);
      return path === undefined ? [] : [path];
    });
    return dataDiffers(this.root, after.root, paths);
  }

  /** Why the value at a path isn't decided there. What goes may refer to other resources. */
  private decidedElsewhere(path: TreePath, mayRefer: boolean): string | undefined {
    let value = this.root;
    for (const step of path) {
      const condition = isFunction(value) ? this.decider(value, mayRefer) : undefined;
      if (condition !== undefined) return condition;
      value = member(value, step);
    }
    return this.deciderWithin(value, mayRefer);
  }

  private deciderWithin(value: unknown, mayRefer: boolean): string | undefined {
    if (isFunction(value)) return this.decider(value, mayRefer);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.values(value)
      .map((one) => this.deciderWithin(one, mayRefer))
      .find((reason) => reason !== undefined);
  }

  private decider(value: object, mayRefer: boolean): string | undefined {
    const [name = '', argument] = Object.entries(value)[0] ?? [];
    if (name === 'Fn::If') return 'it is decided by a condition (`Fn::If`)';
    if (name === 'Ref' && member(member(this.root, 'Parameters'), String(argument)) !== undefined)
      return `it is decided by parameter ${String(argument)}`;
    if (mayRefer && ['Ref', 'Fn::GetAtt', 'Fn::ImportValue', 'Fn::Sub'].includes(name)) return undefined;
    return `it is decided by \`${name}\``;
  }
}

function pathOf(type: string, id: string, repair: Repair, item: number | undefined): TreePath | undefined {
  const field = cloudFormationPath(type, repair.field);
  return field === undefined
    ? undefined
    : ['Resources', id, 'Properties', ...field.map((step) => (step === '*' ? String(item) : step))];
}

function isFunction(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && keys.some((key) => key === 'Ref' || key.startsWith('Fn::'));
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
