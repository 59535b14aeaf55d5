import { KmsGrant } from '@cdktf/provider-aws/lib/kms-grant';
import { Fn, TerraformResource, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { NodeVolume } from '../engine-neutral/node-volumes';
import type { ClusterFacts } from './cluster';
import type { IKey } from './controller-roles';
import { partitionOf } from './partition';

/**
 * What EC2 Auto Scaling does with a key.
 * Source: Amazon EC2 Auto Scaling user guide, "Required AWS KMS key policy for use with encrypted volumes", the grant for the service-linked role.
 */
const OPERATIONS = [
  'Encrypt',
  'Decrypt',
  'ReEncryptFrom',
  'ReEncryptTo',
  'GenerateDataKey',
  'GenerateDataKeyWithoutPlaintext',
  'DescribeKey',
  'CreateGrant',
];

const made = new WeakMap<TerraformStack, Map<TerraformResource, KmsGrant>>();

/**
 * Lets EC2 Auto Scaling start instances with volumes of a key, once for each key that the app makes in the account of the cluster; gives what the nodes have to wait
 * for. By a grant, because a statement in the key's policy would replace those of the user's.
 */
export function letAutoScalingUse(
  scope: Construct,
  facts: ClusterFacts,
  volumes: readonly NodeVolume<IKey | string>[],
): readonly KmsGrant[] {
  const stack = TerraformStack.of(scope);
  const grants = made.get(stack) ?? new Map<TerraformResource, KmsGrant>();
  made.set(stack, grants);
  const keys = new Set<unknown>(volumes.map(({ kmsKey }) => kmsKey));
  return [...keys].flatMap((key) => {
    if (!isKeyOf(key, facts)) return [];
    const grant = grants.get(key) ?? newGrant(stack, `EksGuardrailsKeyGrant${grants.size + 1}`, facts, key);
    grants.set(key, grant);
    return [grant];
  });
}

type KeyResource = TerraformResource & IKey;

/** Whether a key is a resource with the provider configuration of the cluster: of others the account isn't known. */
function isKeyOf(key: unknown, { provider }: ClusterFacts): key is KeyResource {
  return (
    TerraformResource.isTerraformResource(key) &&
    key.terraformResourceType === 'aws_kms_key' &&
    key.provider === provider
  );
}

function newGrant(stack: TerraformStack, id: string, facts: ClusterFacts, key: KeyResource): KmsGrant {
  const account = Fn.element(Fn.split(':', key.arn), 4) as string;
  const grant = new KmsGrant(stack, id, {
    ...facts.place,
    keyId: key.arn,
    granteePrincipal: `arn:${partitionOf(stack, facts.provider)}:iam::${account}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling`,
    operations: OPERATIONS,
  });
  facts.putInRegion(grant);
  return grant;
}
