import { eksctlIgnoredKey } from '../../../lib/rules/eksctl/eksctl-ignored-key';
import { config, managed, selfManaged } from '../../front-ends/eksctl/configs';
import { CLUSTER, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const FILE = 'cluster.yaml';

function idle(name: string, template: string, at: string) {
  return { name, template, findings: [{ message: 'idle', severity: 'warning', resource: FILE, at }] } as const;
}

testRule(eksctlIgnoredKey, {
  valid: [
    { name: 'keys as eksctl spells them', template: config(managed('disablePodIMDS: true')) },
    {
      name: 'Pod Identity in a fully private cluster whose VPC, or endpoints, the user makes',
      template: config(
        'privateCluster: {enabled: true, skipEndpointCreation: true}',
        'iam: {podIdentityAssociations: [{namespace: shop, serviceAccountName: web, roleARN: "arn:aws:iam::1:role/web"}]}',
        'addons: [{name: eks-pod-identity-agent}]',
        'vpc: {subnets: {private: {a: {id: subnet-1}, b: {id: subnet-2}}}}',
        managed('privateNetworking: true'),
      ),
    },
    {
      name: 'roles of add-ons that are made or updated in a cluster which is there',
      template: config(
        'addons: [{name: vpc-cni, serviceAccountRoleARN: "arn:aws:iam::1:role/cni"}, {name: aws-ebs-csi-driver, wellKnownPolicies: {ebsCSIController: true}}]',
        'addonsConfig: {disableDefaultAddons: true}',
      ),
    },
    { name: 'labels in any case', template: config(managed('labels: {Tier: a, tier: b}')) },
    { name: 'manifests behind it', template: `${config(managed())}---\napiVersion: v1\nkind: Namespace\n` },
    {
      name: 'what is no part of a ClusterConfig behind it',
      template: `${config(managed())}---\nmetadata: {}\nsize: 3\n`,
    },
    { name: 'an update of a managed group', template: config(managed('updateConfig: {maxUnavailable: 1}')) },
    {
      name: 'mappings of a cluster that reads them',
      template: config('iamIdentityMappings: [{arn: "arn:aws:iam::1:role/a", username: a}]', 'iam: {}'),
    },
  ],
  invalid: [
    idle(
      'Pod Identity in a fully private cluster, for which eksctl makes no endpoint',
      config(
        'privateCluster: {enabled: true}',
        'iam: {podIdentityAssociations: [{namespace: shop, serviceAccountName: web, roleARN: "arn:aws:iam::1:role/web"}]}',
        'addons: [{name: eks-pod-identity-agent}]',
        managed('privateNetworking: true'),
      ),
      'podIdentityAssociations',
    ),
    {
      name: 'groups in another case are never made',
      template: config('managedNodegroups: [{name: workers}]'),
      findings: [
        {
          message: 'case',
          severity: 'error',
          resource: FILE,
          at: 'managedNodegroups',
          says: ['managedNodeGroups', 'nothing of what stands there'],
          advises: '`managedNodeGroups`',
        },
      ],
      fixed: config('managedNodeGroups: [{name: workers}]'),
    },
    {
      name: 'what tells that it is a ClusterConfig, in another case',
      template: config(managed()).replace('apiVersion', 'ApiVersion'),
      findings: [{ message: 'case', severity: 'warning', resource: FILE, at: 'ApiVersion', says: ['apiVersion'] }],
    },
    {
      name: 'a setting in another case has no effect',
      template: config(managed('disablePodImds: true')),
      findings: [
        { message: 'case', severity: 'warning', resource: FILE, at: 'disablePodImds', says: ['disablePodIMDS'] },
      ],
    },
    {
      name: 'a second cluster',
      template: `${config(managed())}---\n${config(managed()).replace('name: shop', 'name: second')}`,
      findings: [
        {
          message: 'document',
          severity: 'warning',
          resource: FILE,
          at: 'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata:\n  name: second',
          says: ['second'],
        },
      ],
    },
    {
      name: 'groups behind the end of the document',
      template: `${config(managed())}---\nnodeGroups: [{name: batch}]\n`,
      findings: [
        {
          message: 'document',
          severity: 'warning',
          resource: FILE,
          at: 'nodeGroups',
          says: ['`nodeGroups` in this one'],
        },
      ],
    },
    idle('an update of a self-managed group', config(selfManaged('updateConfig: {maxUnavailable: 1}')), 'updateConfig'),
    idle(
      'max pods of managed Windows nodes',
      config(managed('amiFamily: WindowsServer2022CoreContainer', 'maxPodsPerNode: 20')),
      'maxPodsPerNode',
    ),
    idle(
      'mappings that nobody reads',
      config(
        'accessConfig: {authenticationMode: API}',
        'iamIdentityMappings: [{arn: "arn:aws:iam::1:role/a", username: a}]',
      ),
      'iamIdentityMappings',
    ),
    idle(
      'Karpenter in a cluster that does not read aws-auth',
      config('iam: {withOIDC: true}', 'karpenter: {version: 1.6.0}', 'accessConfig: {authenticationMode: API}'),
      'karpenter',
    ),
    idle(
      'the policies of an add-on without OIDC',
      config('addons: [{name: aws-ebs-csi-driver, wellKnownPolicies: {ebsCSIController: true}}]', managed()),
      'wellKnownPolicies',
    ),
    idle(
      'IMDSv1 beside a launch template',
      config(managed('launchTemplate: {id: lt-1}', 'disableIMDSv1: true')),
      'disableIMDSv1',
    ),
    idle(
      'a volume beside a launch template',
      config(managed('launchTemplate: {id: lt-1}', 'volumeType: gp3')),
      'volumeType',
    ),
  ],
  unverifiable: [],
  notApplicable: [{ name: 'a template', template: resources(CLUSTER) }],
});
