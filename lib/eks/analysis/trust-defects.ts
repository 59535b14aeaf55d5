import type { Source, When } from '../../value';

/** What is wrong with a statement that trusts the service accounts of a cluster. */
export type TrustDefect = Place &
  (
    | { readonly kind: 'action'; readonly found: string }
    /** `isArn`: what IAM takes as the principal of a policy, although no token comes with it. */
    | { readonly kind: 'principal'; readonly found: string; readonly why: string; readonly isArn: boolean }
    /** The conditions are about tokens of somebody else, such as GitHub, and the provider is that of a cluster. */
    | { readonly kind: 'foreign-claims'; readonly inKey: string; readonly found: string }
    | { readonly kind: 'function-key'; readonly key: string; readonly call: string }
    | { readonly kind: 'key-scheme'; readonly key: string; readonly before: string; readonly correct: string }
    | { readonly kind: 'other-issuer'; readonly inKey: string; readonly inPrincipal: string }
    /** One side is a placeholder of documentation, the other a real provider. */
    | { readonly kind: 'placeholder'; readonly found: string; readonly where: string; readonly other: string }
    | { readonly kind: 'no-subject' }
    | { readonly kind: 'no-audience'; readonly clients: string }
    | { readonly kind: 'audience'; readonly found: string }
    | SubjectDefect
  );

interface Place {
  readonly source: Source;
  /** The assumption under which the defect is there, when the statement has alternatives. */
  readonly when?: When;
}

export interface SubjectDefect {
  readonly kind:
    | 'literal-wildcard'
    | 'subject-form'
    | 'foreign-subject'
    | 'dead-value'
    | 'any-namespace'
    | 'name-anywhere'
    | 'any-account'
    | 'some-namespaces';
  readonly found: string;
  readonly operator: string;
}

/** Defects with which no token ever matches, so that the role can't be assumed through the statement. */
const NEVER_MATCHES: ReadonlySet<TrustDefect['kind']> = new Set([
  'action',
  'principal',
  'key-scheme',
  'other-issuer',
  'foreign-claims',
  'placeholder',
  'literal-wildcard',
  'subject-form',
  'foreign-subject',
]);

export function isFatal(defect: TrustDefect): boolean {
  return NEVER_MATCHES.has(defect.kind);
}
