import {
  kubernetesMinor,
  kubernetesMinors,
  kubernetesMinorsAsOf,
  parseMinor,
  type KubernetesMinor,
} from '../knowledge';
import { supportOf } from '../rules/parts/version-support';
import { capitalized } from '../text/in-words';

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
  const minor = listed(target, '--to', asOf);
  if (!isReleased(minor, asOf))
    throw new UpgradeError(`${notReleased(minor, asOf)}; ${accepted(asOf).replace(/^it takes/, '--to takes')}`);
  const { endExtended = minor.endStandard } = minor;
  if (endExtended !== undefined && endExtended <= asOf)
    throw new UpgradeError(
      `--to is ${target}, whose support on EKS ended on ${endExtended}: EKS updates no cluster to it any more; ${accepted(asOf)}`,
    );
  return target;
}

/**
 * The version that a cluster has, as a user says it.
 * @throws UpgradeError for what EKS has never had by that day
 */
export function startVersion(version: string, asOf: string): string {
  const minor = listed(version, '--from', asOf);
  if (minor.eksRelease !== undefined && minor.eksRelease > asOf) throw new UpgradeError(notReleased(minor, asOf));
  return version;
}

/**
 * The versions that a control plane goes through, without the one that it has. Through those that EKS doesn't support any more it goes by EKS's own
 * doing, which is one step: no cluster can be created with them, and whether an update to one can be asked for isn't documented. Source: EKS user guide, "Kubernetes versions".
 */
export function stepsBetween(from: string, to: string, asOf: string): readonly string[] {
  const [first, last] = [parseMinor(from) ?? 0, parseMinor(to) ?? 0];
  const all = Array.from({ length: Math.max(0, last - first) }, (_, index) => `1.${first + index + 1}`);
  return all.filter((version) => version === to || supportOf(version, asOf).kind !== 'ended');
}

/** Whether EKS alone can make a step, because it would take more than one by request. */
export function isByEks(from: string, to: string): boolean {
  return (parseMinor(to) ?? 0) - (parseMinor(from) ?? 0) > 1;
}

/** What `--to` takes on a day, as the end of a sentence. */
function accepted(asOf: string): string {
  const supported = kubernetesMinors().filter(
    (minor) => isReleased(minor, asOf) && (minor.endExtended ?? minor.endStandard ?? '9') > asOf,
  );
  const [first, last] = [supported[0]?.version, supported.at(-1)?.version];
  return first === undefined || last === undefined
    ? `the calendar (of ${kubernetesMinorsAsOf()}) has no version that EKS supports on ${asOf}`
    : `it takes ${first} to ${last}, ${TARGETS.join(' and ')}`;
}

function listed(version: string, option: string, asOf: string): KubernetesMinor {
  const minor = parseMinor(version);
  if (minor === undefined)
    throw new UpgradeError(
      `${option} is "${version}", which is no Kubernetes version; ${option === '--to' ? accepted(asOf) : 'one looks like 1.34'}`,
    );
  const row = kubernetesMinor(version);
  if (row !== undefined) return row;
  const all = kubernetesMinors();
  const [oldest, newest] = [all[0]?.version ?? '', all.at(-1)?.version ?? ''];
  if (minor > (parseMinor(newest) ?? 0))
    throw new UpgradeError(
      `${option} is ${version}, and the calendar (of ${kubernetesMinorsAsOf()}) ends with ${newest}; a newer eks-guardrails may know it${option === '--to' ? `. ${capitalized(accepted(asOf))}` : ''}`,
    );
  throw new UpgradeError(
    `${option} is ${version}, and the calendar begins with ${oldest}: EKS has none so old any more${option === '--to' ? `; ${accepted(asOf)}` : ''}`,
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
