import { podIdentityCompute } from '../../../lib/rules/iam/pod-identity-compute';
import { addon, block, manifest, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { clusterWith, groupWith } from './role-templates';

const CLUSTER = clusterWith();
const AGENT = addon('Agent', 'AddonName: eks-pod-identity-agent');
const NODES = groupWith('arn:aws:iam::111122223333:role/nodes');
const association = (account = 'web', namespace = 'apps') =>
  block('Association', 'AWS::EKS::PodIdentityAssociation', [
    'ClusterName: !Ref Cluster',
    `Namespace: ${namespace}`,
    `ServiceAccount: ${account}`,
    'RoleArn: arn:aws:iam::111122223333:role/web',
  ]);
const profile = (...selectors: readonly string[]) =>
  block('Profile', 'AWS::EKS::FargateProfile', [
    'ClusterName: !Ref Cluster',
    'PodExecutionRoleArn: arn:aws:iam::111122223333:role/fargate',
    `Selectors: [${selectors.join(', ')}]`,
  ]);
const APPS = '{ Namespace: apps }';
const pods = (kind: string, template: object, metadata = {}) =>
  manifest('Pods', {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'apps', ...metadata },
    spec: { template },
  });
const spec = { serviceAccountName: 'web', containers: [{ name: 'web', image: 'web' }] };
const PARAMETER = 'Parameters:\n  Given:\n    Type: String\n';
const CONDITION = `${PARAMETER}Conditions:\n  IsProd: !Equals [!Ref Given, prod]\n`;
const ebs = (...properties: readonly string[]) =>
  addon(
    'Ebs',
    'AddonName: aws-ebs-csi-driver',
    'PodIdentityAssociations: [{ ServiceAccount: ebs-csi-controller-sa, RoleArn: arn:aws:iam::111122223333:role/ebs }]',
    ...properties,
  );

testRule(podIdentityCompute, {
  valid: [
    {
      name: 'a profile with a pattern for another namespace passes, however many wildcards it has',
      template: resources(
        CLUSTER,
        AGENT,
        NODES,
        association('web', 'a'.repeat(63)),
        profile(`{ Namespace: '${'*a'.repeat(30)}b' }`),
      ),
    },
    {
      name: 'a profile that takes pods with certain labels only',
      template: resources(
        CLUSTER,
        AGENT,
        NODES,
        association(),
        profile('{ Namespace: apps, Labels: [{ Key: compute, Value: fargate }] }'),
      ),
    },
    {
      name: 'a profile for another namespace',
      template: resources(CLUSTER, AGENT, NODES, association(), profile('{ Namespace: batch }')),
    },
    {
      name: 'aws-node, which is on each node and never on Fargate',
      template: resources(
        CLUSTER,
        AGENT,
        NODES,
        association('aws-node', 'kube-system'),
        profile('{ Namespace: kube-system }'),
      ),
    },
    {
      name: 'a DaemonSet, of which Fargate has no pods',
      template: resources(CLUSTER, AGENT, NODES, association(), profile(APPS), pods('DaemonSet', { spec })),
    },
    {
      name: 'pods that stay away from Fargate by their annotation',
      template: resources(
        CLUSTER,
        AGENT,
        NODES,
        association(),
        profile(APPS),
        pods('Deployment', { metadata: { annotations: { 'eks.amazonaws.com/compute-type': 'ec2' } }, spec }),
      ),
    },
    {
      name: 'pods on Windows that run as another service account',
      template: resources(
        CLUSTER,
        AGENT,
        NODES,
        association(),
        pods('Deployment', { spec: { serviceAccountName: 'iis', nodeSelector: { 'kubernetes.io/os': 'windows' } } }),
      ),
    },
    {
      name: 'a profile that exists where the association does not',
      template: template(
        `${CONDITION}  IsTest: !Not [!Condition IsProd]\n`,
        CLUSTER,
        AGENT,
        NODES,
        onCondition('IsProd', association()),
        onCondition('IsTest', profile(APPS)),
      ),
    },
  ],
  invalid: [
    {
      name: 'a profile that takes the namespace fails',
      template: resources(CLUSTER, AGENT, NODES, association(), profile(APPS)),
      fixed: resources(
        CLUSTER,
        AGENT,
        NODES,
        association(),
        profile('{ Namespace: apps, Labels: [{ Key: compute, Value: fargate }] }'),
      ),
      findings: [
        {
          message: 'fargate',
          severity: 'error',
          resource: 'Association',
          at: 'Association:\n',
          says: ['apps/web', 'Profile'],
          related: ['Profile:'],
        },
      ],
    },
    {
      name: 'a profile with a wildcard fails',
      template: resources(CLUSTER, AGENT, NODES, association(), profile("{ Namespace: 'a*' }")),
      findings: [{ message: 'fargate', severity: 'error', resource: 'Association', at: 'Association:\n' }],
    },
    {
      name: 'the controller of an add-on in a namespace on Fargate fails',
      template: resources(CLUSTER, AGENT, NODES, ebs(), profile('{ Namespace: kube-system }')),
      findings: [
        {
          message: 'fargate',
          severity: 'error',
          resource: 'Ebs',
          at: '{ ServiceAccount: ebs',
          says: ['kube-system/ebs-csi-controller-sa'],
        },
      ],
    },
    {
      name: 'pods that ask for Windows are a warning',
      template: resources(
        CLUSTER,
        AGENT,
        NODES,
        association(),
        pods('Deployment', { spec: { ...spec, nodeSelector: { 'kubernetes.io/os': 'windows' } } }),
      ),
      findings: [
        { message: 'windows', severity: 'warning', resource: 'Association', at: 'Association:\n', says: ['Windows'] },
      ],
    },
    {
      name: 'an association under the condition of the profile',
      template: template(
        CONDITION,
        CLUSTER,
        AGENT,
        NODES,
        onCondition('IsProd', association()),
        onCondition('IsProd', profile(APPS)),
      ),
      findings: [{ message: 'fargate', severity: 'error', resource: 'Association', at: 'Association:\n' }],
    },
  ],
  unverifiable: [
    {
      name: 'a namespace from a parameter',
      template: template(PARAMETER, CLUSTER, AGENT, NODES, association('web', '!Ref Given'), profile(APPS)),
      resources: ['Association'],
      because: 'Given',
    },
    {
      name: 'a profile whose namespace is a parameter',
      template: template(PARAMETER, CLUSTER, AGENT, NODES, association(), profile('{ Namespace: !Ref Given }')),
      resources: ['Association'],
      because: 'Fargate',
    },
    {
      name: 'a profile under a condition',
      template: template(CONDITION, CLUSTER, AGENT, NODES, association(), onCondition('IsProd', profile(APPS))),
      resources: ['Association'],
      because: 'Fargate',
    },
  ],
  notApplicable: [
    { name: 'no association', template: resources(CLUSTER, AGENT, profile(APPS)) },
    {
      name: 'an add-on without association',
      template: resources(CLUSTER, AGENT, addon('Ebs', 'AddonName: aws-ebs-csi-driver'), profile(APPS)),
    },
  ],
});
