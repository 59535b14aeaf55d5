import { isWithin } from '../files/within';
import type { Diagnostic, InputSummary, Skipped } from '../value';
import { UNREAD_PROJECTS, type UnreadProject } from './not-read';
import { someNames } from './parts/some-names';

/** What stands in the folders of a run and isn't read: each kind is told once. */
export class PassedBy {
  readonly encrypted: string[] = [];
  /** Those that lead out of what is checked. */
  readonly links: string[] = [];
  private readonly projects = new Map(UNREAD_PROJECTS.map((project): [UnreadProject, string[]] => [project, []]));

  /** @param names all that a folder holds */
  addProjects(folder: string, names: readonly string[]): void {
    for (const [project, folders] of this.projects) if (project.isAt(folder, names)) folders.push(folder);
  }

  /** What is told of a folder in another way. */
  withoutProject(folder: string): void {
    for (const [project, folders] of this.projects)
      this.projects.set(
        project,
        folders.filter((one) => one !== folder),
      );
  }

  /** Whether something in a folder is told to be not read. */
  isWithin(folder: string): boolean {
    return [this.encrypted, this.links, ...this.projects.values()].some((paths) =>
      paths.some((path) => isWithin(path, folder)),
    );
  }

  diagnostics(inputs: readonly InputSummary[]): readonly Diagnostic[] {
    return [
      ...[...this.projects].flatMap(([{ what, madeInto = [], told: words }, folders]) => {
        const isMade = (folder: string): boolean =>
          inputs.some(({ path, kind }) => madeInto.includes(kind) && isWithin(path, folder));
        return told(
          folders.filter((folder) => !isMade(folder)),
          what,
          words,
        );
      }),
      ...told(
        this.encrypted,
        'encrypted file',
        (names) => `not checked, because encrypted: ${names}; check where they are unlocked`,
      ),
      ...told(
        this.links,
        'link',
        (names) => `links that lead out of what is checked are not followed: ${names}; name one to have it checked`,
      ),
    ];
  }
}

function told(
  paths: readonly string[],
  what: Skipped['what'],
  message: (names: string) => string,
): readonly Diagnostic[] {
  const [first] = paths;
  if (first === undefined) return [];
  return [
    {
      ...unreadable(first, message(someNames(paths))),
      severity: 'warning',
      skipped: { what, count: paths.length },
    },
  ];
}

export function unreadable(file: string, message: string): Diagnostic {
  return { severity: 'error', message, file, line: 1, column: 1 };
}
