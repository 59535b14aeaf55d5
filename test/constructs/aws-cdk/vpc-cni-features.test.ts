import { App, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import {
  ConstructionError,
  NetworkPolicyMode,
  PodIdentityAgent,
  PodSecurityGroupMode,
  ResolveConflicts,
  VpcCniAddon,
  type VpcCniAddonProps,
} from '../../../constructs/aws-cdk';
import { addonVersions } from '../../../lib/knowledge';
import { configurationConflicts, configurationProblems } from '../../../lib/eks/networking';
import type { DataMap } from '../../../lib/value';
import { versionSchema } from '../../eks/networking/version-schema';
import { customCluster, importedCluster, nativeCluster, newStack, resourcesOf, textOf } from './clusters';

type Options = (stack: Stack) => Omit<VpcCniAddonProps, 'cluster'>;

const podSubnets = (stack: Stack) => ({
  subnets: ['a', 'b'].map((zone) => ({
    subnet: ec2.Subnet.fromSubnetId(stack, `Subnet${zone}`, `subnet-${zone}`),
    availabilityZone: `eu-west-1${zone}`,
  })),
});

/** A feature with its first version, and one more of a rebuild before it that doesn't have it, where there is one. */
const features: readonly [name: string, options: Options, from: string, without: string | undefined][] = [
  ['nothing', () => ({}), 'v1.6.3-eksbuild.2', undefined],
  ['podSecurityGroups, strict', () => ({ podSecurityGroups: {} }), 'v1.7.5-eksbuild.3', 'v1.12.0-eksbuild.1'],
  [
    'podSecurityGroups, standard',
    () => ({ podSecurityGroups: { mode: PodSecurityGroupMode.STANDARD } }),
    'v1.11.0-eksbuild.3',
    'v1.12.0-eksbuild.1',
  ],
  ['prefixDelegation', () => ({ prefixDelegation: {} }), 'v1.9.0-eksbuild.1', 'v1.8.0-eksbuild.3'],
  [
    'prefixDelegation with address targets',
    () => ({ prefixDelegation: { warmPrefixTarget: 0 }, warmTargets: { warmIpTarget: 5, minimumIpTarget: 10 } }),
    'v1.9.0-eksbuild.3',
    'v1.9.1-eksbuild.1',
  ],
  [
    'customNetworking',
    (stack) => ({ customNetworking: podSubnets(stack) }),
    'v1.13.0-eksbuild.1',
    'v1.12.6-eksbuild.2',
  ],
  ['networkPolicy', () => ({ networkPolicy: {} }), 'v1.14.0-eksbuild.3', 'v1.13.4-eksbuild.1'],
  [
    'networkPolicy, strict',
    () => ({ networkPolicy: { mode: NetworkPolicyMode.STRICT } }),
    'v1.17.1-eksbuild.1',
    'v1.16.4-eksbuild.2',
  ],
  ['windowsIpam', () => ({ windowsIpam: true }), 'v1.14.0-eksbuild.3', 'v1.13.4-eksbuild.1'],
  [
    'warmTargets of addresses',
    () => ({ warmTargets: { warmIpTarget: 2, minimumIpTarget: 10 } }),
    'v1.6.3-eksbuild.3',
    'v1.12.0-eksbuild.1',
  ],
  [
    'warmTargets of interfaces',
    () => ({ warmTargets: { warmEniTarget: 0, maxEni: 3 } }),
    'v1.6.3-eksbuild.3',
    'v1.12.0-eksbuild.1',
  ],
  [
    'all of Linux together',
    (stack) => ({
      podSecurityGroups: {},
      prefixDelegation: {},
      customNetworking: podSubnets(stack),
      networkPolicy: { mode: NetworkPolicyMode.STRICT },
      windowsIpam: true,
      warmTargets: { maxEni: 4 },
    }),
    'v1.17.1-eksbuild.1',
    'v1.16.4-eksbuild.2',
  ],
];

const versions = addonVersions('vpc-cni')
  .map(({ version }) => version)
  .reverse();

describe.each(features)('%s', (_, options, from, without) => {
  const app = new App({ context: { '@aws-cdk/core:stackResourceLimit': 0 } });
  const stack = new Stack(app, 'Test', { env: { region: 'eu-west-1', account: '123456789012' } });
  const shared = options(stack);
  const refused = new Map<string, string>();

  beforeAll(() => {
    for (const version of versions) {
      const id = `Cni-${version.replaceAll('.', '-')}`;
      try {
        new VpcCniAddon(stack, id, {
          cluster: importedCluster(stack, 'aws-eks-v2', {}, `Cluster-${id}`),
          version,
          useNodeRole: true,
          ...shared,
        });
      } catch (error) {
        if (!(error instanceof ConstructionError)) throw error;
        refused.set(version, error.message);
        stack.node.tryRemoveChild(id);
      }
    }
  });

  it("is synthesized for each add-on version that supports it, in the shape of that version's schema", () => {
    const addons = resourcesOf(stack, 'AWS::EKS::Addon').map(({ Properties }) => ({
      version: textOf(Properties.AddonVersion),
      values: Properties.ConfigurationValues,
    }));
    expect(addons.length + refused.size).toBe(versions.length);
    for (const { version, values } of addons) {
      const data = (values === undefined ? {} : JSON.parse(textOf(values))) as DataMap;
      const isValid = versionSchema(version);
      isValid(data);
      expect([version, isValid.errors ?? []]).toEqual([version, []]);
      expect(configurationProblems(data, { kind: 'pinned', version })).toEqual([]);
      expect(configurationConflicts(data, { version, ipFamily: 'ipv4' })).toEqual([]);
    }
    expect(addons.map(({ version }) => version)).toEqual(versions.filter((version) => !refused.has(version)));
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
  it.each<[string, string, (stack: Stack) => VpcCniAddonProps['cluster']]>([
    ['v1.14.1-eksbuild.1', '1.28', (stack) => nativeCluster(stack, { version: '1.28' })],
    ['v1.19.0-eksbuild.1', '1.30', (stack) => customCluster(stack, { version: '1.30' })],
    ['v1.23.0-eksbuild.1', '1.34', (stack) => importedCluster(stack, 'aws-eks', { complete: true })],
  ])('%s of Kubernetes %s fits its schema', (version, kubernetesVersion, makeCluster) => {
    const stack = newStack('eu-west-1');
    const agent = version.startsWith('v1.14') ? {} : { podIdentityAgent: PodIdentityAgent.INSTALL };
    new VpcCniAddon(stack, 'Cni', {
      cluster: makeCluster(stack),
      kubernetesVersion,
      version,
      ...agent,
      podSecurityGroups: {},
      prefixDelegation: {},
      networkPolicy: {},
      windowsIpam: true,
      customNetworking: podSubnets(stack),
      configuration: { livenessProbeTimeoutSeconds: 20 },
    });
    const [addon] = resourcesOf(stack, 'AWS::EKS::Addon').filter(
      ({ Properties }) => Properties.AddonName === 'vpc-cni',
    );
    expect(addon?.Properties).toMatchObject({ AddonVersion: version, ResolveConflicts: 'PRESERVE' });
    const isValid = versionSchema(version);
    isValid(JSON.parse(textOf(addon?.Properties.ConfigurationValues)));
    expect(isValid.errors ?? []).toEqual([]);
  });
});

describe('takeOver', () => {
  const cni = (props: Partial<VpcCniAddonProps>) => {
    const stack = newStack();
    new VpcCniAddon(stack, 'Cni', { cluster: nativeCluster(stack), ...props });
    return resourcesOf(stack, 'AWS::EKS::Addon').find(({ Properties }) => Properties.AddonName === 'vpc-cni');
  };

  it('overwrites, with a suppression that ends', () => {
    const addon = cni({ takeOver: { until: '2027-03-31' } });
    expect(addon?.Properties.ResolveConflicts).toBe('OVERWRITE');
    expect(addon?.Metadata).toEqual({
      'eks-guardrails': {
        suppress: [
          {
            rule: 'vpc-cni-resolve-conflicts',
            reason: expect.stringContaining('back to PRESERVE') as string,
            until: '2027-03-31',
          },
        ],
      },
    });
  });

  it.each<[Partial<VpcCniAddonProps>, string]>([
    [
      { takeOver: { until: '2027-03-31' }, resolveConflicts: ResolveConflicts.PRESERVE },
      'takeOver is set and resolveConflicts is PRESERVE',
    ],
    [{ takeOver: { until: '2027-02-30' } }, 'takeOver.until is "2027-02-30"; a day such as'],
    [{ takeOver: { until: 'soon' } }, 'takeOver.until is "soon"'],
  ])('refuses %j', (props, message) => {
    expect(() => cni(props)).toThrow(message);
  });
});

describe('configuration', () => {
  const configuration = (props: Partial<VpcCniAddonProps>) => {
    const stack = newStack();
    return new VpcCniAddon(stack, 'Cni', { cluster: nativeCluster(stack), ...props }).configuration;
  };

  it('joins the typed options, env and values of newer versions', () => {
    expect(
      configuration({
        podSecurityGroups: {},
        env: { AWS_VPC_ENI_MTU: '8900' },
        configuration: { env: { POD_MTU: '8800' }, nodeAgent: { logLevel: 'info' } },
        configurationValues: { podLabels: { tier: 'network' } },
      }),
    ).toEqual({
      env: {
        ENABLE_POD_ENI: 'true',
        POD_SECURITY_GROUP_ENFORCING_MODE: 'strict',
        AWS_VPC_ENI_MTU: '8900',
        POD_MTU: '8800',
      },
      init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },
      nodeAgent: { logLevel: 'info' },
      podLabels: { tier: 'network' },
    });
  });

  it.each<[Partial<VpcCniAddonProps>, string]>([
    [
      { networkPolicy: {}, configuration: { enableNetworkPolicy: 'false' } },
      'configuration has enableNetworkPolicy, which another option sets too; leave it out of configuration',
    ],
    [{ configurationValues: { env: { WARM_IP_TARGETS: '2' } } }, 'the nearest key is env.WARM_IP_TARGET'],
    [{ configuration: { env: { MINIMUM_IP_TARGET: '4' } } }, 'MINIMUM_IP_TARGET is set without WARM_IP_TARGET'],
    [{ configuration: { extraEnv: [{ name: 'DISABLE_TCP_EARLY_DEMUX', value: 'true' }] } }, 'it belongs to init.env'],
  ])('refuses %j', (props, message) => {
    expect(() => configuration(props)).toThrow(message);
  });
});
