import type { ClusterPlace, Resource } from '../../../value';
import { codeInCall } from './module-call';
import { withCluster } from './references';
import { codeInTypeScript } from './typescript';

/** Code of a fix as a configuration has it where the resource is written; undefined where that says it in another way. */
export function codeInConfiguration(code: string, resource: Resource, cluster: () => ClusterPlace): string | undefined {
  const own = withCluster(code, resource, cluster);
  return own === undefined || resource.moduleInputs === undefined ? own : codeInCall(own, resource);
}

/** The same in an app of CDKTF or CDK Terrain. */
export function codeInApp(code: string, resource: Resource, cluster: () => ClusterPlace): string | undefined {
  const own = codeInConfiguration(code, resource, cluster);
  return own === undefined || resource.moduleInputs !== undefined
    ? undefined
    : codeInTypeScript(own, resource, cluster);
}
