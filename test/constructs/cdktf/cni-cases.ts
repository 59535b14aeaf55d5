import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import { SecurityGroup } from '@cdktf/provider-aws/lib/security-group';
import { Subnet } from '@cdktf/provider-aws/lib/subnet';
import { TerraformResource, TerraformVariable } from 'cdktf';
import type { Construct } from 'constructs';
import {
  ClusterNetworkAddons,
  ManagedNodeGroup,
  NetworkPolicyMode,
  PodIdentityAgent,
  PodIdentityKind,
  PodSecurityGroupMode,
  PodSecurityGroupPolicy,
  ResolveConflicts,
  VpcCniAddon,
  WindowsNodeGroup,
} from '../../../constructs/cdktf';
import { ipv6, newCluster } from './stacks';

const VPC = 'vpc-0123456789abcdef0';
const subnets = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];
const podSubnets = subnets.map((subnet, index) => ({ subnet, availabilityZone: `eu-west-1${'ab'.charAt(index)}` }));

/** What makes a vpc-cni add-on, by what is special in it; several fit in a stack. */
export const cniCases: Readonly<Record<string, (scope: Construct) => void>> = {
  defaults: (scope) => {
    const cluster = newCluster(scope);
    new VpcCniAddon(scope, 'Cni', { cluster });
    new ManagedNodeGroup(scope, 'Nodes', { cluster, subnets });
  },
  'everything, with nodes, policies and tokens': (scope) => {
    const cluster = newCluster(scope);
    const subnetOf = (zone: string, id: string, third: number) =>
      new Subnet(scope, `${id}${zone}`, {
        vpcId: VPC,
        cidrBlock: `10.0.${third}.0/20`,
        availabilityZone: `eu-west-1${zone}`,
      });
    const pods = ['a', 'b'].map((zone, index) => subnetOf(zone, 'Pods', index * 16));
    const nodes = ['a', 'b'].map((zone, index) => subnetOf(zone, 'Nodes', 64 + index * 16));
    const group = new SecurityGroup(scope, 'Group', { vpcId: VPC });
    const snat = new TerraformVariable(scope, 'snat', { type: 'string', default: 'true' }).stringValue;
    const addresses = new TerraformVariable(scope, 'addresses', { type: 'number', default: 5 }).numberValue;
    new VpcCniAddon(scope, 'Cni', {
      cluster,
      podSecurityGroups: {},
      prefixDelegation: {},
      networkPolicy: { mode: NetworkPolicyMode.STRICT },
      warmTargets: { warmIpTarget: addresses },
      customNetworking: { subnets: pods.map((subnet) => ({ subnet, securityGroups: [group] })) },
      env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: snat },
      configurationValues: { podLabels: { say: 'a-"quoted"-\\-text' } },
    });
    new ManagedNodeGroup(scope, 'Nodes', { cluster, subnets: nodes, instanceTypes: ['m6i.large'] });
    const policy = new PodSecurityGroupPolicy(scope, 'ApiPods', {
      cluster,
      securityGroups: [group],
      podSelector: { matchLabels: { app: 'api' } },
      probePorts: [8080],
    });
    expect(policy.dependencies).toHaveLength(6);
  },
  'standard pod security groups, by hand in part': (scope) => {
    const cluster = newCluster(scope);
    new VpcCniAddon(scope, 'Cni', {
      cluster,
      podSecurityGroups: { mode: PodSecurityGroupMode.STANDARD },
      env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true', AWS_VPC_ENI_MTU: '8900' },
      customNetworking: { subnets: podSubnets },
    });
    new ManagedNodeGroup(scope, 'Nodes', { cluster, subnets, instanceTypes: ['m6i.large'] });
  },
  'IRSA with the provider of the stack': (scope) => {
    const cluster = newCluster(scope);
    new IamOpenidConnectProvider(scope, 'Oidc', {
      url: cluster.identity.get(0).oidc.get(0).issuer,
      clientIdList: ['sts.amazonaws.com'],
      thumbprintList: [],
    });
    new VpcCniAddon(scope, 'Cni', {
      cluster,
      identity: PodIdentityKind.IRSA,
      warmTargets: { warmIpTarget: 2, minimumIpTarget: 10 },
    });
  },
  'IRSA of an old version': (scope) => {
    const issuer = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';
    const cluster = {
      clusterName: 'old',
      openIdConnectProviderArn: `arn:aws:iam::111122223333:oidc-provider/${issuer}`,
      openIdConnectIssuer: `https://${issuer}`,
    };
    new VpcCniAddon(scope, 'Cni', { cluster, version: 'v1.15.4-eksbuild.1' });
  },
  IPv6: (scope) => {
    const cluster = newCluster(scope, ipv6);
    new VpcCniAddon(scope, 'Cni', { cluster, podSecurityGroups: {}, networkPolicy: {} });
    new ManagedNodeGroup(scope, 'Nodes', { cluster, subnets });
  },
  Windows: (scope) => {
    const cluster = newCluster(scope);
    new VpcCniAddon(scope, 'Cni', { cluster, windowsIpam: true });
    new ManagedNodeGroup(scope, 'Linux', { cluster, subnets });
    new WindowsNodeGroup(scope, 'Windows', { cluster, subnets });
  },
  'a cluster that is made elsewhere': (scope) => {
    const cluster = { clusterName: 'elsewhere', kubernetesVersion: '1.34' };
    new VpcCniAddon(scope, 'Cni', {
      cluster,
      podIdentityAgent: PodIdentityAgent.INSTALL,
      prefixDelegation: {},
      takeOver: false,
    });
  },
  'with the other network add-ons': (scope) => {
    const cluster = newCluster(scope, { bootstrapSelfManagedAddons: false });
    new ClusterNetworkAddons(scope, 'Addons', {
      cluster,
      vpcCni: { prefixDelegation: {} },
      kubeProxy: { configurationValues: { mode: 'ipvs' } },
    });
    new ManagedNodeGroup(scope, 'Nodes', { cluster, subnets });
  },
  'an accepted mode of conflicts': (scope) => {
    new VpcCniAddon(scope, 'Cni', {
      cluster: newCluster(scope),
      resolveConflicts: ResolveConflicts.OVERWRITE,
      resolveConflictsReason: 'nobody may change the CNI by hand',
      networkPolicy: {},
    });
  },
};

/** A policy in a resource that applies it. Not in the cases above, because plans need the cluster for it. */
export function appliedPolicy(scope: Construct): void {
  const cluster = newCluster(scope);
  const group = new SecurityGroup(scope, 'Group', { vpcId: VPC });
  new VpcCniAddon(scope, 'Cni', { cluster, podSecurityGroups: {}, env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: 'true' } });
  new ManagedNodeGroup(scope, 'Nodes', { cluster, subnets, instanceTypes: ['m6i.large'] });
  const policy = new PodSecurityGroupPolicy(scope, 'ApiPods', {
    cluster,
    securityGroups: [group],
    podSelector: { matchLabels: { app: 'api' } },
    probePorts: [8080],
  });
  const applied = new TerraformResource(scope, 'Policy', {
    terraformResourceType: 'kubernetes_manifest',
    dependsOn: policy.dependencies,
  });
  applied.addOverride('manifest', policy.manifest);
}
