import { AS_OF } from '../../as-of';
import { irsaSubject } from '../../../lib/rules/iam/irsa-subject';
import { modelOf } from '../models';
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

const addon = (name = 'vpc-cni', arn = '!GetAtt Role.Arn', ...more: readonly string[]) => [
  '  Cni:',
  '    Type: AWS::EKS::Addon',
  '    Properties:',
  '      ClusterName: demo',
  `      AddonName: ${name}`,
  `      ServiceAccountRoleArn: ${arn}`,
  ...more,
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

const chart = (
  name: string,
  namespace: string,
  chartName = 'aws-load-balancer-controller',
  values = '{"serviceAccount":{"name":"NAME","annotations":{"eks.amazonaws.com/role-arn":"ROLE"}}}',
  release = 'lbc',
) => [
  '  Chart:',
  '    Type: Custom::AWSCDK-EKS-HelmChart',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: demo',
  `      Release: ${release}`,
  `      Chart: ${chartName}`,
  `      Namespace: ${namespace}`,
  '      Values:',
  '        Fn::Join:',
  "          - ''",
  ...values
    .replace('NAME', name)
    .split('ROLE')
    .flatMap((piece, index) => [
      ...(index === 0 ? [] : ['            - !GetAtt Role.Arn']),
      `${index === 0 ? '          - -' : '            -'} '${piece}'`,
    ]),
];

/** Values that give a service account to a part of a chart, or to a chart in it. */
const PART_OF_CHART = '{"PART":{"serviceAccount":{"name":"NAME","annotations":{"eks.amazonaws.com/role-arn":"ROLE"}}}}';

/** Pods that run as a service account. */
const workload = (namespace: string, account: string) => [
  '  Pods:',
  '    Type: Custom::AWSCDK-EKS-KubernetesResource',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: demo',
  `      Manifest: '[{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"${namespace}"},"spec":{"template":{"spec":{"serviceAccountName":"${account}","containers":[{"name":"web","image":"web"}]}}}}]'`,
];

const IRSA = '"annotations":{"eks.amazonaws.com/role-arn":"ROLE"}';
const EC2_ROLE = [
  '  Role:',
  '    Type: AWS::IAM::Role',
  '    Properties:',
  '      AssumeRolePolicyDocument:',
  '        Statement:',
  '          - Effect: Allow',
  '            Principal: { Service: ec2.amazonaws.com }',
  '            Action: sts:AssumeRole',
];
const CONFIGURATION = (values: string) => `      ConfigurationValues: '${values}'`;

const association = (namespace: string, account: string) => [
  '  Association:',
  '    Type: AWS::EKS::PodIdentityAssociation',
  '    Properties:',
  '      ClusterName: demo',
  `      Namespace: ${namespace}`,
  `      ServiceAccount: ${account}`,
  '      RoleArn: !GetAtt Role.Arn',
];

/** The role by a name, as ARNs that are written out have it. */
const called = (name: string, lines: readonly string[]) =>
  lines.flatMap((line) => (line === '    Properties:' ? [line, `      RoleName: ${name}`] : [line]));

const objectOf = (object: object) => [
  '  Object:',
  '    Type: Custom::AWSCDK-EKS-KubernetesResource',
  '    Properties:',
  '      ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
  '      ClusterName: demo',
  `      Manifest: '${JSON.stringify([object])}'`,
];
const accountWith = (arn: string) =>
  objectOf({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'web', namespace: 'apps', annotations: { 'eks.amazonaws.com/role-arn': arn } },
  });
const WEB_ARN = 'arn:aws:iam::111122223333:role/path/web';
const flux = (arn: string) =>
  objectOf({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'lbc', namespace: 'flux-system' },
    spec: {
      targetNamespace: 'kube-system',
      chart: { spec: { chart: 'aws-load-balancer-controller', version: '1.13.4' } },
      values: { serviceAccount: { name: 'lbc', annotations: { 'eks.amazonaws.com/role-arn': arn } } },
    },
  });

