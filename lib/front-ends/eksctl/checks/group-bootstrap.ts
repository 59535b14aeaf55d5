import type { ConfigProblem } from '../../../eks';
import type { ConfigNode } from '../config-node';
import { isBottlerocket, isWindows } from '../families';
import { parsedOverride } from '../override';
import type { Group } from './group';
import { hasContent, idle, refused, refusedLate } from './problem';

/* What nodes do when they start. Source: apis/eksctl.io/v1alpha5/validation.go, nodebootstrap/*.go. */

const PROTECTED_KUBELET = [
  'kind',
  'apiVersion',
  'address',
  'clusterDomain',
  'authentication',
  'authorization',
  'serverTLSBootstrap',
];

export function bootstrapProblems({ node, name, isManaged, family }: Group): readonly ConfigProblem[] {
  if (family === undefined) return [];
  const problems: ConfigProblem[] = [];
  const override = node.child('overrideBootstrapCommand');
  const kubelet = node.child('kubeletExtraConfig');
  if (family === 'AmazonLinux2023' && override.isWritten) {
    const parsed = parsedOverride(override);
    if (typeof parsed === 'object')
      problems.push(
        refusedLate(
          override,
          `\`overrideBootstrapCommand\` of group ${name} has to be a NodeConfig on AmazonLinux2023, and ${parsed.problem}`,
          'Write a NodeConfig, with `apiVersion: node.eks.aws/v1alpha1` and `kind: NodeConfig`; scripts go to `preBootstrapCommands`.',
        ),
      );
  }
  if (isBottlerocket(family))
    for (const key of ['preBootstrapCommands', 'overrideBootstrapCommand', 'kubeletExtraConfig'])
      if (node.child(key).isWritten)
        problems.push(
          refused(
            node.child(key),
            `\`${key}\` of group ${name} does not go with Bottlerocket`,
            'Use `bottlerocket.settings`.',
          ),
        );
  if (isWindows(family)) {
    if (kubelet.isWritten)
      problems.push(
        refused(kubelet, `\`kubeletExtraConfig\` of group ${name} does not go with Windows`, 'Take it out.'),
      );
    if (isManaged && override.isWritten)
      problems.push(
        refused(
          override,
          `\`overrideBootstrapCommand\` of group ${name} does not go with managed Windows nodes`,
          'Use `preBootstrapCommands`, or `nodeGroups`.',
        ),
      );
    const maxPods = node.child('maxPodsPerNode');
    if (isManaged && maxPods.isWritten)
      problems.push(
        idle(maxPods, `\`maxPodsPerNode\` of the managed Windows group ${name} goes nowhere`, 'Take it out.'),
      );
  }
  if (!isBottlerocket(family) && !isWindows(family))
    for (const key of kubelet.keys)
      if (PROTECTED_KUBELET.includes(key))
        problems.push(
          refused(
            kubelet.child(key),
            `\`${key}\` in \`kubeletExtraConfig\` of group ${name} is eksctl's own`,
            'Take it out.',
          ),
        );
  const bottlerocket = node.child('bottlerocket');
  if (!isManaged && bottlerocket.isWritten && !isBottlerocket(family))
    problems.push(
      refused(
        bottlerocket,
        `group ${name} has settings of Bottlerocket and runs ${family}`,
        'Set `amiFamily: Bottlerocket`, or take `bottlerocket` out.',
      ),
    );
  return [...problems, ...bottlerocketProblems(node, name, isManaged, family)];
}

function bottlerocketProblems(
  node: ConfigNode,
  name: string,
  isManaged: boolean,
  family: string,
): readonly ConfigProblem[] {
  if (!isBottlerocket(family)) return [];
  const kubernetes = node.at('bottlerocket', 'settings', 'kubernetes');
  const instead: Readonly<Record<string, string>> = {
    'node-labels': 'labels',
    'node-taints': 'taints',
    'max-pods': 'maxPodsPerNode',
  };
  const own = ['cluster-certificate', 'api-server', 'cluster-name', 'cluster-dns-ip'];
  if (!isManaged && kubernetes.isWritten && !kubernetes.isMap)
    return [
      refused(
        kubernetes,
        `\`bottlerocket.settings.kubernetes\` of group ${name} is no map`,
        'Write a map of settings.',
      ),
    ];
  const dns = kubernetes.child('cluster-dns-ip');
  if (!isManaged && dns.isWritten && hasContent(node.child('clusterDNS')))
    return [refused(dns, `group ${name} has the address of the cluster's DNS twice`, 'Keep `clusterDNS`.')];
  return kubernetes.keys.flatMap((key): readonly ConfigProblem[] => {
    const use = instead[key];
    if (use !== undefined && !(isManaged && key === 'max-pods')) {
      const tell = isManaged ? refusedLate : refused;
      return [
        tell(
          kubernetes.child(key),
          `\`${key}\` in the Bottlerocket settings of group ${name} is the group's own`,
          `Use \`${use}\` of the group.`,
        ),
      ];
    }
    return isManaged && own.includes(key)
      ? [
          refusedLate(
            kubernetes.child(key),
            `\`${key}\` in the Bottlerocket settings of group ${name} is EKS's own`,
            'Take it out.',
          ),
        ]
      : [];
  });
}
