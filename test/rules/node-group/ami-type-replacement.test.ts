import { amiTypeReplacement } from '../../../lib/rules/node-group/ami-type-replacement';
import { plan } from '../plan-templates';
import { CLUSTER, nodeGroup, resources } from '../node-templates';
import { testRule } from '../rule-tester';
import { BOTTLEROCKET, groupChange } from './group-plans';

const ADDRESS = 'aws_eks_node_group.workers';
const TO_BOTTLEROCKET = { after: { ami_type: BOTTLEROCKET }, replace: [['ami_type']] };
const FINDING = {
  message: 'deletedFirst',
  severity: 'warning',
  resource: ADDRESS,
  at: `"ami_type": "${BOTTLEROCKET}"`,
} as const;

testRule(amiTypeReplacement, {
  valid: [
    { name: 'a group that stays as it is passes', template: groupChange({}) },
    { name: 'an update of the group passes', template: groupChange({ after: { labels: { team: 'a' } } }) },
    {
      name: 'a new group under another name, created first, passes',
      template: groupChange({
        ...TO_BOTTLEROCKET,
        after: { ami_type: BOTTLEROCKET, node_group_name: 'workers-2' },
        createFirst: true,
      }),
    },
    {
      name: 'a new group under a name with a prefix, created first, passes',
      template: groupChange({ ...TO_BOTTLEROCKET, unknown: { node_group_name: 'computed' }, createFirst: true }),
    },
    {
      name: 'a group without nodes passes',
      template: groupChange({
        ...TO_BOTTLEROCKET,
        before: { scaling_config: [{ desired_size: 0, max_size: 4, min_size: 0 }] },
      }),
    },
    {
      name: 'a replacement for another reason passes here',
      template: groupChange({ after: { disk_size: 50 }, replace: [['disk_size']] }),
    },
    {
      name: 'an AMI type that nobody writes passes, although AWS may choose another for the new group',
      template: groupChange({ after: { disk_size: 50 }, unknown: { ami_type: 'computed' }, replace: [['disk_size']] }),
    },
    {
      name: 'the new group beside the old one passes',
      template: plan(
        'aws_eks_node_group.old: { before: { cluster_name: main, node_group_name: old, ami_type: AL2_x86_64 } }',
        `aws_eks_node_group.new: { after: { cluster_name: main, node_group_name: new, ami_type: ${BOTTLEROCKET} } }`,
      ),
    },
  ],
  invalid: [
    {
      name: 'another AMI type of a group that is deleted first is a warning',
      template: groupChange(TO_BOTTLEROCKET),
      findings: [
        { ...FINDING, says: [`"${ADDRESS}"`, 'from AL2_x86_64 to BOTTLEROCKET_x86_64', 'before there is a new one'] },
      ],
      fixed: groupChange({ ...TO_BOTTLEROCKET, unknown: { node_group_name: 'computed' }, createFirst: true }),
    },
    {
      name: 'one finding although other attributes force the replacement too',
      template: groupChange({
        after: { ami_type: BOTTLEROCKET, disk_size: 50 },
        replace: [['ami_type'], ['disk_size']],
      }),
      findings: [FINDING],
    },
    {
      name: 'another name makes it no better if the group is deleted first',
      template: groupChange({
        after: { ami_type: BOTTLEROCKET, node_group_name: 'workers-2' },
        replace: [['ami_type'], ['node_group_name']],
      }),
      findings: [FINDING],
    },
  ],
  unverifiable: [
    {
      name: 'an AMI type that is known only after apply',
      template: groupChange({ unknown: { ami_type: 'random_pet.ami_type.id' }, replace: [['ami_type']] }),
      resources: [ADDRESS],
      because: "its AMI type isn't known",
    },
  ],
  notApplicable: [
    {
      name: 'a group that is created',
      template: plan(
        `aws_eks_node_group.workers: { after: { cluster_name: main, node_group_name: workers, ami_type: ${BOTTLEROCKET} } }`,
      ),
    },
    { name: 'a group that is deleted', template: groupChange({ actions: ['delete'] }) },
    {
      name: 'a group that somebody replaces on purpose',
      template: groupChange({ after: { ami_type: BOTTLEROCKET }, actions: ['delete', 'create'] }),
    },
    {
      name: 'a group of a cluster that is replaced too',
      template: groupChange(
        TO_BOTTLEROCKET,
        "aws_eks_cluster.main: { before: { name: main, version: '1.33' }, after: { bootstrap_self_managed_addons: false }, replace: [[bootstrap_self_managed_addons]] }",
      ),
    },
    {
      name: 'a template, which does not tell what exists',
      template: resources(CLUSTER, nodeGroup('AmiType: AL2_x86_64')),
    },
  ],
});
