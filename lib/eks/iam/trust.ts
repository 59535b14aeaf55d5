import { servicePrincipals } from '../../knowledge';
import { splitAtHoles } from '../../text/holes';
import type { PolicyDocument, Role } from '../model/resources';
import {
  type Alternative,
  alternativesOf,
  choose,
  mapValue,
  type Source,
  textOf,
  type Value,
  type When,
} from '../../value';
import { globsIntersect, literalGlob, parseGlob } from './glob';
import { allOf, anyMatch, anyOf, either, matchValue, not, type Match } from './matching';
import { actionMatch, isConditional } from './statements';
import { readStatement, type TrustStatement, type TokenCondition } from './trust-statement';

/** A role's trust policy, under one assumption about the input's conditions. */
export interface TrustCase {
  readonly when: When;
  /** Undefined when the trust policy can't be read. */
  readonly statements: readonly TrustStatement[] | undefined;
  /** Why it can't be read, as the end of "… because". */
  readonly reason?: string;
  readonly source: Source;
}

/** Takes the trust policy of a role apart, one entry per alternative that the input leaves open. */
export function trustOf(role: Role): readonly TrustCase[] {
  return trustCases(deployableTrust(role));
}

/**
 * The trust policy of a role without alternatives that IAM refuses, as those in which a principal is an empty text, where others are left: what an
 * input says for the case that a value is missing is deployed by nobody.
 */
export function deployableTrust({ trust }: Role): Value<PolicyDocument> {
  const documents = unlessAll(
    trust,
    ({ value }) =>
      value.kind === 'known' &&
      value.value.statements.some(({ principals }) => principals.some(({ id }) => alternativesOf(id).every(isEmpty))),
  );
  return mapValue(documents, (document) => {
    const isSplit = document.statements.some(({ principals }) =>
      principals.some(({ id }) => id.kind === 'choice' && id.alternatives.some(isEmpty)),
    );
    if (!isSplit) return document;
    return {
      ...document,
      statements: document.statements.map((statement) => ({
        ...statement,
        principals: statement.principals.map((principal) => ({ ...principal, id: unlessAll(principal.id, isEmpty) })),
      })),
    };
  });
}

function isEmpty({ value }: Alternative<string>): boolean {
  return value.kind === 'known' && value.value.trim() === '';
}

/** A value without the alternatives that are left out, unless these are all. */
function unlessAll<T>(value: Value<T>, isLeftOut: (alternative: Alternative<T>) => boolean): Value<T> {
  if (value.kind !== 'choice') return value;
  const rest = value.alternatives.filter((alternative) => !isLeftOut(alternative));
  return rest.length === 0 || rest.length === value.alternatives.length ? value : choose(rest);
}

/** Takes a trust policy apart, one entry per alternative. */
export function trustCases(trust: Value<PolicyDocument>): readonly TrustCase[] {
  return alternativesOf(trust).map(({ when, value }) => {
    const source = value.source;
    switch (value.kind) {
      case 'known':
        return { when, statements: value.value.statements.map(readStatement), source };
      case 'unknown':
        return { when, statements: undefined, reason: value.reason, source };
      case 'absent':
        return { when, statements: [], source };
    }
  });
}

/** Whether a statement names an action (`sts:TagSession`). */
export function trustsAction({ statement }: TrustStatement, action: string): Match {
  return actionMatch(statement, action.toLowerCase());
}

/** Whether a statement is an Allow. */
export function isAllow({ effect }: TrustStatement): Match {
  return matchValue(effect, (plain) => (plain.kind === 'unknown' ? 'maybe' : plain.value === 'Allow' ? 'yes' : 'no'));
}

/** Whether a statement speaks of this service principal, `pods.eks.amazonaws.com`. */
function trustsService({ services, statement }: TrustStatement, service: string): Match {
  const anyone = statement.principals.some((principal) => principal.type === '*') ? 'maybe' : 'no';
  return either(
    anyone,
    anyMatch(services, (principal) => matchText(principal.id, service)),
  );
}

/**
 * IRSA's part of a trust policy: the statements about an EKS issuer, whatever is wrong with them, and those about web
 * identities of an issuer that isn't known. Tokens of other issuers (GitHub, GitLab) are not EKS's business.
 * @internal tests ask it directly, with more cases than configurations could show
 */
export function webIdentityStatements(statements: readonly TrustStatement[]): readonly TrustStatement[] {
  const { irsaAction } = servicePrincipals();
  return statements.filter(
    (statement) =>
      statement.issuer === 'eks' ||
      (statement.issuer === 'unknown' &&
        statement.federated.length > 0 &&
        trustsAction(statement, irsaAction) !== 'no'),
  );
}

/** What all statements together allow a service to do: CDK spreads the actions of Pod Identity over two statements. */
export interface ServiceTrust {
  /** Some Allow statement names the service. */
  readonly trusted: Match;
  readonly missingActions: readonly string[];
  readonly unknownActions: readonly string[];
  /** Services that Allow statements name instead, as written. */
  readonly otherServices: readonly string[];
}

/**
 * Judges the union of the statements for one service and the actions that it needs.
 */
