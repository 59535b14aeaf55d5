import type { ConfigProblem } from '../../../eks';
import { inWords } from '../../../text/in-words';
import type { Group } from './group';
import { hasContent, isNoArn, refused, refusedLate, textOf } from './problem';

/* Roles of nodes, and ways into them. Source: apis/eksctl.io/v1alpha5/validation.go, cfn/builder/iam_helper.go. */

export function identityProblems({ node, name, isManaged }: Group): readonly ConfigProblem[] {
  const iam = node.child('iam');
  const addons = iam.child('withAddonPolicies');
  const granted = addons.keys.filter((key) => addons.child(key).raw === true);
  const problems: ConfigProblem[] = [];
  const noPods = node.child('disablePodIMDS');
  if (noPods.raw === true && granted.length > 0)
    problems.push(
      refused(
        noPods,
        `group ${name} keeps pods from instance metadata and gives their permissions to the node role (${all(granted)}), which pods only get from there`,
        'Give the pods roles of their own, or take `disablePodIMDS` out.',
      ),
    );
  for (const key of isManaged ? ['instanceRoleARN'] : ['instanceRoleARN', 'instanceProfileARN']) {
    const others = ['instanceRoleName', 'attachPolicy', 'attachPolicyARNs', 'instanceRolePermissionsBoundary'].filter(
      (other) => hasContent(iam.child(other)),
    );
    const changes = [...others, ...granted.map((one) => `withAddonPolicies.${one}`)];
    if (iam.child(key).isWritten && changes.length > 0)
      problems.push(
        refused(
          iam.child(key),
          `group ${name} names a role and changes it (${all(changes)})`,
          `Keep \`${key}\` and take ${all(changes)} out, or the reverse.`,
        ),
      );
  }
  for (const policy of iam.child('attachPolicyARNs').items)
    if (isNoArn(policy) || textOf(policy)?.includes('/') === false)
      problems.push(
        // Of managed groups it looks at none of them before.
        (!isManaged && isNoArn(policy) ? refused : refusedLate)(
          policy,
          `group ${name} attaches "${policy.label}", which is no ARN of a policy`,
          'Write the whole ARN, such as `arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess`.',
        ),
      );
  if (!isManaged && granted.includes('albIngress') && granted.includes('awsLoadBalancerController'))
    problems.push(
      refused(
        addons.child('albIngress'),
        `group ${name} has the permissions of the load balancer controller by its old and its new name`,
        'Take `albIngress` out.',
      ),
    );
  if (isManaged && iam.child('instanceProfileARN').isWritten)
    problems.push(
      refused(
        iam.child('instanceProfileARN'),
        `managed group ${name} names an instance profile`,
        'Name the role: `instanceRoleARN`.',
      ),
    );
  return problems;
}

/** Names of keys, however many: what is told only in part is mended in part. */
function all(keys: readonly string[]): string {
  return inWords(
    keys.map((key) => `\`${key}\``),
    keys.length,
  );
}

export function sshProblems({ node, name }: Group): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (node.at('ssh', 'enableSsm').raw === false)
    problems.push(
      refused(
        node.at('ssh', 'enableSsm'),
        'the SSM agent is part of the AMIs and cannot be switched off',
        'Take `enableSsm` out.',
      ),
    );
  const keys = ['publicKeyName', 'publicKeyPath', 'publicKey'].filter((key) => hasContent(node.at('ssh', key)));
  for (const key of keys.slice(1))
    problems.push(
      refused(
        node.at('ssh', key),
        `group ${name} has several SSH keys (${keys.join(', ')})`,
        `Take \`${key}\` out, or keep it alone.`,
      ),
    );
  return problems;
}
