import { dataAt, isDataMap, nowhere, Unknown, type Data } from '../../value';
import type { ClusterView } from '../model/model';
import { objectName } from '../model/resource-name';
import type { KubernetesManifest } from '../model/resources';

/**
 * A `SecurityGroupPolicy` (vpcresources.k8s.aws/v1beta1), which gives pods security groups of their own. Both selectors together mean
 * that both must fit; without any, the controller ignores the policy silently.
 * Source: aws/amazon-vpc-resource-controller-k8s, apis/vpcresources/v1beta1.
 */
export interface SecurityGroupPolicy {
  readonly manifest: KubernetesManifest;
  /** For people: its name, or the resource's id. */
  readonly label: string;
  /** `default` if nothing is written; undefined if it isn't known. */
  readonly namespace: string | undefined;
  /** Undefined if it isn't written. `{}` fits all pods of the namespace. */
  readonly podSelector: Data | undefined;
  readonly serviceAccountSelector: Data | undefined;
  /** Undefined if it isn't written. */
  readonly groupIds: Data | undefined;
}

/** The SecurityGroupPolicies of a cluster that the input shows, complete or not; worked out once. */
export function securityGroupPoliciesOf(view: ClusterView): readonly SecurityGroupPolicy[] {
  let found = known.get(view);
  if (found === undefined) {
    found = view.manifests.flatMap(fromManifest);
    known.set(view, found);
  }
  return found;
}

const known = new WeakMap<ClusterView, readonly SecurityGroupPolicy[]>();

function fromManifest(manifest: KubernetesManifest): readonly SecurityGroupPolicy[] {
  const { object } = manifest;
  if (dataAt(object, 'kind') !== 'SecurityGroupPolicy') return [];
  return [
    {
      manifest,
      label: objectName(manifest),
      namespace: namespaceOf(object),
      podSelector: writtenAt(object, 'spec', 'podSelector'),
      serviceAccountSelector: writtenAt(object, 'spec', 'serviceAccountSelector'),
      groupIds: writtenAt(object, 'spec', 'securityGroups', 'groupIds'),
    },
  ];
}

/** To Kubernetes, null is as good as nothing. */
function writtenAt(object: Data, ...path: readonly string[]): Data | undefined {
  return dataAt(object, ...path) ?? undefined;
}

/** The namespace of an object: `default` if nothing is written; undefined if it isn't known. */
export function namespaceOf(object: Data): string | undefined {
  const namespace = dataAt(object, 'metadata', 'namespace');
  if (namespace === undefined || namespace === null) return 'default';
  return typeof namespace === 'string' ? namespace : undefined;
}

/**
 * Whether a label selector fits labels; `maybe` where either of them isn't known. A selector that the controller can't read fits nothing.
 * Source: Kubernetes, "Labels and selectors"; aws/amazon-vpc-resource-controller-k8s, pkg/utils/helper.go.
 */
export function selects(selector: Data, labels: Data | undefined): 'yes' | 'no' | 'maybe' {
  if (selector instanceof Unknown) return 'maybe';
  if (!isDataMap(selector)) return 'no';
  // Whatever stands beside the two fields is refused or dropped, depending on who applies the manifest.
  const isClean = Object.keys(selector).every((key) => key === 'matchLabels' || key === 'matchExpressions');
  const answers = [...(isClean ? [] : MAYBE), ...matchLabels(selector, labels), ...matchExpressions(selector, labels)];
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}

type Answer = ReturnType<typeof selects>;

const MAYBE: readonly Answer[] = ['maybe'];

function matchLabels(selector: Data, labels: Data | undefined): readonly Answer[] {
  const wanted = dataAt(selector, 'matchLabels');
  if (wanted instanceof Unknown) return MAYBE;
  if (!isDataMap(wanted)) return [];
  return Object.entries<Data>(wanted).map(([key, value]): Answer => {
    if (key.includes('${')) return 'maybe';
    const own = labelOf(labels, key);
    // A label that isn't there doesn't even fit empty text.
    if (own === undefined) return 'no';
    if (own instanceof Unknown || value instanceof Unknown) return 'maybe';
    return own === value ? 'yes' : 'no';
  });
}

function matchExpressions(selector: Data, labels: Data | undefined): readonly Answer[] {
  const expressions = dataAt(selector, 'matchExpressions');
  if (expressions instanceof Unknown) return MAYBE;
  return Array.isArray(expressions)
    ? (expressions as readonly Data[]).map((expression) => matchExpression(expression, labels))
    : [];
}

function matchExpression(expression: Data, labels: Data | undefined): Answer {
  const key = dataAt(expression, 'key');
  const operator = dataAt(expression, 'operator');
  const values = dataAt(expression, 'values') ?? [];
  if (typeof key !== 'string' || typeof operator !== 'string' || key.includes('${')) return 'maybe';
  const own = labelOf(labels, key);
  switch (operator) {
    case 'Exists':
    case 'DoesNotExist':
      if (values instanceof Unknown || (own instanceof Unknown && !isLabel(labels, key))) return 'maybe';
      if (Array.isArray(values) && values.length > 0) return 'no';
      return (own === undefined) === (operator === 'DoesNotExist') ? 'yes' : 'no';
    case 'In':
    case 'NotIn': {
      if (values instanceof Unknown || own instanceof Unknown) return 'maybe';
      // Without values the selector is malformed, and then no pod fits.
      if (!Array.isArray(values) || values.length === 0) return 'no';
      const list = values as readonly Data[];
      const isIn = own !== undefined && list.includes(own);
      if (!isIn && own !== undefined && list.some((value) => value instanceof Unknown)) return 'maybe';
      return isIn === (operator === 'In') ? 'yes' : 'no';
    }
    default:
      return 'no';
  }
}

/** A label's value; unknown if the label may be behind a key that isn't known. */
function labelOf(labels: Data | undefined, key: string): Data | undefined {
  const own = dataAt(labels, key);
  if (own !== undefined || !isDataMap(labels)) return own;
  const hidden = Object.keys(labels).find((other) => other.includes('${'));
  return hidden === undefined ? undefined : new Unknown(`the label ${hidden} is decided at deployment`, nowhere);
}

/** Whether a label is surely there, even if its value isn't known. */
function isLabel(labels: Data | undefined, key: string): boolean {
  return isDataMap(labels) && Object.hasOwn(labels, key);
}
