import { basename, dirname, join } from 'node:path';
import type { Acknowledgement, Diagnostic, InputSummary, PlacedSuppression, TurnedOff } from '../../value';
import { ENCRYPTED } from '../../files/read';
import { memberOf, textOf } from '../../terraform/json-tree';
import type { RootModuleFolders } from '../input-files';
import { libraryOf } from './app-library';
import { acknowledgementsIn } from './acknowledgements';
import { configurationFiles, isConfigurationFile } from './configuration-files';
import { TERRAFORM } from './dialects';
import { ModuleTree, plain } from './module-tree';
import { ignoresInModules } from '../../terraform/comments';
import type { ConfigurationFile } from '../../terraform/configuration-file';
import type { TerraformInstance } from '../../terraform/instance';
import { parseJsonConfiguration } from '../../terraform/json';
import type { FolderAccess } from '../../terraform/module/folder-access';
import { hclFile } from '../../terraform/module/hcl-file';
import { filesThatDiffer, openTofuName } from '../../terraform/module/opentofu-files';
import type { RootModule } from '../../terraform/module/root-module';
import { readRootModules, type ModulesInput } from '../../terraform/module/root-modules';
import { variableFileNames, type VariableFile } from '../../terraform/module/tfvars';
import { SOPS, UnreadValueFiles } from '../../terraform/module/unread-values';

const ENCRYPTED_VARIABLES =
  'the file is encrypted, so variables that it may set count as unknown; check where it is decrypted';

/** What the configurations of a run hold. */
export interface ConfigurationsRead {
  readonly inputs: readonly InputSummary[];
  readonly instances: readonly TerraformInstance[];
  /** All of them are there when the instances have been read. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that apps of CDKTF decided to live with. */
  readonly acknowledgements: readonly Acknowledgement[];
  /** Decisions in comments. */
  readonly suppressions: readonly PlacedSuppression[];
  readonly secrets: readonly string[];
  readonly turnedOff: readonly TurnedOff[];
  /** Of which folders the root modules are made. */
  readonly rootModules: readonly RootModuleFolders[];
}

/** What an app wrote: its stacks, to be read together with the other root modules of the run. */
export interface AppStacks {
  readonly roots: readonly RootModule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The folders and files of configurations among the paths of a run. */
export class ConfigurationFolders {
  /** Folders with files of a configuration; true for those that the user named. */
  private readonly folders = new Map<string, boolean>();
  /** Files that the user named, by folder. */
  private readonly parts = new Map<string, string[]>();
  private readonly loaded = new Map<string, readonly ConfigurationFile[] | undefined>();
  /** Files for Terraform in whose place others for OpenTofu are read, by folder. */
  private readonly replaced = new Map<string, readonly ConfigurationFile[]>();
  /** Names of the variables that folders declare. */
  private readonly variables = new Map<string, ReadonlySet<string>>();
  private readonly problems: Diagnostic[] = [];
  private readonly unread = new UnreadValueFiles({
    declaredIn: (folder) => this.declaredIn(folder),
    lookAt: (file) => this.access.lookAt?.(file),
  });
  /** Stacks of CDKTF, by the folder that their app was written to. */
  private readonly apps = new Map<string, readonly RootModule[]>();

  /** Folders of their stacks. */
  private readonly stackFolders = new Set<string>();

  private namedVariableFiles: readonly VariableFile[] = [];

  constructor(private readonly access: FolderAccess) {}

  /** A folder that was come across. It counts if there are files of a configuration in it, and no app has a stack there. */
  addFolder(folder: string, named: boolean, names = this.access.files(plain(folder)) ?? []): void {
    const path = plain(folder);
    if (this.stackFolders.has(path)) return;
    const holdsConfiguration = names.some(isConfigurationFile);
    this.unread.addFolder(path, names, holdsConfiguration);
    if (holdsConfiguration) this.folders.set(path, named || this.folders.get(path) === true);
  }

  /** A file that the user named. */
  addFile(file: string): void {
    const path = plain(file);
    const folder = dirname(path);
    const files = this.parts.get(folder);
    if (files === undefined) this.parts.set(folder, [path]);
    else if (!files.includes(path)) files.push(path);
  }

  /** A folder that an app wrote, of CDKTF or CDK Terrain. */
  addApp(folder: string, read: (path: string) => AppStacks): void {
    const path = plain(folder);
    const { roots, diagnostics } = read(path);
    const listed = new Set(roots.flatMap(({ files }) => files.map(({ file }) => plain(file))));
    this.apps.set(
      path,
      roots.map((root) => this.withNeighbours(root, listed)),
    );
    this.problems.push(...diagnostics);
  }

  /** Terraform takes all files of the folder that it runs in; of several stacks in one, the first has those that none lists. */
  private withNeighbours(root: RootModule, listed: ReadonlySet<string>): RootModule {
    const folder = plain(root.folder);
    if (this.stackFolders.has(folder)) return root;
    this.stackFolders.add(folder);
    const others = configurationFiles(this.access.files(folder) ?? []).flatMap((name) =>
      listed.has(join(folder, name)) ? [] : this.file(join(folder, name)),
    );
    return others.length === 0 ? root : { ...root, files: [...root.files, ...others] };
  }

