import { addon, block, cluster, resources, template } from '../node-templates';

/** Building blocks of the vectors about custom networking. */

export const ZONES = 'topology.kubernetes.io/zone';

export type Settings = Readonly<Record<string, unknown>>;

/** The cluster's add-on with custom networking on, `env` beside it and further configuration values. */
export function cni(env: Settings = {}, values: Settings = {}): string {
  return cniWith({ env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ...env }, ...values });
}

/** The same, found by the nodes' zones. */
export function zonal(values: Settings = {}): string {
  return cni({ ENI_CONFIG_LABEL_DEF: ZONES }, values);
}

export function cniWith(values: Settings, version = 'v1.21.1-eksbuild.5'): string {
  return addon(
    'Cni',
    'AddonName: vpc-cni',
    `AddonVersion: ${version}`,
    'ResolveConflicts: PRESERVE',
    `ConfigurationValues: '${JSON.stringify(values)}'`,
  );
}

/** `eniConfig` of the configuration values, by names. */
export function eniConfig(subnets: Readonly<Record<string, string>>, region = ''): Settings {
  return {
    eniConfig: {
      create: true,
      region,
      subnets: Object.fromEntries(Object.entries(subnets).map(([name, id]) => [name, { id }])),
    },
  };
}

/** An ENIConfig as CDK applies it, with a text or a function as name and as subnet. */
export function eniManifest(id: string, name: string, subnet = 'subnet-0a'): string {
  const parts = [
    `'[{"apiVersion":"crd.k8s.amazonaws.com/v1alpha1","kind":"ENIConfig","metadata":{"name":"'`,
    name,
    `'"},"spec":{"subnet":"'`,
    subnet,
    `'"}}]'`,
  ];
  return block(id, 'Custom::AWSCDK-EKS-KubernetesResource', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    'Manifest: !Join',
    "  - ''",
    ...parts.map((part, index) => `${index === 0 ? '  - - ' : '    - '}${part}`),
  ]);
}

export function subnet(id: string, zone: string): string {
  return block(id, 'AWS::EC2::Subnet', [
    'VpcId: vpc-1',
    'CidrBlock: 10.0.0.0/20',
    ...(zone === '' ? [] : [`AvailabilityZone: ${zone}`]),
  ]);
}

export const IPV4 = cluster("Version: '1.33'");
export const IPV6 = cluster("Version: '1.33'", 'KubernetesNetworkConfig: { IpFamily: ipv6 }');

/** A template of an IPv4 cluster. */
export function ipv4(...blocks: readonly string[]): string {
  return resources(IPV4, ...blocks);
}

export const STAGE = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';

export function staged(...blocks: readonly string[]): string {
  return template(STAGE, IPV4, ...blocks);
}
