import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { TerraformResource, TerraformStack } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import { refuse } from '../engine-neutral/construction-error';
import { CniPermissions } from '../engine-neutral/node-group-options';
import { nodeRoleProblems, type NodeImage } from '../engine-neutral/node-role';
import { arnOf } from './arn';
import type { ClusterFacts, ICluster } from './cluster';
import { cniHasOwnRoleBefore } from './cluster-members';
import type { NodePartsProps } from './node-group-parts-props';
import { onceComplete } from './once-complete';
import { partitionOf } from './partition';
import { resolvedText } from './resolved-text';
import type { IRole } from './role';
import { cniPolicy } from './vpc-cni-role';

export { onceComplete } from './once-complete';

export const NODE_TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
});

/** What can be added to a new role of nodes. */
export type NodeRoleProps = Pick<NodePartsProps, 'managedPolicies' | 'permissionsBoundary'>;

/** The role of a group: the given one, or a new one, without policies yet. */
export function givenOrNewRole(
  scope: Construct,
  { facts, prefix, tags }: Place,
  { role, managedPolicies, permissionsBoundary }: NodeRoleProps & { readonly role?: IRole | string },
  description: string,
): IRole {
  if (role === undefined)
    return new IamRole(scope, 'Role', {
      ...facts.place,
      namePrefix: prefix,
      description,
      assumeRolePolicy: NODE_TRUST,
      lifecycle: { createBeforeDestroy: true },
      ...(permissionsBoundary === undefined
        ? {}
        : { permissionsBoundary: arnOf(scope, 'permissionsBoundary', permissionsBoundary) }),
      ...(tags === undefined ? {} : { tags: { ...tags } }),
    });
  const other =
    managedPolicies === undefined
      ? permissionsBoundary === undefined
        ? undefined
        : 'permissionsBoundary'
      : 'managedPolicies';
  if (other !== undefined)
    refuse(scope, `${other} and role are set; a role that is passed in is used as it is: leave one of them out`);
  return typeof role === 'string' ? { arn: role } : role;
}

/** What is wrong with a role that was passed in, as far as it is of the app; asked when the app is complete. */
export function givenRoleProblems(scope: Construct, role: IRole | string | undefined, image: NodeImage): string[] {
  if (!TerraformResource.isTerraformResource(role) || role.terraformResourceType !== 'aws_iam_role') return [];
  const policies = policiesOf(role);
  return nodeRoleProblems(
    {
      name: role.node.path,
      trust: jsonOf(resolvedText(scope, String(Reflect.get(role, 'assumeRolePolicyInput')))),
      policies: policies?.map((arn) => resolvedText(scope, arn)),
    },
    image,
  );
}

/** The ARNs of the policies of a role; undefined where some may not be visible. */
function policiesOf(role: TerraformResource): readonly string[] | undefined {
  if (['inlinePolicyInput', 'managedPolicyArnsInput'].some((input) => Reflect.get(role, input) !== undefined))
    return undefined;
  const own = rolePoliciesOf(role);
  return own.every((one) => one.terraformResourceType === 'aws_iam_role_policy_attachment')
    ? own.map((one) => String(Reflect.get(one, 'policyArnInput')))
    : undefined;
}

/** The policies and attachments of a role in its stack. */
export function rolePoliciesOf(role: TerraformResource): readonly TerraformResource[] {
  const names = ['name', 'id'].map(
    (attribute) => `\${${role.terraformResourceType}.${role.friendlyUniqueId}.${attribute}}`,
  );
  return TerraformStack.of(role)
    .node.findAll()
    .filter(isRolePolicy)
    .filter((resource) => names.includes(resolvedText(resource, String(Reflect.get(resource, 'roleInput')))));
}

function isRolePolicy(construct: IConstruct): construct is TerraformResource {
  return (
    TerraformResource.isTerraformResource(construct) &&
    ['aws_iam_role_policy', 'aws_iam_role_policy_attachment'].includes(construct.terraformResourceType)
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What new resources of a group are given. */
interface Place {
  readonly facts: ClusterFacts;
  /** The beginning of generated names. */
  readonly prefix: string;
  readonly tags: Readonly<Record<string, string>> | undefined;
}

/**
 * Gives a new node role of a construct what nodes need. The CNI's permissions are decided on after construction, because an add-on with a role of its own may be
 * defined later than the nodes.
 *
 * @param attached is told of each attachment
 */
export function grantNodePolicies(
  scope: Construct,
  cluster: ICluster,
  facts: ClusterFacts,
  role: IamRole,
  { permissions, managedPolicies = [] }: { readonly permissions: CniPermissions } & NodeRoleProps,
  attached: (attachment: IamRolePolicyAttachment) => void,
): void {
  const attach = (id: string, policyArn: string): void => {
    attached(new IamRolePolicyAttachment(scope, id, { ...facts.place, role: role.name, policyArn }));
  };
  const awsPolicy = (name: string): string => `arn:${partitionOf(scope, facts.provider)}:iam::aws:policy/${name}`;
  attach('WorkerNodePolicy', awsPolicy('AmazonEKSWorkerNodePolicy'));
  attach('PullPolicy', awsPolicy('AmazonEC2ContainerRegistryPullOnly'));
  for (const [index, policy] of managedPolicies.entries())
    attach(`Policy${index}`, arnOf(scope, `managedPolicies[${index}]`, policy));
  if (permissions === CniPermissions.OWN_ROLE) return;
  onceComplete(scope, () => {
    if (permissions === CniPermissions.AUTOMATIC && cniHasOwnRoleBefore(cluster, scope)) return;
    const arn =
      facts.ipFamily === 'ipv6'
        ? cniPolicy(scope, 'CniPolicy', ['ipv6'], facts.provider).arn
        : awsPolicy('AmazonEKS_CNI_Policy');
    attach('CniPolicyAttachment', arn);
  });
}
