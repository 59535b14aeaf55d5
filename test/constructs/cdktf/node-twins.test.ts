import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Testing } from 'cdktf';
import * as cdk from '../../../constructs/aws-cdk';
import * as cdktf from '../../../constructs/cdktf';
import type { EksResource, LaunchTemplate, NodeGroup } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import type { Value } from '../../../lib/value';
import * as cdkStacks from '../aws-cdk/clusters';
import { AMI, elsewhere, SERVICE_CIDR, subnets } from './node-groups';
import { newCluster, newStack } from './stacks';

/** Options that both engines have in the same form, and those that only differ in their classes. */
interface Case
  extends Omit<
    cdktf.ManagedNodeGroupProps,
    | 'cluster'
    | 'subnets'
    | 'role'
    | 'managedPolicies'
    | 'permissionsBoundary'
    | 'securityGroups'
    | 'remoteAccess'
    | 'placementGroup'
    | 'volume'
    | 'additionalVolumes'
    | 'nodeConfig'
    | 'bottlerocketSettings'
    | 'windowsBootstrap'
  > {
  readonly node?: cdktf.NodeConfigSpec;
  readonly bottlerocket?: cdktf.BottlerocketSettingsProps;
  readonly windows?: cdktf.WindowsBootstrapProps;
}

function ofCdk(
  { node, bottlerocket, windows, instanceTypes, architecture, ...options }: Case,
  version?: string,
): cdk.ManagedNodeGroup {
  const stack = cdkStacks.newStack();
  const vpc = cdkStacks.importedVpc(stack);
  const cluster =
    version === undefined
      ? cdkStacks.importedCluster(stack, 'aws-eks-v2', { complete: true, vpc })
      : cdkStacks.nativeCluster(stack, { version, vpc });
  return new cdk.ManagedNodeGroup(stack, 'Workers', {
    cluster,
    subnets: { subnets: vpc.privateSubnets },
    ...options,
    ...(options.customAmi === undefined ? {} : { serviceCidr: SERVICE_CIDR }),
    ...(instanceTypes === undefined ? {} : { instanceTypes: instanceTypes.map((name) => new ec2.InstanceType(name)) }),
    ...(architecture === undefined
      ? {}
      : { architecture: architecture === 'arm64' ? ec2.InstanceArchitecture.ARM_64 : ec2.InstanceArchitecture.X86_64 }),
    ...(node === undefined ? {} : { nodeConfig: new cdk.NodeConfig(node) }),
    ...(bottlerocket === undefined ? {} : { bottlerocketSettings: new cdk.BottlerocketSettings(bottlerocket) }),
    ...(windows === undefined ? {} : { windowsBootstrap: new cdk.WindowsBootstrap(windows) }),
  });
}

function ofCdktf({ node, bottlerocket, windows, ...options }: Case, version?: string): cdktf.ManagedNodeGroup {
  const stack = newStack();
  return new cdktf.ManagedNodeGroup(stack, 'Workers', {
    cluster: version === undefined ? elsewhere : newCluster(stack, { version }),
    subnets,
    ...options,
    ...(node === undefined ? {} : { nodeConfig: new cdktf.NodeConfig(node) }),
    ...(bottlerocket === undefined ? {} : { bottlerocketSettings: new cdktf.BottlerocketSettings(bottlerocket) }),
    ...(windows === undefined ? {} : { windowsBootstrap: new cdktf.WindowsBootstrap(windows) }),
  });
}

