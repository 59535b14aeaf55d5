import { App, CfnParameter, Stack, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import {
  AmiFamily,
  CniPermissions,
  ConstructionError,
  ImdsAccess,
  ManagedNodeGroup,
  VpcCniAddon,
} from '../../../constructs/aws-cdk';
import {
  customCluster,
  importedCluster,
  importedVpc,
  launchTemplateData,
  nativeCluster,
  newStack,
  policyNames,
  resourceOf,
  resourcesOf,
  SERVICE_CIDR,
  type ClusterOptions,
} from './clusters';
import { AMI, al2Reason, launchTemplate, makeGroup, nodegroup, types, type Options } from './node-groups';

describe('defaults', () => {
  it('require IMDSv2, let pods through and say everything explicitly', () => {
    expect(launchTemplate().MetadataOptions).toEqual({
      HttpEndpoint: 'enabled',
      HttpTokens: 'required',
      HttpPutResponseHopLimit: 2,
      InstanceMetadataTags: 'disabled',
    });
  });

  it('explain the hop limit where a reader of the template looks', () => {
    expect(resourceOf(makeGroup().stack, 'AWS::EC2::LaunchTemplate').Metadata).toEqual({
      'eks-guardrails': { notes: { HttpPutResponseHopLimit: expect.stringContaining('Two hops') as string } },
    });
  });

  it('set no user data and no AMI, so that EKS does the bootstrap', () => {
    expect(Object.keys(launchTemplate()).sort()).toEqual([
      'BlockDeviceMappings',
      'MetadataOptions',
      'TagSpecifications',
    ]);
  });

  it('follow the latest version of the template, so that edits roll out', () => {
    const { stack } = makeGroup();
    const [id] = Object.keys(Template.fromStack(stack).findResources('AWS::EC2::LaunchTemplate'));
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties.LaunchTemplate).toEqual({
      Id: { Ref: id },
      Version: { 'Fn::GetAtt': [id, 'LatestVersionNumber'] },
    });
  });

  it('make an AL2023 group that respects disruption budgets', () => {
    expect(nodegroup()).toMatchObject({
      AmiType: 'AL2023_x86_64_STANDARD',
      InstanceTypes: ['m5.large'],
      ForceUpdateEnabled: false,
      UpdateConfig: { MaxUnavailable: 1 },
      ScalingConfig: { MinSize: 2, MaxSize: 2 },
    });
  });

  it('encrypt a gp3 root volume', () => {
    expect(launchTemplate().BlockDeviceMappings).toEqual([
      {
        DeviceName: '/dev/xvda',
        Ebs: { Encrypted: true, VolumeType: 'gp3', VolumeSize: 20, DeleteOnTermination: true },
      },
    ]);
  });

  it('expose what they make', () => {
    const { stack, group } = makeGroup();
    expect(stack.resolve(group.nodegroupArn)).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^Workers/) as string, 'Arn'],
    });
    expect(stack.resolve(group.nodegroupName)).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^Workers/) as string, 'NodegroupName'],
    });
    expect(stack.resolve(group.launchTemplate.launchTemplateId)).toEqual({
      Ref: expect.stringMatching(/^WorkersLaunchTemplate/) as string,
    });
    expect(group.role).toBeInstanceOf(iam.Role);
    expect(group.amiType).toBe('AL2023_x86_64_STANDARD');
    expect(group.userData).toBeUndefined();
  });
});

