import { editDistance } from '../text/nearest';
import type { Rule } from './rule';

/** Says that a rule doesn't exist, with the nearest name. */
export function unknownRule(id: string, rules: readonly Pick<Rule, 'id'>[]): string {
  const wanted = id.toLowerCase();
  const nearest = rules
    // A piece of the name is as good as a misspelt one.
    .map((rule) => ({
      id: rule.id,
      distance: id.length >= 4 && rule.id.includes(wanted) ? 1 : editDistance(wanted, rule.id),
    }))
    .sort((a, b) => a.distance - b.distance)[0];
  const hint =
    nearest !== undefined && nearest.distance <= Math.max(3, id.length / 3) ? `; did you mean "${nearest.id}"?` : '';
  return `there is no rule "${id}"${hint}`;
}
