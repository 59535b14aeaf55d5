import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Diagnostic, InputSummary, ParameterValues, Skipped } from '../value';
import { codeOf, describeError, ENCRYPTED, readText, refuseSpecialFile } from '../files/read';
import { readAssembly } from './cloudformation/assembly';
import { readTemplates } from './cloudformation';
import { configurationSyntax, looksLikeVariables } from './configuration-text';
import { expandPattern, folderOf, isPattern, SKIPPED_FOLDERS } from './path-pattern';
import { InputFiles, type Reading, type StandardInput } from './input-files';
import { readNamed, whyNoMatch, whyNotRead } from './near-path';
import { TERRAGRUNT_FILE } from '../terraform/module/unread-values';
import { CHECK_TERRAGRUNT, isUnsynthesized, whyNoInputFile, whyNoInputFolder, whyNoInputText } from './not-read';
import type { TemplateInput } from '../cloudformation/template-input';
import type { ReadResult } from './reader';
import { isCdktfManifest } from './terraform/cdktf-output';
import type { TerraformInstance } from '../terraform/instance';
import { expandKnownModule } from './terraform/known-modules';
import { ConfigurationFolders, isConfigurationFile } from './terraform/configuration-folders';
import { looksLikePlan, readPlan, whyNoPlan } from '../terraform/plan/plan';
import { tellNotRead } from './parts/not-read';
import { readInstances } from './terraform/resources';
import { unreadInstances } from './terraform/resources/unread-instances';
import { looksLikeTemplate, mayBeTemplate } from '../cloudformation/template-text';

const TEMPLATE_FILE = /\.(?:json|ya?ml|template)$/i;

/** What apps of the CDK and of CDKTF list in it what they wrote. */
const MANIFEST = 'manifest.json';

/** What input there may be in a folder. */
const NOTHING_IN_FOLDER =
  'the folder holds no CloudFormation template, no CDK assembly, no Terraform plan and no Terraform configuration';

/**
 * Reads template files, folders of them, CDK assemblies (`cdk.out`), plans of Terraform in JSON, folders of Terraform configuration and what
 * CDKTF writes (`cdktf.out`). All paths are read together, so that links across them resolve. Never throws: what can't be read becomes a
 * diagnostic of severity `error`. A path that doesn't exist and is written as a pattern (`infra/*.tf`) stands for what it matches.
 * @param given values of parameters and variables, as if the deployment gave them
 */
export function readPaths(paths: readonly string[], given: GivenValues = {}, reading: Reading = {}): ReadResult {
  const collection = new Collection(given, reading);
  // What comes through the standard input counts before the file of its name that a folder may have.
  const isPiped = (path: string): boolean => path === '-' && reading.standardInput !== undefined;
  if (reading.standardInput !== undefined && paths.some(isPiped)) collection.addStandardInput(reading.standardInput);
  for (const path of paths) if (!isPiped(path)) collection.addPath(path);
  return collection.read();
}

const VARIABLES_ALONE =
  'values of variables count with the configuration that takes them: give its folder as well, and the name of the file (--stdin-filename terraform.tfvars)';

/** Values of parameters and variables. */
export interface GivenValues extends ParameterValues {
  /** Files with values of variables, for all root modules. @default - none */
  readonly varFiles?: readonly string[];
}

/** Codes of the system for links that have no end. */
const LEADS_NOWHERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** Paths that one diagnostic names. */
const MOST_NAMED = 5;

/** What is listed as one input. */
type Group =
  | { readonly summary: Omit<InputSummary, 'resources'>; readonly templates: readonly TemplateInput[] }
  | { readonly read: InputSummary };

type EntryKind = 'folder' | 'file' | 'special';

