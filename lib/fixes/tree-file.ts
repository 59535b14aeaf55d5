import type { DataRepair } from '../engine/repair';
import type { Decision, Edit } from './edit';
import { parseForEdits, YamlDocument } from '../languages';
import type { EditedSetting, SettingPlaces } from '../value';
import { changeEmbedded, dataChange } from './data-change';
import { acceptAt, acceptInTemplate } from './accept-edit';
import { dataDiffers } from './differences';
import type { Change, EditedText } from './edited-text';
import { unlessExplained } from './explained';
import { jsonTree, treeOfJson } from './json-tree';
import { appendTo, setItems } from './list-edit';
import { NO_FREE_NAME, REMOTE_ACCESS_MOVES, templateResource, useInTemplate } from './new-template';
import { replaceTextLines } from './json-text-edit';
import { NOT_THERE, replaceLines } from './lines-edit';
import { attachPolicy, rolePath, trustToo } from './role-edit';
import { applyEdits, byPlace, inSuccession, refuse, type EditPlan, type TextEdit } from './text-edit';
import { NOT_CLEAR, walk, type Tree, type TreeNode, type TreePath } from './tree';
import { addMember, removeAt, setIn, wrapIn } from './tree-edit';
import { TemplateFunction } from './tree-values';
import { treeOfYaml, yamlTree } from './yaml-tree';

/** A file in JSON or YAML that is repaired. */
export class TreeFile implements EditedText {
  private constructor(
    private readonly tree: Tree,
    private readonly root: unknown,
    private readonly places: SettingPlaces,
  ) {}

  /** Undefined if it can't be read without problems. */
  static read(text: string, file: string, places: SettingPlaces): TreeFile | undefined {
    const document = parseForEdits(text, file);
    const { root, diagnostics } = document;
    if (root === undefined || diagnostics.length > 0) return undefined;
    const tree =
      document instanceof YamlDocument ? treeOfYaml(text, document.content?.contents ?? null) : treeOfJson(text);
    return new TreeFile(tree, root, places);
  }

  /** @param item index of the item of a list that the finding is about */
  repair(type: string, id: string, repair: Edit, item: number | undefined): EditPlan {
    if (repair.kind === 'newTemplate') return this.addTemplate(id);
    if (repair.kind === 'accept') return this.accept(type, id, repair);
    if (repair.kind === 'lines' && repair.lines?.isInValue !== true) return replaceLines(this.tree.text, repair.lines);
    if (repair.kind === 'attachPolicy') return attachPolicy(this.tree, id, repair.policy);
    if (repair.kind === 'trustToo') return trustToo(this.tree, id, repair);
    const setting: EditedSetting = { type, id, field: repair.field, item };
    const path = this.places.pathTo(setting, this.root);
    if (path === undefined) return refuse(`there is no machine edit for ${type}`);
    if (repair.kind === 'lines')
      return repair.lines === undefined ? refuse(NOT_THERE) : replaceTextLines(this.tree, path, repair.lines);
    const refusal = this.places.refusal(setting, path, this.root, MAY_REFER.has(repair.kind));
    if (refusal !== undefined) return refuse(refusal);
    if (this.places.holderOf !== undefined && (repair.kind === 'refer' || repair.kind === 'encode'))
      return refuse('there are no functions for it');
    switch (repair.kind) {
      case 'remove':
        return repair.ifSet === true && walk(this.tree, path).missing.length > 0
          ? { edits: [] }
          : removeAt(this.tree, path);
      case 'set':
        return unlessExplained(this.tree.text, repair, this.setTo(setting, path, repair));
      case 'setList':
        return setItems(this.tree, path, JSON.parse(repair.to) as readonly string[]);
      case 'refer':
        return repair.cloudFormation === ''
          ? refuse('what it has to refer to stands elsewhere')
          : setIn(this.tree, path, new TemplateFunction('GetAtt', repair.cloudFormation));
      case 'encode':
        return wrapIn(this.tree, path, 'Base64');
      case 'setData':
      case 'moveData':
      case 'renameData':
      case 'removeData':
        return this.changeData(setting, path, repair);
    }
  }

  private accept(type: string, id: string, decision: Decision): EditPlan {
    const { places } = this;
    if (places.holderOf === undefined) return acceptInTemplate(this.tree, id, decision);
    const holder = places.holderOf(type, id, this.root);
    return holder === undefined
      ? refuse(`${id} isn't written as a resource of its own`)
      : acceptAt(this.tree, holder, places.decisionKey, decision);
  }

  private changeData(setting: EditedSetting, path: TreePath, repair: DataRepair): EditPlan {
    if (this.places.valueIn === undefined) return changeEmbedded(this.tree, path, repair);
    const change = dataChange(repair);
    const place = change.kind === 'setData' ? this.places.valueIn(setting, change.at, this.root) : undefined;
    if (change.kind !== 'setData' || place === undefined) return refuse('nothing there says the same');
    const refusal = this.places.refusal(setting, place.path, this.root, false);
    if (refusal !== undefined) return refuse(refusal);
    if (place.missing === undefined) return this.setValue(place.path, change.to);
    const items = [{ name: place.missing, value: change.to }];
    return walk(this.tree, place.path).missing.length === 0
      ? appendTo(this.tree, place.path, items)
      : setIn(this.tree, place.path, items);
  }

  /** Something else may give it. */
  private setValue(path: TreePath, to: string | number | boolean): EditPlan {
    const item = walk(this.tree, path.slice(0, -1)).node;
    const isGiven = item.kind !== 'scalar' && item.entries().some(({ key }) => key === 'valueFrom');
    return isGiven ? refuse('another object gives it') : setIn(this.tree, path, to);
  }

