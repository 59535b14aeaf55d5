import { join } from 'node:path';
import { fileText } from '../files/read';
import { amended, overlayOf, type KnowledgeOverlay } from './overlay';

/** Where figures of a table are from. */
export interface TableSource {
  /** GitHub repository, `owner/name`. */
  readonly repository?: string;
  /** npm package. */
  readonly package?: string;
  /** Documentation page. */
  readonly page?: string;
  readonly path?: string;
  /** Commit, or the range of tags that was read. */
  readonly commit?: string;
  readonly version?: string;
  readonly date?: string;
  /** What the table has from there. */
  readonly gives?: string;
}

/** What every table says of itself. */
export interface Table {
  /** The day up to which the table knows the world, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly sources: readonly TableSource[];
  readonly notes: readonly string[];
}

/** A table that is read and indexed on first use, so that a run pays only for the tables it needs. */
export function lazyTable<F extends Table, T>(file: string, index: (content: F) => T): () => T & { readonly table: F } {
  const name = file.replace(/\.json$/, '');
  let loaded: (T & { readonly table: F }) | undefined;
  const withNewer = new WeakMap<KnowledgeOverlay, T & { readonly table: F }>();
  const asShipped = (): T & { readonly table: F } => {
    if (loaded === undefined) {
      const table = JSON.parse(fileText(join(__dirname, 'data', file))) as F;
      loaded = { ...index(table), table };
    }
    return loaded;
  };
  return () => {
    const overlay = overlayOf(name);
    if (overlay === undefined) return asShipped();
    let found = withNewer.get(overlay);
    if (found === undefined) {
      const table = amended(name, asShipped().table, overlay);
      found = { ...index(table), table };
      withNewer.set(overlay, found);
    }
    return found;
  };
}
