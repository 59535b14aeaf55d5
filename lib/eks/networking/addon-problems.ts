import type { ConfigurationProblem } from './addon-schema-check';

/** What is wrong with a configuration value, as a sentence without capital and full stop. */
export function describeProblem(problem: ConfigurationProblem, version: string): string {
  switch (problem.kind) {
    case 'unknown-key':
      return `the schema of ${version} has no such key${problem.suggestion === undefined ? '' : `; did you mean ${problem.suggestion}?`}`;
    case 'wrong-place':
      return `the schema has this key as ${problem.place}`;
    case 'not-configurable':
      return `no version accepts it (${problem.why})`;
    case 'removed':
      return `the schema has it no longer since ${problem.removedIn}`;
    case 'too-new':
      return `the schema has it from ${problem.since} on${problem.alsoIn.length === 0 ? '' : `, and in ${problem.alsoIn.join(', ')}`}`;
    case 'type':
      return `it must be ${problem.expected}, and is ${problem.found}${problem.correct === undefined ? '' : `: write ${problem.correct}`}`;
    case 'value':
      return `it must be ${problem.allowed.join(' or ')}, and is ${problem.found}`;
    case 'required':
      return problem.key === 'entry' ? 'it must have an entry' : `it must have the key ${problem.key}`;
    case 'doubt':
      return problem.reason;
  }
}
