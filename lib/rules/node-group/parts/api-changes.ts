import { dataAt, isDataMap, Unknown, type Data, type KubernetesObject } from '../../../eks';
import { compareVersions, removedApi, type RemovedApi } from '../../../knowledge';

/*
 * What becomes of an object whose API version Kubernetes no longer serves.
 * Sources: Kubernetes, "Deprecated API Migration Guide" (notable changes); kubernetes/api, the types of both versions.
 */

/** What to write in the place of an object of an API version that is gone. */
export type ApiChange =
  /** Nothing serves such objects any more. */
  | { readonly kind: 'none' }
  /** The same in another version. */
  | { readonly kind: 'version'; readonly use: string }
  /** More than the version changes. */
  | { readonly kind: 'fields'; readonly advice: string };

/** @param version of Kubernetes, which doesn't serve the API version any more */
export function apiChange(api: RemovedApi, version: string, { object, resource }: KubernetesObject): ApiChange {
  const use = replacementOf(api, version);
  if (use === undefined) return { kind: 'none' };
  const what = changedFields(api, object);
  const successor = resource.kind === 'manifest' ? resource.successor : undefined;
  if (successor !== undefined) {
    const rest = what === undefined ? ', with the same blocks' : `: ${api.kind === 'Ingress' ? IN_BLOCKS : what}`;
    return {
      kind: 'fields',
      advice: `Write it, and what refers to it, as \`${successor}\`, which sends it in \`${use}\`${rest}. If the cluster has the object from an older version, import it: it is still there.`,
    };
  }
  return what === undefined
    ? { kind: 'version', use }
    : { kind: 'fields', advice: `Write it in \`${use}\`, and what changes with that: ${what}.` };
}

function replacementOf({ use, kind }: RemovedApi, version: string): string | undefined {
  const next = use === undefined ? undefined : removedApi(use, kind);
  return next === undefined || compareVersions(next.removedIn, version) > 0 ? use : replacementOf(next, version);
}

function changedFields({ apiVersion, kind }: RemovedApi, object: Data): string | undefined {
  if (kind === 'PodDisruptionBudget')
    return isEmptyMap(dataAt(object, 'spec', 'selector')) ? EMPTY_SELECTOR : undefined;
  if (OF_PODS.has(kind)) return hasLabels(dataAt(object, 'spec', 'selector')) ? undefined : NO_SELECTOR;
  return CHANGES[`${apiVersion} ${kind}`] ?? CHANGES[kind];
}

/** Source: kubernetes/api, policy/v1beta1/types.go and policy/v1/types.go, PodDisruptionBudgetSpec.Selector. */
const EMPTY_SELECTOR =
  'its selector is empty, which meant no pods and means all pods of the namespace now: name the labels of the pods that it is for';

/** Of an Ingress. Source: hashicorp/terraform-provider-kubernetes, the schemas of `kubernetes_ingress` and `kubernetes_ingress_v1`. */
const IN_BLOCKS =
  'the block `backend` of the spec is `default_backend` there, that of a path has a block `service` with `name` and `port`, and each path needs a `path_type`';

/** Kinds that had a default for the selector. */
const OF_PODS: ReadonlySet<string> = new Set(['DaemonSet', 'Deployment', 'StatefulSet', 'ReplicaSet']);

const NO_SELECTOR =
  '`spec.selector` is required there: write `matchLabels` with labels that `spec.template.metadata.labels` has';

const SHARES = '`assuredConcurrencyShares` is called `nominalConcurrencyShares` there';

/** By version and kind, or for all versions of a kind. What isn't here needs its version changed and nothing else. */
const CHANGES: Readonly<Record<string, string>> = {
  Ingress:
    '`spec.backend` is called `defaultBackend` there, `serviceName` and `servicePort` of a backend are `service.name` and `service.port.number` (or `.name`), and each path needs a `pathType`, such as `Prefix`',
  CustomResourceDefinition:
    '`validation`, `subresources` and `additionalPrinterColumns` belong into each item of `spec.versions` there, and each needs a schema',
  MutatingWebhookConfiguration:
    'each webhook needs `sideEffects` and `admissionReviewVersions` there, and `failurePolicy` is `Fail` unless it is written',
  ValidatingWebhookConfiguration:
    'each webhook needs `sideEffects` and `admissionReviewVersions` there, and `failurePolicy` is `Fail` unless it is written',
  CertificateSigningRequest: '`spec.signerName` and `spec.usages` are required there',
  'autoscaling/v2beta1 HorizontalPodAutoscaler':
    'a metric has its goal in `target` there: `targetAverageUtilization: 70` becomes `target: {type: Utilization, averageUtilization: 70}`',
  'flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration': SHARES,
  'flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration': SHARES,
  EndpointSlice: '`topology` of an endpoint is `nodeName` and `zone` there',
  Event:
    '`involvedObject` is called `regarding` there, and `action`, `reason`, `reportingController` and `reportingInstance` are required',
  LocalSubjectAccessReview: '`spec.group` is called `spec.groups` there',
  SelfSubjectAccessReview: '`spec.group` is called `spec.groups` there',
  SubjectAccessReview: '`spec.group` is called `spec.groups` there',
};

function isEmptyMap(data: Data | undefined): boolean {
  return isDataMap(data) && ['matchLabels', 'matchExpressions'].every((key) => isNothing(dataAt(data, key)));
}

function isNothing(data: Data | undefined): boolean {
  if (data === undefined || data === null) return true;
  return !(data instanceof Unknown) && typeof data === 'object' && Object.keys(data).length === 0;
}

function hasLabels(selector: Data | undefined): boolean {
  return selector instanceof Unknown || (isDataMap(selector) && !isEmptyMap(selector));
}
