import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../engine/finding';
import { readAssembly } from './cloudformation/assembly';
import { readTemplates } from './cloudformation';
import type { InputSummary, ReadResult, TemplateInput } from './reader';
import { isCdktfManifest } from './terraform/cdktf-output';
import type { TerraformInstance } from './terraform/instance';
import { expandKnownModule } from './terraform/known-modules';
import { ConfigurationFolders, isConfigurationFile } from './terraform/module/configuration-folders';
import type { FolderAccess } from './terraform/module/folder-access';
import { looksLikePlan, readPlan, whyNoPlan } from './terraform/plan';
import { readInstances } from './terraform/resources';

/** Folders that never hold templates of the user's own. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.terraform']);

const TEMPLATE_FILE = /\.(?:json|ya?ml|template)$/i;

/** What input there may be in a folder. */
const NOTHING_IN_FOLDER = 'the folder holds no CloudFormation template, no CDK assembly, no Terraform plan and no Terraform configuration';

/** Larger files are refused before they are read. */
const MAX_FILE_SIZE = 512 * 1024 * 1024;

/**
 * Reads template files, folders of them, CDK assemblies (`cdk.out`), plans of Terraform in JSON, folders of Terraform configuration and what
 * CDKTF writes (`cdktf.out`). All paths are read together, so that links across them resolve. Never throws: what can't be read becomes a
 * diagnostic of severity `error`.
 */
export function readPaths(paths: readonly string[]): ReadResult {
  const collection = new Collection();
  for (const path of paths) collection.addPath(path);
  return collection.read();
}

/** A text file, or why it can't be read. */
export function readText(file: string): { readonly text: string } | { readonly problem: string } {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size > MAX_FILE_SIZE) return { problem: `the file is larger than ${MAX_FILE_SIZE / 1024 / 1024} MB` };
      return { text: decode(readFileSync(descriptor)) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return { problem: describeError(error) };
  }
}

/** Files beside a configuration: others of its folder, modules, and what it reads with `file()`. */
const folderAccess: FolderAccess = {
  files: (folder) => {
    try {
      return readdirSync(folder, { withFileTypes: true })
        .flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]))
        .sort();
    } catch {
      return undefined;
    }
  },
  read: (file) => {
    try {
      // A pipe would be waited for.
      if (!statSync(file).isFile()) return { problem: 'it is no file' };
    } catch (error) {
      return { problem: describeError(error) };
    }
    return readText(file);
  },
};

/** UTF-8, or UTF-16 as `>` of Windows PowerShell writes it. */
function decode(content: Buffer): string {
  return content[0] === 0xff && content[1] === 0xfe ? content.toString('utf16le', 2) : content.toString('utf8');
}

/** Reasons of the operating system in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'permission to read it is denied',
  EPERM: 'permission to read it is denied',
  ELOOP: 'its symbolic links form a loop',
  EISDIR: 'it is a folder, not a file',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
};

/** Reason of the operating system for which something can't be read. */
export function describeError(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `it can't be read (${code === '' ? String(error) : code})`;
}

/** What is listed as one input. */
type Group = { readonly summary: Omit<InputSummary, 'resources'>; readonly templates: readonly TemplateInput[] } | { readonly read: InputSummary };

class Collection {
  private readonly diagnostics: Diagnostic[] = [];
  private readonly groups: Group[] = [];
  private readonly instances: TerraformInstance[] = [];
  private readonly configurations = new ConfigurationFolders(folderAccess);
  private readonly namedFolders: string[] = [];
  /** Real paths of folders and files that are read already. */
  private readonly seen = new Set<string>();

  addPath(path: string): void {
    let isFolder: boolean;
    try {
      isFolder = statSync(path).isDirectory();
    } catch (error) {
      this.problem(path, describeError(error));
      return;
    }
    if (isFolder) this.addFolder(path, true);
    else if (/(?:^|[\\/])manifest\.json$/.test(path) && existsSync(join(path, '..', 'cdk.out'))) this.addAssembly(join(path, '..'));
    else if (basename(path) === 'manifest.json' && isCdktfOutput(dirname(path))) this.addCdktfOutput(dirname(path));
    else this.addFile(path, true);
  }