describe('AMI types', () => {
  it.each<[string, Options, string, string[]]>([
    [
      'arm64 instance types',
      { instanceTypes: types('m7g.large', 'c7g.large') },
      'AL2023_ARM_64_STANDARD',
      ['m7g.large', 'c7g.large'],
    ],
    [
      'arm64 without instance types',
      { architecture: ec2.InstanceArchitecture.ARM_64 },
      'AL2023_ARM_64_STANDARD',
      ['m6g.large'],
    ],
    [
      'GPU instance types',
      { instanceTypes: types('p5.48xlarge', 'g6.xlarge') },
      'AL2023_x86_64_NVIDIA',
      ['p5.48xlarge', 'g6.xlarge'],
    ],
    ['arm64 GPU instance types', { instanceTypes: types('g5g.xlarge') }, 'AL2023_ARM_64_NVIDIA', ['g5g.xlarge']],
    ['GPUs of AMD', { instanceTypes: types('g4ad.xlarge') }, 'AL2023_x86_64_STANDARD', ['g4ad.xlarge']],
    ['Inferentia', { instanceTypes: types('inf2.xlarge') }, 'AL2023_x86_64_NEURON', ['inf2.xlarge']],
    ['Bottlerocket', { amiFamily: AmiFamily.BOTTLEROCKET }, 'BOTTLEROCKET_x86_64', ['m5.large']],
    [
      'Bottlerocket on arm64 with GPU',
      { amiFamily: AmiFamily.BOTTLEROCKET, instanceTypes: types('g5g.xlarge') },
      'BOTTLEROCKET_ARM_64_NVIDIA',
      ['g5g.xlarge'],
    ],
    ['a Windows edition', { amiFamily: AmiFamily.WINDOWS_FULL_2022 }, 'WINDOWS_FULL_2022_x86_64', ['m5.large']],
    ['an exact AMI type', { amiType: 'BOTTLEROCKET_ARM_64_FIPS' }, 'BOTTLEROCKET_ARM_64_FIPS', ['m6g.large']],
    [
      'an AMI type of CDK',
      { amiType: eks.NodegroupAmiType.AL2023_X86_64_NVIDIA, amiFamily: AmiFamily.AL2023 },
      'AL2023_x86_64_NVIDIA',
      ['m5.large'],
    ],
    [
      'an unknown instance type with architecture',
      { instanceTypes: types('z99.large'), architecture: ec2.InstanceArchitecture.ARM_64 },
      'AL2023_ARM_64_STANDARD',
      ['z99.large'],
    ],
    [
      'an unknown instance type beside a known one',
      { instanceTypes: types('z99.large', 'm5.large') },
      'AL2023_x86_64_STANDARD',
      ['z99.large', 'm5.large'],
    ],
    ['no instance types in the list', { instanceTypes: [] }, 'AL2023_x86_64_STANDARD', ['m5.large']],
  ])('are chosen for %s', (_, options, amiType, instanceTypes) => {
    expect(nodegroup(options)).toMatchObject({ AmiType: amiType, InstanceTypes: instanceTypes });
  });

  it('include AL2 up to Kubernetes 1.32', () => {
    expect(nodegroup({ amiFamily: AmiFamily.AL2, al2Reason }, { version: '1.32' }).AmiType).toBe('AL2_x86_64');
    expect(
      nodegroup({ amiFamily: AmiFamily.AL2, al2Reason, instanceTypes: types('g5.xlarge') }, { version: '1.32' })
        .AmiType,
    ).toBe('AL2_x86_64_GPU');
  });

  it('may come from an instance type that is a parameter', () => {
    const stack = newStack();
    const parameter = new CfnParameter(stack, 'Type');
    const cluster = nativeCluster(stack);
    const instanceTypes = types(parameter.valueAsString);
    new ManagedNodeGroup(stack, 'Workers', { cluster, instanceTypes, amiType: 'AL2023_ARM_64_STANDARD' });
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties).toMatchObject({
      AmiType: 'AL2023_ARM_64_STANDARD',
      InstanceTypes: [{ Ref: 'Type' }],
    });
  });

  it.each<[string, Options, ClusterOptions, string]>([
    [
      'two architectures',
      { instanceTypes: types('m5.large', 'm7g.large') },
      {},
      'instanceTypes has two CPU architectures: m5.large (x86_64), m7g.large (arm64)',
    ],
    [
      'an unknown instance type',
      { instanceTypes: types('z99.large') },
      {},
      'instanceTypes has "z99.large", which the instance type table doesn\'t have',
    ],
    [
      'an instance type that is a token',
      { instanceTypes: types(Token.asString({ Ref: 'X' })) },
      {},
      'instanceTypes has a token',
    ],
    [
      'an architecture of other instance types',
      { instanceTypes: types('m5.large'), architecture: ec2.InstanceArchitecture.ARM_64 },
      {},
      'instanceTypes has m5.large, which is x86_64, but architecture is arm64',
    ],
    [
      'an AMI type of another architecture',
      { instanceTypes: types('t4g.medium'), amiType: 'AL2023_x86_64_STANDARD' },
      {},
      'instanceTypes has t4g.medium, which is arm64, but amiType is "AL2023_x86_64_STANDARD" for x86_64',
    ],
    [
      'architecture against AMI type',
      { architecture: ec2.InstanceArchitecture.ARM_64, amiType: 'AL2023_x86_64_STANDARD' },
      {},
      'architecture is arm64 and amiType is "AL2023_x86_64_STANDARD", which is x86_64',
    ],
    [
      'family against AMI type',
      { amiFamily: AmiFamily.BOTTLEROCKET, amiType: 'AL2023_x86_64_STANDARD' },
      {},
      'amiType is "AL2023_x86_64_STANDARD" and amiFamily is BOTTLEROCKET',
    ],
    [
      'AL2 against an AL2023 type',
      { amiFamily: AmiFamily.AL2, amiType: 'AL2023_x86_64_STANDARD' },
      { version: '1.32' },
      'amiFamily is AL2',
    ],
    [
      "an AMI type that EKS doesn't have",
      { amiType: 'AL2023_X86_64' },
      {},
      'amiType is "AL2023_X86_64"; EKS has AL2_x86_64',
    ],
    ['CUSTOM', { amiType: 'CUSTOM' }, {}, 'use customAmi'],
    [
      'two kinds of accelerators',
      { instanceTypes: types('g6.xlarge', 'm5.large') },
      {},
      'instanceTypes mixes accelerators (g6.xlarge, m5.large)',
    ],
    [
      'Neuron on arm64 AL2',
      { amiFamily: AmiFamily.AL2, instanceTypes: types('g5g.xlarge') },
      { version: '1.32' },
      'for which EKS has no arm64 AMI with nvidia drivers',
    ],
    [
      'AL2 on 1.33',
      { amiFamily: AmiFamily.AL2 },
      { version: '1.33' },
      'amiType is "AL2_x86_64" and the cluster has Kubernetes 1.33; EKS has that AMI type up to 1.32',
    ],
    [
      "a version that isn't the cluster's",
      { kubernetesVersion: '1.35' },
      { version: '1.32' },
      'kubernetesVersion is "1.35" and the cluster has 1.32',
    ],
    [
      'a version that is none',
      { kubernetesVersion: 'v1.35' },
      {},
      'kubernetesVersion is "v1.35"; a version looks like 1.34',
    ],
    [
      'Windows on IPv6',
      { amiFamily: AmiFamily.WINDOWS_CORE_2022 },
      { ipFamily: 'ipv6' },
      "amiFamily is Windows and the cluster's IP family is ipv6",
    ],
    [
      'Windows on arm64',
      { amiFamily: AmiFamily.WINDOWS_CORE_2022, instanceTypes: types('m7g.large') },
      {},
      'EKS has Windows AMIs for x86_64 only',
    ],
    [
      'Windows on M6a',
      { amiFamily: AmiFamily.WINDOWS_CORE_2022, instanceTypes: types('m6a.large') },
      {},
      'instanceTypes has m6a.large',
    ],
    [
      'a custom AMI with AMI type',
      { customAmi: AMI, amiType: 'AL2023_x86_64_STANDARD' },
      { serviceIpv4Cidr: SERVICE_CIDR },
      'amiType is "AL2023_x86_64_STANDARD" and customAmi is set',
    ],
  ])('are refused for %s', (_, options, cluster, message) => {
    expect(() => makeGroup(options, cluster)).toThrow(ConstructionError);
    expect(() => makeGroup(options, cluster)).toThrow(message);
  });

  it('of AL2 are refused for an imported cluster of unknown version, and taken when the version is given', () => {
    const stack = newStack();
    const cluster = importedCluster(stack, 'aws-eks-v2', { vpc: importedVpc(stack) });
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster, amiFamily: AmiFamily.AL2 })).toThrow(
      'set kubernetesVersion',
    );
    expect(
      () =>
        new ManagedNodeGroup(stack, 'C', { cluster, amiFamily: AmiFamily.AL2, al2Reason, kubernetesVersion: '1.35' }),
    ).toThrow('EKS has that AMI type up to 1.32');
    expect(
      () =>
        new ManagedNodeGroup(stack, 'D', {
          cluster,
          amiFamily: AmiFamily.AL2,
          al2Reason,
          kubernetesVersion: Token.asString({ Ref: 'X' }),
        }),
    ).toThrow('set kubernetesVersion');
    expect(
      new ManagedNodeGroup(stack, 'B', { cluster, amiFamily: AmiFamily.AL2, al2Reason, kubernetesVersion: '1.32' })
        .amiType,
    ).toBe('AL2_x86_64');
  });
});

