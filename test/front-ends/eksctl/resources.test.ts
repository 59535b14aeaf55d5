import type { EksResource, NodeGroup } from '../../../lib/eks';
import { documentOf } from '../../../lib/eks/analysis/node-boot';
import { config, managed, resourcesIn, selfManaged } from './configs';

function only<K extends EksResource['kind']>(text: string, kind: K): Extract<EksResource, { readonly kind: K }> {
  const [found, other] = resourcesIn(text).filter((resource) => resource.kind === kind);
  if (found === undefined || other !== undefined) throw new Error(`not one ${kind}`);
  return found as Extract<EksResource, { readonly kind: K }>;
}

function known(value: { readonly kind: string; readonly value?: unknown }): unknown {
  return value.kind === 'known' ? value.value : value.kind;
}

function sizes(text: string): readonly unknown[] {
  const { minSize, desiredSize, maxSize }: NodeGroup = only(config(text), 'node-group');
  return [minSize, desiredSize, maxSize].map(known);
}

describe('managed groups', () => {
  it('have the sizes that eksctl fills in', () => {
    expect(sizes(managed())).toEqual([2, 2, 2]);
    expect(sizes(managed('desiredCapacity: 3'))).toEqual([3, 3, 3]);
    expect(sizes(managed('minSize: 1'))).toEqual([1, 1, 1]);
    expect(sizes(managed('minSize: 1', 'maxSize: 5'))).toEqual([1, 1, 5]);
    expect(sizes(managed('desiredCapacity: 0'))).toEqual([0, 0, 1]);
  });

  it('have the AMI type of their family and their first accelerated type', () => {
    const amiType = (...settings: readonly string[]) => known(only(config(managed(...settings)), 'node-group').amiType);
    expect(amiType()).toBe('AL2023_x86_64_STANDARD');
    expect(amiType('instanceType: m7g.large')).toBe('AL2023_ARM_64_STANDARD');
    expect(amiType('instanceTypes: [m5.large, g5.xlarge]')).toBe('AL2023_x86_64_NVIDIA');
    expect(amiType('amiFamily: bottlerocket')).toBe('BOTTLEROCKET_x86_64');
    expect(amiType('amiFamily: BottlerocketFips', 'instanceType: g5g.xlarge')).toBe('BOTTLEROCKET_ARM_64_NVIDIA_FIPS');
    expect(amiType('amiFamily: WindowsServer2022CoreContainer')).toBe('WINDOWS_CORE_2022_x86_64');
    expect(amiType('amiFamily: AmazonLinux2023', 'ami: ami-0123456789abcdef0')).toBe('absent');
    expect(amiType('instanceSelector: {vCPUs: 2}')).toBe('unknown');
    expect(amiType('launchTemplate: {id: lt-0123456789abcdef0}')).toBe('unknown');
  });

  it('start with a template of two hops and required tokens', () => {
    const metadata = (...settings: readonly string[]) => {
      const { hopLimit, httpTokens } = only(config(managed(...settings)), 'launch-template').metadata;
      return [known(hopLimit), known(httpTokens)];
    };
    expect(metadata()).toEqual([2, 'required']);
    expect(metadata('disablePodIMDS: true')).toEqual([1, 'required']);
    expect(metadata('disableIMDSv1: false')).toEqual([2, 'optional']);
    expect(metadata('disableIMDSv1: ${V1}')).toEqual([2, 'unknown']);
  });

  it('are in words of YAML 1.1', () => {
    expect(known(only(config(managed('spot: yes')), 'node-group').capacityType)).toBe('SPOT');
    expect(known(only(config(managed('spot: off')), 'node-group').capacityType)).toBe('absent');
  });

  it('have no user data of their own unless something is written', () => {
    expect(only(config(managed()), 'launch-template').userData.kind).toBe('absent');
    const { userData } = only(config(managed('preBootstrapCommands: ["sysctl -w a=b"]')), 'launch-template');
    if (userData.kind !== 'known') throw new Error('no user data');
    expect(documentOf(userData.value).parts.map(({ body }) => body.text)).toEqual(['#!/bin/bash\nsysctl -w a=b\n']);
  });
});

