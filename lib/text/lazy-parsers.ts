import { createRequire } from 'node:module';

/*
 * The parsers of YAML and TOML, loaded when they are first needed: they take longer to start than everything else of a command that
 * reads neither, and most templates hold neither.
 */

const load = createRequire(__filename);

let yamlPackage: typeof import('yaml') | undefined;
let tomlPackage: typeof import('toml-eslint-parser') | undefined;

/** The package `yaml`. */
export function yaml(): typeof import('yaml') {
  return (yamlPackage ??= load('yaml') as typeof import('yaml'));
}

/** The package `toml-eslint-parser`. */
export function toml(): typeof import('toml-eslint-parser') {
  return (tomlPackage ??= load('toml-eslint-parser') as typeof import('toml-eslint-parser'));
}
