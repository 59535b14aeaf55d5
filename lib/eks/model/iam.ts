import type { Resource, Source, Value } from '../../value';

export type IamResource = Role | OidcProvider;

export interface Role extends Resource {
  readonly kind: 'role';
  readonly name: Value<string>;
  readonly trust: Value<PolicyDocument>;
  /** Everything attached to the role, by whichever resource; reading stops nowhere, so this list is complete for the input. */
  readonly policies: readonly AttachedPolicy[];
  /** The policy beyond which it may do nothing, whatever is attached; several where that depends on a condition. @default - none */
  readonly boundary?: readonly AttachedPolicy[];
  /** Whether nothing else in the code around it is called by its address. @default - it is, or that isn't known */
  readonly isUnmentioned?: boolean | undefined;
  /** Keys that its trust policy has more than once in one object, of which the last counts. @default - none, or that isn't known */
  readonly repeatedTrustKeys?: readonly string[] | undefined;
}

/** One policy of a role. */
export type AttachedPolicy =
  | {
      readonly kind: 'document';
      readonly name: string;
      readonly document: Value<PolicyDocument>;
      readonly source: Source;
      /** It stands for policies that something may attach which isn't looked into, and nothing says that it does. @default - it is there */
      readonly isDoubt?: true;
    }
  /** A managed policy by ARN, an AWS one or one that the input doesn't hold. */
  | { readonly kind: 'managed'; readonly arn: Value<string>; readonly source: Source };

export interface PolicyDocument {
  readonly statements: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly effect: Value<string>;
  readonly actions: readonly Value<string>[];
  readonly notActions: readonly Value<string>[];
  readonly resources: readonly Value<string>[];
  readonly notResources: readonly Value<string>[];
  readonly principals: readonly Principal[];
  readonly conditions: readonly PolicyCondition[] | UnreadableConditions;
  readonly source: Source;
}

/** The condition block exists, but can't be read. */
export interface UnreadableConditions {
  readonly kind: 'unknown-conditions';
  readonly reason: string;
}

export interface Principal {
  /** `Service`, `AWS`, `Federated`, or `*`. */
  readonly type: string;
  readonly id: Value<string>;
  /** What the principal refers to when it is a resource of the input, such as an OIDC provider or a cluster. */
  readonly target?: Resource;
}

export interface PolicyCondition {
  /** `StringEquals`, `ForAnyValue:StringLike` … */
  readonly operator: string;
  /** The key, with `${…}` for unknown parts: `${Cluster.OpenIdConnectIssuer}:sub`. */
  readonly key: string;
  /** The function that the key is in a YAML template, which CloudFormation refuses: `!Sub`. @default - the key is a text */
  readonly keyFunction?: string;
  readonly values: readonly Value<string>[];
  readonly source: Source;
}

export interface OidcProvider extends Resource {
  readonly kind: 'oidc-provider';
  readonly url: Value<string>;
  readonly clientIds: Value<readonly Value<string>[]>;
  /** Two of a stack with the same text here are of one account. @default - that isn't known */
  readonly account?: string | undefined;
}
