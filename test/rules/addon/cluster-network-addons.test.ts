import { clusterNetworkAddons } from '../../../lib/rules/addon/cluster-network-addons';
import { testRule, type ExpectedFinding } from '../rule-tester';
import {
  addon,
  block,
  cluster,
  helmChart,
  launchTemplate,
  manifest,
  namedNodeGroup,
  onCondition,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { plan } from '../plan-templates';

const BARE = cluster("Version: '1.33'", 'BootstrapSelfManagedAddons: false');
const NODES = namedNodeGroup('Workers', 'InstanceTypes: [m6i.large]');
const WINDOWS = namedNodeGroup('Windows', 'AmiType: WINDOWS_CORE_2022_x86_64');
const CNI = addon('Cni', 'AddonName: vpc-cni', 'AddonVersion: v1.21.1-eksbuild.5', 'ResolveConflicts: PRESERVE');
const PROXY = addon('Proxy', 'AddonName: kube-proxy');
const DNS = addon('Dns', 'AddonName: coredns');
const ALL = [CNI, PROXY, DNS];
const after = (resource: string) => resource.replace('\n', '\n  DependsOn: [Workers]\n');
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const STAGE = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';
const FARGATE = block('Pods', 'AWS::EKS::FargateProfile', [
  'ClusterName: !Ref Cluster',
  'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
]);

const finding = (message: string, ...says: string[]): ExpectedFinding => ({
  message,
  severity: message === 'no-cni' ? 'error' : 'warning',
  resource: 'Cluster',
  at: 'BootstrapSelfManagedAddons',
  says,
});

/** A plan of a cluster without bootstrap add-ons, with a node group. */
const planned = (before: string) =>
  plan(
    `aws_eks_cluster.main:\n  ${before}: { name: main, version: '1.33', bootstrap_self_managed_addons: false }`,
    'aws_eks_node_group.workers:\n  after: { cluster_name: main, node_group_name: workers, node_role_arn: arn:aws:iam::111122223333:role/nodes, scaling_config: [{ desired_size: 2, max_size: 3, min_size: 1 }] }',
  );

testRule(clusterNetworkAddons, {
  valid: [
    { name: 'all three as add-ons', template: resources(BARE, NODES, ...ALL) },
    {
      name: 'Cilium, which takes the place of kube-proxy too',
      template: resources(BARE, NODES, helmChart('Cilium', 'cilium', { kubeProxyReplacement: true }), DNS),
    },
    {
      name: 'the chart of the VPC CNI',
      template: resources(BARE, NODES, helmChart('Cni', 'aws-vpc-cni', {}), PROXY, DNS),
    },
    {
      name: 'Calico by its operator',
      template: resources(
        BARE,
        NODES,
        manifest('Calico', {
          apiVersion: 'operator.tigera.io/v1',
          kind: 'Installation',
          metadata: { name: 'default' },
          spec: { cni: { type: 'Calico' } },
        }),
        DNS,
      ),
    },
    { name: 'CoreDNS by its chart', template: resources(BARE, NODES, CNI, PROXY, helmChart('Names', 'coredns', {})) },
    {
      name: 'kube-proxy and CoreDNS after the nodes, which CoreDNS needs',
      template: resources(BARE, NODES, CNI, after(PROXY), after(DNS)),
    },
    {
      name: 'the chart of the CNI beside an add-on after the nodes',
      template: resources(BARE, NODES, helmChart('Chart', 'aws-vpc-cni', {}), after(CNI), PROXY, DNS),
    },
    {
      name: 'each branch has its own CNI',
      template: template(STAGE, BARE, NODES, PROXY, DNS, onCondition('IsProd', CNI), helmChart('Cilium', 'cilium', {})),
    },
  ],
  invalid: [
    {
      name: 'a CNI whose name is written with an underscore is none',
      template: resources(BARE, NODES, addon('Cni', 'AddonName: vpc_cni'), PROXY, DNS),
      fixed: resources(BARE, NODES, CNI, PROXY, DNS),
      findings: [
        finding('no-cni', 'no other CNI (EKS has no add-on `vpc_cni`, as Cni names it, but `vpc-cni`). The nodes'),
      ],
    },
    {
      name: 'no add-on at all',
      template: resources(BARE, NODES),
      fixed: resources(BARE, NODES, ...ALL),
      findings: [finding('no-cni', 'nor kube-proxy nor CoreDNS', 'Workers', 'cni plugin not initialized')],
    },
    {
      name: 'nodes of both systems: those of Windows are not named',
      template: resources(BARE, NODES, WINDOWS),
      findings: [{ ...finding('no-cni', 'Workers'), omits: ['Windows'], related: ['Workers:'] }],
    },
    {
      name: 'kube-proxy and CoreDNS alone',
      template: resources(BARE, NODES, PROXY, DNS),
      findings: [{ ...finding('no-cni'), omits: ['nor kube-proxy'] }],
    },
    {
      name: 'charts that have nothing to do with it',
      template: resources(BARE, NODES, PROXY, DNS, helmChart('Ingress', 'ingress-nginx', {})),
      findings: [finding('no-cni')],
    },
    {
      name: 'a CNI in one branch only',
      template: template(STAGE, BARE, NODES, PROXY, DNS, onCondition('IsProd', CNI)),
      findings: [finding('no-cni', 'IsProd is false')],
    },
    {
      name: 'no bootstrap add-ons in one branch',
      template: template(
        STAGE,
        cluster("Version: '1.33'", 'BootstrapSelfManagedAddons: !If [IsProd, false, true]'),
        NODES,
      ),
      findings: [finding('no-cni', 'IsProd is true')],
    },
    {
      name: 'no kube-proxy',
      template: resources(BARE, NODES, CNI, DNS),
      findings: [finding('incomplete', 'no kube-proxy', 'reaches a Service')],
    },
    {
      name: 'no CoreDNS',
      template: resources(BARE, NODES, CNI, PROXY),
      findings: [finding('incomplete', 'no CoreDNS', 'resolve names')],
    },
    {
      name: 'the CNI after the nodes',
      template: resources(BARE, NODES, after(CNI), PROXY, DNS),
      fixed: resources(BARE, NODES, ...ALL),
      findings: [
        {
          message: 'late-cni',
          severity: 'error',
          resource: 'Cluster',
          at: 'Cni:',
          related: ['Workers:'],
          says: ['created only after Workers', 'cni plugin not initialized'],
        },
      ],
    },
    {
      name: 'neither',
      template: resources(BARE, NODES, CNI),
      findings: [finding('incomplete', 'no kube-proxy and no CoreDNS')],
    },
    {
      name: 'Fargate beside the nodes is no help',
      template: resources(BARE, NODES, FARGATE, PROXY, DNS),
      findings: [finding('no-cni')],
    },
    {
      name: 'a plan that creates the cluster',
      template: planned('after'),
      findings: [
        { ...finding('no-cni'), resource: 'aws_eks_cluster.main', at: '"bootstrap_self_managed_addons": false' },
      ],
    },
    {
      name: 'Argo CD, whose own pods wait for the CNI',
      template: resources(BARE, NODES, PROXY, DNS, helmChart('Delivery', 'argo-cd', { hostNetwork: false })),
      findings: [{ ...finding('no-cni', 'Workers'), related: ['Workers:'] }],
    },
    {
      name: 'a vpc-cni add-on that waits for the nodes, beside Argo CD and what it installs',
      template: resources(
        BARE,
        NODES,
        after(CNI),
        PROXY,
        DNS,
        helmChart('Delivery', 'argo-cd', {}),
        manifest('App', {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { name: 'base' },
          spec: { destination: { server: 'https://kubernetes.default.svc', namespace: 'base' } },
        }),
        manifest('Agent', {
          apiVersion: 'apps/v1',
          kind: 'DaemonSet',
          metadata: { name: 'agent' },
          spec: { template: { spec: { containers: [{ name: 'agent', image: 'agent:1' }] } } },
        }),
      ),
      findings: [{ ...finding('late-cni'), severity: 'error', at: 'Cni:', related: ['Workers:'] }],
    },
  ],
  unverifiable: [
    {
      name: 'the setting from a parameter',
      template: template(PARAMETER, cluster("Version: '1.33'", 'BootstrapSelfManagedAddons: !Ref P'), NODES),
      resources: ['Cluster'],
      because: 'add-ons of EKS',
    },
    {
      name: 'Argo CD on Fargate, which installs what the input does not show',
      template: resources(BARE, NODES, FARGATE, helmChart('Delivery', 'argo-cd', {})),
      resources: ['Cluster'],
      because: 'argo-cd',
    },
    {
      name: 'Flux on the network of the host, which can install a CNI',
      template: resources(BARE, NODES, helmChart('Delivery', 'flux-operator', { hostNetwork: true })),
      resources: ['Cluster'],
      because: 'flux-operator',
    },
    {
      name: 'an application by which Argo CD changes another cluster, maybe this one',
      template: resources(
        BARE,
        NODES,
        manifest('App', {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { name: 'base' },
          spec: { destination: { name: 'workload' } },
        }),
      ),
      resources: ['Cluster'],
      because: 'App',
    },
    {
      name: 'an object of Flux, which may run on the network of the host',
      template: resources(
        BARE,
        NODES,
        manifest('Sync', {
          apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
          kind: 'Kustomization',
          metadata: { name: 'base' },
          spec: { path: './base' },
        }),
      ),
      resources: ['Cluster'],
      because: 'Sync',
    },
    {
      name: 'an application of Argo CD',
      template: resources(
        BARE,
        NODES,
        manifest('App', { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'base' } }),
      ),
      resources: ['Cluster'],
      because: 'App',
    },
    {
      name: 'a chart of the repository itself',
      template: resources(BARE, NODES, helmChart('Base', './charts/base', {})),
      resources: ['Cluster'],
      because: './charts/base',
    },
    {
      name: 'a DaemonSet that the input does not explain',
      template: resources(
        BARE,
        NODES,
        manifest('Agent', { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'network-agent' } }),
      ),
      resources: ['Cluster'],
      because: 'network-agent',
    },
    {
      name: 'an add-on whose name is not known',
      template: template(PARAMETER, BARE, NODES, addon('Some', 'AddonName: !Ref P')),
      resources: ['Cluster'],
      because: 'the name of add-on Some',
    },
    {
      name: 'an add-on of a cluster that is not known',
      template: template(PARAMETER, BARE, NODES, CNI.replace('!Ref Cluster', '!Ref P')),
      resources: ['Cluster'],
      because: 'which cluster Cni',
    },
    {
      name: 'an AMI that may bring a CNI',
      template: resources(
        BARE,
        namedNodeGroup('Workers', USES_NODES),
        launchTemplate('ImageId: ami-0123456789abcdef0'),
      ),
      resources: ['Cluster'],
      because: 'AMI',
    },
    {
      name: 'nodes with the taint of Cilium',
      template: resources(
        BARE,
        namedNodeGroup(
          'Workers',
          'Taints: [{ Key: node.cilium.io/agent-not-ready, Value: "true", Effect: NO_EXECUTE }]',
        ),
      ),
      resources: ['Cluster'],
      because: 'another CNI',
    },
    {
      name: 'an unknown number of nodes',
      template: template(
        PARAMETER,
        BARE,
        namedNodeGroup('Workers', 'ScalingConfig: { DesiredSize: !Ref P, MinSize: 0, MaxSize: 3 }'),
      ),
      resources: ['Cluster'],
      because: 'how many nodes',
    },
    {
      name: 'a custom resource',
      template: resources(
        BARE,
        NODES,
        block('Installer', 'Custom::Installer', [
          'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:install',
        ]),
      ),
      resources: ['Cluster'],
      because: 'Installer',
    },
    {
      name: 'a nested stack that is not here',
      template: resources(
        BARE,
        NODES,
        block('Addons', 'AWS::CloudFormation::Stack', ['TemplateURL: https://bucket.s3.amazonaws.com/addons.yaml']),
      ),
      resources: ['Cluster'],
      because: 'nested stack Addons',
    },
  ],
  notApplicable: [
    { name: 'nodes of Windows alone', template: resources(BARE, WINDOWS) },
    { name: 'the add-ons of EKS', template: resources(cluster("Version: '1.33'"), NODES) },
    {
      name: 'and when they are asked for',
      template: resources(cluster("Version: '1.33'", 'BootstrapSelfManagedAddons: true'), NODES),
    },
    {
      name: 'Auto Mode brings its own',
      template: resources(
        cluster("Version: '1.33'", 'BootstrapSelfManagedAddons: false', 'ComputeConfig: { Enabled: true }'),
        NODES,
      ),
    },
    { name: 'no nodes', template: resources(BARE) },
    { name: 'only Fargate, whose network AWS runs', template: resources(BARE, FARGATE) },
    {
      name: 'a group that starts no node',
      template: resources(BARE, namedNodeGroup('Workers', 'ScalingConfig: { DesiredSize: 0, MinSize: 0, MaxSize: 3 }')),
    },
    { name: 'an imported cluster', template: resources(NODES.replace('!Ref Cluster', 'main')) },
    { name: 'a plan of a cluster that exists', template: planned('before') },
  ],
});
