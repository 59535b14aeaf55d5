// CDK Terrain: the same checks and constructs as in examples/cdktf, under the names of its packages. `MISCONFIGURED=1 npx cdktn synth` fails.
import { EksCluster } from '@cdktn/provider-aws/lib/eks-cluster';
import { EksNodeGroup } from '@cdktn/provider-aws/lib/eks-node-group';
import { AwsProvider } from '@cdktn/provider-aws/lib/provider';
import { App, TerraformStack } from 'cdktn';
import { ClusterNetworkAddons, EksGuardrails, ManagedNodeGroup } from 'eks-guardrails/cdktn';

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
// The cluster starts without the add-ons that EKS installs by itself. CoreDNS waits for nodes.
new ClusterNetworkAddons(stack, 'Network', { cluster });
new ManagedNodeGroup(stack, 'Workers', { cluster, subnets, instanceTypes: ['m6i.large'] });

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
