import { Known, kubernetesVersionOf, type BootCase, type Value } from '../../eks';

/**
 * The Kubernetes version of the kubelet that a boot starts: its AMI's, where the name that it is looked up by tells it; else that of the
 * group or its cluster.
 */
export function kubeletVersionOf({ boot: { nodeGroup, view }, image }: BootCase): Value<string> {
  const version = image.kind === 'known' ? image.value.kubernetesVersion : undefined;
  return version === undefined ? kubernetesVersionOf(nodeGroup, view) : new Known(version, image.source);
}
