import { AspectPriority, Aspects, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { awsManagedPolicyName } from '../../lib/knowledge';
import { CniPermissions } from '../engine-neutral/node-group-options';
import { nodeRoleProblems, type NodeImage } from '../engine-neutral/node-role';
import { acknowledgeManagedPolicy } from './acknowledgements';
import type { ClusterFacts, ICluster } from './cluster';
import { cniHasOwnRoleBefore } from './cluster-members';
import { refuse } from './construction-error';
import type { NodePartsProps } from './node-group-parts-props';
import { policiesOf } from './references';
import { cniPolicy } from './vpc-cni-role';

/** A role of nodes, with what kubelet, the Pod Identity agent and pulling images need. */
export function nodeRole(
  scope: Construct,
  id: string,
  description: string,
  { managedPolicies = [], permissionsBoundary }: NodeRoleProps = {},
): iam.Role {
  if (permissionsBoundary !== undefined) policiesOf(scope, 'permissionsBoundary', [permissionsBoundary]);
  const role = new iam.Role(scope, id, {
    description,
    assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
    ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
  });
  attachAwsPolicy(
    role,
    'AmazonEKSWorkerNodePolicy',
    'The policy that AWS provides for EKS nodes: it lets kubelet describe its EC2 resources, and the Pod Identity agent fetch credentials.',
  );
  attachAwsPolicy(
    role,
    'AmazonEC2ContainerRegistryPullOnly',
    'The policy that AWS provides for pulling images from Amazon ECR, without the right to list or push.',
  );
  attachChosen(
    role,
    policiesOf(scope, 'managedPolicies', managedPolicies),
    'Chosen for these nodes by the options of the node group.',
  );
  return role;
}

/** Attaches policies that somebody chose. @param reason of those that AWS manages, for cdk-nag */
export function attachChosen(role: iam.Role, policies: readonly iam.IManagedPolicy[], reason: string): void {
  for (const policy of policies) {
    role.addManagedPolicy(policy);
    const name = awsManagedPolicyName(arnText(Stack.of(role).resolve(policy.managedPolicyArn)));
    if (name !== undefined) acknowledgeManagedPolicy(role, name, reason);
  }
}

/** What can be added to a new role of nodes. */
export type NodeRoleProps = Pick<NodePartsProps, 'managedPolicies' | 'permissionsBoundary'>;

/** The role of a group: the given one, or a new one. */
export function givenOrNewRole(
  scope: Construct,
  { role, managedPolicies, permissionsBoundary }: NodeRoleProps & { readonly role?: iam.IRole },
  description: string,
): iam.IRole {
  if (role === undefined)
    return nodeRole(scope, 'Role', description, {
      ...(managedPolicies === undefined ? {} : { managedPolicies }),
      ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
    });
  const other =
    managedPolicies === undefined
      ? permissionsBoundary === undefined
        ? undefined
        : 'permissionsBoundary'
      : 'managedPolicies';
  if (other !== undefined)
    refuse(scope, `${other} and role are set; a role that is passed in is used as it is: leave one of them out`);
  return role;
}

/** What is wrong with a role that was passed in, as far as it is of the app; asked when the app is complete. */
export function givenRoleProblems(scope: Construct, role: iam.IRole | undefined, image: NodeImage): string[] {
  const resource = role instanceof iam.Role ? role.node.defaultChild : undefined;
  if (!(resource instanceof iam.CfnRole)) return [];
  const stack = Stack.of(resource);
  const policies: unknown = stack.resolve(resource.managedPolicyArns ?? []);
  const arns = (Array.isArray(policies) ? policies : []).map(arnText);
  const isWhole =
    resource.policies === undefined &&
    arns.every((arn) => awsManagedPolicyName(arn) !== undefined) &&
    !hasFurtherPolicies(scope, resource);
  return nodeRoleProblems(
    {
      name: resource.node.path.replace(/\/Resource$/, ''),
      trust: stack.resolve(resource.assumeRolePolicyDocument),
      policies: isWhole ? arns : undefined,
    },
    image,
  );
}

/** An ARN in a template as text; of another partition, or one that is decided at deployment, the name counts. */
function arnText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const name = /:iam::aws:policy\/([\w+=,.@/-]+)/.exec(text)?.[1];
  return name === undefined ? text : `arn:aws:iam::aws:policy/${name}`;
}

/** Whether other resources of the app attach policies to a role. */
function hasFurtherPolicies(scope: Construct, role: iam.CfnRole): boolean {
  const id = Stack.of(role).resolve(role.logicalId) as string;
  return scope.node.root.node
    .findAll()
    .some(
      (one) =>
        (one instanceof iam.CfnPolicy || one instanceof iam.CfnManagedPolicy || one instanceof iam.CfnRolePolicy) &&
        JSON.stringify(
          Stack.of(one).resolve(one instanceof iam.CfnRolePolicy ? one.roleName : (one.roles ?? [])),
        ).includes(id),
    );
}

/**
 * Gives the node role of a construct the CNI's permissions when that turns out to be needed. Decided after construction, because an add-on with a role of
 * its own may be defined later than the nodes.
 */
export function grantCni(
  scope: Construct,
  cluster: ICluster,
  facts: ClusterFacts,
  role: iam.IRole,
  permissions: CniPermissions,
): void {
  if (permissions === CniPermissions.OWN_ROLE) return;
  const needed = (): boolean => permissions === CniPermissions.NODE_ROLE || !cniHasOwnRoleBefore(cluster, scope);
  let granted = false;
  Aspects.of(scope).add(
    {
      visit: (visited) => {
        if (visited !== scope || granted || !needed()) return;
        granted = true;
        if (facts.ipFamily === 'ipv6') role.addManagedPolicy(cniPolicy(scope, 'CniPolicy', ['ipv6']));
        else if (role instanceof iam.Role) {
          attachAwsPolicy(
            role,
            'AmazonEKS_CNI_Policy',
            'The policy that AWS provides for the VPC CNI, which has no role of its own here. A VpcCniAddon in the same stack takes it off the nodes.',
          );
        }
      },
    },
    { priority: AspectPriority.MUTATING },
  );
}

function attachAwsPolicy(role: iam.Role, name: string, reason: string): void {
  role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName(name));
  acknowledgeManagedPolicy(role, name, reason);
}
