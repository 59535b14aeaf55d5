import { TerraformOutput, Testing, type App, type TerraformStack } from 'cdktf';
import * as cdk from '../../../constructs/aws-cdk';
import {
  ClusterNetworkAddons,
  CoreDnsAddon,
  ManagedNodeGroup,
  PodIdentityAgent,
  PodIdentityKind,
  type ClusterNetworkAddonsProps,
} from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';
import * as cdkStacks from '../aws-cdk/clusters';
import { newCluster, newStack, resourcesOf, type Arguments } from './stacks';

const subnets = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];
const bare = { version: '1.35', bootstrapSelfManagedAddons: false, upgradePolicy: { supportType: 'STANDARD' } };

function addonsOf(stack: TerraformStack): Record<string, Arguments> {
  return Object.fromEntries(
    Object.values(resourcesOf(stack, 'aws_eks_addon')).map((addon) => [String(addon['addon_name']), addon]),
  );
}

const policiesOf = (stack: TerraformStack): string[] =>
  Object.values(resourcesOf(stack, 'aws_iam_role_policy_attachment')).map((attachment) =>
    String(attachment['policy_arn']).replace(/^.*\//, ''),
  );

/** What the strict rules say of stacks, by sentences. */
function judged(...stacks: TerraformStack[]): string[] {
  for (const stack of stacks) Testing.synth(stack, true);
  const { resources, diagnostics } = readTerraformStacks(
    stacks.map((stack) => ({
      name: stack.node.id,
      constructPath: stack.node.path,
      app: 'cdktf.out',
      file: `${stack.node.id}/cdk.tf.json`,
      content: JSON.parse(JSON.stringify(stack.toTerraform())) as unknown,
    })),
  );
  expect(diagnostics).toEqual([]);
  return (
    runRules(new EksModel(resources), allRules, { preset: 'strict' })
      .filter(({ verdict, suppressed }) => verdict === 'fail' && suppressed === undefined)
      // The role of the cluster is scenery.
      .filter(({ rule }) => rule !== 'cluster-role-policies')
      .map(({ rule, message }) => `${rule}: ${message}`)
  );
}

describe('ClusterNetworkAddons', () => {
  it.each([true, false])('has all four in the order that works (defined before the nodes: %s)', (isFirst) => {
    const stack = newStack();
    const cluster = newCluster(stack, bare);
    const make = () => new ClusterNetworkAddons(stack, 'Addons', { cluster });
    if (isFirst) make();
    new ManagedNodeGroup(stack, 'Workers', { cluster, subnets });
    if (!isFirst) make();

    expect(judged(stack)).toEqual([]);
    const addons = addonsOf(stack);
    expect(Object.keys(addons).sort()).toEqual(['coredns', 'eks-pod-identity-agent', 'kube-proxy', 'vpc-cni']);
    for (const addon of Object.values(addons)) {
      expect(addon).toMatchObject({ preserve: true, resolve_conflicts_on_update: 'PRESERVE' });
      expect(addon['addon_version']).toMatch(/^v\d+\.\d+\.\d+-eksbuild\.\d+$/);
    }
    const [group] = Object.values(resourcesOf(stack, 'aws_eks_node_group'));
    expect(group?.['depends_on']).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^aws_eks_addon\.Addons_VpcCni/),
        expect.stringMatching(/^aws_eks_addon\.Addons_KubeProxy/),
      ]),
    );
    expect(addons['coredns']?.['depends_on']).toEqual([expect.stringMatching(/^aws_eks_node_group\.Workers/)]);
    expect(addons['kube-proxy']?.['depends_on']).toBeUndefined();
    expect(policiesOf(stack)).not.toContain('AmazonEKS_CNI_Policy');
  });

  it('chooses what its twin of the AWS CDK chooses', () => {
    const options = {
      kubeProxy: { configurationValues: { mode: 'ipvs' } },
      coreDns: { version: 'v1.12.4-eksbuild.1' },
      vpcCni: { identity: PodIdentityKind.IRSA, prefixDelegation: {} },
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
    };
    const stack = newStack();
    const attributes = {
      clusterName: 'main',
      kubernetesVersion: '1.34',
      openIdConnectProviderArn: cdkStacks.OIDC_PROVIDER_ARN,
      openIdConnectIssuer: 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF',
    };
    const one = new ClusterNetworkAddons(stack, 'Addons', { cluster: attributes, ...options });
    const twins = cdkStacks.newStack();
    const other = new cdk.ClusterNetworkAddons(twins, 'Addons', {
      cluster: cdkStacks.nativeCluster(twins),
      ...options,
    });
    expect(one.interfaceEndpoints).toEqual(other.interfaceEndpoints);
    expect(one.vpcCni.configuration).toEqual(other.vpcCni.configuration);
    const versions = Object.values(addonsOf(stack)).map((addon) => [
      addon['addon_name'],
      addon['addon_version'],
      addon['configuration_values'],
    ]);
    const ofTwin = cdkStacks
      .resourcesOf(twins, 'AWS::EKS::Addon')
      .map(({ Properties }) => [Properties.AddonName, Properties.AddonVersion, Properties.ConfigurationValues]);
    expect(versions.sort()).toEqual(ofTwin.sort());
  });

  it.each<[string, Partial<ClusterNetworkAddonsProps>]>([
    ['Test/Addons: vpcCni.version is "1.21"; a version', { vpcCni: { version: '1.21' } }],
    ['kubeProxy.version is "1.34"; a version', { kubeProxy: { version: '1.34' } }],
    ['CoreDns: version is "latest"; a version', { coreDns: { version: 'latest' } }],
  ])('refuses: %s', (message, props) => {
    const stack = newStack();
    expect(() => new ClusterNetworkAddons(stack, 'Addons', { cluster: newCluster(stack), ...props })).toThrow(message);
  });

  it('refuses clusters with Auto Mode', () => {
    const stack = newStack();
    const cluster = newCluster(stack, { computeConfig: { enabled: true } });
    expect(() => new ClusterNetworkAddons(stack, 'Addons', { cluster })).toThrow(
      'Test/Addons: the cluster has EKS Auto',
    );
    expect(() => new CoreDnsAddon(stack, 'Dns', { cluster })).toThrow('Test/Dns: the cluster has EKS Auto Mode');
  });
});

