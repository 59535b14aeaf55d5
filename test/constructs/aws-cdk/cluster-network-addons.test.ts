import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnOutput, CfnResource, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import type { Construct } from 'constructs';
import {
  AmiFamily,
  ClusterNetworkAddons,
  CoreDnsAddon,
  ManagedNodeGroup,
  PodIdentityAgent,
  PodIdentityKind,
  type ClusterNetworkAddonsProps,
  PodSecurityGroupMode,
  type PodSecurityGroupOptions,
} from '../../../constructs/aws-cdk';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readPaths } from '../../../lib/front-ends/paths';
import { addonVersion } from '../../../lib/knowledge';
import { allRules } from '../../../lib/rules';
import {
  customCluster,
  importedCluster,
  importedVpc,
  nativeCluster,
  newStack,
  policyNames,
  resourcesOf,
  type TemplateResource,
} from './clusters';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new app whose output the rules can read. */
function newApp(): App {
  const outdir = mkdtempSync(join(tmpdir(), 'eks-guardrails-addons-'));
  folders.push(outdir);
  return new App({ outdir });
}

/** What the strict rules say of an app, by sentences. */
function judged(app: App): string[] {
  app.synth();
  const { resources, diagnostics } = readPaths([app.outdir]);
  expect(diagnostics).toEqual([]);
  return runRules(new EksModel(resources), allRules, { preset: 'strict' })
    .filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined)
    .map(({ rule, message }) => `${rule}: ${message}`);
}

/** A cluster without any add-on that EKS would install by itself. */
function bareCluster(scope: Construct, props: Partial<eks.ClusterProps> = {}): eks.Cluster {
  const cluster = new eks.Cluster(scope, 'Cluster', {
    version: eks.KubernetesVersion.V1_35,
    defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
    bootstrapSelfManagedAddons: false,
    ...props,
  });
  const { defaultChild } = cluster.node;
  if (CfnResource.isCfnResource(defaultChild))
    defaultChild.addPropertyOverride('UpgradePolicy.SupportType', 'STANDARD');
  return cluster;
}

function addonsOf(stack: Stack): Record<string, TemplateResource> {
  return Object.fromEntries(
    resourcesOf(stack, 'AWS::EKS::Addon').map((addon) => [String(addon.Properties.AddonName), addon]),
  );
}

const nodeRolePolicies = (stack: Stack) =>
  resourcesOf(stack, 'AWS::IAM::Role')
    .filter(({ Properties }) => String(Properties.Description).startsWith('Nodes of'))
    .flatMap(policyNames);

