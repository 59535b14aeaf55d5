import { parseEmbedded } from '../../value/embedded-text';
import { type Data, dataAt, isDataMap, Known, type Source, Unknown } from '../../value';

/*
 * Charts that something in the cluster installs because an object of Kubernetes says so.
 * Sources: Flux, Helm API v2, HelmRelease; Argo CD, "Helm" and the API of Application.
 */

/** A chart as an object names it. */
export interface DeliveredChart {
  readonly chart: string;
  readonly version: Known<string> | Unknown;
  /** Unknown if any of them are elsewhere. */
  readonly values: Data;
  readonly release: string | undefined;
  readonly namespace: string | undefined;
}

/** The charts of a HelmRelease of Flux or an Application of Argo CD; none for other objects, and for charts of a repository of the user's own. */
export function deliveredCharts(object: Data, source: Source): readonly DeliveredChart[] {
  const version = dataAt(object, 'apiVersion');
  const kind = dataAt(object, 'kind');
  const group = typeof version === 'string' ? version.split('/')[0] : undefined;
  if (kind === 'HelmRelease' && group === 'helm.toolkit.fluxcd.io') return ofFlux(object, source);
  return kind === 'Application' && group === 'argoproj.io' ? ofArgo(object, source) : [];
}

function ofFlux(object: Data, source: Source): readonly DeliveredChart[] {
  const spec = dataAt(object, 'spec');
  const chart = dataAt(spec, 'chart', 'spec', 'chart');
  if (typeof chart !== 'string') return [];
  const name = textAt(object, 'metadata', 'name');
  const target = textAt(spec, 'targetNamespace');
  return [
    {
      chart,
      version: versionIn(dataAt(spec, 'chart', 'spec', 'version'), source),
      values: isEmpty(dataAt(spec, 'valuesFrom')) ? (dataAt(spec, 'values') ?? {}) : elsewhere(source),
      release: textAt(spec, 'releaseName') ?? (target === undefined || name === undefined ? name : `${target}-${name}`),
      namespace: target ?? textAt(object, 'metadata', 'namespace'),
    },
  ];
}

function ofArgo(object: Data, source: Source): readonly DeliveredChart[] {
  const spec = dataAt(object, 'spec');
  // Another server is another cluster.
  const server = dataAt(spec, 'destination', 'server') ?? dataAt(spec, 'destination', 'name');
  if (server !== undefined && server !== 'https://kubernetes.default.svc' && server !== 'in-cluster') return [];
  const several = dataAt(spec, 'sources');
  const sources = Array.isArray(several) ? (several as readonly Data[]) : [dataAt(spec, 'source')];
  return sources.flatMap((one): readonly DeliveredChart[] => {
    const chart = dataAt(one, 'chart');
    if (typeof chart !== 'string') return [];
    const helm = dataAt(one, 'helm');
    const elsewhereToo = ['valueFiles', 'fileParameters', 'parameters'].some((key) => !isEmpty(dataAt(helm, key)));
    return [
      {
        chart,
        version: versionIn(dataAt(one, 'targetRevision'), source),
        values: elsewhereToo ? elsewhere(source) : argoValues(helm, source),
        release: textAt(helm, 'releaseName') ?? textAt(object, 'metadata', 'name'),
        namespace: textAt(spec, 'destination', 'namespace'),
      },
    ];
  });
}

/** `valuesObject` wins over `values`, which is a text. */
function argoValues(helm: Data | undefined, source: Source): Data {
  const object = dataAt(helm, 'valuesObject');
  if (object !== undefined) return object;
  const text = dataAt(helm, 'values');
  if (text === undefined || text === '') return {};
  if (typeof text !== 'string' && !(text instanceof Unknown)) return elsewhere(source);
  const parsed = parseEmbedded(text instanceof Unknown ? text : new Known(text, source));
  return parsed.kind === 'parsed' && isDataMap(parsed.data) ? parsed.data : elsewhere(source);
}

/** One version, as opposed to a range of them or a branch. */
function versionIn(data: Data | undefined, source: Source): Known<string> | Unknown {
  if (typeof data === 'string' && /^v?\d+\.\d+\.\d+$/.test(data)) return new Known(data.replace(/^v/, ''), source);
  if (data instanceof Unknown) return data;
  const isWritten = typeof data === 'string' && data !== '';
  return new Unknown(
    isWritten ? `${data} may be any of several` : 'none is written, so that the newest one is installed',
    source,
  );
}

function elsewhere(source: Source): Unknown {
  return new Unknown('some of its values are elsewhere', source);
}

function isEmpty(data: Data | undefined): boolean {
  return data === undefined || data === null || (Array.isArray(data) && data.length === 0);
}

function textAt(data: Data | undefined, ...path: readonly string[]): string | undefined {
  const found = dataAt(data, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
