/**
 * Tests rules, those of your own among them, in any test framework: a failed check is a thrown error.
 *
 * @packageDocumentation
 */
export { checkRule, type FailingCase, type RuleCase, type RuleCases, type WantedFinding } from './check-rule';
