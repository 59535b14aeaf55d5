import type { Judgement } from '../../../engine';
import { inAnyPartition, serviceTrust, type ServiceTrust, type TrustCase } from '../../../eks/iam';
import { trustCasesOf } from '../../../eks/analysis/identity';
import {
  alternativesOf,
  always,
  type Principal,
  type Reference,
  type Role,
  type Source,
  type Value,
  type When,
} from '../../../eks';

/** A role that something is given, under one assumption. */
interface GivenRole {
  /** Undefined when the input doesn't hold it. */
  readonly role: Role | undefined;
  /** Why not, as the end of "… because". */
  readonly doubt: string;
  /** Where it is named. */
  readonly source: Source;
  readonly when: When;
}

/** The roles that something may be given where it exists. */
export function givenRoles(value: Value<Reference<Role>>, exists: When): readonly GivenRole[] {
  return alternativesOf(value).flatMap(({ when: alternative, value: plain }) => {
    const role = plain.kind === 'known' ? plain.value.target : undefined;
    const when = exists.and(alternative)?.and(role?.exists ?? always);
    if (when === undefined) return [];
    const doubt =
      plain.kind === 'known'
        ? (plain.value.ambiguous ?? `role ${plain.value.text} is not part of the input`)
        : plain.kind === 'unknown'
          ? `its role isn't known: ${plain.reason}`
          : 'it names no role';
    return [{ role, doubt, source: plain.source, when }];
  });
}

/** What a role's trust policy says about a service that has to assume it, under one assumption. */
interface ServiceTrustCase {
  readonly when: When;
  readonly source: Source;
  /** `unknown`: parts of the trust policy aren't known. */
  readonly answer: 'trusted' | 'refused' | 'unknown';
  /** Why it is `unknown`. */
  readonly reason: string;
  /** Whom the trust policy names instead, in words. */
  readonly found: string;
  /** A statement is about nobody, and IAM refuses the role. */
  readonly isRefusedByIam: boolean;
}

/** @param principals the names that the service goes by; any of them will do */
export function serviceTrustCases(
  role: Role,
  principals: readonly string[],
  actions: readonly string[] = ['sts:AssumeRole'],
): readonly ServiceTrustCase[] {
  return trustCasesOf(role).map((one) => trustCase(one, principals, actions));
}

function trustCase(
  { when, source, statements, reason }: TrustCase,
  principals: readonly string[],
  actions: readonly string[],
): ServiceTrustCase {
  const isRefusedByIam = statements?.some(({ statement }) => statement.principals.length === 0) === true;
  const common = { when, source, found: '', isRefusedByIam };
  if (statements === undefined)
    return { ...common, answer: 'unknown', reason: `its trust policy can't be read: ${reason ?? 'it is not known'}` };
  // IAM takes none without a statement: such a text mostly stands for one that whoever calls the module hands over.
  if (statements.length === 0) return { ...common, answer: 'unknown', reason: 'its trust policy has no statement' };
  const named = statements.map((statement) => ({ ...statement, services: statement.services.map(inPartition) }));
  const all = principals.map((principal) => serviceTrust(named, principal, actions));
  if (all.some(isTrusted)) return { ...common, answer: 'trusted', reason: '' };
  const isRefused = ({ trusted, missingActions }: ServiceTrust) => trusted === 'no' || missingActions.length > 0;
  if (!all.every(isRefused)) return { ...common, answer: 'unknown', reason: 'parts of its trust policy are not known' };
  const others = all[0]?.otherServices.filter((service) => !principals.includes(service)) ?? [];
  return { ...common, answer: 'refused', reason: '', found: others.join(', ') || 'others' };
}

function inPartition(principal: Principal): Principal {
  const id = inAnyPartition(principal.id);
  return id === principal.id ? principal : { ...principal, id };
}

function isTrusted({ trusted, missingActions, unknownActions }: ServiceTrust): boolean {
  return trusted === 'yes' && missingActions.length + unknownActions.length === 0;
}

/** A role to which the input attaches nothing at all mostly gets its policies elsewhere. */
export function showsPolicies({ policies }: Role): boolean {
  return policies.length > 0;
}

/** Says once what the rest of a role's judgements say: a role that fails or can't be judged doesn't pass besides. */
export function withoutIdlePasses<M extends string>(judgements: readonly Judgement<M>[]): readonly Judgement<M>[] {
  const others = judgements.filter(({ verdict }) => verdict !== 'pass');
  return others.length === 0 ? judgements.slice(0, 1) : others;
}
