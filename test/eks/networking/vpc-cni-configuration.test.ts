import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { addonVersions, vpcCni } from '../../../lib/knowledge';
import {
  configurationConflicts,
  configurationProblems,
  describeProblem,
  featureValues,
  type VpcCniConfiguration,
  type VpcCniFeatures,
} from '../../../lib/eks/networking';
import { nowhere, Unknown, type DataMap } from '../../../lib/value';
import { versionSchema } from './version-schema';

const versions = addonVersions('vpc-cni')
  .map(({ version }) => version)
  .reverse();

describe('the generated type', () => {
  it('is what the schema table says', () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(__dirname, '../../../scripts/knowledge/vpc-cni-types.mjs'), '--check'],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'vpc-cni-configuration.generated.ts: up to date\n' });
  });

  it('knows nested keys, free names, lists and allowed values', () => {
    // A wrong one of these is an error of the compiler.
    const configuration: VpcCniConfiguration = {
      env: { ENABLE_POD_ENI: 'true', NETWORK_POLICY_ENFORCING_MODE: 'strict' },
      init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },
      eniConfig: {
        create: true,
        region: 'eu-west-1',
        subnets: { 'eu-west-1a': { id: 'subnet-a', securityGroups: ['sg-a'] } },
      },
      nodeAgent: { logLevel: 'info', enabled: true, resources: { requests: { cpu: '10m' } } },
      tolerations: [{ operator: 'Exists' }],
      podLabels: { tier: 'network' },
      affinity: null,
    };
    // @ts-expect-error A variable of the other container.
    const misplaced: VpcCniConfiguration = { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } };
    // @ts-expect-error Variables are text.
    const typed: VpcCniConfiguration = { env: { ENABLE_POD_ENI: true } };
    const newest = versions.at(-1) ?? '';
    const problems = (value: VpcCniConfiguration) =>
      configurationProblems(value as DataMap, { kind: 'pinned', version: newest });
    expect(problems(configuration)).toEqual([]);
    expect(problems(misplaced).map(({ kind }) => kind)).toEqual(['wrong-place']);
    expect(problems(typed).map(({ kind }) => kind)).toEqual(['type']);
  });
});

/** A feature, the keys that it can't do without, the first version that has them, and how many have at the least. */
const features: Readonly<
  Record<string, { features: VpcCniFeatures; needs: readonly string[]; from: string; count: number }>
> = {
  'security groups for pods, strict': {
    features: { podSecurityGroups: { mode: 'strict' } },
    needs: ['env.ENABLE_POD_ENI', 'init.env.DISABLE_TCP_EARLY_DEMUX'],
    from: 'v1.7.5-eksbuild.3',
    count: 82,
  },
  'security groups for pods, standard': {
    features: { podSecurityGroups: { mode: 'standard' } },
    needs: ['env.ENABLE_POD_ENI', 'env.POD_SECURITY_GROUP_ENFORCING_MODE'],
    from: 'v1.11.0-eksbuild.3',
    count: 69,
  },
  'prefix delegation': {
    features: { prefixDelegation: { warmPrefixTarget: '1' } },
    needs: ['env.ENABLE_PREFIX_DELEGATION', 'env.WARM_PREFIX_TARGET'],
    from: 'v1.9.0-eksbuild.1',
    count: 102,
  },
  'custom networking': {
    features: {
      customNetworking: {
        region: 'eu-west-1',
        subnets: { 'eu-west-1a': { id: 'subnet-a' }, 'eu-west-1b': { id: 'subnet-b', securityGroups: ['sg-b'] } },
      },
    },
    needs: ['env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG', 'env.ENI_CONFIG_LABEL_DEF', 'eniConfig'],
    from: 'v1.13.0-eksbuild.1',
    count: 56,
  },
  'network policy': {
    features: { networkPolicy: {} },
    needs: ['enableNetworkPolicy'],
    from: 'v1.14.0-eksbuild.3',
    count: 52,
  },
  'network policy, strict': {
    features: { networkPolicy: { mode: 'strict' } },
    needs: ['enableNetworkPolicy', 'env.NETWORK_POLICY_ENFORCING_MODE'],
    from: 'v1.17.1-eksbuild.1',
    count: 41,
  },
  'Windows addresses': {
    features: { windowsIpam: true },
    needs: ['enableWindowsIpam'],
    from: 'v1.14.0-eksbuild.3',
    count: 52,
  },
  'address targets': {
    features: { warmTargets: { warmIpTarget: '2', minimumIpTarget: '10' } },
    needs: ['env.WARM_IP_TARGET', 'env.MINIMUM_IP_TARGET'],
    from: 'v1.6.3-eksbuild.3',
    count: 83,
  },
  'interface targets': {
    features: { warmTargets: { warmEniTarget: '0', maxEni: '3' } },
    needs: ['env.WARM_ENI_TARGET', 'env.MAX_ENI'],
    from: 'v1.6.3-eksbuild.3',
    count: 83,
  },
};

