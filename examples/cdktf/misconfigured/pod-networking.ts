import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { EksNodeGroup } from '@cdktf/provider-aws/lib/eks-node-group';
import { IamPolicy } from '@cdktf/provider-aws/lib/iam-policy';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import type { Construct } from 'constructs';
import { ClusterStack } from '../cluster-stack';

const ADDON = { addonName: 'vpc-cni', addonVersion: 'v1.21.1-eksbuild.5', resolveConflictsOnUpdate: 'PRESERVE' };

/** The CNI's role comes from an IPv6 cluster, and can't hand out addresses on this one. Besides, it trusts a service account in another namespace. */
export class CniRoleStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const issuer = 'oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B716D3041E';
    const role = new IamRole(this, 'CniRole', {
      assumeRolePolicy: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sts:AssumeRoleWithWebIdentity',
            Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
            Condition: {
              StringEquals: {
                [`${issuer}:aud`]: 'sts.amazonaws.com',
                [`${issuer}:sub`]: 'system:serviceaccount:networking:aws-node',
              },
            },
          },
        ],
      }),
    });
    const policy = new IamPolicy(this, 'CniPolicy', {
      policy: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: [
              'ec2:AssignIpv6Addresses',
              'ec2:DescribeInstances',
              'ec2:DescribeTags',
              'ec2:DescribeNetworkInterfaces',
              'ec2:DescribeInstanceTypes',
            ],
            Resource: '*',
          },
          { Effect: 'Allow', Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:network-interface/*' },
        ],
      }),
    });
    new IamRolePolicyAttachment(this, 'CniPermissions', { role: role.name, policyArn: policy.arn });
    new EksAddon(this, 'VpcCni', { ...ADDON, clusterName: this.cluster.name, serviceAccountRoleArn: role.arn });
  }
}

/** Security groups for pods, switched on for nodes that have no trunk interface. */
export class PodSecurityGroupsStack extends ClusterStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new EksNodeGroup(this, 'Workers', {
      clusterName: this.cluster.name,
      nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
      subnetIds: this.subnetIds,
      scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 1 },
      amiType: 'BOTTLEROCKET_x86_64',
      instanceTypes: ['t3.large'],
    });
    new EksAddon(this, 'VpcCni', {
      ...ADDON,
      clusterName: this.cluster.name,
      configurationValues: JSON.stringify({ env: { ENABLE_POD_ENI: 'true' } }),
    });
  }
}
