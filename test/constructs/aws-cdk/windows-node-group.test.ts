import { App, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Template } from 'aws-cdk-lib/assertions';
import {
  AmiFamily,
  ConstructionError,
  ManagedNodeGroup,
  PodIdentityAgent,
  VpcCniAddon,
  WindowsBootstrap,
  WindowsIpam,
  WindowsNodeAccess,
  WindowsNodeGroup,
  type ICluster,
  type WindowsNodeGroupProps,
} from '../../../constructs/aws-cdk';
import { bootstrapOf, readBoot, reported } from './boots';
import {
  customCluster,
  importedCluster,
  importedVpc,
  nativeCluster,
  newStack,
  policyNames,
  resourceOf,
  resourcesOf,
  SERVICE_CIDR,
  type ClusterOptions,
  type TemplateResource,
} from './clusters';
import { AMI } from './node-groups';

type Options = Omit<WindowsNodeGroupProps, 'cluster'>;

/** A cluster with Linux and Windows nodes. */
function make(
  options: Options = {},
  cluster: ClusterOptions = { kubectl: true },
): { stack: Stack; cluster: eksv2.Cluster; group: WindowsNodeGroup } {
  const stack = newStack('eu-west-1');
  const made = nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR, ...cluster });
  new ManagedNodeGroup(stack, 'Linux', { cluster: made });
  return { stack, cluster: made, group: new WindowsNodeGroup(stack, 'Workers', { cluster: made, ...options }) };
}

const manifests = (stack: Stack): unknown[] =>
  resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource').map((resource) => resource.Properties.Manifest);
const windowsGroup = (stack: Stack): TemplateResource | undefined =>
  resourcesOf(stack, 'AWS::EKS::Nodegroup').find(
    (resource) => resource.Properties.AmiType !== 'AL2023_x86_64_STANDARD',
  );
const idsOf = (stack: Stack, type: string): string[] => Object.keys(Template.fromStack(stack).findResources(type));
const clusterRole = (stack: Stack): TemplateResource | undefined =>
  resourcesOf(stack, 'AWS::IAM::Role').find((role) =>
    JSON.stringify(role.Properties.AssumeRolePolicyDocument).includes('eks.amazonaws.com'),
  );
const CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'amazon-vpc-cni', namespace: 'kube-system' },
  data: { 'enable-windows-ipam': 'true' },
};

describe('WindowsNodeGroup', () => {
  it('is a Windows node group with a role of its own', () => {
    const { stack, group } = make();
    expect(group.amiType).toBe('WINDOWS_CORE_2022_x86_64');
    expect(windowsGroup(stack)?.Properties.AmiType).toBe('WINDOWS_CORE_2022_x86_64');
    expect(
      new Set(resourcesOf(stack, 'AWS::EKS::Nodegroup').map((resource) => JSON.stringify(resource.Properties.NodeRole)))
        .size,
    ).toBe(2);
    expect(group.accessEntry).toBeUndefined();
    expect(reported(stack)).toEqual([]);
  });

  it('takes an edition', () => {
    expect(make({ amiFamily: AmiFamily.WINDOWS_FULL_2019 }).group.amiType).toBe('WINDOWS_FULL_2019_x86_64');
    expect(make({ amiType: 'WINDOWS_FULL_2022_x86_64' }).group.amiType).toBe('WINDOWS_FULL_2022_x86_64');
  });

  it('lets the control plane give addresses, once', () => {
    const { stack, cluster } = make();
    new WindowsNodeGroup(stack, 'More', { cluster });
    new VpcCniAddon(stack, 'Cni', { cluster, windowsIpam: true, podSecurityGroups: {} });
    const role = clusterRole(stack);
    expect(role === undefined ? [] : policyNames(role)).toEqual([
      'AmazonEKSClusterPolicy',
      'AmazonEKSVPCResourceController',
    ]);
  });
});

