import {
  addon,
  block,
  cluster,
  launchTemplate,
  manifest,
  namedNodeGroup,
  nodeGroup,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import {
  CERTIFICATE,
  clusterBlock,
  IMAGES,
  nodeConfig,
  SELF_MANAGED,
  userData,
} from '../node-bootstrap/user-data-templates';

/** Building blocks of the vectors about the number of pods on a node. */

export {
  addon,
  block,
  cluster,
  clusterBlock,
  IMAGES,
  launchTemplate,
  manifest,
  namedNodeGroup,
  nodeGroup,
  resources,
  SELF_MANAGED,
  template,
  USES_NODES,
  userData,
};

export const MAIN = cluster('Name: main', "Version: '1.33'");
export const IPV6 = cluster('Name: main', "Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: ipv6 }');

export const PREFIXES = { ENABLE_PREFIX_DELEGATION: 'true' };
export const CUSTOM = {
  AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true',
  ENI_CONFIG_LABEL_DEF: 'topology.kubernetes.io/zone',
};

/** The vpc-cni add-on `Cni`, sound but for these variables. */
export function cni(env: object, more: object = {}): string {
  return addon('Cni', ...CNI_BASICS, `ConfigurationValues: '${JSON.stringify({ env, ...more })}'`);
}

export const CNI_BASICS = ['AddonName: vpc-cni', 'AddonVersion: v1.21.1-eksbuild.5', 'ResolveConflicts: PRESERVE'];

/** The launch template `Nodes` with AL2023's AMI and a NodeConfig that has these lines below `spec.kubelet`. */
export function al2023(...kubelet: readonly string[]): string {
  return launchTemplate(
    IMAGES.AL2023,
    userData(
      nodeConfig(clusterBlock(), ...(kubelet.length === 0 ? [] : ['kubelet:', ...kubelet.map((line) => `  ${line}`)])),
    ),
  );
}

/** The same, with `maxPods` in its configuration. */
export function al2023WithPods(pods: number | string): string {
  return al2023('config:', `  maxPods: ${pods}`);
}

/** The launch template `Nodes` with AL2's AMI and a call of bootstrap.sh. */
export function al2(...args: readonly string[]): string {
  return launchTemplate(
    IMAGES.AL2,
    userData(['#!/bin/bash', `/etc/eks/bootstrap.sh main ${args.join(' ')}`.trim()].join('\n')),
  );
}

/** The launch template `Nodes` with Bottlerocket's AMI and its settings. */
export function bottlerocket(...more: readonly string[]): string {
  const lines = [
    '[settings.kubernetes]',
    'cluster-name = "main"',
    'api-server = "https://0123.gr7.eu-west-1.eks.amazonaws.com"',
    `cluster-certificate = "${CERTIFICATE}"`,
    ...more,
  ];
  return launchTemplate(IMAGES.BOTTLEROCKET, userData(lines.join('\n')));
}

/** A managed group of these instance types that uses the launch template `Nodes`. */
export function workers(...types: readonly string[]): string {
  return nodeGroup(`InstanceTypes: [${types.join(', ')}]`, USES_NODES);
}

/** An Auto Scaling group of these instance types that uses the launch template `Nodes`. */
export function selfManaged(...types: readonly string[]): string {
  return block('Workers', 'AWS::AutoScaling::AutoScalingGroup', [
    "MinSize: '1'",
    "MaxSize: '3'",
    'MixedInstancesPolicy:',
    '  LaunchTemplate:',
    '    LaunchTemplateSpecification: { LaunchTemplateId: !Ref Nodes, Version: !GetAtt Nodes.LatestVersionNumber }',
    `    Overrides: [${types.map((type) => `{ InstanceType: ${type} }`).join(', ')}]`,
    'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]',
  ]);
}

/** Parameter `Stage` and condition `IsProduction`. */
export const CONDITION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';
