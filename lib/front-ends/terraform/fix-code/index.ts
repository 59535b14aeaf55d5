import type { ClusterPlace, Resource } from '../../../value';
import { withOwnValues } from './configuration-values';
import { codeInCall } from './module-call';
import { isFitting } from './fitting';
import { withCluster, withRole } from './references';
import { codeInTypeScript } from './typescript';

/** Code of a fix as a configuration has it where the resource is written; undefined where that says it in another way. */
export function codeInConfiguration(code: string, resource: Resource, cluster: () => ClusterPlace): string | undefined {
  const values = withOwnValues(code, resource);
  const own = values === undefined ? undefined : withCluster(withRole(values, resource), resource, cluster);
  if (own === undefined || !isFitting(own, resource, cluster)) return undefined;
  return resource.moduleInputs === undefined ? own : codeInCall(own, resource);
}

/** The same in an app of CDKTF or CDK Terrain. */
export function codeInApp(code: string, resource: Resource, cluster: () => ClusterPlace): string | undefined {
  const own = codeInConfiguration(code, resource, cluster);
  if (own === undefined || !isFitting(own, resource, cluster)) return undefined;
  return resource.moduleInputs !== undefined ? undefined : codeInTypeScript(own, resource, cluster);
}
