import { isAbsolute, join, resolve } from 'node:path';
import type { Diagnostic } from '../../value';
import { parseDocument, type DocumentPath, type ParsedDocument } from '../../languages';
import type { ConfigurationFile } from '../../terraform/configuration-file';
import { isJsonMap, memberOf, textOf } from '../../terraform/json-tree';
import type { FolderAccess } from '../../terraform/module/folder-access';
import { hclFile } from '../../terraform/module/hcl-file';
import type { RootModule } from '../../terraform/module/root-module';
import { variableFileNames, type VariableFile } from '../../terraform/module/tfvars';
import type { AppStacks } from '../terraform/configuration-folders';
import { libraryOf } from '../terraform/app-library';
import { parseJsonConfiguration } from '../../terraform/json';

const MANIFEST = 'manifest.json';

/** What stands in the folder from which an app is deployed. */
const PROJECT_FILES: ReadonlySet<string> = new Set(['cdktf.json', 'cdktn.json']);

/** Whether a `manifest.json` is one of CDKTF (`cdktf.out`), by what it lists. */
export function isCdktfManifest(text: string): boolean {
  return (
    /"stacks"\s*:\s*\{/.test(text) &&
    (text.includes('"synthesizedStackPath"') ||
      /"stacks"\s*:\s*\{\s*\}\s*,\s*"version"|"version"\s*:\s*"[^"]*"\s*,\s*"stacks"\s*:\s*\{\s*\}/.test(text))
  );
}

/**
 * Reads the folder that `cdktf synth` or `cdktn synth` writes, `cdktf.out`: its stacks, in JSON or HCL. Never throws; what can't be read
 * becomes diagnostics.
 */
export function readCdktfOutput(folder: string, access: FolderAccess): AppStacks {
  return new OutputReader(folder, access).read();
}

class OutputReader {
  private readonly diagnostics: Diagnostic[] = [];
  private readonly manifestFile: string;

  constructor(
    private readonly folder: string,
    private readonly access: FolderAccess,
  ) {
    this.manifestFile = join(folder, MANIFEST);
  }

  read(): AppStacks {
    const roots: RootModule[] = [];
    const manifest = this.manifest();
    const stacks = memberOf(manifest?.root, 'stacks');
    if (manifest !== undefined && !isJsonMap(stacks))
      this.problem(manifest, [], 'the manifest lists no stacks, so it is none of CDKTF');
    for (const [name, stack] of Object.entries(isJsonMap(stacks) ? stacks : {})) {
      const root = manifest === undefined ? undefined : this.stack(name, stack, manifest);
      if (root !== undefined) roots.push(root);
    }
    return { roots, diagnostics: this.diagnostics };
  }

  private manifest(): ParsedDocument | undefined {
    const text = this.text(this.manifestFile);
    if (text === undefined) return undefined;
    const manifest = parseDocument(text, this.manifestFile);
    this.diagnostics.push(...manifest.diagnostics);
    return manifest.root === undefined ? undefined : manifest;
  }

  private stack(key: string, stack: unknown, manifest: ParsedDocument): RootModule | undefined {
    const name = textOf(memberOf(stack, 'name')) ?? key;
    const path = textOf(memberOf(stack, 'synthesizedStackPath'));
    if (path === undefined || !isWithin(path)) {
      this.problem(
        manifest,
        ['stacks', key, 'synthesizedStackPath'],
        path === undefined ? `stack ${name} names no file` : `the file of stack ${name} stands outside of this folder`,
      );
      return undefined;
    }
    const folder = join(this.folder, path, '..');
    const directory = textOf(memberOf(stack, 'workingDirectory'));
    // Terraform runs in that folder and takes the files there: one from elsewhere would change what they say.
    if (directory !== undefined && resolve(this.folder, directory) !== resolve(folder)) {
      this.problem(
        manifest,
        ['stacks', key, 'workingDirectory'],
        `the file of stack ${name} doesn't stand in its working directory`,
      );
      return undefined;
    }
    const file = this.file(join(this.folder, path), textOf(memberOf(stack, 'stackMetadataPath')));
    if (file === undefined) return undefined;
    return {
      folder,
      files: [file],
      variableFiles: this.variableFiles(folder),
      stack: name,
      frontEnd: libraryOf(file),
      cdktf: { app: this.folder, constructPath: textOf(memberOf(stack, 'constructPath')) ?? name },
    };
  }

  private file(file: string, metadata: string | undefined): ConfigurationFile | undefined {
    const text = this.text(file);
    if (text === undefined) return undefined;
    // Where only the app asked for HCL, and not the command, CDKTF gives JSON the name of HCL.
    if (file.endsWith('.json') || /^\s*\{/.test(text)) return parseJsonConfiguration(text, file);
    return { ...hclFile(text, file), ...this.metadata(metadata) };
  }

  /** Where the constructs of a stack in HCL are told: a file of its own, in the shape of JSON configuration. */
  private metadata(path: string | undefined): Partial<ConfigurationFile> {
    const content = path !== undefined && isWithin(path) ? this.access.read(join(this.folder, path)) : undefined;
    if (content === undefined || 'problem' in content) return {};
    const { constructPaths, comment } = parseJsonConfiguration(content.text, path ?? '');
    return { ...(constructPaths === undefined ? {} : { constructPaths }), comment };
  }

  /** Terraform takes those of the stack's folder; the command of CDKTF hands it those of the project, which win. */
  private variableFiles(folder: string): readonly VariableFile[] {
    const project = join(this.folder, '..');
    const isProject = (this.access.files(project) ?? []).some((name) => PROJECT_FILES.has(name));
    return [...this.variableFilesIn(folder), ...(isProject ? this.variableFilesIn(project) : [])];
  }

  private variableFilesIn(folder: string): readonly VariableFile[] {
    return variableFileNames(this.access.files(folder) ?? []).flatMap((name): VariableFile[] => {
      const file = join(folder, name);
      const text = this.text(file);
      return text === undefined ? [] : [{ file, text }];
    });
  }

  private text(file: string): string | undefined {
    const content = this.access.read(file);
    if ('text' in content) return content.text;
    this.diagnostics.push({ severity: 'error', message: content.problem, file, line: 1, column: 1 });
    return undefined;
  }

  private problem(manifest: ParsedDocument, path: DocumentPath, message: string): void {
    this.diagnostics.push({ severity: 'error', message, file: this.manifestFile, ...manifest.locate(path) });
  }
}

/** Whether a path of a manifest stays in its folder. */
function isWithin(path: string): boolean {
  return !isAbsolute(path) && !path.split(/[\\/]/).includes('..');
}