class Collection {
  private readonly diagnostics: Diagnostic[] = [];
  private readonly groups: Group[] = [];
  private readonly instances: TerraformInstance[] = [];
  private readonly secrets: string[] = [];
  private readonly files: InputFiles;
  private readonly configurations: ConfigurationFolders;
  private readonly namedFolders: string[] = [];
  /** Paths within folders that are not read, each kind told once. */
  private readonly passedBy: Record<'terragrunt' | 'encrypted' | 'apps' | 'links', string[]> = {
    terragrunt: [],
    encrypted: [],
    apps: [],
    links: [],
  };
  /** Links within folders, which are followed when everything else is read. */
  private readonly links: string[] = [];
  /** What comes through the standard input, until it is known what it is. */
  private undecided: StandardInput | undefined;
  /** Real paths of folders and files that are read already. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly given: GivenValues,
    private readonly reading: Reading,
  ) {
    this.files = new InputFiles(reading);
    this.configurations = new ConfigurationFolders(this.files);
  }

  /** @param canBePattern false for what a pattern matched, whose name may look like one */
  addPath(path: string, canBePattern = true): void {
    let isFolder: boolean;
    try {
      isFolder = statSync(path).isDirectory();
      if (canBePattern && isFolder) this.files.boundary.addFolder(path);
      else if (canBePattern) this.files.boundary.addFile(path);
    } catch (error) {
      if (canBePattern && isPattern(path)) this.addPattern(path);
      else this.problem(path, whyNotRead(path, error));
      return;
    }
    if (isFolder) this.addFolder(path, true);
    else if (basename(path) === MANIFEST && isAssembly(dirname(path))) this.addAssembly(dirname(path));
    else if (basename(path) === MANIFEST && isCdktfOutput(dirname(path))) this.addCdktfOutput(dirname(path));
    else {
      const reason = whyNoInputFile(path);
      if (reason === undefined) this.addFile(path, true);
      else this.problem(path, reason);
    }
  }

  private addPattern(pattern: string): void {
    const { paths, problems, isTooWide } = expandPattern(pattern);
    this.files.boundary.addFolder(folderOf(pattern));
    for (const [path, error] of problems) this.problem(path, describeError(error, path));
    if (isTooWide) this.problem(pattern, 'the braces of the pattern stand for too many paths');
    else if (paths.length === 0 && problems.size === 0) this.problem(pattern, whyNoMatch(pattern));
    for (const path of linksLast(paths, folderOf(pattern))) {
      const reason = this.refusalOf(path);
      if (reason === undefined) this.addPath(path, false);
      else this.problem(path, reason);
    }
  }

  addStandardInput({ name, text }: StandardInput): void {
    // The files beside it may be read, too.
    this.files.boundary.addFolder(dirname(name));
    if (!this.isNew(name)) return;
    if (isConfigurationFile(basename(name)) || configurationSyntax(text) === 'hcl') this.configurations.addFile(name);
    else if (looksLikeTemplate(text) || looksLikePlan(text)) this.readFile(name, true);
    // It may be what a configuration reads: values of variables, user data.
    else this.undecided = { name, text };
  }

  /** @param folders those of configurations, whose other files are read when something asks for them */
  private addUndecided(folders: readonly string[]): void {
    if (this.undecided === undefined || this.files.isPipeUsed) return;
    const { name, text } = this.undecided;
    if (/\.tfvars(?:\.json)?$/.test(name) || looksLikeVariables(text)) this.problem(name, VARIABLES_ALONE);
    else if (!existsSync(name) || !folders.some((folder) => isWithin(name, folder))) this.readFile(name, true);
  }

