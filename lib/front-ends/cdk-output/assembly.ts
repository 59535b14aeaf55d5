import { join } from 'node:path';
import { acknowledgedRule } from '../../value/acknowledgement-id';
import type { Acknowledgement, Diagnostic, Source, SourceLocation } from '../../value';
import { parseDocument, type DocumentPath, type ParsedDocument } from '../../languages';
import type { TemplateInput } from '../../cloudformation/template-input';
import { isMap, member } from '../../cloudformation/cursor';
import { UserLines } from '../parts/user-lines';

/** The newest major version of the cloud assembly manifest that this reader was written for (aws-cdk-lib 2.276). */
const KNOWN_MANIFEST_VERSION = 55;

/** Stages within stages within … deeper than this are no app. */
const MAX_STAGE_DEPTH = 20;

export type ReadText = (file: string) => { readonly text: string } | { readonly problem: string };

/** Templates of an assembly; those of nested stacks hang below the template that uses them. */
export interface AssemblyResult {
  readonly templates: readonly TemplateInput[];
  readonly diagnostics: readonly Diagnostic[];
  /** Its manifests, and the files that it names as templates. What else it reads says nothing that would be deployed. */
  readonly files: readonly string[];
  /** Folders of its assets: what is deployed to run, and not as infrastructure. */
  readonly assetFolders: readonly string[];
}

/**
 * Reads a CDK assembly: all its stacks, those of nested stages, and the templates of nested stacks.
 * @param readText reads a file; the assembly itself does no I/O
 */
export function readAssembly(folder: string, readText: ReadText): AssemblyResult {
  const reader = new AssemblyReader(readText);
  reader.readFolder(folder, 0);
  return {
    templates: reader.templates,
    diagnostics: reader.diagnostics,
    files: reader.files,
    assetFolders: reader.assetFolders,
  };
}

