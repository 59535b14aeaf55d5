import { chartServiceAccount, chartServiceAccountNameAt, chartServiceAccountPaths } from '../../knowledge';
import { cases, type Data, dataAt, isDataMap, Known, type Plain, type Source, Unknown, type When } from '../../value';
import { deliveredCharts } from './delivered-charts';
import type { HelmRelease, KubernetesManifest } from '../model/resources';

/* The service accounts that Helm charts make by their values. */

/** What Flux or Argo CD installs by a manifest. */
export function chartsIn({ object, source }: KubernetesManifest): readonly ChartRelease[] {
  return deliveredCharts(object, source).map(({ chart, release, namespace, values }) => ({
    chart: new Known(chart, source),
    release: textOr(release, source),
    namespace: textOr(namespace, source),
    values,
  }));
}

function textOr(text: string | undefined, source: Source): Known<string> | Unknown {
  return text === undefined ? new Unknown('it is not written', source) : new Known(text, source);
}

export type ChartRelease = Pick<HelmRelease, 'chart' | 'namespace' | 'release' | 'values'>;

/** A service account that a chart makes by its values. */
export interface ReleaseAccount {
  readonly settings: Data;
  readonly name: Data | undefined;
  /** Its name in older versions of the chart, if that is another one. */
  readonly older: string | undefined;
  /** Its namespace; null where that isn't known. */
  readonly place: string | null;
  readonly when: When;
  /** Why its name isn't known. */
  readonly open: string | undefined;
  /** Why the chart may not make it. */
  readonly unsure: string | undefined;
  /** Why its pods may do without a role where others use it. @default - they need it */
  readonly dispensable?: string;
}

export function* releaseAccounts(release: ChartRelease): Generator<ReleaseAccount> {
  const accounts = serviceAccountsIn(release.values);
  if (accounts.length === 0) return;
  for (const { when, values } of cases({ namespace: release.namespace, chart: release.chart, name: release.release })) {
    // Some charts can be told to install into another namespace than that of the release.
    const moved = [dataAt(release.values, 'namespaceOverride'), dataAt(release.values, 'namespace')].some(
      (data) => data !== undefined && data !== null && data !== '',
    );
    const { namespace } = values;
    const place =
      moved || namespace.kind === 'unknown' ? null : namespace.kind === 'known' ? namespace.value : 'default';
    for (const { path, settings } of accounts) {
      const create = dataAt(settings, 'create');
      // A chart that creates no service account leaves its annotations out.
      if (create === false) continue;
      const unread = unreadPath(values.chart, path);
      const unsure = create instanceof Unknown ? 'whether the chart creates the service account is not known' : unread;
      const written = dataAt(settings, 'name');
      const byChart = nameByChart(values.chart, values.name, path, release.values);
      const isWritten = written !== undefined && written !== null && written !== '';
      const isOlder = typeof written === 'string' && isWritten && hasOlderName(values.chart, path);
      const name = isWritten && !isOlder ? written : byChart;
      const older = isOlder && written !== byChart ? written : undefined;
      const open = name === undefined ? unread : undefined;
      const dispensable = dispensableIn(values.chart);
      yield { settings, name, older, place, when, open, unsure, ...(dispensable === undefined ? {} : { dispensable }) };
    }
  }
}

/**
 * External Secrets takes the role of its own pods for stores that name no service account.
 * Source: external-secrets/external-secrets, docs/provider/aws-access.md.
 */
function dispensableIn(chart: Plain<string>): string | undefined {
  return chart.kind === 'known' && chartNameOf(chart.value) === 'external-secrets'
    ? 'the stores of External Secrets may all name a service account, and its own pods then need no role'
    : undefined;
}

/** Whether newer versions of a chart have the name elsewhere among the settings, with a default that wins over the one that older ones take. */
function hasOlderName(chart: Plain<string>, path: readonly string[]): boolean {
  const name = chart.kind === 'known' ? chartNameOf(chart.value) : undefined;
  return name !== undefined && chartServiceAccountNameAt(name, path) !== undefined;
}

/** The name that a chart gives to a service account that nobody named. */
export function nameByChart(
  chart: Plain<string>,
  release: Plain<string>,
  path: readonly string[],
  values: Data,
): string | undefined {
  const chartName = chart.kind === 'known' ? chartNameOf(chart.value) : undefined;
  const newer = chartName === undefined ? undefined : chartServiceAccountNameAt(chartName, path);
  const given = newer === undefined ? undefined : dataAt(values, ...path, ...newer);
  if (given !== undefined && given !== null && given !== '') return typeof given === 'string' ? given : undefined;
  const name = chartName === undefined ? undefined : chartServiceAccount(chartName, path);
  return name === 'fullname' && chartName !== undefined ? fullName(chartName, release, values) : name;
}

/** The chart that a name or address is of. One of a directory may be any. */
export function chartNameOf(chart: string): string | undefined {
  return /^(?![./])(?:.*\/)?([^/]+)$/.exec(chart)?.[1];
}

/**
 * Why a chart may not read the settings of a service account: charts drop values that they don't know. All by themselves have one at
 * `serviceAccount`, and a chart among others below its own name; where else, only a table tells.
 */
function unreadPath(chart: Plain<string>, path: readonly string[]): string | undefined {
  if (chart.kind !== 'known') return undefined;
  const name = chartNameOf(chart.value);
  const known = name === undefined ? [] : chartServiceAccountPaths(name);
  const [part = '', ...rest] = path;
  if (known.includes(path.join('.')) || chartServiceAccountPaths(part).includes(rest.join('.'))) return undefined;
  if (known.length === 0 && rest.length === 0) return undefined;
  const list = known.length === 0 ? '' : ` (known of it: ${known.map((one) => `\`${one}\``).join(', ')})`;
  return `whether chart ${name ?? chart.value} makes a service account of the values at \`${path.join('.')}\` is not known${list}`;
}

/** As Helm's template for new charts puts it together, and most charts with it. */
function fullName(chart: string, release: Plain<string>, values: Data): string | undefined {
  const whole = dataAt(values, 'fullnameOverride') ?? '';
  const part = dataAt(values, 'nameOverride') ?? '';
  if (typeof whole !== 'string' || typeof part !== 'string') return undefined;
  if (whole !== '') return shortened(whole);
  if (release.kind !== 'known') return undefined;
  const name = part === '' ? chart : part;
  return shortened(release.value.includes(name) ? release.value : `${release.value}-${name}`);
}

function shortened(name: string): string {
  return name.slice(0, 63).replace(/-$/, '');
}

/** Deeper than charts put their service accounts. */
const MOST_STEPS = 6;

/** The settings of service accounts among values: what stands under `serviceAccount`. */
export function serviceAccountsIn(
  data: Data | undefined,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly settings: Data }[] {
  if (!isDataMap(data) || path.length > MOST_STEPS) return [];
  return Object.entries(data).flatMap(([key, value]) => {
    const inner = [...path, key];
    const below = serviceAccountsIn(value, inner);
    return key === 'serviceAccount' && isDataMap(value) ? [{ path: inner, settings: value }, ...below] : below;
  });
}
