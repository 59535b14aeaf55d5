import { defineRule, resourceName } from '../../engine';
import { beforeOf, type EksModel, type NodeGroup } from '../../eks';
import { replacementsOf, type ReplacementCase } from './parts/replaced-group';
import { unverifiable, type Outcome } from '../parts/case-judgements';

/*
 * The AMI type of a node group can't be changed: another type means another group, and by default the old one goes first.
 * Source: AWS provider, aws_eks_node_group (ami_type forces a replacement); EKS user guide, "Delete a managed node group".
 */

export const amiTypeReplacement = defineRule<'deletedFirst'>({
  id: 'ami-type-replacement',
  subject: 'node-group',
  title: 'A new AMI type comes with a new node group, before the old one goes',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    deletedFirst: {
      text: 'Node group "{{group}}" is replaced because its AMI type changes from {{before}} to {{amiType}}: all its nodes are drained and deleted before there is a new one, and pods that fit nowhere else stay Pending.',
      fix: {
        summary:
          'Add a group with AMI type `{{amiType}}`, and remove the old one when its pods have moved. Or let the new group come first, which takes a name of its own.',
        code: {
          terraform: [
            '# another name is a replacement as well, so that this is right from the start',
            'node_group_name_prefix = "workers-" # instead of node_group_name',
            'ami_type               = "{{amiType}}"',
            '',
            'lifecycle {',
            '  create_before_destroy = true',
            '}',
          ].join('\n'),
        },
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

/** Whether a group is replaced by one of another AMI type; undefined if that isn't known. */
export function changesAmiType({
  amiType,
  amiTypeBefore,
}: Pick<ReplacementCase, 'amiType' | 'amiTypeBefore'>): boolean | undefined {
  if (amiType.kind === 'absent' || amiTypeBefore.kind === 'absent') return false;
  if (amiType.kind === 'unknown' || amiTypeBefore.kind === 'unknown') return undefined;
  return amiType.value !== amiTypeBefore.value;
}

function judge(
  nodeGroup: NodeGroup,
  { replacement, amiType, amiTypeBefore }: ReplacementCase,
): Outcome<'deletedFirst'> {
  // A name that is taken is for another rule to tell.
  if (replacement.kind !== 'deleted-first') return { verdict: 'pass' };
  const changes = changesAmiType({ amiType, amiTypeBefore });
  if (changes === undefined) return unverifiable("it is replaced, and its AMI type isn't known", amiType.source);
  if (!changes || amiType.kind !== 'known' || amiTypeBefore.kind !== 'known') return { verdict: 'pass' };
  return {
    verdict: 'fail',
    message: 'deletedFirst',
    source: amiType.source,
    data: { group: resourceName(nodeGroup), before: amiTypeBefore.value, amiType: amiType.value },
    related: [{ message: `the AMI type that it has now: ${amiTypeBefore.value}`, source: amiTypeBefore.source }],
  };
}