describe('addresses of Windows pods', () => {
  it.each<[string, (stack: Stack) => ICluster]>([
    ['aws-eks-v2', (stack) => nativeCluster(stack, { kubectl: true })],
    ['aws-eks', (stack) => customCluster(stack)],
  ])('are switched on by ConfigMap on a cluster of %s without add-on, once and before the nodes', (_, makeCluster) => {
    const stack = newStack('eu-west-1');
    const cluster = makeCluster(stack);
    new ManagedNodeGroup(stack, 'Linux', { cluster });
    new WindowsNodeGroup(stack, 'Workers', { cluster });
    new WindowsNodeGroup(stack, 'More', { cluster });
    const ours = resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource').filter((resource) =>
      String(resource.Properties.Manifest).includes('amazon-vpc-cni'),
    );
    expect(ours).toHaveLength(1);
    expect(JSON.parse(String(ours[0]?.Properties.Manifest))).toEqual([CONFIG_MAP]);
    expect(ours[0]?.Properties.Overwrite).toBe(true);
    expect(ours[0]).toMatchObject({ DeletionPolicy: 'Retain' });
    const [id] = Object.entries(Template.fromStack(stack).findResources('Custom::AWSCDK-EKS-KubernetesResource'))
      .filter(([, resource]) => resource === ours[0] || JSON.stringify(resource).includes('amazon-vpc-cni'))
      .map(([key]) => key);
    const windows = resourcesOf(stack, 'AWS::EKS::Nodegroup').filter(
      (resource) => resource.Properties.AmiType === 'WINDOWS_CORE_2022_x86_64',
    );
    expect(windows.map((resource) => resource.DependsOn)).toEqual([
      expect.arrayContaining([id]) as unknown,
      expect.arrayContaining([id]) as unknown,
    ]);
  });

  it.each(['before', 'after'])('are the business of a VpcCniAddon that is defined %s the group', (order) => {
    const stack = newStack('eu-west-1');
    const cluster = nativeCluster(stack, { kubectl: true });
    new ManagedNodeGroup(stack, 'Linux', { cluster });
    if (order === 'before') new VpcCniAddon(stack, 'Cni', { cluster, windowsIpam: true });
    new WindowsNodeGroup(stack, 'Workers', { cluster });
    if (order === 'after') new VpcCniAddon(stack, 'Cni', { cluster, windowsIpam: true });
    expect(manifests(stack)).toEqual([]);
    expect(windowsGroup(stack)?.DependsOn).toEqual(
      expect.arrayContaining(idsOf(stack, 'AWS::EKS::Addon').filter((id) => id.startsWith('Cni'))),
    );
    expect(reported(stack)).toEqual([]);
  });

  it("may be switched on among the add-on's configuration values", () => {
    const { stack, cluster } = make();
    new VpcCniAddon(stack, 'Cni', { cluster, configurationValues: { enableWindowsIpam: 'true' } });
    expect(() => Template.fromStack(stack)).not.toThrow();
    const role = clusterRole(stack);
    expect(role === undefined ? [] : policyNames(role)).toContain('AmazonEKSVPCResourceController');
  });

  it.each<[string, Options, ClusterOptions, ((stack: Stack, cluster: ICluster) => void) | undefined, string]>([
    [
      "an add-on that doesn't",
      {},
      { kubectl: true },
      (stack, cluster) => new VpcCniAddon(stack, 'Cni', { cluster }),
      "the vpc-cni add-on Test/Cni doesn't manage the addresses of Windows nodes, whose pods would get none; set windowsIpam on it",
    ],
    [
      "an add-on that doesn't, whatever the user says",
      { windowsIpam: WindowsIpam.MANAGED_ELSEWHERE },
      {},
      (stack, cluster) => new VpcCniAddon(stack, 'Cni', { cluster }),
      'set windowsIpam on it',
    ],
    [
      'nothing that could',
      {},
      {},
      undefined,
      'define a VpcCniAddon with windowsIpam for the cluster, give the cluster a kubectl provider, or say WindowsIpam.MANAGED_ELSEWHERE',
    ],
  ])('are missing with %s', (_, options, clusterOptions, add, message) => {
    const { stack, cluster } = make(options, clusterOptions);
    add?.(stack, cluster);
    expect(() => Template.fromStack(stack)).toThrow(message);
  });

  it.each<[string, (stack: Stack, layer: lambda.ILayerVersion) => ICluster]>([
    [
      'aws-eks',
      (stack, kubectlLayer) =>
        eks.Cluster.fromClusterAttributes(stack, 'Cluster', {
          clusterName: 'production',
          vpc: importedVpc(stack),
          kubectlRoleArn: 'arn:aws:iam::123456789012:role/kubectl',
          kubectlLayer,
        }),
    ],
    [
      'aws-eks-v2',
      (stack) => {
        const role = iam.Role.fromRoleArn(stack, 'Kubectl', 'arn:aws:iam::123456789012:role/kubectl');
        const kubectlProvider = eksv2.KubectlProvider.fromKubectlProviderAttributes(stack, 'Provider', {
          role,
          serviceToken: 'arn:aws:lambda:eu-west-1:123456789012:function:kubectl',
        });
        return eksv2.Cluster.fromClusterAttributes(stack, 'Cluster', {
          clusterName: 'production',
          vpc: importedVpc(stack),
          kubectlProvider,
        });
      },
    ],
  ])('are switched on by ConfigMap on an imported cluster of %s that has kubectl', (_, makeCluster) => {
    const stack = newStack('eu-west-1');
    const layer = lambda.LayerVersion.fromLayerVersionArn(
      stack,
      'Layer',
      'arn:aws:lambda:eu-west-1:123456789012:layer:kubectl:1',
    );
    new WindowsNodeGroup(stack, 'Workers', { cluster: makeCluster(stack, layer) });
    expect(manifests(stack).map((manifest) => JSON.parse(String(manifest)) as unknown)).toEqual([[CONFIG_MAP]]);
  });

  it('can be switched on elsewhere', () => {
    const { stack } = make({ windowsIpam: WindowsIpam.MANAGED_ELSEWHERE }, {});
    expect(manifests(stack)).toEqual([]);
  });
});

