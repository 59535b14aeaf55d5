import { dataAt, objectsOf, type ClusterView } from '../../../eks';
import { compareVersions, parseMinor, removedApi } from '../../../knowledge';
import { inWords } from '../../../text/in-words';

/** Objects that are named one by one. */
const MOST = 12;

/**
 * What a summary says of objects in API versions that a newer Kubernetes doesn't serve any more, and the one of now does: they are written in another one
 * before. Nothing where there are none.
 */
export function objectsToRewrite(view: ClusterView, version: string, target: string): string {
  if (parseMinor(version) === undefined) return '';
  const names = new Set<string>();
  const apis = new Set<string>();
  for (const { object, name } of objectsOf(view)) {
    const [apiVersion, kind] = [dataAt(object, 'apiVersion'), dataAt(object, 'kind')];
    const api = typeof apiVersion === 'string' && typeof kind === 'string' ? removedApi(apiVersion, kind) : undefined;
    const isServed = api !== undefined && compareVersions(version, api.removedIn) < 0;
    if (!isServed || compareVersions(target, api.removedIn) < 0 || api.use === undefined) continue;
    names.add(`${api.kind} "${name}" in \`${api.use}\``);
    apis.add(`\`${api.apiVersion}\``);
  }
  if (names.size === 0) return '';
  return ` Write ${inWords([...names], MOST)} before: Kubernetes ${target} no longer serves ${inWords([...apis])}.`;
}
