import { lazyTable, type Table } from './table';

/** The service accounts as which the pods of an add-on call AWS. */
export interface AddonServiceAccounts {
  /** Where EKS installs the add-on unless told otherwise. */
  readonly namespace: string;
  readonly accounts: readonly string[];
  /** No configuration value renames them. @default - one might */
  readonly fixed?: true;
}

interface ServiceAccountTable extends Table {
  readonly addons: readonly (AddonServiceAccounts & { readonly addon: string })[];
  readonly addonsWithoutAwsCalls: readonly string[];
  /** `path` leads to the settings of the service account among the chart's values; without `name`, what it is called by default isn't known here. */
  readonly charts: readonly {
    readonly chart: string;
    readonly path: string;
    readonly name?: string;
    readonly nameAt?: string;
  }[];
}

const load = lazyTable('service-accounts.json', (table: ServiceAccountTable) => ({
  addons: new Map(table.addons.map((one) => [one.addon, one])),
  withoutAwsCalls: new Set(table.addonsWithoutAwsCalls),
  charts: new Map(table.charts.map(({ chart, path, name }) => [`${chart} ${path}`, name])),
  namesAt: new Map(table.charts.flatMap(({ chart, path, nameAt }) => (nameAt ? [[`${chart} ${path}`, nameAt]] : []))),
}));

/** Undefined for add-ons whose service accounts aren't known here. */
export function addonServiceAccounts(addon: string): AddonServiceAccounts | undefined {
  return load().addons.get(addon);
}

/** Whether the pods of an add-on surely need no role. */
export function callsNoAws(addon: string): boolean {
  return load().withoutAwsCalls.has(addon);
}

/** What a chart calls its service account unless told otherwise: a name, or `fullname` for the full name of the release; undefined if that isn't known here. */
export function chartServiceAccount(chart: string, path: readonly string[]): string | undefined {
  return load().charts.get(`${chart} ${path.join('.')}`);
}

/** Where below `path` newer versions of a chart have the name of the service account, which wins over `name` there; undefined if `name` is all that counts. */
export function chartServiceAccountNameAt(chart: string, path: readonly string[]): readonly string[] | undefined {
  return load()
    .namesAt.get(`${chart} ${path.join('.')}`)
    ?.split('.');
}

/** Where among its values a chart is known to have the settings of service accounts. */
export function chartServiceAccountPaths(chart: string): readonly string[] {
  return [...load().charts.keys()].flatMap((key) => (key.startsWith(`${chart} `) ? [key.slice(chart.length + 1)] : []));
}
