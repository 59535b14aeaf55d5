import { loadBalancerControllerImds } from '../../../lib/rules/iam/load-balancer-controller-imds';
import {
  block,
  CLUSTER,
  cluster,
  launchTemplate,
  manifest,
  metadataOptions,
  nodeGroup,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { chart, LOAD_BALANCER_CONTROLLER as NAME } from './controller-templates';

const controller = (values: object = {}) => chart('Controller', NAME, '1.13.0', { clusterName: 'main', ...values });
const GIVEN = { vpcId: 'vpc-1', region: 'eu-west-1' };

const fargate = (namespace: string, labels = '') =>
  block('Profile', 'AWS::EKS::FargateProfile', [
    'ClusterName: !Ref Cluster',
    'PodExecutionRoleArn: arn:aws:iam::111122223333:role/pods',
    `Selectors: [{ Namespace: ${namespace}${labels} }]`,
  ]);
const AUTO = cluster("Version: '1.33'", 'ComputeConfig: { Enabled: true }');

const deployment = (args: readonly string[], more: object = {}) =>
  manifest('Controller', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system' },
    spec: {
      template: {
        spec: { containers: [{ name: 'controller', image: `public.ecr.aws/eks/${NAME}:v2.13.0`, args }], ...more },
      },
    },
  });

const FARGATE = { message: 'fargate', severity: 'error', resource: 'Controller', at: 'Controller:' } as const;

testRule(loadBalancerControllerImds, {
  valid: [
    {
      name: 'on Fargate with VPC, region and a role',
      template: resources(
        CLUSTER,
        fargate('kube-system'),
        controller({
          ...GIVEN,
          serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/a' } },
        }),
      ),
    },
    {
      name: 'the VPC by its tags',
      template: resources(
        CLUSTER,
        fargate('kube-system'),
        controller({ vpcTags: { Name: 'main' }, region: 'eu-west-1', env: { AWS_ACCESS_KEY_ID: 'x' } }),
      ),
    },
    {
      name: 'on Auto Mode with what it needs',
      template: resources(
        AUTO,
        controller({
          ...GIVEN,
          serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/a' } },
        }),
      ),
    },
  ],
  invalid: [
    {
      name: 'on Fargate without its VPC',
      template: resources(CLUSTER, fargate('kube-system'), controller()),
      fixed: resources(
        CLUSTER,
        fargate('kube-system'),
        controller({
          ...GIVEN,
          serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/a' } },
        }),
      ),
      findings: [
        {
          ...FARGATE,
          says: ['without `vpcId`', 'failed to fetch VPC ID from instance metadata'],
          advises: '`vpcId` and `region`',
        },
      ],
    },
    {
      name: 'on Fargate by a manifest',
      template: resources(CLUSTER, fargate('kube-*'), deployment(['--cluster-name=main'])),
      findings: [{ ...FARGATE, says: ['--aws-vpc-id'] }],
    },
    {
      name: 'on Auto Mode alone',
      template: resources(AUTO, controller()),
      findings: [
        {
          message: 'auto-mode',
          severity: 'warning',
          resource: 'Controller',
          at: 'Controller:',
          says: ['Auto Mode', 'without `vpcId`'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'no nodes in the input',
      template: resources(CLUSTER, controller()),
      resources: ['Controller'],
      because: 'not part of the input',
    },
    {
      name: 'a cluster that is imported',
      template: resources(controller().replace('!Ref Cluster', 'main')),
      resources: ['Controller'],
      because: 'not part of the input',
    },
    {
      name: 'a hop limit that is decided at deployment',
      template: template(
        'Parameters:\n  Hops: { Type: Number }',
        CLUSTER,
        nodeGroup(USES_NODES),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: !Ref Hops'),
        controller(),
      ),
      resources: ['Controller'],
      because: '"Workers"',
    },
    {
      name: 'a Fargate profile for some pods',
      template: resources(CLUSTER, fargate('kube-system', ', Labels: [{ Key: a, Value: b }]'), controller()),
      resources: ['Controller'],
      because: 'Fargate',
    },
  ],
  notApplicable: [
    {
      name: 'a hop limit that the input tells is for imds-hop-limit',
      template: resources(CLUSTER, nodeGroup(), controller()),
    },
    {
      name: 'a launch template that sets it',
      template: resources(
        CLUSTER,
        nodeGroup(USES_NODES),
        metadataOptions('HttpTokens: required', 'HttpPutResponseHopLimit: 2'),
        controller(),
      ),
    },
    {
      name: 'the network of the host',
      template: resources(CLUSTER, fargate('kube-system'), controller({ hostNetwork: true })),
    },
    {
      name: 'the network of the host in a manifest',
      template: resources(CLUSTER, fargate('kube-system'), deployment([], { hostNetwork: true })),
    },
    { name: 'no controller', template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate()) },
    {
      name: 'whether it has a role depends on another service account',
      template: resources(
        CLUSTER,
        fargate('kube-system'),
        controller({ ...GIVEN, serviceAccount: { create: false, name: 'a' } }),
      ),
    },
  ],
});
