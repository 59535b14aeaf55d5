import { alternativesOf, type Addon, type EksModel, type Role } from '../../../eks';
import { AGENT } from './identity-agents';

/*
 * An add-on of a ClusterConfig gets a role of its own by a Pod Identity association, which names the service account: eksctl knows that of vpc-cni alone.
 * Source: eksctl-io/eksctl, pkg/actions/addon/create.go; Amazon EKS user guide, "Amazon EKS add-ons", the policies of the storage drivers.
 */

interface Recommended {
  readonly account: string;
  readonly policy: string;
}

const RECOMMENDED: ReadonlyMap<string, Recommended> = new Map([
  ['aws-ebs-csi-driver', { account: 'ebs-csi-controller-sa', policy: 'service-role/AmazonEBSCSIDriverPolicy' }],
  ['aws-efs-csi-driver', { account: 'efs-csi-controller-sa', policy: 'service-role/AmazonEFSCSIDriverPolicy' }],
]);

/** What `wellKnownPolicies` gives for EFS, all of which the recommended policy has. */
const BY_EKSCTL = 'PolicyEFSCSIController';

/** The association in place of the role that eksctl makes for an add-on; empty for a role of something else, and where the service account or a policy isn't known. */
export function associationInConfig(role: Role, model: EksModel): string {
  const addon = /^addons\.(.+)\.role$/.exec(role.id)?.[1] ?? '';
  const recommended = RECOMMENDED.get(addon);
  if (role.type !== 'addons.role' || recommended === undefined) return '';
  const listed = role.policies.flatMap((policy) => (policy.kind === 'managed' ? alternativesOf(policy.arn) : []));
  const arns = listed.flatMap(({ value }) => (value.kind === 'known' ? [value.value] : []));
  if (arns.length < listed.length || role.policies.some(isOfUser)) return '';
  const own = new Map(
    model.addons.flatMap((one) =>
      one.stack === role.stack && one.name.kind === 'known' ? [[one.name.value, one] as const] : [],
    ),
  );
  const partition = own.get(addon)?.environment.partition ?? 'aws';
  const policies = arns.length > 0 ? arns : [`arn:${partition}:iam::aws:policy/${recommended.policy}`];
  const madeBy = role.editing?.madeBy ?? [];
  const hasAgent = own.has(AGENT);
  const ofCni = hasAgent ? [] : besideAgent(own.get('vpc-cni'), model);
  if (ofCni === undefined) return '';
  return [
    `# in the add-on "${addon}"${madeBy.length === 0 ? '' : `, without ${madeBy.join(' and ')}`}:`,
    'podIdentityAssociations:',
    '  - namespace: kube-system',
    `    serviceAccountName: ${recommended.account}`,
    `    permissionPolicyARNs: [${policies.map((arn) => JSON.stringify(arn)).join(', ')}]`,
    ...ofCni,
    ...(hasAgent ? [] : ['# in the file, one more of addons:', `- name: ${AGENT}`]),
  ].join('\n');
}

/**
 * What the vpc-cni of an IPv6 cluster needs beside the agent, without which eksctl refuses the file; undefined where it has policies of its own, which
 * only its owner can make an association of. Source: eksctl, pkg/apis/eksctl.io/v1alpha5/validation.go, validateIPv6.
 */
function besideAgent(cni: Addon | undefined, { roles }: EksModel): readonly string[] | undefined {
  const cluster = cni?.cluster.kind === 'known' ? cni.cluster.value.target : undefined;
  const isIpv6 = cluster?.ipFamily.kind === 'known' && cluster.ipFamily.value === 'ipv6';
  if (cni === undefined || cni.isImplied === true || !isIpv6) return [];
  const own = roles.find(({ id, stack }) => id === 'addons.vpc-cni.role' && stack === cni.stack);
  if ((own?.editing?.madeBy ?? []).length > 0) return undefined;
  return ['# in the add-on "vpc-cni":', 'useDefaultPodIdentityAssociations: true'];
}

/** What somebody wrote down is more than the recommended policy has. */
function isOfUser(policy: Role['policies'][number]): boolean {
  return policy.kind === 'document' && policy.name !== BY_EKSCTL;
}
