import { dirname, sep } from 'node:path';
import type { CheckResult } from '../../check';
import { isCrash, summarize, type Finding } from '../../engine';
import type { Reading, RootModuleFolders } from '../../front-ends/input-files';
import { gitPathOf, gitPathsOf, type GitChanges } from './git-changes';

/** What decides about a configuration beside the files that it reads. */
const CONFIGURATION = /\.(?:tf|tofu|tfvars)(?:\.json)?$/;

/**
 * Leaves of a check what a change has to do with. All is read and judged as always, so that links resolve; then a finding stays if
 * - the file of its resource, of its place, or of another place that takes part in it has changed, a link that leads there, or a template that uses
 *   one of them for a nested stack, or
 * - its resource belongs to a root module of Terraform with a change, be it in a module that it calls, in its variables, or in a file that it reads,
 *   looks for or lists.
 *
 * Input that could not be read always stays, and so does that a rule stopped.
 *
 * Files that git doesn't have (generated ones that it ignores, such as `cdk.out` and plans; those outside of the repository) count as changed:
 * nothing is known of what they were.
 */
export class ChangedSince {
  private readonly roots: RootModuleFolders[] = [];
  private readonly read = new Map<string, Set<string>>([
    ['input', new Set()],
    ['configuration', new Set()],
  ]);
  /** What configurations ask for without reading it. */
  private readonly asked = new Set<string>();
  /** The templates that use one for a nested stack. */
  private readonly parents = new Map<string, string[]>();
  private readonly verdicts = new Map<string, boolean>();

  constructor(private readonly changes: GitChanges) {}

  /** What the check has to tell while it reads. */
  readonly reading: Pick<Required<Reading>, 'onFile' | 'onAsked' | 'onNestedTemplate' | 'onRootModule'> = {
    onFile: (file, role) => {
      this.read.get(role)?.add(file);
    },
    onAsked: (path) => {
      const where = gitPathsOf(path).at(-1);
      if (where !== undefined) this.asked.add(where);
    },
    onNestedTemplate: ({ file, parent }) => {
      const parents = this.parents.get(file);
      if (parents === undefined) this.parents.set(file, [parent]);
      else parents.push(parent);
    },
    onRootModule: (root) => {
      this.roots.push(root);
    },
  };

  /** The part of a result that belongs to the changes. */
  of(result: CheckResult): CheckResult {
    const changedRoots = this.changedRoots();
    const stacks = new Set(changedRoots.map(({ stack }) => stack));
    const listed = new Set(changedRoots.map(({ path }) => path));
    const folders = new Set(changedRoots.flatMap((root) => root.folders));
    const findings = result.findings.filter(
      (finding) =>
        isCrash(finding) ||
        (isConfigured(finding) && stacks.has(finding.resource.stack)) ||
        this.filesOf(finding).some((file) => this.hasChanged(file)),
    );
    const inputFiles = [...(this.read.get('input') ?? []), ...(this.read.get('configuration') ?? [])];
    const roots = new Set(this.roots.map(({ path }) => path));
    const inputs = result.inputs.filter(({ path, kind }) =>
      roots.has(path) && kind === 'terraform-configuration'
        ? listed.has(path)
        : inputFiles.some((file) => isWithin(file, path) && this.hasChanged(file)),
    );
    // What could not be read may be part of what has changed.
    const diagnostics = result.diagnostics.filter(
      ({ file, severity }) =>
        severity === 'error' || this.hasChanged(file) || folders.has(dirname(file)) || listed.has(file),
    );
    return { ...result, inputs, findings, diagnostics, summary: summarize(findings) };
  }

  private changedRoots(): readonly RootModuleFolders[] {
    const known = new Set(this.roots.flatMap(({ folders }) => folders.map(realFolder)));
    // Only what git lists as changed. Files that it ignores, often .tfvars, count as changed elsewhere, and would make every configuration so.
    const files = [...this.changes.changed].filter((path) => CONFIGURATION.test(path));
    const parts = this.changedParts();
    files.push(...parts);
    // Of a part in the folder of no module, any may be the one that asks for it.
    const isElsewhere = parts.some((file) => ownerOf(file, known) === undefined);
    const owners = new Set(files.map((file) => ownerOf(file, known)));
    return this.roots.filter(({ folders }) => folders.some((folder) => owners.has(realFolder(folder))) || isElsewhere);
  }

  /** What has changed of the files that configurations read, look for or list. */
  private changedParts(): readonly string[] {
    const read = [...(this.read.get('configuration') ?? [])]
      .filter((file) => gitPathsOf(file).some((path) => this.changes.changed.has(path)))
      .map(gitPathOf);
    const asked = [...this.changes.changed].filter((path) => this.asked.has(path) || this.asked.has(dirname(path)));
    return [...read, ...asked];
  }

  private filesOf({ resource, source, related }: Finding): readonly string[] {
    return [resource.source, source, ...related.map((place) => place.source)].map((place) => place.locate().file);
  }

  private hasChanged(file: string): boolean {
    let verdict = this.verdicts.get(file);
    if (verdict === undefined) {
      verdict = this.withParents(file).some((path) => {
        const paths = gitPathsOf(path);
        return (
          paths.some((passed) => this.changes.changed.has(passed)) || !this.changes.tracked.has(paths.at(-1) ?? path)
        );
      });
      this.verdicts.set(file, verdict);
    }
    return verdict;
  }

  /** A file and the templates that use it, directly or not. */
  private withParents(file: string): readonly string[] {
    const all = new Set([file]);
    for (const one of all) for (const parent of this.parents.get(one) ?? []) all.add(parent);
    return [...all];
  }
}

function isConfigured({ resource }: Finding): boolean {
  return resource.dialect.scopeOfNames === 'stack';
}

function realFolder(folder: string): string {
  return dirname(gitPathOf(`${folder}/any`));
}

/** The nearest folder of a module around a file. */
function ownerOf(file: string, folders: ReadonlySet<string>): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (folders.has(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(path.endsWith(sep) ? path : path + sep);
}
