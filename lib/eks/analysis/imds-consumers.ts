import type { Certainty } from './addon';
import { hasArgument } from './controller-arguments';
import { controllersOf, type Controller } from './controllers';
import type { ClusterView } from '../model/model';
import type { PodScheduling } from './pod-placement';
import { ROLE_ANNOTATION } from './annotated-accounts';
import { podTemplateOf } from './workloads';
import type { Addon, HelmRelease, KubernetesManifest, PodIdentityAssociation } from '../model/resources';
import { alternativesOf, type Data, dataAt, isDataMap, type Resource, Unknown, type Value } from '../../value';

/**
 * Workloads that read instance metadata from an ordinary pod, unless they are given by other means what they look up there. Only what is
 * certain is a lack; a setting whose value isn't known is given.
 */
export interface ImdsWorkload {
  readonly resource: Resource;
  /** `AWS Load Balancer Controller`. */
  readonly name: string;
  /** It isn't known whether it has all that it needs. */
  readonly isOpen?: true;
  /** What it surely lacks. */
  readonly lack:
    | {
        /** `without vpcId`. */ readonly text: string /** What its log then says, where that is documented. */;
        readonly symptom: string | undefined /** A role of its own is among it. */;
        readonly isRole?: true;
      }
    | undefined;
  readonly scheduling: PodScheduling;
}

const cache = new WeakMap<ClusterView, readonly ImdsWorkload[]>();

/** The workloads of a cluster that read instance metadata, unless they have what they look up there; empty if none can be seen. */
export function imdsWorkloadsOf(view: ClusterView): readonly ImdsWorkload[] {
  let workloads = cache.get(view);
  if (workloads === undefined) {
    const identities = new ServiceAccountIdentities(view);
    workloads = [
      ...view.helmReleases.flatMap((release) => ofChart(identities, release)),
      ...controllersOf(view).flatMap((controller) => ofManifest(identities, controller)),
      ...view.addons.flatMap((addon) => ebsCsiDriver(identities, addon)),
    ];
    cache.set(view, workloads);
  }
  return workloads;
}

/** The Load Balancer Controller by a manifest, where its settings are arguments. */
function ofManifest(identities: ServiceAccountIdentities, controller: Controller): readonly ImdsWorkload[] {
  const { software, resource, account, name, values } = controller;
  if (software !== 'aws-load-balancer-controller' || resource.kind !== 'manifest' || values !== undefined) return [];
  const spec = podTemplateOf(resource.object)?.spec;
  const hostNetwork = dataAt(spec, 'hostNetwork');
  if (hostNetwork === true || hostNetwork instanceof Unknown) return [];
  const has = (argument: string): boolean => hasArgument(controller, argument) !== 'no';
  const scheduling = {
    namespace: account?.namespace,
    nodeSelector: dataAt(spec, 'nodeSelector'),
    affinity: dataAt(spec, 'affinity'),
    tolerations: dataAt(spec, 'tolerations'),
  };
  if (!has('aws-vpc-id') && !has('aws-vpc-tags'))
    return workload(resource, name, { text: 'without `--aws-vpc-id`', symptom: NO_VPC }, scheduling);
  // Its service account, and what gives that a role, may be created by others.
  const isGiven = account !== undefined && identities.podIdentityOf(account.namespace, account.name) === 'yes';
  return workload(resource, name, isGiven ? undefined : 'unknown', scheduling);
}

const NO_VPC = 'failed to fetch VPC ID from instance metadata';

/** What a workload lacks: nothing, something, or `unknown`. */
type Lack = ImdsWorkload['lack'] | 'unknown';

function ofChart(identities: ServiceAccountIdentities, release: HelmRelease): readonly ImdsWorkload[] {
  const { values } = release;
  // `oci://…/aws-load-balancer-controller` and `eks/aws-load-balancer-controller` name the same chart.
  const chart = release.chart.kind === 'known' ? release.chart.value.split('/').at(-1) : undefined;
  const hostNetwork = dataAt(values, 'hostNetwork');
  if (hostNetwork === true || hostNetwork instanceof Unknown) return [];
  const scheduling = schedulingOf(release.namespace, values);
  if (chart === 'aws-load-balancer-controller')
    return workload(release, 'AWS Load Balancer Controller', loadBalancerController(identities, release), scheduling);
  if (chart === 'cluster-autoscaler')
    return workload(release, 'Cluster Autoscaler', clusterAutoscaler(identities, release), scheduling);
  // external-dns serves other clouds as well.
  const provider = dataAt(values, 'provider', 'name') ?? dataAt(values, 'provider');
  if (chart === 'external-dns' && typeof provider === 'string' && provider !== 'aws') return [];
  const account = CREDENTIALS_ALONE.get(chart ?? '');
  // What has a role of its own is no witness for others.
  return account === undefined || hasRole(identities, release, account) === 'yes'
    ? []
    : workload(release, release.id, 'unknown', scheduling);
}

