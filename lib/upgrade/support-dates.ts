import type { Cluster, ClusterView, Plain } from '../eks';
import { hourlyPrice } from '../knowledge';
import { clusterArgument } from './commands';
import { nearDay, oldestSupported, supportOf, type Support } from '../rules/parts/version-support';

/** Hours of an average month: 365 days of 24 hours by 12. */
const HOURS_OF_A_MONTH = 730;

/** How long EKS supports a version, in a few words. */
export function shortText(support: Support): string {
  switch (support.kind) {
    case 'standard':
      return `standard support until ${support.until}`;
    case 'extended':
      return `extended support until ${support.until}`;
    case 'ended':
      return `support ended ${support.ended}`;
    case 'unknown':
    case 'none':
      return 'its dates are not known';
  }
}

/** Support of a version on a day for a cluster, which with the support type `STANDARD` gets no extended one. Source: EKS API, UpgradePolicyRequest. */
export function supportFor(cluster: Cluster | undefined, version: string, asOf: string): Support {
  const support = supportOf(version, asOf);
  const isStandard = cluster?.supportType.kind === 'known' && cluster.supportType.value === 'STANDARD';
  return isStandard && support.kind === 'extended'
    ? { kind: 'ended', ended: `on ${support.since}, for the support type STANDARD` }
    : support;
}

/** What is known of a cluster that stays. */
interface Staying {
  /** The day that is planned for. */
  readonly asOf: string;
  readonly supportType: Plain<string> | undefined;
  /** Somebody says which version it has, and not only the input. */
  readonly isGiven: boolean;
  readonly view: ClusterView;
}

/** What it means to stay at a version, as sentences. */
export function stayingAt(version: string, { asOf, supportType, isGiven, view }: Staying): readonly string[] {
  const support = supportOf(version, asOf);
  const isStandard = supportType?.kind === 'known' && supportType.value === 'STANDARD';
  const oldest = oldestSupported(asOf);
  const doubt = isGiven
    ? []
    : [
        `So it may have a newer one by now than the input says: \`aws eks describe-cluster --name ${clusterArgument(view)} --query cluster.version\` tells, and --from takes it.`,
      ];
  switch (support.kind) {
    case 'ended':
      return [
        `Support of Kubernetes ${version} ended ${support.ended}: EKS updates the control plane by itself, without notice, to the oldest version that it supports${oldest === undefined ? '' : `, which is ${oldest} on ${asOf}`}, and neither nodes nor add-ons.`,
        ...doubt,
      ];
    case 'extended':
      // Source: EKS user guide, "View current cluster upgrade policy".
      if (isStandard)
        return [
          `Standard support of Kubernetes ${version} ended on ${support.since}, and the support type of the cluster is STANDARD: since then EKS updates the control plane by itself, and neither nodes nor add-ons.`,
          ...doubt,
        ];
      return [
        `Kubernetes ${version} is in extended support since ${support.since}, which ends on ${nearDay(support.until, support.days)}: then EKS updates the control plane by itself, and neither nodes nor add-ons.`,
        costs('Until then'),
      ];
    case 'standard':
      return [
        `Kubernetes ${version} is in standard support until ${nearDay(support.until, support.days)}.`,
        isStandard
          ? 'Its support type is STANDARD: on that day EKS updates the control plane by itself.'
          : costs('From then on'),
      ];
    case 'unknown':
      return [`What EKS does for Kubernetes ${version} isn't known: ${support.reason}.`];
    case 'none':
      return [];
  }
}

function costs(when: string): string {
  const { standard, extended } = hourlyPrice();
  const more = Math.round((Number(extended) - Number(standard)) * HOURS_OF_A_MONTH);
  return `${when} a control plane costs ${extended} instead of ${standard} USD an hour, about ${more} USD more a month; that is the list price, which may differ in your region.`;
}
