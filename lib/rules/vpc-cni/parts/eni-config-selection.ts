import type { Judgement } from '../../../engine';
import {
  dataAt,
  resourceName,
  type ClusterView,
  type CniCase,
  type Data,
  type EniConfig,
  type When,
} from '../../../eks';
import { isText } from '../../../eks/analysis/addon';
import { parseZone } from '../../../eks/networking/zones';
import { groupsOf, isWindows, labelOfGroup, onKarpenterNodes, type GroupLabel } from './custom-networking-cases';
import { listOf, uncovered } from './eni-config-coverage';
import { DEFAULT_NAME } from './eni-config-names';
import { EXTERNAL_LABEL } from './node-zones';
import { unverifiable } from '../../parts/case-judgements';

export type SelectionMessage = 'nothing-selects';

/** Label and annotation that name a node's ENIConfig unless the CNI is told others. Source: aws/amazon-vpc-cni-k8s, pkg/eniconfig/eniconfig.go. */
export const DEFAULT_LABEL = 'k8s.amazonaws.com/eniConfig';

/** The node label whose value is the name of the node's ENIConfig. */
export type SelectingLabel =
  | { readonly kind: 'known'; readonly key: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export function selectingLabel(view: ClusterView, { resource, settings }: CniCase): SelectingLabel {
  const setting = settings.setting('env.ENI_CONFIG_LABEL_DEF');
  if (setting.kind === 'unknown')
    return { kind: 'unknown', reason: `ENI_CONFIG_LABEL_DEF isn't known (${setting.unknown.reason})` };
  const extra = setting.kind === 'configured' ? undefined : extraVariable(settings.data, 'ENI_CONFIG_LABEL_DEF');
  const text = extra ?? setting.text ?? '';
  if (typeof text !== 'string') return { kind: 'unknown', reason: "ENI_CONFIG_LABEL_DEF in extraEnv isn't known" };
  const other =
    setting.kind === 'configured' || extra !== undefined || resource.kind === 'manifest'
      ? undefined
      : otherWriter(view);
  if (other !== undefined) return { kind: 'unknown', reason: `${other} may set ENI_CONFIG_LABEL_DEF` };
  // As the CNI does: an empty text counts as not set.
  return { kind: 'known', key: text === '' ? DEFAULT_LABEL : text };
}

/** A variable that `extraEnv` adds to aws-node, a Kubernetes list of variables. */
function extraVariable(data: Data | undefined, name: string): Data | undefined {
  const list = dataAt(data, 'extraEnv');
  if (!Array.isArray(list)) return list === undefined || list === null || typeof list === 'string' ? undefined : list;
  return (list as readonly Data[])
    .filter((item) => dataAt(item, 'name') === name)
    .map((item) => dataAt(item, 'value'))[0];
}

/** Something of the input that changes the DaemonSet besides the configuration values. */
function otherWriter(view: ClusterView): string | undefined {
  const patch = view.patches.find(({ target }) =>
    ['daemonset/aws-node', 'ds/aws-node', 'daemonset.apps/aws-node'].some((name) => isText(target, name) !== 'no'),
  );
  if (patch !== undefined) return `patch ${resourceName(patch)}`;
  const manifest = view.manifests.find(
    ({ object }) => dataAt(object, 'kind') === 'DaemonSet' && dataAt(object, 'metadata', 'name') === 'aws-node',
  );
  return manifest === undefined ? undefined : `manifest ${resourceName(manifest)}`;
}

/**
 * Whether nodes find an ENIConfig by a label or annotation of their own, or the one called `default`.
 * @param doubt why there may be other ENIConfigs, or others of the names that are known; undefined if these are all
 */
export function judgeSelection(
  view: ClusterView,
  cni: CniCase,
  when: When,
  key: string,
  configs: readonly EniConfig[],
  doubt: string | undefined,
): readonly Judgement<SelectionMessage>[] {
  const common = { resource: cni.resource, source: cni.source };
  const defaults = configs.flatMap((config) => (config.name === DEFAULT_NAME ? [config.when] : []));
  const rest = uncovered(when, defaults);
  if (rest.length === 0) return [{ ...common, when, verdict: 'pass' }];
  return rest.map(
    (one): Judgement<SelectionMessage> => ({
      ...common,
      when: one,
      ...judgeWithoutDefault(view, cni, one, key, configs, doubt),
    }),
  );
}

type Outcome =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'unverifiable'; readonly reason: string }
  | {
      readonly verdict: 'fail';
      readonly severity: 'warning';
      readonly message: 'nothing-selects';
      readonly data: Readonly<Record<string, string>>;
    };

