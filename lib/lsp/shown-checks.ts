import type { Position, PublishDiagnosticsParams, Range } from 'vscode-languageserver/node';
import { isWithin } from '../files/within';
import type { Check } from './check';
import type { Shown } from './diagnostics';
import type { Documents } from './documents';

/** A check, and what is shown of it. */
export interface ShownCheck {
  readonly check: Check;
  readonly shown: readonly Shown[];
}

/** The last check of everything that belongs together, and what editors show of all of them. */
export class ShownChecks {
  private readonly byPaths = new Map<string, ShownCheck>();

  /** @param publish tells the editor what there is now in a document */
  constructor(
    private readonly documents: Documents,
    private readonly publish: (params: PublishDiagnosticsParams) => void,
  ) {}

  /** Shows what a check found, in place of what the one before has shown of the same. */
  put(now: ShownCheck): void {
    const key = now.check.paths.join('\0');
    const before = this.byPaths.get(key)?.shown ?? [];
    this.byPaths.set(key, now);
    const open = this.documents.all().flatMap(({ path }) => (holds(now, path) ? [path] : []));
    this.tell(
      [...before, ...now.shown].map(({ path }) => path),
      open,
    );
  }

  /** Takes away what was shown of a document that is nothing to check any more. */
  remove(path: string): void {
    this.drop(({ check: { paths } }) => paths.length === 1 && paths[0] === path);
  }

  /** Takes away what is about documents that nobody has open. */
  removeUnused(): void {
    const open = this.documents.all();
    this.drop((one) => !open.some(({ path }) => holds(one, path)));
  }

  private drop(isOver: (one: ShownCheck) => boolean): void {
    for (const [key, one] of this.byPaths) {
      if (!isOver(one)) continue;
      this.byPaths.delete(key);
      this.tell(
        one.shown.map(({ path }) => path),
        one.check.paths,
      );
    }
  }

  /** The check that looked at a document. */
  of(uri: string): Check | undefined {
    const path = this.documents.pathOf(uri);
    return path === undefined ? undefined : [...this.byPaths.values()].find((one) => holds(one, path))?.check;
  }

  /** What is shown in a document and touches a range, with the check that found it. */
  at(uri: string, range: Range): readonly (Shown & { readonly check: Check })[] {
    return [...this.byPaths.values()].flatMap(({ check, shown }) =>
      shown
        .filter(({ path, diagnostic }) => this.documents.uriOf(path) === uri && touches(diagnostic.range, range))
        .map((one) => ({ ...one, check })),
    );
  }

  /** @param last what somebody looks at, so that all is there when that is */
  private tell(paths: readonly string[], last: readonly string[]): void {
    for (const path of new Set([...paths.filter((one) => !last.includes(one)), ...last])) {
      const version = this.documents.at(path)?.version;
      this.publish({
        uri: this.documents.uriOf(path),
        ...(version === undefined ? {} : { version }),
        diagnostics: [...this.byPaths.values()].flatMap(({ shown }) =>
          shown.filter((one) => one.path === path).map(({ diagnostic }) => diagnostic),
        ),
      });
    }
  }
}

function holds({ check: { paths } }: ShownCheck, path: string): boolean {
  return paths.some((one) => isWithin(path, one));
}

function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
