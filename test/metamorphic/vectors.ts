import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { looksLikePlan } from '../../lib/terraform/plan/plan';
import { collectVectors, type CollectedVector } from '../rules/rule-tester';

const RULES = join(__dirname, '..', 'rules');

let all: readonly CollectedVector[] | undefined;

/**
 * The vectors of all rules, in an order that doesn't change.
 * @public scripts/fuzz-inputs.mjs begins with them
 */
export function allVectors(): readonly CollectedVector[] {
  return (all ??= load());
}

function load(): readonly CollectedVector[] {
  const suites = readdirSync(RULES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const silenced = silence(['describe', 'it', 'test', 'beforeAll', 'afterAll', 'beforeEach', 'afterEach']);
  try {
    return collectVectors(() => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      for (const suite of suites.sort()) require(join(RULES, suite));
    });
  } finally {
    Object.assign(globalThis, silenced);
  }
}

/** The vectors that are templates of CloudFormation. */
export function templateVectors(): readonly CollectedVector[] {
  return allVectors().filter(({ template }) => !looksLikePlan(template));
}

/** Suites declare tests of their own beside their vectors; those run where they stand. */
function silence(names: readonly string[]): Readonly<Record<string, unknown>> {
  const all = globalThis as unknown as Record<string, unknown>;
  const before = Object.fromEntries(names.map((name) => [name, all[name]]));
  const nothing = Object.assign(() => undefined, { each: () => () => undefined });
  for (const name of names) all[name] = nothing;
  return before;
}