describe('volumes', () => {
  it('of Bottlerocket: the data volume has the size, the system volume stays as it is', () => {
    const common = { Encrypted: true, VolumeType: 'gp3', DeleteOnTermination: true };
    expect(launchTemplate({ amiFamily: AmiFamily.BOTTLEROCKET, diskSize: 100 }).BlockDeviceMappings).toEqual([
      { DeviceName: '/dev/xvda', Ebs: common },
      { DeviceName: '/dev/xvdb', Ebs: { ...common, VolumeSize: 100 } },
    ]);
  });

  it('of Windows are larger and on another device', () => {
    expect(launchTemplate({ amiFamily: AmiFamily.WINDOWS_CORE_2022 }).BlockDeviceMappings).toMatchObject([
      { DeviceName: '/dev/sda1', Ebs: { VolumeSize: 50, Encrypted: true } },
    ]);
  });

  it('of a fraction of a GiB are refused', () => {
    expect(() => makeGroup({ diskSize: 0.5 })).toThrow('Test/Workers: diskSize is 0.5');
  });
});

describe('imds', () => {
  const reason = 'all pods have roles, region and VPC id of their own';

  it('NODE_ONLY sets one hop and gives the reason in the template and to CDK', () => {
    const { stack, group } = makeGroup({ imds: ImdsAccess.NODE_ONLY, imdsReason: reason });
    expect(launchTemplateData(stack).MetadataOptions).toMatchObject({
      HttpPutResponseHopLimit: 1,
      HttpTokens: 'required',
    });
    expect(resourceOf(stack, 'AWS::EC2::LaunchTemplate').Metadata).toEqual({
      'eks-guardrails': { suppress: [{ rule: 'imds-hop-limit', reason }] },
    });
    const acknowledged = group.launchTemplate.node.metadata
      .filter((entry) => entry.type === 'aws:cdk:acknowledged-rules')
      .map((entry) => entry.data as unknown);
    expect(acknowledged).toEqual([{ 'EksGuardrails::imds-hop-limit': reason }]);
  });

  it.each<[Options, string]>([
    [{ imds: ImdsAccess.NODE_ONLY }, 'imds is NODE_ONLY without imdsReason'],
    [{ imds: ImdsAccess.NODE_ONLY, imdsReason: '  ' }, 'imds is NODE_ONLY without imdsReason'],
    [{ imds: ImdsAccess.PODS, imdsReason: reason }, "imdsReason is set, but imds isn't NODE_ONLY"],
    [{ forceUpdate: true }, 'forceUpdate is true without forceUpdateReason'],
    [{ forceUpdateReason: reason }, "forceUpdateReason is set, but forceUpdate isn't true"],
    [{ al2Reason: reason }, "al2Reason is set, but amiFamily isn't AL2"],
  ])('%j is refused', (options, message) => {
    expect(() => makeGroup(options)).toThrow(message);
  });
});

