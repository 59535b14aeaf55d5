import { LabelIndex } from './label-index';
import type { ClusterView } from '../model/model';
import { objectName } from '../model/resource-name';
import type { KubernetesManifest } from '../model/resources';
import { namespaceOf, selects, type SecurityGroupPolicy } from './security-group-policies';
import { dataAt, nowhere, Unknown, type Data } from '../../value';

/** A manifest that makes pods. Those on Windows are left out. */
export interface Workload {
  readonly manifest: KubernetesManifest;
  /** For people: `Deployment web`. */
  readonly label: string;
  /** `default` if nothing is written; undefined if it isn't known. */
  readonly namespace: string | undefined;
  /** The labels of its pods; undefined if they have none. */
  readonly labels: Data | undefined;
  /** Name of the pods' service account, `default` if nothing is written; undefined if it isn't known. */
  readonly serviceAccount: string | undefined;
  /** The probes that can be seen. */
  readonly probes: readonly PodProbe[];
  /** Whether these are all. */
  readonly areProbesKnown: boolean;
  /** Whether its pods surely have an address of their own: false if whether they use the host's network isn't known. */
  readonly hasOwnAddress: boolean;
  /** Whether its pods surely use the host's network, so that no policy gives them anything. */
  readonly isOnHostNetwork: boolean;
}

/** A probe of the kubelet. Sidecars (init containers that restart) have some too. */
export interface PodProbe {
  /** Name of the container; undefined if it isn't known. */
  readonly container: string | undefined;
  readonly kind: 'liveness' | 'readiness' | 'startup';
  /** `tcpSocket`, `httpGet` and `grpc` go from the node to the pod's address over TCP; `exec` runs inside; `elsewhere` goes to another host. */
  readonly via: 'tcpSocket' | 'httpGet' | 'grpc' | 'exec' | 'elsewhere' | 'unknown';
}

/** Whether the kubelet opens a TCP connection to the pod. */
export function isTcp({ via }: PodProbe): boolean {
  return via === 'tcpSocket' || via === 'httpGet' || via === 'grpc';
}

/** The workloads of a cluster that the input shows; worked out once. Pods that Helm charts make can't be seen. */
export function workloadsOf(view: ClusterView): readonly Workload[] {
  return indexOf(view).workloads;
}

/** The pods of a policy: those that it fits, and those that it may fit, because something isn't known. */
export interface PolicyPods {
  readonly sure: readonly Workload[];
  readonly possible: readonly Workload[];
}

/**
 * The workloads that a SecurityGroupPolicy fits: the same object for policies with the same selectors. A policy that the controller ignores has none.
 * Source: aws/amazon-vpc-resource-controller-k8s, pkg/utils/helper.go.
 */
export function podsOf(view: ClusterView, policy: SecurityGroupPolicy): PolicyPods {
  return indexOf(view).podsOf(policy);
}

const indexes = new WeakMap<ClusterView, WorkloadIndex>();

function indexOf(view: ClusterView): WorkloadIndex {
  let index = indexes.get(view);
  if (index === undefined) {
    index = new WorkloadIndex(view.manifests);
    indexes.set(view, index);
  }
  return index;
}

interface ServiceAccount {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly labels: Data | undefined;
}

const NONE: PolicyPods = { sure: [], possible: [] };

class WorkloadIndex {
  readonly workloads: readonly Workload[];
  private readonly pods: LabelIndex<Workload>;
  private readonly accounts: LabelIndex<ServiceAccount>;
  private readonly accountByName = new Map<string, ServiceAccount>();
  private readonly podsByAccount = new Map<string, Workload[]>();
  /** By namespace: workloads whose service account the input doesn't show. */
  private readonly withUnseenAccount = new Map<string | undefined, Workload[]>();

  private readonly podsBySelectors = new Map<string, PolicyPods>();

  constructor(manifests: readonly KubernetesManifest[]) {
    this.workloads = manifests.flatMap(workloadOf);
    const accounts = manifests.flatMap(serviceAccountOf);
    for (const account of accounts)
      if (account.namespace !== undefined) this.accountByName.set(accountKey(account.namespace, account.name), account);
    for (const workload of this.workloads) {
      const account = this.accountOf(workload);
      if (account === undefined) push(this.withUnseenAccount, workload.namespace, workload);
      else push(this.podsByAccount, accountKey(workload.namespace, account.name), workload);
    }
    this.pods = new LabelIndex(this.workloads);
    this.accounts = new LabelIndex(accounts);
  }