class AssemblyReader {
  readonly templates: TemplateInput[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly files: string[] = [];
  readonly assetFolders: string[] = [];
  private readonly folders = new Set<string>();
  private readonly userLines = new UserLines();

  constructor(private readonly readText: ReadText) {}

  readFolder(folder: string, depth: number): void {
    if (this.folders.has(folder) || depth > MAX_STAGE_DEPTH) return;
    this.folders.add(folder);
    const file = join(folder, 'manifest.json');
    this.files.push(file);
    const document = this.parse(file);
    if (document === undefined) return;
    this.checkVersion(document, file);
    const artifacts = member(document.root, 'artifacts');
    if (!isMap(artifacts)) {
      if (artifacts !== undefined)
        this.problem(file, document, ['artifacts'], 'the artifacts of the assembly are no map');
      return;
    }
    for (const [id, artifact] of Object.entries(artifacts)) {
      const type = member(artifact, 'type');
      const properties = member(artifact, 'properties');
      if (type === 'aws:cloudformation:stack') this.readStack(folder, file, document, id, artifact);
      else if (type === 'cdk:cloud-assembly') {
        const name = member(properties, 'directoryName');
        if (typeof name === 'string') this.readFolder(join(folder, name), depth + 1);
        else this.problem(file, document, ['artifacts', id], `the nested assembly ${id} names no folder`);
      }
    }
  }

  private checkVersion(document: ParsedDocument, file: string): void {
    const version = member(document.root, 'version');
    const major = typeof version === 'string' ? Number.parseInt(version, 10) : Number.NaN;
    if (Number.isNaN(major))
      this.problem(file, document, ['version'], 'the manifest has no version, so it is no manifest of a CDK assembly');
    else if (major > KNOWN_MANIFEST_VERSION) {
      this.problem(
        file,
        document,
        ['version'],
        `the assembly has manifest version ${String(version)}, newer than ${KNOWN_MANIFEST_VERSION}, the newest that is understood; what could be read was checked`,
      );
    }
  }

  private readStack(
    folder: string,
    manifestFile: string,
    manifest: ParsedDocument,
    id: string,
    artifact: unknown,
  ): void {
    const properties = member(artifact, 'properties');
    const templateFile = member(properties, 'templateFile');
    if (typeof templateFile !== 'string') {
      this.problem(manifestFile, manifest, ['artifacts', id], `stack ${id} names no template file`);
      return;
    }
    const metadata = this.metadata(folder, manifestFile, manifest, id, artifact);
    const stackName = member(properties, 'stackName');
    const path = member(artifact, 'displayName');
    const target = member(artifact, 'environment');
    const environment = typeof target === 'string' ? /^aws:\/\/([^/]+)\/([^/]+)$/.exec(target) : null;
    const account = environment?.[1];
    const region = environment?.[2];
    const stack: StackContext = {
      folder,
      name: typeof stackName === 'string' ? stackName : id,
      path: typeof path === 'string' ? path : undefined,
      account: account === undefined || account.startsWith('unknown-') ? undefined : account,
      region: region === undefined || region.startsWith('unknown-') ? undefined : region,
      metadata,
      templatesByHash: this.templatesByHash(folder, id),
    };
    const input = this.template(templateFile, stack, new Set());
    if (input !== undefined) this.templates.push(input);
  }

  /** Metadata stands in the manifest, or in a file beside it that newer versions write. */
  private metadata(
    folder: string,
    manifestFile: string,
    manifest: ParsedDocument,
    id: string,
    artifact: unknown,
  ): ConstructMetadata {
    const metadata = new ConstructMetadata(this.userLines);
    metadata.add(member(artifact, 'metadata'), manifest, manifestFile, ['artifacts', id, 'metadata']);
    const name = member(artifact, 'additionalMetadataFile');
    if (typeof name === 'string') {
      const file = join(folder, name);
      const document = this.parse(file);
      if (document !== undefined) metadata.add(document.root, document, file, []);
    }
    return metadata;
  }

  /** Files of the stack's assets by hash: a nested stack's URL holds the hash of its template. */
  private templatesByHash(folder: string, id: string): ReadonlyMap<string, string> {
    const byHash = new Map<string, string>();
    const content = this.readText(join(folder, `${id}.assets.json`));
    if ('problem' in content) return byHash;
    const files = member(parseDocument(content.text, 'assets.json').root, 'files');
    if (!isMap(files)) return byHash;
    for (const [hash, asset] of Object.entries(files)) {
      const path = member(member(asset, 'source'), 'path');
      if (typeof path !== 'string') continue;
      if (path.endsWith('.json')) byHash.set(hash, path);
      // Any other name would let a list of assets hide what is none.
      else if (/^asset\.[\da-f]{64}$/.test(path)) this.assetFolders.push(join(folder, path));
    }
    return byHash;
  }

  private template(name: string, stack: StackContext, ancestors: ReadonlySet<string>): TemplateInput | undefined {
    const file = join(stack.folder, name);
    this.files.push(file);
    const content = this.readText(file);
    if ('problem' in content) {
      this.diagnostics.push({ severity: 'error', message: content.problem, file, line: 1, column: 1 });
      return undefined;
    }
    return {
      file,
      text: content.text,
      stack: stack.name,
      ...(stack.region === undefined ? {} : { region: stack.region }),
      ...(stack.account === undefined ? {} : { account: stack.account }),
      assembly: {
        ...(stack.path === undefined ? {} : { stackPath: stack.path }),
        nestedTemplates: this.nestedTemplates(content.text, file, stack, new Set([...ancestors, name])),
        constructPaths: stack.metadata.constructPaths(name),
        createdAt: (path) => stack.metadata.createdAt(path),
        acknowledgements: stack.metadata.acknowledgements,
      },
    };
  }

  private nestedTemplates(
    text: string,
    file: string,
    stack: StackContext,
    ancestors: ReadonlySet<string>,
  ): ReadonlyMap<string, TemplateInput> {
    const nested = new Map<string, TemplateInput>();
    if (!text.includes('"AWS::CloudFormation::Stack"')) return nested;
    const resources = member(parseDocument(text, file).root, 'Resources');
    if (!isMap(resources)) return nested;
    for (const [id, resource] of Object.entries(resources)) {
      if (member(resource, 'Type') !== 'AWS::CloudFormation::Stack') continue;
      const name = nestedTemplateFile(resource, stack);
      if (name === undefined || ancestors.has(name)) continue;
      const template = this.template(name, stack, ancestors);
      if (template !== undefined) nested.set(id, template);
    }
    return nested;
  }

  private parse(file: string): ParsedDocument | undefined {
    const content = this.readText(file);
    if ('problem' in content) {
      this.diagnostics.push({ severity: 'error', message: content.problem, file, line: 1, column: 1 });
      return undefined;
    }
    const document = parseDocument(content.text, file);
    this.diagnostics.push(...document.diagnostics);
    return document.root === undefined ? undefined : document;
  }

  private problem(file: string, document: ParsedDocument, path: DocumentPath, message: string): void {
    this.diagnostics.push({ severity: 'error', message, file, ...document.locate(path) });
  }
}

interface StackContext {
  readonly folder: string;
  readonly name: string;
  /** Construct path. */
  readonly path: string | undefined;
  readonly account: string | undefined;
  readonly region: string | undefined;
  readonly metadata: ConstructMetadata;
  readonly templatesByHash: ReadonlyMap<string, string>;
}

/**
 * File of a nested stack's template: CDK writes it into the metadata when run by its CLI; else its hash is in the URL. It lies beside the template
 * that uses it: a path to elsewhere is none of the CDK's, and would have any template judged with what a stranger passes to it.
 */
function nestedTemplateFile(resource: unknown, { templatesByHash }: StackContext): string | undefined {
  const path = member(member(resource, 'Metadata'), 'aws:asset:path');
  const url = JSON.stringify(member(member(resource, 'Properties'), 'TemplateURL') ?? '');
  const name = typeof path === 'string' ? path : templatesByHash.get(/([0-9a-f]{64})\.json/.exec(url)?.[1] ?? '');
  return name === undefined || /[\\/]/.test(name) ? undefined : name;
}

/** What an assembly says about the constructs of one stack. */
class ConstructMetadata {
  readonly acknowledgements: Acknowledgement[] = [];
  /** Construct path by logical id, of all templates together. */
  private readonly logicalIds: { readonly path: string; readonly logicalId: string }[] = [];
  private readonly templateFiles = new Map<string, string>();
  /** The calls that made a construct, innermost first, by its path. */
  private readonly traces = new Map<string, readonly unknown[]>();

