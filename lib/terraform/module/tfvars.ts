import { type Diagnostic, nowhere, Unknown } from '../../value';
import { SpellingIndex } from '../../text/nearest';
import { evaluate } from '../evaluation/evaluate';
import { withNote } from '../evaluation/places';
import type { ConfigurationFile } from '../configuration-file';
import { parseJsonVariables } from '../json';
import type { Expression } from '../../languages/hcl/ast';
import type { TerraformValue } from '../terraform-value';
import { hclFile } from './hcl-file';
import type { Declared } from './merged-file';
import { scopeWithoutNames } from './module-scope';

export interface VariableFile {
  /** Path as reports show it. */
  readonly file: string;
  readonly text: string;
  /** It is there, but nobody here can tell what it says. @default false */
  readonly isEncrypted?: boolean;
  /** The user names it, for all root modules. @default false */
  readonly isNamed?: boolean;
}

export interface GivenVariables {
  readonly values: ReadonlyMap<string, TerraformValue>;
  /** How these values are written. */
  readonly written: ReadonlyMap<string, { readonly expression: Expression; readonly file: ConfigurationFile }>;
  readonly diagnostics: readonly Diagnostic[];
  /** What the variables are that no readable file gives a value to, if one that isn't readable may. @default - as declared */
  readonly others?: TerraformValue;
}

/** The files of a folder that Terraform takes values of variables from without being told to, the ones that win last. */
export function variableFileNames(names: readonly string[]): readonly string[] {
  const always = ['terraform.tfvars', 'terraform.tfvars.json'].filter((name) => names.includes(name));
  const automatic = names.filter((name) => /\.auto\.tfvars(?:\.json)?$/.test(name)).sort();
  return [...always, ...automatic];
}

/** Values in files that the user names, for variables that no root module declares. Terraform warns of them, too. */
export function undeclaredVariables(
  roots: readonly { readonly files: readonly VariableFile[]; readonly declared: ReadonlyMap<string, Declared> }[],
): Diagnostic[] {
  const files = new Map(
    roots.flatMap((root) =>
      root.files.filter(({ isNamed }) => isNamed === true).map((file) => [file.file, file] as const),
    ),
  );
  return [...files.values()].flatMap((file) => {
    const parsed = parsedVariables(file);
    return parsed.body.attributes.flatMap(({ name, nameRange }): Diagnostic[] => {
      if (roots.some(({ declared }) => declared.has(name))) return [];
      const { line, column } = parsed.place(nameRange).locate();
      return [
        {
          severity: 'warning',
          message: `it gives a value to variable "${name}", which no root module here declares`,
          file: file.file,
          line,
          column,
        },
      ];
    });
  });
}

/** The values that a file gives to variables, as attributes. */
export function parsedVariables({ file, text }: VariableFile): ConfigurationFile {
  return file.endsWith('.json') ? parseJsonVariables(text, file) : hclFile(text, file);
}

/** What `.tfvars` files give; where two give a value to one variable, the later file wins. */
export function givenVariables(files: readonly VariableFile[]): GivenVariables {
  const values = new Map<string, TerraformValue>();
  const written = new Map<string, { readonly expression: Expression; readonly file: ConfigurationFile }>();
  const diagnostics: Diagnostic[] = [];
  for (const variableFile of files) {
    const { file, isEncrypted } = variableFile;
    if (isEncrypted === true) continue;
    const parsed = parsedVariables(variableFile);
    const scope = scopeWithoutNames(parsed);
    const name = file.split(/[\\/]/).at(-1) ?? file;
    diagnostics.push(...parsed.diagnostics);
    for (const attribute of parsed.body.attributes) {
      written.set(attribute.name, { expression: attribute.value, file: parsed });
      values.set(
        attribute.name,
        withNote(evaluate(attribute.value, scope, { source: parsed.place(attribute.nameRange) }), name, attribute.name),
      );
    }
  }
  const hidden = files.find(({ isEncrypted }) => isEncrypted === true)?.file;
  return {
    values,
    written,
    diagnostics,
    ...(hidden === undefined ? {} : { others: new Unknown(`${hidden} is encrypted`, nowhere) }),
  };
}

/** Names in the configuration that no root module declares and that are surely misspelt. A name that is only elsewhere says little: not all may be checked. */
export function misspeltVariables(
  variables: Readonly<Record<string, unknown>>,
  roots: readonly ReadonlyMap<string, Declared>[],
): Diagnostic[] {
  const names = Object.keys(variables);
  if (names.length === 0) return [];
  const known = new Set<string>();
  const free = new SpellingIndex<Declared>();
  for (const declared of roots) {
    for (const [name, variable] of declared) {
      if (!known.has(name) && !Object.hasOwn(variables, name)) free.add(name, variable);
      known.add(name);
    }
  }
  return names.flatMap((name): Diagnostic[] => {
    const meant = known.has(name) ? undefined : free.find(name);
    if (meant === undefined) return [];
    const { file: path, line, column } = meant.item.file.place(meant.item.block.headRange).locate();
    return [
      {
        severity: 'warning',
        message: `the configuration gives a value to variable "${name}", which nothing declares; did you mean "${meant.name}"?`,
        file: path,
        line,
        column,
      },
    ];
  });
}

/**
 * The value that the user of this run gives to a variable, as with `-var`; undefined if there is none. It stands where the variable is
 * declared: what the user wrote is no part of the configuration.
 */
export function configuredVariable(
  name: string,
  variables: Readonly<Record<string, unknown>>,
  declared: Declared | undefined,
): TerraformValue | undefined {
  if (declared === undefined || !Object.hasOwn(variables, name) || variables[name] === undefined) return undefined;
  const source = declared.file.place(declared.block.headRange);
  const parsed = parseJsonVariables(JSON.stringify({ [name]: variables[name] }), '');
  const scope = { ...scopeWithoutNames(parsed), place: () => source };
  const [attribute] = parsed.body.attributes;
  return attribute === undefined
    ? undefined
    : withNote(evaluate(attribute.value, scope, { source }), `variable ${name}, given in the configuration`, undefined);
}
