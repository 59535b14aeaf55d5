import { Fn, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnAddon } from 'aws-cdk-lib/aws-eks';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * The role of the VPC CNI was copied from an IPv6 cluster. On this IPv4 cluster it may not assign an address, and
 * aws-node repeats "Retrying waiting for IPAM-D" on every new node. The trust policy names the wrong namespace besides.
 */
export class CniRoleStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const cluster = new eks.Cluster(this, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    const issuer = 'oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE0123456789';
    const role = new iam.Role(this, 'VpcCniRole', {
      assumedBy: new iam.FederatedPrincipal(
        Fn.sub(`arn:\${AWS::Partition}:iam::\${AWS::AccountId}:oidc-provider/${issuer}`),
        {
          StringEquals: {
            [`${issuer}:aud`]: 'sts.amazonaws.com',
            [`${issuer}:sub`]: 'system:serviceaccount:default:aws-node',
          },
        },
        'sts:AssumeRoleWithWebIdentity',
      ),
      managedPolicies: [
        new iam.ManagedPolicy(this, 'VpcCniPolicy', {
          statements: [
            new iam.PolicyStatement({
              actions: [
                'ec2:AssignIpv6Addresses',
                'ec2:DescribeInstances',
                'ec2:DescribeInstanceTypes',
                'ec2:DescribeNetworkInterfaces',
                'ec2:DescribeSubnets',
                'ec2:DescribeTags',
              ],
              resources: ['*'],
            }),
            new iam.PolicyStatement({
              actions: ['ec2:CreateTags'],
              resources: ['arn:aws:ec2:*:*:network-interface/*'],
            }),
          ],
        }),
      ],
    });
    new CfnAddon(this, 'VpcCni', {
      clusterName: cluster.clusterName,
      addonName: 'vpc-cni',
      addonVersion: 'v1.21.1-eksbuild.5',
      resolveConflicts: 'PRESERVE',
      serviceAccountRoleArn: role.roleArn,
    });
  }
}