describe('ClusterNetworkAddons', () => {
  it.each([true, false])(
    'has all four, pinned and preserved, in the order that works (defined before the nodes: %s)',
    (isFirst) => {
      const stack = newStack();
      const cluster = bareCluster(stack);
      const make = () => new ClusterNetworkAddons(stack, 'Addons', { cluster });
      if (isFirst) make();
      new ManagedNodeGroup(stack, 'Workers', { cluster });
      if (!isFirst) make();

      const addons = addonsOf(stack);
      expect(Object.keys(addons).sort()).toEqual(['coredns', 'eks-pod-identity-agent', 'kube-proxy', 'vpc-cni']);
      for (const [name, { Properties }] of Object.entries(addons)) {
        expect(addonVersion(name, String(Properties.AddonVersion))?.clusterMinors).toContain('1.35');
        // The agent is CDK's own for clusters of the app.
        if (name !== 'eks-pod-identity-agent')
          expect(Properties).toMatchObject({ ResolveConflicts: 'PRESERVE', PreserveOnDelete: true });
      }
      const [group] = resourcesOf(stack, 'AWS::EKS::Nodegroup');
      expect(group?.DependsOn).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^AddonsVpcCni[0-9A-F]{8}$|^AddonsVpcCniResource/),
          expect.stringMatching(/^AddonsKubeProxy/),
        ]),
      );
      expect(addons.coredns?.DependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/^Workers/)]));
      expect(addons['vpc-cni']?.DependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/PodIdentityAgent/)]));
      expect(addons['kube-proxy']?.DependsOn).toBeUndefined();
      expect(nodeRolePolicies(stack)).toEqual(['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly']);
    },
  );

  it('is one line for the strict rules, too', () => {
    const app = newApp();
    const stack = new Stack(app, 'Platform');
    const cluster = bareCluster(stack);
    new ManagedNodeGroup(stack, 'Workers', { cluster });
    expect(judged(app)).toEqual([expect.stringMatching(/^cluster-network-addons: /)]);

    const whole = newApp();
    const other = new Stack(whole, 'Platform');
    const complete = bareCluster(other);
    new ClusterNetworkAddons(other, 'Addons', { cluster: complete });
    new ManagedNodeGroup(other, 'Workers', { cluster: complete });
    expect(judged(whole)).toEqual([]);
  });

  it('takes versions and settings of each', () => {
    const stack = newStack();
    const { vpcCni } = new ClusterNetworkAddons(stack, 'Addons', {
      cluster: nativeCluster(stack, { version: '1.35' }),
      vpcCni: { version: 'v1.21.1-eksbuild.5', prefixDelegation: {} },
      kubeProxy: { version: 'v1.35.3-eksbuild.11', configurationValues: { mode: 'ipvs' } },
      coreDns: { configurationValues: { computeType: 'Fargate' } },
    });
    const addons = addonsOf(stack);
    expect(vpcCni.version).toBe('v1.21.1-eksbuild.5');
    expect(addons['kube-proxy']?.Properties).toMatchObject({
      AddonVersion: 'v1.35.3-eksbuild.11',
      ConfigurationValues: '{"mode":"ipvs"}',
    });
    expect(addons.coredns?.Properties.ConfigurationValues).toBe('{"computeType":"Fargate"}');
  });

  it('takes all self-managed copies over until a day', () => {
    const stack = newStack();
    new ClusterNetworkAddons(stack, 'Addons', { cluster: nativeCluster(stack), takeOver: { until: '2030-03-31' } });
    const addons = addonsOf(stack);
    for (const name of ['vpc-cni', 'kube-proxy', 'coredns'])
      expect(addons[name]?.Properties).toMatchObject({ ResolveConflicts: 'OVERWRITE', PreserveOnDelete: true });
  });

  it('serves imported clusters, whose agent may be managed elsewhere', () => {
    const stack = newStack();
    const cluster = importedCluster(stack, 'aws-eks-v2', { vpc: importedVpc(stack) });
    const addons = new ClusterNetworkAddons(stack, 'Addons', { cluster, kubernetesVersion: '1.34' });
    expect(addonsOf(stack)['eks-pod-identity-agent']?.Properties).toMatchObject({ PreserveOnDelete: true });
    expect(addons.interfaceEndpoints).toEqual(['ec2', 'ecr.api', 'ecr.dkr', 'eks-auth']);

    const other = newStack();
    const irsa = new ClusterNetworkAddons(other, 'Addons', {
      cluster: customCluster(other),
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
      vpcCni: { identity: PodIdentityKind.IRSA },
    });
    expect(irsa.podIdentityAgent).toBeUndefined();
    expect(Object.keys(addonsOf(other))).not.toContain('eks-pod-identity-agent');
    expect(irsa.interfaceEndpoints).toEqual(['ec2', 'ecr.api', 'ecr.dkr', 'sts']);
  });

  it.each<[string, Partial<ClusterNetworkAddonsProps>]>([
    [
      'kubeProxy.version is "v1.29.0-eksbuild.1", which EKS offers for Kubernetes 1.29, 1.30, 1.31, 1.32, and the cluster has 1.34; v1.34',
      { kubeProxy: { version: 'v1.29.0-eksbuild.1' } },
    ],
    ['Test/Addons: vpcCni.version is "1.21"; a version of the add-on looks like v1.', { vpcCni: { version: '1.21' } }],
    ['kubeProxy.version is "1.34"; a version of the add-on looks like v1.', { kubeProxy: { version: '1.34' } }],
    ['CoreDns: version is "latest"; a version of the add-on looks like v1.', { coreDns: { version: 'latest' } }],
    ['takeOver.until is "soon"; a day such as 2027-03-31 is needed', { takeOver: { until: 'soon' } }],
    ['kubernetesVersion is "1.33" and the cluster has 1.34', { kubernetesVersion: '1.33' }],
  ])('refuses: %s', (message, props) => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    expect(() => new ClusterNetworkAddons(stack, 'Addons', { cluster, ...props })).toThrow(message);
  });

  it('refuses clusters with Auto Mode', () => {
    const stack = newStack();
    const cluster = new eks.Cluster(stack, 'Cluster', { version: eks.KubernetesVersion.V1_35 });
    expect(() => new ClusterNetworkAddons(stack, 'Addons', { cluster })).toThrow(
      'Test/Addons: the cluster has EKS Auto Mode',
    );
    expect(() => new CoreDnsAddon(stack, 'Dns', { cluster })).toThrow('Test/Dns: the cluster has EKS Auto Mode');
  });

  it('refuses a mode of kube-proxy that strict security groups for pods do not go with', () => {
    const make = (mode: string, podSecurityGroups: PodSecurityGroupOptions) => () => {
      const kubeProxy = { configurationValues: { mode } };
      const stack = newStack();
      new ClusterNetworkAddons(stack, 'Addons', {
        cluster: bareCluster(stack),
        kubeProxy,
        vpcCni: { podSecurityGroups },
      });
    };
    expect(make('ipvs', {})).toThrow(
      'Test/Addons: kubeProxy.configurationValues.mode is ipvs, and vpcCni.podSecurityGroups has the mode STRICT',
    );
    expect(make('iptables', {})).not.toThrow();
    expect(make('ipvs', { mode: PodSecurityGroupMode.STANDARD })).not.toThrow();
  });
});

