import { awsAuthRoles } from '../../../lib/rules/iam/aws-auth-roles';
import { block, cluster, manifest, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';

const CONFIG_MAP = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: CONFIG_MAP }');
const BOTH = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: API_AND_CONFIG_MAP }');
const API = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: API }');

function awsAuth(mapRoles: string, name = 'aws-auth'): string {
  return mapping({ mapRoles }, name);
}

function mapping(data: object, name = 'aws-auth'): string {
  return manifest('Mapping', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'kube-system' },
    data,
  });
}

function entry(arn: string, ...groups: readonly string[]): string {
  return JSON.stringify([{ rolearn: arn, username: 'somebody', groups }]);
}

const NODES = 'arn:aws:iam::111122223333:role/nodes';
const IN_TEAM = 'arn:aws:iam::111122223333:role/team/shop/nodes';
const FINDING = { resource: 'Mapping', at: 'Mapping' } as const;

testRule(awsAuthRoles, {
  valid: [
    { name: 'a role without a path', template: resources(CONFIG_MAP, awsAuth(entry(NODES, 'system:nodes'))) },
    {
      name: 'the ARN of a user among the roles, which the authenticator finds there, too',
      template: resources(CONFIG_MAP, awsAuth(entry('arn:aws:iam::111122223333:user/ci', 'admins'))),
    },
    {
      name: 'users with a path, as text',
      template: resources(
        CONFIG_MAP,
        mapping({
          mapRoles: entry(NODES),
          mapUsers: '- userarn: arn:aws:iam::111122223333:user/team/ci\n  username: ci\n  groups: [admins]\n',
        }),
      ),
    },
    { name: 'nothing, as quotes', template: resources(CONFIG_MAP, awsAuth('""')) },
    { name: 'nothing at all', template: resources(CONFIG_MAP, awsAuth('')) },
    { name: 'nothing, as quotes in a line', template: resources(CONFIG_MAP, awsAuth('""\n')) },
    {
      name: 'a list in YAML with a placeholder of the authenticator',
      template: resources(
        CONFIG_MAP,
        awsAuth(`- rolearn: ${NODES}\n  username: system:node:{{EC2PrivateDNSName}}\n  groups: [system:nodes]\n`),
      ),
    },
    {
      name: 'keys of an entry in any case',
      template: resources(
        CONFIG_MAP,
        awsAuth(`- roleARN: ${NODES}\n  UserName: system:node:{{EC2PrivateDNSName}}\n  groups: [system:nodes]\n`),
      ),
    },
    {
      name: 'a name that something else fills in',
      template: resources(
        CONFIG_MAP,
        awsAuth(`- rolearn: ${NODES}\n  username: "{{ name_of_nodes }}"\n  groups: [system:nodes]\n`),
      ),
    },
  ],
  invalid: [
    ...['{{EC2PrivateDnsName}}', '{{ EC2PrivateDNSName }}', '{{EC2PrivateDNSName', '{EC2PrivateDNSName}'].map(
      (written) => ({
        name: `a placeholder that the authenticator does not know: ${written}`,
        template: resources(
          CONFIG_MAP,
          awsAuth(`- rolearn: ${NODES}\n  username: "system:node:${written}"\n  groups: [system:nodes]\n`),
        ),
        findings: [
          {
            ...FINDING,
            message: 'placeholder' as const,
            severity: 'error' as const,
            says: [NODES, 'the nodes with it never join'],
            advises: '`EC2PrivateDNSName` in exactly these letters',
          },
        ],
        fixed: resources(
          CONFIG_MAP,
          awsAuth(`- rolearn: ${NODES}\n  username: "system:node:{{EC2PrivateDNSName}}"\n  groups: [system:nodes]\n`),
        ),
      }),
    ),
    {
      name: 'an entry by a key that EKS does not read',
      template: resources(CONFIG_MAP, awsAuth(`- role_arn: ${NODES}\n  groups: [system:nodes]\n`)),
      findings: [
        {
          ...FINDING,
          message: 'otherKey',
          severity: 'error',
          says: ['`role_arn`', 'it drops the entry, and the nodes with it never join'],
          advises: '`rolearn`',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES, 'system:nodes'))),
    },
    {
      name: 'a list of roles by a key in small letters',
      template: resources(BOTH, mapping({ maproles: entry(NODES, 'system:nodes') })),
      findings: [
        {
          ...FINDING,
          message: 'otherKey',
          severity: 'warning',
          says: ['`maproles`', 'none of what it maps', 'An access entry'],
          advises: '`mapRoles`',
        },
      ],
      fixed: resources(BOTH, mapping({ mapRoles: entry(NODES, 'system:nodes') })),
    },
    {
      name: 'a role with a path, where no mode is written, which means the ConfigMap',
      template: resources(cluster("Version: '1.33'"), awsAuth(entry(IN_TEAM, 'system:nodes'))),
      findings: [{ ...FINDING, message: 'path', severity: 'error' }],
    },
    {
      name: 'the same beside an access entry, which shows that roles are known otherwise, too',
      template: resources(
        cluster("Version: '1.33'"),
        block('Entry', 'AWS::EKS::AccessEntry', ['ClusterName: !Ref Cluster', `PrincipalArn: ${NODES}`]),
        awsAuth(entry(IN_TEAM, 'system:nodes')),
      ),
      findings: [{ ...FINDING, message: 'path', severity: 'warning' }],
    },
    {
      name: 'a role with a path, where the mode is decided at deployment',
      template: template(
        'Parameters:\n  Mode: { Type: String }',
        cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: !Ref Mode }'),
        awsAuth(entry(IN_TEAM, 'system:nodes')),
      ),
      findings: [{ ...FINDING, message: 'path', severity: 'warning' }],
    },
    {
      name: 'the role of nodes with a path',
      template: resources(CONFIG_MAP, awsAuth(entry(IN_TEAM, 'system:nodes'))),
      findings: [
        {
          ...FINDING,
          message: 'path',
          severity: 'error',
          says: [IN_TEAM, 'the nodes with it never join'],
          advises: `without the path: \`${NODES}\``,
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES, 'system:nodes'))),
    },
    {
      name: 'a role with a path where access entries may let it in',
      template: resources(BOTH, awsAuth(entry(IN_TEAM, 'admins'))),
      findings: [
        {
          ...FINDING,
          message: 'path',
          severity: 'warning',
          says: ['who has it gets no access', 'An access entry for the role'],
        },
      ],
      fixed: resources(BOTH, awsAuth(entry(NODES, 'admins'))),
    },
    {
      name: 'the session of a role',
      template: resources(CONFIG_MAP, awsAuth(entry('arn:aws:sts::111122223333:assumed-role/nodes/i-0abc', 'admins'))),
      findings: [
        {
          ...FINDING,
          message: 'assumedRole',
          severity: 'error',
          says: ['which is a session of a role', 'who has it gets no access'],
          advises: `the ARN of the role: \`${NODES}\``,
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES, 'admins'))),
    },
    {
      name: 'an instance profile among the roles',
      template: resources(
        CONFIG_MAP,
        awsAuth(entry('arn:aws:iam::111122223333:instance-profile/nodes', 'system:nodes')),
      ),
      findings: [
        {
          ...FINDING,
          message: 'noIdentity',
          severity: 'error',
          says: ['which is an instance profile', 'the nodes with it never join'],
          advises: 'the role that the profile holds',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES, 'system:nodes'))),
    },
    {
      name: 'a group among the users',
      template: resources(
        BOTH,
        mapping({
          mapUsers: '- userarn: arn:aws:iam::111122223333:group/team\n  username: team\n  groups: [admins]\n',
        }),
      ),
      findings: [
        {
          ...FINDING,
          message: 'noIdentity',
          severity: 'warning',
          says: ['which is a group', 'it gives nobody access', 'An access entry for the user'],
          advises: 'Map a role that the members',
        },
      ],
      fixed: resources(
        BOTH,
        mapping({ mapUsers: '- userarn: arn:aws:iam::111122223333:user/ci\n  username: ci\n  groups: [admins]\n' }),
      ),
    },
    {
      name: 'a user with the name of a node',
      template: resources(
        CONFIG_MAP,
        awsAuth(
          '- rolearn: arn:aws:iam::111122223333:user/team/ci\n  username: system:node:{{EC2PrivateDNSName}}\n  groups: [system:nodes]\n',
        ),
      ),
      findings: [
        {
          ...FINDING,
          message: 'userOfNodes',
          severity: 'error',
          says: ['which a user has none of', 'user/team/ci'],
          advises: 'such as `ci`',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry('arn:aws:iam::111122223333:user/team/ci', 'admins'))),
    },
    {
      name: 'users as a list',
      template: resources(
        CONFIG_MAP,
        mapping({ mapUsers: [{ userarn: 'arn:aws:iam::111122223333:user/ci', username: 'ci', groups: ['admins'] }] }),
      ),
      findings: [
        {
          ...FINDING,
          message: 'noText',
          severity: 'error',
          says: ['`mapUsers` of `aws-auth` is a list', 'The API server refuses the object'],
          advises: 'Make a text of it',
        },
      ],
      fixed: resources(
        CONFIG_MAP,
        mapping({ mapRoles: entry(NODES), mapUsers: '- userarn: arn:aws:iam::111122223333:user/ci\n  username: ci\n' }),
      ),
    },
    {
      name: 'roles as a list, also where EKS does not look at them',
      template: resources(API, mapping({ mapRoles: [{ rolearn: NODES, username: 'a' }] })),
      findings: [{ ...FINDING, message: 'noText', severity: 'error', says: ['`mapRoles` of `aws-auth` is a list'] }],
    },
    {
      name: 'no YAML',
      template: resources(CONFIG_MAP, awsAuth('- rolearn: a\n username: [b\n')),
      findings: [
        { ...FINDING, message: 'malformed', severity: 'error', says: ["isn't YAML"], advises: 'a list of maps' },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES))),
    },
    {
      name: 'no list',
      template: resources(CONFIG_MAP, awsAuth(`rolearn: ${NODES}`)),
      findings: [{ ...FINDING, message: 'malformed', severity: 'error', says: ['is no list'] }],
    },
  ],
  unverifiable: [],
  notApplicable: [
    { name: 'a cluster', template: resources(CONFIG_MAP) },
    { name: 'a cluster that goes by access entries', template: resources(API, awsAuth(entry(IN_TEAM))) },
    { name: 'another ConfigMap', template: resources(CONFIG_MAP, awsAuth('x', 'aws-auth-example')) },
  ],
});
