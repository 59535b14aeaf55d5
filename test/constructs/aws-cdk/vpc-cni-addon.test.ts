import { CfnParameter, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import {
  ConstructionError,
  NetworkPolicyMode,
  PodIdentityAgent,
  PodIdentityKind,
  PodSecurityGroupMode,
  ResolveConflicts,
  VpcCniAddon,
  type VpcCniAddonProps,
} from '../../../constructs/aws-cdk';
import { newestAddonVersion } from '../../../lib/knowledge';
import {
  customCluster,
  importedCluster,
  nativeCluster,
  newStack,
  policyNames,
  resourcesOf,
  textOf,
  type ClusterOptions,
  type TemplateResource,
} from './clusters';

type Options = Omit<VpcCniAddonProps, 'cluster'>;

function makeAddon(
  options: Options = {},
  cluster: ClusterOptions = {},
  region?: string,
): { stack: Stack; addon: VpcCniAddon } {
  const stack = newStack(region);
  return { stack, addon: new VpcCniAddon(stack, 'Cni', { cluster: nativeCluster(stack, cluster), ...options }) };
}

function addonOf(stack: Stack, name = 'vpc-cni'): TemplateResource {
  const addon = resourcesOf(stack, 'AWS::EKS::Addon').find((resource) => resource.Properties.AddonName === name);
  if (addon === undefined) throw new Error(`no add-on ${name}`);
  return addon;
}

function configurationOf(stack: Stack): unknown {
  return JSON.parse(textOf(addonOf(stack).Properties.ConfigurationValues));
}

describe('defaults', () => {
  it('preserve changes, pin the version and keep the CNI on deletion', () => {
    const { stack, addon } = makeAddon();
    expect(addonOf(stack).Properties).toMatchObject({
      AddonName: 'vpc-cni',
      AddonVersion: newestAddonVersion('vpc-cni', '1.34'),
      ResolveConflicts: 'PRESERVE',
      PreserveOnDelete: true,
    });
    expect(addonOf(stack).Properties.ConfigurationValues).toBeUndefined();
    expect(addon.version).toMatch(/^v1\.\d+\.\d+-eksbuild\.\d+$/);
  });

  it('give the CNI a role of its own through Pod Identity, after the agent', () => {
    const { stack, addon } = makeAddon();
    expect(addonOf(stack).Properties.PodIdentityAssociations).toEqual([
      { ServiceAccount: 'aws-node', RoleArn: { 'Fn::GetAtt': [expect.stringMatching(/^CniRole/) as string, 'Arn'] } },
    ]);
    expect(addonOf(stack).DependsOn).toEqual([expect.stringContaining('EksPodIdentityAgentAddon')]);
    expect(addon.cniRole?.role).toBe(addon.role);
    expect(addon.identity).toBe(PodIdentityKind.POD_IDENTITY);
  });

  it('pin the agent that CDK makes, unless it was there before', () => {
    expect(addonOf(makeAddon().stack, 'eks-pod-identity-agent').Properties.AddonVersion).toBe(
      newestAddonVersion('eks-pod-identity-agent', '1.34'),
    );
    const stack = newStack();
    const cluster = nativeCluster(stack);
    expect(cluster.eksPodIdentityAgent).toBeDefined();
    new VpcCniAddon(stack, 'Cni', { cluster });
    expect(addonOf(stack, 'eks-pod-identity-agent').Properties.AddonVersion).toBeUndefined();
  });

  it('hold for aws-eks clusters', () => {
    const stack = newStack();
    new VpcCniAddon(stack, 'Cni', { cluster: customCluster(stack) });
    expect(addonOf(stack).Properties).toMatchObject({
      ResolveConflicts: 'PRESERVE',
      AddonVersion: newestAddonVersion('vpc-cni', '1.34'),
    });
    expect(addonOf(stack).DependsOn).toEqual([expect.stringContaining('EksPodIdentityAgentAddon')]);
  });
});

describe('version', () => {
  it.each<[string, Options, ClusterOptions, string]>([
    [
      'a version for another Kubernetes',
      { version: 'v1.15.1-eksbuild.1' },
      { version: '1.34' },
      'and the cluster has 1.34; ',
    ],
    ['a version without build', { version: 'v1.21.1' }, {}, 'version is "v1.21.1"; a version of the add-on looks like'],
    [
      "a Kubernetes version that the table doesn't have",
      {},
      { version: '1.99' },
      'has no vpc-cni version for Kubernetes 1.99; set version',
    ],
  ])('is refused: %s', (_, options, cluster, message) => {
    expect(() => makeAddon(options, cluster)).toThrow(ConstructionError);
    expect(() => makeAddon(options, cluster)).toThrow(message);
  });

  it('must be said for an imported cluster, or the Kubernetes version', () => {
    const stack = newStack();
    const common = { podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE };
    const cluster = (id: string) => importedCluster(stack, 'aws-eks', {}, id);
    expect(() => new VpcCniAddon(stack, 'A', { cluster: cluster('One'), ...common })).toThrow(
      'set version, or kubernetesVersion',
    );
    expect(new VpcCniAddon(stack, 'B', { cluster: cluster('Two'), kubernetesVersion: '1.33', ...common }).version).toBe(
      newestAddonVersion('vpc-cni', '1.33'),
    );
    expect(
      new VpcCniAddon(stack, 'C', { cluster: cluster('Three'), version: 'v9.9.9-eksbuild.1', ...common }).version,
    ).toBe('v9.9.9-eksbuild.1');
  });

  it('may be a parameter', () => {
    const stack = newStack();
    const version = new CfnParameter(stack, 'Version').valueAsString;
    new VpcCniAddon(stack, 'Cni', { cluster: nativeCluster(stack), version, podSecurityGroups: {} });
    expect(addonOf(stack).Properties.AddonVersion).toEqual({ Ref: 'Version' });
  });
});

describe('identity', () => {
  it('can be IRSA', () => {
    const { stack } = makeAddon({ identity: PodIdentityKind.IRSA });
    expect(addonOf(stack).Properties).toMatchObject({
      ServiceAccountRoleArn: { 'Fn::GetAtt': [expect.stringMatching(/^CniRole/) as string, 'Arn'] },
    });
    expect(addonOf(stack).Properties.PodIdentityAssociations).toBeUndefined();
    expect(resourcesOf(stack, 'AWS::EKS::Addon')).toHaveLength(1);
  });

  it('is IRSA for versions that know no Pod Identity', () => {
    const { addon } = makeAddon({ version: 'v1.15.4-eksbuild.1' }, { version: '1.28' });
    expect(addon.identity).toBe(PodIdentityKind.IRSA);
    expect(() =>
      makeAddon({ version: 'v1.15.4-eksbuild.1', identity: PodIdentityKind.POD_IDENTITY }, { version: '1.28' }),
    ).toThrow('the CNI supports it from v1.15.5 on');
  });

  it('can be the node role', () => {
    const { stack, addon } = makeAddon({ useNodeRole: true });
    expect(addon.role).toBeUndefined();
    expect(addonOf(stack).Properties).not.toHaveProperty('PodIdentityAssociations');
    expect(addonOf(stack).Properties).not.toHaveProperty('ServiceAccountRoleArn');
    expect(() => makeAddon({ useNodeRole: true, identity: PodIdentityKind.IRSA })).toThrow(
      'useNodeRole is true and identity is set',
    );
  });

  it('can be a role of the user', () => {
    const stack = newStack();
    const role = iam.Role.fromRoleArn(stack, 'Own', 'arn:aws:iam::123456789012:role/cni');
    const addon = new VpcCniAddon(stack, 'Cni', { cluster: nativeCluster(stack), role });
    expect(addon.cniRole).toBeUndefined();
    expect(addonOf(stack).Properties.PodIdentityAssociations).toEqual([
      { ServiceAccount: 'aws-node', RoleArn: 'arn:aws:iam::123456789012:role/cni' },
    ]);
  });

  it.each(['aws-eks', 'aws-eks-v2'] as const)('of an imported %s cluster needs a word about the agent', (module) => {
    const make = (options: Options) => {
      const stack = newStack();
      new VpcCniAddon(stack, 'Cni', {
        cluster: importedCluster(stack, module, { complete: true }),
        kubernetesVersion: '1.34',
        ...options,
      });
      return stack;
    };
    expect(() => make({})).toThrow("podIdentityAgent isn't set");
    expect(resourcesOf(make({ podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE }), 'AWS::EKS::Addon')).toHaveLength(
      1,
    );
    const installed = make({ podIdentityAgent: PodIdentityAgent.INSTALL });
    expect(addonOf(installed, 'eks-pod-identity-agent').Properties).toEqual({
      AddonName: 'eks-pod-identity-agent',
      AddonVersion: newestAddonVersion('eks-pod-identity-agent', '1.34'),
      ClusterName: 'production',
      PreserveOnDelete: true,
      ResolveConflicts: 'PRESERVE',
    });
    expect(addonOf(installed).DependsOn).toEqual([expect.stringMatching(/^CniPodIdentityAgent/)]);
    expect(resourcesOf(make({ identity: PodIdentityKind.IRSA }), 'AWS::EKS::Addon')).toHaveLength(1);
  });
});

describe('resolveConflicts', () => {
  it.each([ResolveConflicts.OVERWRITE, ResolveConflicts.NONE])(
    '%s needs a reason, which stands in the template',
    (resolveConflicts) => {
      const { stack } = makeAddon({ resolveConflicts, resolveConflictsReason: 'takes over the self-managed copy' });
      expect(addonOf(stack).Properties.ResolveConflicts).toBe(resolveConflicts);
      expect(addonOf(stack).Metadata).toEqual({
        'eks-guardrails': {
          suppress: [{ rule: 'vpc-cni-resolve-conflicts', reason: 'takes over the self-managed copy' }],
        },
      });
      expect(() => makeAddon({ resolveConflicts })).toThrow(
        `resolveConflicts is ${resolveConflicts} without resolveConflictsReason`,
      );
    },
  );

  it('PRESERVE needs none', () => {
    expect(() => makeAddon({ resolveConflictsReason: 'x' })).toThrow(
      'resolveConflicts is PRESERVE; leave the reason out',
    );
  });

  it('goes with preserveOnDelete', () => {
    expect(addonOf(makeAddon({ preserveOnDelete: false }).stack).Properties.PreserveOnDelete).toBe(false);
  });
});

describe('configuration', () => {
  it.each<[string, Options, unknown]>([
    [
      'security groups for pods, strict',
      { podSecurityGroups: {} },
      {
        env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'strict' },
        init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },
      },
    ],
    [
      'security groups for pods, standard',
      { podSecurityGroups: { mode: PodSecurityGroupMode.STANDARD } },
      { env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' } },
    ],
    [
      'prefix delegation',
      { prefixDelegation: {} },
      { env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '1' } },
    ],
    [
      'prefix delegation with address targets',
      { prefixDelegation: { warmPrefixTarget: 0 }, warmTargets: { warmIpTarget: 5, minimumIpTarget: 10 } },
      {
        env: {
          ENABLE_PREFIX_DELEGATION: 'true',
          WARM_PREFIX_TARGET: '0',
          WARM_IP_TARGET: '5',
          MINIMUM_IP_TARGET: '10',
        },
      },
    ],
    [
      'interface targets',
      { warmTargets: { warmEniTarget: 0, maxEni: 2 } },
      { env: { WARM_ENI_TARGET: '0', MAX_ENI: '2' } },
    ],
    ['network policies', { networkPolicy: {} }, { enableNetworkPolicy: 'true' }],
    [
      'network policies, strict',
      { networkPolicy: { mode: NetworkPolicyMode.STRICT } },
      { enableNetworkPolicy: 'true', env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } },
    ],
    ['Windows', { windowsIpam: true }, { enableWindowsIpam: 'true' }],
    [
      'no Windows',
      { windowsIpam: false, env: { ENABLE_SUBNET_DISCOVERY: 'false' } },
      { env: { ENABLE_SUBNET_DISCOVERY: 'false' } },
    ],
    [
      'raw values beside typed ones',
      {
        podSecurityGroups: {},
        env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' },
        configurationValues: {
          init: { env: { ENABLE_V6_EGRESS: 'false' } },
          livenessProbeTimeoutSeconds: 20,
          nodeAgent: { enabled: true, logLevel: 'info' },
        },
      },
      {
        env: {
          ENABLE_POD_ENI: 'true',
          POD_SECURITY_GROUP_ENFORCING_MODE: 'strict',
          AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true',
        },
        init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true', ENABLE_V6_EGRESS: 'false' } },
        livenessProbeTimeoutSeconds: 20,
        nodeAgent: { enabled: true, logLevel: 'info' },
      },
    ],
    [
      'free maps',
      {
        configurationValues: {
          podLabels: { anything: 'goes' },
          tolerations: [{ operator: 'Exists' }],
          extraEnv: [{ name: 'HTTP_TIMEOUT', value: '10' }],
        },
      },
      {
        podLabels: { anything: 'goes' },
        tolerations: [{ operator: 'Exists' }],
        extraEnv: [{ name: 'HTTP_TIMEOUT', value: '10' }],
      },
    ],
  ])('renders %s', (_, options, expected) => {
    const { stack, addon } = makeAddon(options);
    expect(configurationOf(stack)).toEqual(expected);
    expect(addon.configuration).toEqual(expected);
  });

  it('renders custom networking by zone', () => {
    const stack = newStack('eu-west-1');
    const cluster = nativeCluster(stack);
    const group = ec2.SecurityGroup.fromSecurityGroupId(stack, 'Group', 'sg-0123456789abcdef0');
    const subnet = (id: string, availabilityZone: string) =>
      ec2.Subnet.fromSubnetAttributes(stack, `Subnet${id}`, { subnetId: `subnet-${id}`, availabilityZone });
    new VpcCniAddon(stack, 'Cni', {
      cluster,
      customNetworking: {
        subnets: [
          { subnet: subnet('a', 'eu-west-1a'), securityGroups: [group] },
          { subnet: ec2.Subnet.fromSubnetId(stack, 'SubnetB', 'subnet-b'), availabilityZone: 'eu-west-1b' },
        ],
      },
    });
    expect(configurationOf(stack)).toEqual({
      env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENI_CONFIG_LABEL_DEF: 'topology.kubernetes.io/zone' },
      eniConfig: {
        create: true,
        region: 'eu-west-1',
        subnets: {
          'eu-west-1a': { id: 'subnet-a', securityGroups: ['sg-0123456789abcdef0'] },
          'eu-west-1b': { id: 'subnet-b' },
        },
      },
    });
  });

  it('renders custom networking without known region', () => {
    const stack = newStack();
    const subnet = ec2.Subnet.fromSubnetId(stack, 'Subnet', 'subnet-a');
    new VpcCniAddon(stack, 'Cni', {
      cluster: nativeCluster(stack),
      customNetworking: { subnets: [{ subnet, availabilityZone: 'eu-west-1a' }] },
    });
    expect(configurationOf(stack)).toMatchObject({
      eniConfig: { region: '${AWS::Region}', subnets: { 'eu-west-1a': { id: 'subnet-a' } } },
    });
  });

  it.each<[string, Options, ClusterOptions, string]>([
    ['an unknown key', { configurationValues: { nope: 1 } }, {}, 'nope is no configuration key of vpc-cni v'],
    [
      'a variable of the other container',
      { configurationValues: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } },
      {},
      'it belongs at init.env.DISABLE_TCP_EARLY_DEMUX',
    ],
    [
      'a key that no version has',
      { configurationValues: { env: { ENABLE_IPv6: 'true' } } },
      {},
      "env.ENABLE_IPv6 can't be configured in any version of the vpc-cni add-on",
    ],
    [
      'a key that came later',
      { version: 'v1.18.1-eksbuild.1', env: { ENABLE_MULTI_NIC: 'true' } },
      { version: '1.28' },
      "env.ENABLE_MULTI_NIC isn't accepted by vpc-cni v1.18.1-eksbuild.1; EKS accepts it from v1.20.0-eksbuild.1 on",
    ],
    [
      'a key that was removed',
      // oxlint-disable-next-line typescript/no-deprecated
      { env: { AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER: 'false' } },
      {},
      'it was removed in v1.12.1-eksbuild.1',
    ],
    [
      'a boolean as variable',
      { configurationValues: { env: { ENABLE_POD_ENI: true } } },
      {},
      'env.ENABLE_POD_ENI is the boolean true; the add-on\'s schema demands text: write "true"',
    ],
    [
      "a variable that isn't a boolean",
      { env: { ENABLE_SUBNET_DISCOVERY: 'no' } },
      {},
      'env.ENABLE_SUBNET_DISCOVERY is "no", which is no boolean',
    ],
    [
      'a value outside of the enum',
      { configurationValues: { nodeAgent: { logLevel: 'verbose' } } },
      {},
      'nodeAgent.logLevel is the text "verbose"; the add-on\'s schema has info, debug, warn, error',
    ],
    [
      'an incomplete eniConfig',
      { configurationValues: { eniConfig: { create: true } } },
      {},
      "eniConfig lacks region, which the add-on's schema demands",
    ],
    [
      'a subnet without id',
      {
        configurationValues: {
          eniConfig: { create: true, region: 'eu-west-1', subnets: { 'eu-west-1a': { securityGroups: [] } } },
        },
      },
      {},
      'eniConfig.subnets.eu-west-1a lacks id',
    ],
    [
      'a typed option and the same variable',
      { prefixDelegation: {}, env: { WARM_PREFIX_TARGET: '2' } },
      {},
      'env has WARM_PREFIX_TARGET, which another option sets too',
    ],
    [
      'a typed option and the same raw value',
      { networkPolicy: {}, configurationValues: { enableNetworkPolicy: 'false' } },
      {},
      'configurationValues has enableNetworkPolicy, which another option sets too',
    ],
    [
      'prefix delegation without any warm target',
      { prefixDelegation: { warmPrefixTarget: 0 } },
      {},
      "prefixDelegation.warmPrefixTarget is 0 and warmTargets.warmIpTarget isn't above 0",
    ],
    [
      'the same, as variables',
      { env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0' } },
      {},
      'prefix delegation is on with WARM_PREFIX_TARGET "0", and no warm target is above 0',
    ],
    [
      'a minimum without spare addresses',
      { warmTargets: { minimumIpTarget: 30 } },
      {},
      'warmTargets.minimumIpTarget is 30 without warmIpTarget',
    ],
    [
      'targets of which one is ignored',
      { warmTargets: { warmIpTarget: 2, warmEniTarget: 1 } },
      {},
      'the CNI ignores the former',
    ],
    ['a target that is no count', { warmTargets: { warmIpTarget: 1.5 } }, {}, 'warmTargets.warmIpTarget is 1.5'],
    ['no network interface', { warmTargets: { maxEni: 0 } }, {}, 'warmTargets.maxEni is 0'],
    [
      'network policies with the bandwidth plugin',
      { networkPolicy: {}, env: { ENABLE_BANDWIDTH_PLUGIN: 'true' } },
      {},
      'networkPolicy is on and env.ENABLE_BANDWIDTH_PLUGIN is true',
    ],
    [
      'network policies without agent',
      { networkPolicy: {}, configurationValues: { nodeAgent: { enabled: false } } },
      {},
      'networkPolicy is on and nodeAgent.enabled is false',
    ],
    [
      'strict mode without network policies',
      { env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } },
      {},
      'is strict without networkPolicy',
    ],
    [
      'pod security groups by hand, without probes',
      { env: { ENABLE_POD_ENI: 'true' } },
      {},
      'without init.env.DISABLE_TCP_EARLY_DEMUX',
    ],
    [
      'an unknown mode of pod security groups',
      { env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'Strict' } },
      {},
      'POD_SECURITY_GROUP_ENFORCING_MODE is "Strict", which is none of its values: aws-node exits at start; write one of "strict", "standard"',
    ],
    [
      'Windows on IPv6',
      { windowsIpam: true },
      { ipFamily: 'ipv6' },
      "windowsIpam is set and the cluster's IP family is ipv6",
    ],
    [
      'prefix delegation on IPv6',
      { prefixDelegation: {} },
      { ipFamily: 'ipv6' },
      "prefixDelegation is set and the cluster's IP family is ipv6",
    ],
    [
      'warm targets on IPv6',
      { warmTargets: { warmIpTarget: 5 } },
      { ipFamily: 'ipv6' },
      "warmTargets is set and the cluster's IP family is ipv6",
    ],
    [
      'custom networking on IPv6',
      { customNetworking: { subnets: [] } },
      { ipFamily: 'ipv6' },
      "customNetworking is set and the cluster's IP family is ipv6",
    ],
    [
      'security groups for pods on IPv6 in an old version',
      { podSecurityGroups: {}, version: 'v1.15.5-eksbuild.1' },
      { ipFamily: 'ipv6', version: '1.29' },
      'the VPC CNI has them on IPv6 from v1.16.0 on',
    ],
    [
      'custom networking without subnets',
      { customNetworking: { subnets: [] } },
      {},
      'customNetworking.subnets is empty',
    ],
  ])('refuses %s', (_, options, cluster, message) => {
    expect(() => makeAddon(options, cluster)).toThrow(ConstructionError);
    expect(() => makeAddon(options, cluster)).toThrow(message);
  });

  it.each([
    ['ap-noratheast-2a', undefined, "the stack's region is ap-northeast-2"],
    ['2a', undefined, 'which is no name of a zone'],
    ['apne2-az1', undefined, 'which is no name of a zone'],
    ['ap-northeast-2a', 'ap-northeast-2c', 'the subnet is in "ap-northeast-2c"'],
    [undefined, undefined, "isn't known at synthesis"],
  ])('refuses zone %p of a subnet in %p', (availabilityZone, own, message) => {
    const stack = newStack('ap-northeast-2');
    const subnet =
      own === undefined
        ? ec2.Subnet.fromSubnetId(stack, 'Subnet', 'subnet-a')
        : ec2.Subnet.fromSubnetAttributes(stack, 'Subnet', { subnetId: 'subnet-a', availabilityZone: own });
    const pod = availabilityZone === undefined ? { subnet } : { subnet, availabilityZone };
    const cluster = nativeCluster(stack);
    expect(() => new VpcCniAddon(stack, 'Cni', { cluster, customNetworking: { subnets: [pod] } })).toThrow(
      `customNetworking.subnets[0].availabilityZone`,
    );
    expect(() => new VpcCniAddon(stack, 'Cni2', { cluster, customNetworking: { subnets: [pod] } })).toThrow(message);
  });

  it('refuses a zone twice, and one network interface', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    const pod = { subnet: ec2.Subnet.fromSubnetId(stack, 'Subnet', 'subnet-a'), availabilityZone: 'eu-west-1a' };
    expect(() => new VpcCniAddon(stack, 'A', { cluster, customNetworking: { subnets: [pod, pod] } })).toThrow(
      'has zone eu-west-1a twice',
    );
    expect(
      () => new VpcCniAddon(stack, 'B', { cluster, customNetworking: { subnets: [pod] }, warmTargets: { maxEni: 1 } }),
    ).toThrow('warmTargets.maxEni is 1 and customNetworking is set');
  });

  it('accepts unknown keys of versions that are newer than the table', () => {
    const { stack } = makeAddon({ version: 'v9.9.9-eksbuild.1', configurationValues: { env: { BRAND_NEW: 'x' } } });
    expect(configurationOf(stack)).toEqual({ env: { BRAND_NEW: 'x' } });
  });

  it('accepts a key in a rebuild of an old version', () => {
    const { stack } = makeAddon(
      { version: 'v1.11.4-eksbuild.3', env: { WARM_IP_TARGET: '2' }, identity: PodIdentityKind.IRSA },
      { version: '1.25' },
    );
    expect(configurationOf(stack)).toEqual({ env: { WARM_IP_TARGET: '2' } });
    expect(() =>
      makeAddon({ version: 'v1.11.4-eksbuild.1', env: { WARM_IP_TARGET: '2' } }, { version: '1.24' }),
    ).toThrow('and in ');
  });

  it('takes tokens as values', () => {
    const stack = newStack();
    const parameter = new CfnParameter(stack, 'Snat').valueAsString;
    new VpcCniAddon(stack, 'Cni', { cluster: nativeCluster(stack), env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: parameter } });
    expect(configurationOf(stack)).toEqual({ env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: '${Snat}' } });
  });
});

describe('the cluster', () => {
  it.each<[string, Options]>([
    ['security groups for pods', { podSecurityGroups: {} }],
    ['Windows', { windowsIpam: true }],
  ])('gets the policy of the VPC resource controller for %s', (_, options) => {
    const roles = resourcesOf(makeAddon(options).stack, 'AWS::IAM::Role').flatMap(policyNames);
    expect(roles).toContain('AmazonEKSVPCResourceController');
  });

  it("doesn't get it otherwise", () => {
    expect(resourcesOf(makeAddon().stack, 'AWS::IAM::Role').flatMap(policyNames)).not.toContain(
      'AmazonEKSVPCResourceController',
    );
  });

  it('has one vpc-cni add-on', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    new VpcCniAddon(stack, 'A', { cluster });
    expect(() => new VpcCniAddon(stack, 'B', { cluster })).toThrow(
      'Test/B: the cluster already has the vpc-cni add-on Test/A',
    );
  });
});
