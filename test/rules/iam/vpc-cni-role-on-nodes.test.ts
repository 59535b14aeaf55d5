import { vpcCniRoleOnNodes } from '../../../lib/rules/iam/vpc-cni-role-on-nodes';
import { testRule } from '../rule-tester';
import { CNI, cniTemplate, ECR, inline, IPV4_ACTIONS, OLD_IPV6, SUBNETS, TAGS, WORKER } from './cni-templates';

const HEAD = 'Parameters:\n  Given:\n    Type: String\nConditions:\n  HasRole: !Equals [!Ref Given, yes]\n';
const CNI_ARN = 'arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy';
const onNodes = { nodeRole: [WORKER, ECR, CNI] };
const offNodes = { nodeRole: [WORKER, ECR] };

/** Nodes whose launch template demands tokens and has a hop limit. */
const withTemplate = (hops: number) =>
  cniTemplate({ ...onNodes, identity: 'irsa', cniRole: [CNI] }).replace(
    '      Subnets: [subnet-1]\n',
    [
      '      Subnets: [subnet-1]',
      '      LaunchTemplate: { Id: !Ref Template, Version: "1" }',
      '  Template:',
      '    Type: AWS::EC2::LaunchTemplate',
      '    Properties:',
      `      LaunchTemplateData: { MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: ${hops} } }`,
      '',
    ].join('\n'),
  );

