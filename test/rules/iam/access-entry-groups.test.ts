import { accessEntryGroups } from '../../../lib/rules/iam/access-entry-groups';
import { block, CLUSTER, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const entry = (...lines: readonly string[]) =>
  block('Entry', 'AWS::EKS::AccessEntry', [
    'ClusterName: !Ref Cluster',
    'PrincipalArn: arn:aws:iam::111122223333:role/developers',
    ...lines,
  ]);

const withEntry = (...lines: readonly string[]) => resources(CLUSTER, entry(...lines));

const ADMINISTRATION = [
  'AccessPolicies:',
  '  - PolicyArn: !Sub arn:${AWS::Partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy',
  '    AccessScope: { Type: cluster }',
];

const refused = (message: 'masters' | 'nodes' | 'typed' | 'reserved', at: string, ...says: readonly string[]) => ({
  ...{ message, severity: 'error' as const, resource: 'Entry', at, says },
});

testRule(accessEntryGroups, {
  valid: [
    { name: 'a group of the own, with a colon in its name', template: withEntry('KubernetesGroups: [team:system]') },
    { name: 'no groups', template: withEntry(...ADMINISTRATION) },
    { name: 'an empty list of groups', template: withEntry('KubernetesGroups: []', ...ADMINISTRATION) },
    { name: 'an entry of nodes, to which EKS gives their groups', template: withEntry('Type: EC2_LINUX') },
    {
      name: 'a group that begins with letters only',
      template: withEntry('KubernetesGroups: [systems, system-admins]'),
    },
  ],
  invalid: [
    {
      name: 'the group of administrators is refused, and an access policy does the same',
      template: withEntry("KubernetesGroups: ['system:masters']"),
      findings: [refused('masters', "'system:masters'", 'system:masters', 'cannot start with system:')],
      fixed: withEntry('KubernetesGroups: []', ...ADMINISTRATION),
    },
    {
      name: 'other groups stay',
      template: withEntry("KubernetesGroups: [viewers, 'system:masters']"),
      findings: [refused('masters', "'system:masters'")],
      fixed: withEntry('KubernetesGroups: [viewers]', ...ADMINISTRATION),
    },
    {
      name: 'it is refused beside an access policy, too',
      template: withEntry(
        "KubernetesGroups: ['system:masters']",
        ...ADMINISTRATION.map((line) => line.replace('ClusterAdmin', 'View')),
      ),
      findings: [refused('masters', "'system:masters'")],
      fixed: withEntry(...ADMINISTRATION),
    },
    {
      name: 'the groups of nodes are for entries of their type',
      template: withEntry("KubernetesGroups: ['system:bootstrappers', 'system:nodes']"),
      findings: [refused('nodes', "'system:bootstrappers'", 'system:bootstrappers', 'system:nodes')],
      fixed: withEntry('Type: EC2_LINUX'),
    },
    {
      name: 'an entry of nodes names them once more',
      template: withEntry("KubernetesGroups: ['system:nodes']", 'Type: EC2_WINDOWS'),
      findings: [refused('typed', "'system:nodes'", 'EC2_WINDOWS')],
      fixed: withEntry('Type: EC2_WINDOWS'),
    },
    {
      name: 'another group of Kubernetes is refused, and a name of the own is not',
      template: withEntry("KubernetesGroups: ['system:readers']", 'Type: STANDARD'),
      findings: [refused('reserved', "'system:readers'", 'system:readers')],
      fixed: withEntry('KubernetesGroups: [readers]', 'Type: STANDARD'),
    },
    {
      name: 'the known beginning of a name is enough',
      template: `Parameters:\n  Team:\n    Type: String\n${withEntry("KubernetesGroups: [!Sub 'system:${Team}']")}`,
      findings: [refused('reserved', "!Sub 'system", 'system:${Team}')],
    },
    {
      name: 'one branch of a condition is refused, and is named',
      template: `Parameters:\n  Stage:\n    Type: String\nConditions:\n  Production: !Equals [!Ref Stage, prod]\n${withEntry(
        "KubernetesGroups: [!If [Production, viewers, 'system:masters']]",
      )}`,
      findings: [refused('masters', '!If [Production', 'This happens when')],
      fixed: `Parameters:\n  Stage:\n    Type: String\nConditions:\n  Production: !Equals [!Ref Stage, prod]\n${withEntry(
        'KubernetesGroups: [viewers]',
        ...ADMINISTRATION,
      )}`,
    },
  ],
  unverifiable: [
    {
      name: 'a group comes from a parameter without default',
      template: `Parameters:\n  Team:\n    Type: String\n${withEntry('KubernetesGroups: [!Ref Team]')}`,
      resources: ['Entry'],
      because: 'Team',
    },
    {
      name: 'the groups come from a parameter without default',
      template: `Parameters:\n  Teams:\n    Type: CommaDelimitedList\n${withEntry('KubernetesGroups: !Ref Teams')}`,
      resources: ['Entry'],
      because: 'Teams',
    },
  ],
  notApplicable: [{ name: 'a cluster without access entries', template: resources(CLUSTER) }],
});
