import type { ClusterView } from './model';
import type { Addon, HelmRelease, KubernetesManifest, Resource } from './resources';
import { alternativesOf, dataAt, isDataMap, Unknown, type Data, type Value } from '../value';

/**
 * Workloads that can be seen to read instance metadata from an ordinary pod, because nothing gives them by other
 * means what they look up there. Only what is certain counts: a setting whose value isn't known counts as set.
 */
export interface ImdsConsumer {
  readonly resource: Resource;
  /** The workload and what it lacks: `AWS Load Balancer Controller without vpcId`. */
  readonly description: string;
  /** What its log says when metadata doesn't answer, where that is documented. */
  readonly symptom: string | undefined;
}

const ROLE_ANNOTATION = 'eks.amazonaws.com/role-arn';

const cache = new WeakMap<ClusterView, readonly ImdsConsumer[]>();

/** The workloads of a cluster that need instance metadata; empty if none can be seen. */
export function imdsConsumersOf(view: ClusterView): readonly ImdsConsumer[] {
  let consumers = cache.get(view);
  if (consumers === undefined) {
    const identities = new ServiceAccountIdentities(view);
    consumers = [
      ...view.helmReleases.flatMap((release) => chartConsumer(identities, release)),
      ...view.addons.flatMap((addon) => ebsCsiConsumer(identities, addon)),
    ];
    cache.set(view, consumers);
  }
  return consumers;
}

function chartConsumer(identities: ServiceAccountIdentities, release: HelmRelease): readonly ImdsConsumer[] {
  // `oci://…/aws-load-balancer-controller` and `eks/aws-load-balancer-controller` name the same chart.
  const chart = release.chart.kind === 'known' ? release.chart.value.split('/').at(-1) : undefined;
  if (dataAt(release.values, 'hostNetwork') === true) return [];
  if (chart === 'aws-load-balancer-controller') return loadBalancerController(identities, release);
  if (chart === 'cluster-autoscaler') return clusterAutoscaler(identities, release);
  return [];
}

function loadBalancerController(identities: ServiceAccountIdentities, release: HelmRelease): readonly ImdsConsumer[] {
  const { values } = release;
  if (!isSet(dataAt(values, 'vpcId')) && !isSet(dataAt(values, 'vpcTags'))) {
    return [
      {
        resource: release,
        description: 'AWS Load Balancer Controller without `vpcId`',
        symptom: 'failed to fetch VPC ID from instance metadata',
      },
    ];
  }
  const region = isSet(dataAt(values, 'region')) || isSet(dataAt(values, 'env', 'AWS_REGION')) || isSet(dataAt(values, 'env', 'AWS_DEFAULT_REGION'));
  // With a role, the variables that EKS injects next to the credentials name the region.
  if (region || !isWithoutRole(identities, release, ['serviceAccount'])) return [];
  return [
    {
      resource: release,
      description: 'AWS Load Balancer Controller without `region` and without an IAM role',
      symptom: 'failed to introspect region from EC2Metadata',
    },
  ];
}

function clusterAutoscaler(identities: ServiceAccountIdentities, release: HelmRelease): readonly ImdsConsumer[] {
  if (!isWithoutRole(identities, release, ['rbac', 'serviceAccount'])) return [];
  const { values } = release;
  // Access keys in the values are no good idea, but they do replace the node role.
  if (isSet(dataAt(values, 'awsAccessKeyID')) || isSet(dataAt(values, 'extraEnv', 'AWS_ACCESS_KEY_ID'))) return [];
  const provider = dataAt(values, 'cloudProvider');
  if (provider !== undefined && provider !== 'aws') return [];
  return [{ resource: release, description: 'Cluster Autoscaler without an IAM role', symptom: undefined }];
}

function ebsCsiConsumer(identities: ServiceAccountIdentities, addon: Addon): readonly ImdsConsumer[] {
  if (addon.name.kind !== 'known' || addon.name.value !== 'aws-ebs-csi-driver') return [];
  if (addon.serviceAccountRole.kind !== 'absent') return [];
  const own = addon.podIdentityAssociations;
  if (own.kind !== 'absent' && !(own.kind === 'known' && own.value.length === 0)) return [];
  if (identities.mayHavePodIdentity('kube-system', 'ebs-csi-controller-sa')) return [];
  if (addon.configuration.kind === 'unknown' || addon.configuration.kind === 'choice') return [];
  if (addon.configuration.kind === 'known' && addon.configuration.value.kind === 'parsed') {
    const { data } = addon.configuration.value;
    if (isSet(dataAt(data, 'controller', 'hostNetwork')) || hasRoleAnnotation(dataAt(data, 'controller', 'serviceAccount', 'annotations'))) return [];
  }
  return [{ resource: addon, description: 'EBS CSI driver add-on without an IAM role', symptom: 'no EC2 IMDS role found' }];
}

