import { alternativesOf, type ClusterView, type Plain, type When } from '../../eks';
import {
  kubernetesMinor,
  kubernetesMinors,
  kubernetesMinorsAsOf,
  parseMinor,
  type KubernetesMinor,
} from '../../knowledge';
import { daysBetween } from '../../text/day';

/** What EKS does for a Kubernetes version on a day. Days are UTC, `YYYY-MM-DD`. */
export type Support =
  /** No version: it isn't written like one, or EKS has never had it. */
  | { readonly kind: 'none' }
  /** The calendar doesn't say. */
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'standard'; readonly until: string; readonly days: number }
  | { readonly kind: 'extended'; readonly since: string; readonly until: string; readonly days: number }
  /** `ended` is a part of a sentence: "on 2026-07-23". */
  | { readonly kind: 'ended'; readonly ended: string };

/** The first Kubernetes version on EKS, 1.10. */
const FIRST = 10;

/** How long before the end of standard support it is time to plan, in days. */
export const SOON = 60;

/** Why nothing can be said of the support of a local cluster's version, if it is one. */
export function outpostDoubt(onOutpost: Plain<boolean>): string | undefined {
  if (onOutpost.kind === 'absent') return undefined;
  return onOutpost.kind === 'unknown'
    ? `whether it runs on an Outpost isn't known: ${onOutpost.reason}`
    : 'local clusters on Outposts have versions and dates of their own';
}

/** Support of a version (`1.33`) on a day. Both kinds of support end with the first moment of their last day: extended support is billed from then on, and EKS updates clusters from then on. */
export function supportOf(version: string, today: string): Support {
  const minor = parseMinor(version);
  if (minor === undefined || minor < FIRST) return { kind: 'none' };
  const row = kubernetesMinor(version);
  if (row === undefined) return unlisted(version, minor);
  const { endStandard, endExtended = endStandard } = row;
  if (endStandard === undefined || endExtended === undefined)
    return {
      kind: 'unknown',
      reason: `the calendar of ${kubernetesMinorsAsOf()} has no dates for Kubernetes ${version}`,
    };
  if (today >= endExtended) return { kind: 'ended', ended: `on ${endExtended}` };
  return today >= endStandard
    ? { kind: 'extended', since: endStandard, until: endExtended, days: daysBetween(today, endExtended) }
    : { kind: 'standard', until: endStandard, days: daysBetween(today, endStandard) };
}

/** Whether EKS has ended its support of a version: AWS publishes AMIs of no system for it any more. */
export function hasEnded(minor: number | undefined, today: string): boolean {
  return minor !== undefined && supportOf(`1.${minor}`, today).kind === 'ended';
}

/** Whether the cluster itself has a version that EKS no longer supports, for `cluster-version-support` to tell. */
export function clusterHasEnded({ cluster }: ClusterView, when: When, today: string): boolean {
  return (
    cluster !== undefined &&
    alternativesOf(cluster.version).every(
      ({ when: given, value }) =>
        when.and(given) === undefined || (value.kind === 'known' && hasEnded(parseMinor(value.value), today)),
    )
  );
}

/** The oldest version that EKS still supports on a day, to which it updates older clusters; undefined if the calendar has none. */
export function oldestSupported(today: string): string | undefined {
  const isSupported = (version: string): boolean => /^(?:standard|extended)$/.test(supportOf(version, today).kind);
  return kubernetesMinors().find(({ version }) => isSupported(version))?.version;
}

/** The newest version whose standard support lasts longest, to update to in the end. */
export function newestSupported(today: string): string | undefined {
  const supported = kubernetesMinors().filter(
    ({ endStandard, eksRelease }) =>
      endStandard !== undefined && endStandard > today && eksRelease !== undefined && eksRelease <= today,
  );
  return supported.at(-1)?.version;
}

function unlisted(version: string, minor: number): Support {
  const [oldest]: readonly KubernetesMinor[] = kubernetesMinors();
  const first = oldest === undefined ? undefined : parseMinor(oldest.version);
  if (oldest?.endStandard !== undefined && first !== undefined && minor < first)
    return { kind: 'ended', ended: `before ${oldest.endStandard}` };
  return { kind: 'unknown', reason: `the calendar of ${kubernetesMinorsAsOf()} doesn't have Kubernetes ${version}` };
}

/** A day that is near says so: "2026-11-26, in 4 days". */
export function nearDay(day: string, days: number): string {
  return days > SOON ? day : `${day}, ${inDays(days)}`;
}

/** "in 11 days". */
export function inDays(days: number): string {
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}
