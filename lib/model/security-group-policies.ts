import { dataAt, isDataMap, Unknown, type Data } from '../value';
import type { ClusterView } from './model';
import type { KubernetesManifest } from './resources';

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

/** The SecurityGroupPolicies of a cluster that the input shows, complete or not. */
export function securityGroupPoliciesOf({ manifests }: ClusterView): readonly SecurityGroupPolicy[] {
  return manifests.flatMap((manifest): readonly SecurityGroupPolicy[] => {
    const { object } = manifest;
    if (dataAt(object, 'kind') !== 'SecurityGroupPolicy') return [];
    const name = dataAt(object, 'metadata', 'name');
    return [
      {
        manifest,
        label: typeof name === 'string' ? name : (manifest.path ?? manifest.id),
        namespace: namespaceOf(object),
        podSelector: dataAt(object, 'spec', 'podSelector'),
        serviceAccountSelector: dataAt(object, 'spec', 'serviceAccountSelector'),
        groupIds: dataAt(object, 'spec', 'securityGroups', 'groupIds'),
      },
    ];
  });
}

/** The namespace of an object: `default` if nothing is written; undefined if it isn't known. */
export function namespaceOf(object: Data): string | undefined {
  const namespace = dataAt(object, 'metadata', 'namespace');
  if (namespace === undefined || namespace === null) return 'default';
  return typeof namespace === 'string' ? namespace : undefined;
}

/** Whether a label selector fits labels; `maybe` where either of them isn't known. Source: Kubernetes, "Labels and selectors". */
export function selects(selector: Data, labels: Data | undefined): 'yes' | 'no' | 'maybe' {
  if (selector instanceof Unknown || labels instanceof Unknown) return 'maybe';
  if (!isDataMap(selector)) return 'no';
  const answers = [...matchLabels(selector, labels), ...matchExpressions(selector, labels)];
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}

type Answer = ReturnType<typeof selects>;

function matchLabels(selector: Data, labels: Data | undefined): readonly Answer[] {
  const wanted = dataAt(selector, 'matchLabels');
  if (wanted instanceof Unknown) return ['maybe'];
  if (!isDataMap(wanted)) return [];
  return Object.entries(wanted).map(([key, value]): Answer => {
    const own = dataAt(labels, key);
    if (own instanceof Unknown || value instanceof Unknown || key.includes('${')) return 'maybe';
    return own === value ? 'yes' : 'no';
  });
}

function matchExpressions(selector: Data, labels: Data | undefined): readonly Answer[] {
  const expressions = dataAt(selector, 'matchExpressions');
  if (expressions instanceof Unknown) return ['maybe'];
  if (!Array.isArray(expressions)) return [];
  return (expressions as readonly Data[]).map((expression): Answer => {
    const key = dataAt(expression, 'key');
    const operator = dataAt(expression, 'operator');
    const values = dataAt(expression, 'values');
    if (typeof key !== 'string' || typeof operator !== 'string' || key.includes('${')) return 'maybe';
    const own = dataAt(labels, key);
    if (operator === 'Exists') return own === undefined ? 'no' : 'yes';
    if (operator === 'DoesNotExist') return own === undefined ? 'yes' : 'no';
    if (own instanceof Unknown || !Array.isArray(values) || (values as readonly Data[]).some((value) => value instanceof Unknown)) return 'maybe';
    const isIn = own !== undefined && (values as readonly Data[]).includes(own);
    return isIn === (operator === 'In') ? 'yes' : 'no';
  });
}
