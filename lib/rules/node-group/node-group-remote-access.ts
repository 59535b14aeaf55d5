import { judgeCases, undecided, unverifiable, type Outcome } from '../parts/case-judgements';
import { NEW_GROUP, NEW_GROUPS_ONLY } from '../parts/eksctl-advice';
import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  amiFamilyOf,
  casesOf,
  nodeRoleOf,
  type EksModel,
  type LaunchTemplateUse,
  type AnyNodeGroup,
  type Plain,
  type RemoteAccess,
  type Value,
  type When,
} from '../../eks';
import { attachesManagedPolicy } from '../../eks/iam';
import { itemsIn, presenceOf } from '../parts/presence';
import { givenRoles } from '../iam/parts/given-roles';

/*
 * With a key and no source security group, EKS makes a security group for the nodes that lets everybody in.
 * Source: EKS API, RemoteAccessConfig.
 */
export const nodeGroupRemoteAccess = defineRule<Message>({
  id: 'node-group-remote-access',
  subject: 'node-group',
  title: 'Remote access to the nodes of a group is limited to security groups',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    open: {
      text: 'Node group "{{group}}" {{key}} but names no source security groups: {{condition}}{{opener}} opens port {{port}} of its nodes to every address (0.0.0.0/0).',
      fix: {
        summary:
          'Name the security groups that may connect, or leave remote access out and use Session Manager. Either change replaces the group, so add a new one and drain the old one.',
        summaryIn: {
          cloudformation:
            'Name the security groups that may connect in `RemoteAccess.SourceSecurityGroups`, or take `RemoteAccess` out and use Session Manager, for which the node role needs `AmazonSSMManagedInstanceCore`. Either change makes another group: write it under another logical id, and another `NodegroupName` if it has one, and CloudFormation drains the old one once the new one is there.',
          terraform:
            'Take `remote_access` out and use Session Manager{{movedAccess}}, or name the security groups that may connect in its `source_security_group_ids`. Either change replaces the group, so add a new one and drain the old one.',
          eksctl: `Name the security groups that may connect in \`ssh.sourceSecurityGroupIds\`, or take \`ssh\` out and use Session Manager, which eksctl's nodes allow. ${NEW_GROUP}`,
        },
        code: { terraform: '{{inTerraform}}' },
        safety: 'needs-decision',
        repairs: [{ kind: 'remove', field: 'remoteAccess' }],
        effect:
          'replaces the node group with all its nodes, which evicts the pods; nobody reaches them by SSH any more',
        effectIn: NEW_GROUPS_ONLY,
      },
    },
  },
  *check(model) {
    for (const nodeGroup of [...model.nodeGroups, ...model.selfManagedNodeGroups]) {
      const { remoteAccess } = nodeGroup;
      if (remoteAccess !== undefined && remoteAccess.kind !== 'absent') yield* judge(nodeGroup, remoteAccess, model);
    }
  },
});

type Message = 'open';

function judge(
  nodeGroup: AnyNodeGroup,
  remoteAccess: Value<RemoteAccess>,
  model: EksModel,
): Iterable<Judgement<Message>> {
  const { launchTemplate } = nodeGroup;
  return judgeCases(nodeGroup, { remoteAccess, launchTemplate }, (values, when): readonly Outcome<Message>[] => {
    const access = values.remoteAccess;
    if (access.kind === 'absent' || hasOtherTemplate(nodeGroup, values.launchTemplate)) return [];
    if (access.kind === 'unknown') return [undecided("its remote access isn't known", access)];
    return judgeAccess(nodeGroup, access.value, model, when);
  });
}

/** EKS takes no remote access beside a template; a tool that makes one of the group's own settings opens the port itself. */
function hasOtherTemplate(nodeGroup: AnyNodeGroup, use: Plain<LaunchTemplateUse>): boolean {
  return use.kind === 'unknown' || (use.kind === 'known' && use.value.template.target?.partOf !== nodeGroup);
}

