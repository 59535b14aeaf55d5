import type { KubernetesManifest } from '../../eks';
import { Absent } from '../../value';
import type { AnswerNode } from './answer-node';
import { OBJECTS } from './answers';
import type { Dump } from './dump';

/** The objects that kubectl printed, of lists or one by one. */
export function objectsIn(dump: Dump): readonly AnswerNode[] {
  return dump
    .answersOf(OBJECTS)
    .flatMap(({ root }) => (root.child('items').isList ? root.child('items').items : [root]))
    .filter((object) => object.child('kind').label !== '');
}

/** The DaemonSet of the VPC CNI. */
export function awsNodeIn(dump: Dump): AnswerNode | undefined {
  return objectsIn(dump).find(
    (object) =>
      object.child('kind').label === 'DaemonSet' &&
      object.at('metadata', 'name').label === 'aws-node' &&
      object.at('metadata', 'namespace').label === 'kube-system',
  );
}

/**
 * The objects of a cluster. Pods and what controllers make of others say nothing that isn't in those, and what the DaemonSet of an add-on has is read with
 * the add-on.
 */
export function readObjects(dump: Dump): readonly KubernetesManifest[] {
  const isAddon = dump.all('addon').some((addon) => addon.child('addonName').label === 'vpc-cni');
  const ofAddon = isAddon ? awsNodeIn(dump) : undefined;
  return objectsIn(dump).flatMap((node): readonly KubernetesManifest[] => {
    if (node.at('metadata', 'ownerReferences').items.length > 0 || node.raw === ofAddon?.raw) return [];
    const object = node.asResource();
    const [kind, namespace, name] = [
      object.child('kind').label,
      object.at('metadata', 'namespace').label,
      object.at('metadata', 'name').label,
    ];
    return [
      {
        ...dump.resource(`kubernetes:${kind}`, namespace === '' ? name : `${namespace}/${name}`, object),
        kind: 'manifest',
        environment: dump.environment,
        cluster: dump.clusterOf(new Absent(object)),
        object: object.data,
      },
    ];
  });
}

/** Names of variables of containers of the VPC CNI are its settings; no other value of a variable is anybody's business. */
const SETTINGS_OF_CNI = /^(?:aws-node|aws-vpc-cni-init|aws-eks-nodeagent)$/;

/** Shorter ones are settings, if anything: to hide them would hide words. */
const SHORTEST = 8;

/**
 * What objects hold that nobody is to be shown: what Secrets hold, and variables of containers.
 * @param isNamed whether an answer of AWS has a text, too, so that it is no secret
 */
export function secretsIn(objects: readonly AnswerNode[], isNamed: (text: string) => boolean): readonly string[] {
  return objects.flatMap((object) => {
    if (object.child('kind').label === 'Secret')
      return ['data', 'stringData'].flatMap((key) =>
        object.child(key).keys.flatMap((name) => {
          const { label } = object.child(key).child(name);
          return key === 'data' ? [label, Buffer.from(label, 'base64').toString('utf8')] : [label];
        }),
      );
    return podsIn(object)
      .flatMap((pod) => [...pod.child('containers').items, ...pod.child('initContainers').items])
      .filter((container) => !SETTINGS_OF_CNI.test(container.child('name').label))
      .flatMap((container) => container.child('env').items.map((variable) => variable.child('value').label))
      .filter((value) => value.length >= SHORTEST && !isNamed(value));
  });
}

function podsIn(object: AnswerNode): readonly AnswerNode[] {
  return [
    object.child('spec'),
    object.at('spec', 'template', 'spec'),
    object.at('spec', 'jobTemplate', 'spec', 'template', 'spec'),
  ];
}
