import { lazyTable, type Table } from './table';
import { compareVersions } from './versions';

/** An API version of a Kubernetes kind that the API server no longer serves. */
export interface RemovedApi {
  /** `policy/v1beta1` */
  readonly apiVersion: string;
  readonly kind: string;
  /** The first Kubernetes version without it, `1.25`. */
  readonly removedIn: string;
  /** What to write instead; undefined where nothing takes its place. */
  readonly use?: string;
  /** The Kubernetes version from which that is served; undefined where the guide doesn't say. */
  readonly since?: string;
}

interface RemovedApiTable extends Table {
  readonly knownTo: string;
  readonly apis: readonly RemovedApi[];
}

const load = lazyTable('removed-apis.json', (table: RemovedApiTable) => ({
  byName: new Map(table.apis.map((api) => [`${api.apiVersion} ${api.kind}`, api])),
}));

/** What is known of the end of an API version; undefined where the table knows of none, as for those of operators. */
export function removedApi(apiVersion: string, kind: string): RemovedApi | undefined {
  return load().byName.get(`${apiVersion} ${kind}`);
}

/** Whether it is known which API versions a Kubernetes version (`1.36`) removes. */
export function knowsRemovalsOf(minor: string): boolean {
  return compareVersions(minor, load().table.knownTo) <= 0;
}

/**
 * All that the table has.
 * @internal tests compare the whole table with its sources
 */
export function removedApis(): readonly RemovedApi[] {
  return load().table.apis;
}

/**
 * The day of the table of removed APIs, `YYYY-MM-DD`.
 * @internal tests compare the whole table with its sources
 */
export function removedApisAsOf(): string {
  return load().table.asOf;
}
