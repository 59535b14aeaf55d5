import { stringify } from 'yaml';
import { clusterReplacement } from '../../../lib/rules/node-group/cluster-replacement';
import { plan } from '../plan-templates';
import { CLUSTER, resources } from '../node-templates';
import { testRule } from '../rule-tester';

const ADDRESS = 'aws_eks_cluster.main';
const AT = `{\n      "address": "${ADDRESS}"`;
const FLAG = { after: { bootstrap_self_managed_addons: false }, replace: [['bootstrap_self_managed_addons']] };

function clusterChange(change: Readonly<Record<string, unknown>>): string {
  return plan(
    stringify({
      [ADDRESS]: { before: { name: 'main', version: '1.34', bootstrap_self_managed_addons: true }, ...change },
    }),
  );
}

testRule(clusterReplacement, {
  valid: [
    { name: 'a cluster that stays passes', template: clusterChange({}) },
    { name: 'an update passes', template: clusterChange({ after: { version: '1.35' } }) },
    {
      name: 'a cluster that somebody replaces on purpose passes',
      template: clusterChange({ actions: ['delete', 'create'] }),
    },
  ],
  invalid: [
    {
      name: 'a replacement fails',
      template: clusterChange(FLAG),
      findings: [
        {
          message: 'destroyed',
          severity: 'error',
          resource: ADDRESS,
          at: AT,
          says: [`"${ADDRESS}"`, '`bootstrap_self_managed_addons`', 'every Kubernetes object'],
        },
      ],
      fixed: clusterChange({}),
    },
    {
      name: 'a replacement that is created first under the same name fails',
      template: clusterChange({ ...FLAG, createFirst: true }),
      findings: [{ message: 'nameTaken', severity: 'error', resource: ADDRESS, at: AT, says: ['"main"'] }],
      fixed: clusterChange({ after: { tags: { team: 'a' } } }),
    },
    {
      name: 'a replacement that is created first under another name fails',
      template: clusterChange({ after: { name: 'other' }, replace: [['name']], createFirst: true }),
      findings: [{ message: 'destroyed', severity: 'error', resource: ADDRESS, at: AT, says: ['`name`'] }],
    },
    {
      name: 'nested attributes are named as they are written',
      template: clusterChange({
        after: { access_config: [{ bootstrap_cluster_creator_admin_permissions: false }] },
        replace: [['access_config', 0, 'bootstrap_cluster_creator_admin_permissions']],
      }),
      findings: [
        {
          message: 'destroyed',
          severity: 'error',
          resource: ADDRESS,
          at: AT,
          says: ['`access_config[0].bootstrap_cluster_creator_admin_permissions`'],
        },
      ],
    },
  ],
  unverifiable: [],
  notApplicable: [
    {
      name: 'a cluster that is created',
      template: plan("aws_eks_cluster.main: { after: { name: main, version: '1.34' } }"),
    },
    { name: 'a cluster that is deleted', template: clusterChange({ actions: ['delete'] }) },
    {
      name: 'a cluster that Terraform forgets, and creates another beside it',
      template: clusterChange({ ...FLAG, after: { name: 'other' }, actions: ['create', 'forget'] }),
    },
    { name: 'a template, which does not tell what exists', template: resources(CLUSTER) },
  ],
});
