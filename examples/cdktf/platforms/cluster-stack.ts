import { EksCluster, type EksClusterConfig } from '@cdktf/provider-aws/lib/eks-cluster';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';

/** What the platforms here have in common: a VPC that another configuration makes, and clusters without copies that the add-ons would have to take over. */
export class ClusterStack extends TerraformStack {
  readonly vpcId = 'vpc-0123456789abcdef0';
  readonly subnets = ['subnet-0123456789abcdef0', 'subnet-0fedcba9876543210'];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    new AwsProvider(this, 'Aws', { region: 'eu-central-1' });
  }

  /** A cluster with its role. */
  addCluster(options: Partial<EksClusterConfig> = {}, policies = ['AmazonEKSClusterPolicy']): EksCluster {
    const role = this.addRole('ClusterRole', 'eks.amazonaws.com', policies);
    return new EksCluster(this, 'Cluster', {
      name: this.node.id,
      version: '1.35',
      roleArn: role.arn,
      accessConfig: { authenticationMode: 'API' },
      bootstrapSelfManagedAddons: false,
      // Nothing chosen means extended support, at six times the price.
      upgradePolicy: { supportType: 'STANDARD' },
      vpcConfig: { subnetIds: this.subnets },
      dependsOn: [role, ...this.node.children.filter((child) => child instanceof IamRolePolicyAttachment)],
      ...options,
    });
  }

  /** A role that a service assumes, with policies that AWS manages. */
  addRole(id: string, service: string, policies: readonly string[]): IamRole {
    const Action = ['sts:AssumeRole', 'sts:TagSession'];
    const Statement = [{ Effect: 'Allow', Principal: { Service: service }, Action }];
    const role = new IamRole(this, id, { assumeRolePolicy: JSON.stringify({ Version: '2012-10-17', Statement }) });
    for (const name of policies)
      new IamRolePolicyAttachment(this, name, { role: role.name, policyArn: `arn:aws:iam::aws:policy/${name}` });
    return role;
  }
}
