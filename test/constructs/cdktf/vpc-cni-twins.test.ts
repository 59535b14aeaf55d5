import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as cdk from '../../../constructs/aws-cdk';
import * as cdktf from '../../../constructs/cdktf';
import * as cdkStacks from '../aws-cdk/clusters';
import { addonOf, ipv6, newCluster, newStack, resourcesOf } from './stacks';

type Options = Omit<cdk.VpcCniAddonProps, 'cluster' | 'role' | 'takeOver' | 'customNetworking'>;

interface Subnet {
  readonly id: string;
  readonly zone?: string;
  readonly groups?: readonly string[];
}

interface Case extends Options {
  readonly subnets?: readonly Subnet[];
}

interface Twin {
  readonly version?: string;
  readonly ipFamily?: 'ipv6';
}

function ofCdk({ subnets, ...options }: Case, { version = '1.34', ipFamily }: Twin): cdk.VpcCniAddon {
  const stack = cdkStacks.newStack('eu-west-1');
  const cluster = cdkStacks.nativeCluster(stack, { version, ...(ipFamily === undefined ? {} : { ipFamily }) });
  const pods = subnets?.map(({ id, zone, groups = [] }, index) => ({
    subnet: ec2.Subnet.fromSubnetId(stack, `Subnet${index}`, id),
    ...(zone === undefined ? {} : { availabilityZone: zone }),
    securityGroups: groups.map((group) => ec2.SecurityGroup.fromSecurityGroupId(stack, `${index}${group}`, group)),
  }));
  return new cdk.VpcCniAddon(stack, 'Cni', {
    cluster,
    ...options,
    ...(pods === undefined ? {} : { customNetworking: { subnets: pods } }),
  });
}

function ofCdktf({ subnets, ...options }: Case, { version = '1.34', ipFamily }: Twin): cdktf.VpcCniAddon {
  const stack = newStack();
  const cluster = newCluster(stack, { version, ...(ipFamily === undefined ? {} : ipv6) });
  const pods = subnets?.map(({ id, zone, groups = [] }) => ({
    subnet: id,
    ...(zone === undefined ? {} : { availabilityZone: zone }),
    securityGroups: groups,
  }));
  return new cdktf.VpcCniAddon(stack, 'Cni', {
    cluster,
    ...options,
    ...(pods === undefined ? {} : { customNetworking: { subnets: pods } }),
  });
}

const zones = (...letters: string[]): Subnet[] =>
  letters.map((letter) => ({ id: `subnet-${letter}`, zone: `eu-west-1${letter}` }));