describe('access of Windows nodes', () => {
  it.each<[string, (stack: Stack) => ICluster, boolean]>([
    ['access entries', (stack) => nativeCluster(stack, { kubectl: true, serviceIpv4Cidr: SERVICE_CIDR }), true],
    [
      'access entries of aws-eks',
      (stack) =>
        customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR, authenticationMode: eks.AuthenticationMode.API }),
      true,
    ],
    [
      'both',
      (stack) =>
        customCluster(stack, {
          serviceIpv4Cidr: SERVICE_CIDR,
          authenticationMode: eks.AuthenticationMode.API_AND_CONFIG_MAP,
        }),
      true,
    ],
    ['aws-auth', (stack) => customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR }), false],
  ])('with an own AMI, on a cluster with %s', (_, makeCluster, hasEntry) => {
    const stack = newStack('eu-west-1');
    const cluster = makeCluster(stack);
    new ManagedNodeGroup(stack, 'Linux', { cluster });
    const group = new WindowsNodeGroup(stack, 'Workers', { cluster, customAmi: AMI });
    const entries = resourcesOf(stack, 'AWS::EKS::AccessEntry').filter(
      (entry) => entry.Properties.Type === 'EC2_WINDOWS',
    );
    const mapped = JSON.stringify(manifests(stack)).includes('eks:kube-proxy-windows');
    expect(group.accessEntry !== undefined).toBe(hasEntry);
    expect(entries).toHaveLength(hasEntry ? 1 : 0);
    expect(mapped).toBe(JSON.stringify(manifests(stack)).includes('system:node:{{EC2PrivateDNSName}}'));
    expect(mapped || hasEntry).toBe(true);
    if (hasEntry) expect(JSON.stringify(windowsGroup(stack)?.DependsOn)).toContain('WorkersAccessEntry');
  });

  it('come once for groups that share a role', () => {
    const { stack, cluster, group } = make({ customAmi: AMI });
    const second = new WindowsNodeGroup(stack, 'More', { cluster, customAmi: AMI, role: group.role });
    expect(second.accessEntry).toBeUndefined();
    expect(
      resourcesOf(stack, 'AWS::EKS::AccessEntry').filter((entry) => entry.Properties.Type === 'EC2_WINDOWS'),
    ).toHaveLength(1);
  });

  it('can be given elsewhere', () => {
    expect(make({ customAmi: AMI, nodeAccess: WindowsNodeAccess.MANAGED_ELSEWHERE }).group.accessEntry).toBeUndefined();
  });

  it("are EKS's business with its own AMIs", () => {
    expect(() => make({ nodeAccess: WindowsNodeAccess.ACCESS_ENTRY })).toThrow(
      'nodeAccess is ACCESS_ENTRY without customAmi',
    );
  });

  it("can't be an entry where the cluster has none", () => {
    const stack = newStack('eu-west-1');
    const cluster = customCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR });
    expect(
      () =>
        new WindowsNodeGroup(stack, 'Workers', { cluster, customAmi: AMI, nodeAccess: WindowsNodeAccess.ACCESS_ENTRY }),
    ).toThrow('authentication mode is CONFIG_MAP');
  });

  it('must be said for an imported cluster', () => {
    const stack = newStack('eu-west-1');
    const cluster = importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: importedVpc(stack) });
    const props = { cluster, customAmi: AMI, serviceCidr: SERVICE_CIDR, windowsIpam: WindowsIpam.MANAGED_ELSEWHERE };
    expect(() => new WindowsNodeGroup(stack, 'A', props)).toThrow(
      "customAmi is set on an imported cluster, and nodeAccess isn't",
    );
    stack.node.tryRemoveChild('A');
    const group = new WindowsNodeGroup(stack, 'Workers', { ...props, nodeAccess: WindowsNodeAccess.ACCESS_ENTRY });
    expect(group.accessEntry?.type).toBe('EC2_WINDOWS');
    expect(resourceOf(stack, 'AWS::EKS::AccessEntry').Properties.ClusterName).toBe('production');
  });
});

