import type {
  AccessEntry,
  AttachedPolicy,
  KubernetesManifest,
  OidcProvider,
  PodIdentityAssociation,
  PolicyCondition,
  Role,
} from '../../../eks';
import { ACCESS_ENTRY, POD_IDENTITY_ASSOCIATION } from '../../../eks/resources/access';
import { byModule, Known, Unknown, type Plain, type Source } from '../../../value';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { readByTable } from './by-table';
import { wellKnownPolicies, writtenPolicy } from './policies';
import { condition, policiesNamed, role, serviceRole, statement } from './roles';

interface IdentityParts {
  readonly id: string;
  readonly type: string;
  readonly source: ConfigNode;
  readonly policies: readonly AttachedPolicy[];
  readonly name?: Plain<string>;
}

/** The provider of a cluster that has one; undefined where it has none, or nobody knows. */
export function oidcProvider(file: ConfigFile): OidcProvider | undefined {
  const { withOidc, cluster, root } = file;
  if (withOidc.kind !== 'known' || !withOidc.value || cluster === undefined) return undefined;
  const source = root.at('iam', 'withOIDC').asResource();
  return {
    ...file.resource('iam.withOIDC', `${file.title}.oidc`, source),
    kind: 'oidc-provider',
    url: issuerOf(file, source),
    clientIds: new Known([new Known('sts.amazonaws.com', source, 'set by eksctl')], source, 'set by eksctl'),
  };
}

function issuerOf(file: ConfigFile, source: Source): Unknown {
  const text = `\${${file.title}.OpenIdConnectIssuerUrl}`;
  const reference =
    file.cluster === undefined ? undefined : { resource: file.cluster, attribute: 'OpenIdConnectIssuerUrl' };
  return new Unknown('only the cluster tells its issuer', source, text, `${file.file}/${text}`, reference);
}

interface FederatedParts extends IdentityParts {
  readonly provider: OidcProvider | undefined;
  /** Undefined where eksctl doesn't know it, and writes no condition on it. */
  readonly account: { readonly namespace: string; readonly name: string } | undefined;
  /** A pattern that takes the place of the account's name. */
  readonly pattern?: Plain<string>;
}

/** A role that service accounts assume by their tokens. Source: iam/oidc/api.go of eksctl. */
export function federatedRole(file: ConfigFile, { provider, account, pattern, ...parts }: FederatedParts): Role {
  const { source } = parts;
  const issuer = `\${${file.title}.OpenIdConnectIssuer}`;
  const conditions: PolicyCondition[] = [
    condition('StringEquals', `${issuer}:aud`, new Known('sts.amazonaws.com', source), source),
  ];
  if (account !== undefined) {
    const subject = `system:serviceaccount:${account.namespace}:${pattern?.kind === 'known' ? pattern.value : account.name}`;
    conditions.push(
      condition(
        pattern?.kind === 'known' ? 'StringLike' : 'StringEquals',
        `${issuer}:sub`,
        new Known(subject, source),
        source,
      ),
    );
  }
  const id = new Unknown('only the account tells it', source, `\${${file.title}.oidc}`);
  return role(file, {
    ...parts,
    trust: [
      statement(byModule(source, 'yes'), {
        actions: ['sts:AssumeRoleWithWebIdentity'],
        principals: [{ type: 'Federated', id, ...(provider === undefined ? {} : { target: provider }) }],
        conditions,
      }),
    ],
  });
}

/** A role that pods get by an association. */
export function podRole(file: ConfigFile, parts: IdentityParts): Role {
  return serviceRole(file, { ...parts, service: 'pods.eks.amazonaws.com', tagsSessions: true });
}

/** An item of `iam.serviceAccounts`: a role, and a service account that is annotated with it. */
export function readServiceAccount(
  file: ConfigFile,
  node: ConfigNode,
  provider: OidcProvider | undefined,
): readonly (Role | KubernetesManifest)[] {
  const item = node.asResource();
  const name = item.at('metadata', 'name').text;
  const namespace = item.at('metadata', 'namespace').text;
  if (name.kind !== 'known' || namespace.kind === 'unknown') return [];
  const account = { namespace: namespace.kind === 'known' ? namespace.value : 'default', name: name.value };
  const key = `${account.namespace}/${account.name}`;
  const own = item.child('attachRoleARN');
  const made = own.isWritten
    ? undefined
    : federatedRole(file, {
        id: `iam.serviceAccounts.${key}.role`,
        type: 'iam.serviceAccounts.role',
        source: item,
        provider,
        account,
        pattern: item.child('subjectPattern').text,
        name: item.child('roleName').text,
        policies: [
          ...policiesNamed(item.child('attachPolicyARNs')),
          ...writtenPolicy('Policy1', item.child('attachPolicy')),
          ...wellKnownPolicies(file, item.child('wellKnownPolicies')),
        ],
      });
  if (item.child('roleOnly').raw === true) return made === undefined ? [] : [made];
  const arn = made === undefined ? own.data : arnOf(made, item);
  const manifest: KubernetesManifest = {
    ...file.resource('iam.serviceAccounts', key, item),
    kind: 'manifest',
    environment: file.environment,
    cluster: file.reference,
    object: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { ...account, annotations: { 'eks.amazonaws.com/role-arn': arn } },
    },
  };
  return made === undefined ? [manifest] : [made, manifest];
}

function arnOf(made: Role, source: Source): Unknown {
  return new Unknown('eksctl makes the role', source, `\${${made.id}}`, `${made.stack}/${made.id}`, {
    resource: made,
    attribute: 'Arn',
  });
}

/** An item of `iam.podIdentityAssociations`. */
export function readAssociation(
  file: ConfigFile,
  node: ConfigNode,
  roleReference: PodIdentityAssociation['role'],
): PodIdentityAssociation {
  const item = node.asResource();
  const table = readByTable(POD_IDENTITY_ASSOCIATION, item, file);
  const account = `${item.child('namespace').label}/${item.child('serviceAccountName').label}`;
  return {
    ...file.resource('iam.podIdentityAssociations', account, item),
    ...table,
    kind: 'pod-identity-association',
    cluster: file.reference,
    role: roleReference,
    editing: {
      get lines() {
        const lines = node.document.linesOf?.(node.path);
        return lines === undefined ? undefined : { file: node.file, ...lines };
      },
    },
  };
}

/** An item of `accessConfig.accessEntries`. */
export function readAccessEntry(file: ConfigFile, node: ConfigNode): AccessEntry {
  const item = node.asResource();
  return {
    ...file.resource('accessConfig.accessEntries', item.child('principalARN').label, item),
    ...readByTable(ACCESS_ENTRY, item, file),
    kind: 'access-entry',
    cluster: file.reference,
  };
}
