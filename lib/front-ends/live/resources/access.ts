import type { AccessEntry, FargateProfile, FargateSelector, OidcProvider, PodIdentityAssociation } from '../../../eks';
import { ACCESS_ENTRY, POD_IDENTITY_ASSOCIATION } from '../../../eks/resources/access';
import { FARGATE_PROFILE } from '../../../eks/resources/fargate-profile';
import { asAnswer } from '../../../eks/resources/table';
import { Absent, Known, Unknown, type Plain } from '../../../value';
import type { AnswerNode } from '../answer-node';
import { readByTable, type Scope } from './by-table';

const ASSOCIATION = asAnswer(POD_IDENTITY_ASSOCIATION, 'eks:podidentityassociation');
const ENTRY = asAnswer(ACCESS_ENTRY, 'eks:access-entry');
const PROFILE = asAnswer(FARGATE_PROFILE, 'eks:fargateprofile');

/** Those that belong to an add-on are read with it. */
export function readAssociations(scope: Scope): readonly PodIdentityAssociation[] {
  return scope.dump.all('association').flatMap((node): readonly PodIdentityAssociation[] => {
    if (node.child('ownerArn').isWritten) return [];
    const association = node.asResource();
    const id = `${association.child('namespace').label}/${association.child('serviceAccount').label}`;
    return [
      {
        ...scope.dump.resource('eks:podidentityassociation', id, association),
        ...readByTable(ASSOCIATION, association, scope),
        kind: 'pod-identity-association',
      },
    ];
  });
}

export function readAccessEntries(scope: Scope): readonly AccessEntry[] {
  return scope.dump.all('accessEntry').map((node): AccessEntry => {
    const entry = node.asResource();
    return {
      ...scope.dump.resource('eks:access-entry', entry.child('principalArn').label, entry),
      ...readByTable(ENTRY, entry, scope),
      kind: 'access-entry',
    };
  });
}

export function readFargateProfiles(scope: Scope): readonly FargateProfile[] {
  return scope.dump.all('fargateProfile').map((node): FargateProfile => {
    const profile = node.asResource();
    return {
      ...scope.dump.resource('eks:fargateprofile', profile.child('fargateProfileName').label, profile),
      ...readByTable(PROFILE, profile, scope),
      kind: 'fargate-profile',
      selectors: selectors(profile.child('selectors')),
    };
  });
}

function selectors(list: AnswerNode): Plain<readonly FargateSelector[]> {
  return list.isWritten
    ? new Known(
        list.items.map(
          (item): FargateSelector => ({
            namespace: item.child('namespace').text,
            hasLabels: item.child('labels').keys.length > 0,
          }),
        ),
        list,
      )
    : new Absent(list.place);
}

/** The OIDC providers of the account, by their ARNs; what clients each has, its own answer tells. */
export function readProviders({ dump }: Scope): readonly OidcProvider[] {
  const described = new Map(
    dump.answersOf('ClientIDList').map(({ root }): [string, AnswerNode] => [issuerIn(root.child('Url').label), root]),
  );
  const listed = dump.items('OpenIDConnectProviderList').map((node): OidcProvider => {
    const arn = node.child('Arn');
    const issuer = issuerIn(arn.label);
    const own = described.get(issuer);
    described.delete(issuer);
    return {
      ...dump.resource('iam:oidc-provider', issuer, node.asResource()),
      kind: 'oidc-provider',
      url: new Known(`https://${issuer}`, arn),
      clientIds:
        own === undefined
          ? new Unknown(`aws iam get-open-id-connect-provider of it isn't in ${dump.folder}`, node)
          : own.child('ClientIDList').texts,
    };
  });
  const others = [...described].map(
    ([issuer, root]): OidcProvider => ({
      ...dump.resource('iam:oidc-provider', issuer, root.asResource()),
      kind: 'oidc-provider',
      url: new Known(`https://${issuer}`, root.child('Url')),
      clientIds: root.child('ClientIDList').texts,
    }),
  );
  return [...listed, ...others];
}

/** Of `arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/X`, or of a URL. */
function issuerIn(text: string): string {
  return text.replace(/^arn:[^/]*:oidc-provider\//, '').replace(/^https:\/\//, '');
}
