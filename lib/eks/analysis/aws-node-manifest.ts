import { dataAt, entriesOf, isDataMap, Unknown, type Data, type DataMap } from '../../value';
import type { KubernetesManifest } from '../model/resources';

/*
 * A self-managed VPC CNI: the DaemonSet `kube-system/aws-node` as a manifest, with its settings as variables of the containers.
 * Source: aws/amazon-vpc-cni-k8s, config/master/aws-k8s-cni.yaml.
 */

/** Whether a manifest is the DaemonSet of the VPC CNI. */
export function isAwsNode({ object }: KubernetesManifest): boolean {
  return (
    dataAt(object, 'kind') === 'DaemonSet' &&
    dataAt(object, 'metadata', 'name') === 'aws-node' &&
    // Without containers it only changes what something else applies.
    imageOf(object) !== undefined
  );
}

function imageOf(object: Data): Data | undefined {
  return containersIn(object, 'containers').flatMap((one) => dataAt(one, 'image') ?? [])[0];
}

function containersIn(object: Data, list: 'containers' | 'initContainers'): readonly Data[] {
  const containers = dataAt(object, 'spec', 'template', 'spec', list);
  return Array.isArray(containers) ? (containers as readonly Data[]) : [];
}

/** The variables of its containers in the form of the add-on's configuration values. */
export function valuesOfAwsNode({ object }: KubernetesManifest): DataMap {
  const named = (list: 'containers' | 'initContainers', name: string): Data | undefined =>
    containersIn(object, list).find((one) => dataAt(one, 'name') === name);
  const agent = named('containers', 'aws-eks-nodeagent');
  const spec = dataAt(object, 'spec', 'template', 'spec');
  return withoutNothing({
    env: variablesOf(named('containers', 'aws-node')),
    init: { env: variablesOf(named('initContainers', 'aws-vpc-cni-init')) },
    nodeAgent: { enabled: agent !== undefined },
    enableNetworkPolicy: argumentOf(agent, 'enable-network-policy'),
    nodeSelector: dataAt(spec, 'nodeSelector'),
    affinity: dataAt(spec, 'affinity'),
  });
}

function withoutNothing(data: Readonly<Record<string, Data | undefined>>): DataMap {
  return Object.fromEntries(Object.entries(data).filter((entry): entry is [string, Data] => entry[1] !== undefined));
}

function variablesOf(container: Data | undefined): DataMap {
  const variables = dataAt(container, 'env');
  const others = dataAt(container, 'envFrom');
  const list = Array.isArray(variables) ? (variables as readonly Data[]) : [];
  return Object.fromEntries([
    ...list.flatMap(variableOf),
    // What another object gives may be any of them.
    ...(variables instanceof Unknown ? [['${env}', variables] as const] : []),
    ...(Array.isArray(others) && others.length > 0 ? [['${envFrom}', null] as const] : []),
  ]);
}

function variableOf(variable: Data): readonly (readonly [string, Data])[] {
  if (variable instanceof Unknown) return [['${env}', variable]];
  const name = dataAt(variable, 'name');
  const value = dataAt(variable, 'value') ?? undefined;
  const from = dataAt(variable, 'valueFrom');
  if (typeof name !== 'string') return [];
  if (value !== undefined) return [[name, value]];
  // Fields of the pod itself are its node's name and the like.
  return isDataMap(from) && entriesOf(from).some(([key]) => key !== 'fieldRef') ? [[`\${${name}}`, null]] : [];
}

function argumentOf(container: Data | undefined, name: string): string | undefined {
  const list = dataAt(container, 'args');
  for (const argument of Array.isArray(list) ? (list as readonly Data[]) : []) {
    const [, key, value] = typeof argument === 'string' ? (/^--?([\w-]+)=(.*)$/.exec(argument) ?? []) : [];
    if (key === name) return value;
  }
  return undefined;
}
