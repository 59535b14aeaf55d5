import { clusterVersionStep } from '../../../lib/rules/node-group/cluster-version-step';
import { plan } from '../plan-templates';
import { CLUSTER, resources } from '../node-templates';
import { testRule } from '../rule-tester';

/** A plan that changes the version of a cluster. */
function step(from: string, to: string): string {
  return plan(`aws_eks_cluster.main: { before: { name: main, version: ${from} }, after: { version: ${to} } }`);
}

testRule(clusterVersionStep, {
  valid: [
    { name: 'the next minor version passes', template: step("'1.33'", "'1.34'") },
    { name: 'the next minor version passes across the tens', template: step("'1.29'", "'1.30'") },
    {
      name: 'the same version passes',
      template: plan("aws_eks_cluster.main: { before: { name: main, version: '1.33' } }"),
    },
    {
      name: 'another change of the cluster passes',
      template: plan("aws_eks_cluster.main: { before: { name: main, version: '1.33' }, after: { tags: { team: a } } }"),
    },
    { name: 'a version that is not asked for any more passes: it stays', template: step("'1.33'", 'null') },
    {
      name: 'a cluster that has moved to another address passes with the next version',
      template: step("'1.33'", "'1.34'").replace(
        '"mode": "managed"',
        '"previous_address": "aws_eks_cluster.old", "mode": "managed"',
      ),
    },
  ],
  invalid: [
    {
      name: 'a skipped minor version fails',
      template: step("'1.32'", "'1.34'"),
      findings: [
        {
          message: 'skips',
          severity: 'error',
          resource: 'aws_eks_cluster.main',
          at: '"version": "1.34"',
          related: ['"version": "'],
          says: [
            '"aws_eks_cluster.main"',
            'from Kubernetes 1.32 to 1.34',
            'Unsupported Kubernetes minor version update from 1.32 to 1.34',
          ],
        },
      ],
      fixed: step("'1.32'", "'1.33'"),
    },
    {
      name: 'five minor versions at once fail',
      template: step("'1.29'", "'1.34'"),
      findings: [
        {
          message: 'skips',
          severity: 'error',
          resource: 'aws_eks_cluster.main',
          at: '"version": "1.34"',
          says: ['1.29', '1.34'],
        },
      ],
      fixed: step("'1.29'", "'1.30'"),
    },
    {
      name: 'one minor version back is a warning',
      template: step("'1.34'", "'1.33'"),
      findings: [
        {
          message: 'rollback',
          severity: 'warning',
          resource: 'aws_eks_cluster.main',
          at: '"version": "1.33"',
          related: ['"version": "'],
          says: ['within seven days'],
        },
      ],
      fixed: step("'1.34'", "'1.34'"),
    },
    {
      name: 'two minor versions back fail',
      template: step("'1.34'", "'1.32'"),
      findings: [
        {
          message: 'backwards',
          severity: 'error',
          resource: 'aws_eks_cluster.main',
          at: '"version": "1.32"',
          related: ['"version": "'],
          says: ['from Kubernetes 1.34 to 1.32'],
        },
      ],
      fixed: step("'1.34'", "'1.34'"),
    },
    {
      name: 'each cluster is judged by itself',
      template: plan(
        "aws_eks_cluster.a: { before: { name: a, version: '1.32' }, after: { version: '1.33' } }",
        "aws_eks_cluster.b: { before: { name: b, version: '1.31' }, after: { version: '1.35' } }",
      ),
      findings: [{ message: 'skips', severity: 'error', resource: 'aws_eks_cluster.b', at: '"version": "1.35"' }],
    },
  ],
  unverifiable: [
    {
      name: 'a version that is known only after apply',
      template: plan(
        "aws_eks_cluster.main: { before: { name: main, version: '1.33' }, unknown: { version: random_pet.version.id } }",
      ),
      resources: ['aws_eks_cluster.main'],
      because: 'known only after apply',
    },
    {
      name: 'a version that is sensitive',
      template: plan(
        "aws_eks_cluster.main: { before: { name: main, version: '1.32' }, after: { version: '1.34' }, sensitive: [version] }",
      ),
      resources: ['aws_eks_cluster.main'],
    },
    {
      name: 'a version that is no minor version',
      template: step("'1.33'", 'latest'),
      resources: ['aws_eks_cluster.main'],
      because: '"latest" is no version',
    },
    {
      name: 'no version now',
      template: plan("aws_eks_cluster.main: { before: { name: main }, after: { version: '1.33' } }"),
      resources: ['aws_eks_cluster.main'],
      because: "that it has now isn't known",
    },
  ],
  notApplicable: [
    {
      name: 'a cluster that is created',
      template: plan("aws_eks_cluster.main: { after: { name: main, version: '1.34' } }"),
    },
    {
      name: 'a cluster that is deleted',
      template: plan("aws_eks_cluster.main: { before: { name: main, version: '1.32' }, actions: [delete] }"),
    },
    {
      name: 'a cluster that is replaced: the new one may have any version',
      template: plan(
        "aws_eks_cluster.main: { before: { name: main, version: '1.31' }, after: { name: other, version: '1.34' }, replace: [[name]] }",
      ),
    },
    { name: 'a template, which does not tell what exists', template: resources(CLUSTER) },
  ],
});
