import { alternativesOf, type ClusterView } from '../eks';
import { parseMinor } from '../knowledge';
import { supportOf } from '../rules/parts/version-support';
import { clusterArgument, configArgument, isOfEksctl } from './commands';
import { decidedPlace } from './decided';
import type { Task } from './plan';
import { isByEks } from './route';

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
  const { view, from, to } = question;
  const { cluster, name } = view;
  const isOf = cluster === undefined ? ` of cluster ${name}, which the input doesn't declare,` : '';
  const target = {
    resource: cluster,
    source: cluster === undefined ? undefined : decidedPlace(cluster.version),
  };
  if (isByEks(from, to))
    return {
      phase: 'control-plane',
      level: 'must',
      text: `EKS takes the control plane${isOf} from ${from} to ${to} by itself: it supports none of the versions before ${to} any more. Whether it would take a request for one of them, AWS doesn't document; this plan asks for none. There is no way back.`,
      fix: `Go on when this says ${to}; once it says ${olderThan(to)}, you may ask for ${to} yourself.${
        cluster?.dialect.deployedBy === 'Terraform'
          ? ` Write what it says before the next \`apply\`, which would ask EKS to go back to ${from}.`
          : ''
      }`,
      code: {
        language: 'sh',
        text: `aws eks describe-cluster --name ${clusterArgument(view)} --query cluster.version`,
      },
      ...target,
    };
  return {
    phase: 'control-plane',
    level: 'must',
    text: `Update the control plane${isOf} from ${from} to ${to}.${wayBack(question)}`,
    ...(cluster !== undefined && isOfEksctl(cluster)
      ? {
          fix: `Write "${to}" in \`metadata.version\`, and run the command; without \`--approve\` it only tells what it would do.`,
          code: { language: 'sh', text: `eksctl upgrade cluster ${configArgument(cluster)} --approve` },
        }
      : {}),
    ...target,
  };
}

function olderThan(version: string): string {
  return `1.${(parseMinor(version) ?? 0) - 1}`;
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
