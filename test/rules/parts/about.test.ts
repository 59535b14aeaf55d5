import { checkTemplates } from '../../../lib/check';
import { defineCustomRule, fingerprints } from '../../../lib/engine';

type Resources = Readonly<Record<string, object>>;

const nodes = (properties: object): Resources => ({
  Nodes: {
    Type: 'AWS::EKS::Nodegroup',
    Properties: {
      ClusterName: 'main',
      NodeRole: 'arn:aws:iam::111122223333:role/nodes',
      Subnets: ['subnet-1'],
      ...properties,
    },
  },
});

const launched = (image: string, lines: readonly string[]): Resources => ({
  ...nodes({ LaunchTemplate: { Id: { Ref: 'Template' }, Version: '1' } }),
  Template: {
    Type: 'AWS::EC2::LaunchTemplate',
    Properties: {
      LaunchTemplateData: {
        ImageId: `{{resolve:ssm:/aws/service/eks/optimized-ami/1.33/${image}/recommended/image_id}}`,
        UserData: { 'Fn::Base64': lines.join('\n') },
      },
    },
  },
});

const AL2023 = 'amazon-linux-2023/x86_64/standard';
const nodeConfig = (...fields: readonly string[]) => [
  'apiVersion: node.eks.aws/v1alpha1',
  'kind: NodeConfig',
  'spec:',
  '  cluster: { name: main, apiServerEndpoint: "https://example.com", certificateAuthority: Zm9v, cidr: 10.100.0.0/16 }',
  '  kubelet:',
  ...fields,
];

const trusted = (...subjects: readonly string[]): Resources => ({
  Role: {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: subjects.map((subject) => ({
          Effect: 'Allow',
          Principal: { Federated: 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC' },
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: {
              'oidc.eks.eu-west-1.amazonaws.com/id/ABC:sub': subject,
              'oidc.eks.eu-west-1.amazonaws.com/id/ABC:aud': 'sts.amazonaws.com',
            },
          },
        })),
      },
    },
  },
});

const labelled = (...labels: readonly string[]): Resources =>
  nodes({ Labels: Object.fromEntries(labels.map((label) => [label, 'x'])) });

const everyType = defineCustomRule({
  id: 'acme-types',
  title: 'No instance types',
  severity: 'error',
  messages: { named: { text: '{{type}} is named.', fix: 'Name none.' } },
  *check({ nodeGroups }) {
    for (const group of nodeGroups) {
      const { instanceTypes } = group;
      if (instanceTypes.kind !== 'known') continue;
      for (const type of instanceTypes.value) {
        if (type.kind === 'known')
          yield {
            verdict: 'fail',
            resource: group,
            message: 'named',
            data: { type: type.value },
            source: type.source,
            about: type.value,
          };
      }
    }
  },
});

/** The fingerprints of what a rule finds. */
function found(rule: string, resources: Resources): readonly string[] {
  const { findings } = checkTemplates([{ file: 'template.json', content: { Resources: resources } }], {
    customRules: [everyType],
  });
  const all = fingerprints(findings, (file) => file);
  return findings
    .filter((finding) => finding.rule === rule && finding.verdict === 'fail')
    .map((finding) => all.get(finding) ?? '');
}

describe('a finding is known again by what it is about', () => {
  const x86 = (...types: readonly string[]) => nodes({ AmiType: 'AL2023_x86_64_STANDARD', InstanceTypes: types });

  it.each<[string, string, Resources, Resources]>([
    [
      'an instance type that another one was put before',
      'ami-type-architecture',
      x86('m6g.large', 't3.large'),
      x86('m5.large', 't3.large', 'm6g.large'),
    ],
    ['what a custom rule says it is about', 'acme-types', x86('m5.large', 't3.large'), x86('t3.large', 'm5.large')],
    [
      'fields of a NodeConfig in another order',
      'node-config-unknown-field',
      launched(AL2023, nodeConfig('    nope: 1', '    bad: 2')),
      launched(AL2023, nodeConfig('    bad: 3', '', '    nope: 4')),
    ],
    [
      'a line of user data that moved',
      'bootstrap-script-arguments',
      launched('amazon-linux-2', ['#!/bin/bash', '/etc/eks/bootstrap.sh main --nope 1']),
      launched('amazon-linux-2', ['#!/bin/bash', 'set -x', '', '/etc/eks/bootstrap.sh main --nope 1']),
    ],
    [
      'statements of a trust policy in another order',
      'irsa-trust-policy',
      trusted('system:serviceaccount:a', 'system:serviceaccount:b'),
      trusted('system:serviceaccount:b', 'system:serviceaccount:a'),
    ],
    [
      'labels in another order',
      'node-label-reserved',
      labelled('kubernetes.io/a', 'kubernetes.io/b'),
      labelled('kubernetes.io/b', 'kubernetes.io/a'),
    ],
  ])('%s', (_, rule, before, after) => {
    const known = found(rule, before);
    expect(known.length).toBeGreaterThan(0);
    expect(found(rule, after).toSorted()).toEqual(known.toSorted());
  });

  it.each<[string, string, Resources, Resources]>([
    ['an instance type', 'ami-type-architecture', x86('m6g.large'), x86('c7g.large')],
    [
      'a field of a NodeConfig',
      'node-config-unknown-field',
      launched(AL2023, nodeConfig('    nope: 1')),
      launched(AL2023, nodeConfig('    bad: 1')),
    ],
    [
      'a line of user data',
      'bootstrap-script-arguments',
      launched('amazon-linux-2', ['#!/bin/bash', '/etc/eks/bootstrap.sh main --nope 1']),
      launched('amazon-linux-2', ['#!/bin/bash', '/etc/eks/bootstrap.sh main --bad 1']),
    ],
    [
      'a statement of a trust policy',
      'irsa-trust-policy',
      trusted('system:serviceaccount:a'),
      trusted('system:serviceaccount:b'),
    ],
    ['a label', 'node-label-reserved', labelled('kubernetes.io/a'), labelled('kubernetes.io/b')],
  ])('%s in place of another is new', (_, rule, before, after) => {
    const known = found(rule, before);
    const now = found(rule, after);
    expect(now).toHaveLength(known.length);
    expect(now.filter((fingerprint) => known.includes(fingerprint))).toEqual([]);
  });
});
