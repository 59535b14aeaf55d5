import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/*
 * What a check may read and write: links, and paths in a configuration, could lead anywhere.
 */

const OUTSIDE = 'it is outside of the repository that is checked, so it is not read';
const OUTSIDE_OF_FOLDER = 'it is outside of the folder that is checked, so it is not read';
const OF_GIT = "it belongs to git's own data, so it is not read";

/**
 * The folders in which a run reads: the repositories around what the user names. Outside of any repository it is the working folder, if it holds
 * what is named; else the folder that is named, with those of the modules that its configurations call.
 */
export class ReadBoundary {
  private readonly roots = new Set<string>();
  private readonly named = new Set<string>();
  /** Whether nothing tells where what is checked ends. */
  private isOpen = false;

  /** A folder that the user names, or that of a file. */
  addFolder(folder: string): void {
    const real = realPathOf(folder);
    if (real === undefined) return;
    const working = realPathOf(process.cwd());
    const repository = gitRootOf(real);
    if (repository === undefined) this.isOpen = true;
    this.roots.add(repository ?? (working !== undefined && isInside(real, working) ? working : real));
  }

  /** A file that the user names, wherever it is, and what is around it. */
  addFile(file: string): void {
    this.addFolder(dirname(file));
    this.addFileAlone(file);
  }

  /** A file that the user names, and nothing beside it: one that refers to no other. */
  addFileAlone(file: string): void {
    const real = realPathOf(file);
    if (real !== undefined) this.named.add(real);
  }

  /** A folder that a configuration calls as a module. Whoever writes a call must not open a folder of the machine by it that is none. */
  addModule(folder: string): void {
    const real = this.isOpen ? realPathOf(folder) : undefined;
    if (real !== undefined && holdsConfiguration(real)) this.roots.add(real);
  }

  /** Why what has this real path isn't read; undefined if it is. */
  refusal(real: string): string | undefined {
    if (this.named.has(real)) return undefined;
    const around = this.rootsAround(real);
    if (around.length === 0) return this.isOpen ? OUTSIDE_OF_FOLDER : OUTSIDE;
    return around.every((root) => isOfGit(real, root)) ? OF_GIT : undefined;
  }

  /** By the folders around it, because every folder of a module may be a root. */
  private rootsAround(real: string): readonly string[] {
    // Windows has several ways to write the name of a folder.
    if (sep === '\\') return [...this.roots].filter((root) => isInside(real, root));
    const around: string[] = [];
    for (let folder = real; ; folder = dirname(folder)) {
      if (this.roots.has(folder)) around.push(folder);
      if (folder === dirname(folder)) return around;
    }
  }
}

/**
 * Whether a file lies outside of where one that refers to it belongs: its repository, or where there is none, the working folder or its own. One that
 * isn't there lies nowhere.
 */
export function isElsewhere(file: string, referring: string): boolean {
  const around = new ReadBoundary();
  around.addFolder(dirname(referring));
  const real = realPathOf(file);
  return real !== undefined && around.refusal(real) !== undefined;
}

/**
 * Whether a link within a repository, or within the working folder, leads out of it, so that whoever writes to a path of the repository would write
 * elsewhere. Links around it are the user's own.
 */
export function leadsOut(file: string): boolean {
  const path = resolve(file);
  const { root } = parse(path);
  let folder = root;
  const working = realPathOf(process.cwd());
  for (const name of path.slice(root.length).split(sep)) {
    const next = join(folder, name);
    const target = linkTarget(next);
    if (target !== undefined) {
      const around = gitRootOf(folder) ?? (working !== undefined && isInside(folder, working) ? working : undefined);
      if (around !== undefined && (!isInside(target, around) || isOfGit(target, around))) return true;
    }
    folder = target ?? next;
  }
  return false;
}

/** Where a link leads in the end, whether or not there is something; undefined for what is no link. */
function linkTarget(path: string): string | undefined {
  let target: string | undefined;
  for (let step = 0; step < 40; step++) {
    const current = target ?? path;
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() !== true) break;
    target = resolve(realPathOf(dirname(current)) ?? dirname(current), readlinkSync(current));
  }
  return target === undefined
    ? undefined
    : (realPathOf(target) ?? join(realPathOf(dirname(target)) ?? dirname(target), basename(target)));
}

/**
 * The nearest folder around one, or itself, that is a working tree of git. In worktrees and submodules, `.git` is a file. One of a stranger doesn't
 * count: who may put it into a folder that all share would make a repository of everybody's folders below it.
 */
export function gitRootOf(folder: string): string | undefined {
  const owners = trustedOwners(folder);
  return upwards(folder).find((current) => {
    const owner = ownerOf(join(current, '.git'));
    return owner !== undefined && owners.has(owner);
  });
}

/** A folder and those around it, innermost first. */
export function upwards(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

/** The user, the administrator, and whoever owns the folder that the user works in. */
export function trustedOwners(folder: string): ReadonlySet<number> {
  const owner = upwards(folder)
    .map((current) => statSync(current, { throwIfNoEntry: false })?.uid)
    .find((uid) => uid !== undefined);
  return new Set([process.geteuid?.() ?? 0, 0, owner ?? 0]);
}

/** Undefined for what isn't there, or may not be seen. */
function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}

function holdsConfiguration(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name));
  } catch {
    return false;
  }
}

function isInside(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function isOfGit(path: string, root: string): boolean {
  return relative(root, path)
    .split(sep)
    .some((name) => name.toLowerCase() === '.git');
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
