import { readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { readText } from '../../files/read';
import type { ReadResult } from '../reader';
import { libraryOf } from './app-library';
import type { TerraformStackInput } from './stack-input';
import type { Acknowledgement, InputSummary } from '../../value';
import { acknowledgementsIn } from './acknowledgements';
import { ignoresInModules } from '../../terraform/comments';
import type { ConfigurationFile } from '../../terraform/configuration-file';
import { jsonConfiguration, parseJsonConfiguration } from '../../terraform/json';
import { TERRAFORM } from './dialects';
import { expandKnownModule } from './known-modules';
import { configurationFiles } from './configuration-files';
import type { FolderAccess } from '../../terraform/module/folder-access';
import { hclFile } from '../../terraform/module/hcl-file';
import type { RootModule } from '../../terraform/module/root-module';
import { readRootModules } from '../../terraform/module/root-modules';
import { tellNotRead } from '../parts/not-read';
import { readInstances } from './resources';
import { unreadableObjects } from './resources/unreadable-objects';
import { unreadInstances } from './resources/unread-instances';

/**
 * Reads what CDKTF or CDK Terrain renders for the stacks of an app, together, so that links between them resolve. Never throws.
 * @param acknowledgements decisions beside those that the stacks hold themselves
 * @param variables values of variables of the stacks
 */
export function readTerraformStacks(
  stacks: readonly TerraformStackInput[],
  acknowledgements: readonly Acknowledgement[] = [],
  variables: Readonly<Record<string, unknown>> = {},
): ReadResult {
  const access = accessTo(stacks);
  const read = readRootModules(stacks.map(rootOf), {
    access,
    loadFolder: (folder) => loadFolder(folder, access),
    knownModule: expandKnownModule,
    variables,
  });
  const written = acknowledgementsIn(read.flatMap(({ root }) => root.files));
  const ignores = ignoresInModules(read);
  const resources = readInstances(
    read.flatMap(({ instances }) => instances),
    [...acknowledgements, ...written.acknowledgements],
  );
  return {
    inputs: read.map(
      ({ root, instances }): InputSummary => ({
        path: root.files[0]?.file ?? root.folder,
        kind: 'terraform-configuration',
        resources: instances.filter(({ mode }) => mode === 'managed').length,
      }),
    ),
    resources,
    diagnostics: [
      ...read.flatMap(({ diagnostics, circles }) => [...diagnostics, ...circles]),
      ...written.diagnostics,
      ...ignores.diagnostics,
      ...unreadableObjects(resources),
      ...tellNotRead(unreadInstances(read.flatMap(({ instances }) => instances))),
    ],
    suppressions: ignores.suppressions.map((one) => ({ ...one, dialect: TERRAFORM })),
    secrets: read.flatMap(({ secrets }) => secrets),
  };
}

function rootOf({ name, constructPath, app, file, content }: TerraformStackInput): RootModule {
  const configuration = jsonConfiguration(content, file);
  return {
    folder: dirname(file),
    files: [configuration],
    variableFiles: [],
    stack: name,
    frontEnd: libraryOf(configuration),
    cdktf: { app, constructPath },
  };
}

/** Files beside a configuration, such as assets: those that were just written, elsewhere, before those that an earlier synthesis left. */
function accessTo(stacks: readonly TerraformStackInput[]): FolderAccess {
  const placesOf = (path: string): string[] => [
    ...stacks.flatMap(({ file, writtenTo }) => {
      const inside = relative(dirname(file), path);
      return writtenTo === undefined || inside.startsWith('..') || isAbsolute(inside) ? [] : [join(writtenTo, inside)];
    }),
    path,
  ];
  return {
    files: (folder) => {
      const found = placesOf(folder).flatMap((place) => namesIn(place) ?? []);
      return found.length === 0 ? undefined : [...new Set(found)].sort();
    },
    read: (file) => {
      const [first, ...others] = placesOf(file).map((place) => () => readText(place));
      if (first === undefined) return readText(file);
      return others.reduce((found, next) => ('text' in found ? found : next()), first());
    },
  };
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
  } catch {
    return undefined;
  }
}

/** The files of a module that a stack calls by its path. */
function loadFolder(folder: string, access: FolderAccess): readonly ConfigurationFile[] | undefined {
  const names = access.files(folder);
  return names === undefined
    ? undefined
    : configurationFiles(names).flatMap((name): ConfigurationFile[] => {
        const file = join(folder, name);
        const content = access.read(file);
        if (!('text' in content)) return [];
        return [name.endsWith('.json') ? parseJsonConfiguration(content.text, file) : hclFile(content.text, file)];
      });
}
