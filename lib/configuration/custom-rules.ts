import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { defineCustomRule, type CustomRule, type Rule } from '../engine';
import { problemsOf, type Shape } from './shape';
import { loadModule, ModuleProblem } from './module-loader';
import { propertyText } from './problems';

const MESSAGE: Shape = {
  kind: 'object',
  required: ['text', 'fix'],
  properties: {
    text: { shape: { kind: 'text', pattern: '\\S', what: 'a text' }, description: '' },
    fix: { shape: { kind: 'json' }, description: '' },
  },
};

const OPTION: Shape = {
  kind: 'object',
  required: ['description', 'allowed', 'default'],
  properties: {
    description: { shape: { kind: 'text', what: 'a text' }, description: '' },
    allowed: { shape: { kind: 'list', item: { kind: 'text', what: 'a text' } }, description: '' },
    default: { shape: { kind: 'text', what: 'a text' }, description: '' },
  },
};

const SEVERITY: Shape = { kind: 'choice', values: ['error', 'warning', 'info'] };

/** What there must be of a rule beside its function; types say the same to those who use them. */
const RULE: Readonly<Record<string, { readonly shape: Shape; readonly isOptional?: true }>> = {
  id: { shape: { kind: 'text', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', what: 'an id of small letters, digits and hyphens' } },
  title: { shape: { kind: 'text', pattern: '\\S', what: 'a text' } },
  severity: { shape: SEVERITY },
  strictSeverity: { shape: SEVERITY, isOptional: true },
  messages: { shape: { kind: 'map', value: MESSAGE } },
  options: { shape: { kind: 'map', value: OPTION }, isOptional: true },
};

/**
 * The rules that a module of the user exports: as default, by name, or as a list.
 * @param specifier a path from `folder` on, or the name of a package
 * @throws ModuleProblem if it can't be loaded, exports no rule, or one that isn't whole
 */
export function loadCustomRules(specifier: string, folder: string): readonly Rule[] {
  const rules = new Set(candidatesIn(loadModule(fileOf(specifier, folder))));
  if (rules.size === 0) throw new ModuleProblem('it exports no rule; export what defineRule gives');
  return [...rules].map(completeRule);
}

function fileOf(specifier: string, folder: string): string {
  const path = resolve(folder, specifier);
  const require = createRequire(join(folder, 'package.json'));
  try {
    return existsSync(path) || /^\.{0,2}[\\/]/.test(specifier) ? require.resolve(path) : require.resolve(specifier);
  } catch {
    // Written in TypeScript, and named without its extension.
    if (existsSync(`${path}.ts`)) return `${path}.ts`;
    throw new ModuleProblem(`there is no such module; it would be ${path}, or a package that is installed there`);
  }
}

type Candidate = Record<string, unknown> & { readonly check: CustomRule['check'] };

function candidatesIn(exported: unknown, level = 0): readonly Candidate[] {
  if (isCandidate(exported)) return [exported];
  if (typeof exported !== 'object' || exported === null || level > 2) return [];
  return Object.values(exported).flatMap((value: unknown) => candidatesIn(value, level + 1));
}

function isCandidate(value: unknown): value is Candidate {
  return typeof value === 'object' && value !== null && 'check' in value && typeof value.check === 'function' && 'id' in value;
}

/** Rules may come from another version of this package, or from no version at all. */
function completeRule(candidate: Candidate): Rule {
  const { id } = candidate;
  const problems = Object.entries(RULE).flatMap(([name, { shape, isOptional }]) =>
    isOptional === true && candidate[name] === undefined ? [] : problemsOf(shape, candidate[name], [name]),
  );
  const [problem] = problems;
  if (problem !== undefined) throw new ModuleProblem(`its rule ${typeof id === 'string' ? `"${id}"` : 'without id'} is not whole: ${propertyText(problem.path)}: ${problem.message}`);
  return defineCustomRule(candidate as unknown as CustomRule);
}
