import { alternativesOf, dataAt, entriesOf, isDataMap, Unknown, type Data, type Source, type When } from '../../value';
import { editDistance, nearestName } from '../../text/nearest';
import { cniCasesOf, isCniChart } from './cni-cases';
import { placeIn } from './kubernetes-objects';
import type { ClusterView } from '../model/model';
import type { Addon, HelmRelease, KubernetesManifest, Subnet } from '../model/resources';

/**
 * An `ENIConfig` (crd.k8s.amazonaws.com/v1alpha1): the subnet that pods of some nodes get their addresses from with custom networking.
 * Source: EKS user guide, "Deploy pods in alternate subnets with custom networking".
 */
export interface EniConfig {
  /** A manifest, or the CNI's own configuration values, whose `eniConfig.subnets` have the names as keys. */
  readonly resource: KubernetesManifest | Addon | HelmRelease;
  /** Which nodes it is for: usually the name of their availability zone. A string is known to the last letter. */
  readonly name: string | Unknown;
  /** The subnet's id as written; undefined if none is. */
  readonly subnet: Data | undefined;
  /** The subnet, if the input holds it. */
  readonly target: Subnet | undefined;
  /** Ids of security groups as written; undefined if none are, so that the first interface's apply. */
  readonly securityGroups: Data | undefined;
  /** Why it isn't one, though it is meant to be; undefined of a sound one. */
  readonly defect: EniConfigDefect | undefined;
  readonly source: Source;
  /** Where a part of its object stands; `source` of one that configuration values make. */
  readonly placeIn: (...path: readonly string[]) => Source;
  readonly when: When;
}

/** Another `apiVersion` or `kind` than the API server has, as found; or no subnet to take addresses from. */
export type EniConfigDefect =
  | { readonly kind: 'api-version' | 'kind'; readonly found: string }
  | { readonly kind: 'no-subnet' };

const KIND = 'ENIConfig';
const GROUP = 'crd.k8s.amazonaws.com';
const API_VERSION = `${GROUP}/v1alpha1`;

/** The ENIConfigs of a cluster that the input shows, those included that are only meant to be; worked out once. */
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
  const { source, exists } = manifest;
  return objectsIn(manifest).flatMap((object): readonly EniConfig[] => {
    const type = typeOf(object);
    if (type === 'other') return [];
    const spec = dataAt(object, 'spec');
    const subnet = dataAt(spec, 'subnet') ?? undefined;
    const securityGroups = dataAt(spec, 'securityGroups');
    const defect = type === 'right' ? subnetDefect(spec, subnet) : type;
    return [
      {
        resource: manifest,
        name: nameOf(dataAt(object, 'metadata', 'name'), source),
        subnet,
        target: subnetOf(subnet),
        securityGroups,
        defect,
        source,
        placeIn: (...path) => placeIn(manifest, ...path),
        when: exists,
      },
    ];
  });
}

/** Whether an object is an ENIConfig; what is wrong with its type if it is meant to be one. Other software has kinds of this name too. */
function typeOf(object: Data): 'right' | 'other' | EniConfigDefect {
  const kind = dataAt(object, 'kind');
  const apiVersion = dataAt(object, 'apiVersion');
  if (kind !== KIND) {
    const isMeant = typeof kind === 'string' && apiVersion === API_VERSION && nearestName(kind, [KIND]) !== undefined;
    return isMeant ? { kind: 'kind', found: kind } : 'other';
  }
  if (apiVersion instanceof Unknown || apiVersion === API_VERSION) return 'right';
  if (apiVersion === undefined || apiVersion === null) return { kind: 'api-version', found: 'no apiVersion' };
  const [group = ''] = typeof apiVersion === 'string' ? apiVersion.split('/', 1) : [];
  const isForeign =
    typeof apiVersion === 'string' && (group.length > 60 || editDistance(group.toLowerCase(), GROUP) > 3);
  return isForeign ? 'other' : { kind: 'api-version', found: `the apiVersion ${JSON.stringify(apiVersion)}` };
}

/** Whether it names no subnet at all. The API server refuses that, or did not yet look into it. */
function subnetDefect(spec: Data | undefined, subnet: Data | undefined): EniConfigDefect | undefined {
  const isHidden = isDataMap(spec) && entriesOf(spec).some(([key]) => isOpen(key));
  return (subnet === undefined || subnet === '') && !isHidden ? { kind: 'no-subnet' } : undefined;
}

