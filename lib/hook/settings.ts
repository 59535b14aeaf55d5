import { contentShape } from '../configuration/content';
import type { CheckConfiguration } from '../configuration';
import { resolveConfiguration } from '../engine';
import { allRules } from '../rules';
import { problemsOf } from '../text/shape';
import { NotChecked } from './payload';

/** What becomes of an operation. */
type Consequence = 'tell' | 'fail';

/** How a hook goes about its work; its environment says it. */
export interface HookSettings {
  readonly configuration: CheckConfiguration;
  /** What happens to an operation whose templates could not be checked as a whole. */
  readonly unchecked: Consequence;
  /** What happens to an update for what the template before it has, too. */
  readonly known: Consequence;
  /** Whether CloudFormation may be asked for the parameters of a change set, and for the template that a stack has. */
  readonly readsStack: boolean;
}

/** Settings of a configuration file that name files and programs, of which a function has none. */
const OF_FILES = ['extends', 'customRules', 'knowledge', 'terraform'] as const;

/**
 * Reads the environment of the function: `EKS_GUARDRAILS_CONFIGURATION` (what a configuration file holds, as JSON), `EKS_GUARDRAILS_UNCHECKED` and
 * `EKS_GUARDRAILS_KNOWN` (`tell` or `fail`), `EKS_GUARDRAILS_READS_STACK` (`true`).
 * @throws NotChecked if it says something else
 */
export function readSettings(environment: NodeJS.ProcessEnv): HookSettings {
  return {
    configuration: configurationOf(environment['EKS_GUARDRAILS_CONFIGURATION']),
    unchecked: consequence(environment, 'EKS_GUARDRAILS_UNCHECKED'),
    known: consequence(environment, 'EKS_GUARDRAILS_KNOWN'),
    readsStack: environment['EKS_GUARDRAILS_READS_STACK'] === 'true',
  };
}

/** Whether an operation that can't be checked fails, as far as the environment can be understood. */
export function failsUnchecked(environment: NodeJS.ProcessEnv): boolean {
  return environment['EKS_GUARDRAILS_UNCHECKED'] === 'fail';
}

/**
 * What is wrong with a configuration for a hook; empty if nothing is. A line for each problem.
 */
export function configurationProblems(content: unknown): readonly string[] {
  const problems = problemsOf(contentShape(allRules, false), content).map(
    ({ path, message }) => `${path.join('.')}${path.length === 0 ? '' : ': '}${message}`,
  );
  if (problems.length > 0) return problems;
  const named = OF_FILES.filter((key) => Object.hasOwn(content as object, key));
  if (named.length > 0) return named.map((key) => `${key}: a hook has no files, so leave it out`);
  try {
    resolveConfiguration(content as CheckConfiguration, allRules);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function configurationOf(json = '{}'): CheckConfiguration {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch {
    throw new NotChecked('the configuration of the hook is no JSON');
  }
  const problems = configurationProblems(content);
  if (problems.length > 0) throw new NotChecked(`the configuration of the hook is wrong: ${problems.join('; ')}`);
  // Without files, the two hold the same.
  return content as CheckConfiguration;
}

function consequence(environment: NodeJS.ProcessEnv, name: string): Consequence {
  const value = environment[name] ?? 'tell';
  if (value === 'tell' || value === 'fail') return value;
  throw new NotChecked(`${name} of the hook is "${value}"; it is tell or fail`);
}
