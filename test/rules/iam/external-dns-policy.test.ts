import { externalDnsPolicy } from '../../../lib/rules/iam/external-dns-policy';
import { block, CLUSTER, manifest, resources } from '../node-templates';
import { testRule } from '../rule-tester';
import { allow, association, chart, role, withAgent } from './controller-templates';

const ZONE = 'arn:aws:route53:::hostedzone/Z123';
const RECORDS = ['route53:ChangeResourceRecordSets', 'route53:ListResourceRecordSets'];
const ISSUER = 'oidc.eks.eu-west-1.amazonaws.com/id/ABC';
const ON_ZONE = allow(RECORDS, ZONE);
const LIST = allow('route53:ListHostedZones');

/** Trusted by its service account, as far as the role tells. */
const webIdentityRole = (...statements: readonly string[]) =>
  role(...statements)
    .replace('Service: pods.eks.amazonaws.com', `Federated: arn:aws:iam::111122223333:oidc-provider/${ISSUER}`)
    .replace(
      'Action: [sts:AssumeRole, sts:TagSession]',
      `Action: sts:AssumeRoleWithWebIdentity\n          Condition: { StringEquals: { '${ISSUER}:sub': 'system:serviceaccount:dns:external-dns' } }`,
    );

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

const EVERY = allow(RECORDS, 'arn:aws:route53:::hostedzone/*');
const EVERY_ZONE = {
  message: 'every-zone',
  severity: 'warning',
  resource: 'Role',
  at: '{"Effect":"Allow","Action":["route53:Change',
} as const;
const BY_ROLE = { ...EVERY_ZONE, message: 'every-zone-by-role', severity: 'info' } as const;

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
      name: 'a dry run changes no record',
      template: with_([allow('route53:List*')], { extraArgs: ['--dry-run'] }),
    },
    {
      name: 'a dry run by its variable, and by the value of Bitnami',
      template: withAgent(
        role(allow('route53:List*')),
        association('external-dns', 'dns'),
        controller({ env: [{ name: 'EXTERNAL_DNS_DRY_RUN', value: '1' }] }),
        chart('Other', 'external-dns', '8.0.0', { dryRun: true }, 'dns'),
      ),
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
          advises:
            'in the place of `arn:aws:route53:::hostedzone/*` the zones that ExternalDNS is for, each as `arn:aws:route53:::hostedzone/<id>`',
        },
      ],
    },
    {
      name: 'records of every zone in the statement that lists all of them',
      template: with_([allow([...RECORDS, 'route53:ListHostedZones'], '*')]),
      fixed: with_([ON_ZONE, LIST]),
      findings: [
        {
          ...EVERY_ZONE,
          advises:
            'Allow `route53:ListHostedZones` on `*` in a statement of its own. In the statement that allows `route53:ChangeResourceRecordSets`, write in the place of `*` the zones',
        },
      ],
    },
    {
      name: 'records of every zone, by a policy of AWS, which stands nowhere here',
      template: withAgent(
        role().replace(/Policies:[^]*$/, "ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonRoute53FullAccess']"),
        association('external-dns', 'dns'),
        controller(),
      ),
      fixed: with_([ON_ZONE, LIST]),
      findings: [
        {
          ...EVERY_ZONE,
          at: 'Role:',
          advises:
            'Attach a policy of your own in the place of `AmazonRoute53FullAccess`: `route53:ListHostedZones` on `*`, and `route53:ChangeResourceRecordSets` and',
        },
      ],
    },
    {
      name: 'a variable that turns the dry run off',
      template: with_([allow('route53:List*')], { env: [{ name: 'EXTERNAL_DNS_DRY_RUN', value: 'false' }] }),
      fixed: with_([allow('route53:List*'), ON_ZONE], { env: [{ name: 'EXTERNAL_DNS_DRY_RUN', value: 'false' }] }),
      findings: [{ ...AT_ROLE, message: 'missing', severity: 'error', says: ['ChangeResourceRecordSets'] }],
    },
    {
      name: 'records of every zone, of which a variable lets some through',
      template: with_([EVERY, LIST], { env: [{ name: 'EXTERNAL_DNS_DOMAIN_FILTER', value: 'example.com' }] }),
      fixed: with_([ON_ZONE, LIST], { env: [{ name: 'EXTERNAL_DNS_DOMAIN_FILTER', value: 'example.com' }] }),
      findings: [BY_ROLE],
    },
    {
      name: 'records of every zone, of which it looks at the public ones',
      template: with_([EVERY, LIST], { aws: { zoneType: 'public' } }),
      fixed: with_([ON_ZONE, LIST], { aws: { zoneType: 'public' } }),
      findings: [{ ...EVERY_ZONE, says: ['nothing here but `aws.zoneType` tells it to keep to some'] }],
    },
    {
      name: 'records of every zone, with a filter that its chart does not read',
      template: with_([EVERY, LIST], { domainFilter: 'example.com' }),
      fixed: with_([ON_ZONE, LIST], { domainFilter: 'example.com' }),
      findings: [
        {
          ...EVERY_ZONE,
          says: [
            '`domainFilter`, which its chart does not read, is called `domainFilters`',
            'an Ingress or a Service in the cluster',
          ],
        },
      ],
    },
    {
      name: 'records of every zone, for routes of Gateways',
      template: with_([EVERY, LIST], { sources: ['gateway-httproute', 'gateway-grpcroute'] }),
      findings: [{ ...EVERY_ZONE, says: ['create an HTTPRoute or a GRPCRoute in'], omits: ['Ingress'] }],
    },
    {
      name: 'records of every zone, for objects that the input does not name',
      template: with_([EVERY, LIST], { sources: ['service', 'openshift-route'] }),
      findings: [{ ...EVERY_ZONE, says: ['create what it makes records of'] }],
    },
    {
      name: 'records of every zone, by a service that keeps to one domain',
      template: with_([EVERY, LIST], { domainFilters: ['example.com'], txtOwnerId: 'main' }),
      findings: [{ ...BY_ROLE, says: ['keeps to those that `domainFilters` lets through'] }],
    },
    {
      name: 'records of every zone, by a service that keeps to one zone',
      template: with_([EVERY, LIST], { extraArgs: ['--zone-id-filter=Z123', '--txt-owner-id=main'] }),
      findings: [{ ...BY_ROLE, says: ['`--zone-id-filter`'] }],
    },
    {
      name: 'records of every zone, by a manifest that keeps to one domain',
      template: withAgent(
        role(EVERY, LIST),
        association('external-dns', 'dns'),
        deployment(['--provider=aws', '--domain-filter=example.com']),
      ),
      findings: [{ ...BY_ROLE, says: ['`--domain-filter`'] }],
    },
    {
      name: 'records of every zone, and marks of its own on those that it makes',
      template: with_([EVERY, LIST], { txtOwnerId: 'main' }),
      findings: [{ ...EVERY_ZONE, says: ['not taken yet', 'those of owner `main`'], omits: ['take over'] }],
    },
    {
      name: 'records of every zone, and no registry that tells whose they are',
      template: withAgent(
        role(EVERY, LIST),
        association('external-dns', 'dns'),
        deployment(['--provider=aws', '--registry=noop']),
      ),
      findings: [{ ...EVERY_ZONE, says: ['take over any name'] }],
    },
    {
      name: 'the release of a chart by Flux',
      template: withAgent(
        role(EVERY, LIST),
        association('external-dns', 'dns'),
        manifest('Dns', {
          apiVersion: 'helm.toolkit.fluxcd.io/v2',
          kind: 'HelmRelease',
          metadata: { name: 'external-dns', namespace: 'dns' },
          spec: {
            chart: { spec: { chart: 'external-dns', version: '1.21.1' } },
            values: { domainFilters: ['example.com'] },
          },
        }),
      ),
      findings: [BY_ROLE],
    },
    {
      name: 'an application of Argo CD',
      template: withAgent(
        role(EVERY, LIST),
        association('external-dns', 'dns'),
        manifest('Dns', {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { name: 'external-dns', namespace: 'argocd' },
          spec: {
            source: {
              repoURL: 'https://kubernetes-sigs.github.io/external-dns',
              chart: 'external-dns',
              targetRevision: '1.21.1',
              helm: { values: 'registry: noop\nserviceAccount:\n  name: external-dns\n' },
            },
            destination: { server: 'https://kubernetes.default.svc', namespace: 'dns' },
          },
        }),
      ),
      findings: [{ ...EVERY_ZONE, says: ['take over any name'] }],
    },
    {
      name: 'everything on the resources of another service',
      template: with_([allow('route53:*', 'arn:aws:s3:::bucket/*')]),
      fixed: with_([ON_ZONE, LIST]),
      findings: [
        {
          ...AT_ROLE,
          message: 'missing',
          severity: 'error',
          says: [
            '`route53:ChangeResourceRecordSets`',
            '`route53:ListHostedZones`',
            '(allowed on `arn:aws:s3:::bucket/*` only)',
          ],
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
      name: 'an application of Argo CD whose values are elsewhere, with a role that nobody gives to it',
      template: withAgent(
        role(ON_ZONE),
        manifest('Dns', {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { name: 'external-dns', namespace: 'argocd' },
          spec: {
            source: { chart: 'external-dns', targetRevision: '1.*', helm: { valueFiles: ['dns.yaml'] } },
            destination: { namespace: 'dns' },
          },
        }),
      ),
      resources: ['Dns'],
    },
    {
      name: 'a service account that names another role than the one that trusts it',
      template: resources(
        CLUSTER,
        webIdentityRole(ON_ZONE),
        chart(
          'Dns',
          'external-dns',
          '1.21.1',
          {
            serviceAccount: {
              name: 'external-dns',
              annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/elsewhere' },
            },
          },
          'dns',
        ),
      ),
      resources: ['Dns'],
      because: 'role/elsewhere',
    },
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
      name: 'a role that it assumes, by its variable',
      template: with_([allow('sts:AssumeRole')], {
        env: [{ name: 'EXTERNAL_DNS_AWS_ASSUME_ROLE', value: 'arn:aws:iam::444455556666:role/dns' }],
      }),
    },
    {
      name: 'credentials of its own',
      template: with_([allow('s3:*')], { env: [{ name: 'AWS_SHARED_CREDENTIALS_FILE', value: '/aws/credentials' }] }),
    },
    {
      name: 'credentials of its own, as another chart has them',
      template: with_([allow('s3:*')], { aws: { credentials: { secretName: 'dns' } } }),
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
