import {
  alternativesOf,
  casesOf,
  dataAt,
  launchTemplateOf,
  Unknown,
  type ClusterView,
  type Data,
  type NodeGroup,
  type Resource,
  type Source,
  type When,
} from '../../../eks';

/*
 * Drivers that come from elsewhere than the AMI: user data can install them by a script. The NVIDIA GPU operator has no driver images for
 * Amazon Linux and Bottlerocket, unless somebody builds them.
 * Source: NVIDIA/gpu-operator#227 and #946; NVIDIA GPU Operator, "Common Chart Customization Options", driver.repository and driver.image.
 */

/** A case in which nothing that can be seen brings the driver, or in which that can't be told. */
export interface DriverCase {
  readonly when: When;
  /** Why it can't be told; undefined if nothing brings the driver. */
  readonly doubt: { readonly reason: string; readonly source: Source } | undefined;
}

/** The cases, under an assumption, in which the driver of an accelerator isn't brought to a node group by anything but its AMI. */
export function casesWithoutDriver(
  nodeGroup: NodeGroup,
  view: ClusterView,
  accelerator: 'nvidia' | 'neuron',
  when: When,
): readonly DriverCase[] {
  const cases = accelerator === 'nvidia' ? casesWithoutOperator(nodeGroup, view, when) : [{ when, doubt: undefined }];
  return cases.flatMap((one) => (one.doubt === undefined ? casesOfUserData(nodeGroup, one.when) : [one]));
}

function casesWithoutOperator(nodeGroup: NodeGroup, view: ClusterView, when: When): readonly DriverCase[] {
  for (const { resource, driver } of operatorsOf(view)) {
    if (nodeGroup.exists.and(resource.exists)?.and(when) === undefined) continue;
    // Helm reads text as on unless it is empty.
    if (dataAt(driver, 'enabled') === false) continue;
    const own = OWN_DRIVER.map((key) => dataAt(driver, key)).find((setting) => setting !== undefined);
    if (own !== undefined)
      return [
        {
          when,
          doubt: {
            reason: `the GPU operator "${resource.id}" may install a driver from an image of its own`,
            source: own instanceof Unknown ? own.source : resource.source,
          },
        },
      ];
  }
  return [{ when, doubt: undefined }];
}

/** What leads to another driver image than NVIDIA's. */
const OWN_DRIVER = ['repository', 'image'] as const;

/** The GPU operators of a cluster, with what they are told about drivers; a chart as well as the operator's own ClusterPolicy. */
function* operatorsOf(view: ClusterView): Generator<{ resource: Resource; driver: Data | undefined }> {
  for (const release of view.helmReleases) {
    // `oci://…/gpu-operator` and `nvidia/gpu-operator` name the same chart.
    const isOperator = alternativesOf(release.chart).some(
      ({ value }) => value.kind === 'known' && value.value.split('/').at(-1) === 'gpu-operator',
    );
    if (isOperator) yield { resource: release, driver: dataAt(release.values, 'driver') };
  }
  for (const manifest of view.manifests) {
    const version = dataAt(manifest.object, 'apiVersion');
    if (
      dataAt(manifest.object, 'kind') !== 'ClusterPolicy' ||
      typeof version !== 'string' ||
      !version.startsWith('nvidia.com/')
    )
      continue;
    yield { resource: manifest, driver: dataAt(manifest.object, 'spec', 'driver') };
  }
}

/** Packages and installers of the drivers; not the device plugin's, nor node labels such as `nvidia.com/gpu`. */
const DRIVER_INSTALLATION = /nvidia-(?:driver|open|linux|release|kmod|dkms)|kmod-nvidia|cuda-drivers|neuronx?-dkms/i;

function casesOfUserData(nodeGroup: NodeGroup, given: When): readonly DriverCase[] {
  return casesOf(nodeGroup, { template: launchTemplateOf(nodeGroup) }, given).flatMap(
    ({ when, values: { template } }): readonly DriverCase[] => {
      if (template.kind === 'absent') return [{ when, doubt: undefined }];
      if (template.kind === 'unknown') {
        return [
          {
            when,
            doubt: {
              reason: `whether its user data installs a driver isn't known: ${template.reason}`,
              source: template.source,
            },
          },
        ];
      }
      return casesOf(nodeGroup, { userData: template.value.userData }, when).map((one): DriverCase => {
        const { userData } = one.values;
        switch (userData.kind) {
          case 'absent':
            return { when: one.when, doubt: undefined };
          case 'unknown':
            return {
              when: one.when,
              doubt: {
                reason: `whether its user data installs a driver isn't known: ${userData.reason}`,
                source: userData.source,
              },
            };
          case 'known': {
            if (!DRIVER_INSTALLATION.test(userData.value.text.text)) return { when: one.when, doubt: undefined };
            return {
              when: one.when,
              doubt: { reason: 'its user data seems to install a driver itself', source: userData.source },
            };
          }
        }
      });
    },
  );
}
