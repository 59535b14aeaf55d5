import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';
import { refuse } from './construction-error';

/*
 * What plain JavaScript passes where a construct belongs: a text has no `managedPolicyArn` and no `keyArn`, and CDK would leave the property out without a word.
 */

/** Refuses what isn't a policy; passes on what is. */
export function policiesOf<P extends iam.IManagedPolicy>(scope: IConstruct, option: string, given: readonly P[]): P[] {
  return given.map((policy) => {
    if (!has(policy, 'managedPolicyArn'))
      refuse(
        scope,
        `${option} has ${described(policy)}; it takes an iam.IManagedPolicy, such as iam.ManagedPolicy.fromManagedPolicyArn(scope, id, arn)`,
      );
    return policy;
  });
}

/** Refuses what isn't a key; passes on what is. */
export function keyOf<K extends kms.IKey>(scope: IConstruct, option: string, key: K): K {
  if (!has(key, 'keyArn') && !has(key, 'keyRef'))
    refuse(scope, `${option} is ${described(key)}; it takes a kms.IKey, such as kms.Key.fromKeyArn(scope, id, arn)`);
  return key;
}

function has(value: unknown, property: string): boolean {
  return typeof value === 'object' && value !== null && property in value;
}

function described(value: unknown): string {
  return typeof value === 'string' ? `the text "${value}"` : `a value of another type (${typeof value})`;
}
