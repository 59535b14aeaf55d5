import type { AccessEntry } from '../../../eks';

/*
 * What an access entry says in place of groups that EKS refuses, as code of each dialect.
 */

const ADMINISTRATION = 'cluster-access-policy/AmazonEKSClusterAdminPolicy';

type Codes = Record<'inTemplate' | 'inCdk' | 'inTerraform' | 'inModule' | 'inEksctl', string>;

/**
 * @param kind what the groups were for
 * @param reserved the groups that EKS refuses
 * @param others those that stay; undefined for one of which nothing is known
 */
export function entryCode(
  kind: 'masters' | 'nodes' | 'typed' | 'reserved',
  entry: AccessEntry,
  reserved: readonly string[],
  others: readonly (string | undefined)[],
): Codes {
  // `system:readers` may be called `readers`.
  const renamed = kind === 'reserved' ? reserved.map((name) => name.slice('system:'.length)) : [];
  const names = [...others, ...renamed];
  // Only who wrote it knows how it is called, and a list of policies may have others already.
  const isOpen = names.some((name) => name === undefined || name === '' || /[$<>"]/.test(name));
  if (isOpen || (kind === 'masters' && entry.policies.kind !== 'absent')) return NONE;
  const list = `[${names.map((name) => `"${name ?? ''}"`).join(', ')}]`;
  return kind === 'masters' ? ofAdministrators(entry, list) : ofOthers(kind === 'nodes', list, names.length === 0);
}

const NONE: Codes = { inTemplate: '', inCdk: '', inTerraform: '', inModule: '', inEksctl: '' };

function ofAdministrators({ id }: AccessEntry, list: string): Codes {
  const arn = `arn:aws:eks::aws:${ADMINISTRATION}`;
  return {
    inTemplate: [
      `KubernetesGroups: ${list}`,
      'AccessPolicies:',
      `  - PolicyArn: !Sub arn:\${AWS::Partition}:eks::aws:${ADMINISTRATION}`,
      '    AccessScope: { Type: cluster }',
    ].join('\n'),
    inCdk: [
      '// in the properties of the CfnAccessEntry, with `Aws` of aws-cdk-lib:',
      `kubernetesGroups: ${list.replaceAll('"', "'")},`,
      'accessPolicies: [',
      `  { policyArn: \`arn:\${Aws.PARTITION}:eks::aws:${ADMINISTRATION}\`, accessScope: { type: 'cluster' } },`,
      '],',
    ].join('\n'),
    inTerraform: [
      '# in the aws_eks_access_entry:',
      `kubernetes_groups = ${list}`,
      '',
      'resource "aws_eks_access_policy_association" "administration" {',
      `  cluster_name  = ${id}.cluster_name`,
      `  principal_arn = ${id}.principal_arn`,
      `  policy_arn    = "${arn}"`,
      '  access_scope {',
      '    type = "cluster"',
      '  }',
      '}',
    ].join('\n'),
    inModule: [
      `kubernetes_groups = ${list}`,
      'policy_associations = {',
      '  administration = {',
      `    policy_arn   = "${arn}"`,
      '    access_scope = { type = "cluster" }',
      '  }',
      '}',
    ].join('\n'),
    inEksctl: [
      `kubernetesGroups: ${list}`,
      'accessPolicies:',
      `  - policyARN: ${arn}`,
      '    accessScope: { type: cluster }',
    ].join('\n'),
  };
}

/** Entries of nodes have no groups at all, not even an empty list of them. */
function ofOthers(isOfNodes: boolean, list: string, hasNone: boolean): Codes {
  const type = isOfNodes && hasNone;
  if (!hasNone)
    return {
      inTemplate: `KubernetesGroups: ${list}`,
      inCdk: `// in the properties of the CfnAccessEntry:\nkubernetesGroups: ${list.replaceAll('"', "'")},`,
      inTerraform: `kubernetes_groups = ${list}`,
      inModule: `kubernetes_groups = ${list}`,
      inEksctl: `kubernetesGroups: ${list}`,
    };
  return {
    inTemplate: `# in the Properties, without KubernetesGroups:${type ? '\nType: EC2_LINUX' : ''}`,
    inCdk: `// in the properties of the CfnAccessEntry, without kubernetesGroups:${type ? "\ntype: 'EC2_LINUX'," : ''}`,
    inTerraform: `# in the aws_eks_access_entry, without kubernetes_groups:${type ? '\ntype = "EC2_LINUX"' : ''}`,
    inModule: `kubernetes_groups = []${type ? '\ntype = "EC2_LINUX"' : ''}`,
    inEksctl: '',
  };
}
