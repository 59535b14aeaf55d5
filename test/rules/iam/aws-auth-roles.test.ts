import { awsAuthRoles } from '../../../lib/rules/iam/aws-auth-roles';
import { block, cluster, manifest, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import { substituted } from '../vpc-cni/pod-eni-templates';
import { iamRole } from './role-templates';

const CONFIG_MAP = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: CONFIG_MAP }');
const BOTH = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: API_AND_CONFIG_MAP }');
const API = cluster("Version: '1.33'", 'AccessConfig: { AuthenticationMode: API }');

function awsAuth(mapRoles: string, name = 'aws-auth'): string {
  return mapping({ mapRoles }, name);
}

function mapping(data: object, name = 'aws-auth', namespace: string | undefined = 'kube-system'): string {
  return manifest('Mapping', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(namespace === '' ? {} : { namespace }) },
    data,
  });
}

/** Entries as text: ARN, name, groups. */
function entries(...all: readonly (readonly [arn: string, username: string, groups: readonly string[]])[]): string {
  return JSON.stringify(all.map(([rolearn, username, groups]) => ({ rolearn, username, groups })));
}

function entry(arn: string, ...groups: readonly string[]): string {
  return JSON.stringify([{ rolearn: arn, username: 'somebody', groups }]);
}

const NODES = 'arn:aws:iam::111122223333:role/nodes';
const IN_TEAM = 'arn:aws:iam::111122223333:role/team/shop/nodes';
const NODE = 'system:node:{{EC2PrivateDNSName}}';
const BOTH_GROUPS = ['system:bootstrappers', 'system:nodes'];
const FINDING = { resource: 'Mapping', at: 'Mapping' } as const;

const accessEntry = (principal: string) =>
  block('Entry', 'AWS::EKS::AccessEntry', ['ClusterName: !Ref Cluster', `PrincipalArn: ${principal}`]);
const managedGroup = (role: string) =>
  block('Group', 'AWS::EKS::Nodegroup', ['ClusterName: !Ref Cluster', `NodeRole: ${role}`, 'Subnets: [subnet-1]']);