/** The object of a manifest, or those of its `List`. */
function objectsIn({ object }: KubernetesManifest): readonly Data[] {
  const items = dataAt(object, 'kind') === 'List' ? dataAt(object, 'items') : undefined;
  return Array.isArray(items) ? (items as readonly Data[]) : [object];
}

/** `eniConfig: { create: true, region, subnets: { <name>: { id, securityGroups } } }`, which the add-on and the chart share. */
function fromValues(view: ClusterView): readonly EniConfig[] {
  return cniCasesOf(view).flatMap(({ resource, addon, settings, source, when }): readonly EniConfig[] => {
    if (settings.switch('eniConfig.create').kind !== 'on') return [];
    const subnets = dataAt(settings.data, 'eniConfig', 'subnets');
    if (!isDataMap(subnets)) return [];
    return entriesOf(subnets).map(([key, value]): EniConfig => {
      const subnet = dataAt(value, 'id') ?? undefined;
      // What an add-on's values lack is for the schema to refuse.
      const defect = addon === undefined ? subnetDefect(value, subnet) : undefined;
      return {
        resource,
        name: keyName(key, source),
        subnet,
        target: subnetOf(subnet),
        securityGroups: dataAt(value, 'securityGroups'),
        defect,
        source,
        placeIn: () => source,
        when,
      };
    });
  });
}

function nameOf(name: Data | undefined, source: Source): string | Unknown {
  return typeof name === 'string' || name instanceof Unknown ? name : new Unknown('it has no name', source);
}

/** Keys are texts even where a part of them is decided at deployment. */
function keyName(key: string, source: Source): string | Unknown {
  return isOpen(key) ? new Unknown(`the key ${key} is decided at deployment`, source, key) : key;
}

function isOpen(key: string): boolean {
  return key.includes('${') || key.includes('{{resolve:');
}

/** Why there may be more ENIConfigs than {@link eniConfigsOf} tells. */
export interface UnseenEniConfigs {
  readonly reason: string;
  readonly when: When;
}

/** What of the input may hold further ENIConfigs of a cluster; empty if it certainly shows all that it has. */
export function unseenEniConfigsOf(view: ClusterView): readonly UnseenEniConfigs[] {
  return [
    ...view.manifests.flatMap((manifest): readonly UnseenEniConfigs[] => {
      const isUnseen =
        objectsIn(manifest).some((object) => object instanceof Unknown || dataAt(object, 'kind') instanceof Unknown) ||
        dataAt(manifest.object, 'items') instanceof Unknown;
      return isUnseen
        ? [{ reason: `what ${manifest.path ?? manifest.id} applies isn't known`, when: manifest.exists }]
        : [];
    }),
    ...view.helmReleases.flatMap((release) =>
      alternativesOf(release.chart).flatMap(({ when, value }): readonly UnseenEniConfigs[] => {
        const both = release.exists.and(when);
        // The CNI's own chart shows its ENIConfigs in its values; a chart that comes as a file has no name.
        const mayHold =
          value.kind !== 'known' || (/eni-?config|custom-?network/i.test(value.value) && !isCniChart(value.value));
        return both !== undefined && mayHold
          ? [{ reason: `which objects the Helm chart of ${release.path ?? release.id} holds isn't known`, when: both }]
          : [];
      }),
    ),
    ...cniCasesOf(view).flatMap(({ settings, when }): readonly UnseenEniConfigs[] => {
      const create = settings.switch('eniConfig.create');
      const subnets = dataAt(settings.data, 'eniConfig', 'subnets');
      if (create.kind === 'unknown')
        return [
          { reason: `whether the configuration values create ENIConfigs isn't known (${create.unknown.reason})`, when },
        ];
      if (create.kind === 'off' || !(subnets instanceof Unknown)) return [];
      return [{ reason: `which ENIConfigs the configuration values create isn't known (${subnets.reason})`, when }];
    }),
  ];
}

/** The subnet that a value refers to and nothing else. */
function subnetOf(data: Data | undefined): Subnet | undefined {
  const { resource, attribute } = (data instanceof Unknown ? data.reference : undefined) ?? {};
  return (attribute === 'Ref' || attribute === 'SubnetId') && isSubnet(resource) ? resource : undefined;
}

function isSubnet(resource: object | undefined): resource is Subnet {
  return resource !== undefined && 'kind' in resource && resource.kind === 'subnet';
}