describe('deviations with a reason', () => {
  it('stand on the node group', () => {
    const { stack } = makeGroup(
      { amiFamily: AmiFamily.AL2, al2Reason, forceUpdate: true, forceUpdateReason: 'batch jobs' },
      { version: '1.32' },
    );
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Metadata).toEqual({
      'eks-guardrails': {
        suppress: [
          { rule: 'ami-type-kubernetes-version', reason: al2Reason },
          { rule: 'node-group-force-update', reason: 'batch jobs' },
        ],
      },
    });
    expect(() => makeGroup({ amiFamily: AmiFamily.AL2 }, { version: '1.32' })).toThrow(
      'amiFamily is AL2 without al2Reason',
    );
  });
});

describe('sizes, updates, labels, taints, tags', () => {
  it('are rendered', () => {
    const rendered = nodegroup({
      nodegroupName: 'web',
      minSize: 0,
      desiredSize: 3,
      maxSize: 9,
      maxUnavailablePercentage: 33,
      forceUpdate: true,
      forceUpdateReason: 'batch jobs',
      releaseVersion: '1.34.1-20251007',
      capacityType: eks.CapacityType.SPOT,
      labels: { tier: 'web' },
      taints: [{ key: 'a', value: 'b', effect: eks.TaintEffect.NO_SCHEDULE }],
      tags: { team: 'web' },
    });
    expect(rendered).toMatchObject({
      NodegroupName: 'web',
      ScalingConfig: { MinSize: 0, DesiredSize: 3, MaxSize: 9 },
      UpdateConfig: { MaxUnavailablePercentage: 33 },
      ForceUpdateEnabled: true,
      ReleaseVersion: '1.34.1-20251007',
      CapacityType: 'SPOT',
      Labels: { tier: 'web' },
      Taints: [{ Key: 'a', Value: 'b', Effect: 'NO_SCHEDULE' }],
      Tags: { team: 'web' },
    });
  });

  it('put tags on instances and volumes too', () => {
    const { TagSpecifications } = launchTemplate({ tags: { team: 'web' } }) as {
      TagSpecifications: { ResourceType: string; Tags: unknown[] }[];
    };
    expect(TagSpecifications.map((specification) => specification.ResourceType)).toEqual(['instance', 'volume']);
    for (const specification of TagSpecifications)
      expect(specification.Tags).toContainEqual({ Key: 'team', Value: 'web' });
  });

  it('take the largest of the sizes when there is no maximum, and at least one node', () => {
    expect(nodegroup({ minSize: 0 }).ScalingConfig).toEqual({ MinSize: 0, MaxSize: 1 });
    expect(nodegroup({ desiredSize: 5 }).ScalingConfig).toEqual({ MinSize: 2, DesiredSize: 5, MaxSize: 5 });
  });

  it.each<[Options, string]>([
    [{ minSize: -1 }, 'minSize is -1'],
    [{ minSize: 3, maxSize: 2 }, 'maxSize is 2'],
    [{ maxSize: 0, minSize: 0 }, 'maxSize is 0'],
    [{ minSize: 2, desiredSize: 1 }, 'desiredSize is 1; minSize is 2'],
    [{ desiredSize: 5, maxSize: 4 }, 'maxSize is 4; desiredSize is 5'],
    [{ minSize: 1.5 }, 'minSize is 1.5'],
    [{ maxUnavailable: 1, maxUnavailablePercentage: 10 }, 'EKS takes one of them'],
    [{ maxUnavailable: 0 }, 'maxUnavailable is 0; a whole number from 1 to 100'],
    [{ maxUnavailablePercentage: 101 }, 'maxUnavailablePercentage is 101'],
    [{ maxUnavailable: 5, maxSize: 4 }, 'maxUnavailable is 5 and maxSize is 4'],
    [{ capacityType: eksv2.CapacityType.CAPACITY_BLOCK }, 'capacityType is CAPACITY_BLOCK'],
    [
      { labels: { 'node-role.kubernetes.io/worker': '' } },
      'labels has "node-role.kubernetes.io/worker", which kubelet refuses to start with',
    ],
    [{ labels: { 'eks.amazonaws.com/nodegroup': 'x' } }, 'whose prefix EKS keeps'],
  ])('%j is refused', (options, message) => {
    expect(() => makeGroup(options)).toThrow(message);
  });
});

