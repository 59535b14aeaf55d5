import {
  kubernetesMinor,
  kubernetesMinors,
  kubernetesMinorsAsOf,
  parseMinor,
  type KubernetesMinor,
} from '../knowledge';

/** A request for an upgrade that can't be planned; the message is for the user. */
export class UpgradeError extends Error {
  override readonly name = 'UpgradeError';
}

/** What `--to` takes besides a version. */
export const TARGETS = ['latest', 'standard'] as const;

/**
 * The version that an upgrade is to reach.
 * @param target a version such as `1.34`; `latest`, the newest that EKS has; `standard`, the oldest in standard support
 * @throws UpgradeError for what EKS doesn't have on the day
 */
export function targetVersion(target: string, asOf: string): string {
  if (target === 'latest' || target === 'standard') {
    const offered = kubernetesMinors().filter(
      (minor) => isReleased(minor, asOf) && (minor.endStandard === undefined || minor.endStandard > asOf),
    );
    const found = target === 'latest' ? offered.at(-1) : offered[0];
    if (found === undefined)
      throw new UpgradeError(
        `on ${asOf} no Kubernetes version of the calendar (of ${kubernetesMinorsAsOf()}) is in standard support on EKS; name one with --to`,
      );
    return found.version;
  }
  const minor = listed(target, '--to');
  if (!isReleased(minor, asOf)) throw new UpgradeError(notReleased(minor, asOf));
  const { endExtended = minor.endStandard } = minor;
  if (endExtended !== undefined && endExtended <= asOf)
    throw new UpgradeError(
      `--to is ${target}, whose support on EKS ended on ${endExtended}: EKS updates no cluster to it any more`,
    );
  return target;
}

/**
 * The version that a cluster has, as a user says it.
 * @throws UpgradeError for what EKS has never had by that day
 */
export function startVersion(version: string, asOf: string): string {
  const minor = listed(version, '--from');
  if (minor.eksRelease !== undefined && minor.eksRelease > asOf) throw new UpgradeError(notReleased(minor, asOf));
  return version;
}

/** The versions that a control plane goes through, without the one that it has. */
export function stepsBetween(from: string, to: string): readonly string[] {
  const [first, last] = [parseMinor(from) ?? 0, parseMinor(to) ?? 0];
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => `1.${first + index + 1}`);
}

function listed(version: string, option: string): KubernetesMinor {
  const minor = parseMinor(version);
  if (minor === undefined)
    throw new UpgradeError(
      `${option} is "${version}", which is no Kubernetes version; one looks like 1.34${option === '--to' ? `, and ${TARGETS.join(' and ')} are known too` : ''}`,
    );
  const row = kubernetesMinor(version);
  if (row !== undefined) return row;
  const all = kubernetesMinors();
  const [oldest, newest] = [all[0]?.version ?? '', all.at(-1)?.version ?? ''];
  if (minor > (parseMinor(newest) ?? 0))
    throw new UpgradeError(
      `${option} is ${version}, and the calendar (of ${kubernetesMinorsAsOf()}) ends with ${newest}; a newer eks-guardrails may know it`,
    );
  throw new UpgradeError(
    `${option} is ${version}, and the calendar begins with ${oldest}: EKS has none so old any more`,
  );
}

function isReleased({ eksRelease }: KubernetesMinor, asOf: string): boolean {
  return eksRelease !== undefined && eksRelease <= asOf;
}

function notReleased({ version, eksRelease }: KubernetesMinor, asOf: string): string {
  return eksRelease === undefined
    ? `the calendar (of ${kubernetesMinorsAsOf()}) has no date on which EKS got Kubernetes ${version}, so nothing can be planned for it`
    : `EKS got Kubernetes ${version} on ${eksRelease}, which is after ${asOf}, the day that is planned for`;
}
