import { alternativesOf, textOf, type Plain, type Role, type Source, type When } from '../../../eks';
import {
  awsManagedPolicyName,
  awsManagedPolicyNames,
  awsManagedPolicyPath,
  managedPolicySummary,
} from '../../../knowledge';
import { meantName } from '../../../text/nearest';
import { Known } from '../../../value';

/** An attached policy of AWS that AWS doesn't have, because its name or the path before it is written wrongly. */
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
          const strange = strangePolicy(value);
          return when === undefined || strange?.meant === undefined
            ? []
            : [{ found: strange.found, meant: strange.meant, source: value.source, when }];
        }),
  );
}

/**
 * A role with the policies of AWS that are meant in the place of those that AWS doesn't have, and without what none is meant by; undefined where it has no such
 * policy.
 */
export function asMeant(role: Role): { readonly role: Role; readonly dropped: readonly string[] } | undefined {
  const dropped: string[] = [];
  const policies = role.policies.flatMap((policy) => {
    const strange = policy.kind === 'document' || policy.arn.kind === 'choice' ? undefined : strangePolicy(policy.arn);
    if (strange === undefined) return [policy];
    if (strange.meant !== undefined)
      return [{ ...policy, kind: 'managed' as const, arn: new Known(strange.meant, policy.source) }];
    dropped.push(strange.found);
    return [];
  });
  const isSame = dropped.length === 0 && policies.every((policy, index) => policy === role.policies[index]);
  return isSame ? undefined : { role: { ...role, policies }, dropped };
}

/** A policy of AWS that the table doesn't have, and the ARN of the one that is meant, if that is sure. */
function strangePolicy(arn: Plain<string>): { readonly found: string; readonly meant: string | undefined } | undefined {
  const found = textOf(arn);
  const name = found?.startsWith('arn:') === true ? awsManagedPolicyName(found) : undefined;
  if (found === undefined || name === undefined) return undefined;
  if (managedPolicySummary(name) !== undefined) {
    const path = awsManagedPolicyPath(name);
    const meant = found.replace(/(?<=:policy\/).*$/, `${path ?? ''}${name}`);
    return path === undefined || meant === found ? undefined : { found, meant };
  }
  const meant = meantPolicy(name);
  return { found, meant: meant === undefined ? undefined : found.slice(0, -name.length) + meant };
}

/** One letter of it is wrong, or it goes on in small letters, which no name of AWS does: `AmazonEKSWorkerNodePolicyhigher`. */
function meantPolicy(name: string): string | undefined {
  const names = awsManagedPolicyNames();
  const digits = digitsOf(name);
  const plain = new Map(names.flatMap((known) => (digitsOf(known) === digits ? [[withoutDigits(known), known]] : [])));
  return (
    plain.get(meantName(withoutDigits(name), [...plain.keys()]) ?? '') ??
    names.find((known) => name.startsWith(known) && /^[a-z]+$/.test(name.slice(known.length)))
  );
}

function digitsOf(name: string): string {
  return name.replaceAll(/\D/g, '');
}

/** Where names have the same digits, as in `EC2`, these tell no two of them apart. */
function withoutDigits(name: string): string {
  return name.replaceAll(/\d/g, '');
}
