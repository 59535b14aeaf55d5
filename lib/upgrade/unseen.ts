import type { ClusterView, EksModel } from '../eks';
import { isPureAutoMode } from '../eks/analysis/cni';
import { kubernetesMinorsAsOf } from '../knowledge';
import { onlyText } from './commands';
import { hasAutoMode } from './control-plane';
import { unseenObjects } from './kubernetes-objects';
import { selfManagedOf } from './self-managed-addons';
import { unplacedOf } from './unplaced-objects';

/** What every cluster runs that isn't EKS Auto Mode. */
const CORE_ADDONS: readonly string[] = ['vpc-cni', 'kube-proxy', 'coredns'];

/** What a plan can't see of a cluster that has arrived, as sentences. */
export function unseenOf(view: ClusterView, model: EksModel, steps: readonly string[]): readonly string[] {
  const { cluster, nodeGroups, selfManagedNodeGroups, addons, fargateProfiles } = view;
  const isManaged = isPureAutoMode(view);
  const names = new Set(addons.map((addon) => onlyText(addon.name)));
  const missing = hasAutoMode(cluster) ? [] : CORE_ADDONS.filter((name) => !names.has(name));
  const { parts, doubts } = selfManagedOf(view, model);
  return [
    ...(cluster === undefined
      ? ["The input doesn't declare the cluster itself: only what belongs to it is planned."]
      : []),
    ...(missing.length === 0 || parts.length > 0
      ? []
      : [
          `The input has no add-on ${missing.join(', ')}${doubts[0] === undefined ? '' : `, and ${doubts[0]}`}: if the cluster runs ${missing.length === 1 ? 'it' : 'them'} without EKS's doing, nobody updates ${missing.length === 1 ? 'it' : 'them'} with the cluster.`,
        ]),
    ...(nodeGroups.length + selfManagedNodeGroups.length === 0 && !isManaged
      ? [
          `The input has no group of nodes for this cluster${fargateProfiles.length > 0 ? ' besides Fargate' : ''}: nodes of other origin have to be updated too.`,
        ]
      : []),
    ...unseenObjects(view, unplacedOf(view, model), steps),
    `Quotas, free addresses (the update of a control plane takes up to five in the subnets of the cluster), the health of nodes and add-ons, and what differs from the input aren't looked at. Dates are those of the calendar of ${kubernetesMinorsAsOf()}.`,
  ];
}