describe.each(Object.entries(features))('%s', (_, { features: asked, needs, from, count }) => {
  const supports = (version: string): boolean =>
    needs.every((path) => {
      const key = vpcCni.key(path);
      return key !== undefined && vpcCni.accepts(key, version);
    });
  const supporting = versions.filter(supports);

  it(`is supported from ${from} on`, () => {
    expect(supporting[0]).toBe(from);
    expect(supporting.length).toBeGreaterThanOrEqual(count);
  });

  it('fits the schema of every version that supports it, and of no other', () => {
    for (const version of versions) {
      const data = mergedValues(asked, version);
      const problems = configurationProblems(data, { kind: 'pinned', version });
      expect([version, problems.length === 0]).toEqual([version, supports(version)]);
      expect([version, versionSchema(version)(data)]).toEqual([version, supports(version)]);
      if (supports(version)) expect(configurationConflicts(data, { version, ipFamily: 'ipv4' })).toEqual([]);
    }
  });
});

/** The values of all features in one map. */
function mergedValues(asked: VpcCniFeatures, version: string): DataMap {
  return featureValues(asked, version).reduce<Record<string, unknown>>((merged, { values }) => {
    const { env, init, ...rest } = values;
    return {
      ...merged,
      ...rest,
      ...(env === undefined ? {} : { env: { ...(merged.env as object | undefined), ...env } }),
      ...(init === undefined ? {} : { init }),
    };
  }, {}) as DataMap;
}