  /** @param variableFiles those that the user names, for all root modules */
  read(
    knownModule: ModulesInput['knownModule'],
    variables: ModulesInput['variables'] = {},
    variableFiles: readonly string[] = [],
  ): ConfigurationsRead {
    this.namedVariableFiles = variableFiles.flatMap((file) =>
      this.variableFile(file).map((read) => ({ ...read, isNamed: true })),
    );
    const tree = new ModuleTree(this.folders, {
      access: this.access,
      load: (folder) => this.load(folder) ?? [],
      replaced: (folder) => this.replaced.get(folder) ?? [],
    });
    const ofApps = [...this.apps.values()].flat();
    const plainRoots = [...tree.roots(ofApps).map((folder) => this.rootOf(folder)), ...this.partRoots()];
    const reached = new Set(plainRoots.map(({ folder }) => folder));
    const input: ModulesInput = {
      access: this.access,
      loadFolder: (folder) => {
        reached.add(plain(folder));
        return this.load(plain(folder));
      },
      lookInto: (folder) => this.load(plain(folder)),
      variables,
      furtherRoots: () => {
        const further = tree.firstLeft(reached).map((folder) => this.rootOf(folder));
        this.problems.push(...further.map(tellJudgedAlone));
        for (const { folder } of further) reached.add(folder);
        plainRoots.push(...further);
        return further;
      },
      ...(knownModule === undefined ? {} : { knownModule }),
    };
    const read = readRootModules([...plainRoots, ...ofApps], input);
    const roots = read.map(({ root }) => root);
    this.tellOpenTofu();
    this.tellUnusedValues(new Set(plainRoots.map(({ folder }) => folder)));
    const resources = (of: (root: RootModule) => boolean): number =>
      read
        .filter(({ root }) => of(root))
        .reduce((sum, { instances }) => sum + instances.filter(({ mode }) => mode === 'managed').length, 0);
    const inputs: InputSummary[] = plainRoots.map((root) => ({
      path: root.path ?? root.stack,
      kind: 'terraform-configuration',
      resources: resources((other) => other === root),
    }));
    for (const path of this.apps.keys())
      inputs.push({ path, kind: 'cdktf-output', resources: resources(({ cdktf }) => cdktf?.app === path) });
    const written = acknowledgementsIn(roots.flatMap(({ files }) => files));
    const ignores = ignoresInModules(read);
    const diagnostics = [
      ...this.problems,
      ...read.flatMap((root) => root.diagnostics),
      ...written.diagnostics,
      ...ignores.diagnostics,
    ];
    return {
      inputs,
      instances: read.flatMap(({ instances }) => instances),
      get diagnostics() {
        return withoutRepetition([...diagnostics, ...read.flatMap(({ circles }) => circles)]);
      },
      acknowledgements: written.acknowledgements,
      suppressions: ignores.suppressions.map((one) => ({ ...one, dialect: TERRAFORM })),
      secrets: read.flatMap(({ secrets }) => secrets),
      turnedOff: read.flatMap(({ turnedOff }) => turnedOff),
      rootModules: plainRoots.map((root) => tree.foldersOf(root)),
    };
  }

  /** A module that is called takes the arguments of the call: Terraform reads values that stand beside it only where it runs as a root module. */
  private tellUnusedValues(roots: ReadonlySet<string>): void {
    for (const folder of this.folders.keys()) {
      const [name] = roots.has(folder) ? [] : variableFileNames(this.access.files(folder) ?? []);
      if (name === undefined) continue;
      const message = `the values of this file are not checked, because other modules call this one with their arguments; name ${folder} to have it checked as a root module, too`;
      this.problems.push({
        severity: 'warning',
        message,
        file: join(folder, name),
        line: 1,
        column: 1,
        skipped: { what: 'file', count: 1 },
      });
    }
  }

  private rootOf(folder: string): RootModule {
    // A user who names files has told which ones count.
    const unread = this.namedVariableFiles.length > 0 ? {} : { unread: this.unread.of(folder) };
    return asWritten({
      folder,
      files: this.load(folder) ?? [],
      variableFiles: this.variableFiles(folder),
      ...unread,
      stack: folder,
      frontEnd: 'terraform',
    });
  }

  private declaredIn(folder: string): ReadonlySet<string> | undefined {
    if (!this.folders.has(folder)) return undefined;
    let names = this.variables.get(folder);
    if (names === undefined) {
      const blocks = (this.load(folder) ?? []).flatMap(({ body }) => body.blocks);
      this.variables.set(
        folder,
        (names = new Set(
          blocks.flatMap(({ type, labels: [name] }) => (type === 'variable' && name !== undefined ? [name] : [])),
        )),
      );
    }
    return names;
  }

