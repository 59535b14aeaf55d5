// CDK Terrain: the same checks and constructs as in examples/cdktf, under the names of its packages. `MISCONFIGURED=1 npx cdktn synth` fails.
import { EksAddon } from '@cdktn/provider-aws/lib/eks-addon';
import { EksCluster } from '@cdktn/provider-aws/lib/eks-cluster';
import { EksNodeGroup } from '@cdktn/provider-aws/lib/eks-node-group';
import { AwsProvider } from '@cdktn/provider-aws/lib/provider';
import { App, TerraformStack } from 'cdktn';
import { EksGuardrails, ManagedNodeGroup, VpcCniAddon } from 'eks-guardrails/cdktn';

const app = new App();
EksGuardrails.of(app);

const stack = new TerraformStack(app, 'Platform');
new AwsProvider(stack, 'Aws', { region: 'eu-central-1' });
const subnets = ['subnet-0123456789abcdef0', 'subnet-0fedcba9876543210'];
const cluster = new EksCluster(stack, 'Cluster', {
  name: 'platform',
  version: '1.35',
  roleArn: 'arn:aws:iam::111122223333:role/cluster',
  accessConfig: { authenticationMode: 'API' },
  bootstrapSelfManagedAddons: false,
  vpcConfig: { subnetIds: subnets },
  upgradePolicy: { supportType: 'STANDARD' },
});
new VpcCniAddon(stack, 'VpcCni', { cluster });
const workers = new ManagedNodeGroup(stack, 'Workers', { cluster, subnets, instanceTypes: ['m6i.large'] });
// The cluster starts without them, too; CoreDNS waits for nodes.
const common = { clusterName: cluster.name, resolveConflictsOnUpdate: 'PRESERVE', preserve: true };
new EksAddon(stack, 'KubeProxy', { ...common, addonName: 'kube-proxy', addonVersion: 'v1.35.3-eksbuild.19' });
new EksAddon(stack, 'CoreDns', {
  ...common,
  addonName: 'coredns',
  addonVersion: 'v1.14.3-eksbuild.14',
  dependsOn: [workers.nodegroup],
});

if (process.env.MISCONFIGURED !== undefined) {
  // Without a launch template AL2023 starts with a hop limit of 1, and there is no AL2023 image of this type for Graviton.
  new EksNodeGroup(stack, 'Batch', {
    clusterName: cluster.name,
    nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
    subnetIds: subnets,
    scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 1 },
    amiType: 'AL2023_x86_64_STANDARD',
    instanceTypes: ['m7g.large'],
  });
}

app.synth();