export function serviceTrust(
  statements: readonly TrustStatement[],
  service: string,
  actions: readonly string[],
): ServiceTrust {
  const relevant = statements.map((statement) => ({
    statement,
    match: allOf([isAllow(statement), trustsService(statement, service)]),
  }));
  const missingActions: string[] = [];
  const unknownActions: string[] = [];
  for (const action of actions) {
    const match = anyOf(relevant.map(({ statement, match: named }) => allOf([named, trustsAction(statement, action)])));
    const denied = anyOf(
      statements.map((statement) =>
        allOf([
          not(isAllow(statement)),
          trustsService(statement, service),
          trustsAction(statement, action),
          isConditional(statement.statement) ? 'maybe' : 'yes',
        ]),
      ),
    );
    if (match === 'no' || denied === 'yes') missingActions.push(action);
    else if (match === 'maybe' || denied === 'maybe') unknownActions.push(action);
  }
  const otherServices = statements.flatMap((statement) =>
    isAllow(statement) === 'no'
      ? []
      : statement.services.flatMap(({ id }) =>
          alternativesOf(id).flatMap(({ value }) => {
            const text = textOf(value);
            return text === undefined || matchText(value, service) !== 'no' ? [] : [text];
          }),
        ),
  );
  return {
    trusted: anyOf(relevant.map(({ match }) => match)),
    missingActions,
    unknownActions,
    otherServices: [...new Set(otherServices)],
  };
}

/**
 * The trust policy's answer to a Pod Identity association.
 * @param tagged whether EKS puts its tags on the sessions, for which it needs `sts:TagSession` too
 */
export function podIdentityTrust(statements: readonly TrustStatement[], tagged = true): ServiceTrust {
  const { podIdentityPrincipal, podIdentityActions, podIdentityTagAction } = servicePrincipals();
  return serviceTrust(
    statements,
    podIdentityPrincipal,
    tagged ? podIdentityActions : podIdentityActions.filter((action) => action !== podIdentityTagAction),
  );
}

/** `system:serviceaccount:kube-system:aws-node` */
export function serviceAccountSubject(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The subjects that IRSA statements name, as they are written, with the place of each. */
export function serviceAccountSubjects(
  statements: readonly TrustStatement[],
): readonly { text: string; condition: TokenCondition; source: Source }[] {
  return webIdentityStatements(statements).flatMap((statement) =>
    statement.subjects.flatMap((condition) =>
      condition.values.flatMap((value) =>
        alternativesOf(value).flatMap(({ value: plain }) => {
          const text = textOf(plain);
          return text === undefined ? [] : [{ text, condition, source: plain.source }];
        }),
      ),
    ),
  );
}

/**
 * Whether the tokens of a service account may assume the role, going by the subject alone: `no` when every
 * statement's subject condition excludes it, or there is no IRSA statement.
 */
export function acceptsServiceAccount(statements: readonly TrustStatement[], namespace: string, name: string): Match {
  const subject = serviceAccountSubject(namespace, name);
  const { irsaAction } = servicePrincipals();
  return anyOf(
    webIdentityStatements(statements).map((statement) => {
      const subjects = statement.subjects.map((condition) => acceptsToken(condition, subject));
      const readable: Match = statement.unreadableConditions === undefined ? 'yes' : 'maybe';
      return allOf([isAllow(statement), trustsAction(statement, irsaAction), readable, ...subjects]);
    }),
  );
}

/** Whether a condition holds for a claim of this value. */
export function acceptsToken(condition: TokenCondition, claim: string): Match {
  if (condition.hasScheme && !condition.comparison.startsWith('not')) return 'no';
  switch (condition.comparison) {
    case 'equals':
      return anyOf(condition.values.map((value) => matchText(value, claim)));
    case 'equals-ignore-case':
      return anyOf(
        condition.values.map((value) => matchText(value, claim.toLowerCase(), (text) => text.toLowerCase())),
      );
    case 'like':
      return anyOf(condition.values.map((value) => matchPattern(value, claim)));
    case 'not-equals':
      return not(anyOf(condition.values.map((value) => matchText(value, claim))));
    case 'not-like':
      return not(anyOf(condition.values.map((value) => matchPattern(value, claim))));
    case 'other':
      return 'maybe';
  }
}

/** Whether a value is exactly this text; parts that aren't known (`${…}`) can be anything. */
function matchText(value: Value<string>, wanted: string, normalise: (text: string) => string = (text) => text): Match {
  return matchValue(value, (plain) => {
    if (plain.kind === 'known') return normalise(plain.value) === wanted ? 'yes' : 'no';
    if (plain.text === undefined) return 'maybe';
    const literal = splitAtHoles(normalise(plain.text))
      .map(({ text, isHole }) => (isHole ? text : text.replace(/[*?]/g, (wildcard) => `\${${wildcard}}`)))
      .join('');
    return globsIntersect(parseGlob(literal, 'any'), literalGlob(wanted)) ? 'maybe' : 'no';
  });
}

/** Whether a value, taken as a pattern with `*` and `?`, matches this text. */
function matchPattern(value: Value<string>, wanted: string): Match {
  return matchValue(value, (plain) => {
    const text = textOf(plain);
    if (text === undefined) return 'maybe';
    const literal = literalGlob(wanted);
    if (globsIntersect(parseGlob(text, 'own-partition'), literal)) return 'yes';
    return globsIntersect(parseGlob(text, 'any'), literal) ? 'maybe' : 'no';
  });
}