testRule(awsAuthRoles, {
  valid: [
    {
      name: 'what a cluster that goes by access entries lets in by one, whose ARN has the path',
      template: resources(API, accessEntry(IN_TEAM), awsAuth(entry(NODES, 'system:nodes'))),
    },
    {
      name: 'a session of a role that an access entry lets in',
      template: resources(
        API,
        accessEntry(IN_TEAM),
        awsAuth(entry('arn:aws:sts::111122223333:assumed-role/nodes/somebody', 'admins')),
      ),
    },
    {
      name: 'the nodes of a managed group, for which EKS makes an access entry',
      template: resources(API, managedGroup(NODES), awsAuth(entry(NODES, 'system:nodes'))),
    },
    {
      name: 'a role with a path that an access entry lets in besides',
      template: resources(BOTH, accessEntry(IN_TEAM), awsAuth(entry(IN_TEAM, 'admins'))),
    },
    {
      name: 'that of a managed group, for which EKS makes an access entry',
      template: resources(BOTH, managedGroup(IN_TEAM), awsAuth(entry(IN_TEAM, 'system:nodes'))),
    },
    {
      name: 'groups of nodes that are lost of a role which no instance can have',
      template: resources(
        CONFIG_MAP,
        iamRole('ControlPlane', { services: ['eks.amazonaws.com'] }),
        substituted(
          mapping({
            mapRoles: entries(
              ['${ControlPlane.Arn}', NODE, BOTH_GROUPS],
              ['${ControlPlane.Arn}', 'somebody', ['system:masters']],
            ),
          }),
        ),
      ),
    },
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
    {
      name: 'blanks in the place of ids and ARNs',
      template: resources(
        CONFIG_MAP,
        awsAuth(
          entries(
            ['arn:aws:iam::00000000000:role/nodes', NODE, BOTH_GROUPS],
            ['ROLE_ARN', 'a', ['admins']],
            ['your-node-role', 'b', ['admins']],
            ['node_role_arn', 'c', ['admins']],
          ),
        ),
      ),
    },
    {
      name: 'two blanks of a form, which are not one role',
      template: resources(CONFIG_MAP, awsAuth(entries(['<>', NODE, BOTH_GROUPS], ['<>', 'sso', ['admins']]))),
    },
    {
      name: 'a role twice, where the last entry has what the others have',
      template: resources(
        CONFIG_MAP,
        awsAuth(
          entries(
            [NODES, 'a', ['viewers']],
            [NODES.toUpperCase().replace('ARN:AWS:IAM', 'arn:aws:iam'), 'b', ['viewers', 'admins']],
          ),
        ),
      ),
    },
    {
      name: 'two users that differ in case, which EKS takes for two',
      template: resources(
        CONFIG_MAP,
        mapping({
          mapRoles: entry(NODES),
          mapUsers: JSON.stringify([
            { userarn: 'arn:aws:iam::111122223333:user/CI', username: 'ci', groups: ['admins'] },
            { userarn: 'arn:aws:iam::111122223333:user/ci', username: 'ci', groups: [] },
          ]),
        }),
      ),
    },
    {
      name: 'a name of their own for nodes that have further groups',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, 'nodes', [...BOTH_GROUPS, 'operators']]))),
    },
    {
      name: 'pods on Fargate',
      template: resources(
        CONFIG_MAP,
        awsAuth(entries([NODES, 'system:node:{{SessionName}}', [...BOTH_GROUPS, 'system:node-proxier']])),
      ),
    },
    {
      name: 'a name of nodes that something else fills in',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, '${name}', BOTH_GROUPS]))),
    },
    {
      name: 'groups as a text that something else fills in',
      template: resources(CONFIG_MAP, awsAuth(`- rolearn: ${NODES}\n  username: somebody\n  groups: "{{ groups }}"\n`)),
    },
    {
      name: 'nodes that are administrators',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, ['system:masters']]))),
    },
    {
      name: 'groups of nodes that something else fills in',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, ['{{ .group }}']]))),
    },
    {
      name: 'nodes without the group of those that still have to be let in',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, ['system:nodes']]))),
    },
    {
      name: 'accounts, one of which begins with zeros, and a comment with another number',
      template: resources(
        CONFIG_MAP,
        mapping({ mapRoles: entry(NODES), mapAccounts: '- "111122223333" # was 42\n- 001122223333\n' }),
      ),
    },
    {
      name: 'an account that is filled in later',
      template: resources(CONFIG_MAP, awsAuth(entry('arn:aws:iam::ACCOUNT_ID:role/nodes'))),
    },
  ],
  invalid: [
    {
      name: 'a role twice, where EKS takes the second entry alone',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, BOTH_GROUPS], [NODES, 'admin', ['admins']]))),
      findings: [
        {
          ...FINDING,
          message: 'twice',
          severity: 'error',
          says: ['takes the last entry alone', '`system:nodes`', 'the name of a node'],
          advises: 'one entry with the groups of all',
          fix: 'groups: [admins, system:bootstrappers, system:nodes]',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, [...BOTH_GROUPS, 'admins']]))),
    },
    {
      name: 'a user twice',
      template: resources(
        BOTH,
        mapping({
          mapUsers: JSON.stringify(
            ['admins', 'viewers'].map((group) => ({
              userarn: 'arn:aws:iam::111122223333:user/ci',
              username: 'ci',
              groups: [group],
            })),
          ),
        }),
      ),
      findings: [
        { ...FINDING, message: 'twice', severity: 'warning', says: ['`admins`', 'An access entry for the user'] },
      ],
    },
    {
      name: 'nodes without their group',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, ['system:bootstrappers', 'system:node']]))),
      findings: [
        {
          ...FINDING,
          message: 'noNodes',
          severity: 'error',
          says: ['not to the group `system:nodes`', 'never join'],
          fix: 'groups: [system:bootstrappers, system:nodes, system:node]',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, BOTH_GROUPS]))),
    },
    {
      name: 'nodes of a group of their own, which may have the rights of nodes',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, ['our-nodes']]))),
      findings: [{ ...FINDING, message: 'noNodes', severity: 'warning' }],
      fixed: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, ['our-nodes', ...BOTH_GROUPS]]))),
    },
    {
      name: 'an account of eleven digits',
      template: resources(CONFIG_MAP, awsAuth(entry('arn:aws:iam::11122223333:role/nodes', 'system:nodes'))),
      findings: [
        {
          ...FINDING,
          message: 'account',
          severity: 'error',
          says: ['`11122223333` in `arn:aws:iam::11122223333:role/nodes` in `mapRoles`', 'nobody is let in'],
          advises: 'all 12 digits',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entry(NODES, 'system:nodes'))),
    },
    {
      name: 'accounts that lost a zero, or have dashes',
      template: resources(
        BOTH,
        mapping({ mapRoles: entry(NODES), mapAccounts: '- 11122223333\n- "1111-2222-3333"\n- 111122223333\n' }),
      ),
      findings: [
        { ...FINDING, message: 'account', severity: 'warning', says: ['`11122223333` in `mapAccounts`'] },
        { ...FINDING, message: 'account', severity: 'warning', says: ['`1111-2222-3333` in `mapAccounts`'] },
      ],
      fixed: resources(BOTH, mapping({ mapRoles: entry(NODES), mapAccounts: '- "111122223333"\n' })),
    },
    {
      name: 'nodes by a name of their own',
      template: resources(CONFIG_MAP, awsAuth(entries([NODES, 'node2', BOTH_GROUPS]))),
      findings: [
        {
          ...FINDING,
          message: 'noNodeName',
          severity: 'error',
          says: [NODES, 'the name `node2`', 'the nodes with the role never join'],
          fix: 'EC2PrivateDNSName',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, BOTH_GROUPS]))),
    },
    {
      name: 'groups of a role as a text',
      template: resources(CONFIG_MAP, awsAuth(`- rolearn: ${NODES}\n  username: admin\n  groups: system:masters\n`)),
      findings: [
        {
          ...FINDING,
          message: 'groupsText',
          severity: 'error',
          says: [NODES, '`system:masters`', 'keeps the entry without groups'],
          fix: 'groups: [system:masters]',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(`- rolearn: ${NODES}\n  username: admin\n  groups: [system:masters]\n`)),
    },
    {
      name: 'groups of nodes as a text, which is one defect',
      template: resources(BOTH, awsAuth(`- rolearn: ${NODES}\n  username: "${NODE}"\n  groups: system:nodes\n`)),
      findings: [{ ...FINDING, message: 'groupsText', severity: 'warning', says: ['An access entry for the role'] }],
    },
    {
      name: 'groups of a user as a text',
      template: resources(
        CONFIG_MAP,
        mapping({ mapUsers: '- userarn: arn:aws:iam::111122223333:user/ci\n  username: ci\n  groups: admins\n' }),
      ),
      findings: [{ ...FINDING, message: 'groupsText', severity: 'error', says: ['user/ci'] }],
    },
    {
      name: 'another namespace',
      template: resources(CONFIG_MAP, mapping({ mapRoles: entry(NODES) }, 'aws-auth', 'default')),
      findings: [
        {
          ...FINDING,
          message: 'namespace',
          severity: 'error',
          says: ['in the namespace `default`', 'nobody is let in by it'],
          advises: 'into the ConfigMap that is there already',
        },
      ],
      fixed: resources(CONFIG_MAP, mapping({ mapRoles: entry(NODES) })),
    },
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
      name: 'a list of users by another key, with nothing in it so far',
      template: resources(CONFIG_MAP, mapping({ mapRoles: entry(NODES, 'system:nodes'), map_users: '[]' })),
      findings: [
        {
          ...FINDING,
          message: 'otherKey',
          severity: 'info',
          says: ['`map_users`', 'its empty list'],
          omits: ['none of what it maps'],
        },
      ],
    },
    {
      name: 'nothing, in another namespace',
      template: resources(CONFIG_MAP, mapping({ mapRoles: '[]' }, 'aws-auth', 'default')),
      findings: [{ ...FINDING, message: 'namespace', severity: 'info' }],
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
        block('Entry', 'AWS::EKS::AccessEntry', ['ClusterName: !Ref Cluster', `PrincipalArn: ${NODES}-of-others`]),
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
      name: 'a path that a merge behind the ARN brings, as the authenticator reads it',
      template: resources(
        CONFIG_MAP,
        awsAuth(
          `- rolearn: ${NODES}\n  <<: { rolearn: "${IN_TEAM}" }\n  username: ${NODE}\n  groups: [system:nodes]\n`,
        ),
      ),
      findings: [{ ...FINDING, message: 'path', severity: 'error', says: [IN_TEAM] }],
    },
    {
      name: 'a path in a list in brackets that is no JSON',
      template: resources(CONFIG_MAP, awsAuth(`[{rolearn: ${IN_TEAM}, username: "${NODE}", groups: [system:nodes]}]`)),
      findings: [{ ...FINDING, message: 'path', severity: 'error', says: [IN_TEAM] }],
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
      name: 'a cluster among the roles',
      template: resources(
        CONFIG_MAP,
        awsAuth(entry('arn:aws:eks:eu-west-1:111122223333:cluster/main', 'system:nodes')),
      ),
      findings: [
        {
          ...FINDING,
          message: 'noIdentity',
          severity: 'error',
          says: ['which is a resource of the service `eks`', 'the nodes with it never join'],
          advises: 'Map the role of the nodes',
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
      name: 'nodes that a cluster with access entries alone does not let in',
      template: resources(
        API,
        managedGroup('arn:aws:iam::111122223333:role/others'),
        accessEntry('arn:aws:iam::111122223333:role/admins'),
        awsAuth(entries([NODES, NODE, BOTH_GROUPS], ['arn:aws:iam::111122223333:role/admins', 'a', ['admins']])),
      ),
      findings: [
        {
          ...FINDING,
          message: 'unread',
          severity: 'warning',
          says: [`maps \`${NODES}\`, but`, 'never reads the ConfigMap', 'nodes with such a role never join'],
          advises: 'EC2_LINUX',
        },
      ],
      fixed: resources(API, accessEntry(NODES), awsAuth(entries([NODES, NODE, BOTH_GROUPS]))),
    },
    {
      name: 'users of a cluster that goes by access entries alone',
      template: resources(
        API,
        mapping({ mapUsers: '- userarn: arn:aws:iam::111122223333:user/ci\n  username: ci\n  groups: [admins]\n' }),
      ),
      findings: [{ ...FINDING, message: 'unread', severity: 'warning', says: ['user/ci', 'nobody of these gets in'] }],
    },
    {
      name: 'a role by its name',
      template: resources(CONFIG_MAP, awsAuth(entries(['shop-NodeInstanceRole-YX7DK114HISU', NODE, BOTH_GROUPS]))),
      findings: [
        {
          ...FINDING,
          message: 'noArn',
          severity: 'error',
          says: ['is a name and no ARN', 'the nodes with it never join'],
          advises: 'role/shop-NodeInstanceRole-YX7DK114HISU',
        },
      ],
      fixed: resources(CONFIG_MAP, awsAuth(entries([NODES, NODE, BOTH_GROUPS]))),
    },
    {
      name: 'a user with a colon too few, and one by a session',
      template: resources(
        CONFIG_MAP,
        mapping({
          mapUsers:
            '- userarn: arn:aws:iam:111122223333:user/ci\n  username: ci\n- userarn: arn:aws:sts::111122223333:assumed-role/ci/joe\n  username: joe\n',
        }),
      ),
      findings: [
        {
          ...FINDING,
          message: 'noArn',
          severity: 'error',
          says: ['one colon'],
          advises: 'arn:aws:iam::111122223333:user/ci',
        },
        { ...FINDING, message: 'assumedRole', severity: 'error', says: ['arn:aws:iam::111122223333:role/ci'] },
      ],
    },
    {
      name: 'a session of somebody with the groups of nodes, which is no node',
      template: resources(
        CONFIG_MAP,
        awsAuth(
          entries(['arn:aws:sts::111122223333:assumed-role/admins/joe', 'joe', ['system:masters', 'system:nodes']]),
        ),
      ),
      findings: [{ ...FINDING, message: 'assumedRole', severity: 'error', says: ['who has it gets no access'] }],
    },
    {
      name: 'users in no YAML, which EKS drops alone',
      template: resources(
        CONFIG_MAP,
        mapping({ mapUsers: '- userarn: arn:aws:iam::111122223333:user/ci\n    username: ci\n  groups: [a\n' }),
      ),
      findings: [{ ...FINDING, message: 'malformedUsers', severity: 'error', says: ["isn't YAML", 'no user'] }],
      fixed: resources(
        CONFIG_MAP,
        mapping({ mapUsers: '- userarn: arn:aws:iam::111122223333:user/ci\n  username: ci\n  groups: [a]\n' }),
      ),
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
  unverifiable: [
    {
      name: 'a role beside an access entry for whoever a parameter names',
      template: template(
        'Parameters:\n  Administrator: { Type: String }',
        API,
        accessEntry('!Ref Administrator'),
        awsAuth(entry(NODES, 'admins')),
      ),
      resources: ['Mapping'],
      because: 'goes by access entries alone',
    },
    {
      name: 'a role that a parameter names',
      template: template(
        'Parameters:\n  Administrator: { Type: String }',
        API,
        block('Mapping', 'Custom::AWSCDK-EKS-KubernetesResource', [
          'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
          'ClusterName: !Ref Cluster',
          'Manifest: !Sub \'[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"aws-auth","namespace":"kube-system"},"data":{"mapRoles":"[{\\\\"rolearn\\\\":\\\\"${Administrator}\\\\"}]"}}]\''.replaceAll(
            '\\\\',
            '\\',
          ),
        ]),
      ),
      resources: ['Mapping'],
      because: 'goes by access entries alone',
    },
    {
      name: 'no namespace',
      template: resources(CONFIG_MAP, mapping({ mapRoles: entry(NODES) }, 'aws-auth', '')),
      resources: ['Mapping'],
      because: 'leaves its namespace to whoever applies it',
    },
  ],
  notApplicable: [
    { name: 'a cluster', template: resources(CONFIG_MAP) },
    { name: 'a cluster that goes by access entries, and maps nobody', template: resources(API, awsAuth('[]')) },
    {
      name: 'a ConfigMap of an application that has this name',
      template: resources(CONFIG_MAP, mapping({ region: 'eu-west-1' }, 'aws-auth', 'shop')),
    },
    { name: 'another ConfigMap', template: resources(CONFIG_MAP, awsAuth('x', 'aws-auth-example')) },
  ],
});
