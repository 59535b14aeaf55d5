import {
  NetworkPolicyMode,
  PodIdentityAgent,
  PodSecurityGroupMode,
  VpcCniAddon,
  ConstructionError,
  type VpcCniAddonProps,
} from '../../../constructs/cdktf';
import { addonVersions } from '../../../lib/knowledge';
import { configurationConflicts, configurationProblems } from '../../../lib/eks/networking';
import type { DataMap } from '../../../lib/value';
import { versionSchema } from '../../eks/networking/version-schema';
import { addonOf, newCluster, newStack, resourcesOf } from './stacks';

type Options = Omit<VpcCniAddonProps, 'cluster'>;

const customNetworking = {
  subnets: ['a', 'b'].map((zone) => ({ subnet: `subnet-${zone}`, availabilityZone: `eu-west-1${zone}` })),
};

/** A feature with its first version, and one more of a rebuild before it that doesn't have it, where there is one. */
const features: readonly [name: string, options: Options, from: string, without: string | undefined][] = [
  ['nothing', {}, 'v1.6.3-eksbuild.2', undefined],
  ['podSecurityGroups, strict', { podSecurityGroups: {} }, 'v1.7.5-eksbuild.3', 'v1.12.0-eksbuild.1'],
  [
    'podSecurityGroups, standard',
    { podSecurityGroups: { mode: PodSecurityGroupMode.STANDARD } },
    'v1.11.0-eksbuild.3',
    'v1.12.0-eksbuild.1',
  ],
  ['prefixDelegation', { prefixDelegation: {} }, 'v1.9.0-eksbuild.1', 'v1.8.0-eksbuild.3'],
  [
    'prefixDelegation with address targets',
    { prefixDelegation: { warmPrefixTarget: 0 }, warmTargets: { warmIpTarget: 5, minimumIpTarget: 10 } },
    'v1.9.0-eksbuild.3',
    'v1.9.1-eksbuild.1',
  ],
  ['customNetworking', { customNetworking }, 'v1.13.0-eksbuild.1', 'v1.12.6-eksbuild.2'],
  ['networkPolicy', { networkPolicy: {} }, 'v1.14.0-eksbuild.3', 'v1.13.4-eksbuild.1'],
  [
    'networkPolicy, strict',
    { networkPolicy: { mode: NetworkPolicyMode.STRICT } },
    'v1.17.1-eksbuild.1',
    'v1.16.4-eksbuild.2',
  ],
  ['windowsIpam', { windowsIpam: true }, 'v1.14.0-eksbuild.3', 'v1.13.4-eksbuild.1'],
  [
    'warmTargets of addresses',
    { warmTargets: { warmIpTarget: 2, minimumIpTarget: 10 } },
    'v1.6.3-eksbuild.3',
    'v1.12.0-eksbuild.1',
  ],
  [
    'warmTargets of interfaces',
    { warmTargets: { warmEniTarget: 0, maxEni: 3 } },
    'v1.6.3-eksbuild.3',
    'v1.12.0-eksbuild.1',
  ],
  [
    'all of Linux together',
    {
      podSecurityGroups: {},
      prefixDelegation: {},
      customNetworking,
      networkPolicy: { mode: NetworkPolicyMode.STRICT },
      windowsIpam: true,
      warmTargets: { maxEni: 4 },
    },
    'v1.17.1-eksbuild.1',
    'v1.16.4-eksbuild.2',
  ],
];

const versions = addonVersions('vpc-cni')
  .map(({ version }) => version)
  .reverse();

describe.each(features)('%s', (_, options, from, without) => {
  const stack = newStack();
  const refused = new Map<string, string>();

  beforeAll(() => {
    for (const version of versions) {
      const id = `Cni-${version.replaceAll('.', '-')}`;
      try {
        new VpcCniAddon(stack, id, { cluster: { clusterName: id }, version, useNodeRole: true, ...options });
      } catch (error) {
        if (!(error instanceof ConstructionError)) throw error;
        refused.set(version, error.message);
        stack.node.tryRemoveChild(id);
      }
    }
  });

  it("is synthesized for each add-on version that supports it, in the shape of that version's schema", () => {
    const addons = Object.values(resourcesOf(stack, 'aws_eks_addon'));
    expect(addons.length + refused.size).toBe(versions.length);
    for (const addon of addons) {
      const version = String(addon['addon_version']);
      const written = addon['configuration_values'];
      const data = JSON.parse(typeof written === 'string' ? written : '{}') as DataMap;
      const isValid = versionSchema(version);
      isValid(data);
      expect([version, isValid.errors ?? []]).toEqual([version, []]);
      expect(configurationProblems(data, { kind: 'pinned', version })).toEqual([]);
      expect(configurationConflicts(data, { version, ipFamily: 'ipv4' })).toEqual([]);
    }
    expect(addons.map((addon) => String(addon['addon_version'])).sort()).toEqual(
      versions.filter((version) => !refused.has(version)).sort(),
    );
  });

  it('is refused for the others, with the version that has it', () => {
    expect(versions.find((version) => !refused.has(version))).toBe(from);
    expect(refused.has(versions.at(-1) ?? '')).toBe(false);
    if (without === undefined) expect(refused.size).toBe(0);
    else
      expect(refused.get(without)).toMatch(
        /needs another version of the add-on: .* isn't accepted by vpc-cni v.*; EKS accepts it from v/,
      );
  });
});

describe('a whole add-on', () => {
  it.each([
    ['v1.14.1-eksbuild.1', '1.28'],
    ['v1.19.0-eksbuild.1', '1.30'],
    ['v1.23.0-eksbuild.1', '1.34'],
  ])('%s of Kubernetes %s fits its schema', (version, kubernetesVersion) => {
    const stack = newStack();
    const old = version.startsWith('v1.14') ? { useNodeRole: true } : { podIdentityAgent: PodIdentityAgent.INSTALL };
    new VpcCniAddon(stack, 'Cni', {
      cluster: newCluster(stack, { version: kubernetesVersion }),
      version,
      ...old,
      podSecurityGroups: {},
      prefixDelegation: {},
      networkPolicy: {},
      windowsIpam: true,
      customNetworking,
      configuration: { livenessProbeTimeoutSeconds: 20 },
    });
    expect(addonOf(stack)).toMatchObject({ addon_version: version, resolve_conflicts_on_update: 'PRESERVE' });
    const isValid = versionSchema(version);
    isValid(JSON.parse(String(addonOf(stack)['configuration_values'])));
    expect(isValid.errors ?? []).toEqual([]);
  });
});
