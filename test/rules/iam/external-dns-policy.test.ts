import { externalDnsPolicy } from '../../../lib/rules/iam/external-dns-policy';
import { block, CLUSTER, manifest, resources } from '../node-templates';
import { testRule } from '../rule-tester';
import { allow, association, chart, role, withAgent } from './controller-templates';

const ZONE = 'arn:aws:route53:::hostedzone/Z123';
const RECORDS = ['route53:ChangeResourceRecordSets', 'route53:ListResourceRecordSets'];
const ON_ZONE = allow(RECORDS, ZONE);
const LIST = allow('route53:ListHostedZones');

const controller = (values: object = {}, version = '1.21.1') => chart('Dns', 'external-dns', version, values, 'dns');
const with_ = (statements: readonly string[], values: object = {}, version?: string) =>
  withAgent(role(...statements), association('external-dns', 'dns'), controller(values, version));

const TAGS = { extraArgs: ['--aws-zone-tags=owner=dns'] };

const deployment = (args: readonly string[]) =>
  manifest('Dns', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'external-dns', namespace: 'dns' },
    spec: {
      template: {
        spec: {
          serviceAccountName: 'external-dns',
          containers: [{ name: 'dns', image: 'registry.k8s.io/external-dns/external-dns:v0.15.0', args }],
        },
      },
    },
  });

const AT_ROLE = { resource: 'Role', at: 'Role:' } as const;

testRule(externalDnsPolicy, {
  valid: [
    { name: 'records of its zone, and the list of all', template: with_([ON_ZONE, LIST]) },
    {
      name: 'every zone, but records of certain names',
      template: with_([
        allow(RECORDS, 'arn:aws:route53:::hostedzone/*', {
          Condition: {
            'ForAllValues:StringLike': { 'route53:ChangeResourceRecordSetsNormalizedRecordNames': ['*.example.com'] },
          },
        }),
        LIST,
      ]),
    },
    {
      name: 'the list on everything beside the list on a zone',
      template: with_([ON_ZONE, allow('route53:List*', [ZONE, '*'])]),
    },
    {
      name: 'a tag filter, and the call of its version',
      template: with_([ON_ZONE, LIST, allow('route53:ListTagsForResources', ZONE)], TAGS),
    },
    {
      name: 'an older version calls another one',
      template: with_([ON_ZONE, LIST, allow('route53:ListTagsForResource', ZONE)], TAGS, '1.15.0'),
    },
    {
      name: 'no tag filter needs no tags',
      template: with_([ON_ZONE, LIST], { extraArgs: { 'zone-id-filter': 'Z123' } }),
    },
  ],
  invalid: [
    {
      name: 'the list on a zone alone',
      template: with_([ON_ZONE, allow('route53:ListHostedZones', ZONE)]),
      fixed: with_([ON_ZONE, LIST]),
      findings: [
        {
          ...AT_ROLE,
          message: 'narrowed',
          severity: 'error',
          says: ['`route53:ListHostedZones`', ZONE],
          related: ['Dns:'],
        },
      ],
    },
    {
      name: 'no list at all',
      template: with_([ON_ZONE]),
      findings: [{ ...AT_ROLE, message: 'missing', severity: 'error', says: ['`route53:ListHostedZones`'] }],
    },
    {
      name: 'it may look, but change nothing',
      template: with_([allow('route53:List*')]),
      fixed: with_([allow('route53:List*'), ON_ZONE]),
      findings: [{ ...AT_ROLE, message: 'missing', severity: 'error', says: ['ChangeResourceRecordSets'] }],
    },
    {
      name: 'records of every zone',
      template: with_([allow(RECORDS, 'arn:aws:route53:::hostedzone/*'), LIST]),
      fixed: with_([ON_ZONE, LIST]),
      findings: [
        {
          message: 'every-zone',
          severity: 'warning',
          resource: 'Role',
          at: '{"Effect":"Allow","Action":["route53:Change',
        },
      ],
    },
    {
      name: 'everything of Route 53',
      template: with_([allow('route53:*')]),
      findings: [
        { message: 'every-zone', severity: 'warning', resource: 'Role', at: '{"Effect":"Allow","Action":"route53' },
      ],
    },
    {
      name: 'a tag filter with the call of older versions',
      template: with_([ON_ZONE, LIST, allow('route53:ListTagsForResource', ZONE)], TAGS),
      fixed: with_([ON_ZONE, LIST, allow('route53:ListTagsForResources', ZONE)], TAGS),
      findings: [
        { ...AT_ROLE, message: 'tag-filter', severity: 'error', says: ['`route53:ListTagsForResources`', '0.21.0'] },
      ],
    },
    {
      name: 'a manifest',
      template: withAgent(role(ON_ZONE), association('external-dns', 'dns'), deployment(['--provider=aws'])),
      findings: [{ ...AT_ROLE, message: 'missing', severity: 'error' }],
    },
    {
      name: 'the add-on of EKS',
      template: resources(
        CLUSTER,
        role(ON_ZONE),
        block('Agent', 'AWS::EKS::Addon', ['ClusterName: !Ref Cluster', 'AddonName: eks-pod-identity-agent']),
        block('Dns', 'AWS::EKS::Addon', [
          'ClusterName: !Ref Cluster',
          'AddonName: external-dns',
          'PodIdentityAssociations: [{ ServiceAccount: external-dns, RoleArn: !GetAtt Role.Arn }]',
        ]),
      ),
      findings: [{ ...AT_ROLE, message: 'missing', severity: 'error' }],
    },
  ],
  unverifiable: [
    {
      name: 'no role',
      template: resources(CLUSTER, controller()),
      resources: ['Dns'],
      because: 'not part of the input',
    },
    {
      name: 'a tag filter, and a version that is not in the table',
      template: with_([ON_ZONE, LIST], TAGS, '9.9.9'),
      resources: ['Role'],
      because: 'tag filter',
    },
  ],
  notApplicable: [
    { name: 'another provider', template: with_([allow('s3:*')], { provider: { name: 'cloudflare' } }) },
    {
      name: 'a role that it assumes',
      template: with_([allow('sts:AssumeRole')], {
        extraArgs: ['--aws-assume-role=arn:aws:iam::444455556666:role/dns'],
      }),
    },
    {
      name: 'a role that it assumes, as another chart has it',
      template: with_([allow('sts:AssumeRole')], { aws: { assumeRoleArn: 'arn:aws:iam::444455556666:role/dns' } }),
    },
    {
      name: 'a manifest for another provider',
      template: withAgent(role(ON_ZONE), association('external-dns', 'dns'), deployment(['--provider=google'])),
    },
  ],
});
