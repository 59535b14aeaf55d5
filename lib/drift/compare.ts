import { resourceName, type ClusterView, type EksModel } from '../eks';
import { addonDrift } from './addons';
import { clusterDrift, cniRoleDrift } from './cluster';
import { inOrder, type ClusterDrift, type DriftItem } from './drift';
import { nodeGroupDrift } from './node-groups';
import { textOf } from './values';

export interface CompareOptions {
  /** Whether sizes of groups are compared, which autoscalers change. */
  readonly withScaling: boolean;
}

/** A request that makes no sense: there is nothing to compare. */
export class DriftError extends Error {}

/**
 * What the code makes of each cluster that the answers tell of.
 * @throws DriftError if one of the two has no cluster, or none that is the other's
 */
export function compareModels(
  code: EksModel,
  live: EksModel,
  { withScaling }: CompareOptions,
): readonly ClusterDrift[] {
  const running = live.clusterViews.filter(({ cluster }) => cluster?.dialect.isRunning === true);
  if (running.length === 0)
    throw new DriftError('the answers tell of no cluster: aws eks describe-cluster is not among them');
  const declared = code.clusterViews.filter(
    (view) => view.cluster !== undefined || view.addons.length > 0 || view.nodeGroups.length > 0,
  );
  if (declared.length === 0)
    throw new DriftError('the code declares no cluster, no add-on and no node group, so there is nothing to compare');
  const pairs = running.flatMap((view) => {
    const name = view.cluster?.id ?? '';
    const found = viewFor(name, declared, running.length);
    return found === undefined ? [] : [{ name, live: view, code: found }];
  });
  if (pairs.length === 0)
    throw new DriftError(
      `none of the clusters in the code (${declared.map(nameOf).join(', ')}) is ${running.map(({ cluster }) => cluster?.id ?? '').join(' or ')}`,
    );
  return pairs.map(({ name, live: view, code: own }) =>
    compareViews(name, { model: code, view: own }, { model: live, view }, withScaling),
  );
}

/** The cluster of a name in the code; else the only one, unless it certainly has another name. */
function viewFor(name: string, declared: readonly ClusterView[], clusters: number): ClusterView | undefined {
  const named = declared.filter((view) => knownName(view) === name);
  if (named.length > 0) return named[0];
  const [only, other] = declared;
  return only !== undefined && other === undefined && clusters === 1 && knownName(only) === undefined
    ? only
    : undefined;
}

function knownName({ cluster, name, addons, nodeGroups }: ClusterView): string | undefined {
  if (cluster !== undefined) return textOf(cluster, cluster.name);
  const [part] = [...addons, ...nodeGroups];
  return part?.cluster.kind === 'known' ? name : undefined;
}

function nameOf(view: ClusterView): string {
  return knownName(view) ?? (view.cluster === undefined ? view.name : resourceName(view.cluster));
}

interface Side {
  readonly model: EksModel;
  readonly view: ClusterView;
}

function compareViews(name: string, code: Side, live: Side, withScaling: boolean): ClusterDrift {
  const { cluster: running } = live.view;
  if (running === undefined) throw new Error('only clusters that are there are compared');
  const { cluster: declared } = code.view;
  const own = declared === undefined ? { items: [], same: [] } : clusterDrift(name, { code: declared, live: running });
  const addons = addonDrift(code.view, live.view);
  const groups = nodeGroupDrift(code.view, live.view, withScaling);
  const items: readonly DriftItem[] = [...own.items, ...addons.items, ...groups.items, ...cniRoleDrift(code, live)];
  return {
    name,
    live: running,
    code: declared,
    pin: addons.pin,
    items: inOrder(items),
    same: [...own.same, ...addons.same, ...groups.same],
    unseen: [
      ...addons.unseen,
      ...groups.unseen,
      ...(withScaling ? [] : ['Sizes of node groups are not compared, because autoscalers change them: --scaling.']),
    ],
  };
}
