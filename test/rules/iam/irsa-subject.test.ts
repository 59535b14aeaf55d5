import { irsaSubject } from '../../../lib/rules/iam/irsa-subject';
import { testRule } from '../rule-tester';

const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';
const HEAD = 'Parameters:\n  Subject:\n    Type: String\n';

const role = (subject: string, operator = 'StringEquals') => [
  '  Role:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument:',
  "        Version: '2012-10-17'",
  '        Statement:',
  '          - Effect: Allow',
  `            Principal: { Federated: arn:aws:iam::111122223333:oidc-provider/${ISSUER} }`,
  '            Action: sts:AssumeRoleWithWebIdentity',
  '            Condition:',
  `              ${operator}:`,
  `                ${ISSUER}:sub: ${subject}`,
  '              ForAllValues:StringEquals:',
  `                ${ISSUER}:aud: sts.amazonaws.com`,
];

const POD_ROLE = [
  '  Role:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument:',
  "        Version: '2012-10-17'",
  '        Statement:',
  '          - Effect: Allow',
  '            Principal: { Service: pods.eks.amazonaws.com }',
  '            Action: [sts:AssumeRole, sts:TagSession]',
];

const addon = (name = 'vpc-cni', arn = '!GetAtt Role.Arn') => [
  '  Cni:',
  '    Type: AWS::EKS::Addon',
  '    Properties:',
  '      ClusterName: demo',
  `      AddonName: ${name}`,
  `      ServiceAccountRoleArn: ${arn}`,
];

/** As CDK renders a service account: the manifest is JSON text with the role's ARN joined in. */
const manifest = (name: string, namespace: string) => [
  '  Account:',
  '    Type: Custom::AWSCDK-EKS-KubernetesResource',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: demo',
  '      Manifest:',
  '        Fn::Join:',
  "          - ''",
  `          - - '[{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"${name}","namespace":"${namespace}","annotations":{"eks.amazonaws.com/role-arn":"'`,
  '            - !GetAtt Role.Arn',
  `            - '"}}}]'`,
];

const chart = (name: string, namespace: string) => [
  '  Chart:',
  '    Type: Custom::AWSCDK-EKS-HelmChart',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: demo',
  '      Release: lbc',
  '      Chart: aws-load-balancer-controller',
  `      Namespace: ${namespace}`,
  '      Values:',
  '        Fn::Join:',
  "          - ''",
  `          - - '{"clusterName":"demo","serviceAccount":{"name":"${name}","annotations":{"eks.amazonaws.com/role-arn":"'`,
  '            - !GetAtt Role.Arn',
  `            - '"}}}'`,
];

const association = (namespace: string, account: string) => [
  '  Association:',
  '    Type: AWS::EKS::PodIdentityAssociation',
  '    Properties:',
  '      ClusterName: demo',
  `      Namespace: ${namespace}`,
  `      ServiceAccount: ${account}`,
  '      RoleArn: !GetAtt Role.Arn',
];

const template = (...parts: (readonly string[])[]) => ['Resources:', ...parts.flat(), ''].join('\n');

const AWS_NODE = 'system:serviceaccount:kube-system:aws-node';

const STAGE = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n';