  read(): ReadResult {
    const templates = this.groups.flatMap((group) => ('read' in group ? [] : group.templates));
    const result = readTemplates(templates);
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
    const configured = this.configurations.read(expandKnownModule);
    inputs.push(...configured.inputs);
    const diagnostics = [...this.diagnostics, ...result.diagnostics, ...configured.diagnostics];
    for (const folder of this.namedFolders) {
      const holdsInput = inputs.some(({ path }) => isWithin(path, folder)) || diagnostics.some(({ file }) => isWithin(file, folder));
      if (!holdsInput) diagnostics.push(unreadable(folder, NOTHING_IN_FOLDER));
    }
    return { inputs, resources: [...result.resources, ...readInstances([...this.instances, ...configured.instances], configured.acknowledgements)], diagnostics };
  }

  private problem(file: string, message: string): void {
    this.diagnostics.push(unreadable(file, message));
  }

  /** Remembers a file or folder; false if it was read before, by this name or another. */
  private isNew(path: string): boolean {
    let real: string;
    try {
      real = realpathSync(path);
    } catch (error) {
      this.problem(path, describeError(error));
      return false;
    }
    if (this.seen.has(real)) return false;
    this.seen.add(real);
    return true;
  }

  private addFile(file: string, named: boolean): void {
    if (!this.isNew(file)) return;
    if (isConfigurationFile(basename(file))) {
      // In a folder they are read with the folder.
      if (named) this.configurations.addFile(file);
      return;
    }
    const content = readText(file);
    if ('problem' in content) {
      this.problem(file, content.problem);
      return;
    }
    if (looksLikePlan(content.text) || (named && whyNoPlan(content.text) !== undefined)) {
      this.addPlan(content.text, file, named);
      return;
    }
    // In a folder many JSON and YAML files are something else.
    if (!named && !looksLikeTemplate(content.text)) {
      const reason = whyUnreadable(content.text);
      if (reason !== undefined) this.diagnostics.push({ ...unreadable(file, `not checked: ${reason}`), severity: 'warning' });
      return;
    }
    this.groups.push({ summary: { path: file, kind: 'cloudformation-template' }, templates: [{ file, text: content.text, optional: !named }] });
  }

  private addPlan(text: string, file: string, named: boolean): void {
    const { instances, diagnostics, summary, isOther } = readPlan(text, file);
    if (isOther === true && !named) return;
    this.diagnostics.push(...diagnostics);
    for (const instance of instances) this.instances.push(instance);
    // What could not be read was still looked at, and is listed with its diagnostic.
    this.groups.push({ read: summary ?? { path: file, kind: 'terraform-plan', resources: 0 } });
  }

  private addFolder(folder: string, named: boolean): void {
    if (existsSync(join(folder, 'manifest.json')) && isAssembly(folder)) {
      this.addAssembly(folder);
      return;
    }
    if (isCdktfOutput(folder)) {
      this.addCdktfOutput(folder);
      return;
    }
    if (!this.isNew(folder)) return;
    if (named) this.namedFolders.push(folder);
    this.configurations.addFolder(folder, named);
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      this.problem(folder, describeError(error));
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const kind = entry.isSymbolicLink() ? linkKind(path) : entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : undefined;
      if (kind === 'folder' && !SKIPPED_FOLDERS.has(entry.name)) this.addFolder(path, false);
      else if (kind === 'file' && TEMPLATE_FILE.test(entry.name)) this.addFile(path, false);
    }
  }

  private addCdktfOutput(folder: string): void {
    if (this.isNew(folder)) this.configurations.addCdktfOutput(folder);
  }

  private addAssembly(folder: string): void {
    if (!this.isNew(folder)) return;
    const { templates, diagnostics } = readAssembly(folder, readText);
    this.diagnostics.push(...diagnostics);
    this.groups.push({ summary: { path: folder, kind: 'cdk-assembly' }, templates });
  }
}

function unreadable(file: string, message: string): Diagnostic {
  return { severity: 'error', message, file, line: 1, column: 1 };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || !relative(folder, path).startsWith('..');
}

function linkKind(path: string): 'folder' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    // A dangling link in a folder is nobody's template.
    return undefined;
  }
}

function isAssembly(folder: string): boolean {
  if (existsSync(join(folder, 'cdk.out'))) return true;
  const manifest = readText(join(folder, 'manifest.json'));
  return 'text' in manifest && /"(?:aws:cloudformation:stack|cdk:cloud-assembly)"/.test(manifest.text);
}

function isCdktfOutput(folder: string): boolean {
  const manifest = join(folder, 'manifest.json');
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

/** A key `Resources` at the top level of the text, as JSON or YAML write it. */
function looksLikeTemplate(text: string): boolean {
  return /^\s*[{[]/.test(text) ? text.includes('"Resources"') : /^(?:Resources|"Resources"|'Resources')\s*:/m.test(text);
}