describe('across stacks', () => {
  const stacks = (scope: Construct) =>
    ['Cluster', 'Addons', 'Nodes'].map((name) => new Stack(scope, name)) as [Stack, Stack, Stack];

  it('nodes wait for the stack of the add-ons, and their role has nothing for the CNI', () => {
    const app = new App();
    const [first, , nodes] = stacks(app);
    const cluster = bareCluster(first);
    new ClusterNetworkAddons(first, 'Addons', { cluster, coreDns: false });
    const workers = new ManagedNodeGroup(nodes, 'Workers', { cluster });
    new CoreDnsAddon(nodes, 'Dns', { cluster });
    expect(nodeRolePolicies(nodes)).toEqual(['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly']);
    expect(nodes.dependencies).toEqual([first]);
    expect(addonsOf(nodes).coredns?.DependsOn).toEqual(expect.arrayContaining([nodes.getLogicalId(workers.nodegroup)]));
    Annotations.fromStack(nodes).hasNoWarning('*', Match.stringLikeRegexp('CoreDNS'));
  });

  it('nodes wait for a third stack, which they know nothing of, in a stage of a pipeline', () => {
    const app = new App();
    const stage = new Stage(app, 'Prod', { env: { region: 'eu-west-1', account: '123456789012' } });
    const [first, addons, nodes] = stacks(stage);
    const cluster = bareCluster(first);
    new ManagedNodeGroup(nodes, 'Workers', { cluster });
    new ClusterNetworkAddons(addons, 'Addons', { cluster, coreDns: false });
    new CoreDnsAddon(nodes, 'Dns', { cluster });
    stage.synth();
    expect(nodes.dependencies).toContain(addons);
    expect(nodeRolePolicies(nodes)).not.toContain('AmazonEKS_CNI_Policy');
  });

  it.each<[string, (addons: Stack, nodes: Stack, middle: Stack) => void]>([
    [
      'is told to wait for them',
      (addons, nodes) => {
        addons.addStackDependency(nodes);
      },
    ],
    [
      'has a construct that waits for one of theirs',
      (addons, nodes) => {
        addons.node.addDependency(nodes.node.findChild('Workers'));
      },
    ],
    [
      'refers to them',
      (addons, nodes) => {
        const { nodegroupName } = nodes.node.findChild('Workers') as ManagedNodeGroup;
        new CfnOutput(addons, 'Name', { value: `group ${nodegroupName}` });
      },
    ],
    [
      'refers to a stack that refers to them',
      (addons, nodes, middle) => {
        const { role } = nodes.node.findChild('Workers') as ManagedNodeGroup;
        const topic = new CfnResource(middle, 'Topic', {
          type: 'AWS::SNS::Topic',
          properties: { DisplayName: role.roleArn },
        });
        new CfnResource(addons, 'Other', { type: 'AWS::SNS::Topic', properties: { DisplayName: topic.ref } });
      },
    ],
  ])('nodes keep the permissions when the stack of the add-ons %s', (_, connect) => {
    const app = new App();
    const [first, addons, nodes] = stacks(app);
    const middle = new Stack(app, 'Middle');
    const cluster = bareCluster(first);
    new ManagedNodeGroup(nodes, 'Workers', { cluster });
    new ClusterNetworkAddons(addons, 'Addons', { cluster });
    connect(addons, nodes, middle);
    expect(nodeRolePolicies(nodes)).toContain('AmazonEKS_CNI_Policy');
    expect(() => app.synth()).not.toThrow();
    expect(nodes.dependencies).not.toContain(addons);
  });

  it('CoreDNS that comes before all nodes is told', () => {
    const app = new App();
    const [first, , nodes] = stacks(app);
    const cluster = bareCluster(first);
    const addons = new ClusterNetworkAddons(first, 'Addons', { cluster });
    new ManagedNodeGroup(nodes, 'Workers', { cluster });
    app.synth();
    Annotations.fromStack(first).hasWarning(
      '/Cluster/Addons/CoreDns',
      Match.stringLikeRegexp('the node group Nodes/Workers/Resource comes with another stack'),
    );
    expect(addons.coreDns?.addon.node.dependencies).toEqual([]);
  });

  it('CoreDNS does not wait for Windows nodes', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    const { coreDns } = new ClusterNetworkAddons(stack, 'Addons', { cluster, vpcCni: { windowsIpam: true } });
    const linux = new ManagedNodeGroup(stack, 'Linux', { cluster });
    new ManagedNodeGroup(stack, 'Windows', { cluster, amiFamily: AmiFamily.WINDOWS_CORE_2022 });
    expect(coreDns?.node.dependencies).toEqual([linux.nodegroup]);
  });
});

