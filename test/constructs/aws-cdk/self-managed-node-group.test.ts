import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import {
  AmiFamily,
  SelfManagedNodeGroup,
  VpcCniAddon,
  type SelfManagedNodeGroupProps,
} from '../../../constructs/aws-cdk';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import {
  customCluster,
  launchTemplateData,
  nativeCluster,
  newStack,
  policyNames,
  resourceOf,
  resourcesOf,
  textOf,
} from './clusters';
import { AMI, types } from './node-groups';

const SERVICE_CIDR = '10.100.0.0/16';
const network = { serviceIpv4Cidr: SERVICE_CIDR };

function make(options: Omit<SelfManagedNodeGroupProps, 'cluster'> = {}, version = '1.34') {
  const stack = newStack();
  const cluster = nativeCluster(stack, { ...network, version });
  return { stack, cluster, nodes: new SelfManagedNodeGroup(stack, 'Own', { cluster, ...options }) };
}

describe('nodes that EKS does not manage', () => {
  it('have the whole bootstrap, the cluster’s group, a profile of their role and an access entry that comes first', () => {
    const { stack } = make({ labels: { tier: 'web' }, minSize: 1, maxSize: 5 });
    const data = launchTemplateData(stack);
    expect(textOf(data['UserData'])).toContain('apiServerEndpoint');
    expect(textOf(data['UserData'])).toContain('--node-labels=tier=web');
    expect(data).toMatchObject({
      InstanceType: 'm5.large',
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
      IamInstanceProfile: { Arn: { 'Fn::GetAtt': [expect.stringMatching(/^OwnLaunchTemplateProfile/), 'Arn'] } },
      SecurityGroupIds: [{ 'Fn::GetAtt': [expect.stringMatching(/^Cluster/), 'ClusterSecurityGroupId'] }],
    });
    const group = resourceOf(stack, 'AWS::AutoScaling::AutoScalingGroup');
    expect(group.Properties).toMatchObject({ MinSize: '1', MaxSize: '5' });
    expect(JSON.stringify(group.Properties['Tags'])).toContain('kubernetes.io/cluster/');
    expect(group.DependsOn).toContainEqual(expect.stringMatching(/^OwnAccessEntry/));
    expect(resourceOf(stack, 'AWS::EKS::AccessEntry').Properties).toMatchObject({ Type: 'EC2_LINUX' });
    const role = resourcesOf(stack, 'AWS::IAM::Role').find((one) =>
      policyNames(one).includes('AmazonEKSWorkerNodePolicy'),
    );
    expect(role === undefined ? [] : policyNames(role)).toContain('AmazonEKS_CNI_Policy');
  });

  it.each<[string, Omit<SelfManagedNodeGroupProps, 'cluster'>, string]>([
    ['AL2023', {}, '/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/recommended/image_id'],
    ['Graviton', { instanceTypes: types('m7g.large') }, '/1.34/amazon-linux-2023/arm64/standard/'],
    ['GPUs', { instanceTypes: types('g6.xlarge') }, '/1.34/amazon-linux-2023/x86_64/nvidia/'],
    ['Trainium', { instanceTypes: types('trn1.2xlarge') }, '/1.34/amazon-linux-2023/x86_64/neuron/'],
    [
      'Bottlerocket',
      { amiFamily: AmiFamily.BOTTLEROCKET },
      '/aws/service/bottlerocket/aws-k8s-1.34/x86_64/latest/image_id',
    ],
    ['FIPS', { amiType: 'BOTTLEROCKET_ARM_64_FIPS' }, '/aws/service/bottlerocket/aws-k8s-1.34-fips/arm64/'],
  ])('take EKS’s own image of %s', (_, options, path) => {
    const { stack } = make(options);
    const parameters = Object.values(Template.fromStack(stack).findParameters('*')) as { Default?: string }[];
    expect(parameters.map((one) => one.Default ?? '').join(' ')).toContain(path);
  });

  it('come of several types or markets, or from a capacity block', () => {
    const policy = (options: Omit<SelfManagedNodeGroupProps, 'cluster'>) =>
      resourceOf(make(options).stack, 'AWS::AutoScaling::AutoScalingGroup').Properties;
    expect(policy({ instanceTypes: types('m5.large', 'm6i.large'), capacityType: 'SPOT' })).toMatchObject({
      CapacityRebalance: true,
      MixedInstancesPolicy: {
        InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 },
        LaunchTemplate: { Overrides: [{ InstanceType: 'm5.large' }, { InstanceType: 'm6i.large' }] },
      },
    });
    const { stack } = make({
      instanceTypes: types('p5.48xlarge'),
      capacityType: 'CAPACITY_BLOCK',
      capacityReservation: { id: 'cr-0123456789abcdef0' },
      efa: { interfaces: 2 },
    });
    const data = launchTemplateData(stack);
    expect(data).toMatchObject({
      InstanceType: 'p5.48xlarge',
      InstanceMarketOptions: { MarketType: 'capacity-block' },
    });
    // EKS makes the cluster's group let EFA through for managed nodes only.
    expect(JSON.stringify(data['NetworkInterfaces'])).toContain('OwnEfa');
  });

  it('are mapped in aws-auth where the cluster has no access entries', () => {
    const stack = newStack();
    const cluster = customCluster(stack, network);
    const nodes = new SelfManagedNodeGroup(stack, 'Own', { cluster });
    expect(nodes.accessEntry).toBeUndefined();
    expect(JSON.stringify(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource'))).toContain(
      'system:bootstrappers',
    );
    const api = newStack();
    const other = customCluster(api, { ...network, authenticationMode: eks.AuthenticationMode.API });
    expect(new SelfManagedNodeGroup(api, 'Own', { cluster: other }).accessEntry).toBeDefined();
  });

  it.each<[Omit<SelfManagedNodeGroupProps, 'cluster'>, string]>([
    [{ amiFamily: AmiFamily.WINDOWS_CORE_2022 }, 'use WindowsNodeGroup'],
    [{ amiFamily: AmiFamily.WINDOWS_CORE_2022, customAmi: AMI }, 'use WindowsNodeGroup'],
    [{ amiFamily: AmiFamily.AL2 }, 'AL2'],
    [{ diskSize: 10 }, "the root volume of EKS's AL2023 AMI has 20"],
    [{ capacityType: 'CAPACITY_BLOCK' }, 'without the capacity block'],
    [{ clusterSecurityGroup: false }, 'clusterSecurityGroup is false without securityGroups'],
  ])('are refused with %j', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });

  it('need the service range, which a message asks for without speaking of other options', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack, { version: '1.34' });
    expect(() => new SelfManagedNodeGroup(stack, 'A', { cluster })).toThrow(
      /A: EKS doesn't bootstrap nodes that it doesn't manage, so the bootstrap needs the cluster's service CIDR, .*serviceCidr/,
    );
    new SelfManagedNodeGroup(stack, 'B', { cluster, serviceCidr: SERVICE_CIDR });
    expect(() => new SelfManagedNodeGroup(stack, 'C', { cluster, customAmi: AMI })).toThrow('C: customAmi is set, so');
  });

  it('must be told the number of pods where nothing knows it, in their own words', () => {
    const { stack, cluster } = make({
      instanceTypes: [new ec2.InstanceType('z99.large')],
      architecture: ec2.InstanceArchitecture.X86_64,
    });
    new VpcCniAddon(stack, 'Cni', { cluster, prefixDelegation: {} });
    expect(() => Template.fromStack(stack)).toThrow(
      "EKS doesn't bootstrap nodes that it doesn't manage, and maxPods isn't set, and the vpc-cni add-on Test/Cni has prefixDelegation",
    );
  });

  it('pass every rule of this library, and the AwsSolutions pack of cdk-nag', () => {
    const { stack, cluster, nodes } = make({ amiFamily: AmiFamily.BOTTLEROCKET });
    new VpcCniAddon(stack, 'Cni', { cluster });
    new SelfManagedNodeGroup(stack, 'Al2023', { cluster, instanceTypes: types('m7g.large'), tags: { team: 'web' } });
    new SelfManagedNodeGroup(stack, 'Spot', {
      cluster,
      capacityType: 'SPOT',
      instanceTypes: types('m5.large', 'm6i.large'),
    });
    nodes.connections.allowFrom(ec2.Peer.ipv4('10.0.0.0/8'), ec2.Port.tcp(443));
    const { resources, diagnostics } = readTemplates([
      { file: 't.json', text: JSON.stringify(Template.fromStack(stack).toJSON()) },
    ]);
    expect(diagnostics).toEqual([]);
    const model = new EksModel(resources);
    expect(model.selfManagedNodeGroups).toHaveLength(3);
    const failed = runRules(model, allRules).filter(
      ({ verdict, severity, resource }) =>
        verdict === 'fail' && severity !== 'info' && resource.type !== 'AWS::EKS::Cluster',
    );
    expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    const { violations } = new AwsSolutionsChecks(stack.node.root).validateScope(stack);
    const own = violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => `${ruleName} ${constructPath}`),
    );
    expect(own.filter((one) => / Test\/(?:Own|Al2023|Spot)\//.test(one))).toEqual([]);
    expect(own).not.toEqual([]);
  });
});
