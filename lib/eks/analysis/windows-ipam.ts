import { parseSwitch } from '../networking/cni-settings';
import { alternativesOf, always, dataAt, Unknown, type Data, type Source, type When } from '../../value';
import type { ClusterView } from '../model/model';
import type { KubernetesManifest, KubernetesPatch } from '../model/resources';

/** The ConfigMap by which the VPC resource controller of EKS is told to give Windows pods addresses. */
const CONFIG_MAP = 'amazon-vpc-cni';
const KEY = 'enable-windows-ipam';

/**
 * Something other than the VPC CNI's own configuration that writes `enable-windows-ipam` into the ConfigMap
 * `kube-system/amazon-vpc-cni`. Source: aws/amazon-vpc-resource-controller-k8s, pkg/config/type.go.
 */
export interface WindowsIpamObject {
  readonly resource: KubernetesManifest | KubernetesPatch;
  /** Undefined when it isn't known. */
  readonly isOn: boolean | undefined;
  readonly source: Source;
  readonly when: When;
}

/** The manifests and patches that switch the addresses of Windows pods on or off. */
export function windowsIpamObjectsOf({ manifests, patches }: ClusterView): readonly WindowsIpamObject[] {
  return [
    ...manifests.flatMap((manifest) => {
      const { object } = manifest;
      if (
        dataAt(object, 'kind') !== 'ConfigMap' ||
        dataAt(object, 'metadata', 'name') !== CONFIG_MAP ||
        dataAt(object, 'metadata', 'namespace') !== 'kube-system'
      )
        return [];
      return written(manifest, object, always);
    }),
    ...patches.flatMap((patch) =>
      alternativesOf(patch.target).flatMap(({ when, value }) =>
        value.kind === 'known' && /^(?:configmaps?|cm)\/amazon-vpc-cni$/.test(value.value)
          ? written(patch, patch.patch, when)
          : [],
      ),
    ),
  ];
}

function written(resource: WindowsIpamObject['resource'], object: Data, given: When): readonly WindowsIpamObject[] {
  const value = dataAt(object, 'data', KEY);
  const when = resource.exists.and(given);
  if (value === undefined || value === null || when === undefined) return [];
  if (value instanceof Unknown) return [{ resource, isOn: undefined, source: value.source, when }];
  // What Go's ParseBool refuses counts as off.
  return [
    {
      resource,
      isOn: parseSwitch(typeof value === 'object' ? '' : String(value)) ?? false,
      source: resource.source,
      when,
    },
  ];
}