describe('across stacks', () => {
  const stacks = (): [App, TerraformStack, TerraformStack] => {
    const app = Testing.app();
    return [app, newStack('eu-west-1', app, 'first'), newStack('eu-west-1', app, 'nodes')];
  };

  it('nodes wait for the stack of the add-ons, and their role has nothing for the CNI', () => {
    const [app, first, nodes] = stacks();
    const cluster = newCluster(first, bare);
    new ClusterNetworkAddons(first, 'Addons', { cluster, coreDns: false });
    new ManagedNodeGroup(nodes, 'Workers', { cluster, subnets });
    new CoreDnsAddon(nodes, 'Dns', { cluster });
    app.synth();
    expect(nodes.dependencies).toEqual([first]);
    expect(policiesOf(nodes)).not.toContain('AmazonEKS_CNI_Policy');
    expect(addonsOf(nodes)['coredns']?.['depends_on']).toEqual([expect.stringMatching(/^aws_eks_node_group/)]);
    expect(judged(first, nodes)).toEqual([]);
  });

  it('nodes wait for a stack that they know nothing of', () => {
    const [app, first, nodes] = stacks();
    const cluster = { clusterName: 'main', kubernetesVersion: '1.34' };
    new ManagedNodeGroup(nodes, 'Workers', { cluster, subnets });
    new ClusterNetworkAddons(first, 'Addons', { cluster, coreDns: false });
    app.synth();
    expect(nodes.dependencies).toEqual([first]);
    expect(app.manifest.stacks).toMatchObject({ nodes: { dependencies: ['first'] } });
    expect(policiesOf(nodes)).not.toContain('AmazonEKS_CNI_Policy');
  });

  it('nodes keep the permissions when the stack of the add-ons refers to theirs', () => {
    const [app, first, nodes] = stacks();
    const cluster = { clusterName: 'main', kubernetesVersion: '1.34' };
    const workers = new ManagedNodeGroup(nodes, 'Workers', { cluster, subnets });
    new ClusterNetworkAddons(first, 'Addons', { cluster });
    new TerraformOutput(first, 'group', { value: workers.nodegroupArn });
    app.synth();
    expect(nodes.dependencies).toEqual([]);
    expect(policiesOf(nodes)).toContain('AmazonEKS_CNI_Policy');
  });

  it('CoreDNS that comes before all nodes is refused', () => {
    const [app, first, nodes] = stacks();
    const cluster = newCluster(first, bare);
    new ClusterNetworkAddons(first, 'Addons', { cluster });
    new ManagedNodeGroup(nodes, 'Workers', { cluster, subnets });
    expect(() => {
      app.synth();
    }).toThrow('the node group nodes/Workers/Resource comes with another stack, which is deployed after this one');
  });
});
