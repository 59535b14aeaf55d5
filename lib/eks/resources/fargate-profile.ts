import { asArguments, type ResourceTable } from './table';

export const FARGATE_PROFILE = {
  cloudFormation: ['AWS::EKS::FargateProfile'],
  terraform: ['aws_eks_fargate_profile'],
  eksctl: ['fargateProfiles'],
  settings: {
    cluster: { type: 'cluster', cloudFormation: 'ClusterName', terraform: 'cluster_name' },
    subnets: { type: 'subnets', cloudFormation: 'Subnets', terraform: 'subnet_ids' },
    // Of labels it counts whether there are any.
    selectors: {
      type: 'blocks',
      cloudFormation: { code: 'Selectors' },
      terraform: { code: 'selector' },
      settings: {
        namespace: { type: 'text', cloudFormation: 'Namespace', terraform: 'namespace' },
        labels: { type: 'any', cloudFormation: { code: 'Labels' }, terraform: { code: 'labels' } },
      },
    },
  },
} as const satisfies ResourceTable;

export const CDK_FARGATE_PROFILE = asArguments(FARGATE_PROFILE, 'Custom::AWSCDK-EKS-FargateProfile');
