import fc from 'fast-check';
import {
  attachesManagedPolicy,
  permissionCases,
  permissionsOf,
  RolePermissions,
  type Allowed,
} from '../../../lib/eks/iam';
import { cniPermissions } from '../../../lib/knowledge';
import { Known, nowhere } from '../../../lib/eks';
import { coreActions } from '../../../lib/eks/analysis/cni-permissions';
import { absent, documentOf, either, roleWith, unknown, type PolicySpec, type StatementSpec } from './roles';

const NETWORK_INTERFACES = 'arn:*:ec2:*:*:network-interface/*';

const rank: Record<Allowed, number> = { denied: 0, unknown: 1, allowed: 2 };

describe('RolePermissions.allows', () => {
  type Row = [name: string, policies: PolicySpec[], action: string, resource: string, expected: Allowed];
  const rows: Row[] = [
    ['a role without policies', [], 'ec2:CreateTags', '*', 'denied'],
    ['an exact action', [[{ Action: 'ec2:CreateTags' }]], 'ec2:CreateTags', '*', 'allowed'],
    ['another action', [[{ Action: 'ec2:DeleteTags' }]], 'ec2:CreateTags', '*', 'denied'],
    ['an action in other case', [[{ Action: 'EC2:createtags' }]], 'ec2:CreateTags', '*', 'allowed'],
    ['ec2:*', [[{ Action: 'ec2:*' }]], 'ec2:CreateTags', '*', 'allowed'],
    ['*', [[{ Action: '*' }]], 'ec2:CreateTags', NETWORK_INTERFACES, 'allowed'],
    ['a prefix with *', [[{ Action: 'ec2:Describe*' }]], 'ec2:DescribeSubnets', '*', 'allowed'],
    ['a prefix that does not fit', [[{ Action: 'ec2:Describe*' }]], 'ec2:CreateTags', '*', 'denied'],
    ['a ?', [[{ Action: 'ec2:CreateTag?' }]], 'ec2:CreateTags', '*', 'allowed'],
    ['a ? for no character', [[{ Action: 'ec2:CreateTags?' }]], 'ec2:CreateTags', '*', 'denied'],
    ['the wildcard of another service', [[{ Action: 'eks:*' }]], 'ec2:CreateTags', '*', 'denied'],
    [
      'permissions spread over policies',
      [[{ Action: 'ec2:DeleteTags' }], [{ Action: 'ec2:CreateTags' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    ['NotAction of others', [[{ NotAction: 'iam:*' }]], 'ec2:CreateTags', '*', 'allowed'],
    ['NotAction of this', [[{ NotAction: ['iam:*', 'ec2:Create*'] }]], 'ec2:CreateTags', '*', 'denied'],
    ['NotAction with an unknown entry', [[{ NotAction: [unknown()] }]], 'ec2:CreateTags', '*', 'unknown'],

    [
      'tags on network interfaces',
      [[{ Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:network-interface/*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'tags on instances only',
      [[{ Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:instance/*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    [
      'tags in one region',
      [[{ Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:eu-west-1:111122223333:*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'tags in another partition',
      [[{ Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:*' }]],
      'ec2:CreateTags',
      'arn:aws-us-gov:ec2:*:*:network-interface/*',
      'denied',
    ],
    [
      'the partition of the stack',
      [[{ Action: 'ec2:CreateTags', Resource: [unknown('arn:${AWS::Partition}:ec2:*:*:network-interface/*')] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'the partition of the stack, instances',
      [[{ Action: 'ec2:CreateTags', Resource: [unknown('arn:${AWS::Partition}:ec2:*:*:instance/*')] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    [
      'an unknown kind of resource',
      [[{ Action: 'ec2:CreateTags', Resource: [unknown('arn:aws:ec2:*:*:${Kind}/*')] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    [
      'an unknown resource, any will do',
      [[{ Action: 'ec2:CreateTags', Resource: [unknown()] }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'an unknown resource',
      [[{ Action: 'ec2:CreateTags', Resource: [unknown()] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    ['no resource at all', [[{ Action: 'ec2:CreateTags', Resource: [] }]], 'ec2:CreateTags', '*', 'unknown'],
    [
      'resources in other case',
      [[{ Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:Network-Interface/*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    [
      'NotResource of others',
      [[{ Action: 'ec2:CreateTags', NotResource: 'arn:aws:ec2:*:*:instance/*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'NotResource of these',
      [[{ Action: 'ec2:CreateTags', NotResource: 'arn:*:ec2:*:*:network-interface/*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    ['NotResource of all', [[{ Action: 'ec2:CreateTags', NotResource: '*' }]], 'ec2:CreateTags', '*', 'denied'],
    [
      'NotResource of some of these',
      [[{ Action: 'ec2:CreateTags', NotResource: 'arn:aws:ec2:*:*:network-interface/eni-1' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'NotResource that is not known',
      [[{ Action: 'ec2:CreateTags', NotResource: [unknown()] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    [
      'an action without resources on named ones',
      [[{ Action: 'ec2:DescribeSubnets', Resource: 'arn:aws:ec2:*:*:subnet/*' }]],
      'ec2:DescribeSubnets',
      '*',
      'denied',
    ],
    [
      'an action without resources on *',
      [[{ Action: 'ec2:DescribeSubnets' }]],
      'ec2:DescribeSubnets',
      NETWORK_INTERFACES,
      'allowed',
    ],

    [
      'a Deny beside an Allow',
      [[{ Action: 'ec2:*' }], [{ Effect: 'Deny', Action: 'ec2:CreateTags' }]],
      'ec2:CreateTags',
      '*',
      'denied',
    ],
    [
      'a Deny of another action',
      [[{ Action: 'ec2:*' }], [{ Effect: 'Deny', Action: 'ec2:DeleteTags' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'a Deny of everything but this',
      [[{ Action: 'ec2:*' }, { Effect: 'Deny', NotAction: 'ec2:*' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'a Deny of everything but another',
      [[{ Action: 'ec2:*' }, { Effect: 'Deny', NotAction: 'iam:*' }]],
      'ec2:CreateTags',
      '*',
      'denied',
    ],
    [
      'a Deny on other resources',
      [[{ Action: 'ec2:*' }, { Effect: 'Deny', Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:instance/*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'a Deny on all of the resources',
      [[{ Action: 'ec2:*' }, { Effect: 'Deny', Action: 'ec2:CreateTags', Resource: 'arn:*:ec2:*:*:*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    [
      'a Deny on some of the resources',
      [
        [
          { Action: 'ec2:*' },
          { Effect: 'Deny', Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:network-interface/eni-1' },
        ],
      ],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    [
      'a Deny with NotResource of these',
      [
        [
          { Action: 'ec2:*' },
          { Effect: 'Deny', Action: 'ec2:CreateTags', NotResource: 'arn:*:ec2:*:*:network-interface/*' },
        ],
      ],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'a Deny with NotResource of others',
      [[{ Action: 'ec2:*' }, { Effect: 'Deny', Action: 'ec2:CreateTags', NotResource: 'arn:*:ec2:*:*:instance/*' }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    [
      'a Deny under a condition',
      [
        [
          { Action: 'ec2:*' },
          { Effect: 'Deny', Action: '*', Condition: { StringNotEquals: { 'aws:RequestedRegion': 'eu-west-1' } } },
        ],
      ],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    [
      'a Deny under a condition where nothing allows',
      [[{ Effect: 'Deny', Action: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }]],
      'ec2:CreateTags',
      '*',
      'denied',
    ],
    [
      'a Deny under a condition that cannot be read',
      [[{ Action: 'ec2:*' }, { Effect: 'Deny', Action: '*', Condition: 'unreadable' }]],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    [
      'an Allow under a condition',
      [[{ Action: 'ec2:CreateTags', Condition: { StringEquals: { 'aws:RequestTag/cluster': 'a' } } }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'an Allow under a condition that cannot be read',
      [[{ Action: 'ec2:CreateTags', Condition: 'unreadable' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'a sure Deny beside unknown things',
      [[{ Effect: 'Deny', Action: '*' }], { arn: unknown() }],
      'ec2:CreateTags',
      '*',
      'denied',
    ],

    [
      'a Deny of an action without resources on named ones',
      [[{ Action: '*' }, { Effect: 'Deny', Action: 'ec2:DescribeSubnets', Resource: 'arn:aws:ec2:*:*:subnet/*' }]],
      'ec2:DescribeSubnets',
      '*',
      'allowed',
    ],
    [
      'a Deny of an action without resources on *',
      [[{ Action: '*' }, { Effect: 'Deny', Action: 'ec2:DescribeSubnets' }]],
      'ec2:DescribeSubnets',
      'arn:aws:ec2:*:*:subnet/*',
      'denied',
    ],
    [
      'a Deny in the partition of the stack',
      [[{ Action: '*' }, { Effect: 'Deny', Action: '*', Resource: [unknown('arn:${AWS::Partition}:ec2:*:*:*')] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    [
      'a Deny in the region of the stack',
      [[{ Action: '*' }, { Effect: 'Deny', Action: '*', Resource: [unknown('arn:aws:ec2:${AWS::Region}:*:*')] }]],
      'ec2:CreateTags',
      'arn:aws:ec2:*:*:network-interface/*',
      'unknown',
    ],
    [
      'a Deny without resource',
      [[{ Action: '*' }, { Effect: 'Deny', Action: '*', Resource: [] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    [
      'a Deny with an effect in small letters, which IAM refuses',
      [[{ Action: '*' }, { Effect: 'deny', Action: '*' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'NotResource of these and others',
      [[{ Action: 'ec2:CreateTags', NotResource: ['arn:aws:s3:::a', 'arn:*:ec2:*:*:network-interface/*'] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'denied',
    ],
    [
      'NotResource of some and of what is not known',
      [[{ Action: 'ec2:CreateTags', NotResource: ['arn:aws:ec2:*:*:network-interface/eni-1', unknown()] }]],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    ['an absent action', [[{ Action: [absent] }]], 'ec2:CreateTags', '*', 'denied'],
    ['an absent action beside it', [[{ Action: [absent, 'ec2:CreateTags'] }]], 'ec2:CreateTags', '*', 'allowed'],
    [
      'an action that is there under a condition',
      [[{ Action: [either('Prod', new Known('ec2:CreateTags', nowhere), absent)] }]],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    [
      'another action that is there under a condition',
      [[{ Action: [either('Prod', new Known('ec2:DeleteTags', nowhere), absent)] }]],
      'ec2:CreateTags',
      '*',
      'denied',
    ],

    ['an unknown effect', [[{ Effect: unknown(), Action: 'ec2:CreateTags' }]], 'ec2:CreateTags', '*', 'unknown'],
    [
      'an unknown effect beside an Allow',
      [[{ Action: '*' }, { Effect: unknown(), Action: 'ec2:CreateTags' }]],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    [
      'an unknown effect of another action',
      [[{ Effect: unknown(), Action: 'ec2:DeleteTags' }]],
      'ec2:CreateTags',
      '*',
      'denied',
    ],
    ['an unknown action', [[{ Action: [unknown()] }]], 'ec2:CreateTags', '*', 'unknown'],
    [
      'an action of an unknown service',
      [[{ Action: [unknown('${Service}:CreateTags')] }]],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    [
      'an unknown action of another service',
      [[{ Action: [unknown('s3:${Action}')] }]],
      'ec2:CreateTags',
      '*',
      'denied',
    ],
    [
      'an unknown action in a Deny',
      [[{ Action: '*' }, { Effect: 'Deny', Action: [unknown()] }]],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    ['an unknown document', [{ document: unknown() }], 'ec2:CreateTags', '*', 'unknown'],
    [
      'an unknown document beside an Allow',
      [{ document: unknown() }, [{ Action: 'ec2:CreateTags' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    ['an absent document', [{ document: absent }], 'ec2:CreateTags', '*', 'denied'],

    ['the CNI policy', ['AmazonEKS_CNI_Policy'], 'ec2:AssignPrivateIpAddresses', '*', 'allowed'],
    [
      'the CNI policy, tags on network interfaces',
      ['AmazonEKS_CNI_Policy'],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'allowed',
    ],
    [
      'the CNI policy, tags in another partition',
      ['arn:aws-cn:iam::aws:policy/AmazonEKS_CNI_Policy'],
      'ec2:CreateTags',
      'arn:aws-cn:ec2:*:*:network-interface/*',
      'allowed',
    ],
    [
      'the CNI policy, tags on instances',
      ['AmazonEKS_CNI_Policy'],
      'ec2:CreateTags',
      'arn:aws:ec2:*:*:instance/*',
      'denied',
    ],
    ['administrators', ['AdministratorAccess'], 'ec2:AssignIpv6Addresses', '*', 'allowed'],
    ['power users', ['arn:aws-us-gov:iam::aws:policy/PowerUserAccess'], 'ec2:AssignPrivateIpAddresses', '*', 'allowed'],
    ['readers, reading', ['job-function/ViewOnlyAccess'], 'ec2:DescribeSubnets', '*', 'allowed'],
    ['readers, writing', ['ReadOnlyAccess'], 'ec2:CreateTags', '*', 'denied'],
    [
      'a policy of AWS that has nothing to do with it',
      ['AmazonSSMManagedInstanceCore'],
      'ec2:CreateTags',
      '*',
      'denied',
    ],
    [
      'tags on some resources by a policy of AWS',
      ['AmazonEBSCSIDriverPolicy'],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    [
      'tags on some resources by a policy of AWS, any will do',
      ['AmazonEBSCSIDriverPolicy'],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    ['an action that the index of policies does not have', ['AdministratorAccess'], 'sqs:SendMessage', '*', 'unknown'],
    [
      'a policy that denies everything',
      [[{ Action: '*' }], 'AWSDenyAll'],
      'ec2:CreateTags',
      NETWORK_INTERFACES,
      'unknown',
    ],
    ['a policy that AWS does not have', ['AmazonEKS_CNI_Polcy'], 'ec2:CreateTags', '*', 'unknown'],
    ['the CNI policy, IPv6', ['AmazonEKS_CNI_Policy'], 'ec2:AssignIpv6Addresses', '*', 'denied'],
    [
      'a managed policy by a joined ARN',
      [{ arn: unknown('arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy') }],
      'ec2:AssignPrivateIpAddresses',
      '*',
      'allowed',
    ],
    [
      'a managed policy with a path',
      ['arn:aws:iam::aws:policy/service-role/AmazonEKS_CNI_Policy'],
      'ec2:AssignPrivateIpAddresses',
      '*',
      'allowed',
    ],
    [
      'a policy of an account with the same name',
      ['arn:aws:iam::111122223333:policy/AmazonEKS_CNI_Policy'],
      'ec2:AssignPrivateIpAddresses',
      '*',
      'unknown',
    ],
    [
      'a policy of the own account with the same name',
      [{ arn: unknown('arn:aws:iam::${AWS::AccountId}:policy/AmazonEKS_CNI_Policy') }],
      'ec2:AssignPrivateIpAddresses',
      '*',
      'unknown',
    ],
    ['an AWS policy that the table does not have', ['AmazonSomethingNewPolicy'], 'ec2:CreateTags', '*', 'unknown'],
    ['an imported policy', [{ arn: unknown() }], 'ec2:CreateTags', '*', 'unknown'],
    [
      'an imported policy beside an Allow',
      [{ arn: unknown() }, [{ Action: 'ec2:CreateTags' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    ['an absent policy', [{ arn: absent }], 'ec2:CreateTags', '*', 'denied'],

    [
      'both alternatives',
      [[{ Action: [either('Prod', new Known('ec2:*', nowhere), new Known('*', nowhere))] }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'one alternative',
      [[{ Action: [either('Prod', new Known('ec2:*', nowhere), new Known('s3:*', nowhere))] }]],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    [
      'one alternative, the other absent',
      [{ document: either('Prod', documentOf({ Action: 'ec2:*' }), absent) }],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
    [
      'neither alternative',
      [{ document: either('Prod', documentOf({ Action: 's3:*' }), absent) }],
      'ec2:CreateTags',
      '*',
      'denied',
    ],
    [
      'one alternative, and another policy for sure',
      [{ document: either('Prod', documentOf({ Action: 'ec2:*' }), absent) }, [{ Action: 'ec2:CreateTags' }]],
      'ec2:CreateTags',
      '*',
      'allowed',
    ],
    [
      'a Deny in one alternative',
      [[{ Action: '*' }], { document: either('Prod', documentOf({ Effect: 'Deny', Action: '*' }), absent) }],
      'ec2:CreateTags',
      '*',
      'unknown',
    ],
  ];

  it.each(rows)('%s', (_, policies, action, resource, expected) => {
    expect(new RolePermissions(roleWith(...policies)).allows(action, resource)).toBe(expected);
  });

  it('has no two rows of one name', () => {
    expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
  });
});

describe('RolePermissions.missing', () => {
  it('separates what is missing from what is unknown, and says why', () => {
    const role = roleWith([{ Action: 'ec2:DescribeSubnets' }, { Action: [unknown('ec2:Assign${Family}')] }]);
    expect(permissionsOf(role).missing(['ec2:DescribeSubnets', 'ec2:AssignIpv6Addresses', 'ec2:CreateTags'])).toEqual({
      missing: ['ec2:CreateTags'],
      unknown: ['ec2:AssignIpv6Addresses'],
      reasons: ['parameter X has no default'],
    });
  });

  it('names the policy that the input does not hold', () => {
    const { unknown: actions, reasons } = permissionsOf(
      roleWith('arn:aws:iam::111122223333:policy/Networking'),
    ).missing(cniPermissions.ipv6);
    expect(actions).toEqual(cniPermissions.ipv6);
    expect(reasons).toEqual(['policy "arn:aws:iam::111122223333:policy/Networking" isn\'t part of the input']);
  });

  it('says that a Deny depends on a condition', () => {
    const role = roleWith([
      { Action: '*' },
      { Effect: 'Deny', Action: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
    expect(permissionsOf(role).missing(['ec2:CreateTags']).reasons).toEqual([
      'a Deny statement depends on a condition',
    ]);
  });

  it.each<[string, PolicySpec[], string[]]>([
    [
      'a policy whose ARN is not known',
      [{ arn: unknown() }],
      ["an attached policy isn't known: parameter X has no default"],
    ],
    [
      'a policy of which the ARN is a reference',
      [{ arn: unknown('${Policy}') }],
      ["an attached policy isn't known: parameter X has no default"],
    ],
    [
      'a policy whose ARN is known in part',
      [{ arn: unknown('arn:aws:iam::1:policy/${Name}') }],
      ['policy "arn:aws:iam::1:policy/${Name}" isn\'t part of the input'],
    ],
    [
      'a name that ends like a reference',
      ['arn:aws:iam::1:policy/${'],
      ['policy "arn:aws:iam::1:policy/${" isn\'t part of the input'],
    ],
    [
      'a document that is not known',
      [{ document: unknown() }],
      ['policy "Policy0" can\'t be read: parameter X has no default'],
    ],
    [
      'a document that is known under a condition',
      [{ document: either('Prod', documentOf({ Action: '*' }), unknown()) }],
      [
        'policy "Policy0" can\'t be read: parameter X has no default',
        'a policy depends on a condition of the template',
      ],
    ],
    [
      'a document under a condition',
      [{ document: either('Prod', documentOf({ Action: '*' }), absent) }],
      ['a policy depends on a condition of the template'],
    ],
    [
      'a Deny under a condition',
      [[{ Action: '*' }], { document: either('Prod', documentOf({ Effect: 'Deny', Action: '*' }), absent) }],
      ['a policy depends on a condition of the template'],
    ],
    [
      'an ARN under a condition',
      [{ arn: either('Prod', new Known('arn:aws:iam::aws:policy/AdministratorAccess', nowhere), absent) }],
      ['a policy depends on a condition of the template'],
    ],
    [
      'an action under a condition',
      [[{ Action: [either('Prod', new Known('*', nowhere), absent)] }]],
      ['a statement depends on a condition of the template'],
    ],
    [
      'a statement without resource',
      [[{ Action: '*', Resource: [] }]],
      ['a statement has neither Resource nor NotResource'],
    ],
    [
      'a Deny on some',
      [[{ Action: '*' }, { Effect: 'Deny', Action: '*', Resource: 'arn:aws:ec2:*:*:network-interface/eni-1' }]],
      ['a Deny statement takes in some of the resources'],
    ],
    ['one reason twice', [[{ Action: [unknown()] }], [{ Action: [unknown()] }]], ['parameter X has no default']],
  ])('says why: %s', (_, policies, reasons) => {
    expect(new RolePermissions(roleWith(...policies)).missing(['ec2:CreateTags'], NETWORK_INTERFACES)).toEqual({
      missing: [],
      unknown: ['ec2:CreateTags'],
      reasons,
    });
  });

  it('gives no reasons for what another policy allows', () => {
    expect(permissionsOf(roleWith({ arn: unknown() }, [{ Action: '*' }])).missing(['ec2:CreateTags'])).toEqual({
      missing: [],
      unknown: [],
      reasons: [],
    });
  });
});

describe('the roles of the VPC CNI', () => {
  const oldIpv6: StatementSpec[] = [
    {
      Action: [
        'ec2:AssignIpv6Addresses',
        'ec2:DescribeInstances',
        'ec2:DescribeTags',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeInstanceTypes',
      ],
    },
    { Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:network-interface/*' },
  ];

  it('an IPv6 policy has none of the assigning IPv4 calls', () => {
    const { missing, unknown: unsure } = permissionsOf(roleWith(oldIpv6)).missing(coreActions('ipv4'));
    expect(missing).toEqual(coreActions('ipv4').filter((action) => !action.startsWith('ec2:Describe')));
    expect(unsure).toEqual([]);
  });

  it('the AWS managed policy lacks the IPv6 call', () => {
    expect(permissionsOf(roleWith('AmazonEKS_CNI_Policy')).missing(coreActions('ipv6')).missing).toEqual([
      'ec2:AssignIpv6Addresses',
    ]);
  });

  it('the AWS managed policy has the whole documented IPv4 set', () => {
    expect(permissionsOf(roleWith('AmazonEKS_CNI_Policy')).missing(cniPermissions.ipv4).missing).toEqual([]);
  });

  it('a policy that only creates tags has neither set', () => {
    const permissions = permissionsOf(
      roleWith([{ Action: 'ec2:CreateTags', Resource: 'arn:aws:ec2:*:*:network-interface/*' }]),
    );
    expect(permissions.missing(coreActions('ipv4')).missing).toEqual(coreActions('ipv4'));
    expect(permissions.missing(coreActions('ipv6')).missing).toEqual(coreActions('ipv6'));
  });

  it('the IPv6 policy from before June 2026 lacks the two Describe calls of subnet discovery', () => {
    expect(permissionsOf(roleWith(oldIpv6)).missing(cniPermissions.ipv6).missing).toEqual(
      ['ec2:DescribeSecurityGroups', 'ec2:DescribeSubnets'].filter((action) => cniPermissions.ipv6.includes(action)),
    );
  });

  it('EKS worker nodes without CNI policy have only the Describe calls', () => {
    const permissions = permissionsOf(roleWith('AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryReadOnly'));
    expect(permissions.missing(coreActions('ipv4')).missing).toContain('ec2:AttachNetworkInterface');
    expect(permissions.allows('ec2:DescribeSubnets')).toBe('allowed');
    expect(permissions.allows('eks-auth:AssumeRoleForPodIdentity')).toBe('allowed');
  });
});

describe('RolePermissions.grants', () => {
  it('tells a scoped grant of tags from one on everything', () => {
    const scoped = {
      Action: 'ec2:CreateTags',
      Resource: 'arn:aws:ec2:*:*:network-interface/*',
      Condition: { StringLike: { 'aws:RequestTag/x': '*' } },
    };
    const grants = permissionsOf(
      roleWith('AmazonEKS_CNI_Policy', [{ Action: 'ec2:*' }, scoped, { Action: 's3:*' }]),
    ).grants('ec2:CreateTags');
    expect(
      grants.map(({ policy, conditional, certain, statement }) => [
        policy.kind,
        conditional,
        certain,
        statement.resources.map((value) => (value.kind === 'known' ? value.value : '')),
      ]),
    ).toEqual([
      ['managed', false, true, ['arn:*:ec2:*:*:network-interface/*']],
      ['document', false, true, ['*']],
      ['document', true, true, ['arn:aws:ec2:*:*:network-interface/*']],
    ]);
  });

  it('knows what AWS grants under a condition only', () => {
    const grants = permissionsOf(roleWith('AmazonEKSVPCResourceController')).grants(
      'ec2:CreateNetworkInterfacePermission',
    );
    expect(grants.map(({ conditional, certain }) => [conditional, certain])).toEqual([[true, true]]);
  });

  it('marks a grant that is not sure, and leaves out what cannot be read', () => {
    const role = roleWith([{ Action: [unknown()] }], { document: unknown() }, { arn: unknown() });
    expect(
      permissionsOf(role)
        .grants('ec2:CreateTags')
        .map(({ conditional, certain }) => [conditional, certain]),
    ).toEqual([[false, false]]);
  });

  it('marks a grant that depends on a condition of the template', () => {
    const role = roleWith({ document: either('Prod', documentOf({ Action: 'ec2:*' }), absent) });
    expect(
      permissionsOf(role)
        .grants('ec2:CreateTags')
        .map(({ certain }) => certain),
    ).toEqual([false]);
  });
});

describe('permissionCases', () => {
  it('is one case when nothing depends on a condition, and shares the evaluation', () => {
    const role = roleWith([{ Action: 'ec2:*' }]);
    const [only, ...rest] = permissionCases(role);
    expect(rest).toEqual([]);
    expect(only?.when.text).toBe('');
    expect(only?.permissions).toBe(permissionsOf(role));
  });

  it('splits by the condition of a policy', () => {
    const role = roleWith({ document: either('Prod', documentOf({ Action: 'ec2:CreateTags' }), absent) });
    expect(
      permissionCases(role).map(({ when, permissions }) => [when.text, permissions.allows('ec2:CreateTags')]),
    ).toEqual([
      ['Prod is true', 'allowed'],
      ['Prod is false', 'denied'],
    ]);
  });

  it('splits by the condition of an action, and drops combinations that cannot be', () => {
    const action = either('Prod', new Known('ec2:CreateTags', nowhere), new Known('s3:*', nowhere));
    const role = roleWith({
      document: either('Prod', documentOf({ Action: [action] }), documentOf({ Action: [action] })),
    });
    expect(
      permissionCases(role).map(({ when, permissions }) => [when.text, permissions.allows('ec2:CreateTags')]),
    ).toEqual([
      ['Prod is true', 'allowed'],
      ['Prod is false', 'denied'],
    ]);
  });

  const grants = new Known('ec2:CreateTags', nowhere);
  const others = new Known('s3:*', nowhere);
  const everything = new Known('*', nowhere);
  const instances = new Known('arn:aws:ec2:*:*:instance/*', nowhere);

  it.each<[string, PolicySpec, string]>([
    [
      'the effect',
      [
        { Action: 's3:*' },
        { Effect: either('Prod', new Known('Allow', nowhere), new Known('Deny', nowhere)), Action: 'ec2:*' },
      ],
      'allowed denied',
    ],
    [
      'one action of several',
      [{ Action: 's3:*' }, { Action: ['s3:*', either('Prod', grants, others)] }],
      'allowed denied',
    ],
    ['an action that is left out', [{ NotAction: ['s3:*', either('Prod', others, grants)] }], 'allowed denied'],
    [
      'a resource',
      [{ Action: '*', Resource: ['arn:aws:s3:::a', either('Prod', everything, instances)] }],
      'allowed denied',
    ],
    [
      'a resource that is left out',
      [{ Action: '*', NotResource: ['arn:aws:s3:::a', either('Prod', instances, everything)] }],
      'allowed denied',
    ],
    [
      'the policy that is attached',
      { arn: either('Prod', new Known('arn:aws:iam::aws:policy/AdministratorAccess', nowhere), absent) },
      'allowed denied',
    ],
  ])('splits by the condition of %s', (_, policy, expected) => {
    const cases = permissionCases(roleWith('AmazonSSMManagedInstanceCore', [{ Action: 's3:*' }], policy));
    expect(
      cases.map(({ when, permissions }) => `${when.text}: ${permissions.allows('ec2:CreateTags', NETWORK_INTERFACES)}`),
    ).toEqual(expected.split(' ').map((verdict, index) => `Prod is ${index === 0}: ${verdict}`));
  });

  it('does not split where nothing depends on a condition', () => {
    for (const role of [
      roleWith({ document: unknown() }),
      roleWith({ document: absent }),
      roleWith({ arn: unknown() }),
      roleWith([{ Action: [unknown()], Resource: [unknown()] }]),
    ]) {
      const [only, ...rest] = permissionCases(role);
      expect(rest).toEqual([]);
      expect(only?.permissions).toBe(permissionsOf(role));
      expect(permissionCases(role)[0]).toBe(only);
    }
  });

  it('sees that two policies complement each other', () => {
    const grant = documentOf({ Action: 'ec2:CreateTags' });
    const role = roleWith({ document: either('Prod', grant, absent) }, { document: either('Prod', absent, grant) });
    expect(permissionsOf(role).allows('ec2:CreateTags')).toBe('unknown');
    expect(permissionCases(role).map(({ permissions }) => permissions.allows('ec2:CreateTags'))).toEqual([
      'allowed',
      'allowed',
    ]);
  });
});

describe('attachesManagedPolicy', () => {
  it.each([
    ['by name', ['AmazonEKSVPCResourceController'], 'yes'],
    [
      'by a joined ARN',
      [{ arn: unknown('arn:${AWS::Partition}:iam::aws:policy/AmazonEKSVPCResourceController') }],
      'yes',
    ],
    ['not at all', ['AmazonEKSClusterPolicy'], 'no'],
    ['only a copy', ['arn:aws:iam::111122223333:policy/AmazonEKSVPCResourceController'], 'no'],
    ['perhaps', [{ arn: unknown() }], 'maybe'],
    ['beside a document', [[{ Action: '*' }], 'AmazonEKSVPCResourceController'], 'yes'],
    ['not in a document', [[{ Action: '*' }]], 'no'],
    ['not where the ARN is absent', [{ arn: absent }], 'no'],
    ['perhaps, by a name that is not known', [{ arn: unknown('arn:aws:iam::aws:policy/${Name}') }], 'maybe'],
    [
      'not by a name that is known, of an account that is not',
      [{ arn: unknown('arn:aws:iam::${AWS::AccountId}:policy/AmazonEKSVPCResourceController') }],
      'no',
    ],
    [
      'perhaps, by a reference with a prefix',
      [{ arn: unknown('arn:aws:iam::${AWS::AccountId}:policy/AmazonEKS${Name}') }],
      'maybe',
    ],
    [
      'in both alternatives',
      [
        {
          arn: either(
            'Prod',
            new Known('arn:aws:iam::aws:policy/AmazonEKSVPCResourceController', nowhere),
            new Known('AmazonEKSVPCResourceController', nowhere),
          ),
        },
      ],
      'yes',
    ],
    [
      'under a condition',
      [{ arn: either('Prod', new Known('arn:aws:iam::aws:policy/AmazonEKSVPCResourceController', nowhere), absent) }],
      'maybe',
    ],
  ] as [string, PolicySpec[], string][])('%s', (_, policies, expected) => {
    expect(attachesManagedPolicy(roleWith(...policies), 'AmazonEKSVPCResourceController')).toBe(expected);
  });
});

describe('properties of the evaluation', () => {
  const action = fc.constantFrom(
    'ec2:CreateTags',
    'ec2:Describe*',
    'ec2:*',
    '*',
    's3:*',
    'ec2:DescribeSubnets',
    '*:CreateTags',
  );
  const resource = fc.constantFrom(
    '*',
    'arn:aws:ec2:*:*:network-interface/*',
    'arn:*:ec2:*:*:*',
    'arn:aws:ec2:*:*:instance/*',
    'arn:aws:ec2:eu-west-1:1:network-interface/eni-1',
  );
  const spec: fc.Arbitrary<StatementSpec> = fc
    .record({
      Effect: fc.constantFrom('Allow', 'Deny'),
      actions: fc.array(action, { minLength: 1, maxLength: 3 }),
      resources: fc.array(resource, { minLength: 1, maxLength: 3 }),
      notAction: fc.boolean(),
      notResource: fc.boolean(),
      conditional: fc.boolean(),
    })
    .map(({ Effect, actions, resources, notAction, notResource, conditional }) => ({
      Effect,
      ...(notAction ? { NotAction: actions } : { Action: actions }),
      ...(notResource ? { NotResource: resources } : { Resource: resources }),
      ...(conditional ? { Condition: { Bool: { 'aws:SecureTransport': 'true' } } } : {}),
    }));
  const requests: [string, string][] = ['ec2:CreateTags', 'ec2:DescribeSubnets', 's3:GetObject'].flatMap((name) =>
    ['*', NETWORK_INTERFACES, 'arn:aws:ec2:eu-west-1:1:network-interface/eni-1'].map((on): [string, string] => [
      name,
      on,
    ]),
  );
  const verdicts = (statements: readonly StatementSpec[]) =>
    requests.map(([name, on]) => rank[new RolePermissions(roleWith(statements)).allows(name, on)]);

  it('a Deny more never gives a permission', () => {
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 4 }), spec, (statements, extra) => {
        const before = verdicts(statements);
        verdicts([...statements, { ...extra, Effect: 'Deny' }]).forEach((after, index) => {
          expect(after).toBeLessThanOrEqual(before[index] ?? 0);
        });
      }),
    );
  });

  it('an Allow more never takes a permission', () => {
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 4 }), spec, (statements, extra) => {
        const before = verdicts(statements);
        verdicts([...statements, { ...extra, Effect: 'Allow' }]).forEach((after, index) => {
          expect(after).toBeGreaterThanOrEqual(before[index] ?? 0);
        });
      }),
    );
  });

  it('the order of the statements, and how they are spread over policies, changes nothing', () => {
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 5 }), (statements) => {
        const spread = requests.map(
          ([name, on]) =>
            rank[new RolePermissions(roleWith(...[...statements].reverse().map((one) => [one]))).allows(name, on)],
        );
        expect(spread).toEqual(verdicts(statements));
      }),
    );
  });
});