describe('subnets', () => {
  it('are the private ones by default', () => {
    expect((nodegroup().Subnets as { Ref: string }[]).map((subnet) => subnet.Ref)).toEqual([
      expect.stringContaining('PrivateSubnet1'),
      expect.stringContaining('PrivateSubnet2'),
    ]);
  });

  it('are selected', () => {
    expect(
      (nodegroup({ subnets: { subnetType: ec2.SubnetType.PUBLIC } }).Subnets as { Ref: string }[])[0]?.Ref,
    ).toContain('PublicSubnet1');
  });

  it('of an imported cluster without VPC must be listed', () => {
    const stack = newStack();
    const cluster = importedCluster(stack, 'aws-eks');
    expect(() => new ManagedNodeGroup(stack, 'A', { cluster })).toThrow('the imported cluster has no vpc');
    const subnets = [ec2.Subnet.fromSubnetId(stack, 'Subnet', 'subnet-0123456789abcdef0')];
    new ManagedNodeGroup(stack, 'B', { cluster, subnets: { subnets } });
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').Properties.Subnets).toEqual(['subnet-0123456789abcdef0']);
  });
});

describe('node role', () => {
  const roleOfNodes = (stack: Stack) =>
    resourcesOf(stack, 'AWS::IAM::Role').find((role) => String(role.Properties.Description).startsWith('Nodes of'));
  const policies = (stack: Stack): string[] => {
    const role = roleOfNodes(stack);
    return role === undefined ? [] : policyNames(role);
  };
  const base = ['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly'];

  it("has the CNI's permissions when nothing else has them", () => {
    expect(policies(makeGroup().stack)).toEqual([...base, 'AmazonEKS_CNI_Policy']);
  });

  it('has the IPv6 permissions, which no AWS policy grants, in an IPv6 cluster', () => {
    const { stack } = makeGroup({}, { ipFamily: 'ipv6' });
    expect(policies(stack)).toEqual([...base, expect.stringContaining('WorkersCniPolicy')]);
    expect(JSON.stringify(resourceOf(stack, 'AWS::IAM::ManagedPolicy').Properties)).toContain(
      'ec2:AssignIpv6Addresses',
    );
  });

  it.each(['before', 'after'])('has none when a VpcCniAddon that is defined %s the group has its own role', (order) => {
    const stack = newStack();
    const cluster = nativeCluster(stack, { ipFamily: 'ipv6' });
    if (order === 'before') new VpcCniAddon(stack, 'Cni', { cluster });
    new ManagedNodeGroup(stack, 'Workers', { cluster });
    if (order === 'after') new VpcCniAddon(stack, 'Cni', { cluster });
    expect(policies(stack)).toEqual(base);
    expect(resourcesOf(stack, 'AWS::IAM::ManagedPolicy')).toHaveLength(1);
    const addon = Object.keys(
      Template.fromStack(stack).findResources('AWS::EKS::Addon', { Properties: { AddonName: 'vpc-cni' } }),
    );
    expect(resourceOf(stack, 'AWS::EKS::Nodegroup').DependsOn).toEqual(expect.arrayContaining(addon));
  });

  it('keeps them when the add-on is in another stack, which may be deployed later', () => {
    const app = new App();
    const stack = new Stack(app, 'Cluster');
    const cluster = nativeCluster(stack);
    new ManagedNodeGroup(stack, 'Workers', { cluster });
    new VpcCniAddon(new Stack(app, 'Addons'), 'Cni', { cluster });
    expect(policies(stack)).toEqual([...base, 'AmazonEKS_CNI_Policy']);
  });

  it('keeps them when the add-on uses the node role', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    new VpcCniAddon(stack, 'Cni', { cluster, useNodeRole: true });
    new ManagedNodeGroup(stack, 'Workers', { cluster });
    expect(policies(stack)).toEqual([...base, 'AmazonEKS_CNI_Policy']);
  });

  it('follows the user', () => {
    expect(policies(makeGroup({ cniPermissions: CniPermissions.OWN_ROLE }).stack)).toEqual(base);
    expect(policies(makeGroup({ cniPermissions: CniPermissions.NODE_ROLE }).stack)).toEqual([
      ...base,
      'AmazonEKS_CNI_Policy',
    ]);
  });

  it('fails synthesis when the user says that the CNI has its own role and the add-on has none', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    new VpcCniAddon(stack, 'Cni', { cluster, useNodeRole: true });
    new ManagedNodeGroup(stack, 'Workers', { cluster, cniPermissions: CniPermissions.OWN_ROLE });
    expect(() => Template.fromStack(stack)).toThrow('nodes would never become Ready');
  });

  it("can be the user's, and then stays as it is", () => {
    const stack = newStack();
    const role = new iam.Role(stack, 'Own', { assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com') });
    const cluster = nativeCluster(stack);
    const group = new ManagedNodeGroup(stack, 'Workers', { cluster, role });
    expect(group.role).toBe(role);
    expect(roleOfNodes(stack)).toBeUndefined();
    expect(JSON.stringify(resourcesOf(stack, 'AWS::IAM::Role'))).not.toContain('AmazonEKSWorkerNodePolicy');
  });

  it("of the user's doesn't go with NODE_ROLE", () => {
    const stack = newStack();
    const role = iam.Role.fromRoleArn(stack, 'Own', 'arn:aws:iam::123456789012:role/nodes');
    expect(
      () =>
        new ManagedNodeGroup(stack, 'Workers', {
          cluster: nativeCluster(stack),
          role,
          cniPermissions: CniPermissions.NODE_ROLE,
        }),
    ).toThrow('cniPermissions is NODE_ROLE and role is set');
  });
});

