import {
  alternativesOf,
  networkOf,
  type ClusterView,
  type EksModel,
  type NetworkOfCluster,
  type NetworkPart,
} from '../eks';
import { isPureFargate } from '../eks/analysis/cni';
import { addonTableAsOf, defaultAddonVersion } from '../knowledge';
import { supportOf } from '../rules/parts/version-support';
import { capitalized, inWords } from '../text/in-words';
import { allowedLag } from './addons';
import { clusterArgument } from './commands';
import type { Task } from './plan';

/*
 * EKS puts kube-proxy, CoreDNS and the VPC CNI into a cluster when it creates it, unless `bootstrapSelfManagedAddons` is false, and never updates these
 * copies. Sources: EKS API, CreateCluster; EKS user guide, "Update the Kubernetes kube-proxy self-managed add-on" and the like for the others.
 */

const NAMES: Readonly<Record<NetworkPart, { readonly addon: string; readonly title: string }>> = {
  'kube-proxy': { addon: 'kube-proxy', title: 'kube-proxy' },
  coredns: { addon: 'coredns', title: 'CoreDNS' },
  cni: { addon: 'vpc-cni', title: 'the VPC CNI' },
};
const PARTS = Object.keys(NAMES) as readonly NetworkPart[];

/** What EKS put into a cluster that nothing of the input has made an add-on of EKS, or replaced. */
export interface SelfManaged {
  readonly parts: readonly NetworkPart[];
  /** Why it may be otherwise: what is advised holds unless it is. */
  readonly doubts: readonly string[];
  /** What else might bring such software, although nothing says so. */
  readonly others: readonly string[];
}

export function selfManagedOf(view: ClusterView, model: EksModel): SelfManaged {
  const { cluster } = view;
  if (cluster === undefined) return { parts: [], doubts: [], others: [] };
  const network = networkOf(view, model);
  const isEks = alternativesOf(cluster.bootstrapSelfManagedAddons).every(
    ({ value }) => value.kind === 'absent' || (value.kind === 'known' && value.value),
  );
  const hasAutoMode = alternativesOf(cluster.autoMode).some(
    ({ value }) => value.kind !== 'absent' && !(value.kind === 'known' && !value.value),
  );
  const onOutpost = cluster.onOutpost.kind !== 'absent';
  const parts = PARTS.filter((part) => isLacking(part, network) && (part === 'coredns' || !isPureFargate(view)));
  if (hasAutoMode || onOutpost || !isEks) return { parts: [], doubts: [], others: [] };
  const others = new Set(network.mereDoubts);
  return { parts, doubts: network.doubts.filter((doubt) => !others.has(doubt)), others: [...others] };
}

function isLacking(part: NetworkPart, { software }: NetworkOfCluster): boolean {
  return !software.some((one) => one.part === part || (one.isOther && part !== 'coredns'));
}