testRule(vpcCniRoleOnNodes, {
  valid: [
    {
      name: 'a role of its own, and nodes without',
      template: cniTemplate({ ...offNodes, identity: 'irsa', cniRole: [CNI] }),
    },
    {
      name: 'wide permissions that the nodes have for other reasons',
      template: cniTemplate({ nodeRole: [WORKER, ECR, inline(["'ec2:*'"])], identity: 'pod-identity', cniRole: [CNI] }),
    },
  ],
  invalid: [
    {
      name: 'the policy on the nodes besides a role of its own',
      template: cniTemplate({ ...onNodes, identity: 'irsa', cniRole: [CNI] }),
      fixed: cniTemplate({ ...offNodes, identity: 'irsa', cniRole: [CNI] }),
      findings: [
        {
          message: 'besides',
          severity: 'warning',
          resource: 'NodeRole',
          at: `${CNI}\n  CniRole`,
          says: ['AmazonEKS_CNI_Policy', 'Nodes'],
        },
      ],
    },
    {
      name: 'nodes whose hop limit keeps all pods off their metadata but those on the network of the node',
      template: withTemplate(1),
      findings: [
        {
          message: 'besides',
          severity: 'warning',
          resource: 'NodeRole',
          at: `${CNI}\n  CniRole`,
          says: ['every pod that runs on the network of its node (the hop limit of 1 on Nodes keeps'],
        },
      ],
    },
    {
      name: 'nodes whose hop limit lets pods through',
      template: withTemplate(2),
      findings: [
        {
          message: 'besides',
          severity: 'warning',
          resource: 'NodeRole',
          at: `${CNI}\n  CniRole`,
          says: ['every pod that reaches the instance metadata on Nodes'],
        },
      ],
    },
    {
      name: 'besides an association for aws-node',
      template: cniTemplate({ ...onNodes, identity: 'association', cniRole: [CNI] }),
      also: ['pod-identity-agent'],
      findings: [{ message: 'besides', severity: 'warning', resource: 'NodeRole', at: `${CNI}\n  CniRole` }],
    },
    {
      name: 'besides a role that the input names by ARN',
      template: cniTemplate({ ...onNodes, identity: 'imported' }),
      findings: [{ message: 'besides', severity: 'warning', resource: 'NodeRole', at: `${CNI}\n` }],
    },
    {
      name: 'a policy of the account for IPv6',
      template: cniTemplate({
        family: 'ipv6',
        nodeRole: [WORKER, ECR, OLD_IPV6],
        identity: 'irsa',
        cniRole: [OLD_IPV6, SUBNETS, TAGS],
      }),
      findings: [{ message: 'besides', severity: 'warning', resource: 'NodeRole', at: 'PolicyName: P0', says: ['P0'] }],
    },
    {
      name: 'nodes that the CNI works with are told on request',
      template: cniTemplate(onNodes),
      fixed: cniTemplate({ ...offNodes, identity: 'irsa', cniRole: [CNI] }),
      findings: [{ message: 'alone', severity: 'info', resource: 'NodeRole', at: `${CNI}\n`, advises: 'Pod Identity' }],
    },
    {
      name: 'each role of nodes that the CNI works with',
      template:
        cniTemplate(onNodes) +
        cniTemplate({ cluster: '!Ref Cluster', version: null, nodeRole: [CNI, WORKER, ECR] })
          .replace('Resources:\n', '')
          .replaceAll('NodeRole', 'SecondRole')
          .replace('SecondRole: !GetAtt', 'NodeRole: !GetAtt')
          .replace('  Nodes:', '  MoreNodes:'),
      findings: [
        { message: 'alone', severity: 'info', resource: 'NodeRole', at: `${CNI}\n` },
        { message: 'alone', severity: 'info', resource: 'SecondRole', at: `${CNI}\n        - ${WORKER}` },
      ],
    },
    {
      name: 'a policy on the nodes where the CNI has no role, and none where it has',
      template: cniTemplate({
        nodeRole: [WORKER, ECR, `!If [HasRole, !Ref AWS::NoValue, !Sub '${CNI_ARN}']`],
        head: HEAD,
        addon: ['ServiceAccountRoleArn: !If [HasRole, arn:aws:iam::111122223333:role/cni, !Ref AWS::NoValue]'],
      }),
      findings: [
        {
          message: 'alone',
          severity: 'info',
          resource: 'NodeRole',
          at: '!If [HasRole, !Ref',
          says: ['HasRole is false'],
        },
      ],
    },
    {
      name: 'a role of its own under a condition, and nodes that the CNI works with without it',
      template: cniTemplate({
        ...onNodes,
        head: HEAD,
        addon: ['ServiceAccountRoleArn: !If [HasRole, arn:aws:iam::111122223333:role/cni, !Ref AWS::NoValue]'],
      }),
      findings: [
        { message: 'besides', severity: 'info', resource: 'NodeRole', at: `${CNI}\n`, says: ['HasRole is true'] },
        { message: 'alone', severity: 'info', resource: 'NodeRole', at: `${CNI}\n`, says: ['HasRole is false'] },
      ],
    },
    {
      name: 'a policy that depends on a condition, where it is attached',
      template: cniTemplate({
        nodeRole: [WORKER, ECR, `!If [HasRole, !Sub '${CNI_ARN}', !Ref AWS::NoValue]`],
        head: HEAD,
        identity: 'irsa',
        cniRole: [CNI],
      }),
      findings: [
        { message: 'besides', severity: 'warning', resource: 'NodeRole', at: '!If', says: ['HasRole is true'] },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a role that trusts aws-node, which nothing gives to it',
      template: cniTemplate({ ...onNodes, version: null, identity: 'irsa', cniRole: [] }),
      resources: ['NodeRole'],
      because: 'nothing in the input gives aws-node the role CniRole',
    },
    {
      name: 'a role from a parameter, which may be empty',
      template: cniTemplate({ ...onNodes, head: HEAD, addon: ['ServiceAccountRoleArn: !Ref Given'] }),
      resources: ['NodeRole'],
      because: 'Given',
    },
    {
      name: 'a policy from a parameter on the nodes',
      template: cniTemplate({ nodeRole: [WORKER, ECR, '!Ref Given'], head: HEAD, identity: 'irsa', cniRole: [CNI] }),
      resources: ['NodeRole'],
      because: 'Given',
    },
  ],
  notApplicable: [
    {
      name: 'no add-on in the input, so that nobody knows who runs the CNI',
      template: cniTemplate({ ...onNodes, version: null }),
    },
    {
      name: 'Auto Mode without nodes of its own',
      template: cniTemplate({ autoMode: true, nodeGroup: false, identity: 'imported' }),
    },
    {
      name: 'nodes elsewhere',
      template: cniTemplate({ nodeGroup: false, identity: 'irsa', cniRole: [inline(IPV4_ACTIONS)] }),
    },
  ],
});
