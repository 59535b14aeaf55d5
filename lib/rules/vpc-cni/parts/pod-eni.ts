import { resourceName, type Judgement } from '../../../engine';
import {
  alternativesOf,
  cniCasesOf,
  cniCasesOnNodes,
  cniTitle,
  dataAt,
  isDataMap,
  entriesOf,
  Unknown,
  type ClusterView,
  type CniCase,
  type Data,
  type EksModel,
  type Source,
  type When,
} from '../../../eks';
import type { CniSettings } from '../../../eks/networking/cni-settings';
import type { LaunchOutcome } from '../../parts/launch-judgements';

/** What the rules about security groups for pods have in common. */

/** Judges every case of a cluster's CNI in which it may have nodes. */
export function* judgeCni<M extends string>(
  view: ClusterView,
  model: EksModel,
  judge: (one: CniCase) => readonly LaunchOutcome<M>[],
): Generator<Judgement<M>> {
  for (const one of cniCasesOnNodes(view, model))
    for (const outcome of judge(one)) yield { ...outcome, resource: one.resource };
}

/** `Add-on Cni`, `Helm release Cni`, `DaemonSet aws-node`. */
export function cniName({ resource }: CniCase): string {
  return cniTitle(resource);
}

/** How strictly the security groups of a pod's own are enforced: `invalid` for a mode with which aws-node doesn't start, which is for another rule to say. */
export function enforcingModeOf(settings: CniSettings): 'strict' | 'standard' | 'invalid' | Unknown {
  const setting = settings.setting('env.POD_SECURITY_GROUP_ENFORCING_MODE');
  if (setting.kind === 'unknown') return setting.unknown;
  const { text } = setting;
  // Its default, which the table of versions has too.
  if (text === undefined) return 'strict';
  return text === 'strict' || text === 'standard' ? text : 'invalid';
}

/** Something of the input besides the add-on that sets a variable of aws-node, or may. */
export interface OutsideChange {
  /** `patch Demux`. */
  readonly label: string;
  readonly source: Source;
  readonly exists: When;
}

interface AwsNodeObject extends OutsideChange {
  /** All texts in it; undefined if not everything is known. */
  readonly texts: ReadonlySet<string> | undefined;
}

const known = new WeakMap<ClusterView, readonly AwsNodeObject[]>();

/** Patches and manifests of the DaemonSet aws-node that name a variable. Whether their value or the add-on's holds in the end can't be told. */
function outsideChangesOf(view: ClusterView, variable: string): readonly OutsideChange[] {
  let objects = known.get(view);
  if (objects === undefined) {
    objects = awsNodeObjectsOf(view);
    known.set(view, objects);
  }
  return objects.filter(({ texts }) => texts?.has(variable) ?? true);
}

/** The first change that may be there under an assumption. */
export function outsideChange(view: ClusterView, variable: string, when: When): OutsideChange | undefined {
  return outsideChangesOf(view, variable).find(({ exists }) => exists.and(when) !== undefined);
}

const AWS_NODE = /^(?:ds|daemonsets?)(?:\.apps)?\/aws-node$/i;

function awsNodeObjectsOf(view: ClusterView): readonly AwsNodeObject[] {
  const patches = view.patches.flatMap((patch): readonly AwsNodeObject[] => {
    const isOfAwsNode = alternativesOf(patch.target).some(
      ({ value }) => value.kind === 'unknown' || (value.kind === 'known' && AWS_NODE.test(value.value)),
    );
    const { source, exists } = patch;
    return isOfAwsNode ? [{ label: `patch ${resourceName(patch)}`, source, exists, texts: textsIn(patch.patch) }] : [];
  });
  const own = new Set<unknown>(cniCasesOf(view).map(({ resource }) => resource));
  const manifests = view.manifests.flatMap((manifest): readonly AwsNodeObject[] => {
    const { object, source, exists } = manifest;
    if (own.has(manifest)) return [];
    if (dataAt(object, 'kind') !== 'DaemonSet' || dataAt(object, 'metadata', 'name') !== 'aws-node') return [];
    return [{ label: 'DaemonSet aws-node', source, exists, texts: textsIn(object) }];
  });
  return [...patches, ...manifests];
}

/** All texts in data; undefined if some of what can hold a name isn't known. What the keys `value` hold doesn't count. */
function textsIn(data: Data): ReadonlySet<string> | undefined {
  const texts = new Set<string>();
  const open: Data[] = [data];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next instanceof Unknown) return undefined;
    if (typeof next === 'string') texts.add(next);
    else if (Array.isArray(next)) for (const item of next as readonly Data[]) open.push(item);
    else if (isDataMap(next)) {
      for (const [key, value] of entriesOf(next)) if (key !== 'value' || !(value instanceof Unknown)) open.push(value);
    }
  }
  return texts;
}
