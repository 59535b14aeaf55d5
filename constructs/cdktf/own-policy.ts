import { IamPolicy } from '@cdktf/provider-aws/lib/iam-policy';
import type { TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import type { OwnPolicy } from '../engine-neutral/pod-role';
import { documentText } from './json-text';

/** A managed policy of its own. */
export function ownPolicy(
  scope: Construct,
  provider: TerraformProvider | undefined,
  { id, description, document }: Omit<OwnPolicy, 'wildcards'>,
): IamPolicy {
  return new IamPolicy(scope, id, {
    ...(provider === undefined ? {} : { provider }),
    description,
    policy: documentText(document),
  });
}