function judgeWithoutDefault(
  view: ClusterView,
  cni: CniCase,
  when: When,
  key: string,
  configs: readonly EniConfig[],
  doubt: string | undefined,
): Outcome {
  if (doubt !== undefined) return unverifiable(`${doubt}, so one may be called ${DEFAULT_NAME}`);
  if (namingAnnotation(cni) !== DEFAULT_LABEL)
    return unverifiable('nodes name their ENIConfig by an annotation, which only the cluster shows');
  const groups = groupsOf(view, when).filter((group) => !isWindows(group, view));
  const labels = groups.map((group) => [labelOfGroup(group, key).kind, labelOfGroup(group, EXTERNAL_LABEL).kind]);
  const unlabelled = groups.filter((_, index) => labels[index]?.every((kind) => kind === 'no') === true);
  const names = configs.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  // Any other label was chosen with care: the nodes are given it somewhere, or Kubernetes gives it to them.
  const isForgotten =
    key === DEFAULT_LABEL &&
    !(groups.length === 0 && doPoolsChoose(view, key)) &&
    (groups.length === 0
      ? names.length > 0 && names.every((name) => parseZone(name) !== undefined)
      : unlabelled.length > 0);
  if (isForgotten) {
    const nodes = unlabelled.length === 0 ? 'Nodes take' : `The nodes of ${listOf(unlabelled.map(resourceName))} take`;
    return { verdict: 'fail', severity: 'warning', message: 'nothing-selects', data: { nodes, names: listOf(names) } };
  }
  if (groups.length > 0 && labels.every((kinds) => kinds.includes('yes'))) return { verdict: 'pass' };
  return unverifiable(`whether its nodes carry the label ${key} isn't known`);
}

/** Names that the labels of a cluster's groups, or its node pools of Karpenter, ask for. */
export function chosenNames(view: ClusterView, key: string): ReadonlySet<string> {
  const labels = [...view.nodeGroups.map((group) => labelOfGroup(group, key)), ...poolChoices(view)];
  return new Set(labels.flatMap((label) => (label.kind === 'yes' ? label.values : [])));
}

/** The annotation that names a node's ENIConfig; undefined if it isn't known. */
export function namingAnnotation({ settings }: CniCase): string | undefined {
  const setting = settings.setting('env.ENI_CONFIG_ANNOTATION_DEF');
  if (setting.kind === 'unknown') return undefined;
  const text =
    setting.kind === 'configured' ? setting.text : (extraVariable(settings.data, 'ENI_CONFIG_ANNOTATION_DEF') ?? '');
  if (typeof text !== 'string') return undefined;
  return text === '' ? DEFAULT_LABEL : text;
}

/** Whether node pools name ENIConfigs that can't be told. */
export function mayPoolsChoose(view: ClusterView): boolean {
  return poolChoices(view).some(({ kind }) => kind === 'maybe');
}

function doPoolsChoose(view: ClusterView, key: string): boolean {
  return [...poolChoices(view), onKarpenterNodes(view, 'labels', key)].some(({ kind }) => kind !== 'no');
}

/** What node pools write on their nodes that wins over the zone. */
function poolChoices(view: ClusterView): readonly GroupLabel[] {
  return [onKarpenterNodes(view, 'labels', EXTERNAL_LABEL), onKarpenterNodes(view, 'annotations', DEFAULT_LABEL)];
}
