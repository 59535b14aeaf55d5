import { EksCluster } from '@cdktf/provider-aws/lib/eks-cluster';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';

/** A stack with a provider and a cluster. */
export class ClusterStack extends TerraformStack {
  readonly subnetIds = ['subnet-0123456789abcdef0', 'subnet-0fedcba9876543210'];
  readonly cluster: EksCluster;

  /** @param bootstrapSelfManagedAddons whether EKS installs the network add-ons by itself, self-managed; else the stack must define them */
  constructor(scope: Construct, id: string, bootstrapSelfManagedAddons = true) {
    super(scope, id);
    new AwsProvider(this, 'Aws', { region: 'eu-central-1' });
    this.cluster = new EksCluster(this, 'Cluster', {
      name: id.toLowerCase(),
      version: '1.35',
      roleArn: 'arn:aws:iam::111122223333:role/cluster',
      accessConfig: { authenticationMode: 'API' },
      bootstrapSelfManagedAddons,
      kubernetesNetworkConfig: { serviceIpv4Cidr: '172.20.0.0/16' },
      vpcConfig: { subnetIds: this.subnetIds },
      upgradePolicy: { supportType: 'STANDARD' },
    });
  }
}
