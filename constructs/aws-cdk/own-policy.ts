import { Stack, Token, type IResolveContext } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { IamPolicyDocument } from '../../lib/eks/iam';
import type { OwnPolicy } from '../engine-neutral/pod-role';
import { acknowledgeWildcards } from './acknowledgements';

/** A managed policy of its own, with cdk-nag's acknowledgements of its wildcards. */
export function ownPolicy(scope: Construct, { id, description, document, wildcards }: OwnPolicy): iam.ManagedPolicy {
  const policy = new iam.ManagedPolicy(scope, id, {
    description,
    document: hasTokenKeys(document) ? new TextDocument(scope, document) : iam.PolicyDocument.fromJson(document),
  });
  const resources = document.Statement.flatMap(({ Resource }) => Resource);
  acknowledgeWildcards(policy, resources, wildcards);
  return policy;
}

function hasTokenKeys({ Statement }: IamPolicyDocument): boolean {
  return Statement.some(({ Condition = {} }) =>
    Object.values(Condition).some((keys) => Object.keys(keys).some((key) => Token.isUnresolved(key))),
  );
}

/** A document as JSON text, which IAM takes too: CloudFormation has no intrinsic functions in keys, as those of conditions on tags with the cluster's name. */
class TextDocument extends iam.PolicyDocument {
  constructor(
    private readonly scope: Construct,
    private readonly document: IamPolicyDocument,
  ) {
    super();
  }

  override get isEmpty(): boolean {
    return false;
  }

  override get statementCount(): number {
    return this.document.Statement.length;
  }

  override resolve(context: IResolveContext): unknown {
    return context.resolve(Stack.of(this.scope).toJsonString(this.document));
  }
}