testRule(irsaSubject, {
  valid: [
    {
      name: 'a subject that fits where the add-on is created passes',
      template: STAGE + template(addon().map((line) => (line === '    Properties:' ? `    Condition: IsProd\n${line}` : line)), role(`!If [IsProd, "${AWS_NODE}", "system:serviceaccount:x:y"]`)),
    },
    { name: 'the subject of aws-node passes', template: template(addon(), role(AWS_NODE)) },
    { name: 'one right subject of two passes', template: template(addon(), role(`['system:serviceaccount:default:aws-node', '${AWS_NODE}']`)) },
    { name: 'a pattern that takes it in passes', template: template(addon(), role('system:serviceaccount:kube-system:aws-*', 'StringLike')) },
    { name: 'a service account in its own namespace passes', template: template(manifest('web', 'apps'), role('system:serviceaccount:apps:web')) },
    { name: 'the load balancer controller passes', template: template(chart('aws-load-balancer-controller', 'kube-system'), role('system:serviceaccount:kube-system:aws-load-balancer-controller')) },
  ],
  invalid: [
    {
      name: 'of the branches of the subject the other one fails and is named',
      also: ['vpc-cni-role-ip-family'],
      template: STAGE + template(addon(), role(`!If [IsProd, "${AWS_NODE}", "system:serviceaccount:x:y"]`)),
      fixed: STAGE + template(addon(), role(AWS_NODE)),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub`, says: ['trusts system:serviceaccount:x:y', 'IsProd is false'] }],
    },
    {
      name: 'an association that is created under a condition only helps there',
      also: ['pod-identity-trust-policy', 'vpc-cni-role-ip-family'],
      template: STAGE + template(addon(), association('kube-system', 'aws-node').map((line) => (line === '    Properties:' ? `    Condition: IsProd\n${line}` : line)), role('system:serviceaccount:default:aws-node')),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub`, says: ['IsProd is false'] }],
    },
    {
      name: 'aws-node in another namespace fails',
      also: ['vpc-cni-role-ip-family'],
      template: template(addon(), role('system:serviceaccount:default:aws-node')),
      fixed: template(addon(), role(AWS_NODE)),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub`, says: ['default:aws-node', AWS_NODE, 'no node becomes ready'] }],
    },
    {
      name: 'another pattern fails',
      also: ['vpc-cni-role-ip-family'],
      template: template(addon(), role('system:serviceaccount:apps:aws-*', 'StringLike')),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'a role for Pod Identity in ServiceAccountRoleArn fails',
      also: ['vpc-cni-role-ip-family'],
      template: template(addon(), POD_ROLE),
      findings: [{ message: 'no-web-identity', severity: 'error', resource: 'Role', at: 'Role:\n', says: ['no service account tokens'] }],
    },
    {
      name: 'a service account in another namespace than the role expects fails',
      template: template(manifest('external-dns', 'default'), role('system:serviceaccount:kube-system:external-dns')),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub`, says: ['default:external-dns'] }],
    },
    {
      name: 'an association for another service account changes nothing',
      also: ['pod-identity-trust-policy'],
      template: template(manifest('web', 'apps'), association('apps', 'api'), role('system:serviceaccount:default:web')),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'a chart with another service account fails',
      template: template(chart('controller', 'kube-system'), role('system:serviceaccount:kube-system:aws-load-balancer-controller')),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub`, says: ['kube-system:controller'] }],
    },
  ],
  unverifiable: [
    { name: 'a role outside the input', template: template(addon('vpc-cni', 'arn:aws:iam::111122223333:role/elsewhere')), resources: ['Cni'], because: 'role/elsewhere' },
    { name: 'a subject from a parameter', template: HEAD + template(addon(), role('!Ref Subject')), resources: ['Role'], because: AWS_NODE },
  ],
  notApplicable: [
    { name: 'a subject that can match nothing, which irsa-trust-policy reports', template: template(addon(), role('system:serviceaccount:kube-system:*')) },
    { name: 'other add-ons, whose namespace can be chosen', template: template(addon('aws-ebs-csi-driver'), role('system:serviceaccount:storage:ebs-csi-controller-sa')) },
    { name: 'a role that nothing uses', template: template(role('system:serviceaccount:default:aws-node')) },
    { name: 'a service account with a Pod Identity association, which CDK annotates all the same', template: template(manifest('web', 'apps'), association('apps', 'web'), POD_ROLE) },
    { name: 'an add-on with a separate association for aws-node', template: template(addon(), association('kube-system', 'aws-node'), POD_ROLE) },
    {
      name: 'an add-on that has a Pod Identity association too',
      template: template([...addon(), '      PodIdentityAssociations:', '        - ServiceAccount: aws-node', '          RoleArn: !GetAtt Role.Arn'], POD_ROLE),
    },
  ],
});