/** Charts whose pods ask AWS for nothing but credentials, with the path of their service account: these may come from the node role. */
const CREDENTIALS_ALONE: ReadonlyMap<string, readonly string[]> = new Map([
  ['aws-cloudwatch-metrics', ['serviceAccount']],
  ['aws-ebs-csi-driver', ['controller', 'serviceAccount']],
  ['aws-efs-csi-driver', ['controller', 'serviceAccount']],
  ['aws-for-fluent-bit', ['serviceAccount']],
  ['external-dns', ['serviceAccount']],
]);

function workload(resource: Resource, name: string, lack: Lack, scheduling: PodScheduling): readonly ImdsWorkload[] {
  return [{ resource, name, scheduling, ...(lack === 'unknown' ? { isOpen: true, lack: undefined } : { lack }) }];
}

/** None of the charts says anything of its own about nodes. */
function schedulingOf(namespace: Value<string>, data: Data | undefined): PodScheduling {
  const [name, ...others] = namespace.kind === 'absent' ? ['default'] : textsOf(namespace);
  return {
    namespace: others.length === 0 ? name : undefined,
    nodeSelector: dataAt(data, 'nodeSelector'),
    affinity: dataAt(data, 'affinity'),
    tolerations: dataAt(data, 'tolerations'),
  };
}

function loadBalancerController(identities: ServiceAccountIdentities, release: HelmRelease): Lack {
  const { values } = release;
  if (!isSet(dataAt(values, 'vpcId')) && !isSet(dataAt(values, 'vpcTags')))
    return { text: 'without `vpcId`', symptom: NO_VPC };
  const role = hasKeys(dataAt(values, 'env')) ? 'yes' : hasRole(identities, release, ['serviceAccount']);
  if (role === 'maybe') return 'unknown';
  // With a role, the variables that EKS injects next to the credentials name the region.
  if (role === 'yes') return undefined;
  const region =
    isSet(dataAt(values, 'region')) ||
    isSet(dataAt(values, 'env', 'AWS_REGION')) ||
    isSet(dataAt(values, 'env', 'AWS_DEFAULT_REGION'));
  // Whoever writes both down has made the controller independent of IMDS; its role may come from elsewhere.
  if (region) return 'unknown';
  return {
    text: 'without `region` and without an IAM role',
    symptom: 'failed to introspect region from EC2Metadata',
    isRole: true,
  };
}

function clusterAutoscaler(identities: ServiceAccountIdentities, release: HelmRelease): Lack {
  const { values } = release;
  const provider = dataAt(values, 'cloudProvider');
  if (provider !== undefined && provider !== 'aws') return 'unknown';
  const role =
    isSet(dataAt(values, 'awsAccessKeyID')) || hasKeys(dataAt(values, 'extraEnv'))
      ? 'yes'
      : hasRole(identities, release, ['rbac', 'serviceAccount']);
  if (role === 'maybe') return 'unknown';
  return role === 'yes' ? undefined : { text: 'without an IAM role', symptom: undefined, isRole: true };
}

/** Access keys in the values are no good idea, but they do replace the node role. */
function hasKeys(environment: Data | undefined): boolean {
  return isSet(dataAt(environment, 'AWS_ACCESS_KEY_ID'));
}

