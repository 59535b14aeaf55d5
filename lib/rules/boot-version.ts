import { Known, kubernetesVersionOf, type BootCase, type Value } from '../model';

/**
 * The Kubernetes version of the kubelet that a boot starts: an AMI that EKS publishes says its own in its SSM parameter; else that
 * of the group or its cluster.
 */
export function kubeletVersionOf({ boot: { nodeGroup, view }, image }: BootCase): Value<string> {
  const [, linux, windows] = (image.kind === 'known' ? /\/optimized-ami\/(1\.\d+)\/|-EKS_Optimized-(1\.\d+)\//.exec(image.value.text) : undefined) ?? [];
  const version = linux ?? windows;
  return version === undefined || image.kind !== 'known' ? kubernetesVersionOf(nodeGroup, view) : new Known(version, image.source);
}
