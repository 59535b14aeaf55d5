import { alternativesOf, type ClusterView } from '../eks';
import { supportOf } from '../rules/node-group/parts/version-support';
import { configArgument, isOfEksctl } from './commands';
import { decidedPlace } from './decided';
import type { Task } from './plan';

/** A step as the control plane sees it. */
interface ControlPlaneQuestion {
  readonly view: ClusterView;
  readonly from: string;
  readonly to: string;
  /** Of the whole way. */
  readonly isLast: boolean;
  /** The day that is planned for. */
  readonly asOf: string;
}

export function controlPlaneTask(question: ControlPlaneQuestion): Task {
  const { view, from, to, asOf } = question;
  const { cluster, name } = view;
  const isOf = cluster === undefined ? ` of cluster ${name}, which the input doesn't declare,` : '';
  const support = supportOf(to, asOf);
  const ended = support.kind === 'ended' ? ` Support of ${to} ended ${support.ended}, so that EKS may refuse it.` : '';
  return {
    phase: 'control-plane',
    level: 'must',
    text: `Update the control plane${isOf} from ${from} to ${to}.${ended}${wayBack(question)}`,
    ...(cluster !== undefined && isOfEksctl(cluster)
      ? {
          fix: `Write "${to}" in \`metadata.version\`, and run the command; without \`--approve\` it only tells what it would do.`,
          code: { language: 'sh', text: `eksctl upgrade cluster ${configArgument(cluster)} --approve` },
        }
      : {}),
    resource: cluster,
    source: cluster === undefined ? undefined : decidedPlace(cluster.version),
  };
}

/** EKS has it since this day. */
const ROLLBACK_SINCE = '2026-07-01';

/** Whether, and until when, the step can be taken back. Source: EKS user guide, "Rollback cluster to previous Kubernetes version". */
function wayBack({ view: { cluster }, from, isLast, asOf }: ControlPlaneQuestion): string {
  const support = supportOf(from, asOf);
  if (asOf < ROLLBACK_SINCE || support.kind === 'unknown' || support.kind === 'none') return '';
  if (support.kind === 'ended') return ` There is no way back, for EKS no longer supports ${from}.`;
  const isStandard = cluster?.supportType.kind === 'known' && cluster.supportType.value === 'STANDARD';
  const policy =
    support.kind === 'extended' && isStandard ? ', and only after its support type is set to EXTENDED' : '';
  return ` For seven days EKS can roll it back to ${from} (${hasAutoMode(cluster) ? '' : 'nodes, and '}add-ons that it doesn't take${hasAutoMode(cluster) ? '' : ','} go back first)${policy}${isLast ? '' : ', unless the next step has begun'}.`;
}

/** Nodes of EKS Auto Mode follow by themselves. Source: EKS user guide, "Update existing cluster to new Kubernetes version". */
export function autoModeTasks({ cluster }: ClusterView, to: string): readonly Task[] {
  if (cluster === undefined || !hasAutoMode(cluster)) return [];
  return [
    {
      phase: 'nodes',
      level: 'note',
      text: `EKS Auto Mode replaces its nodes by itself as soon as the control plane has ${to}, within disruption budgets, and keeps its parts of network, storage and load balancing up to date.`,
      resource: cluster,
      source: cluster.source,
    },
  ];
}

export function hasAutoMode(cluster: ClusterView['cluster']): boolean {
  return (
    cluster !== undefined && alternativesOf(cluster.autoMode).some(({ value }) => value.kind === 'known' && value.value)
  );
}
