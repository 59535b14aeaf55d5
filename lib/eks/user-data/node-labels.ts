/**
 * Which labels a node may give itself. kubelet exits when `--node-labels` holds a reserved one, so that no node of the
 * group joins. Source: kubernetes/kubernetes, `staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go` and
 * `cmd/kubelet/app/options/options.go`.
 */

const ALLOWED_LABELS: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
]);

const ALLOWED_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const RESERVED_DOMAINS = ['kubernetes.io', 'k8s.io'];

/** Who keeps a label for itself: kubelet refuses it, or EKS writes it; undefined if it is free. */
export function labelReservedBy(key: string): 'kubelet' | 'eks' | undefined {
  const slash = key.indexOf('/');
  if (slash < 0) return undefined;
  const domain = key.slice(0, slash);
  if (isInDomain(domain, 'eks.amazonaws.com')) return 'eks';
  if (!RESERVED_DOMAINS.some((reserved) => isInDomain(domain, reserved))) return undefined;
  if (ALLOWED_LABELS.has(key) || ALLOWED_DOMAINS.some((allowed) => isInDomain(domain, allowed))) return undefined;
  return 'kubelet';
}

function isInDomain(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}

/** Stands for a part of a label key that is decided later. */
export const UNKNOWN_IN_LABEL = '\u0000';

/**
 * The same for a key of which parts aren't known, each shown as {@link UNKNOWN_IN_LABEL}; `unknown` if they decide on it.
 */
export function labelMaybeReservedBy(key: string): 'kubelet' | 'eks' | 'unknown' | undefined {
  const first = key.indexOf(UNKNOWN_IN_LABEL);
  if (first < 0) return labelReservedBy(key);
  const slash = key.indexOf('/');
  if (slash < 0) return 'unknown';
  if (slash < first) {
    const owner = labelReservedBy(key);
    const mayBeAllowed =
      owner === 'kubelet' && Array.from(ALLOWED_LABELS).some((allowed) => allowed.startsWith(key.slice(0, first)));
    return mayBeAllowed ? 'unknown' : owner;
  }
  // Of the domain, the end is known.
  const end = key.slice(key.slice(0, slash).lastIndexOf(UNKNOWN_IN_LABEL) + 1, slash);
  if (ALLOWED_DOMAINS.some((allowed) => end.endsWith(`.${allowed}`))) return undefined;
  const isElsewhere = [...RESERVED_DOMAINS, 'eks.amazonaws.com'].every(
    (reserved) => !reserved.endsWith(end) && !end.endsWith(`.${reserved}`),
  );
  return isElsewhere ? undefined : 'unknown';
}
