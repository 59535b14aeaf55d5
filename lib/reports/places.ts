import type { CheckResult } from '../check';
import { fingerprints, type Diagnostic, type Finding } from '../engine';
import type { SourceLocation } from '../eks';
import { SourceText, wordLength } from './code-frame';
import type { ReportContext } from './format';
import { wellFormed } from './prose';
import type { Repository } from './repository';

/** Longest key or value whose end is looked for, in UTF-16 code units. */
const LONGEST_WORD = 1000;

/**
 * Places as programs want them: the path of a file from the root of the repository, with slashes. What lies outside keeps its absolute path.
 * Each file is read at most once.
 */
export class Places {
  private readonly sources = new Map<string, SourceText | undefined>();
  private readonly paths = new Map<string, string>();

  constructor(
    private readonly result: CheckResult,
    private readonly context: ReportContext,
  ) {}

  /** The place of a finding. One about the check itself may have none: it stands at the beginning of the first input. */
  of(finding: Finding): SourceLocation {
    return this.inRepository(finding.source.locate());
  }

  ofDiagnostic({ file, line, column }: Diagnostic): SourceLocation {
    return this.inRepository({ file, line, column });
  }

  /** Of all findings, whatever is listed: that doesn't change the numbers of equal ones. */
  fingerprints(): ReadonlyMap<Finding, string> {
    return fingerprints(this.result.findings, (file) => stablePath(file, this.context.repository));
  }

  inRepository(place: SourceLocation): SourceLocation {
    const file = place.file === '' ? (this.result.inputs[0]?.path ?? '.') : place.file;
    const path = this.paths.get(file) ?? repositoryPath(file, this.context.repository);
    this.paths.set(file, path);
    return { ...place, file: path };
  }

  /** The column behind the key or value that stands at a place (as `locate()` tells it); undefined if the file has no such place any more. */
  endColumn({ file, line, column }: SourceLocation): number | undefined {
    const source = this.source(file);
    if (source === undefined || line < 1 || line > source.lineCount || column > source.lineLength(line))
      return undefined;
    return column + wordLength(source.line(line, column - 1, column - 1 + LONGEST_WORD));
  }

  /** Whether a file is a single line, as plans of Terraform are: the line then tells no two places apart. */
  isOneLine({ file }: SourceLocation): boolean {
    return this.source(file)?.lineCount === 1;
  }

  private source(file: string): SourceText | undefined {
    if (!this.sources.has(file)) {
      const content = file === '' ? undefined : this.context.readSource(file);
      this.sources.set(file, content === undefined ? undefined : new SourceText(content));
    }
    return this.sources.get(file);
  }
}

/**
 * The path of a file from the root of the repository, with slashes and without `.` and `..`. Of a file outside of it the absolute path.
 * Without a repository, a relative path is only tidied up.
 */
export function repositoryPath(file: string, repository?: Repository): string {
  const path = withSlashes(file);
  if (repository === undefined) return isAbsolute(path) ? tidy(path) : relativeTidy(path);
  const whole = tidy(isAbsolute(path) ? path : `${withSlashes(repository.workingFolder).replace(/\/$/, '')}/${path}`);
  for (const name of [repository.root, ...(repository.otherRoots ?? [])]) {
    const root = tidy(withSlashes(name)).replace(/\/$/, '');
    if (whole === root) return '.';
    if (whole.startsWith(`${root}/`)) return whole.slice(root.length + 1);
  }
  return whole;
}

/**
 * The path of a file from the root of the repository, the same on every machine: outside of the repository it begins at the first folder that
 * isn't around the root, too, so that neither the name of a home nor the depth of a checkout is in it.
 */
export function stablePath(file: string, repository?: Repository): string {
  const path = file === '' ? '' : repositoryPath(file, repository);
  if (repository === undefined || !isAbsolute(path)) return path;
  const root = tidy(withSlashes(repository.root)).split('/');
  const segments = path.split('/');
  const parting = segments.findIndex((segment, index) => segment !== root[index]);
  return parting < 0 ? '..' : ['..', ...segments.slice(parting)].join('/');
}

/** A path as a URI reference: relative, or with the scheme `file` if the path is absolute. */
export function pathUri(path: string): { readonly uri: string; readonly isRelative: boolean } {
  const encoded = path.split('/').map(encodeSegment).join('/');
  if (path.startsWith('//')) return { uri: `file:${encoded}`, isRelative: false };
  if (path.startsWith('/')) return { uri: `file://${encoded}`, isRelative: false };
  if (isAbsolute(path))
    return { uri: `file:///${path.slice(0, 2)}${encoded.slice(encoded.indexOf('/'))}`, isRelative: false };
  return { uri: encoded, isRelative: true };
}

/** Lone surrogates have no encoding; nothing may throw on them. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(wellFormed(segment));
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[a-z]:(?=\/)/, (drive) => drive.toUpperCase());
}

/** Of a path with slashes: from the root, from a drive of Windows, or from a network share. */
function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

function relativeTidy(path: string): string {
  const tidied = tidy(path);
  return tidied === '' ? '.' : tidied;
}

function tidy(path: string): string {
  const [prefix = ''] = /^(?:\/\/?|[A-Za-z]:\/)?/.exec(path) ?? [];
  const segments: string[] = [];
  for (const segment of path.slice(prefix.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (segment !== '..' || prefix === '') segments.push(segment);
  }
  return prefix + segments.join('/');
}