  has(type: string, id: string): boolean {
    return this.places.holderOf?.(type, id, this.root) !== undefined;
  }

  private setTo(setting: EditedSetting, path: TreePath, { to, unlessSet }: Extract<Edit, { kind: 'set' }>): EditPlan {
    const { places } = this;
    const written = places.writtenFor === undefined ? { value: to } : places.writtenFor(setting, to);
    if (written === undefined) return refuse('the file has no value that says the same');
    const isSet = walk(this.tree, path).missing.length === 0;
    return (isSet ? unlessSet : written.isDefault) === true ? { edits: [] } : setIn(this.tree, path, written.value);
  }

  /** Beside the group, under its name. */
  private addTemplate(id: string): EditPlan {
    const group = ['Resources', id, 'Properties'];
    const has = (key: string): boolean => walk(this.tree, [...group, key]).missing.length === 0;
    const { missing, refusal, node } = walk(this.tree, group);
    if (refusal !== undefined) return refuse(refusal);
    if (missing.length > 0) return refuse(`${id} isn't written as a resource of its own`);
    if (node.kind !== 'map' || has('LaunchTemplate') || whyDecided(node) !== undefined)
      return refuse(whyDecided(node) ?? NOT_CLEAR);
    if (has('RemoteAccess')) return refuse(REMOTE_ACCESS_MOVES);
    const name = this.freeName(id);
    if (name === undefined) return refuse(NO_FREE_NAME);
    const disk = walk(this.tree, [...group, 'DiskSize']);
    const size = disk.missing.length > 0 ? undefined : disk.node.kind === 'scalar' ? Number(disk.node.value) : NaN;
    if (Number.isNaN(size) || disk.node.refusal !== undefined) return refuse("its disk size isn't written as a number");
    return inTurn(this.tree, [
      ...(size === undefined ? [] : [(tree: Tree) => removeAt(tree, [...group, 'DiskSize'])]),
      (tree) => setIn(tree, [...group, 'LaunchTemplate'], useInTemplate(name)),
      (tree) => addMember(tree, ['Resources', name], templateResource(size)),
    ]);
  }

  private freeName(id: string): string | undefined {
    return templateNames(id).find((name) => walk(this.tree, ['Resources', name]).missing.length > 0);
  }

  private decisionPath(type: string, id: string): TreePath {
    const { places } = this;
    return places.holderOf === undefined
      ? ['Resources', id, 'Metadata', 'eks-guardrails', 'suppress']
      : [...(places.holderOf(type, id, this.root) ?? []), ...(places.decisionKey ?? [])];
  }

  differsBeyond(after: TreeFile, changes: readonly Change[]): boolean {
    const paths = changes.flatMap(({ type, id, repair, item }): readonly TreePath[] => {
      if (repair.kind === 'newTemplate') {
        const name = this.freeName(id) ?? '';
        const group = ['Resources', id, 'Properties'];
        return [
          ['Resources', name],
          [...group, 'LaunchTemplate'],
          [...group, 'DiskSize'],
        ];
      }
      if (repair.kind === 'accept') return [this.decisionPath(type, id)];
      if (repair.kind === 'attachPolicy' || repair.kind === 'trustToo') return [rolePath(id, repair.field)];
      const path = this.places.pathTo({ type, id, field: repair.field, item }, this.root);
      return path === undefined ? [] : [path];
    });
    return dataDiffers(this.root, after.root, paths);
  }
}

/** What may refer to other resources where it stands. */
const MAY_REFER: ReadonlySet<string> = new Set(['remove', 'refer', 'encode']);

function templateNames(id: string): readonly string[] {
  return [`${id}Template`, `${id}LaunchTemplate`];
}

/** Why what a map holds isn't all written there. */
function whyDecided(node: TreeNode): string | undefined {
  const other =
    node.kind === 'scalar'
      ? undefined
      : node.entries().find(({ key }) => key.startsWith('Fn::') || key === '<<' || key === 'Ref');
  return other === undefined ? undefined : `it may be decided by \`${other.key}\``;
}

/** Edits one after the other, each in the text that the one before it made. */
export function inTurn(tree: Tree, edits: readonly ((tree: Tree) => EditPlan)[]): EditPlan {
  const plans = edits.map((edit) => edit(tree));
  // The last is about something else than the first ones, which may meet one another.
  return (
    atOnce(plans) ?? atOnce([eachInItsText(tree, edits.slice(0, -1)), ...plans.slice(-1)]) ?? eachInItsText(tree, edits)
  );
}

/** What several edits of one text make of it together; undefined if one of them could make a difference to another. */
function atOnce(plans: readonly EditPlan[]): EditPlan | undefined {
  const edits = plans.flatMap((plan) => ('edits' in plan ? plan.edits : [])).toSorted(byPlace);
  const isApart = edits.every(({ start, end }, index) => {
    const next = edits[index + 1];
    return next === undefined || end < next.start || (start === next.end && next.member !== undefined);
  });
  return isApart && plans.every((plan) => 'edits' in plan) ? { edits } : undefined;
}

/** A text is read again after each, which takes longer than all else. */
function eachInItsText(tree: Tree, edits: readonly ((tree: Tree) => EditPlan)[]): EditPlan {
  let current = tree;
  let made: readonly TextEdit[] = [];
  for (const edit of edits) {
    const plan = edit(current);
    if ('refusal' in plan) return plan;
    made = inSuccession(made, plan.edits);
    const text = applyEdits(current.text, plan.edits);
    const next = jsonTree(text) ?? yamlTree(text);
    if (next === undefined) return refuse('the file could no longer be read');
    current = next;
  }
  return { edits: made };
}