/** The load balancer controller with the ARN of a role written out. */
const literalChart = (arn: string, more = '') =>
  chart(
    '',
    'kube-system',
    'aws-load-balancer-controller',
    `{"serviceAccount":{"annotations":{"eks.amazonaws.com/role-arn":"${arn}"}${more}}}`,
  );

const template = (...parts: (readonly string[])[]) => ['Resources:', ...parts.flat(), ''].join('\n');

const AWS_NODE = 'system:serviceaccount:kube-system:aws-node';

const STAGE = 'Parameters:\n  Stage:\n    Type: String\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]\n';

const FARGATE = [
  '  Profile:',
  '    Type: AWS::EKS::FargateProfile',
  '    Properties:',
  '      ClusterName: demo',
  '      PodExecutionRoleArn: arn:aws:iam::111122223333:role/fargate',
  '      Selectors: [{ Namespace: kube-system }]',
];

/** The driver of EBS with one role for both of its service accounts. */
const EBS_CHART = chart(
  '',
  'kube-system',
  'aws-ebs-csi-driver',
  `{"controller":{"serviceAccount":{${IRSA}}},"node":{"serviceAccount":{${IRSA}}}}`,
);

testRule(irsaSubject, {
  valid: [
    {
      name: 'a role whose ARN is written out, and that trusts the service account',
      template: template(
        workload('apps', 'web'),
        accountWith(WEB_ARN),
        called('web', role('system:serviceaccount:apps:web')),
      ),
    },
    {
      name: 'a chart that Flux installs with the role for its service account',
      template: template(flux(WEB_ARN), called('web', role('system:serviceaccount:kube-system:lbc'))),
    },
    {
      name: 'a subject that fits where the add-on is created passes',
      template:
        STAGE +
        template(
          addon().map((line) => (line === '    Properties:' ? `    Condition: IsProd\n${line}` : line)),
          role(`!If [IsProd, "${AWS_NODE}", "system:serviceaccount:x:y"]`),
        ),
    },
    { name: 'the subject of aws-node passes', template: template(addon(), role(AWS_NODE)) },
    {
      name: 'one right subject of two passes',
      template: template(addon(), role(`['system:serviceaccount:default:aws-node', '${AWS_NODE}']`)),
    },
    {
      name: 'a pattern that takes it in passes',
      template: template(addon(), role('system:serviceaccount:kube-system:aws-*', 'StringLike')),
    },
    {
      name: 'a service account in its own namespace passes',
      template: template(manifest('web', 'apps'), role('system:serviceaccount:apps:web')),
    },
    {
      name: 'of several service accounts one is enough',
      template: template(addon('aws-efs-csi-driver'), role('system:serviceaccount:kube-system:efs-csi-node-sa')),
    },
    {
      name: 'a pattern for the service accounts of a driver passes',
      template: template(
        addon('aws-efs-csi-driver'),
        role('system:serviceaccount:kube-system:efs-csi-*', 'StringLike'),
      ),
    },
    {
      name: 'an add-on in its own namespace passes',
      template: template(addon('external-dns'), role('system:serviceaccount:external-dns:external-dns')),
    },
    {
      name: 'an add-on in a namespace of choice passes',
      template: template(
        addon('aws-ebs-csi-driver', undefined, '      NamespaceConfig:', '        Namespace: storage'),
        role('system:serviceaccount:storage:ebs-csi-controller-sa'),
      ),
    },
    {
      name: 'a chart without a name for its service account calls it after the release',
      template: template(
        chart('', 'kube-system', undefined, `{"serviceAccount":{${IRSA}}}`),
        role('system:serviceaccount:kube-system:lbc-aws-load-balancer-controller'),
      ),
    },
    {
      name: 'a release that is called after the chart is the name of the service account',
      template: template(
        chart(
          '',
          'karpenter',
          'oci://public.ecr.aws/karpenter/karpenter',
          `{"serviceAccount":{"name":"",${IRSA}}}`,
          'karpenter',
        ),
        role('system:serviceaccount:karpenter:karpenter'),
      ),
    },
    {
      name: 'an override of the full name counts',
      template: template(
        chart('', 'dns', 'external-dns', `{"fullnameOverride":"dns","serviceAccount":{${IRSA}}}`),
        role('system:serviceaccount:dns:dns'),
      ),
    },
    {
      name: "a driver's chart with a name of its own passes",
      template: template(
        chart('', 'kube-system', 'aws-ebs-csi-driver', `{"controller":{"serviceAccount":{${IRSA}}}}`),
        role('system:serviceaccount:kube-system:ebs-csi-controller-sa'),
      ),
    },
    {
      name: 'the nodes of the EBS driver, which call nothing of AWS, beside the controller that the role trusts',
      template: template(EBS_CHART, role('system:serviceaccount:kube-system:ebs-csi-controller-sa')),
    },
    ...[
      ['by default', '', 'keda-operator'],
      ['of newer versions beside one of older ones', '"name":"scaler",', 'keda-operator'],
      ['of older versions', '"name":"scaler",', 'scaler'],
      ['at the place of newer versions', '"operator":{"name":"scaler"},', 'scaler'],
    ].map(([what = '', values = '', account = '']) => ({
      name: `the service account of KEDA with its name ${what}`,
      template: template(
        chart('', 'keda', 'keda', `{"serviceAccount":{${values}${IRSA}}}`, 'keda'),
        role(`system:serviceaccount:keda:${account}`),
      ),
    })),
    {
      name: 'the load balancer controller passes',
      template: template(
        chart('aws-load-balancer-controller', 'kube-system'),
        role('system:serviceaccount:kube-system:aws-load-balancer-controller'),
      ),
    },
  ],
  invalid: [
    ...[
      ['no account', 'arn:aws:iam:::role/web', 'has no account'],
      ['an account of eleven digits', 'arn:aws:iam::11112222333:role/web', 'accounts have twelve digits'],
    ].map(([what = '', arn = '', says = '']) => ({
      name: `an annotation whose ARN has ${what}`,
      template: template(workload('apps', 'web'), accountWith(arn)),
      fixed: template(workload('apps', 'web'), accountWith('arn:aws:iam::123456789012:role/web')),
      findings: [
        {
          message: 'no-role' as const,
          severity: 'error' as const,
          resource: 'Object',
          at: 'Object:',
          says: [arn, says],
        },
      ],
    })),
    ...[
      ['a policy', 'arn:aws:iam::aws:policy/AmazonEBSCSIDriverPolicy', 'is a policy'],
      ['an instance profile', 'arn:aws:iam::111122223333:instance-profile/web', 'is an instance profile'],
      ['no place for a region', 'arn:aws:iam:111122223333:role/web', 'one colon before the account'],
    ].map(([what = '', arn = '', says = '']) => ({
      name: `an annotation with the ARN of ${what}`,
      template: template(workload('apps', 'web'), accountWith(arn)),
      findings: [
        {
          message: 'no-role' as const,
          severity: 'error' as const,
          resource: 'Object',
          at: 'Object:',
          says: [arn, says],
        },
      ],
    })),
    {
      name: 'values of a chart whose ARN has no account',
      template: template(literalChart('arn:aws:iam:::role/lbc')),
      fixed: template(literalChart('arn:aws:iam::123456789012:role/lbc')),
      findings: [
        {
          message: 'no-role',
          severity: 'error',
          resource: 'Chart',
          at: 'Chart:',
          says: ['Chart names', 'has no account'],
        },
      ],
    },
    {
      name: 'values of a chart that Flux installs whose ARN has no account',
      template: template(flux('arn:aws:iam:::role/lbc')),
      findings: [{ message: 'no-role', severity: 'error', resource: 'Object', at: 'Object:' }],
    },
    {
      name: 'an add-on with the ARN of a policy',
      template: template(addon('aws-ebs-csi-driver', 'arn:aws:iam::aws:policy/service-role/AmazonEBSCSIDriverPolicy')),
      fixed: template(addon('aws-ebs-csi-driver'), role('system:serviceaccount:kube-system:ebs-csi-controller-sa')),
      findings: [
        {
          message: 'no-role',
          severity: 'error',
          resource: 'Cni',
          at: 'ServiceAccountRoleArn',
          says: ['is a policy', 'EKS refuses it, or pods get'],
        },
      ],
    },
    {
      name: 'a role for KEDA in another namespace, of whose names either may count',
      template: template(
        chart('', 'keda', 'keda', `{"serviceAccount":{"name":"scaler",${IRSA}}}`, 'keda'),
        role('system:serviceaccount:kube-system:scaler'),
      ),
      fixed: template(
        chart('', 'keda', 'keda', `{"serviceAccount":{"name":"scaler",${IRSA}}}`, 'keda'),
        role('system:serviceaccount:keda:keda-operator'),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['system:serviceaccount:keda:keda-operator or system:serviceaccount:keda:scaler'],
          advises: 'system:serviceaccount:keda:keda-operator',
        },
      ],
    },
    {
      name: 'a role for both accounts of the EBS driver that trusts neither is wrong for its controller',
      template: template(EBS_CHART, role('system:serviceaccount:storage:ebs-csi-controller-sa')),
      fixed: template(
        EBS_CHART,
        role(
          "['system:serviceaccount:storage:ebs-csi-controller-sa', 'system:serviceaccount:kube-system:ebs-csi-controller-sa']",
        ),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['as system:serviceaccount:kube-system:ebs-csi-controller-sa'],
        },
      ],
    },
    {
      name: 'a role that trusts the nodes of the EBS driver alone is wrong for its controller',
      template: template(EBS_CHART, role('system:serviceaccount:kube-system:ebs-csi-node-sa')),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['as system:serviceaccount:kube-system:ebs-csi-controller-sa'],
        },
      ],
    },
    {
      name: 'a role whose ARN is written out in the annotation',
      template: template(
        workload('apps', 'web'),
        accountWith(WEB_ARN),
        called('web', role('system:serviceaccount:apps:api')),
      ),
      fixed: template(
        workload('apps', 'web'),
        accountWith(WEB_ARN),
        called('web', role("['system:serviceaccount:apps:api', 'system:serviceaccount:apps:web']")),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['system:serviceaccount:apps:web'],
          related: ['Object:'],
        },
      ],
    },
    {
      name: 'a chart that Flux installs',
      template: template(
        flux(WEB_ARN),
        called('web', role('system:serviceaccount:kube-system:aws-load-balancer-controller')),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['system:serviceaccount:kube-system:lbc'],
          related: ['Object:'],
        },
      ],
    },
    {
      name: 'a service account that nothing runs as is a warning beside an add-on that the role serves',
      template: template(
        addon('aws-efs-csi-driver'),
        manifest('efs-csi-controller', 'kube-system'),
        role('system:serviceaccount:kube-system:efs-csi-controller-sa'),
      ),
      fixed: template(
        addon('aws-efs-csi-driver'),
        manifest('efs-csi-controller', 'kube-system'),
        role(
          "['system:serviceaccount:kube-system:efs-csi-controller-sa', 'system:serviceaccount:kube-system:efs-csi-controller']",
        ),
      ),
      findings: [
        {
          message: 'idle',
          severity: 'warning',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          related: ['Account:'],
          says: ['so serves Cni, but Account names it as system:serviceaccount:kube-system:efs-csi-controller'],
          omits: ['its pods get'],
        },
      ],
    },
    {
      name: 'one that pods run as is an error all the same',
      template: template(
        addon('aws-efs-csi-driver'),
        manifest('web', 'apps'),
        workload('apps', 'web'),
        role('system:serviceaccount:kube-system:efs-csi-controller-sa'),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          related: ['Account:'],
          says: ['and so serves Cni, but Account uses it', 'apps:web: its pods get'],
          fix: 'or take out Account if it is there a second time, beside Cni',
        },
      ],
    },
    {
      name: 'and so is one that a chart is told to use',
      template: template(
        addon('aws-efs-csi-driver'),
        manifest('web', 'apps'),
        chart('web', 'apps', 'my-chart', '{"serviceAccount":{"create":false,"name":"NAME"}}'),
        role('system:serviceaccount:kube-system:efs-csi-controller-sa'),
      ),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'the fix keeps the service accounts that the role trusts',
      template: template(
        addon('aws-efs-csi-driver'),
        chart('fluent-bit', 'logs', 'aws-for-fluent-bit'),
        role("['system:serviceaccount:kube-system:efs-csi-controller-sa', 'system:serviceaccount:logs:agent']"),
      ),
      fixed: template(
        addon('aws-efs-csi-driver'),
        chart('fluent-bit', 'logs', 'aws-for-fluent-bit'),
        role(
          "['system:serviceaccount:kube-system:efs-csi-controller-sa', 'system:serviceaccount:logs:agent', 'system:serviceaccount:logs:fluent-bit']",
        ),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: "'system:serviceaccount:kube-system:efs",
          related: ['Chart:'],
          says: ['logs:agent and so serves Cni, but Chart uses it as'],
        },
      ],
    },
    {
      name: 'a role of External Secrets that serves nobody',
      template: template(
        chart('external-secrets', 'default', 'external-secrets'),
        role('system:serviceaccount:secrets:external-secrets'),
      ),
      fixed: template(
        chart('external-secrets', 'default', 'external-secrets'),
        role("['system:serviceaccount:secrets:external-secrets', 'system:serviceaccount:default:external-secrets']"),
      ),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'a part of a chart that has a service account of its own',
      template: template(
        chart('loki-compactor', 'logs', 'loki-distributed', PART_OF_CHART.replace('PART', 'compactor')),
        role('system:serviceaccount:logs:loki'),
      ),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'a chart among those of another one',
      template: template(
        chart('dns', 'network', 'my-platform', PART_OF_CHART.replace('PART', 'external-dns')),
        role('system:serviceaccount:network:external-dns'),
      ),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'of the branches of the subject the other one fails and is named',
      also: ['vpc-cni-role-ip-family'],
      template: STAGE + template(addon(), role(`!If [IsProd, "${AWS_NODE}", "system:serviceaccount:x:y"]`)),
      fixed: STAGE + template(addon(), role(AWS_NODE)),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          related: ['ServiceAccountRoleArn: !GetAtt Role.Arn'],
          says: ['trusts system:serviceaccount:x:y', 'IsProd is false'],
        },
      ],
    },
    {
      name: 'an association that is created under a condition only helps there',
      also: ['pod-identity-trust-policy', 'vpc-cni-role-ip-family'],
      template:
        STAGE +
        template(
          addon(),
          association('kube-system', 'aws-node').map((line) =>
            line === '    Properties:' ? `    Condition: IsProd\n${line}` : line,
          ),
          role('system:serviceaccount:default:aws-node'),
        ),
      findings: [
        { message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub`, says: ['IsProd is false'] },
      ],
    },
    {
      name: 'aws-node in another namespace fails',
      also: ['vpc-cni-role-ip-family'],
      template: template(addon(), role('system:serviceaccount:default:aws-node')),
      fixed: template(addon(), role(AWS_NODE)),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['default:aws-node', AWS_NODE, 'no node becomes ready'],
        },
      ],
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
      findings: [
        {
          message: 'no-web-identity',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          related: ['ServiceAccountRoleArn: !GetAtt Role.Arn'],
          says: ['no service account tokens'],
        },
      ],
    },
    {
      name: 'a service account in another namespace than the role expects fails',
      template: template(manifest('external-dns', 'default'), role('system:serviceaccount:kube-system:external-dns')),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['default:external-dns'],
        },
      ],
    },
    ...(
      [
        ['aws-ebs-csi-driver', 'kube-system:ebs-csi-controller'],
        ['aws-efs-csi-driver', 'kube-system:efs-csi-sa'],
        ['aws-fsx-csi-driver', 'default:fsx-csi-controller-sa'],
        ['aws-mountpoint-s3-csi-driver', 'kube-system:s3-csi-controller-sa'],
        ['amazon-cloudwatch-observability', 'kube-system:cloudwatch-agent'],
        ['aws-network-flow-monitoring-agent', 'kube-system:aws-network-flow-monitor-agent-service-account'],
        ['external-dns', 'kube-system:external-dns'],
        ['cert-manager', 'kube-system:cert-manager'],
      ] as const
    ).map(([name, subject]) => ({
      name: `${name} with a role for another service account fails`,
      template: template(addon(name), role(`system:serviceaccount:${subject}`)),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: [`trusts system:serviceaccount:${subject}`],
          omits: ['no node becomes ready'],
        } as const,
      ],
    })),
    {
      name: 'an add-on in a namespace of choice needs that in the subject',
      template: template(
        addon('aws-ebs-csi-driver', undefined, '      NamespaceConfig:', '        Namespace: storage'),
        role('system:serviceaccount:kube-system:ebs-csi-controller-sa'),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['storage:ebs-csi-controller-sa or '],
        },
      ],
    },
    {
      name: 'no Pod Identity is offered to pods that run on Fargate',
      template: template(addon('aws-ebs-csi-driver', undefined), POD_ROLE, FARGATE),
      findings: [
        {
          message: 'no-web-identity',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          fixOmits: 'Pod Identity association',
        },
      ],
    },
    {
      name: 'a role for nodes serves no add-on',
      template: template(addon('adot'), EC2_ROLE),
      findings: [
        {
          message: 'no-web-identity',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          says: ['trusts no service account tokens at all, but Cni uses it: '],
        },
      ],
    },
    {
      name: 'a role for Pod Identity serves no service account of a driver',
      template: template(
        addon('aws-ebs-csi-driver', undefined, CONFIGURATION('{"controller":{"serviceAccount":{"name":"x"}}}')),
        POD_ROLE,
      ),
      findings: [
        {
          message: 'no-web-identity',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          says: ['ebs-csi-controller-sa'],
        },
      ],
    },
    {
      name: 'a role for Pod Identity that an association gives to the account of another namespace',
      template: template(chart('web', 'apps', 'my-chart'), association('shop', 'web'), POD_ROLE),
      findings: [
        {
          message: 'no-web-identity',
          severity: 'error',
          resource: 'Role',
          at: 'Role:\n',
          says: ['as system:serviceaccount:apps:web'],
          advises: 'or have Association, which gives the role to another service account, name this one.',
        },
      ],
    },
    {
      name: 'the name that a chart gives by default fails, too',
      template: template(
        chart('', 'kube-system', undefined, `{"serviceAccount":{"create":true,${IRSA}}}`),
        role('system:serviceaccount:kube-system:aws-load-balancer-controller'),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['kube-system:lbc-aws-load-balancer-controller'],
        },
      ],
    },
    {
      name: "a service account deeper in a chart's values fails",
      template: template(
        chart('', 'storage', 'aws-ebs-csi-driver', `{"controller":{"serviceAccount":{${IRSA}}}}`),
        role('system:serviceaccount:kube-system:ebs-csi-controller-sa'),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['storage:ebs-csi-controller-sa'],
        },
      ],
    },
    {
      name: 'an association for another service account changes nothing',
      also: ['pod-identity-trust-policy'],
      template: template(
        manifest('web', 'apps'),
        association('apps', 'api'),
        role('system:serviceaccount:default:web'),
      ),
      findings: [{ message: 'excluded', severity: 'error', resource: 'Role', at: `${ISSUER}:sub` }],
    },
    {
      name: 'a chart with another service account fails',
      template: template(
        chart('controller', 'kube-system'),
        role('system:serviceaccount:kube-system:aws-load-balancer-controller'),
      ),
      findings: [
        {
          message: 'excluded',
          severity: 'error',
          resource: 'Role',
          at: `${ISSUER}:sub`,
          says: ['kube-system:controller'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a part of a chart that may have no service account of its own',
      template: template(
        chart('loki-ingester', 'logs', 'loki-distributed', PART_OF_CHART.replace('PART', 'ingester')),
        role('system:serviceaccount:logs:loki'),
      ),
      resources: ['Role'],
      because: 'whether chart loki-distributed makes a service account of the values at `ingester.serviceAccount`',
    },
    {
      name: 'a part of a chart that is not known',
      template: template(
        chart('writer', 'logs', 'my-chart', PART_OF_CHART.replace('PART', 'writer')),
        role('system:serviceaccount:logs:reader'),
      ),
      resources: ['Role'],
      because: 'whether chart my-chart makes a service account of the values at `writer.serviceAccount` is not known',
    },
    {
      name: 'a role of External Secrets that serves another account, which a store may name',
      template: template(
        addon('aws-efs-csi-driver'),
        chart('secrets', 'secrets', 'external-secrets'),
        role('system:serviceaccount:kube-system:efs-csi-controller-sa'),
      ),
      resources: ['Role'],
      because: 'the stores of External Secrets may all name a service account',
    },
    {
      name: 'a role outside the input',
      template: template(addon('vpc-cni', 'arn:aws:iam::111122223333:role/elsewhere')),
      resources: ['Cni'],
      because: 'role/elsewhere',
    },
    {
      name: 'a role of a driver outside the input',
      template: template(addon('aws-ebs-csi-driver', 'arn:aws:iam::111122223333:role/elsewhere')),
      resources: ['Cni'],
      because: 'role/elsewhere',
    },
    {
      name: 'configuration values that name a service account',
      template: template(
        addon('aws-ebs-csi-driver', undefined, CONFIGURATION('{"controller":{"serviceAccount":{"name":"x"}}}')),
        role('system:serviceaccount:kube-system:x'),
      ),
      resources: ['Role'],
      because: 'name a service account',
    },
    {
      name: 'configuration values from a parameter',
      template:
        HEAD +
        template(
          addon('aws-ebs-csi-driver', undefined, '      ConfigurationValues: !Ref Subject'),
          role('system:serviceaccount:kube-system:x'),
        ),
      resources: ['Role'],
      because: 'configuration values',
    },
    {
      name: 'a namespace from a parameter',
      template:
        HEAD +
        template(
          addon('external-dns', undefined, '      NamespaceConfig:', '        Namespace: !Ref Subject'),
          role('system:serviceaccount:kube-system:external-dns'),
        ),
      resources: ['Role'],
      because: 'namespace',
    },
    {
      name: 'a chart of which the name of the service account is not known',
      template: template(
        chart('', 'kube-system', 'my-chart', `{"serviceAccount":{${IRSA}}}`),
        role('system:serviceaccount:kube-system:web'),
      ),
      resources: ['Role'],
      because: 'name or the namespace',
    },
    {
      name: 'a chart that is known to have its service accounts elsewhere among its values',
      template: template(
        chart('', 'kube-system', 'aws-ebs-csi-driver', `{"serviceAccount":{${IRSA}}}`),
        role('system:serviceaccount:kube-system:web'),
      ),
      resources: ['Role'],
      because: 'known of it: `controller.serviceAccount`, `node.serviceAccount`',
    },
    {
      name: 'a chart that installs into another namespace',
      template: template(
        chart('', 'kube-system', 'external-secrets', `{"namespaceOverride":"secrets","serviceAccount":{${IRSA}}}`),
        role('system:serviceaccount:kube-system:web'),
      ),
      resources: ['Role'],
      because: 'name or the namespace',
    },
    {
      name: 'a chart that may not create its service account',
      template:
        HEAD +
        template(
          chart(
            'web',
            'apps',
            'my-chart',
            '{"serviceAccount":{"create":CREATE,"name":"NAME",'.replace('CREATE', "', !Ref Subject, '") + `${IRSA}}}`,
          ),
          role('system:serviceaccount:kube-system:web'),
        ).replace("', !Ref Subject, '", "'\n            - !Ref Subject\n            - '"),
      resources: ['Role'],
      because: 'whether the chart creates',
    },
    {
      name: 'a subject from a parameter',
      template: HEAD + template(addon(), role('!Ref Subject')),
      resources: ['Role'],
      because: AWS_NODE,
    },
  ],
  notApplicable: [
    {
      name: 'an ARN without an account of a chart beside the association that counts',
      template: template(
        literalChart('arn:aws:iam:::role/lbc'),
        POD_ROLE,
        association('kube-system', 'lbc-aws-load-balancer-controller'),
      ),
    },
    {
      name: 'an account in the ARN of a chart that is a blank',
      template: template(literalChart('arn:aws:iam::123456789:role/lbc')),
    },
    {
      name: 'an account of one digit, as tests have it',
      template: template(literalChart('arn:aws:iam::0:role/lbc')),
    },
    {
      name: 'an ARN without an account of a chart that makes no service account',
      template: template(literalChart('arn:aws:iam:::role/lbc', ',"create":false')),
    },
    {
      name: 'an ARN without an account at a place that the chart does not read',
      template: template(
        chart(
          '',
          'kube-system',
          'aws-load-balancer-controller',
          '{"other":{"serviceAccount":{"annotations":{"eks.amazonaws.com/role-arn":"arn:aws:iam:::role/lbc"}}}}',
        ),
      ),
    },
    ...['000000000000', 'ACCOUNT_ID', '<ACCOUNT_ID>', '{{ .Values.account }}', '111122223333', '123', '123456789'].map(
      (account) => ({
        name: `an annotation with the account ${account}, which is to be filled in, or of a role elsewhere`,
        template: template(workload('apps', 'web'), accountWith(`arn:aws:iam::${account}:role/web`)),
      }),
    ),
    {
      name: 'a role whose ARN is that of another one',
      template: template(
        accountWith('arn:aws:iam::111122223333:role/other'),
        called('web', role('system:serviceaccount:apps:api')),
      ),
    },
    {
      name: 'a role whose ARN ends with more than its name',
      template: template(
        accountWith('arn:aws:iam::111122223333:role/web-2'),
        called('web', role('system:serviceaccount:apps:api')),
      ),
    },
    {
      name: 'a subject that can match nothing, which irsa-trust-policy reports',
      template: template(addon(), role('system:serviceaccount:kube-system:*')),
    },
    {
      name: 'an add-on whose service accounts are chosen by the user',
      template: template(addon('adot'), role('system:serviceaccount:observability:collector')),
    },
    { name: 'an add-on that calls no AWS', template: template(addon('coredns'), EC2_ROLE) },
    {
      name: 'a role outside the input of an add-on that is not known',
      template: template(addon('my-addon', 'arn:aws:iam::111122223333:role/elsewhere')),
    },
    {
      name: 'an add-on that is not known, and an association for its role',
      template: template(addon('adot'), association('observability', 'collector'), POD_ROLE),
    },
    {
      name: 'a chart that creates no service account',
      template: template(
        chart('controller', 'kube-system', undefined, `{"serviceAccount":{"create":false,"name":"NAME",${IRSA}}}`),
        role('system:serviceaccount:kube-system:other'),
      ),
    },
    { name: 'a role that nothing uses', template: template(role('system:serviceaccount:default:aws-node')) },
    {
      name: 'a service account with a Pod Identity association, which CDK annotates all the same',
      template: template(manifest('web', 'apps'), association('apps', 'web'), POD_ROLE),
    },
    {
      name: 'an add-on with a separate association for aws-node',
      template: template(addon(), association('kube-system', 'aws-node'), POD_ROLE),
    },
    {
      name: 'an add-on that has a Pod Identity association too',
      template: template(
        [
          ...addon(),
          '      PodIdentityAssociations:',
          '        - ServiceAccount: aws-node',
          '          RoleArn: !GetAtt Role.Arn',
        ],
        POD_ROLE,
      ),
    },
  ],
});

it('shows all subjects that the role is to trust', () => {
  const both = template(addon(), role("['system:serviceaccount:apps:one', 'system:serviceaccount:apps:two']"));
  const [judgement] = [...irsaSubject.check(modelOf(both), { today: AS_OF, options: {} })];
  expect(judgement?.data?.['subjects']).toBe(
    '["system:serviceaccount:apps:one", "system:serviceaccount:apps:two", "system:serviceaccount:kube-system:aws-node"]',
  );
});