describe('conflicts', () => {
  const hidden = new Unknown('it is a parameter', nowhere);
  const newest = { version: 'v1.23.0-eksbuild.1', ipFamily: 'ipv4' } as const;

  it.each<[string, DataMap, Partial<Parameters<typeof configurationConflicts>[1]>, string | undefined]>([
    ['nothing', {}, {}, undefined],
    [
      'an unknown switch beside its opposite',
      { enableNetworkPolicy: 'true', env: { ENABLE_BANDWIDTH_PLUGIN: 'false' } },
      {},
      undefined,
    ],
    [
      "a lone minimum on IPv6, where targets don't count",
      { env: { MINIMUM_IP_TARGET: '10' } },
      { ipFamily: 'ipv6' },
      undefined,
    ],
    [
      'security groups for pods on IPv6 from 1.16 on',
      { env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: '1' } } },
      { ipFamily: 'ipv6', version: 'v1.16.0-eksbuild.1' },
      undefined,
    ],
    [
      'the same before',
      { env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: '1' } } },
      { ipFamily: 'ipv6', version: 'v1.15.5-eksbuild.1' },
      'from v1.16.0 on',
    ],
    [
      'custom networking on IPv6',
      { env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 't' } },
      { ipFamily: 'ipv6' },
      "doesn't start with custom networking on IPv6",
    ],
    [
      'no prefixes on IPv6',
      { env: { ENABLE_PREFIX_DELEGATION: 'false' } },
      { ipFamily: 'ipv6' },
      "doesn't start on IPv6 without prefix delegation",
    ],
    ['Windows on IPv6', { enableWindowsIpam: 'true' }, { ipFamily: 'ipv6' }, "IPv6 clusters can't have Windows nodes"],
    [
      'one interface with custom networking',
      { env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', MAX_ENI: '1' } },
      {},
      'at least 2 are needed',
    ],
    ['a minimum alone', { env: { MINIMUM_IP_TARGET: '10' } }, {}, 'without WARM_IP_TARGET'],
    [
      'a minimum beside a target of 0',
      { env: { MINIMUM_IP_TARGET: '10', WARM_IP_TARGET: '0' } },
      {},
      'without WARM_IP_TARGET',
    ],
    ['a minimum beside a target', { env: { MINIMUM_IP_TARGET: '10', WARM_IP_TARGET: '1' } }, {}, undefined],
    [
      'a minimum beside a target that is not known',
      { env: { MINIMUM_IP_TARGET: '10', WARM_IP_TARGET: hidden } },
      {},
      undefined,
    ],
    ['no minimum', { env: { MINIMUM_IP_TARGET: '0' } }, {}, undefined],
    ['one interface without custom networking', { env: { MAX_ENI: '1' } }, {}, undefined],
    [
      'two interfaces with custom networking',
      { env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', MAX_ENI: '2' } },
      {},
      undefined,
    ],
    [
      'prefixes without a target above 0',
      { env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0' } },
      {},
      'prefix delegation is on with WARM_PREFIX_TARGET "0"',
    ],
    [
      'prefixes with one',
      { env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0', WARM_IP_TARGET: '1' } },
      {},
      undefined,
    ],
    [
      'network policies with the bandwidth plugin',
      { enableNetworkPolicy: 'true', env: { ENABLE_BANDWIDTH_PLUGIN: 'true' } },
      {},
      'no network policies with the bandwidth plugin',
    ],
    ['the bandwidth plugin alone', { env: { ENABLE_BANDWIDTH_PLUGIN: 'true' } }, {}, undefined],
    [
      'network policies without the node agent',
      { enableNetworkPolicy: 'true', nodeAgent: { enabled: false } },
      {},
      'nodeAgent.enabled is false',
    ],
    ['neither of them', { enableNetworkPolicy: 'false', nodeAgent: { enabled: false } }, {}, undefined],
    [
      'network policies that may be on, without the node agent',
      { enableNetworkPolicy: hidden, nodeAgent: { enabled: false } },
      {},
      undefined,
    ],
    [
      'strict mode without network policies',
      { env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } },
      {},
      'strict without networkPolicy',
    ],
    ['standard mode without network policies', { env: { NETWORK_POLICY_ENFORCING_MODE: 'standard' } }, {}, undefined],
    [
      'strict mode with them',
      { enableNetworkPolicy: 'true', env: { NETWORK_POLICY_ENFORCING_MODE: 'strict' } },
      {},
      undefined,
    ],
    [
      'security groups for pods in strict mode, which is the default',
      { env: { ENABLE_POD_ENI: 'true' } },
      {},
      'without init.env.DISABLE_TCP_EARLY_DEMUX',
    ],
    [
      'security groups for pods in strict mode, as written',
      { env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'strict' } },
      {},
      'without init.env.DISABLE_TCP_EARLY_DEMUX',
    ],
    [
      'security groups for pods in standard mode',
      { env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'standard' } },
      {},
      undefined,
    ],
    [
      'security groups for pods in a mode that is not known',
      { env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: hidden } },
      {},
      undefined,
    ],
    [
      'security groups for pods, where the probes may be looked after',
      { env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: hidden } } },
      {},
      undefined,
    ],
    ['security groups for pods that may be on', { env: { ENABLE_POD_ENI: hidden } }, {}, undefined],
    [
      'security groups for pods on IPv6 in a version that is not known',
      { env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: '1' } } },
      { ipFamily: 'ipv6', version: undefined },
      undefined,
    ],
    [
      'what is for IPv6 alone, on IPv4',
      {
        enableWindowsIpam: 'true',
        env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENABLE_PREFIX_DELEGATION: 'false' },
      },
      {},
      undefined,
    ],
    ['no prefixes on IPv6, by default', { env: {} }, { ipFamily: 'ipv6' }, undefined],
    [
      'prefixes that may be off on IPv6',
      { env: { ENABLE_PREFIX_DELEGATION: hidden } },
      { ipFamily: 'ipv6' },
      undefined,
    ],
    ['an MTU out of range', { env: { AWS_VPC_ENI_MTU: '9002' } }, {}, 'env.AWS_VPC_ENI_MTU is "9002"'],
    [
      'a long prefix',
      { env: { AWS_VPC_K8S_CNI_VETHPREFIX: 'vethx' } },
      {},
      'longer than 4 characters: aws-node exits at start',
    ],
    [
      'a variable of extraEnv that env has',
      { extraEnv: [{ name: 'WARM_IP_TARGET', value: '2' }] },
      {},
      'for which env has a key',
    ],
    [
      'a variable of extraEnv that the version has no key for',
      { extraEnv: [{ name: 'ENABLE_MULTI_NIC', value: 'true' }] },
      { version: 'v1.18.3-eksbuild.1' },
      undefined,
    ],
    [
      'a variable of extraEnv for the init container',
      { extraEnv: [{ name: 'DISABLE_TCP_EARLY_DEMUX', value: 'true' }] },
      {},
      'it belongs to init.env',
    ],
    [
      'a variable of extraEnv that EKS sets',
      { extraEnv: [{ name: 'ENABLE_IPv6', value: 'true' }] },
      {},
      'which EKS sets itself',
    ],
    [
      'a variable of extraEnv for which env has a key in a version that is not known',
      { extraEnv: [{ name: 'WARM_IP_TARGET', value: '2' }] },
      { version: undefined },
      'for which env has a key',
    ],
    [
      'a variable of extraEnv whose key is gone',
      { extraEnv: [{ name: 'ENABLE_NFTABLES', value: 'true' }] },
      { version: undefined },
      undefined,
    ],
    [
      'an item of extraEnv with an empty name',
      {
        extraEnv: [
          { name: 'A', value: 'b' },
          { name: '', value: 'true' },
        ],
      },
      {},
      'extraEnv[1] has no name',
    ],
    ['an item of extraEnv whose name is not known', { extraEnv: [{ name: hidden, value: 'true' }] }, {}, undefined],
    ['an extraEnv that is not known', { extraEnv: hidden }, {}, undefined],
    ['an item of extraEnv without name', { extraEnv: [{ value: 'true' }] }, {}, 'extraEnv[0] has no name'],
    [
      'one that only libraries read',
      { extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example.com' }] },
      {},
      undefined,
    ],
  ])('%s', (_name, data, context, message) => {
    const conflicts = configurationConflicts(data, { ...newest, ...context });
    if (message === undefined) expect(conflicts).toEqual([]);
    else expect(conflicts).toEqual([expect.stringContaining(message)]);
  });
});

it('names the nearest key of a misspelt one, and none below a free name', () => {
  const version = 'v1.23.0-eksbuild.1';
  const say = (data: DataMap) =>
    configurationProblems(data, { kind: 'pinned', version }).map((problem) =>
      describeProblem(problem, { kind: 'pinned', version }),
    );
  expect(say({ env: { WARM_IP_TARGETS: '2' } })).toEqual([
    expect.stringMatching(/^env\.WARM_IP_TARGETS is no configuration key .*; the nearest key is env\.WARM_IP_TARGET$/),
  ]);
  expect(
    say({
      eniConfig: { create: true, region: 'eu-west-1', subnets: { 'eu-west-1a': { id: 'subnet-a', subnet: 'x' } } },
    }),
  ).toEqual([expect.not.stringContaining('nearest')]);
});
