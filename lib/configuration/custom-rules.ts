import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { ConfigurationError, defineCustomRule, type CustomRule, type Rule } from '../engine';
import { inModule, loadModule, ModuleProblem } from './module-loader';

/**
 * The rules that a module of the user exports: as default, by name, or as a list.
 * @param specifier a path from `folder` on, or the name of a package
 * @throws ModuleProblem if it can't be loaded, exports no rule, or one that isn't whole
 */
export function loadCustomRules(specifier: string, folder: string): readonly Rule[] {
  const file = fileOf(specifier, folder);
  return inModule(file, () => {
    const candidates = new Set(candidatesIn(loadModule(file)));
    if (candidates.size === 0) throw new ModuleProblem('it exports no rule; export what defineRule gives');
    return [...candidates].map(whole);
  });
}

/**
 * The file of a module.
 * @throws ModuleProblem if there is none
 */
export function fileOf(specifier: string, folder: string): string {
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

function candidatesIn(exported: unknown, level = 0): readonly object[] {
  if (typeof exported !== 'object' || exported === null) return [];
  // A rule that isn't whole is told as such, and not as none.
  if ('id' in exported && ('check' in exported || 'messages' in exported)) return [exported];
  return level > 2 ? [] : Object.values(exported).flatMap((value: unknown) => candidatesIn(value, level + 1));
}

/** Rules may come from another version of this package, or from no version at all. */
function whole(candidate: object): Rule {
  try {
    return defineCustomRule(candidate as CustomRule);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new ModuleProblem(`its ${error.message}`);
    throw error;
  }
}

/** Custom rules with the modules that they come from, as messages show them. */
export type OwnRules = ReadonlyMap<Rule, string>;

/** @throws ModuleProblem if two different rules have one id */
export function withRules(before: OwnRules, more: OwnRules): OwnRules {
  const rules = new Map(before);
  for (const [rule, file] of more) {
    const other = [...rules.keys()].find(({ id }) => id === rule.id);
    const others = other === undefined || other === rule ? undefined : rules.get(other);
    if (others !== undefined)
      throw new ModuleProblem(
        `two custom rules have the id "${rule.id}", ${others === file ? `both in ${file}` : `one in ${others}, the other in ${file}`}`,
      );
    if (other === undefined) rules.set(rule, file);
  }
  return rules;
}