describe('the role of Windows nodes', () => {
  it.each<[string, (stack: Stack, cluster: eksv2.Cluster, role: iam.IRole) => void]>([
    ['ManagedNodeGroup', (stack, cluster, role) => new ManagedNodeGroup(stack, 'Shared', { cluster, role })],
    [
      'ManagedNodeGroup with an own AMI',
      (stack, cluster, role) => new ManagedNodeGroup(stack, 'Shared', { cluster, role, customAmi: AMI }),
    ],
    [
      'node group of CDK',
      (_, cluster, nodeRole) =>
        cluster.addNodegroupCapacity('Shared', { nodeRole, amiType: eksv2.NodegroupAmiType.AL2023_X86_64_STANDARD }),
    ],
  ])("can't be that of a Linux %s", (_, add) => {
    const { stack, cluster, group } = make();
    add(stack, cluster, group.role);
    expect(() => Template.fromStack(stack)).toThrow(
      /role is that of the Linux node group Test\/.* too; an access entry makes a role Linux or Windows/,
    );
  });

  it('can be that of another Windows group', () => {
    const { stack, cluster, group } = make();
    new WindowsNodeGroup(stack, 'More', { cluster, role: group.role });
    expect(() => Template.fromStack(stack)).not.toThrow();
  });
});

