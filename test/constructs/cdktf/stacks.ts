import { EksCluster, type EksClusterConfig } from '@cdktf/provider-aws/lib/eks-cluster';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { App, TerraformStack, Testing } from 'cdktf';
import type { Construct } from 'constructs';

/** Arguments of a resource, as they are written. */
export type Arguments = Readonly<Record<string, unknown>>;

export function newStack(region = 'eu-west-1', app = new App(), id = 'Test'): TerraformStack {
  const stack = new TerraformStack(app, id);
  new AwsProvider(stack, 'Aws', {
    region,
    accessKey: 'mock',
    secretKey: 'mock',
    skipCredentialsValidation: true,
    skipRequestingAccountId: true,
    skipMetadataApiCheck: 'true',
  });
  return stack;
}

function clusterRole(scope: Construct, id: string): IamRole {
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'eks.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  };
  return new IamRole(scope, id, {
    assumeRolePolicy: JSON.stringify(trust),
    managedPolicyArns: ['arn:aws:iam::aws:policy/AmazonEKSClusterPolicy'],
  });
}

/** Has a stack ask for a version of the AWS provider. */
export function withProvider(stack: TerraformStack, version = '6.56.0'): TerraformStack {
  stack.addOverride('terraform.required_providers.aws.version', version);
  return stack;
}

/** A cluster of the stack, with its role. */
export function newCluster(scope: Construct, options: Partial<EksClusterConfig> = {}, id = 'Cluster'): EksCluster {
  return new EksCluster(scope, id, {
    name: scope instanceof TerraformStack ? 'main' : scope.node.id,
    roleArn: clusterRole(scope, `${id}Role`).arn,
    version: '1.34',
    vpcConfig: { subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'] },
    ...options,
  });
}

export const ipv6 = { kubernetesNetworkConfig: { ipFamily: 'ipv6' } };

/** The resources of a type, by name; with the validations of the constructs. */
export function resourcesOf(stack: TerraformStack, type: string): Readonly<Record<string, Arguments>> {
  const { resource } = JSON.parse(Testing.synth(stack, true)) as {
    resource?: Readonly<Record<string, Readonly<Record<string, Arguments>>>>;
  };
  return resource?.[type] ?? {};
}

/** The arguments of the add-on of a name. */
export function addonOf(stack: TerraformStack, name = 'vpc-cni'): Arguments {
  const found = Object.values(resourcesOf(stack, 'aws_eks_addon')).find((addon) => addon['addon_name'] === name);
  if (found === undefined) throw new Error(`no add-on ${name}`);
  return found;
}
