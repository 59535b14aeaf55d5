import type { KnownModule, KnownModuleCall } from '../../../lib/terraform/known-module';
import type { TerraformInstance } from '../../../lib/terraform/instance';
import { ConfigurationFolders } from '../../../lib/front-ends/terraform/configuration-folders';
import type { FolderAccess } from '../../../lib/terraform/module/folder-access';
import { TerraformList, TerraformMap, type TerraformValue } from '../../../lib/terraform/terraform-value';
import { shown } from '../plan/plans';

/** Files that are in memory, by their paths. */
export function filesInMemory(files: Readonly<Record<string, string>>): FolderAccess {
  const folders = new Map<string, string[]>();
  for (const path of Object.keys(files)) {
    const end = path.lastIndexOf('/');
    const folder = end < 0 ? '.' : path.slice(0, end);
    folders.set(folder, [...(folders.get(folder) ?? []), path.slice(end + 1)]);
  }
  return {
    files: (folder) => folders.get(folder)?.sort(),
    lookAt: (file) => (Object.hasOwn(files, file) ? files[file] : undefined),
    read: (file) => {
      const text = Object.hasOwn(files, file) ? files[file] : undefined;
      return text === undefined ? { problem: 'there is no such file or folder' } : { text };
    },
  };
}

interface Options {
  /** Folders that the user named; the others with files are found in them. @default - none of them */
  readonly named?: readonly string[];
  /** Files that the user named, instead of folders. */
  readonly parts?: readonly string[];
  readonly knownModule?: (call: KnownModuleCall) => KnownModule | undefined;
  /** Files with values of variables that the user named. @default - none */
  readonly variableFiles?: Readonly<Record<string, string>>;
  /** Values of variables that the user of the run gives. @default - none */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A run over files in memory; a single text is `main.tf` of the folder `.`. */
export function configurations(
  files: Readonly<Record<string, string>> | string,
  { named = [], parts, knownModule, variableFiles = {}, variables = {} }: Options = {},
) {
  const all = typeof files === 'string' ? { 'main.tf': files } : files;
  const folders = new ConfigurationFolders(filesInMemory({ ...all, ...variableFiles }));
  const paths = new Set([
    ...named,
    ...Object.keys(all).map((path) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')),
  ]);
  if (parts === undefined) for (const path of paths) folders.addFolder(path, named.includes(path));
  for (const part of parts ?? []) folders.addFile(part);
  const read = folders.read(knownModule, variables, Object.keys(variableFiles));
  const { inputs, instances } = read;
  const one = (address: string): TerraformInstance => {
    const found = instances.find((instance) => instance.address === address);
    if (found === undefined)
      throw new Error(`there is no ${address}, but ${instances.map((instance) => instance.address).join(', ')}`);
    return found;
  };
  return {
    inputs: inputs.map(({ path, kind, resources }) => `${path} ${kind} ${resources}`),
    instances,
    one,
    addresses: instances.map(({ address }) => address),
    /** Some show only when values are looked at. */
    get problems() {
      return read.diagnostics.map(
        ({ severity, file, line, column, message }) => `${severity} ${file}:${line}:${column} ${message}`,
      );
    },
    /** What of the input the problems say to be left out. */
    skipped: read.diagnostics.flatMap(({ skipped }) => skipped ?? []),
    value: (address: string, ...path: readonly (string | number)[]) => step(one(address).attributes, path),
    show: (address: string, ...path: readonly (string | number)[]) => shown(step(one(address).attributes, path)),
  };
}

function step(value: TerraformValue, [first, ...rest]: readonly (string | number)[]): TerraformValue {
  if (first === undefined) return value;
  const item: unknown = value.kind === 'known' ? value.value : undefined;
  const inner =
    item instanceof TerraformList
      ? item.items[Number(first)]
      : item instanceof TerraformMap
        ? item.entry(String(first))
        : undefined;
  if (inner === undefined) throw new Error(`there is no ${first} in ${JSON.stringify(shown(value))}`);
  return step(inner, rest);
}

/** `main.tf:3 property` of a value, with its note. */
export function placeOf(value: TerraformValue): string {
  if (value.kind === 'choice') return value.alternatives.map((alternative) => placeOf(alternative.value)).join(', ');
  const { file, line, property } = value.source.locate();
  return [
    `${file}:${line}`,
    property,
    value.kind === 'known' && value.note !== undefined ? `(${value.note})` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}
