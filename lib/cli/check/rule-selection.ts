import { unknownRule, type Configuration, type RuleMetadata } from '../../engine';
import { globMatcher, isGlob } from '../../text/glob';
import { UsageError } from '../parts/usage-error';

/** The rules of a run, by ids, patterns of ids (`vpc-cni-*`) or subjects (`imds`), several of them with commas between. */
export interface RuleSelection {
  /** @default - all */
  readonly only?: readonly string[];
  /** @default - none */
  readonly skip?: readonly string[];
}

/**
 * A configuration in which the rules that aren't selected are off. What is off by itself stays so.
 * @throws UsageError if nothing has one of the names
 */
export function withSelection(
  configuration: Configuration,
  rules: readonly RuleMetadata[],
  { only, skip = [] }: RuleSelection,
): Configuration {
  const [wanted, unwanted] = [idsOf(only ?? [], rules), idsOf(skip, rules)];
  const off = rules.filter(({ id }) => (only !== undefined && !wanted.has(id)) || unwanted.has(id));
  if (off.length === 0) return configuration;
  const settings = Object.fromEntries(
    off.map(({ id }) => {
      const given = configuration.rules?.[id];
      return [id, { ...(typeof given === 'object' ? given : {}), level: 'off' as const }];
    }),
  );
  return { ...configuration, rules: { ...configuration.rules, ...settings } };
}

interface NamedRule {
  readonly id: string;
  /** @default - of none */
  readonly subject?: RuleMetadata['subject'];
}

/**
 * The rules that names stand for: ids, patterns of ids, subjects.
 * @throws UsageError if nothing has one of the names
 */
export function idsOf(names: readonly string[], rules: readonly NamedRule[]): ReadonlySet<string> {
  return new Set(
    names
      .flatMap((list) => list.split(','))
      .flatMap((given) => {
        const name = given.trim();
        const matches = globMatcher(name);
        const ids = rules.filter(({ id, subject }) => subject === name || matches(id)).map(({ id }) => id);
        if (ids.length > 0) return ids;
        throw new UsageError(isGlob(name) ? `no rule is called like "${name}"` : unknownRule(name, rules));
      }),
  );
}
