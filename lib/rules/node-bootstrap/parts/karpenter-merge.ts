import { bottlerocketSettingsOf, isDataMap, Known, nowhere, type AmiFamily } from '../../../eks';
import type { UserDataDocument } from '../../../eks/user-data/document';
import { isMimeForKarpenter } from '../../../eks/user-data/sniff';
import { parseEmbedded } from '../../../value/embedded-text';

/*
 * What Karpenter makes of user data that isn't MIME before it puts its own part to it.
 * Source: aws/karpenter-provider-aws, pkg/providers/amifamily/bootstrap (nodeadm.go, eksbootstrap.go, bottlerocket.go, windows.go).
 */

/**
 * Whether Karpenter takes a script, a cloud-config or any other text for AL2023 as a NodeConfig, because it can be read as a map of YAML: `#!/bin/bash` is
 * a comment there, and `echo "a: b"` a key with a value.
 */
export function readsAsYaml({ format, text, layers }: UserDataDocument): boolean {
  if (!text.isKnown || layers.length > 0 || format === 'node-config' || isMimeForKarpenter(text.text)) return false;
  const parsed = parseEmbedded(new Known(text.text, nowhere));
  return parsed.kind === 'parsed' && isDataMap(parsed.data) && Object.keys(parsed.data).length > 0;
}

/** Whether Karpenter can read user data as the settings of Bottlerocket; a script of comments is TOML. */
export function readsAsToml(document: UserDataDocument): boolean {
  return bottlerocketSettingsOf(document).problems.every(({ kind }) => kind !== 'syntax' && kind !== 'duplicate');
}

/** Code of a node class with user data that its family takes. */
export const NODE_CLASS_USER_DATA: Readonly<Record<AmiFamily, string>> = {
  AL2023: [
    '# in the spec of the EC2NodeClass: a NodeConfig, a script, or MIME with both',
    'userData: |',
    '  apiVersion: node.eks.aws/v1alpha1',
    '  kind: NodeConfig',
    '  spec:',
    '    kubelet:',
    '      config:',
    '        shutdownGracePeriod: 60s',
  ].join('\n'),
  AL2: [
    '# in the spec of the EC2NodeClass',
    'userData: |',
    '  #!/bin/bash',
    '  echo "before the bootstrap of Karpenter"',
  ].join('\n'),
  BOTTLEROCKET: [
    '# in the spec of the EC2NodeClass',
    'userData: |',
    '  [settings.kubernetes]',
    '  shutdown-grace-period = "60s"',
  ].join('\n'),
  WINDOWS: [
    '# in the spec of the EC2NodeClass',
    'userData: |',
    '  Write-Output "before the bootstrap of Karpenter"',
  ].join('\n'),
};