describe('in a VPC without a way out', () => {
  function privatePlatform(app: App, withEndpoints: boolean): void {
    const stack = new Stack(app, 'Private', { env: { region: 'eu-west-1', account: '123456789012' } });
    const vpc = new ec2.Vpc(stack, 'Vpc', {
      natGateways: 0,
      subnetConfiguration: [{ name: 'nodes', subnetType: ec2.SubnetType.PRIVATE_ISOLATED, cidrMask: 20 }],
    });
    const cluster = bareCluster(stack, {
      vpc,
      vpcSubnets: [{ subnetType: ec2.SubnetType.PRIVATE_ISOLATED }],
      endpointAccess: eks.EndpointAccess.PRIVATE,
    });
    const addons = new ClusterNetworkAddons(stack, 'Addons', { cluster });
    new ManagedNodeGroup(stack, 'Workers', { cluster, subnets: { subnetType: ec2.SubnetType.PRIVATE_ISOLATED } });
    if (!withEndpoints) return;
    vpc.addGatewayEndpoint('s3', { service: ec2.GatewayVpcEndpointAwsService.S3 });
    for (const name of addons.interfaceEndpoints)
      vpc.addInterfaceEndpoint(name, { service: new ec2.InterfaceVpcEndpointAwsService(name) });
  }

  it('the endpoints that they name are all that the rules ask for', () => {
    const without = newApp();
    privatePlatform(without, false);
    expect(judged(without)).toEqual([expect.stringMatching(/^cluster-private-endpoints: .*eks-auth/)]);
    const app = newApp();
    privatePlatform(app, true);
    expect(judged(app)).toEqual([]);
  });
});