  podsOf(policy: SecurityGroupPolicy): PolicyPods {
    const { namespace, podSelector, serviceAccountSelector, groupIds } = policy;
    if (groupIds === undefined || (Array.isArray(groupIds) && groupIds.length === 0)) return NONE;
    // Many policies without a label of their own, each with all pods of a namespace, would take long.
    const key = keyOf([namespace ?? null, podSelector ?? null, serviceAccountSelector ?? null]);
    let pods = key === undefined ? undefined : this.podsBySelectors.get(key);
    if (pods === undefined) {
      pods = this.find(policy);
      if (key !== undefined) this.podsBySelectors.set(key, pods);
    }
    return pods;
  }

  private find({ namespace, podSelector, serviceAccountSelector }: SecurityGroupPolicy): PolicyPods {
    if (podSelector !== undefined) {
      const fitting = this.pods.select(namespace, podSelector);
      return split([
        ...fitting.sure.map(
          (workload): Fit => ({ workload, answer: this.fitsAccount(serviceAccountSelector, workload) }),
        ),
        ...fitting.possible.map(
          (workload): Fit => ({
            workload,
            answer: this.fitsAccount(serviceAccountSelector, workload) === 'no' ? 'no' : 'maybe',
          }),
        ),
      ]);
    }
    return serviceAccountSelector === undefined ? NONE : this.podsOfAccounts(namespace, serviceAccountSelector);
  }

  private podsOfAccounts(namespace: string | undefined, selector: Data): PolicyPods {
    const { sure, possible } = this.accounts.select(namespace, selector);
    const podsOfAll = (accounts: readonly ServiceAccount[]) =>
      accounts.flatMap((account) => this.podsByAccount.get(accountKey(account.namespace, account.name)) ?? []);
    const unseen =
      namespace === undefined
        ? this.withUnseenAccounts()
        : [namespace, undefined].flatMap((space) => this.withUnseenAccount.get(space) ?? []);
    // Of an account that can't be seen it is only certain that it fits when every account does.
    const answer = namespace === undefined ? 'maybe' : selects(selector, UNSEEN);
    return split([
      ...podsOfAll(sure).map((workload): Fit => ({ workload, answer: 'yes' })),
      ...podsOfAll(possible).map((workload): Fit => ({ workload, answer: 'maybe' })),
      ...unseen.map(
        (workload): Fit => ({
          workload,
          answer: workload.namespace === undefined && answer === 'yes' ? 'maybe' : answer,
        }),
      ),
    ]);
  }

  private withUnseenAccounts(): readonly Workload[] {
    return [...this.withUnseenAccount.values()].flat();
  }

  private fitsAccount(selector: Data | undefined, workload: Workload): Fit['answer'] {
    if (selector === undefined) return 'yes';
    const account = this.accountOf(workload);
    return selects(selector, account === undefined ? UNSEEN : account.labels);
  }

  private accountOf({ namespace, serviceAccount }: Workload): ServiceAccount | undefined {
    return namespace === undefined || serviceAccount === undefined
      ? undefined
      : this.accountByName.get(accountKey(namespace, serviceAccount));
  }
}

/** Text that is equal for equal data; undefined if something in it isn't known. */
function keyOf(data: Data): string | undefined {
  const unknown: Unknown[] = [];
  const text = JSON.stringify(data, (_, value: unknown) => {
    if (!(value instanceof Unknown)) return value;
    unknown.push(value);
    return null;
  });
  return unknown.length === 0 ? text : undefined;
}

interface Fit {
  readonly workload: Workload;
  readonly answer: 'yes' | 'no' | 'maybe';
}

function split(fits: readonly Fit[]): PolicyPods {
  const sure = fits.flatMap(({ workload, answer }) => (answer === 'yes' ? [workload] : []));
  return { sure, possible: fits.flatMap(({ workload, answer }) => (answer === 'maybe' ? [workload] : [])) };
}

const UNSEEN = new Unknown('the service account is not part of the input', nowhere);

function accountKey(namespace: string | undefined, name: string): string {
  return JSON.stringify([namespace ?? null, name]);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function serviceAccountOf({ object }: KubernetesManifest): readonly ServiceAccount[] {
  const name = dataAt(object, 'metadata', 'name');
  if (dataAt(object, 'kind') !== 'ServiceAccount' || typeof name !== 'string') return [];
  return [{ namespace: namespaceOf(object), name, labels: dataAt(object, 'metadata', 'labels') ?? undefined }];
}

/** Where each kind has the template of its pods; a Pod is its own. */
const TEMPLATES: ReadonlyMap<Data | undefined, readonly string[]> = new Map<Data, readonly string[]>([
  ['Pod', []],
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].map((kind): [string, readonly string[]] => [
    kind,
    ['spec', 'template'],
  ]),
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
]);

