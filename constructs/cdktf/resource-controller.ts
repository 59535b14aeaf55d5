import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { TerraformResource, TerraformStack } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import type { ClusterFacts } from './cluster';
import { partitionOf } from './partition';
import { resolvedText } from './resolved-text';

const POLICY = 'AmazonEKSVPCResourceController';

const granted = new WeakMap<TerraformResource, TerraformResource>();

/**
 * Lets the controller that runs in the control plane make network interfaces for pods, and give addresses to Windows nodes: attaches the
 * policy to the cluster's role, when the cluster's stack defines both. Returns the attachment, for those who should wait for it.
 */
export function grantResourceController(scope: Construct, facts: ClusterFacts): TerraformResource | undefined {
  const role = roleOf(facts);
  if (role === undefined) return undefined;
  const made = granted.get(role) ?? attached(role) ?? attach(scope, role, facts);
  granted.set(role, made);
  return made;
}

type NamedRole = TerraformResource & { readonly name: string };

/** The `aws_iam_role` whose ARN the cluster has. */
function roleOf({ resource, roleArn }: ClusterFacts): NamedRole | undefined {
  if (resource === undefined || roleArn === undefined) return undefined;
  const arn = resolvedText(resource, roleArn);
  return resourcesBeside(resource, 'aws_iam_role').find(
    (role): role is NamedRole => 'arn' in role && 'name' in role && resolvedText(role, String(role.arn)) === arn,
  );
}

/** An attachment that is there already: of two of them, the one that is deleted takes the policy away. */
function attached(role: NamedRole): TerraformResource | undefined {
  const names = ['name', 'id'].map((attribute) => resolvedText(role, String(Reflect.get(role, attribute))));
  return resourcesBeside(role, 'aws_iam_role_policy_attachment').find(
    (other) =>
      'roleInput' in other &&
      'policyArnInput' in other &&
      names.includes(resolvedText(role, String(other.roleInput))) &&
      String(other.policyArnInput).endsWith(`/${POLICY}`),
  );
}

function attach(scope: Construct, role: NamedRole, facts: ClusterFacts): TerraformResource {
  return new IamRolePolicyAttachment(scope, 'ResourceController', {
    ...facts.place,
    role: role.name,
    policyArn: `arn:${partitionOf(scope, facts.provider)}:iam::aws:policy/${POLICY}`,
  });
}

function resourcesBeside(construct: IConstruct, type: string): TerraformResource[] {
  return TerraformStack.of(construct)
    .node.findAll()
    .filter(
      (child): child is TerraformResource =>
        TerraformResource.isTerraformResource(child) && child.terraformResourceType === type,
    );
}
