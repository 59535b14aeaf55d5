import { dirname, join, relative } from 'node:path';
import { type Diagnostic, Known } from '../../value';
import type { ConfigurationFile } from '../configuration-file';
import { evaluate } from '../evaluation/evaluate';
import { TerraformMap, type TerraformItem, type TerraformValue } from '../terraform-value';
import { makesNothing, type DecisiveVariables } from './decisive-variables';
import type { Declared } from './merged-file';
import { scopeWithoutNames } from './module-scope';
import { parsedVariables, variableFileNames } from './tfvars';
import { TERRAGRUNT_FILE, VALUES } from './value-files';

/*
 * Values of variables that stand in sight, in files that Terraform reads only where it is told to. They are evidence of what a deployment may
 * say, and never more: nobody knows which of them are used, or whether others are. A file is for the nearest configuration at or above its
 * folder that declares something that it sets; where there is none, for every root module that needs what it sets.
 */

/** A value as SOPS encrypts it. */
export const SOPS = /\bENC\[AES256_GCM,/;

/** What such files say of the variables of one root module. */
export interface UnreadValues {
  /** Those in or below its folder that can be given to Terraform. */
  readonly files: readonly ConfigurationFile[];
  /** What they and others in sight say of a variable, each with the name of its file as note. */
  hints(variable: string): readonly Known<TerraformItem>[];
  /** Names of those that set a variable, and are no mere examples. */
  setters(variable: string): readonly string[];
}

interface UnreadFile {
  /** Undefined for the inputs of Terragrunt, and for examples. */
  readonly parsed: ConfigurationFile | undefined;
  readonly values: ReadonlyMap<string, Known<TerraformItem>>;
}

/** The configurations of a run, as far as it takes them to tell for which of them a file is. */
export interface VariablesOfFolders {
  /** Names of the variables that a folder declares; undefined if it holds no configuration. */
  declaredIn(folder: string): ReadonlySet<string> | undefined;
  /** The text of a file; undefined if it can't be read, of which nobody is told. */
  lookAt(file: string): string | undefined;
}

/** All such files of a run. They are read when somebody asks. */
export class UnreadValueFiles {
  /** Their names by folder. */
  private readonly names = new Map<string, readonly string[]>();
  private sorted:
    | {
        readonly owned: ReadonlyMap<string, readonly UnreadFile[]>;
        readonly others: ReadonlyMap<string, readonly Known<TerraformItem>[]>;
      }
    | undefined;

  constructor(private readonly folders: VariablesOfFolders) {}

  /** @param holdsConfiguration whether Terraform runs there, and so reads some files by itself */
  addFolder(folder: string, names: readonly string[], holdsConfiguration: boolean): void {
    const read = new Set(holdsConfiguration ? variableFileNames(names) : []);
    const found = names.filter(
      (name) => (VALUES.test(name) && !name.startsWith('.') && !read.has(name)) || name === TERRAGRUNT_FILE,
    );
    if (found.length > 0) this.names.set(folder, found);
  }

  of(folder: string): UnreadValues {
    const own = () => this.all.owned.get(folder) ?? [];
    const hints = (variable: string) => [
      ...own().flatMap(({ values }) => values.get(variable) ?? []),
      ...(this.all.others.get(variable) ?? []),
    ];
    return {
      get files() {
        return own().flatMap(({ parsed }) => parsed ?? []);
      },
      hints,
      setters: (variable) => [
        ...new Set(
          hints(variable).flatMap(({ note = '' }) =>
            VALUES.exec(note)?.groups?.['example'] === undefined ? [note] : [],
          ),
        ),
      ],
    };
  }

  private get all(): NonNullable<UnreadValueFiles['sorted']> {
    if (this.sorted !== undefined) return this.sorted;
    const owned = new Map<string, UnreadFile[]>();
    const others = new Map<string, Known<TerraformItem>[]>();
    for (const [folder, names] of this.names) {
      for (const name of names) {
        const file = this.read(join(folder, name));
        if (file === undefined) continue;
        const owner = this.ownerOf(folder, file);
        if (owner !== undefined) addTo(owned, owner, file);
        else for (const [variable, value] of file.values) addTo(others, variable, value);
      }
    }
    return (this.sorted = { owned, others });
  }

  private ownerOf(folder: string, { values }: UnreadFile): string | undefined {
    for (let owner = folder; ; owner = dirname(owner)) {
      const declared = this.folders.declaredIn(owner);
      if (declared !== undefined && [...values.keys()].some((name) => declared.has(name))) return owner;
      if (owner === dirname(owner)) return undefined;
    }
  }

  private read(path: string): UnreadFile | undefined {
    const text = this.folders.lookAt(path);
    if (text === undefined || SOPS.test(text)) return undefined;
    const isExample = VALUES.exec(path)?.groups?.['example'];
    const parsed = parsedVariables({ file: isExample === undefined ? path : path.slice(0, -isExample.length), text });
    const values = path.endsWith(TERRAGRUNT_FILE) ? inputsOf(parsed) : valuesOf(parsed);
    const isUsable = isExample === undefined && !path.endsWith(TERRAGRUNT_FILE);
    return {
      parsed: isUsable ? parsed : undefined,
      values: new Map([...values].map(([name, value]) => [name, new Known(value.value, value.source, path)])),
    };
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function valuesOf(file: ConfigurationFile): ReadonlyMap<string, Known<TerraformItem>> {
  const scope = scopeWithoutNames(file);
  return new Map(
    file.body.attributes.flatMap(({ name, nameRange, value }) => {
      const plain = evaluate(value, scope, { source: file.place(nameRange) });
      return plain.kind === 'known' ? [[name, plain] as const] : [];
    }),
  );
}

/** What a unit of Terragrunt gives to its module, as far as it is written out. */
function inputsOf(file: ConfigurationFile): ReadonlyMap<string, Known<TerraformItem>> {
  const inputs = valuesOf(file).get('inputs')?.value;
  const entries = inputs instanceof TerraformMap ? [...inputs.entries] : [];
  return new Map(entries.flatMap(([name, value]) => (value.kind === 'known' ? [[name, value] as const] : [])));
}

/** More files than these are counted. */
const MOST_FILES_TOLD = 3;

/** A required variable that files which aren't read give a value to, so that the module is applied with such files. */
export function setElsewhere(unread: UnreadValues, required: readonly Declared[]): string | undefined {
  return required.flatMap(({ block }) => block.labels[0] ?? []).find((variable) => unread.setters(variable).length > 0);
}

/**
 * Why a variable of a root module may be something else than its default, as the end of "… because"; undefined if nothing says so. A module with
 * required variables is applied with files that give them their values, and what else these say counts, too.
 * @param needs one of its required variables that {@link setElsewhere} finds
 */
export function insteadOfDefault(
  variable: string,
  folder: string,
  unread: UnreadValues,
  needs: string | undefined,
): string | undefined {
  const files = needs === undefined ? [] : unread.setters(variable);
  if (needs === undefined || files.length === 0) return undefined;
  return `variable ${variable} is set by ${namesOf(files, folder)}, and Terraform needs such files (--var-file), since variable ${needs} has no other value`;
}

/** A variable with its default, on which it may rest alone that something is absent. */
interface Standard {
  readonly name: string;
  readonly standard: TerraformValue;
  readonly of: () => DecisiveVariables;
}

/**
 * Why a variable may be something else than its default, where that is empty and makes nothing, or a name in subjects of service accounts, and a file in sight says
 * otherwise: "nothing here does it" would rest on that default alone.
 */
export function insteadOfDecisive(
  { name, standard, of }: Standard,
  folder: string,
  unread: UnreadValues,
): string | undefined {
  const isEmpty = makesNothing(standard);
  const text = standard.kind === 'known' && typeof standard.value === 'string' ? standard.value : undefined;
  if (!isEmpty && text === undefined) return undefined;
  const files = unread.setters(name);
  if (files.length === 0) return undefined;
  const { making, naming } = of();
  const others = unread.hints(name).filter((hint) => {
    if (isEmpty && making.has(name)) return !makesNothing(hint);
    return naming.has(name) && typeof hint.value === 'string' && hint.value !== text;
  });
  const saying = new Set(others.map(({ note }) => note));
  const named = files.filter((file) => saying.has(file));
  return named.length === 0
    ? undefined
    : `variable ${name} is set by ${namesOf(named, folder)}, which is not read unless somebody says so (--var-file)`;
}

function namesOf(files: readonly string[], folder: string): string {
  const told = files.slice(0, MOST_FILES_TOLD).map((file) => relative(folder, file).replaceAll('\\', '/'));
  return `${told.join(', ')}${files.length > told.length ? ` (and ${files.length - told.length} more)` : ''}`;
}

/** Says which files would give a value to variables that have none, and how to take them. */
export function unusedVariableFiles(
  folder: string,
  unread: UnreadValues | undefined,
  without: readonly Declared[],
): Diagnostic[] {
  const [first] = without;
  if (first === undefined || unread === undefined) return [];
  const names = new Set<string | undefined>(without.map(({ block }) => block.labels[0]));
  const useful = unread.files.filter(({ body }) => body.attributes.some(({ name }) => names.has(name)));
  const [example] = useful;
  if (example === undefined) return [];
  const what = without.length === 1 ? '1 required variable' : `${without.length} required variables`;
  const told = namesOf(
    useful.map(({ file }) => file),
    folder,
  );
  const how =
    useful.length === 1
      ? `check with --var-file ${example.file}`
      : `check once for each, as with --var-file ${example.file}`;
  const { file, line, column } = first.file.place(first.block.headRange).locate();
  return [
    {
      severity: 'warning',
      message: `no value is read for ${what}, since Terraform takes ${told} only where it is told to; ${how}`,
      file,
      line,
      column,
    },
  ];
}
