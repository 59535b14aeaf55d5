import { defineRule, resourceName } from '../../engine';
import type { Grant } from '../../eks/iam';
import { cniPermissions } from '../../knowledge';
import { alternativesOf, textOf, type ClusterView, type EksModel, type PolicyStatement } from '../../eks';
import { isDedicated } from '../../eks/analysis/cni';
import { partitionOfStack } from '../../eks/analysis/partition';
import { judgeCniRoles, type CniCase, type CniOutcome } from './parts/cni-judgements';

/*
 * The CNI tags the network interfaces that it makes, and needs `ec2:CreateTags` on them alone. Tags decide about access in many accounts, so whoever may set
 * them anywhere may take permissions. Source: aws/amazon-vpc-cni-k8s, docs/iam-policy.md.
 */

type MessageId = 'wide' | 'mixed' | 'partition';

const INTERFACES = 'arn:${AWS::Partition}:ec2:*:*:network-interface/*';
const code = {
  cloudformation: `Resource: !Sub ${INTERFACES}`,
  terraform: '# in the statement of policy {{policy}}\n{{inTerraform}}',
  'aws-cdk':
    '// in the PolicyStatement, with `Aws` of aws-cdk-lib:\nresources: [`arn:${Aws.PARTITION}:ec2:*:*:network-interface/*`],',
} as const;

export const vpcCniRoleTagsScope = defineRule<MessageId>({
  id: 'vpc-cni-role-tags-scope',
  subject: 'iam',
  title: 'The VPC CNI may tag network interfaces of its own partition, and nothing else',
  severity: 'error',
  since: '0.1.0',
  messages: {
    wide: {
      text: '{{kind}} {{role}} allows ec2:CreateTags on all resources (policy {{policy}}): who gets hold of it can set the tags by which others are let in, on instances, volumes and security groups as well.',
      fix: {
        summary: 'Allow `ec2:CreateTags` on network interfaces only: `arn:{{partition}}:ec2:*:*:network-interface/*`.',
        code,
        safety: 'needs-decision',
      },
    },
    mixed: {
      text: '{{kind}} {{role}} allows ec2:CreateTags on all resources, in one statement with other calls (policy {{policy}}): who gets hold of it can set the tags by which others are let in, on instances, volumes and security groups as well.',
      fix: {
        summary:
          'Take `ec2:CreateTags` out of the statement, into one of its own on `arn:{{partition}}:ec2:*:*:network-interface/*`; the other calls of the VPC CNI need all resources.',
        safety: 'needs-decision',
      },
    },
    partition: {
      text: "{{kind}} {{role}} allows ec2:CreateTags on {{found}} only, and {{cluster}} is in partition {{partition}}: IAM refuses the ARN or it matches nothing, and aws-node ends when it can't tag its network interface.",
      fix: {
        summary:
          'Write the partition as `arn:{{partition}}:ec2:*:*:network-interface/*`, or let the engine fill it in.',
        code,
        safety: 'needs-decision',
      },
    },
  },
  *check(model: EksModel) {
    yield* judgeCniRoles<MessageId>(
      model,
      (one, view) => judge(one, view, model),
      () => 'skip',
    );
  },
});

function judge(one: CniCase, view: ClusterView, model: EksModel): readonly CniOutcome<MessageId>[] | undefined {
  const { identity, role, permissions } = one;
  const { action, resource } = cniPermissions.createTags;
  const grants = permissions
    .grants(action, resource.replace('${partition}', '*'))
    .filter(({ policy, statement, certain }) => policy.kind === 'document' && certain && isOfCni(statement, one));
  if (grants.length === 0)
    return permissions.allows(action, resource.replace('${partition}', '*')) === 'allowed'
      ? [{ verdict: 'pass' }]
      : undefined;
  const partition = partitionOfStack(role, model);
  const data = {
    kind: isDedicated(identity) ? 'VPC CNI role' : 'Node role',
    role: resourceName(role),
    cluster: view.cluster === undefined ? `cluster ${view.name}` : `cluster ${resourceName(view.cluster)}`,
    partition: partition ?? 'aws',
  };
  const foreign =
    partition !== undefined &&
    permissions.allows(action, resource.replace('${partition}', partition)) === 'denied' &&
    grants.find(({ statement }) => arnsOf(statement).length > 0);
  if (foreign)
    return [
      {
        verdict: 'fail',
        message: 'partition',
        data: {
          ...data,
          found: arnsOf(foreign.statement).join(', '),
          policy: policyOf(foreign),
          inTerraform: codeInTerraform(foreign),
        },
        source: foreign.statement.source,
      },
    ];
  const wide = grants.filter(({ statement, conditional }) => !conditional && isOnAll(statement));
  if (wide.length === 0) return [{ verdict: 'pass' }];
  return wide.map(
    (grant): CniOutcome<MessageId> => ({
      verdict: 'fail',
      message: grant.statement.actions.length === 1 ? 'wide' : 'mixed',
      severity: 'warning',
      data: { ...data, policy: policyOf(grant), found: '*', inTerraform: codeInTerraform(grant) },
      about: policyOf(grant),
      source: grant.statement.source,
    }),
  );
}

/** Nodes have other reasons to set tags: of their statements, those that are about addresses are the CNI's. */
function isOfCni({ actions }: PolicyStatement, { identity }: CniCase): boolean {
  return (
    isDedicated(identity) ||
    actions.some((action) => alternativesOf(action).some(({ value }) => /^ec2:Assign/i.test(textOf(value) ?? '')))
  );
}

function isOnAll({ resources }: PolicyStatement): boolean {
  return resources.some((resource) => resource.kind === 'known' && resource.value === '*');
}

function arnsOf({ resources }: PolicyStatement): string[] {
  return resources.flatMap((resource) => (resource.kind === 'known' && resource.value !== '*' ? [resource.value] : []));
}

/** As the text of a policy has it, or a data source that writes one. */
function codeInTerraform({ statement }: Grant): string {
  const arn = '"arn:${data.aws_partition.current.partition}:ec2:*:*:network-interface/*"';
  const isDataSource = /(?:^|\.)statement\b/.test(statement.source.locate().property ?? '');
  return isDataSource ? `resources = [${arn}]` : `Resource = ${arn}`;
}

function policyOf({ policy }: Grant): string {
  return policy.kind === 'document' ? policy.name : '';
}
