import { defineRule, resourceName } from '../../engine';
import { otherCniAt, type EksModel } from '../../eks';
import { isDedicated, type CniIdentity } from '../../eks/analysis/cni';
import { hasCniPermissions } from '../../eks/analysis/cni-permissions';
import { outsiderFor } from '../../eks/analysis/unseen';
import { judgeCniRoles } from './parts/cni-judgements';
import { judgeLateRoles } from './parts/late-cni-role';
import { unverifiable } from '../parts/case-judgements';

/*
 * The VPC CNI works with the nodes' role unless it has its own, so taking AmazonEKS_CNI_Policy off the node role, as good practice
 * asks, without giving the CNI a role leaves it without any permission. Source: Amazon EKS user guide, node IAM role.
 */

export const vpcCniRoleMissing = defineRule<'missing' | 'late'>({
  id: 'vpc-cni-role-missing',
  subject: 'iam',
  title: 'The VPC CNI has permissions, by a role of its own or by the node role',
  severity: 'error',
  since: '0.1.0',
  messages: {
    missing: {
      text: 'Node role {{role}} has no permission of the VPC CNI, and the vpc-cni add-on {{addon}} has no role of its own: aws-node can\'t assign a single address, and the nodes stay NotReady ("cni plugin not initialized").',
      fix: {
        summary:
          'Attach `AmazonEKS_CNI_Policy` (IPv4) to the node role, or, better, give the add-on a role of its own (Pod Identity).',
        summaryIn: {
          eksctl:
            'Set `iam.withOIDC: true`: eksctl then makes a role for aws-node. Or set `addonsConfig.autoApplyPodIdentityAssociations: true` and add `eks-pod-identity-agent` to `addons`.',
        },
        code: {
          cloudformation: 'ManagedPolicyArns:\n  - !Sub arn:${AWS::Partition}:iam::aws:policy/{{policy}}',
          'aws-cdk': [
            '// where `role` is the Role that the finding names:',
            "role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('{{policy}}'));",
          ].join('\n'),
          terraform: [
            'resource "aws_iam_role_policy_attachment" "vpc_cni" {',
            '  role       = aws_iam_role.vpc_cni.name',
            '  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonEKS_CNI_Policy"',
            '}',
          ].join('\n'),
          'terraform-module': 'iam_role_attach_cni_policy = true',
          eksctl: '# in the file; eksctl then makes a role for aws-node:\niam:\n  withOIDC: true',
        },
        safety: 'needs-decision',
      },
    },
    late: {
      text: "Add-on {{addon}} gives aws-node a role of its own, but is created only after {{nodeGroup}}, whose role {{role}} has no permission of the VPC CNI: when the cluster is created, the nodes find no addresses and stay NotReady, and the group fails before the add-on has its turn. A cluster that has the add-on already isn't affected.",
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
  },
  *check(model: EksModel) {
    // A role of its own is enough here; what it may do is for vpc-cni-role-ip-family to judge.
    const own = (identity: CniIdentity) => (isDedicated(identity) ? ({ verdict: 'pass' } as const) : undefined);
    yield* judgeCniRoles<'missing'>(
      model,
      ({ identity, role, permissions, family }) => {
        const answer = own(identity);
        if (answer !== undefined) return answer;
        switch (hasCniPermissions(permissions)) {
          case 'allowed':
            return { verdict: 'pass' };
          case 'unknown':
            return unverifiable(
              `its permissions are not all known (${permissions.missing(['ec2:AssignPrivateIpAddresses']).reasons.join('; ')})`,
            );
          case 'denied': {
            const { addon } = identity;
            if (addon === undefined) {
              return unverifiable(
                'it has no permission of the VPC CNI, and without a vpc-cni add-on in the input the role of the CNI is not known',
              );
            }
            const other = otherCniAt(model.viewOf(addon), identity.when);
            if (other !== undefined) return unverifiable(`it has no permission of the VPC CNI, and ${other.reason}`);
            const outsider = outsiderFor(model.viewOf(addon), 'associate');
            if (outsider !== undefined)
              return unverifiable(
                `it has no permission of the VPC CNI, and ${outsider} may give aws-node a role of its own`,
              );
            return {
              verdict: 'fail',
              message: 'missing',
              data: {
                role: resourceName(role),
                addon: resourceName(addon),
                policy: family === 'ipv6' ? '<policy for IPv6>' : 'AmazonEKS_CNI_Policy',
              },
              related: [
                {
                  message: `${resourceName(addon)} names neither a service account role nor a Pod Identity association`,
                  source: addon.source,
                },
              ],
            };
          }
        }
      },
      own,
    );
    yield* judgeLateRoles(model);
  },
});
