import { block, CLUSTER, helmChart, resources, template } from '../node-templates';

/** A current version, whose configuration values the vectors write. */
export const CURRENT = 'v1.21.1-eksbuild.5';

const IPV6_CLUSTER = block('Cluster', 'AWS::EKS::Cluster', [
  'RoleArn: arn:aws:iam::111122223333:role/cluster',
  "Version: '1.33'",
  'KubernetesNetworkConfig: { IpFamily: ipv6 }',
]);

export const PARAMETER = 'Parameters:\n  Given:\n    Type: String';
export const STAGES = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';

export const json = (values: unknown) => `'${JSON.stringify(values).replaceAll("'", "''")}'`;

/** The add-on `Cni`, with configuration values as they stand in the template. */
export function cniAddon(
  configuration: string | undefined,
  version: string | undefined = CURRENT,
  clusterName = '!Ref Cluster',
): string {
  return block('Cni', 'AWS::EKS::Addon', [
    `ClusterName: ${clusterName}`,
    'AddonName: vpc-cni',
    ...(version === '' ? [] : [`AddonVersion: ${version}`]),
    'ResolveConflicts: PRESERVE',
    'PreserveOnDelete: true',
    ...(configuration === undefined ? [] : [`ConfigurationValues: ${configuration}`]),
  ]);
}

/** A cluster of Kubernetes 1.33 and its vpc-cni add-on. */
export const cni = (values: unknown, version?: string) => resources(CLUSTER, cniAddon(json(values), version));

export const env = (variables: Readonly<Record<string, unknown>>, version?: string) => cni({ env: variables }, version);

/** The same in an IPv6 cluster. */
export const ipv6 = (values: unknown) => resources(IPV6_CLUSTER, cniAddon(json(values)));

/** The same for a cluster that the input doesn't hold. */
export const imported = (values: unknown) => resources(cniAddon(json(values), CURRENT, 'main'));

/** The configuration as `Fn::Sub` text, with `${Given}` for a parameter without default. */
export const given = (values: unknown, more = '') =>
  template(PARAMETER + more, CLUSTER, cniAddon(`!Sub ${json(values)}`));

/** Two configurations by the condition IsProd. */
export const either = (values: unknown, others: unknown) =>
  template(STAGES, CLUSTER, cniAddon(`!If [IsProd, ${json(values)}, ${json(others)}]`));

/** Configuration values as CDK writes them when they hold a token. */
export const joined = (...parts: readonly string[]) =>
  template(PARAMETER, CLUSTER, cniAddon(`{ 'Fn::Join': ['', [${parts.join(', ')}]] }`));

/** The chart instead of the add-on. */
export const chart = (values: object) =>
  resources(CLUSTER, helmChart('Cni', 'https://aws.github.io/eks-charts/aws-vpc-cni', values));
