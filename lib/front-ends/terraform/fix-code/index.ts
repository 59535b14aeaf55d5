import type { ClusterPlace, Resource } from '../../../value';
import { besideChartValues, withOwnValues } from './configuration-values';
import { codeInCall } from './module-call';
import { isFitting } from './fitting';
import { forOneKey } from './one-key';
import { withOwnChoice } from './own-choice';
import { withOwnMetadata } from './own-metadata';
import { besideDocument, withCluster, withFreeNames, withNameAnew, withOwnPlace, withRole } from './references';
import { codeInTypeScript } from './typescript';

export { codeAtLine, codeWhereDecided } from './where-decided';

/** Code of a fix as a configuration has it where the resource is written; undefined where that says it in another way. */
export function codeInConfiguration(code: string, resource: Resource, cluster: () => ClusterPlace): string | undefined {
  const chosen = withOwnChoice(code, resource);
  if (chosen === undefined) return undefined;
  const metadata = withOwnMetadata(forOneKey(besideChartValues(chosen, resource), resource), resource);
  const values = metadata === undefined ? undefined : withOwnValues(metadata, resource);
  const ofRole = values === undefined ? undefined : withRole(values, resource, cluster);
  const own = ofRole === undefined ? undefined : withCluster(ofRole, resource, cluster);
  if (own === undefined || !isFitting(own, resource, cluster)) return undefined;
  if (resource.moduleInputs !== undefined) return codeInCall(own, resource);
  const placed = withNameAnew(withOwnPlace(besideDocument(own, resource), resource), resource);
  return withFreeNames(placed, resource, cluster);
}

/** The same in an app of CDKTF or CDK Terrain. */
export function codeInApp(
  code: string,
  resource: Resource,
  cluster: () => ClusterPlace,
  library: 'cdktf' | 'cdktn',
): string | undefined {
  const own = codeInConfiguration(code, resource, cluster);
  if (own === undefined || !isFitting(own, resource, cluster)) return undefined;
  return resource.moduleInputs === undefined ? codeInTypeScript(own, resource, cluster, library) : undefined;
}
