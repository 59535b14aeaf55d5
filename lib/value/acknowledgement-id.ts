/**
 * Name of the validation plugin, and so the namespace of our rules in CDK: a finding is accepted with
 * `Validations.of(construct).acknowledge({ id: 'EksGuardrails::imds-hop-limit', reason })`.
 */
export const RULE_NAMESPACE = 'EksGuardrails';

const PREFIX = `${RULE_NAMESPACE}::`;

/** Id under which CDK knows a rule. */
export function acknowledgementId(rule: string): string {
  return PREFIX + rule;
}

/** The rule that an acknowledgement is about; undefined if it is another tool's. */
export function acknowledgedRule(id: string): string | undefined {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;
}
