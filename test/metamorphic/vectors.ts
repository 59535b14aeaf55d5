import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isTemplate } from '../rules/models';
import { allRules } from '../../lib/rules';
import { examplesOf } from '../../lib/cli/rules/page-examples';
import { collectVectors, type CollectedVector } from '../rules/rule-tester';

const RULES = join(__dirname, '..', 'rules');

let all: readonly CollectedVector[] | undefined;

/**
 * The vectors of all rules and the examples of their pages, in an order that doesn't change.
 * @public scripts/fuzz-inputs.mjs begins with them
 */
export function allVectors(): readonly CollectedVector[] {
  return (all ??= [...load(), ...pageVectors()]);
}

function load(): readonly CollectedVector[] {
  const suites = readdirSync(RULES, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.test.ts') ? [file.slice(0, -'.test.ts'.length)] : [],
  );
  const silenced = silence(['describe', 'it', 'test', 'beforeAll', 'afterAll', 'beforeEach', 'afterEach']);
  try {
    return collectVectors(() => {
      // The pattern tells scripts/suites.mjs what may be loaded here.
      // oxlint-disable-next-line typescript/no-require-imports
      for (const suite of suites.sort()) require(`../rules/${suite}.test.ts`);
    });
  } finally {
    Object.assign(globalThis, silenced);
  }
}

/** The examples of the pages in the languages of vectors. */
function pageVectors(): CollectedVector[] {
  return allRules.flatMap(({ id, examples = '' }) =>
    examplesOf(id, examples)
      .filter(({ language }) => language === 'yaml' || language === 'json')
      .map(({ message = 'right', text }) => ({
        rule: id,
        name: `the example of its page: ${message}`,
        template: text,
      })),
  );
}

/** The vectors that are templates of CloudFormation. */
export function templateVectors(): readonly CollectedVector[] {
  return allVectors().filter(isTemplate);
}

/** Suites declare tests of their own beside their vectors; those run where they stand. */
function silence(names: readonly string[]): Readonly<Record<string, unknown>> {
  const all = globalThis as unknown as Record<string, unknown>;
  const before = Object.fromEntries(names.map((name) => [name, all[name]]));
  const nothing = Object.assign(() => undefined, { each: () => () => undefined });
  for (const name of names) all[name] = nothing;
  return before;
}
