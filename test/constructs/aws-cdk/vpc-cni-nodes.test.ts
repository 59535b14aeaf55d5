import { App, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import {
  AmiFamily,
  ManagedNodeGroup,
  PodIdentityAgent,
  VpcCniAddon,
  type VpcCniAddonProps,
} from '../../../constructs/aws-cdk';
import {
  importedCluster,
  importedVpc,
  nativeCluster,
  newStack,
  resourcesOf,
  textOf,
  type ClusterOptions,
} from './clusters';
import { types, type Options } from './node-groups';

interface Case {
  readonly addon: Omit<VpcCniAddonProps, 'cluster'>;
  readonly groups: readonly Options[];
  readonly cluster?: ClusterOptions;
  readonly also?: (stack: Stack, cluster: eksv2.ICluster) => void;
}

function synth({ addon, groups, cluster: options, also }: Case): void {
  const stack = newStack('eu-west-1');
  const cluster = nativeCluster(stack, { vpc: importedVpc(stack), ...options });
  // The add-on before one half of the groups: the order must not matter.
  groups.forEach((group, index) => {
    if (index === 1) new VpcCniAddon(stack, 'Cni', { cluster, ...addon });
    new ManagedNodeGroup(stack, `Nodes${index}`, { cluster, ...group });
  });
  if (groups.length < 2) new VpcCniAddon(stack, 'Cni', { cluster, ...addon });
  also?.(stack, cluster);
  stack.node.root.node
    .findAll()
    .filter((construct): construct is App => construct instanceof App)
    .forEach((app) => app.synth());
}

const podSecurityGroups = {};
const pods = (stack: Stack | undefined, ...zones: string[]): VpcCniAddonProps['customNetworking'] => ({
  subnets: zones.map((zone) => ({
    subnet: ec2.Subnet.fromSubnetId(stack ?? newStack(), `Pods${zone}`, `subnet-${zone}`),
    availabilityZone: `eu-west-1${zone}`,
  })),
});

describe('security groups for pods', () => {
  it.each<[string, Case]>([
    ['the default instance type', { addon: { podSecurityGroups }, groups: [{}] }],
    [
      'system nodes without trunk beside others',
      {
        addon: { podSecurityGroups },
        groups: [{ instanceTypes: types('t3.large') }, { instanceTypes: types('m6i.large') }],
      },
    ],
    ['no nodes in the app', { addon: { podSecurityGroups }, groups: [] }],
    ['standard nodes without the feature', { addon: {}, groups: [{ instanceTypes: types('t3.large') }] }],
    [
      'a type of which no list says it',
      { addon: { podSecurityGroups }, groups: [{ instanceTypes: types('trn2.48xlarge') }] },
    ],
    [
      'other node groups in the app',
      {
        addon: { podSecurityGroups },
        groups: [{ instanceTypes: types('t3.large') }],
        also: (stack, cluster) => {
          new eksv2.Nodegroup(stack, 'Other', { cluster, instanceTypes: types('m6i.large') });
        },
      },
    ],
  ])('takes %s', (_, made) => {
    expect(() => {
      synth(made);
    }).not.toThrow();
  });

  it.each<[string, Case, RegExp]>([
    [
      'nodes without trunk',
      { addon: { podSecurityGroups }, groups: [{ instanceTypes: types('t3.large', 't3a.large') }] },
      /Test\/Cni\] podSecurityGroups is set, but no node group .*\(t3\.large, t3a\.large don't\).*stay Pending/,
    ],
    [
      'the same by variable',
      {
        addon: {
          env: { ENABLE_POD_ENI: 'true' },
          configuration: { init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } },
        },
        groups: [{ instanceTypes: types('t3.large') }],
      },
      /t3\.large doesn't/,
    ],
    [
      'types of which some have none',
      { addon: { podSecurityGroups }, groups: [{ instanceTypes: types('m6i.large', 't3.large') }] },
      /\(t3\.large doesn't\)/,
    ],
    [
      'Windows nodes beside them',
      {
        addon: { podSecurityGroups, windowsIpam: true },
        groups: [
          { instanceTypes: types('t3.large') },
          { amiFamily: AmiFamily.WINDOWS_CORE_2022, instanceTypes: types('m6i.large') },
        ],
      },
      /t3\.large doesn't/,
    ],
    [
      'no interface left for pods',
      {
        addon: { podSecurityGroups, customNetworking: pods(undefined, 'a', 'b') },
        groups: [{ instanceTypes: types('m7g.medium') }],
      },
      /leave no interface of m7g\.medium/,
    ],
  ])('refuses %s', (_, made, message) => {
    expect(() => {
      synth(made);
    }).toThrow(message);
  });

  it("can't judge the nodes of an imported cluster", () => {
    const stack = newStack();
    const cluster = importedCluster(stack, 'aws-eks-v2', { vpc: importedVpc(stack) });
    new VpcCniAddon(stack, 'Cni', {
      cluster,
      version: 'v1.23.0-eksbuild.1',
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
      podSecurityGroups,
    });
    new ManagedNodeGroup(stack, 'Nodes', { cluster, instanceTypes: types('t3.large'), kubernetesVersion: '1.34' });
    expect(resourcesOf(stack, 'AWS::EKS::Nodegroup')).toHaveLength(1);
  });

  it('count as interface when the pods of a node are counted, whichever option sets them', () => {
    const addon = {
      env: { ENABLE_POD_ENI: 'true' },
      configuration: { init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } } },
    };
    // 20 addresses beside the trunk, and 9 branch interfaces.
    expect(() => {
      synth({ addon, groups: [{ amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: types('m5.large'), maxPods: 29 }] });
    }).not.toThrow();
    expect(() => {
      synth({ addon, groups: [{ amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: types('m5.large'), maxPods: 30 }] });
    }).toThrow('maxPods is 30');
  });
});