/** What an object makes its pods from. */
export interface PodTemplate {
  /** `Deployment`. */
  readonly kind: string;
  /** Undefined if they have none. */
  readonly labels: Data | undefined;
  readonly spec: Data;
}

/** The keys that lead to the spec of the pods that an object makes. */
export function podSpecPath({ kind }: Pick<PodTemplate, 'kind'>): readonly string[] {
  return [...(TEMPLATES.get(kind) ?? []), 'spec'];
}

/** The template of the pods that an object makes; undefined if it makes none. */
export function podTemplateOf(object: Data): PodTemplate | undefined {
  const kind = dataAt(object, 'kind');
  const path = TEMPLATES.get(kind);
  if (path === undefined || typeof kind !== 'string') return undefined;
  const template = dataAt(object, ...path);
  const spec = dataAt(template, 'spec');
  // Other software has kinds of these names too, and other fields in them.
  if (spec === undefined || spec === null) return undefined;
  return { kind, labels: dataAt(template, 'metadata', 'labels') ?? undefined, spec };
}

function workloadOf(manifest: KubernetesManifest): readonly Workload[] {
  const { object } = manifest;
  const template = podTemplateOf(object);
  if (template === undefined || isForWindows(template.spec)) return [];
  const { kind, labels, spec } = template;
  const hostNetwork = dataAt(spec, 'hostNetwork');
  return [
    {
      manifest,
      label: `${kind} ${objectName(manifest)}`,
      namespace: namespaceOf(object),
      labels,
      serviceAccount: accountNameOf(spec),
      ...probesOf(spec),
      hasOwnAddress: hostNetwork !== true && !(hostNetwork instanceof Unknown),
      isOnHostNetwork: hostNetwork === true,
    },
  ];
}

/** Whether pods say that they are for nodes of Windows. */
export function isForWindows(spec: Data): boolean {
  return dataAt(spec, 'nodeSelector', 'kubernetes.io/os') === 'windows' || dataAt(spec, 'os', 'name') === 'windows';
}

function accountNameOf(spec: Data): string | undefined {
  // The second is the old name of the field; `||` because Kubernetes takes empty text as nothing.
  const name = dataAt(spec, 'serviceAccountName') || dataAt(spec, 'serviceAccount') || 'default';
  return typeof name === 'string' ? name : undefined;
}

function probesOf(spec: Data): Pick<Workload, 'probes' | 'areProbesKnown'> {
  const containers = [
    ...itemsOf(dataAt(spec, 'containers')),
    ...itemsOf(dataAt(spec, 'initContainers')).filter(mayBeSidecar),
  ];
  const probes = containers.flatMap(probesOfContainer);
  const areProbesKnown =
    !containers.some((container) => container instanceof Unknown) && !probes.some(({ via }) => via === 'unknown');
  return { probes, areProbesKnown };
}

/** Items of a list; what isn't known counts as one item. */
function itemsOf(data: Data | undefined): readonly Data[] {
  if (data instanceof Unknown) return [data];
  return Array.isArray(data) ? (data as readonly Data[]) : [];
}

/** Other init containers can't have probes. */
function mayBeSidecar(container: Data): boolean {
  const policy = dataAt(container, 'restartPolicy');
  return policy === 'Always' || policy instanceof Unknown;
}

const KINDS = ['liveness', 'readiness', 'startup'] as const;

function probesOfContainer(container: Data): readonly PodProbe[] {
  if (container instanceof Unknown) return [];
  const name = dataAt(container, 'name');
  return KINDS.flatMap((kind): readonly PodProbe[] => {
    const probe = dataAt(container, `${kind}Probe`);
    if (probe === undefined || probe === null) return [];
    const via = handlerOf(probe);
    return via === undefined ? [] : [{ container: typeof name === 'string' ? name : undefined, kind, via }];
  });
}

/** Undefined if the probe has no handler: the API server refuses it. */
function handlerOf(probe: Data): PodProbe['via'] | undefined {
  if (probe instanceof Unknown) return 'unknown';
  for (const via of ['httpGet', 'tcpSocket', 'grpc'] as const) {
    const handler = dataAt(probe, via);
    if (handler === undefined || handler === null) continue;
    if (handler instanceof Unknown) return 'unknown';
    // gRPC has no such field: it always goes to the pod.
    const host = via === 'grpc' ? undefined : dataAt(handler, 'host');
    if (host instanceof Unknown) return 'unknown';
    return host === undefined || host === null || host === '' ? via : 'elsewhere';
  }
  const exec = dataAt(probe, 'exec');
  return exec === undefined || exec === null ? undefined : 'exec';
}