describe('aws-eks clusters', () => {
  const authMap = (stack: Stack): string =>
    JSON.stringify(
      resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource').map((resource) => resource.Properties.Manifest),
    );

  it('map the node role in aws-auth, which CDK would otherwise overwrite without it', () => {
    const stack = newStack();
    new ManagedNodeGroup(stack, 'Workers', { cluster: customCluster(stack) });
    expect(authMap(stack)).toContain('system:node:{{EC2PrivateDNSName}}');
    expect(authMap(stack)).not.toContain('eks:kube-proxy-windows');
  });

  it('map Windows nodes to the group of kube-proxy', () => {
    const stack = newStack();
    new ManagedNodeGroup(stack, 'Workers', { cluster: customCluster(stack), amiFamily: AmiFamily.WINDOWS_CORE_2022 });
    expect(authMap(stack)).toContain('eks:kube-proxy-windows');
  });

  it('have no aws-auth in API mode', () => {
    const stack = newStack();
    new ManagedNodeGroup(stack, 'Workers', {
      cluster: customCluster(stack, { authenticationMode: eks.AuthenticationMode.API }),
    });
    expect(authMap(stack)).toBe('[]');
  });
});

it('adds no warnings', () => {
  const { stack } = makeGroup({ amiFamily: AmiFamily.BOTTLEROCKET, imds: ImdsAccess.NODE_ONLY, imdsReason: 'x' });
  Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
  Annotations.fromStack(stack).hasNoError('*', Match.anyValue());
});
