import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Template } from 'aws-cdk-lib/assertions';
import {
  AmiFamily,
  BottlerocketSettings,
  ImdsAccess,
  InstanceStore,
  ManagedNodeGroup,
  NodeConfig,
  PodIdentityAgent,
  PodIdentityKind,
  SelfManagedNodeGroup,
  UpdateStrategy,
  VpcCniAddon,
  WindowsBootstrap,
  WindowsNodeGroup,
  type ICluster,
} from '../../../constructs/aws-cdk';
import {
  customCluster,
  importedCluster,
  importedVpc,
  nativeCluster,
  newStack,
  SERVICE_CIDR,
  type TemplateResource,
} from './clusters';
import { goldenValues } from '../../golden';

/** The resources that the constructs make, without those of the cluster. */
function ownResources(stack: Stack): Record<string, TemplateResource> {
  const resources = Template.fromStack(stack).toJSON().Resources as Record<string, TemplateResource>;
  return Object.fromEntries(Object.entries(resources).filter(([id]) => /^(?:Workers|Cni)/.test(id)));
}

const labels = { tier: 'web' };
const taints = [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }] as const;

describe('templates', () => {
  const expectGolden = goldenValues(join(__dirname, 'golden/templates.json'));

  it.each<[string, (stack: Stack) => ICluster, (stack: Stack, cluster: ICluster) => void]>([
    [
      'the defaults on an aws-eks-v2 cluster',
      (stack) => nativeCluster(stack),
      (stack, cluster) => {
        new VpcCniAddon(stack, 'Cni', { cluster });
        new ManagedNodeGroup(stack, 'Workers', { cluster });
      },
    ],
    [
      'a custom AMI and IRSA on an aws-eks cluster',
      (stack) => customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
      (stack, cluster) => {
        new VpcCniAddon(stack, 'Cni', {
          cluster,
          identity: PodIdentityKind.IRSA,
          podSecurityGroups: {},
          prefixDelegation: {},
        });
        new ManagedNodeGroup(stack, 'Workers', {
          cluster,
          customAmi: 'ami-0123456789abcdef0',
          maxPods: 110,
          nodeConfig: new NodeConfig({ instance: { localStorage: { strategy: 'RAID0' } } }),
          shellScripts: ['#!/bin/bash\necho hello\n'],
        });
      },
    ],
    [
      'Bottlerocket without access to the metadata service on an imported cluster',
      (stack) => importedCluster(stack, 'aws-eks-v2', { vpc: importedVpc(stack) }),
      (stack, cluster) => {
        new VpcCniAddon(stack, 'Cni', {
          cluster,
          kubernetesVersion: '1.34',
          podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
        });
        new ManagedNodeGroup(stack, 'Workers', {
          cluster,
          amiFamily: AmiFamily.BOTTLEROCKET,
          maxPods: 29,
          imds: ImdsAccess.NODE_ONLY,
          imdsReason: 'every pod has its own role',
        });
      },
    ],
    [
      'a capacity block with EFA, and SSH from a bastion, on a cluster of Kubernetes 1.32',
      (stack) => nativeCluster(stack, { version: '1.32' }),
      (stack, cluster) => {
        new ManagedNodeGroup(stack, 'Workers', {
          cluster,
          instanceTypes: [new ec2.InstanceType('p5.48xlarge')],
          capacityType: 'CAPACITY_BLOCK',
          capacityReservation: { id: 'cr-0123456789abcdef0' },
          efa: { interfaces: 2 },
          instanceStore: InstanceStore.RAID0,
          remoteAccess: {
            keyPair: ec2.KeyPair.fromKeyPairName(stack, 'Key', 'operators'),
            from: [new ec2.SecurityGroup(stack, 'Bastion', { vpc: cluster.vpc })],
          },
          volume: { size: 500, iops: 6000, throughput: 1000 },
          updateStrategy: UpdateStrategy.MINIMAL,
          nodeRepair: {},
          tags: { team: 'ml' },
        });
      },
    ],
    [
      'spot nodes that EKS does not manage',
      (stack) => nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }),
      (stack, cluster) => {
        new SelfManagedNodeGroup(stack, 'Workers', {
          cluster,
          instanceTypes: [new ec2.InstanceType('m6i.large'), new ec2.InstanceType('m5.large')],
          capacityType: 'SPOT',
          labels,
          taints,
        });
      },
    ],
    [
      "the node role as the CNI's on an IPv6 cluster",
      (stack) => nativeCluster(stack, { ipFamily: 'ipv6' }),
      (stack, cluster) => {
        new ManagedNodeGroup(stack, 'Workers', { cluster });
      },
    ],
    [
      "an AL2 AMI of one's own on an aws-eks cluster",
      (stack) => customCluster(stack, { version: '1.32', serviceIpv4Cidr: SERVICE_CIDR }),
      (stack, cluster) => {
        new ManagedNodeGroup(stack, 'Workers', {
          cluster,
          amiFamily: AmiFamily.AL2,
          customAmi: 'ami-0123456789abcdef0',
          labels,
          taints,
          shellScripts: ['#!/bin/bash\necho hello\n'],
        });
        new VpcCniAddon(stack, 'Cni', { cluster, prefixDelegation: {} });
      },
    ],
    [
      "a Bottlerocket AMI of one's own on an IPv6 cluster",
      (stack) => nativeCluster(stack, { ipFamily: 'ipv6' }),
      (stack, cluster) => {
        const bottlerocketSettings = new BottlerocketSettings({
          hostContainers: { admin: { enabled: true } },
          sysctl: { 'vm.max_map_count': '262144' },
        });
        new ManagedNodeGroup(stack, 'Workers', {
          cluster,
          amiFamily: AmiFamily.BOTTLEROCKET,
          customAmi: 'ami-0123456789abcdef0',
          labels,
          taints,
          bottlerocketSettings,
        });
      },
    ],
    [
      "Windows with an AMI of one's own on an aws-eks-v2 cluster",
      (stack) => nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR, kubectl: true }),
      (stack, cluster) => {
        const windowsBootstrap = new WindowsBootstrap({
          scripts: ['Set-TimeZone -Id "UTC"'],
          kubeletExtraArgs: ['--v=4'],
        });
        new WindowsNodeGroup(stack, 'Workers', {
          cluster,
          customAmi: 'ami-0123456789abcdef0',
          labels,
          taints,
          windowsBootstrap,
          linuxNodesElsewhere: true,
        });
      },
    ],
  ])('of %s', (name, makeCluster, make) => {
    const stack = newStack('eu-west-1');
    make(stack, makeCluster(stack));
    expectGolden(name, ownResources(stack));
  });
});
