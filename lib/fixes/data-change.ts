import type { DataRepair } from '../engine/repair';
import { changedJson, dataPath, rewritten, type DataChange } from './embedded-json';
import { refuse, type EditPlan } from './text-edit';
import { walk, type Tree, type TreePath } from './tree';
import { setIn } from './tree-edit';
import type { Scalar } from './tree-values';

/** Changes JSON that a text holds; a setting that isn't there gets a text with nothing else in it. */
export function changeEmbedded(tree: Tree, path: TreePath, repair: DataRepair): EditPlan {
  const { node, missing, refusal } = walk(tree, path);
  if (refusal !== undefined) return refuse(refusal);
  const change = dataChange(repair);
  if (missing.length > 0) {
    if (change.kind !== 'setData') return refuse('it stands elsewhere than in the resource itself');
    const made = changedJson('{}', change);
    return 'refusal' in made ? made : setIn(tree, path, JSON.stringify(JSON.parse(made.text)));
  }
  if (node.kind !== 'scalar' || typeof node.value !== 'string')
    return refuse("the configuration values aren't written as a plain text");
  const changed = changedJson(node.value, change);
  if ('refusal' in changed) return changed;
  const text = rewritten(tree, node, changed.text);
  return text === undefined
    ? refuse('the configuration values are written in a way that a machine had better leave alone')
    : { edits: [{ start: node.start, end: node.end, text }] };
}

export function dataChange(repair: DataRepair): DataChange {
  const at = dataPath(repair.at);
  switch (repair.kind) {
    case 'setData':
      return { kind: 'setData', at, to: JSON.parse(repair.to) as Scalar };
    case 'moveData':
      return { kind: 'moveData', at, to: dataPath(repair.to) };
    case 'renameData':
      return { kind: 'renameData', at, to: repair.to };
    case 'removeData':
      return { kind: 'removeData', at };
  }
}
