import { addon, block, cluster, manifest } from '../node-templates';

/** Building blocks of the vectors about security groups for pods. */

const VERSION = 'v1.21.1-eksbuild.5';

/** The vpc-cni add-on `Cni`, sound but for what is given. */
export function cni(values: object | undefined, version = VERSION, ...properties: readonly string[]): string {
  return cniWith(
    values === undefined ? [] : [`ConfigurationValues: '${JSON.stringify(values)}'`],
    version,
    ...properties,
  );
}

export function cniWith(values: readonly string[], version = VERSION, ...properties: readonly string[]): string {
  const mode = properties.some((line) => line.startsWith('ResolveConflicts')) ? [] : ['ResolveConflicts: PRESERVE'];
  return addon(
    'Cni',
    'AddonName: vpc-cni',
    ...(version === '' ? [] : [`AddonVersion: ${version}`]),
    ...mode,
    ...properties,
    ...values,
  );
}

export const POD_ENI = { env: { ENABLE_POD_ENI: 'true' } };
export const STANDARD = { env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' } };
export const DEMUX = { env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } };

export const IPV6_CLUSTER = cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: ipv6 }');

export const API_VERSION = 'vpcresources.k8s.aws/v1beta1';

export function policyObject(
  spec: object = { podSelector: { matchLabels: { app: 'web' } } },
  namespace = 'shop',
  name = 'web',
): object {
  return {
    apiVersion: API_VERSION,
    kind: 'SecurityGroupPolicy',
    metadata: { name, namespace },
    spec: { securityGroups: { groupIds: ['sg-0123456789abcdef0'] }, ...spec },
  };
}

export function policy(id: string, spec?: object, namespace?: string): string {
  return manifest(id, policyObject(spec, namespace, id.toLowerCase()));
}

export const HTTP = { httpGet: { path: '/healthz', port: 8080 } };
export const EXEC = { exec: { command: ['true'] } };

export function deploymentObject(
  probes: object,
  pod: object = {},
  labels: object = { app: 'web' },
  name = 'web',
): object {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1', ...probes }], ...pod } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' }, spec: { template } };
}

export function deployment(id: string, probes: object, pod?: object, labels?: object): string {
  return manifest(id, deploymentObject(probes, pod, labels, id.toLowerCase()));
}

/** A block with `${…}` in its JSON, which CloudFormation then fills in. */
export function substituted(text: string): string {
  return text.replace(/(Manifest|ConfigurationValues): '/, "$1: !Sub '");
}

/** A patch of the DaemonSet aws-node. */
export function patch(name: string, value: string, list = 'containers'): string {
  const change = { spec: { template: { spec: { [list]: [{ name: 'x', env: [{ name, value }] }] } } } };
  return block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    'ResourceName: daemonset/aws-node',
    'ResourceNamespace: kube-system',
    `ApplyPatchJson: '${JSON.stringify(change)}'`,
    "RestorePatchJson: '{}'",
    'PatchType: strategic',
  ]);
}

export const FARGATE = block('Fargate', 'AWS::EKS::FargateProfile', [
  'ClusterName: !Ref Cluster',
  'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
]);
