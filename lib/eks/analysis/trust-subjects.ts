import type { TokenCondition, TrustStatement } from '../iam';
import { alternativesOf, except, type Plain, textOf, type When } from '../../value';
import { globsIntersect, literalGlob, parseGlob } from '../iam/glob';
import { isFatal, type SubjectDefect, type TrustDefect } from './trust-defects';

const WILDCARD = /[*?]/;
const SUBJECT_PREFIX = 'system:serviceaccount:';

export function reviewSubjects(statement: TrustStatement, defects: TrustDefect[], doubts: string[]): void {
  const { subjects } = statement;
  if (subjects.length === 0) {
    defects.push({ kind: 'no-subject', source: statement.source });
    return;
  }
  // Conditions are joined by AND: an exact one makes a broad one beside it harmless.
  const broad: TrustDefect[] = [];
  let exact = false;
  for (const condition of subjects) {
    if (condition.comparison === 'other' || condition.comparison.startsWith('not')) {
      doubts.push(`the operator ${condition.operator} on the subject is not evaluated`);
      continue;
    }
    const found = broad.length;
    const values = condition.values
      .flatMap((value) => alternativesOf(value))
      .flatMap(({ when, value }) =>
        value.kind === 'absent' ? [] : [{ when, value, kind: subjectDefect(value, condition) }],
      );
    const alive = values.filter(({ kind }) => kind === undefined || !NEVER.has(kind));
    for (const { when, value: plain, kind } of values) {
      if (kind === undefined) {
        if (plain.kind === 'unknown') doubts.push(`a subject is not known (${plain.reason})`);
        continue;
      }
      const defect: TrustDefect = {
        kind,
        source: plain.source,
        when,
        found: textOf(plain) ?? '',
        operator: condition.operator,
      };
      if (!isFatal(defect)) {
        broad.push(defect);
        continue;
      }
      // One of several values may be dead; only where all of them are does no token match.
      let rest: readonly When[] = [when];
      for (const other of alive) rest = rest.length === 0 ? rest : except(rest, other.when);
      if (rest.length === 0) defects.push({ ...defect, kind: 'dead-value' });
      else defects.push(...rest.map((one) => ({ ...defect, when: one })));
    }
    if (broad.length === found) exact = true;
  }
  if (!exact) defects.push(...broad);
}

function subjectDefect(value: Plain<string>, condition: TokenCondition): SubjectDefect['kind'] | undefined {
  if (value.kind === 'known') return knownSubjectDefect(value.value, condition);
  const text = textOf(value);
  if (text?.startsWith(SUBJECT_PREFIX) !== true) return undefined;
  // Whatever stands in the unknown parts, the wildcards around them remain.
  const known = text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x');
  const kind = WILDCARD.test(known) && !known.includes('}') ? knownSubjectDefect(known, condition) : undefined;
  return kind === 'subject-form' || kind === 'foreign-subject' ? undefined : kind;
}

/** Subjects that no token of a cluster has. */
const NEVER: ReadonlySet<SubjectDefect['kind']> = new Set(['literal-wildcard', 'subject-form', 'foreign-subject']);

/** As GitHub and GitLab begin the subjects of their tokens. */
const FOREIGN = /^(?:repo|project_path):/;

/**
 * A pattern with the beginning of all subjects written out, where wildcards stand for it. Neither a namespace nor a name has a colon: `*:apps:web` fits
 * `system:serviceaccount:apps:web` alone, and `*:web` the service accounts of that name. Source: kubernetes/kubernetes, pkg/apis/core/validation,
 * ValidateNamespaceName and ValidateServiceAccountName.
 */
function withWholePrefix(subject: string): string {
  const [, prefix = '', namespace = '', name] = /^([^]*):([^:]+):([^:]+)$/.exec(subject) ?? [];
  if (name !== undefined && !WILDCARD.test(namespace) && isWildPrefix(prefix))
    return `${SUBJECT_PREFIX}${namespace}:${name}`;
  const [, before = '', last] = /^([^]*):([^:*?]+)$/.exec(subject) ?? [];
  return last !== undefined && !before.startsWith(SUBJECT_PREFIX) && before.endsWith('*') && isWildPrefix(before)
    ? `${SUBJECT_PREFIX}*:${last}`
    : subject;
}

/** Whether wildcards stand for what all subjects begin with. */
function isWildPrefix(prefix: string): boolean {
  return WILDCARD.test(prefix) && fitsPattern(SUBJECT_PREFIX.slice(0, -1), prefix);
}

/** Whether a pattern with `*` and `?` matches a text; both are short. */
function fitsPattern(text: string, pattern: string): boolean {
  return globsIntersect(parseGlob(pattern, 'any'), literalGlob(text));
}

function knownSubjectDefect(written: string, condition: TokenCondition): SubjectDefect['kind'] | undefined {
  if (FOREIGN.test(written)) return 'foreign-subject';
  const subject =
    condition.comparison === 'like'
      ? withWholePrefix(written)
      : condition.comparison === 'equals-ignore-case'
        ? written.toLowerCase()
        : written;
  const [system, kind, namespace, ...rest] = subject.split(':');
  if (condition.comparison !== 'like') {
    if (WILDCARD.test(subject)) return 'literal-wildcard';
    return system === 'system' &&
      kind === 'serviceaccount' &&
      namespace !== undefined &&
      namespace !== '' &&
      rest.length === 1 &&
      rest[0] !== ''
      ? undefined
      : 'subject-form';
  }
  // In a pattern `*` also matches the colons, so all that is left of it is known, and nothing to the right.
  const fixed = subject.slice(0, WILDCARD.exec(subject)?.index ?? subject.length);
  if (fixed.length === subject.length)
    return /^system:serviceaccount:[^:]+:[^:]+$/.test(subject) ? undefined : 'subject-form';
  if (!fixed.startsWith(SUBJECT_PREFIX)) return SUBJECT_PREFIX.startsWith(fixed) ? 'any-namespace' : 'subject-form';
  const place = fixed.slice(SUBJECT_PREFIX.length);
  if (place === '') {
    // With one more colon, all colons of a subject are spoken for: what is before it is the namespace.
    const [, namespaces = '', name = ''] = /^([^:]*):([^:]*)$/.exec(subject.slice(SUBJECT_PREFIX.length)) ?? [];
    if (/[^*?]/.test(namespaces)) return 'some-namespaces';
    return name === '' || WILDCARD.test(name) ? 'any-namespace' : 'name-anywhere';
  }
  if (!place.includes(':')) return 'some-namespaces';
  return /^[^:]+:$/.test(place) && /^[*?]+$/.test(rest.join(':')) ? 'any-account' : undefined;
}