describe('custom networking', () => {
  it.each<[string, Case]>([
    ['a subnet in each zone', { addon: { customNetworking: pods(undefined, 'a', 'b', 'c') }, groups: [{}] }],
    [
      'nodes that name their ENIConfig',
      {
        addon: { customNetworking: pods(undefined, 'a') },
        groups: [{ labels: { 'vpc.amazonaws.com/externalEniConfig': 'special' } }],
      },
    ],
    [
      'a zone among the other values',
      {
        addon: {
          customNetworking: pods(undefined, 'a'),
          configurationValues: { eniConfig: { subnets: { 'eu-west-1b': { id: 'subnet-b' } } } },
        },
        groups: [{}],
      },
    ],
    [
      'Windows nodes elsewhere',
      {
        addon: { customNetworking: pods(undefined, 'a', 'b'), windowsIpam: true },
        groups: [{}, { amiFamily: AmiFamily.WINDOWS_CORE_2022, instanceTypes: types('m6i.large') }],
      },
    ],
  ])('takes %s', (_, made) => {
    expect(() => {
      synth(made);
    }).not.toThrow();
  });

  it('refuses a zone with nodes and without subnet', () => {
    expect(() => {
      synth({ addon: { customNetworking: pods(undefined, 'a') }, groups: [{}] });
    }).toThrow(/customNetworking has no subnet in eu-west-1b, where node group Test\/Nodes0\/Resource has nodes/);
  });

  it('waits until CDK has looked up the zones of the account', () => {
    const stack = new Stack(new App(), 'Test', { env: { region: 'eu-west-1', account: '123456789012' } });
    // Without context these are placeholders of CDK, and synthesis is repeated with the right ones.
    const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 2 });
    expect(vpc.availabilityZones[0]).toMatch(/^dummy/);
    const cluster = nativeCluster(stack, { vpc });
    new VpcCniAddon(stack, 'Cni', {
      cluster,
      customNetworking: {
        subnets: vpc.privateSubnets.map((subnet, index) =>
          index === 0 ? { subnet, availabilityZone: 'eu-west-1a' } : { subnet },
        ),
      },
    });
    new ManagedNodeGroup(stack, 'Nodes', { cluster });
    const [addon] = resourcesOf(stack, 'AWS::EKS::Addon').filter(
      ({ Properties }) => Properties.AddonName === 'vpc-cni',
    );
    expect(
      Object.keys(
        (JSON.parse(textOf(addon?.Properties.ConfigurationValues)) as { eniConfig: { subnets: object } }).eniConfig
          .subnets,
      ),
    ).toEqual(['eu-west-1a', expect.stringMatching(/^dummy/)]);
  });
});

describe('prefix delegation', () => {
  const subnet = (stack: Stack, mask: number, id = 'Small') =>
    ec2.Subnet.fromSubnetAttributes(stack, `${id}${mask}`, {
      subnetId: `subnet-${mask}`,
      availabilityZone: 'eu-west-1a',
      ipv4CidrBlock: `10.0.0.0/${mask}`,
    });

  it.each<[string, readonly number[], boolean]>([
    ['larger subnets', [26, 24], true],
    ['one that is large enough', [27, 24], true],
    ['a /27', [27], false],
    ['small ones only', [28, 27], false],
  ])('for %s', (_, masks, isTaken) => {
    const make = () => {
      const stack = newStack('eu-west-1');
      synth({
        addon: { prefixDelegation: {} },
        groups: [{ subnets: { subnets: masks.map((mask) => subnet(stack, mask)) } }],
      });
    };
    if (isTaken) expect(make).not.toThrow();
    else expect(make).toThrow(/no subnet of node group Test\/Nodes0\/Resource is larger than \/27/);
  });

  it('looks at the subnets of the pods where these have their own', () => {
    const stack = newStack('eu-west-1');
    const nodes = { subnets: { subnets: [subnet(stack, 28)] } };
    synth({ addon: { prefixDelegation: {}, customNetworking: pods(undefined, 'a') }, groups: [nodes] });
    const small = { subnets: [{ subnet: subnet(stack, 27, 'Pods') }] };
    expect(() => {
      synth({ addon: { prefixDelegation: {}, customNetworking: small }, groups: [] });
    }).toThrow('prefixDelegation is set and customNetworking.subnets[0].subnet is 10.0.0.0/27');
  });
});