  constructor(private readonly userLines: UserLines) {}

  add(metadata: unknown, document: ParsedDocument, file: string, at: DocumentPath): void {
    if (!isMap(metadata)) return;
    for (const [key, entries] of Object.entries(metadata)) {
      if (!Array.isArray(entries)) continue;
      const path = key.replace(/^\//, '');
      for (const [index, entry] of (entries as unknown[]).entries()) {
        const data = member(entry, 'data');
        switch (member(entry, 'type')) {
          case 'aws:cdk:logicalId':
            if (typeof data === 'string') this.logicalIds.push({ path, logicalId: data });
            // Older versions write the calls here, when they are asked for them.
            this.trace(path, member(entry, 'trace'));
            break;
          case 'aws:cdk:creationStack':
            this.trace(path, data);
            break;
          case 'aws:cdk:templateFile':
            if (typeof data === 'string') this.templateFiles.set(path, data);
            break;
          case 'aws:cdk:acknowledged-rules':
            this.acknowledge(path, data, (id) => ({
              locate: () => ({ file, ...document.locate([...at, key, index, 'data', id]) }),
            }));
            break;
        }
      }
    }
  }

  private trace(path: string, frames: unknown): void {
    if (Array.isArray(frames) && !this.traces.has(path)) this.traces.set(path, frames);
  }

  /** The line of the user's that makes a construct, or the nearest around it of which that is told. */
  createdAt(path: string): SourceLocation | undefined {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const found = this.userLines.find(this.traces.get(path.slice(0, end)) ?? []);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Construct paths of the resources of one template. */
  constructPaths(templateFile: string): ReadonlyMap<string, string> {
    const paths = new Map<string, string>();
    for (const { path, logicalId } of this.logicalIds) {
      const owner = this.templateOf(path);
      if ((owner === undefined || owner === templateFile) && !paths.has(logicalId)) paths.set(logicalId, path);
    }
    return paths;
  }

  private templateOf(path: string): string | undefined {
    if (this.templateFiles.size === 0) return undefined;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const file = this.templateFiles.get(path.slice(0, end));
      if (file !== undefined) return file;
    }
    return undefined;
  }

  private acknowledge(constructPath: string, data: unknown, sourceOf: (id: string) => Source): void {
    if (!isMap(data)) return;
    for (const [id, reason] of Object.entries(data)) {
      const rule = acknowledgedRule(id);
      if (rule === undefined) continue;
      this.acknowledgements.push({
        constructPath,
        rule,
        reason: typeof reason === 'string' ? reason : '',
        source: sourceOf(id),
      });
    }
  }
}