const kubelet: Case = {
  labels: { tier: 'web' },
  taints: [
    { key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' },
    { key: 'x', effect: 'NO_EXECUTE' },
  ],
  maxPods: 8,
};
const shellScripts = ['#!/bin/bash\necho "${HOME}" \\ %{x}\n', '#!/usr/bin/env python3\nprint("$")\n'];
const families: Case[] = [
  { amiFamily: cdktf.AmiFamily.AL2, shellScripts },
  {
    amiFamily: cdktf.AmiFamily.AL2023,
    shellScripts,
    node: { kubelet: { config: { shutdownGracePeriod: '60s' }, flags: ['--v=2'] } },
  },
  {
    amiFamily: cdktf.AmiFamily.BOTTLEROCKET,
    bottlerocket: {
      hostContainers: { admin: { enabled: true } },
      sysctl: { 'vm.max_map_count': '262144' },
      settings: { ntp: { 'time-servers': ['169.254.169.123'] } },
    },
  },
  {
    amiFamily: cdktf.AmiFamily.WINDOWS_CORE_2022,
    windows: { scripts: ['Write-Host "hi"'], excludedSnatCidrs: ['10.20.0.0/16'] },
  },
];

/** User data that CDK may still change is a token. */
function textOf(group: cdk.ManagedNodeGroup | cdktf.ManagedNodeGroup): string | undefined {
  if (group instanceof cdk.ManagedNodeGroup)
    return group.userData === undefined ? undefined : (Stack.of(group).resolve(group.userData) as string);
  const template = Object.values(
    (
      JSON.parse(Testing.synth(group.launchTemplate.cdktfStack)) as {
        resource: { aws_launch_template: Record<string, { user_data?: string }> };
      }
    ).resource.aws_launch_template,
  )[0];
  return template?.user_data === undefined ? undefined : Buffer.from(template.user_data, 'base64').toString();
}

describe('the same options', () => {
  it.each(
    families.flatMap((family): Case[] => [
      {
        ...family,
        kubernetesVersion: '1.32',
        ...(family.amiFamily === cdktf.AmiFamily.AL2 ? { al2Reason: 'later' } : {}),
      },
      { ...family, customAmi: AMI },
      { ...family, ...kubelet, customAmi: AMI },
      { ...family, ...kubelet, customAmi: AMI, instanceTypes: ['m5.large', 'c5.xlarge'] },
    ]),
  )('give the same user data: %j', (options) => {
    const [one, other] = [textOf(ofCdk(options)), textOf(ofCdktf(options))];
    expect(one).toBeDefined();
    expect(other).toBe(one);
  });

  it.each<Case>([
    {},
    { instanceTypes: ['g5g.xlarge'] },
    { architecture: 'arm64', imds: cdktf.ImdsAccess.NODE_ONLY, imdsReason: 'roles for all' },
    { amiType: 'BOTTLEROCKET_ARM_64_FIPS', diskSize: 100 },
    { amiFamily: cdktf.AmiFamily.WINDOWS_FULL_2022 },
    { customAmi: AMI, amiFamily: cdktf.AmiFamily.BOTTLEROCKET },
    {
      labels: { tier: 'web' },
      taints: [{ key: 'a', value: 'b', effect: 'NO_SCHEDULE' }],
      capacityType: 'SPOT',
      minSize: 1,
      maxSize: 9,
      desiredSize: 3,
      maxUnavailablePercentage: 30,
      forceUpdate: true,
      forceUpdateReason: 'batch',
      releaseVersion: '1.34.1-20251007',
    },
    { amiFamily: cdktf.AmiFamily.AL2, al2Reason: 'later' },
  ])('give the same values to the rules: %j', (options) => {
    const version = options.amiFamily === cdktf.AmiFamily.AL2 ? '1.32' : '1.34';
    expect(valuesOf(readCdktf(ofCdktf(options, version)))).toEqual(
      valuesOf(readCdk(ofCdk(options, version)), options.desiredSize ?? options.minSize ?? 2),
    );
  });

  it.each<[Case, string?]>([
    [{ imds: cdktf.ImdsAccess.NODE_ONLY }],
    [{ amiFamily: cdktf.AmiFamily.AL2, al2Reason: 'x' }, '1.33'],
    [{ instanceTypes: ['m5.large', 'm7g.large'] }],
    [{ maxPods: 3 }],
    [{ labels: { 'eks.amazonaws.com/x': 'y' } }],
    [{ labels: { 'node-role.kubernetes.io/x': 'y' } }],
    [{ minSize: 3, maxSize: 2 }],
    [{ kubernetesVersion: '1.30' }],
    [{ amiFamily: cdktf.AmiFamily.BOTTLEROCKET, shellScripts }],
    [{ node: { cluster: { name: 'other' } } }],
    [{ customAmi: AMI, ...kubelet, node: { kubelet: { config: { maxPods: 9 } } } }],
  ])('are refused alike: %j', (options, version = '1.34') => {
    expect(messageOf(() => ofCdktf(options, version)).replace('Test/', '')).toBe(
      messageOf(() => ofCdk(options, version)).replace(/^[^:]*\//, ''),
    );
  });
});

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    if (error instanceof cdktf.ConstructionError) return error.message;
    throw error;
  }
  throw new Error('not refused');
}