  read(): ReadResult {
    this.followLinks();
    const configured = this.configurations.read(expandKnownModule, this.given.terraform, this.variableFiles());
    this.addUndecided(configured.rootModules.flatMap(({ folders }) => folders));
    const templates = this.groups.flatMap((group) => ('read' in group ? [] : group.templates));
    const result = readTemplates(templates, this.given, (path) => this.files.realPathOf(path));
    for (const nested of result.nested ?? []) this.reading.onNestedTemplate?.(nested);
    const counts = new Map(result.inputs.map((input) => [input.path, input.resources]));
    const inputs: InputSummary[] = [];
    for (const group of this.groups) {
      if ('read' in group) {
        inputs.push(group.read);
        continue;
      }
      const { summary, templates: own } = group;
      const read = own.filter(({ file }) => counts.has(file));
      if (read.length === 0 && summary.kind === 'cloudformation-template') continue;
      inputs.push({ ...summary, resources: read.reduce((sum, { file }) => sum + (counts.get(file) ?? 0), 0) });
    }
    inputs.push(...configured.inputs);
    for (const root of configured.rootModules) this.reading.onRootModule?.(root);
    const diagnostics = [...this.diagnostics, ...result.diagnostics, ...configured.diagnostics];
    for (const folder of this.namedFolders) {
      const isRead = inputs.some(({ path }) => isWithin(path, folder));
      const reason = isRead ? undefined : whyNoInputFolder(folder);
      if (reason !== undefined) {
        diagnostics.push(unreadable(folder, reason));
        this.passedBy.apps = this.passedBy.apps.filter((app) => app !== folder);
      } else if (!isRead && !diagnostics.some(({ file }) => isWithin(file, folder)) && !this.passes(folder))
        diagnostics.push(unreadable(folder, NOTHING_IN_FOLDER));
    }
    diagnostics.push(...this.passedByDiagnostics(), ...this.strayDiagnostics(inputs));
    const instances = [...this.instances, ...configured.instances];
    diagnostics.push(...tellNotRead(unreadInstances(instances)));
    const enabled = instances.filter(({ isNotEnabled = false }) => !isNotEnabled);
    const read = (some: readonly TerraformInstance[]) => [
      ...result.resources,
      ...readInstances(some, configured.acknowledgements),
    ];
    // Twice: what isn't enabled changes nothing of what is.
    const asIfEnabled = enabled.length === instances.length ? {} : { asIfEnabled: read(instances) };
    return {
      inputs,
      resources: read(enabled),
      ...asIfEnabled,
      diagnostics,
      suppressions: [...(result.suppressions ?? []), ...configured.suppressions],
      secrets: [...this.secrets, ...(result.secrets ?? []), ...configured.secrets],
    };
  }

  /** Whether something in a folder is told to be not read. */
  private passes(folder: string): boolean {
    return Object.values(this.passedBy).some((paths) => paths.some((path) => isWithin(path, folder)));
  }

  private passedByDiagnostics(): readonly Diagnostic[] {
    const { terragrunt, encrypted, apps, links } = this.passedBy;
    const told = (
      paths: readonly string[],
      what: Skipped['what'],
      message: (names: string) => string,
    ): readonly Diagnostic[] => {
      const [first] = paths;
      if (first === undefined) return [];
      return [
        { ...unreadable(first, message(named(paths))), severity: 'warning', skipped: { what, count: paths.length } },
      ];
    };
    return [
      ...told(terragrunt, 'Terragrunt folder', (names) => `${CHECK_TERRAGRUNT} (${names})`),
      ...told(
        encrypted,
        'encrypted file',
        (names) => `not checked, because encrypted: ${names}; check where they are unlocked`,
      ),
      ...told(
        links,
        'link',
        (names) => `links that lead out of what is checked are not followed: ${names}; name one to have it checked`,
      ),
      ...told(
        apps,
        'app',
        (names) => `apps of the CDK are not checked before they are synthesized (npx cdk synth -q): ${names}`,
      ),
    ];
  }

  /** Templates in an assembly of which its manifest says nothing: the CDK doesn't clear away what an earlier synthesis left. */
  private strayDiagnostics(inputs: readonly InputSummary[]): readonly Diagnostic[] {
    return inputs.flatMap(({ kind, path: folder, resources }) => {
      const strays =
        kind !== 'cdk-assembly' || resources === 0
          ? []
          : inputs.flatMap((input) =>
              input.kind === 'cloudformation-template' && relative(dirname(input.path), folder) === ''
                ? [basename(input.path)]
                : [],
            );
      if (strays.length === 0) return [];
      const message = `not in the manifest of this assembly, so checked on its own: ${named(strays)}; if an earlier synthesis left it, delete ${folder} and synthesize again`;
      return [{ ...unreadable(join(folder, MANIFEST), message), severity: 'warning' as const }];
    });
  }

  /** The files with values of variables that the user names; what is wrong with a name is told. */
  private variableFiles(): readonly string[] {
    return (this.given.varFiles ?? []).filter((file) => {
      this.files.boundary.addFileAlone(file);
      if (existsSync(file) || this.files.isPiped(file)) return true;
      const content = readNamed(file);
      if ('problem' in content) this.problem(file, content.problem);
      return false;
    });
  }

  /** What a pattern may not look into, the folder around it may not either. */
  private problem(file: string, message: string): void {
    if (!this.diagnostics.some((known) => known.file === file && known.message === message))
      this.diagnostics.push(unreadable(file, message));
  }