/** Whether a value stands there. One that isn't known counts; `false`, null and empty text, lists and maps don't. */
function isSet(data: Data | undefined): boolean {
  if (data instanceof Unknown) return true;
  if (data === undefined || data === null || data === false || data === '') return false;
  if (Array.isArray(data)) return data.length > 0;
  return !isDataMap(data) || Object.keys(data).length > 0;
}

/** Whether the service account of a release certainly has no role of its own: no annotation, no Pod Identity association. */
function isWithoutRole(identities: ServiceAccountIdentities, release: HelmRelease, path: readonly string[]): boolean {
  const account = dataAt(release.values, ...path);
  if (account instanceof Unknown) return false;
  if (hasRoleAnnotation(dataAt(account, 'annotations'))) return false;
  const name = dataAt(account, 'name');
  if (name instanceof Unknown) return false;
  const namespaces = release.namespace.kind === 'absent' ? ['default'] : textsOf(release.namespace);
  const accountName = typeof name === 'string' && name !== '' ? name : undefined;
  if (namespaces.some((namespace) => identities.mayHavePodIdentity(namespace, accountName))) return false;
  const create = dataAt(account, 'create');
  if (create === undefined || create === true) return true;
  // Somebody else creates the account: only if it can be seen is it known to have no role.
  if (create !== false || accountName === undefined) return false;
  const manifests = identities.serviceAccounts(accountName);
  return manifests.length > 0 && manifests.every(({ object }) => !hasRoleAnnotation(dataAt(object, 'metadata', 'annotations')));
}

function hasRoleAnnotation(annotations: Data | undefined): boolean {
  return annotations instanceof Unknown || isSet(dataAt(annotations, ROLE_ANNOTATION));
}

const ANY = Symbol('any');
type Name = string | undefined | typeof ANY;

/** What gives the service accounts of a cluster a role, indexed once. */
class ServiceAccountIdentities {
  private readonly associations = new Map<Name, Set<Name>>();
  private readonly accounts = new Map<string, KubernetesManifest[]>();

  constructor(view: ClusterView) {
    for (const { namespace, serviceAccount } of view.podIdentityAssociations) {
      for (const space of [...textsOf(namespace), ANY] as const) {
        let accounts = this.associations.get(space);
        if (accounts === undefined) this.associations.set(space, (accounts = new Set()));
        for (const account of [...textsOf(serviceAccount), ANY] as const) accounts.add(account);
      }
    }
    for (const manifest of view.manifests) {
      const name = dataAt(manifest.object, 'metadata', 'name');
      if (dataAt(manifest.object, 'kind') !== 'ServiceAccount' || typeof name !== 'string') continue;
      const list = this.accounts.get(name);
      if (list === undefined) this.accounts.set(name, [manifest]);
      else list.push(manifest);
    }
  }

  /** Whether an association fits; a name that isn't known, on either side, fits every name. */
  mayHavePodIdentity(namespace: string | undefined, serviceAccount: string | undefined): boolean {
    return candidates(namespace).some((space) => {
      const accounts = this.associations.get(space);
      return accounts !== undefined && candidates(serviceAccount).some((account) => accounts.has(account));
    });
  }

  /** The ServiceAccount objects of a name. */
  serviceAccounts(name: string): readonly KubernetesManifest[] {
    return this.accounts.get(name) ?? [];
  }
}

/** The entries of the index that may mean a name; `undefined` stands for names that aren't known. */
function candidates(name: string | undefined): readonly Name[] {
  return name === undefined ? [ANY] : [name, undefined];
}

/** The possible texts of a value; `undefined` stands for one that isn't known. */
function textsOf(value: Value<string>): readonly (string | undefined)[] {
  return alternativesOf(value).map(({ value: plain }) => (plain.kind === 'known' ? plain.value : undefined));
}