/** Source: kubernetes-sigs/aws-ebs-csi-driver, charts/aws-ebs-csi-driver/values.yaml. */
const EBS_CSI_TOLERATIONS: Data = [
  { key: 'CriticalAddonsOnly', operator: 'Exists' },
  { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
];

function ebsCsiDriver(identities: ServiceAccountIdentities, addon: Addon): readonly ImdsWorkload[] {
  if (addon.name.kind !== 'known' || addon.name.value !== 'aws-ebs-csi-driver') return [];
  const { configuration } = addon;
  if (configuration.kind === 'unknown' || configuration.kind === 'choice') return [];
  const data =
    configuration.kind === 'known' && configuration.value.kind === 'parsed' ? configuration.value.data : undefined;
  const controller = dataAt(data, 'controller');
  if (isSet(dataAt(controller, 'hostNetwork'))) return [];
  const own = addon.podIdentityAssociations;
  const [namespace, account] = ['kube-system', 'ebs-csi-controller-sa'];
  const byPods = identities.podIdentityOf(namespace, account);
  const isGiven =
    addon.serviceAccountRole.kind !== 'absent' ||
    (own.kind !== 'absent' && !(own.kind === 'known' && own.value.length === 0)) ||
    byPods === 'yes' ||
    identities.isAnnotated(namespace, account) ||
    hasRoleAnnotation(dataAt(controller, 'serviceAccount', 'annotations'));
  const lack: Lack =
    byPods === 'maybe' ? 'unknown' : { text: 'without an IAM role', symptom: 'no EC2 IMDS role found', isRole: true };
  const scheduling = {
    namespace,
    nodeSelector: dataAt(controller, 'nodeSelector'),
    affinity: dataAt(controller, 'affinity'),
    tolerations: dataAt(controller, 'tolerations') ?? EBS_CSI_TOLERATIONS,
  };
  return workload(addon, 'EBS CSI driver add-on', isGiven ? undefined : lack, scheduling);
}

/** Whether a value stands there. One that isn't known counts; `false`, null and empty text, lists and maps don't. */
function isSet(data: Data | undefined): boolean {
  if (data instanceof Unknown) return true;
  if (data === undefined || data === null || data === false || data === '') return false;
  if (Array.isArray(data)) return data.length > 0;
  return !isDataMap(data) || Object.keys(data).length > 0;
}

/** Whether the service account of a release has a role of its own, by annotation or by a Pod Identity association. */
function hasRole(identities: ServiceAccountIdentities, release: HelmRelease, path: readonly string[]): Certainty {
  const account = dataAt(release.values, ...path);
  if (account instanceof Unknown) return 'maybe';
  if (hasRoleAnnotation(dataAt(account, 'annotations'))) return 'yes';
  const name = dataAt(account, 'name');
  if (name instanceof Unknown) return 'maybe';
  const namespaces = release.namespace.kind === 'absent' ? ['default'] : textsOf(release.namespace);
  const accountName = typeof name === 'string' && name !== '' ? name : undefined;
  const byPods = namespaces.map((namespace) => identities.podIdentityOf(namespace, accountName));
  if (byPods.includes('yes')) return 'yes';
  // Whoever annotates a service account that a chart makes gives it a role, too.
  if (accountName !== undefined && namespaces.some((namespace) => identities.isAnnotated(namespace, accountName)))
    return 'yes';
  if (byPods.includes('maybe')) return 'maybe';
  const create = dataAt(account, 'create');
  if (create === undefined || create === true) return 'no';
  // Somebody else creates the account: only if it can be seen is it known what it has.
  if (create !== false || accountName === undefined) return 'maybe';
  const manifests = identities.serviceAccounts(accountName);
  if (manifests.some(({ object }) => hasRoleAnnotation(dataAt(object, 'metadata', 'annotations')))) return 'yes';
  return manifests.length > 0 ? 'no' : 'maybe';
}

function hasRoleAnnotation(annotations: Data | undefined): boolean {
  return annotations instanceof Unknown || isSet(dataAt(annotations, ROLE_ANNOTATION));
}

const ANY = Symbol('any');
type Name = string | undefined | typeof ANY;

/** Associations by namespace and service account; a name that isn't known, on either side, fits every name. */
class AssociationIndex {
  private readonly byNamespace = new Map<Name, Set<Name>>();

  constructor(associations: readonly PodIdentityAssociation[]) {
    for (const { namespace, serviceAccount } of associations) {
      for (const space of [...textsOf(namespace), ANY] as const) {
        let accounts = this.byNamespace.get(space);
        if (accounts === undefined) this.byNamespace.set(space, (accounts = new Set()));
        for (const account of [...textsOf(serviceAccount), ANY] as const) accounts.add(account);
      }
    }
  }

  has(namespace: string | undefined, serviceAccount: string | undefined): boolean {
    return candidates(namespace).some((space) => {
      const accounts = this.byNamespace.get(space);
      return accounts !== undefined && candidates(serviceAccount).some((account) => accounts.has(account));
    });
  }
}

/** What gives the service accounts of a cluster a role, indexed once. */
class ServiceAccountIdentities {
  private readonly associations: AssociationIndex;
  private readonly elsewhere: AssociationIndex;
  private readonly accounts = new Map<string, KubernetesManifest[]>();

  constructor(view: ClusterView) {
    this.associations = new AssociationIndex(view.podIdentityAssociations);
    this.elsewhere = new AssociationIndex(
      view.strays.flatMap(({ podIdentityAssociations }) => podIdentityAssociations),
    );
    for (const manifest of view.manifests) {
      const name = dataAt(manifest.object, 'metadata', 'name');
      if (dataAt(manifest.object, 'kind') !== 'ServiceAccount' || typeof name !== 'string') continue;
      const list = this.accounts.get(name);
      if (list === undefined) this.accounts.set(name, [manifest]);
      else list.push(manifest);
    }
  }

  /** Whether an association fits; one that may be of another cluster may. */
  podIdentityOf(namespace: string | undefined, serviceAccount: string | undefined): Certainty {
    if (this.associations.has(namespace, serviceAccount)) return 'yes';
    return this.elsewhere.has(namespace, serviceAccount) ? 'maybe' : 'no';
  }

  /** Whether an object for a service account names a role. */
  isAnnotated(namespace: string | undefined, name: string): boolean {
    return this.serviceAccounts(name).some(({ object }) => {
      const own = dataAt(object, 'metadata', 'namespace') ?? 'default';
      const isThere = namespace === undefined || own instanceof Unknown || own === namespace;
      return isThere && hasRoleAnnotation(dataAt(object, 'metadata', 'annotations'));
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
