import { dataAt, entriesOf, isDataMap, Unknown, type Data, type Source, type When } from '../value';
import { cniCasesOf } from './cni-cases';
import type { ClusterView } from './model';
import type { Addon, HelmRelease, KubernetesManifest, Subnet } from './resources';

/**
 * An `ENIConfig` (crd.k8s.amazonaws.com/v1alpha1): the subnet that pods of some nodes get their addresses from with custom networking.
 * Source: EKS user guide, "Deploy pods in alternate subnets with custom networking".
 */
export interface EniConfig {
  /** A manifest, or the CNI's own configuration values, whose `eniConfig.subnets` have the names as keys. */
  readonly resource: KubernetesManifest | Addon | HelmRelease;
  /** Which nodes it is for: usually the name of their availability zone. May hold `${…}`; unknown if nothing is known. */
  readonly name: string | Unknown;
  /** The subnet's id as written; undefined if none is. */
  readonly subnet: Data | undefined;
  /** The subnet, if the input holds it. */
  readonly target: Subnet | undefined;
  /** Ids of security groups as written; undefined if none are, so that the first interface's apply. */
  readonly securityGroups: Data | undefined;
  readonly source: Source;
  readonly when: When;
}

/** The ENIConfigs of a cluster that the input shows; worked out once. */
export function eniConfigsOf(view: ClusterView): readonly EniConfig[] {
  let found = known.get(view);
  if (found === undefined) {
    found = [...view.manifests.flatMap(fromManifest), ...fromValues(view)];
    known.set(view, found);
  }
  return found;
}

const known = new WeakMap<ClusterView, readonly EniConfig[]>();

function fromManifest(manifest: KubernetesManifest): readonly EniConfig[] {
  const { object, source, exists } = manifest;
  if (dataAt(object, 'kind') !== 'ENIConfig') return [];
  const subnet = dataAt(object, 'spec', 'subnet');
  const securityGroups = dataAt(object, 'spec', 'securityGroups');
  return [{ resource: manifest, name: nameOf(dataAt(object, 'metadata', 'name'), source), subnet, target: subnetOf(subnet), securityGroups, source, when: exists }];
}

/** `eniConfig: { create: true, region, subnets: { <name>: { id, securityGroups } } }`, which the add-on and the chart share. */
function fromValues(view: ClusterView): readonly EniConfig[] {
  return cniCasesOf(view).flatMap(({ resource, settings, source, when }): readonly EniConfig[] => {
    if (settings.switch('eniConfig.create').kind !== 'on') return [];
    const subnets = dataAt(settings.data, 'eniConfig', 'subnets');
    if (!isDataMap(subnets)) return [];
    return entriesOf(subnets).map(([name, value]): EniConfig => {
      const subnet = dataAt(value, 'id');
      return { resource, name, subnet, target: subnetOf(subnet), securityGroups: dataAt(value, 'securityGroups'), source, when };
    });
  });
}

function nameOf(name: Data | undefined, source: Source): string | Unknown {
  if (typeof name === 'string') return name;
  if (name instanceof Unknown) return name.text ?? name;
  return new Unknown('it has no name', source);
}

/** The subnet that a value refers to and nothing else. */
export function subnetOf(data: Data | undefined): Subnet | undefined {
  const resource = data instanceof Unknown ? data.reference?.resource : undefined;
  return isSubnet(resource) ? resource : undefined;
}

function isSubnet(resource: object | undefined): resource is Subnet {
  return resource !== undefined && 'kind' in resource && resource.kind === 'subnet';
}