function readCdk(group: cdk.ManagedNodeGroup): readonly EksResource[] {
  return readTemplates([{ file: 'template.json', text: JSON.stringify(Template.fromStack(Stack.of(group)).toJSON()) }])
    .resources;
}

function readCdktf(group: cdktf.ManagedNodeGroup): readonly EksResource[] {
  const stack = group.launchTemplate.cdktfStack;
  Testing.synth(stack);
  return readTerraformStacks([
    { name: 'Test', constructPath: 'Test', app: 'cdktf.out', file: 'cdk.tf.json', content: stack.toTerraform() },
  ]).resources;
}

/** What the rules look at of a node group and its template. `desiredSize` is written for Terraform in any case. */
function valuesOf(resources: readonly EksResource[], desiredSize?: number): unknown {
  const group = resources.find((resource): resource is NodeGroup => resource.kind === 'node-group');
  const template = resources.find((resource): resource is LaunchTemplate => resource.kind === 'launch-template');
  if (group === undefined || template === undefined) throw new Error('no group or no template');
  const update = group.updateConfig.kind === 'known' ? group.updateConfig.value : undefined;
  const { metadata } = template;
  return {
    amiType: shown(group.amiType),
    instanceTypes: list(group.instanceTypes).map(shown),
    capacityType: shown(group.capacityType),
    releaseVersion: shown(group.releaseVersion),
    forceUpdate: shown(group.forceUpdate) ?? false,
    sizes: [shown(group.minSize), shown(group.maxSize), desiredSize ?? shown(group.desiredSize)],
    update: [update?.maxUnavailable, update?.maxUnavailablePercentage].map((value) => value && shown(value)),
    labels: list(group.labels).map(({ key, value }) => [shown(key), shown(value)]),
    taints: list(group.taints).map(({ key, value, effect }) => [shown(key), shown(value), shown(effect)]),
    tracks:
      group.launchTemplate.kind === 'known' && group.launchTemplate.value.version.kind === 'known'
        ? group.launchTemplate.value.version.value.tracks
        : undefined,
    isItsTemplate: group.launchTemplate.kind === 'known' && group.launchTemplate.value.template.target === template,
    metadata: [metadata.httpTokens, metadata.hopLimit, metadata.httpEndpoint, metadata.instanceTags].map(shown),
    devices: template.blockDevices.map(({ name, size }) => [shown(name), shown(size)]),
    image: template.imageId.kind === 'known' ? template.imageId.value.text : undefined,
    suppressed: [...group.suppressions, ...template.suppressions].map(({ rule, reason }) => [rule, reason]),
  };
}

function shown(value: Value<string | number | boolean>): unknown {
  if (value.kind === 'known') return value.value;
  return value.kind === 'absent' ? undefined : value.kind;
}

function list<T>(value: Value<readonly T[]>): readonly T[] {
  return value.kind === 'known' ? value.value : [];
}
