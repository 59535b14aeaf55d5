import { alternativesOf, casesOf, dataAt, except, launchTemplateOf, Unknown, type ClusterView, type Data, type NodeGroup, type Resource, type Source, type When } from '../../model';

/*
 * Drivers that come from elsewhere than the AMI: the NVIDIA GPU operator installs them by a DaemonSet, user data by a script.
 * Source: NVIDIA GPU Operator, "Common Chart Customization Options", driver.enabled.
 */

/** A case in which nothing that can be seen brings the driver, or in which that can't be told. */
export interface DriverCase {
  readonly when: When;
  /** Why it can't be told; undefined if nothing brings the driver. */
  readonly doubt: { readonly reason: string; readonly source: Source } | undefined;
}

/** The cases, under an assumption, in which the driver of an accelerator isn't brought to a node group by anything but its AMI. */
export function casesWithoutDriver(nodeGroup: NodeGroup, view: ClusterView, accelerator: 'nvidia' | 'neuron', when: When): readonly DriverCase[] {
  const cases = accelerator === 'nvidia' ? casesWithoutOperator(nodeGroup, view, when) : [{ when, doubt: undefined }];
  return cases.flatMap((one) => (one.doubt === undefined ? casesOfUserData(nodeGroup, one.when) : [one]));
}

function casesWithoutOperator(nodeGroup: NodeGroup, view: ClusterView, when: When): readonly DriverCase[] {
  let rest: readonly When[] = [when];
  let doubt: DriverCase['doubt'];
  for (const { resource, driverEnabled } of operatorsOf(view)) {
    // The operator's own default is on; Helm reads text as on unless it is empty.
    if (driverEnabled === false) continue;
    if (driverEnabled instanceof Unknown) {
      doubt ??= { reason: `whether the GPU operator "${resource.id}" installs drivers isn't known: ${driverEnabled.reason}`, source: driverEnabled.source };
    } else {
      rest = except(rest, resource.exists).filter((one) => nodeGroup.exists.and(one) !== undefined);
    }
  }
  return rest.map((one) => ({ when: one, doubt }));
}

/** The GPU operators of a cluster, with what they are told about drivers; a chart as well as the operator's own ClusterPolicy. */
function* operatorsOf(view: ClusterView): Generator<{ resource: Resource; driverEnabled: Data | undefined }> {
  for (const release of view.helmReleases) {
    // `oci://…/gpu-operator` and `nvidia/gpu-operator` name the same chart.
    const isOperator = alternativesOf(release.chart).some(({ value }) => value.kind === 'known' && value.value.split('/').at(-1) === 'gpu-operator');
    if (isOperator) yield { resource: release, driverEnabled: dataAt(release.values, 'driver', 'enabled') };
  }
  for (const manifest of view.manifests) {
    const version = dataAt(manifest.object, 'apiVersion');
    if (dataAt(manifest.object, 'kind') !== 'ClusterPolicy' || typeof version !== 'string' || !version.startsWith('nvidia.com/')) continue;
    yield { resource: manifest, driverEnabled: dataAt(manifest.object, 'spec', 'driver', 'enabled') };
  }
}

/** Packages and installers of the drivers; not the device plugin's, nor node labels such as `nvidia.com/gpu`. */
const DRIVER_INSTALLATION = /nvidia-(?:driver|open|linux|release|kmod|dkms)|kmod-nvidia|cuda-drivers|neuronx?-dkms/i;

function casesOfUserData(nodeGroup: NodeGroup, given: When): readonly DriverCase[] {
  return casesOf(nodeGroup, { template: launchTemplateOf(nodeGroup) }, given).flatMap(({ when, values: { template } }): readonly DriverCase[] => {
    if (template.kind === 'absent') return [{ when, doubt: undefined }];
    if (template.kind === 'unknown') {
      return [{ when, doubt: { reason: `whether its user data installs a driver isn't known: ${template.reason}`, source: template.source } }];
    }
    return casesOf(nodeGroup, { userData: template.value.userData }, when).map((one): DriverCase => {
      const { userData } = one.values;
      switch (userData.kind) {
        case 'absent':
          return { when: one.when, doubt: undefined };
        case 'unknown':
          return { when: one.when, doubt: { reason: `whether its user data installs a driver isn't known: ${userData.reason}`, source: userData.source } };
        case 'known': {
          if (!DRIVER_INSTALLATION.test(userData.value.text.text)) return { when: one.when, doubt: undefined };
          return { when: one.when, doubt: { reason: 'its user data seems to install a driver itself', source: userData.source } };
        }
      }
    });
  });
}