  private partRoots(): readonly RootModule[] {
    return [...this.parts].flatMap(([folder, files]): RootModule[] => {
      if (this.folders.has(folder)) return [];
      const [first = folder] = files;
      const all = configurationFiles(this.access.files(folder) ?? []);
      const read = files.flatMap((file) => this.file(file));
      return [
        asWritten({
          folder,
          files: read,
          variableFiles: this.variableFiles(folder),
          stack: files.length === 1 ? first : folder,
          frontEnd: 'terraform',
          isPart: all.length > files.length,
        }),
      ];
    });
  }

  private variableFiles(folder: string): readonly VariableFile[] {
    const found = variableFileNames(this.access.files(folder) ?? []).flatMap((name) =>
      this.variableFile(join(folder, name)),
    );
    return [...found, ...this.namedVariableFiles];
  }

  /** None if it can't be read. */
  private variableFile(file: string): readonly VariableFile[] {
    const content = this.access.read(file);
    const isEncrypted = 'text' in content ? SOPS.test(content.text) : content.problem === ENCRYPTED;
    if (isEncrypted) {
      this.problems.push({
        severity: 'warning',
        message: ENCRYPTED_VARIABLES,
        file,
        line: 1,
        column: 1,
        skipped: { what: 'encrypted file', count: 1 },
      });
      return [{ file, text: '', isEncrypted }];
    }
    const text = this.text(file);
    return text === undefined ? [] : [{ file, text }];
  }

  private load(folder: string): readonly ConfigurationFile[] | undefined {
    if (!this.loaded.has(folder)) {
      this.access.enter?.(folder);
      const names = this.access.files(folder);
      const files =
        names === undefined ? undefined : configurationFiles(names).flatMap((name) => this.file(join(folder, name)));
      this.loaded.set(folder, files);
      const read = new Set(configurationFiles(names ?? []));
      this.replaced.set(
        folder,
        (names ?? [])
          .filter((name) => isConfigurationFile(name) && !read.has(name))
          .flatMap((name) => this.file(join(folder, name))),
      );
    }
    return this.loaded.get(folder);
  }

  /** What Terraform deploys otherwise than it is judged here, in one line for all folders. */
  private tellOpenTofu(): void {
    const differences = [...this.loaded].flatMap(([folder, files]) =>
      filesThatDiffer(files ?? [], this.replaced.get(folder) ?? []),
    );
    const [first] = differences;
    if (first === undefined) return;
    const { file, what } = first;
    const name = openTofuName(basename(file));
    const how =
      name === basename(file)
        ? `OpenTofu alone reads this file, which overrides ${what}`
        : `OpenTofu reads ${name} in the place of this file, which declares ${what} in another way`;
    const others =
      differences.length === 1 ? '' : ` (and so for ${differences.length - 1} more, as ${differences[1]?.file ?? ''})`;
    const message = `what Terraform deploys is not checked: ${how}${others}; where Terraform is used, name the files that it reads to have them checked`;
    this.problems.push({
      severity: 'warning',
      message,
      file,
      line: 1,
      column: 1,
      skipped: { what: 'file', count: differences.length },
    });
  }

  private file(file: string): readonly ConfigurationFile[] {
    const text = this.text(file);
    if (text === undefined) return [];
    return [file.endsWith('.json') ? parseJsonConfiguration(text, file) : hclFile(text, file)];
  }

  private text(file: string): string | undefined {
    const content = this.access.read(file);
    if ('text' in content) return content.text;
    this.problems.push({ severity: 'error', message: content.problem, file, line: 1, column: 1 });
    return undefined;
  }
}

function tellJudgedAlone({ folder, files: [file] }: RootModule): Diagnostic {
  return {
    severity: 'warning',
    message:
      "check judges this module on its own, with the defaults of its variables, and leaves out what of it isn't known: no root module here enables it",
    file: file?.file ?? folder,
    line: 1,
    column: 1,
  };
}

/** A root module, or the stack of CDKTF that its files say it is: `cdk.tf.json` may be read without the manifest of its app. */
function asWritten(root: RootModule): RootModule {
  const file = root.files.find((one) => cdktfStackOf(one) !== undefined);
  const stack = file === undefined ? undefined : cdktfStackOf(file);
  return file === undefined || stack === undefined
    ? root
    : { ...root, path: root.stack, stack, frontEnd: libraryOf(file) };
}

/** What several root modules that call one module would tell of it. */
function withoutRepetition(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = new Set<string>();
  return diagnostics.filter(({ severity, file, line, column, message }) => {
    const key = `${severity} ${file}:${line}:${column} ${message}`;
    return told.size < told.add(key).size;
  });
}

/**
 * Name of the CDKTF stack that a file was made of, for one that is read without the manifest beside it.
 * @internal tests ask it for files that are put together
 */
export function cdktfStackOf({ comment }: ConfigurationFile): string | undefined {
  return textOf(memberOf(memberOf(comment, 'metadata'), 'stackName'));
}
