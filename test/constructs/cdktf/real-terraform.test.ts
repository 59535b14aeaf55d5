import { KmsKey } from '@cdktf/provider-aws/lib/kms-key';
import { Testing, TerraformVariable, Token } from 'cdktf';
import {
  AmiFamily,
  BottlerocketSettings,
  CapacityReservationPreference,
  InstanceStore,
  ManagedNodeGroup,
  NodeConfig,
  SelfManagedNodeGroup,
  WindowsBootstrap,
  WindowsIpam,
  WindowsNodeAccess,
  WindowsNodeGroup,
  type ClusterAttributes,
} from '../../../constructs/cdktf';
import { AMI, elsewhere, subnets } from './node-groups';
import { itPlans, planned } from './planned';
import { newCluster, newStack } from './stacks';

describe('Terraform', () => {
  itPlans('accepts the node groups, and makes the user data that was meant', () => {
    const stack = newStack();
    const known = (name: keyof ClusterAttributes): string =>
      new TerraformVariable(stack, name, { type: 'string', default: elsewhere[name] }).stringValue;
    const cluster = {
      clusterName: known('clusterName'),
      endpoint: known('endpoint'),
      certificateAuthority: known('certificateAuthority'),
      serviceCidr: known('serviceCidr'),
    };
    const pods = new TerraformVariable(stack, 'pods', { type: 'number', default: 17 }).numberValue;
    const kubelet = {
      labels: { tier: 'web' },
      taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' as const }],
      maxPods: pods,
    };
    const shellScripts = ['#!/bin/bash\necho "${HOME}" %{x} $${y} \\n \\"\n\tprintf "\\$5"\n'];
    const families = [
      {
        amiFamily: AmiFamily.AL2023,
        shellScripts,
        nodeConfig: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } }),
      },
      { amiFamily: AmiFamily.AL2, shellScripts },
      {
        amiFamily: AmiFamily.BOTTLEROCKET,
        bottlerocketSettings: new BottlerocketSettings({ sysctl: { 'vm.max_map_count': '262144' } }),
      },
      {
        amiFamily: AmiFamily.WINDOWS_CORE_2022,
        windowsBootstrap: new WindowsBootstrap({ scripts: ['Write-Host "${env:USERNAME} `"x`""'] }),
      },
    ];
    const elsewhereInVpc = {
      ...elsewhere,
      kubernetesVersion: '1.34',
      securityGroupId: 'sg-0123456789abcdef1',
      vpcId: 'vpc-0123456789abcdef0',
    };
    const expected = new Map<string, string>();
    families.forEach((options, index) => {
      const id = `Workers${index}`;
      const group = new ManagedNodeGroup(stack, id, { cluster, subnets, customAmi: AMI, ...kubelet, ...options });
      // The same group with the values themselves.
      const twin = new ManagedNodeGroup(newStack(), id, {
        cluster: elsewhere,
        subnets,
        customAmi: AMI,
        ...kubelet,
        maxPods: 17,
        ...options,
      });
      expected.set(`aws_launch_template.${group.launchTemplate.friendlyUniqueId}`, twin.userData ?? '');
    });
    new ManagedNodeGroup(stack, 'Default', {
      cluster: newCluster(stack, { accessConfig: { authenticationMode: 'API' } }),
      subnets,
      tags: { team: 'web' },
      diskSize: 50,
      maxUnavailablePercentage: 20,
    });
    new ManagedNodeGroup(stack, 'Ipv6', {
      cluster: newCluster(stack, { kubernetesNetworkConfig: { ipFamily: 'ipv6' } }, 'Other'),
      subnets,
      customAmi: AMI,
      desiredSize: 3,
      nodegroupName: 'web',
    });
    new WindowsNodeGroup(stack, 'Windows', {
      cluster,
      subnets,
      customAmi: AMI,
      windowsIpam: WindowsIpam.MANAGED_ELSEWHERE,
      nodeAccess: WindowsNodeAccess.ACCESS_ENTRY,
    });

    new ManagedNodeGroup(stack, 'Block', {
      cluster: newCluster(stack, { version: '1.32' }, 'Older'),
      subnets,
      instanceTypes: ['p5.48xlarge'],
      capacityType: 'CAPACITY_BLOCK',
      capacityReservation: { id: 'cr-0123456789abcdef0' },
      efa: {},
      placementGroup: 'close',
      instanceStore: InstanceStore.RAID0,
      nodeRepair: {},
      detailedMonitoring: true,
      remoteAccess: { keyName: 'operators', from: ['sg-0123456789abcdef0'] },
      volume: {
        size: 500,
        iops: 6000,
        throughput: 1000,
        kmsKey: new KmsKey(stack, 'NodeKey', {}),
      },
      additionalVolumes: [{ deviceName: '/dev/xvdc', size: 100 }],
      managedPolicies: [{ arn: 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore' }],
      permissionsBoundary: { arn: 'arn:aws:iam::111122223333:policy/boundary' },
      tags: { team: 'ml' },
    });
    const reserved = new ManagedNodeGroup(stack, 'Reserved', {
      cluster: newCluster(stack, {}, 'Newer'),
      subnets,
      securityGroups: ['sg-0123456789abcdef0'],
      capacityReservation: { preference: CapacityReservationPreference.RESERVATIONS_ONLY },
      minSize: 1,
    });

    new SelfManagedNodeGroup(stack, 'Own', { cluster: elsewhereInVpc, subnets, customAmi: AMI, accessEntry: true });
    new SelfManagedNodeGroup(stack, 'OwnSpot', {
      cluster: elsewhereInVpc,
      subnets,
      customAmi: AMI,
      accessEntry: false,
      amiFamily: AmiFamily.BOTTLEROCKET,
      instanceTypes: ['m5.large', 'm6i.large'],
      capacityType: 'SPOT',
      maxSize: 10,
      tags: { team: 'web' },
    });

    const list = new TerraformVariable(stack, 'list', { type: 'list(string)', default: subnets });
    const map = new TerraformVariable(stack, 'map', { type: 'map(string)', default: { team: 'web' } });
    const of = {
      cluster: elsewhere,
      subnets: list.listValue,
      labels: Token.asStringMap(map.value),
      tags: Token.asStringMap(map.value),
    };
    const tokens = new ManagedNodeGroup(stack, 'Tokens', {
      ...of,
      amiType: 'AL2023_ARM_64_STANDARD',
      minSize: pods,
      diskSize: pods,
      maxUnavailable: pods,
      maxSize: 40,
    });

    const configuration = JSON.parse(Testing.synth(stack, true)) as { terraform: Record<string, unknown> };
    configuration.terraform = { required_providers: { aws: { source: 'hashicorp/aws', version: '5.100.0' } } };
    const { resources, failures } = planned(JSON.stringify(configuration));
    const valuesOf = new Map(resources.map(({ address, values }) => [address, values]));
    for (const [address, userData] of expected) {
      expect(Buffer.from(String(valuesOf.get(address)?.['user_data']), 'base64').toString()).toBe(userData);
    }
    expect(valuesOf.get(`aws_eks_node_group.${tokens.nodegroup.friendlyUniqueId}`)).toMatchObject({
      subnet_ids: subnets,
      labels: { team: 'web' },
      tags: { team: 'web' },
      scaling_config: [{ min_size: 17, max_size: 40, desired_size: 17 }],
    });
    expect(valuesOf.get(`aws_launch_template.${reserved.launchTemplate.friendlyUniqueId}`)).toMatchObject({
      capacity_reservation_specification: [{ capacity_reservation_preference: 'capacity-reservations-only' }],
    });
    expect(failures().map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
  });
});