/** What to look at, and better done, before the first step. */
export function selfManagedPreparations(
  { parts, doubts, others }: SelfManaged,
  view: ClusterView,
  { from, first, asOf }: { readonly from: string; readonly first: string | undefined; readonly asOf: string },
): readonly Task[] {
  if (parts.length === 0) return [];
  const [doubt, ...more] = doubts;
  const names = inWords(parts.map((part) => NAMES[part].title));
  const [it, they] = parts.length === 1 ? ['it', 'it is the copy'] : ['them', 'they are the copies'];
  const cluster = clusterArgument(view);
  // Of a Kubernetes version that EKS no longer supports, nobody knows which versions it still installs.
  const isOver = supportOf(from, asOf).kind === 'ended';
  const minor = isOver && first !== undefined ? first : from;
  const versions = parts.flatMap((part) => {
    const { addon } = NAMES[part];
    const version = defaultAddonVersion(addon, minor);
    return version === undefined ? [] : [{ addon, version }];
  });
  return [
    {
      phase: 'before',
      level: doubt === undefined ? 'should' : 'note',
      text: `Nothing in the input makes ${names} ${parts.length === 1 ? 'an add-on' : 'add-ons'} of EKS, ${doubt === undefined ? `so ${they}` : `but ${doubt}${more.length === 0 ? '' : ` (and so with ${more.length} more)`}. Unless that brings ${it}, ${they}`} that EKS put into the cluster when it was created, and nobody updates ${it} with the control plane. \`aws eks describe-addon --cluster-name ${cluster} --addon-name ${NAMES[parts[0] ?? 'cni'].addon}\` answers with an error if that is so.`,
      fix: `Make ${it} ${parts.length === 1 ? 'an add-on' : 'add-ons'} of EKS, as the user guide advises: declare ${it} in the input, with the conflict mode OVERWRITE on creation, or${minor === from ? '' : `, once the control plane has ${minor},`} run this (EKS's defaults for ${minor} on ${addonTableAsOf()}). What kubectl has changed in ${it} goes into the configuration values first, because OVERWRITE drops it.${parts.includes('cni') ? ' Where the VPC CNI is older, go one minor version at a time.' : ''}${others[0] === undefined ? '' : ` ${capitalized(others[0])}: should that bring ${it}, the update is its work.`}`,
      code: {
        language: 'sh',
        text: versions
          .map(
            ({ addon, version }) =>
              `aws eks create-addon --cluster-name ${cluster} --addon-name ${addon} --addon-version ${version} --resolve-conflicts OVERWRITE`,
          )
          .join('\n'),
      },
      resource: view.cluster,
      source: view.cluster?.source,
    },
  ];
}

/** How they follow the control plane, while they are no add-ons of EKS. */
export function selfManagedTasks(
  { parts, doubts }: SelfManaged,
  view: ClusterView,
  { from, to, isFirst }: { readonly from: string; readonly to: string; readonly isFirst: boolean },
): readonly Task[] {
  const due = parts.flatMap((part) => {
    // The VPC CNI isn't bound to a Kubernetes version, and goes by a manifest of its own.
    if (part === 'cni') return [];
    const version = defaultAddonVersion(NAMES[part].addon, to);
    const isNew = isFirst || version !== defaultAddonVersion(NAMES[part].addon, from);
    return version === undefined || !isNew ? [] : [{ part, version }];
  });
  const proxy = due.find(({ part }) => part === 'kube-proxy');
  if (due.length === 0) return [];
  const names = inWords(due.map(({ part }) => NAMES[part].title));
  return [
    {
      phase: 'add-ons',
      level: proxy === undefined ? 'note' : 'should',
      text: `Update ${names}, if still no add-on${due.length === 1 ? '' : 's'} of EKS${doubts.length === 0 ? '' : ` and brought by nothing else`}.${proxy === undefined ? '' : ` kube-proxy must not be newer than the control plane, nor more than ${allowedLag(proxy.version)} minor versions older.`}`,
      // Told once.
      ...(isFirst
        ? {
            fix: 'The registry is that of the image that runs (`kubectl -n kube-system get daemonset kube-proxy -o yaml`), and the build one that the EKS user guide lists for self-managed images. An add-on takes `aws eks update-addon` instead.',
          }
        : {}),
      code: { language: 'sh', text: due.map(({ part, version }) => commandFor(part, version)).join('\n') },
      resource: view.cluster,
      source: view.cluster?.source,
    },
  ];
}

function commandFor(part: 'kube-proxy' | 'coredns', version: string): string {
  const [release = version] = version.split('-eksbuild');
  return part === 'kube-proxy'
    ? `kubectl -n kube-system set image daemonset/kube-proxy kube-proxy=<registry>/eks/kube-proxy:${release}-minimal-eksbuild.<build>`
    : `kubectl -n kube-system set image deployment/coredns coredns=<registry>/eks/coredns:${release}-eksbuild.<build>`;
}
