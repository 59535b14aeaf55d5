import { defineRule, resourceName } from '../../engine';
import { beforeOf, type EksModel, type NodeGroup } from '../../eks';
import { changesAmiType } from './ami-type-replacement';
import { attributesText, replacementsOf, type ReplacementCase } from './parts/replaced-group';
import { unverifiable, type Outcome } from '../parts/case-judgements';

/*
 * Most attributes of a node group can't be changed. Deleted first, the group leaves its pods without nodes; created first, it can't have the same name.
 * Source: AWS provider, aws_eks_node_group; EKS API, CreateNodegroup; hashicorp/terraform-provider-aws, issue 16699.
 */

const CREATED_FIRST = {
  terraform: [
    'node_group_name_prefix = "workers-" # instead of node_group_name',
    '',
    'lifecycle {',
    '  create_before_destroy = true',
    '}',
  ].join('\n'),
};

export const nodeGroupReplacement = defineRule<Message>({
  id: 'node-group-replacement',
  subject: 'node-group',
  title: 'A node group that is replaced goes only when there is another',
  severity: 'error',
  since: '0.1.0',
  messages: {
    nameTaken: {
      text: 'Node group "{{group}}" is replaced because of {{because}}, and the new group is created while the old one still has the name "{{name}}": the apply stops with "ResourceInUseException: NodeGroup already exists with name {{name}}".',
      fix: {
        summary: 'Give the new group a name of its own, best with a prefix, so that every replacement gets one.',
        code: CREATED_FIRST,
        safety: 'needs-decision',
      },
    },
    deletedFirst: {
      text: 'Node group "{{group}}" is replaced because of {{because}}: all its nodes are drained and deleted before there is a new one, and pods that fit nowhere else stay Pending.',
      fix: {
        summary:
          'Add a second group and remove this one when its pods have moved. Or let the new group come first, which takes a name of its own.',
        code: CREATED_FIRST,
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    for (const nodeGroup of model.nodeGroups) {
      if (beforeOf(nodeGroup) === undefined) continue;
      const replacements = replacementsOf(nodeGroup, model.viewOf(nodeGroup));
      if (nodeGroup.planned?.action !== 'replace') yield { verdict: 'pass', resource: nodeGroup };
      else for (const one of replacements) yield { ...judge(nodeGroup, one), resource: nodeGroup, when: one.when };
    }
  },
});

type Message = 'nameTaken' | 'deletedFirst';

function judge(nodeGroup: NodeGroup, { replacement, ...types }: ReplacementCase): Outcome<Message> {
  const data = { group: resourceName(nodeGroup), because: attributesText(nodeGroup.planned?.replacedBecause ?? []) };
  switch (replacement.kind) {
    case 'harmless':
      return { verdict: 'pass' };
    case 'unverifiable':
      return unverifiable(replacement.reason);
    case 'name-taken':
      return { verdict: 'fail', message: 'nameTaken', data: { ...data, name: replacement.name } };
    case 'deleted-first':
      // Another AMI type, or one that isn't known, is for the other rule to tell.
      return changesAmiType(types) === false
        ? { verdict: 'fail', message: 'deletedFirst', severity: 'warning', data }
        : { verdict: 'pass' };
  }
}