describe('Linux nodes', () => {
  const alone = (
    options: Options,
    prepare: (stack: Stack, cluster: eksv2.Cluster) => void = () => undefined,
  ): Stack => {
    const stack = newStack('eu-west-1');
    const cluster = nativeCluster(stack, { kubectl: true });
    prepare(stack, cluster);
    new WindowsNodeGroup(stack, 'Workers', { cluster, ...options });
    return stack;
  };

  it('must be somewhere', () => {
    expect(() => Template.fromStack(alone({}))).toThrow(
      'the app has no Linux and no Fargate nodes, and CoreDNS runs on nothing else',
    );
    const withMoreWindows = alone({}, (stack, cluster) => {
      new ManagedNodeGroup(stack, 'More', { cluster, amiFamily: AmiFamily.WINDOWS_CORE_2022 });
    });
    expect(() => Template.fromStack(withMoreWindows)).toThrow('the app has no Linux and no Fargate nodes');
  });

  it.each<[string, Options, ((stack: Stack, cluster: eksv2.Cluster) => void) | undefined]>([
    ['elsewhere, as the user says', { linuxNodesElsewhere: true }, undefined],
    ['in a node group of CDK', {}, (_, cluster) => cluster.addNodegroupCapacity('Linux')],
    [
      'in a group of machines',
      {},
      (_, cluster) => cluster.addAutoScalingGroupCapacity('Linux', { instanceType: new ec2.InstanceType('m5.large') }),
    ],
    [
      'on Fargate',
      {},
      (_, cluster) => cluster.addFargateProfile('System', { selectors: [{ namespace: 'kube-system' }] }),
    ],
    ['made by a chart', {}, (_, cluster) => cluster.addHelmChart('Karpenter', { chart: 'karpenter' })],
    [
      'in an own AMI',
      {},
      (stack, cluster) => new ManagedNodeGroup(stack, 'Linux', { cluster, customAmi: AMI, serviceCidr: SERVICE_CIDR }),
    ],
  ])('may be %s', (_, options, prepare) => {
    expect(() => Template.fromStack(alone(options, prepare))).not.toThrow();
  });

  it("may come from Auto Mode, and from the default capacity of CDK's clusters", () => {
    for (const defaultCapacityType of [eksv2.DefaultCapacityType.AUTOMODE, eksv2.DefaultCapacityType.NODEGROUP]) {
      const stack = newStack('eu-west-1');
      const cluster = new eksv2.Cluster(stack, 'Cluster', {
        version: eksv2.KubernetesVersion.of('1.34'),
        defaultCapacityType,
      });
      new WindowsNodeGroup(stack, 'Workers', { cluster, windowsIpam: WindowsIpam.MANAGED_ELSEWHERE });
      expect(() => Template.fromStack(stack)).not.toThrow();
    }
  });

  it('of another stack of the app count, and those of an imported cluster are its own business', () => {
    const app = new App();
    const stack = new Stack(app, 'Test');
    const cluster = nativeCluster(stack, { kubectl: true });
    new WindowsNodeGroup(stack, 'Workers', { cluster });
    new ManagedNodeGroup(new Stack(app, 'Linux'), 'Linux', { cluster });
    expect(() => app.synth()).not.toThrow();
    const other = newStack('eu-west-1');
    const imported = importedCluster(other, 'aws-eks', { vpc: importedVpc(other) });
    new WindowsNodeGroup(other, 'Workers', { cluster: imported, windowsIpam: WindowsIpam.MANAGED_ELSEWHERE });
    new WindowsNodeGroup(other, 'More', {
      cluster: imported,
      windowsIpam: WindowsIpam.MANAGED_ELSEWHERE,
      linuxNodesElsewhere: true,
    });
    expect(() => Template.fromStack(other)).not.toThrow();
  });
});

describe('a Windows bootstrap', () => {
  it('is complete with an own AMI', () => {
    const stack = newStack('eu-west-1');
    const cluster = importedCluster(stack, 'aws-eks', { complete: true, vpc: importedVpc(stack) });
    new VpcCniAddon(stack, 'Cni', {
      cluster,
      windowsIpam: true,
      kubernetesVersion: '1.34',
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
    });
    new WindowsNodeGroup(stack, 'Workers', {
      cluster,
      customAmi: AMI,
      serviceCidr: SERVICE_CIDR,
      nodeAccess: WindowsNodeAccess.MANAGED_ELSEWHERE,
      windowsBootstrap: new WindowsBootstrap({ scripts: ['Get-Date'] }),
      labels: { os: 'windows' },
    });
    const { boot, reported: findings } = readBoot(stack);
    expect(bootstrapOf(boot)).toMatchObject({
      name: 'production',
      network: [SERVICE_CIDR, '10.100.0.10'],
      labels: { os: 'windows' },
      problems: [],
    });
    expect(findings).toEqual([]);
  });
});

it.each<[Options, string]>([
  [{ amiFamily: AmiFamily.AL2023 }, "Test/Workers: amiFamily is AL2023, which isn't Windows; use ManagedNodeGroup"],
  [{ amiType: 'BOTTLEROCKET_x86_64' }, "Test/Workers: amiType is BOTTLEROCKET_x86_64, which isn't Windows"],
  [{ instanceTypes: [new ec2.InstanceType('m6g.large')] }, 'EKS has Windows AMIs for x86_64 only'],
  [
    { windowsBootstrap: new WindowsBootstrap({ kubeletExtraArgs: ['--v=4'] }) },
    'windowsBootstrap has kubeletExtraArgs without customAmi',
  ],
])('%j is refused', (options, message) => {
  expect(() => make(options)).toThrow(ConstructionError);
  expect(() => make(options)).toThrow(message);
});

it('IPv6 is refused', () => {
  const stack = newStack();
  expect(() => new WindowsNodeGroup(stack, 'Workers', { cluster: nativeCluster(stack, { ipFamily: 'ipv6' }) })).toThrow(
    'EKS has no Windows nodes in IPv6 clusters',
  );
});