function judgeAccess(
  nodeGroup: AnyNodeGroup,
  { sshKey, sourceSecurityGroups }: RemoteAccess,
  model: EksModel,
  given: When,
): readonly Outcome<Message>[] {
  return casesOf(nodeGroup, { key: sshKey, sources: itemsIn(sourceSecurityGroups) }, given).map(
    ({ when, values: { key, sources } }): Outcome<Message> => {
      const presence = presenceOf(key);
      if (presence === 'unset' || sources.kind === 'known') return { verdict: 'pass', when };
      if (sources.kind === 'unknown') return { ...undecided("its source security groups aren't known", sources), when };
      const data = {
        group: resourceName(nodeGroup),
        port: portOf(nodeGroup, model),
        opener: openerOf(nodeGroup),
        ...withoutAccess(nodeGroup, when),
      };
      if (presence === 'unknown') {
        // Nobody has a variable for a key that is never given.
        const variable = key.kind === 'unknown' ? /^\$\{(var\.[\w-]+)\}$/.exec(key.text ?? '')?.[1] : undefined;
        if (variable !== undefined)
          return {
            verdict: 'fail',
            message: 'open',
            source: sources.source,
            data: { ...data, key: `takes a key for remote access from ${variable}`, condition: 'if a key is given, ' },
            when,
          };
        const reason = key.kind === 'unknown' ? `: ${key.reason}` : '';
        return { ...unverifiable(`whether it names a key isn't known${reason}`, key.source), when };
      }
      return {
        verdict: 'fail',
        message: 'open',
        source: sources.source,
        data: { ...data, key: 'has a key for remote access', condition: '' },
        when,
      };
    },
  );
}

const SESSIONS = 'AmazonSSMManagedInstanceCore';

/** What Session Manager needs in the place of remote access; the code is empty where nothing is missing, or where the role can't be named. */
function withoutAccess(nodeGroup: AnyNodeGroup, when: When): Readonly<Record<'movedAccess' | 'inTerraform', string>> {
  const roles = givenRoles(nodeRoleOf(nodeGroup), when);
  const isAllowed = roles.every(
    ({ role, when: given }) => role !== undefined && attachesManagedPolicy(role, SESSIONS, given) === 'yes',
  );
  if (isAllowed) return { movedAccess: ', which the node role allows', inTerraform: '' };
  const isOfModule = nodeGroup.moduleInputs?.has('iam_role_additional_policies') === true;
  const where = isOfModule ? ' (in the call of the module, an entry of `iam_role_additional_policies`)' : '';
  const [role] =
    roles.length === 1
      ? roles.map(({ source }) => /^(aws_iam_role\.[\w-]+(?:\[0\])?)\.arn$/.exec(source.expression ?? '')?.[1])
      : [];
  return {
    movedAccess: `, for which the node role needs \`${SESSIONS}\`${where}`,
    inTerraform:
      role === undefined || isOfModule
        ? ''
        : [
            'resource "aws_iam_role_policy_attachment" "session_manager" {',
            `  role       = ${role}.name`,
            `  policy_arn = "arn:\${data.aws_partition.current.partition}:iam::aws:policy/${SESSIONS}"`,
            '}',
            '# in the aws_eks_node_group, which Terraform replaces, without remote_access:',
          ].join('\n'),
  };
}

/** Who makes the security group. */
function openerOf({ launchTemplate, dialect }: AnyNodeGroup): string {
  return launchTemplate.kind === 'absent' ? 'EKS' : dialect.deployedBy;
}

/** EKS opens another one for Windows; tools that open it themselves don't. */
function portOf(nodeGroup: AnyNodeGroup, model: EksModel): string {
  if (nodeGroup.launchTemplate.kind !== 'absent') return '22 (SSH)';
  const family = amiFamilyOf(nodeGroup, model.viewOf(nodeGroup));
  return family.kind === 'known' && family.value === 'WINDOWS' ? '3389 (RDP)' : '22 (SSH)';
}
