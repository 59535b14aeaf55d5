import { alternativesOf, textOf, type Role, type Source, type When } from '../../../eks';
import { awsManagedPolicyName, awsManagedPolicyNames, managedPolicySummary } from '../../../knowledge';
import { meantName } from '../../../text/nearest';

/** An attached policy of AWS that AWS doesn't have, because its name is written wrongly. */
interface MisspeltPolicy {
  /** As it is written. */
  readonly found: string;
  /** The ARN of the policy that is meant. */
  readonly meant: string;
  readonly source: Source;
  readonly when: When;
}

/** Those of a role. A name that is near none of the table is left alone: AWS adds policies all the time. */
export function misspeltPoliciesOf(role: Role): readonly MisspeltPolicy[] {
  return role.policies.flatMap((policy) =>
    policy.kind === 'document'
      ? []
      : alternativesOf(policy.arn).flatMap(({ when: given, value }): readonly MisspeltPolicy[] => {
          const when = role.exists.and(given);
          const text = textOf(value);
          const name = text?.startsWith('arn:') === true ? awsManagedPolicyName(text) : undefined;
          if (when === undefined || text === undefined || name === undefined) return [];
          const meant = managedPolicySummary(name) === undefined ? meantPolicy(name) : undefined;
          if (meant === undefined) return [];
          return [{ found: text, meant: text.slice(0, -name.length) + meant, source: value.source, when }];
        }),
  );
}

/** One letter of it is wrong, or it goes on in small letters, which no name of AWS does: `AmazonEKSWorkerNodePolicyhigher`. */
function meantPolicy(name: string): string | undefined {
  const names = awsManagedPolicyNames();
  return (
    meantName(name, names) ?? names.find((known) => name.startsWith(known) && /^[a-z]+$/.test(name.slice(known.length)))
  );
}