  /** Remembers a file or folder; false if it was read before, by this name or another. */
  private isNew(path: string): boolean {
    let real: string;
    try {
      real = this.files.identityOf(path);
    } catch (error) {
      this.problem(path, describeError(error, path));
      return false;
    }
    if (this.seen.has(real)) return false;
    this.seen.add(real);
    this.files.shownPaths.set(real, path);
    return true;
  }

  private addFile(file: string, named: boolean): void {
    if (!this.isNew(file)) return;
    if (isConfigurationFile(basename(file))) {
      // In a folder they are read with the folder.
      if (named) this.configurations.addFile(file);
      return;
    }
    this.readFile(file, named);
  }

  private readFile(file: string, named: boolean): void {
    const content = this.files.readInput(file);
    if ('problem' in content) {
      if (!named && content.problem === ENCRYPTED) this.passedBy.encrypted.push(file);
      else this.problem(file, content.problem);
      return;
    }
    const other = named && !looksLikeTemplate(content.text) ? whyNoInputText(content.text) : undefined;
    if (other !== undefined) {
      this.problem(file, other);
      return;
    }
    if (looksLikePlan(content.text) || (named && whyNoPlan(content.text) !== undefined)) {
      this.addPlan(content.text, file, named);
      return;
    }
    // In a folder many JSON and YAML files are something else.
    if (!named && !mayBeTemplate(content.text)) {
      const reason = whyUnreadable(content.text);
      if (reason !== undefined) this.notChecked(file, reason);
      return;
    }
    this.groups.push({
      summary: { path: file, kind: 'cloudformation-template' },
      templates: [{ file, text: content.text, optional: !named }],
    });
  }

  private addPlan(text: string, file: string, named: boolean): void {
    const { instances, diagnostics, summary, isOther, secrets = [] } = readPlan(text, file);
    if (isOther === true && !named) return;
    for (const secret of secrets) this.secrets.push(secret);
    this.diagnostics.push(...diagnostics);
    for (const instance of instances) this.instances.push(instance);
    // What could not be read was still looked at, and is listed with its diagnostic.
    this.groups.push({ read: summary ?? { path: file, kind: 'terraform-plan', resources: 0 } });
  }

