import { lazyTable, type Table } from './table';

/** A Kubernetes minor version on EKS. Dates are UTC days, `YYYY-MM-DD`; one that isn't known is missing. */
export interface KubernetesMinor {
  readonly version: string;
  readonly upstreamRelease?: string;
  readonly eksRelease?: string;
  /** Day on which standard support ends and extended support is billed. */
  readonly endStandard?: string;
  /** Day on which extended support ends; missing for versions that never had it too. */
  readonly endExtended?: string;
}

/** What a control plane costs an hour, in USD. */
interface HourlyPrice {
  readonly standard: string;
  readonly extended: string;
}

interface KubernetesVersionTable extends Table {
  readonly hourlyPrice: HourlyPrice;
  readonly versions: readonly KubernetesMinor[];
}

const load = lazyTable('kubernetes-versions.json', (table: KubernetesVersionTable) => ({
  byVersion: new Map(table.versions.map((minor) => [minor.version, minor])),
}));

/** All Kubernetes versions of the calendar, oldest first. */
export function kubernetesMinors(): readonly KubernetesMinor[] {
  return load().table.versions;
}

/** One Kubernetes version (`1.33`); undefined when the calendar doesn't have it. */
export function kubernetesMinor(version: string): KubernetesMinor | undefined {
  return load().byVersion.get(version);
}

/** What a control plane costs an hour in standard and in extended support, in USD as text: `0.10`. */
export function hourlyPrice(): HourlyPrice {
  return load().table.hourlyPrice;
}

/** The day of the calendar, `YYYY-MM-DD`. */
export function kubernetesMinorsAsOf(): string {
  return load().table.asOf;
}
