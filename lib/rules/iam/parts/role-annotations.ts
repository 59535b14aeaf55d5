import { dataAt, type EksModel, type KubernetesManifest, type Source, type When } from '../../../eks';
import { isText } from '../../../eks/analysis/addon';
import { ROLE_ANNOTATION } from '../../../eks/analysis/role-uses';
import { except } from '../../../value';
import { isAccount } from './aws-auth-entries';

/** A service account whose annotation is the ARN of no role. */
interface WrongAnnotation {
  readonly manifest: KubernetesManifest;
  readonly arn: string;
  readonly why: string;
  readonly source: Source;
  readonly when: When;
}

/** Those of manifests, where no association gives the service account its role. */
export function* wrongAnnotations(model: EksModel): Generator<WrongAnnotation> {
  for (const { manifests, podIdentityAssociations } of model.clusterViews) {
    for (const manifest of manifests) {
      const { object } = manifest;
      if (dataAt(object, 'kind') !== 'ServiceAccount') continue;
      const arn = dataAt(object, 'metadata', 'annotations', ROLE_ANNOTATION);
      const why = typeof arn === 'string' ? whyNoRole(arn) : undefined;
      if (typeof arn !== 'string' || why === undefined) continue;
      const name = dataAt(object, 'metadata', 'name');
      let rest: readonly When[] = [manifest.exists];
      for (const association of podIdentityAssociations)
        if (typeof name !== 'string' || isText(association.serviceAccount, name) !== 'no')
          rest = except(rest, association.exists);
      const source = manifest.placeIn?.('metadata', 'annotations', ROLE_ANNOTATION) ?? manifest.source;
      for (const when of rest) yield { manifest, arn, why, source, when };
    }
  }
}

/** What people count up to where somebody is to fill in an account: `123`, `123456789`. */
const COUNTED = '1234567890123456';

/** Why STS takes an ARN for none. An account in words, of one digit, or of digits in their order is a blank that somebody is to fill in. */
function whyNoRole(arn: string): string | undefined {
  const [, account, ...others] = /^arn:[a-z-]+:iam::([\d-]*):role\/[\w+=,.@/-]+$/.exec(arn) ?? [];
  if (account === undefined || others.length > 0 || isAccount(account)) return undefined;
  if (account !== '' && COUNTED.startsWith(account)) return undefined;
  return account === '' ? 'has no account' : `has the account \`${account}\`, and accounts have twelve digits`;
}
