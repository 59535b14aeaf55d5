import { addon, manifest } from '../node-templates';

/** The vpc-cni add-on `Cni` with configuration values; undefined: none. */
export function cni(values: object | undefined, version = 'v1.21.1-eksbuild.5'): string {
  return addon(
    'Cni',
    'AddonName: vpc-cni',
    `AddonVersion: ${version}`,
    'ResolveConflicts: PRESERVE',
    ...(values === undefined ? [] : [`ConfigurationValues: '${JSON.stringify(values)}'`]),
  );
}

/** Configuration values with `ENABLE_POD_ENI` on, in strict mode, and further variables. */
export function podEni(env: object = {}): object {
  return { env: { ENABLE_POD_ENI: 'true', ...env }, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } };
}

/** A SecurityGroupPolicy of the namespace `shop`. */
export function policy(
  id = 'Policy',
  spec: object = {
    podSelector: { matchLabels: { app: 'web' } },
    securityGroups: { groupIds: ['sg-0123456789abcdef0'] },
  },
): string {
  return manifest(id, {
    apiVersion: 'vpcresources.k8s.aws/v1beta1',
    kind: 'SecurityGroupPolicy',
    metadata: { name: id.toLowerCase(), namespace: 'shop' },
    spec,
  });
}

/** A Deployment of the namespace `shop` that selects nodes of an operating system. */
export function deployment(id: string, os: string, labels: object = { app: 'web' }): string {
  const template = {
    metadata: { labels },
    spec: { nodeSelector: { 'kubernetes.io/os': os }, containers: [{ name: 'web', image: 'registry.example/web:1' }] },
  };
  return manifest(id, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: id.toLowerCase(), namespace: 'shop' },
    spec: { template },
  });
}
