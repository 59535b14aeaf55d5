import { nodeGroupReplacement } from '../../../lib/rules/node-group/node-group-replacement';
import { plan } from '../plan-templates';
import { CLUSTER, nodeGroup, resources } from '../node-templates';
import { testRule } from '../rule-tester';
import { BOTTLEROCKET, groupChange } from './group-plans';

const ADDRESS = 'aws_eks_node_group.workers';
const NOW = { ami_type: BOTTLEROCKET };
const TYPES = { before: NOW, after: { instance_types: ['m6i.xlarge'] }, replace: [['instance_types']] };
const AT = `{\n      "address": "${ADDRESS}"`;

testRule(nodeGroupReplacement, {
  valid: [
    { name: 'a group that stays as it is passes', template: groupChange({ before: NOW }) },
    {
      name: 'a larger group passes',
      template: groupChange({
        before: NOW,
        after: { scaling_config: [{ desired_size: 3, max_size: 6, min_size: 1 }] },
      }),
    },
    {
      name: 'a new group with another name, created first, passes',
      template: groupChange({ ...TYPES, after: { ...TYPES.after, node_group_name: 'workers-2' }, createFirst: true }),
    },
    {
      name: 'a new group with a name of its own by a prefix, created first, passes',
      template: groupChange({ ...TYPES, unknown: { node_group_name: 'computed' }, createFirst: true }),
    },
    {
      name: 'the same name in another cluster passes',
      template: groupChange({
        ...TYPES,
        after: { cluster_name: 'other' },
        replace: [['cluster_name']],
        createFirst: true,
      }),
    },
    {
      name: 'a group without nodes passes',
      template: groupChange({
        ...TYPES,
        before: { ...NOW, scaling_config: [{ desired_size: 0, max_size: 4, min_size: 0 }] },
      }),
    },
    {
      name: 'a group without nodes passes although its name is taken for a moment that never comes',
      template: groupChange({
        ...TYPES,
        before: { ...NOW, scaling_config: [{ desired_size: '0', max_size: 4, min_size: 0 }] },
      }),
    },
    {
      name: 'another AMI type passes here: it is another rule’s to tell',
      template: groupChange({ after: { ami_type: BOTTLEROCKET }, replace: [['ami_type']] }),
    },
    {
      name: 'an AMI type that is not known passes here',
      template: groupChange({ before: NOW, unknown: { ami_type: 'random_pet.ami_type.id' }, replace: [['ami_type']] }),
    },
  ],
  invalid: [
    {
      name: 'a group that is deleted first is a warning',
      template: groupChange(TYPES),
      findings: [
        {
          message: 'deletedFirst',
          severity: 'warning',
          resource: ADDRESS,
          at: AT,
          says: [`"${ADDRESS}"`, '`instance_types`', 'before there is a new one'],
        },
      ],
      fixed: groupChange({ ...TYPES, unknown: { node_group_name: 'computed' }, createFirst: true }),
    },
    {
      name: 'the attributes that force it are all named',
      template: groupChange({
        before: NOW,
        after: { disk_size: 50, subnet_ids: ['subnet-0c'], remote_access: [{ ec2_ssh_key: 'admin' }] },
        replace: [['disk_size'], ['remote_access', '0', 'ec2_ssh_key'], ['subnet_ids']],
      }),
      findings: [
        {
          message: 'deletedFirst',
          severity: 'warning',
          resource: ADDRESS,
          at: AT,
          says: ['`disk_size`, ', ' and `subnet_ids`'],
        },
      ],
    },
    {
      name: 'a group that is created first under the same name fails',
      template: groupChange({ ...TYPES, createFirst: true }),
      findings: [
        {
          message: 'nameTaken',
          severity: 'error',
          resource: ADDRESS,
          at: AT,
          says: ['NodeGroup already exists with name workers', '`instance_types`'],
        },
      ],
      fixed: groupChange({ ...TYPES, after: { ...TYPES.after, node_group_name: 'workers-2' }, createFirst: true }),
    },
    {
      name: 'a group of another AMI type that is created first under the same name fails once',
      template: groupChange({ after: { ami_type: BOTTLEROCKET }, replace: [['ami_type']], createFirst: true }),
      findings: [{ message: 'nameTaken', severity: 'error', resource: ADDRESS, at: AT, says: ['`ami_type`'] }],
      fixed: groupChange({
        after: { ami_type: BOTTLEROCKET },
        unknown: { node_group_name: 'computed' },
        replace: [['ami_type']],
        createFirst: true,
      }),
    },
  ],
  unverifiable: [
    {
      name: 'a name that is known only after apply',
      template: groupChange({ ...TYPES, unknown: { node_group_name: 'random_pet.workers.id' }, createFirst: true }),
      resources: [ADDRESS],
      because: 'whether the new group has another name',
    },
    {
      name: 'a cluster that is known only after apply',
      template: groupChange({ ...TYPES, unknown: { cluster_name: 'random_pet.cluster.id' }, createFirst: true }),
      resources: [ADDRESS],
      because: 'in the same cluster',
    },
  ],
  notApplicable: [
    {
      name: 'a group that is created',
      template: plan(
        `aws_eks_node_group.workers: { after: { cluster_name: main, node_group_name: workers, ami_type: ${BOTTLEROCKET} } }`,
      ),
    },
    {
      name: 'a group that somebody replaces on purpose',
      template: groupChange({ before: NOW, actions: ['delete', 'create'] }),
    },
    {
      name: 'a group of a cluster that is replaced too',
      template: groupChange(
        { ...TYPES, createFirst: true },
        "aws_eks_cluster.main: { before: { name: main, version: '1.33' }, after: { bootstrap_self_managed_addons: false }, replace: [[bootstrap_self_managed_addons]] }",
      ),
    },
    {
      name: 'a template, which does not tell what exists',
      template: resources(CLUSTER, nodeGroup('AmiType: BOTTLEROCKET_x86_64')),
    },
  ],
});