describe('self-managed groups', () => {
  it('bring the whole bootstrap, with what the file says', () => {
    const { userData } = only(
      config(
        'kubernetesNetworkConfig: {serviceIPv4CIDR: 172.20.0.0/16}',
        selfManaged('maxPodsPerNode: 50', 'kubeletExtraConfig: {maxParallelImagePulls: 5}'),
      ),
      'launch-template',
    );
    if (userData.kind !== 'known') throw new Error('no user data');
    const text = userData.value.text.text;
    expect(text).toContain('name: shop');
    expect(text).toContain('cidr: 172.20.0.0/16');
    expect(text).toContain('"maxParallelImagePulls": 5');
    expect(text).toContain('maxPods: 50');
  });

  it('of Bottlerocket get TOML with the settings at their place', () => {
    const { userData } = only(
      config(
        selfManaged(
          'amiFamily: Bottlerocket',
          'bottlerocket:',
          '  settings:',
          '    motd: hello',
          '    kubernetes:',
          '      allowed-unsafe-sysctls: ["net.*"]',
        ),
      ),
      'launch-template',
    );
    if (userData.kind !== 'known') throw new Error('no user data');
    const { text } = userData.value.text;
    expect(text).toContain('[settings]\nmotd = "hello"\n');
    expect(text).toContain('allowed-unsafe-sysctls = ["net.*"]');
    expect(userData.value.text.sourceAt(text.indexOf('allowed')).locate().line).toBe(14);
  });
});

describe('roles of nodes', () => {
  const policies = (...lines: readonly string[]) =>
    resourcesIn(config(...lines))
      .filter((resource) => resource.kind === 'role')
      .filter(({ id }) => id.endsWith('workers.iam'))
      .flatMap((role) =>
        role.policies.map((policy) =>
          policy.kind === 'managed' && policy.arn.kind === 'known' ? policy.arn.value.replace(/.*\//, '') : policy.kind,
        ),
      );

  it('get the CNI policy without an OIDC provider only', () => {
    const standard = [
      'AmazonEKSWorkerNodePolicy',
      'AmazonSSMManagedInstanceCore',
      'AmazonEC2ContainerRegistryPullOnly',
    ];
    expect(policies('iam: {withOIDC: false}', managed())).toEqual([...standard, 'AmazonEKS_CNI_Policy']);
    expect(policies('iam: {withOIDC: true}', managed())).toEqual(standard);
  });

  it('lose all defaults with a list of their own', () => {
    const iam = 'iam: {attachPolicyARNs: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]}';
    expect(policies('iam: {}', managed(iam))).toEqual(['AmazonS3ReadOnlyAccess']);
    expect(policies('iam: {}', selfManaged(iam))).toEqual([
      'AmazonS3ReadOnlyAccess',
      'AmazonEC2ContainerRegistryPullOnly',
    ]);
  });
});

describe('clusters', () => {
  it('get the add-ons of eksctl', () => {
    const addons = (...lines: readonly string[]) =>
      resourcesIn(config(...lines)).flatMap((resource) =>
        resource.kind === 'addon' ? [[resource.id, resource.isImplied === true]] : [],
      );
    expect(addons('addons: [{name: coredns}]')).toEqual([
      ['coredns', false],
      ['vpc-cni', true],
      ['kube-proxy', true],
      ['metrics-server', true],
    ]);
    expect(addons('addonsConfig: {disableDefaultAddons: true}')).toEqual([]);
    expect(addons('autoModeConfig: {enabled: true}')).toEqual([['metrics-server', true]]);
  });

  it.each([
    ['v1.20.4-eksbuild.2', 'v1.20.4-eksbuild.2'],
    ['v10.20.30-eksbuild.40', 'v10.20.30-eksbuild.40'],
    ['1.20.4', 'unknown'],
    ['v1.20.4', 'unknown'],
    ['v1.20.4-eksbuild.2-more', 'unknown'],
    ['latest', 'unknown'],
  ])('pin an add-on with %s to: %s', (version, expected) => {
    const text = config(`addons: [{name: vpc-cni, version: ${version}}]`, 'addonsConfig: {disableDefaultAddons: true}');
    expect(known(only(text, 'addon').version)).toBe(expected);
  });

  it('get the role that eksctl makes for the pods of an add-on', () => {
    const text = config(
      'addonsConfig: {disableDefaultAddons: true, autoApplyPodIdentityAssociations: true}',
      'addons: [{name: vpc-cni}, {name: eks-pod-identity-agent}]',
    );
    const roles = resourcesIn(text).flatMap((resource) => (resource.kind === 'role' ? [resource.id] : []));
    expect(roles).toContain('addons.vpc-cni.role');
  });

  it('have a name that something else fills in', () => {
    const [cluster] = resourcesIn(config('iam: {}').replace('name: shop', 'name: ${CLUSTER}'));
    expect(cluster?.id).toBe('${CLUSTER}');
  });
});
