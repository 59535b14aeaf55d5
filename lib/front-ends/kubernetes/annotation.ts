/** The annotation that says which rules an object is excepted from: `imds-hop-limit -- why`. */
export const ANNOTATION = 'eks-guardrails/ignore';
