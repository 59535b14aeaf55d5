import { podIdentityAndIrsa } from '../../../lib/rules/iam/pod-identity-and-irsa';
import { addon, block, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { clusterWith } from './role-templates';

const IRSA = 'ServiceAccountRoleArn: arn:aws:iam::111122223333:role/irsa';
const PODS = [
  'PodIdentityAssociations:',
  '  - ServiceAccount: ebs-csi-controller-sa',
  '    RoleArn: arn:aws:iam::111122223333:role/pods',
];
const ebs = (...properties: readonly string[]) => addon('Ebs', 'AddonName: aws-ebs-csi-driver', ...properties);
const association = (account: string, role = 'arn:aws:iam::111122223333:role/pods', cluster = '!Ref Cluster') =>
  block('Association', 'AWS::EKS::PodIdentityAssociation', [
    `ClusterName: ${cluster}`,
    'Namespace: kube-system',
    `ServiceAccount: ${account}`,
    `RoleArn: ${role}`,
  ]);
const CLUSTER = clusterWith();
const PARAMETER = 'Parameters:\n  Given:\n    Type: String\n';
const CONDITION = `${PARAMETER}Conditions:\n  IsNew: !Equals [!Ref Given, new]\n`;

const AGENT = block('Agent', 'AWS::EKS::Addon', ['ClusterName: !Ref Cluster', 'AddonName: eks-pod-identity-agent']);

testRule(podIdentityAndIrsa, {
  valid: [
    {
      name: 'one role for both, so that it makes no difference which is used',
      template: resources(CLUSTER, ebs(IRSA, ...PODS.map((line) => line.replace('role/pods', 'role/irsa')))),
    },
    { name: 'a service account role alone', template: resources(CLUSTER, ebs(IRSA)) },
    { name: 'an empty list of associations', template: resources(CLUSTER, ebs(IRSA, 'PodIdentityAssociations: []')) },
    {
      name: 'an association for another service account',
      template: resources(CLUSTER, ebs(IRSA), association('ebs-csi-snapshots')),
    },
    {
      name: 'one or the other, by a condition',
      template: template(
        CONDITION,
        CLUSTER,
        ebs(
          'ServiceAccountRoleArn: !If [IsNew, !Ref AWS::NoValue, arn:aws:iam::111122223333:role/irsa]',
          'PodIdentityAssociations:',
          '  !If [IsNew, [{ ServiceAccount: ebs-csi-controller-sa, RoleArn: arn:aws:iam::111122223333:role/pods }], !Ref AWS::NoValue]',
        ),
      ),
    },
    {
      name: 'an association that exists where the add-on does not',
      template: template(
        `${CONDITION}  IsOld: !Not [!Condition IsNew]\n`,
        CLUSTER,
        onCondition('IsOld', ebs(IRSA)),
        onCondition('IsNew', association('ebs-csi-controller-sa')),
      ),
    },
  ],
  invalid: [
    {
      name: 'both on an add-on',
      template: resources(CLUSTER, ebs(IRSA, ...PODS)),
      fixed: resources(CLUSTER, ebs(...PODS)),
      findings: [
        {
          message: 'both',
          severity: 'warning',
          resource: 'Ebs',
          at: 'ServiceAccountRoleArn',
          says: ['role/irsa', 'role/pods', 'an association of its own'],
          related: ['ServiceAccount: ebs-csi-controller-sa'],
        },
      ],
    },
    {
      name: 'both on an add-on, and an add-on for the agent, so that one role can go',
      template: resources(CLUSTER, AGENT, ebs(IRSA, ...PODS)),
      findings: [
        {
          message: 'both',
          severity: 'warning',
          resource: 'Ebs',
          at: 'ServiceAccountRoleArn',
          advises: 'as add-on Agent sees to',
        },
      ],
    },
    {
      name: 'an association beside the add-on',
      template: resources(CLUSTER, ebs(IRSA), association('ebs-csi-controller-sa')),
      findings: [
        {
          message: 'both',
          severity: 'warning',
          resource: 'Ebs',
          at: 'ServiceAccountRoleArn',
          says: ['Association'],
          related: ['Association:'],
        },
      ],
    },
    {
      name: 'an association under a condition',
      template: template(CONDITION, CLUSTER, ebs(IRSA), onCondition('IsNew', association('ebs-csi-controller-sa'))),
      findings: [
        { message: 'both', severity: 'warning', resource: 'Ebs', at: 'ServiceAccountRoleArn', says: ['IsNew is true'] },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'an association beside the add-on, whose role may be the same',
      template: template(PARAMETER, CLUSTER, ebs(IRSA), association('ebs-csi-controller-sa', '!Ref Given')),
      resources: ['Ebs'],
      because: 'same role',
    },
    {
      name: 'a service account role from a parameter, which may be empty',
      template: template(PARAMETER, CLUSTER, ebs('ServiceAccountRoleArn: !Ref Given', ...PODS)),
      resources: ['Ebs'],
      because: 'Given',
    },
    {
      name: 'associations from a parameter',
      template: template(PARAMETER, CLUSTER, ebs(IRSA, 'PodIdentityAssociations: !Ref Given')),
      resources: ['Ebs'],
      because: 'associations',
    },
  ],
  notApplicable: [
    { name: 'Pod Identity alone', template: resources(CLUSTER, ebs(...PODS)) },
    { name: 'neither', template: resources(CLUSTER, ebs()) },
  ],
});
