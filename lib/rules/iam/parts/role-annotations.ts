import { alternativesOf, type EksModel, type Resource, type Source, type When } from '../../../eks';
import { isText } from '../../../eks/analysis/addon';
import { annotatedAccounts } from '../../../eks/analysis/annotated-accounts';
import { except } from '../../../value';
import { isAccount } from './aws-auth-entries';

/** What gives a service account a role by an ARN that is that of none. */
export interface WrongRole {
  readonly user: Resource;
  readonly arn: string;
  readonly why: string;
  readonly source: Source;
  readonly when: When;
}

/** Those of manifests and Helm releases, where no association gives the service account its role. */
export function* wrongAnnotations(model: EksModel): Generator<WrongRole> {
  for (const view of model.clusterViews) {
    for (const { user, annotation, name, source, when: made } of annotatedAccounts(view)) {
      const why = typeof annotation === 'string' ? whyNoRole(annotation) : undefined;
      if (typeof annotation !== 'string' || why === undefined) continue;
      let rest: readonly When[] = [made];
      for (const association of view.podIdentityAssociations)
        if (typeof name !== 'string' || isText(association.serviceAccount, name) !== 'no')
          rest = except(rest, association.exists);
      for (const when of rest) yield { user, arn: annotation, why, source, when };
    }
  }
}

/** Those of add-ons, where no association stands beside, which they would use instead. */
export function* wrongAddonRoles({ addons }: EksModel): Generator<WrongRole> {
  for (const addon of addons) {
    if (addon.podIdentityAssociations.kind !== 'absent') continue;
    for (const { when: given, value } of alternativesOf(addon.serviceAccountRole)) {
      const arn = value.kind === 'known' && value.value.target === undefined ? value.value.text : undefined;
      const why = arn === undefined ? undefined : whyNoRole(arn);
      const when = addon.exists.and(given);
      if (arn === undefined || why === undefined || when === undefined) continue;
      yield { user: addon, arn, why, source: value.source, when };
    }
  }
}

/** What people count up to where somebody is to fill in an account: `123`, `123456789`. */
const COUNTED = '1234567890123456';

/** What else of IAM has an ARN, as people take it for that of a role. */
const OTHERS: Readonly<Record<string, string>> = {
  'instance-profile': 'is an instance profile',
  'oidc-provider': 'is an OIDC provider',
  policy: 'is a policy',
  user: 'is a user',
};

/** Why STS takes an ARN for none. An account in words, of one digit, or of digits in their order is a blank that somebody is to fill in. */
function whyNoRole(arn: string): string | undefined {
  const [, kind = ''] = /^arn:[a-z-]+:iam::(?:\d{12}|aws):([a-z-]+)\//.exec(arn) ?? [];
  if (OTHERS[kind] !== undefined) return OTHERS[kind];
  if (/^arn:[a-z-]+:iam:\d{12}:role\//.test(arn)) return 'has one colon before the account, and ARNs of IAM have two';
  const [, account, ...others] = /^arn:[a-z-]+:iam::([\d-]*):role\/[\w+=,.@/-]+$/.exec(arn) ?? [];
  if (account === undefined || others.length > 0 || isAccount(account)) return undefined;
  if (account !== '' && (COUNTED.startsWith(account) || /^(\d)\1*$/.test(account))) return undefined;
  return account === '' ? 'has no account' : `has the account \`${account}\`, and accounts have twelve digits`;
}