describe('the same options', () => {
  it.each<[Case, Twin]>([
    [{}, {}],
    [{}, { ipFamily: 'ipv6' }],
    [{}, { version: '1.31' }],
    [{ version: 'v1.15.4-eksbuild.1', useNodeRole: true }, { version: '1.28' }],
    [{ podSecurityGroups: {} }, {}],
    [{ podSecurityGroups: { mode: cdk.PodSecurityGroupMode.STANDARD } }, {}],
    [{ podSecurityGroups: {} }, { ipFamily: 'ipv6' }],
    [{ prefixDelegation: { warmPrefixTarget: 0 }, warmTargets: { warmIpTarget: 5, minimumIpTarget: 10 } }, {}],
    [{ warmTargets: { warmEniTarget: 0, maxEni: 2 } }, {}],
    [{ networkPolicy: { mode: cdk.NetworkPolicyMode.STRICT } }, {}],
    [{ windowsIpam: true, configurationValues: { enableWindowsPrefixDelegation: 'true' } }, {}],
    [{ subnets: [...zones('a'), { id: 'subnet-b', zone: 'eu-west-1b', groups: ['sg-1', 'sg-2'] }] }, {}],
    [
      {
        podSecurityGroups: {},
        env: { AWS_VPC_ENI_MTU: '8900' },
        configuration: { nodeAgent: { logLevel: 'info' } },
        configurationValues: { podLabels: { say: 'a "quoted" \\ text' } },
      },
      {},
    ],
  ])('give the same add-on: %j on %j', (options, twin) => {
    const [one, other] = [ofCdk(options, twin), ofCdktf(options, twin)];
    expect(other.configuration).toEqual(one.configuration);
    expect([other.version, other.identity]).toEqual([one.version, one.identity]);
    const written = addonOf(cdktfStack(other))['configuration_values'];
    expect(written).toEqual(
      Object.keys(one.configuration).length === 0 ? undefined : JSON.stringify(one.configuration),
    );
  });

  it.each<[Case, Twin]>([
    [{ version: 'v1.15.1-eksbuild.1' }, {}],
    [{ version: 'v1.21.1' }, {}],
    [{}, { version: '1.99' }],
    [{ version: 'v1.15.4-eksbuild.1', identity: cdk.PodIdentityKind.POD_IDENTITY }, { version: '1.28' }],
    [{ useNodeRole: true, identity: cdk.PodIdentityKind.IRSA }, {}],
    [{ resolveConflicts: cdk.ResolveConflicts.OVERWRITE }, {}],
    [{ resolveConflictsReason: 'x' }, {}],
    [{ kubernetesVersion: '1.33' }, {}],
    [{ configurationValues: { nope: 1 } }, {}],
    [{ configurationValues: { env: { ENABLE_POD_ENI: true } } }, {}],
    [{ version: 'v1.18.1-eksbuild.1', env: { ENABLE_MULTI_NIC: 'true' } }, { version: '1.28' }],
    [{ networkPolicy: {}, configurationValues: { enableNetworkPolicy: 'false' } }, {}],
    [{ prefixDelegation: { warmPrefixTarget: 0 } }, {}],
    [{ warmTargets: { minimumIpTarget: 30 } }, {}],
    [{ warmTargets: { warmIpTarget: 1.5 } }, {}],
    [{ warmTargets: { warmIpTarget: 2, warmEniTarget: 1 } }, {}],
    [{ windowsIpam: true }, { ipFamily: 'ipv6' }],
    [{ prefixDelegation: {} }, { ipFamily: 'ipv6' }],
    [{ subnets: [] }, { ipFamily: 'ipv6' }],
    [{ subnets: [] }, {}],
    [{ subnets: [...zones('a'), ...zones('a')] }, {}],
    [{ subnets: zones('a'), warmTargets: { maxEni: 1 } }, {}],
    [{ subnets: [{ id: 'subnet-a', zone: 'apne2-az1' }] }, {}],
    [
      {
        subnets: [
          { id: 'subnet-a', zone: 'eu-west-1a', groups: Array.from({ length: 17 }, (_, index) => `sg-${index}`) },
        ],
      },
      {},
    ],
  ])('are refused with the same words: %j on %j', (options, twin) => {
    let message = '';
    try {
      ofCdk(options, twin);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('ConstructionError: Test/Cni: ');
    expect(() => ofCdktf(options, twin)).toThrow(message.replace('ConstructionError: ', ''));
    expect(() => ofCdktf(options, twin)).toThrow(cdktf.ConstructionError);
  });

  it.each([
    [
      'another region',
      { id: 'subnet-a', zone: 'eu-west-2a' },
      'is "eu-west-2a" and the region of the provider is eu-west-1',
    ],
    ['no zone', { id: 'subnet-a' }, "availabilityZone isn't known at synthesis; write its name"],
  ])('are refused in the words of Terraform: a subnet with %s', (_, subnet, message) => {
    expect(() => ofCdktf({ subnets: [subnet] }, {})).toThrow(message);
  });
});

describe('the same role', () => {
  const policyOf = (document: unknown): unknown =>
    JSON.parse(
      JSON.stringify(document)
        .replaceAll('${AWS::Partition}', 'aws')
        .replaceAll(/\{"Fn::Join":\["",\["arn:",\{"Ref":"AWS::Partition"\},"([^"]*)"\]\]\}/g, '"arn:aws$1"'),
    );

  it.each<cdk.IpFamily[][]>([[['ipv4', 'ipv6']], [['ipv4']], [['ipv6']]])('has the permissions of %j', (ipFamilies) => {
    const stack = cdkStacks.newStack();
    new cdk.VpcCniRole(stack, 'Role', { cluster: cdkStacks.nativeCluster(stack), ipFamilies });
    const one = policyOf(cdkStacks.resourceOf(stack, 'AWS::IAM::ManagedPolicy').Properties['PolicyDocument']);
    const other = newStack();
    new cdktf.VpcCniRole(other, 'Role', { cluster: newCluster(other), ipFamilies });
    const [policy] = Object.values(resourcesOf(other, 'aws_iam_policy'));
    // CDK writes lists of one as their item.
    const listed = (one as { Statement: { Action: string | string[]; Resource: string | string[] }[] }).Statement.map(
      (statement) => ({ ...statement, Action: [statement.Action].flat(), Resource: [statement.Resource].flat() }),
    );
    expect((evaluated(policy?.['policy']) as { Statement: unknown }).Statement).toEqual(listed);
  });
});

/** The stack of a construct. */
function cdktfStack(addon: cdktf.VpcCniAddon): ReturnType<typeof newStack> {
  return (
    addon.node.scopes.find((scope): scope is ReturnType<typeof newStack> => scope.node.id === 'Test') ?? newStack()
  );
}

/** A document in the partition `aws`. */
function evaluated(text: unknown): unknown {
  return JSON.parse(String(text).replaceAll(/\$\{data\.aws_partition\.\w+\.partition\}/g, 'aws'));
}