  private addFolder(folder: string, named: boolean): void {
    if (!this.isNew(folder)) return;
    const mayLook = this.refusalOf(join(folder, MANIFEST)) === undefined;
    const isSynthesized =
      mayLook && (isAssembly(folder) ? this.addAssembly(folder) : isCdktfOutput(folder) && this.addCdktfOutput(folder));
    if (named && !isSynthesized) this.namedFolders.push(folder);
    if (isUnsynthesized(folder)) this.passedBy.apps.push(folder);
    this.configurations.addFolder(folder, named);
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      this.problem(folder, describeError(error, folder));
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) this.links.push(path);
      else this.addEntry(path, entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'special');
    }
  }

  private addEntry(path: string, kind: EntryKind | undefined): void {
    const name = basename(path);
    if (kind === 'special') this.tellSpecial(path);
    else if (kind === 'folder' && !SKIPPED_FOLDERS.has(name)) this.addFolder(path, false);
    else if (kind === 'file' && name === TERRAGRUNT_FILE) this.passedBy.terragrunt.push(dirname(path));
    else if (kind === 'file' && TEMPLATE_FILE.test(name)) this.addFile(path, false);
  }

  /** Links found in folders. What they lead to and is read by its own path isn't read again; behind some there are others. */
  private followLinks(): void {
    for (const path of this.links) this.addEntry(path, this.linkKind(path));
  }

  /** A pipe, a socket or a device, of which somebody may think that it is read. */
  private tellSpecial(path: string): void {
    try {
      refuseSpecialFile(path);
    } catch (error) {
      if (TEMPLATE_FILE.test(path)) this.notChecked(path, describeError(error, path));
    }
  }

  private refusalOf(path: string): string | undefined {
    try {
      return this.files.refusal(path);
    } catch {
      // What leads nowhere is told when it is read.
      return undefined;
    }
  }

  private linkKind(path: string): EntryKind | undefined {
    try {
      const status = statSync(path);
      if (status.isDirectory()) {
        if (SKIPPED_FOLDERS.has(basename(path)) || this.files.refusal(path) === undefined) return 'folder';
        this.passedBy.links.push(path);
        return undefined;
      }
      if (!TEMPLATE_FILE.test(path)) return 'file';
      if (!status.isFile()) {
        this.tellSpecial(path);
        return undefined;
      }
      const refusal = this.files.refusal(path);
      if (refusal !== undefined) this.notChecked(path, refusal);
      return refusal === undefined ? 'file' : undefined;
    } catch (error) {
      if (!LEADS_NOWHERE.has(codeOf(error))) this.problem(path, describeError(error));
      // The locks of an editor are links, too.
      else if (TEMPLATE_FILE.test(path) && !basename(path).startsWith('.#'))
        this.notChecked(path, whyNotRead(path, error));
      return undefined;
    }
  }

  private notChecked(file: string, reason: string): void {
    this.diagnostics.push({
      ...unreadable(file, `not checked: ${reason}`),
      severity: 'warning',
      skipped: { what: 'file', count: 1 },
    });
  }

  /** The stacks that a manifest lists. Whatever else is in its folder is read as anywhere. */
  private addCdktfOutput(folder: string): boolean {
    if (this.isNew(join(folder, MANIFEST))) this.configurations.addCdktfOutput(folder);
    return true;
  }

  private addAssembly(folder: string): boolean {
    // That of a stage is read with the app's.
    if (!this.isNew(join(folder, MANIFEST))) return true;
    const { templates, diagnostics, files, assetFolders } = readAssembly(folder, (file) => this.files.readInput(file));
    const folders = new Set(files.filter((file) => basename(file) === MANIFEST).map((file) => dirname(file)));
    for (const path of [...files, ...assetFolders.filter((asset) => isWrittenByCdk(dirname(asset)))])
      this.take(path, folders);
    this.diagnostics.push(...diagnostics);
    this.groups.push({ summary: { path: folder, kind: 'cdk-assembly' }, templates });
    return true;
  }

  /** What an assembly names isn't read once more where it lies in a folder of it. Elsewhere, and behind a link, it has a place of its own as well. */
  private take(path: string, folders: ReadonlySet<string>): void {
    if (folders.has(dirname(path)) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false)
      this.seen.add(this.files.identityOf(path));
  }
}

/** What is in its own place before what links lead to, so that paths beside it are told from there. */
function linksLast(paths: readonly string[], folder: string): readonly string[] {
  const isDirect = (path: string): boolean => {
    try {
      return realpathSync(path) === join(realpathSync(folder), relative(folder, path));
    } catch {
      return false;
    }
  };
  const direct = new Set(paths.filter(isDirect));
  return [...direct, ...paths.filter((path) => !direct.has(path))];
}

function named(paths: readonly string[]): string {
  return `${paths.slice(0, MOST_NAMED).join(', ')}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''}`;
}

function unreadable(file: string, message: string): Diagnostic {
  return { severity: 'error', message, file, line: 1, column: 1 };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || !relative(folder, path).startsWith('..');
}

/** Whether an app of the CDK wrote a folder. */
export function isAssembly(folder: string): boolean {
  const manifest = join(folder, MANIFEST);
  if (!existsSync(manifest)) return false;
  if (isWrittenByCdk(folder)) return true;
  const content = readText(manifest);
  return 'text' in content && /"(?:aws:cloudformation:stack|cdk:cloud-assembly)"/.test(content.text);
}

/** Whether the CDK has left its mark beside a manifest. Beside that of a web app there may be a folder of the same name. */
function isWrittenByCdk(folder: string): boolean {
  return statSync(join(folder, 'cdk.out'), { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether an app of CDKTF or CDK Terrain wrote a folder. */
export function isCdktfOutput(folder: string): boolean {
  const manifest = join(folder, MANIFEST);
  if (!existsSync(manifest)) return false;
  if (basename(resolve(folder)) === 'cdktf.out') return true;
  const content = readText(manifest);
  return 'text' in content && isCdktfManifest(content.text);
}

/** What might have been a template, for all that can be told. */
function whyUnreadable(text: string): string | undefined {
  if (text.trim() === '') return 'the file is empty';
  return text.includes('\0') ? 'the file is binary, not JSON or YAML' : undefined;
}
