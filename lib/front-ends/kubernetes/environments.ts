import { dirname, normalize } from 'node:path';

/** A file with the identities of its objects. */
export interface Holder {
  readonly file: string;
  readonly identities: readonly string[];
}

/** Files whose objects may well be in one cluster together. */
export interface Environment<H extends Holder = Holder> {
  /** The folder that holds them all, or the one file. */
  readonly place: string;
  readonly holders: readonly H[];
}

interface Environments<H extends Holder = Holder> {
  readonly all: readonly Environment<H>[];
  /** An object that stands in two places, so that there are several environments. */
  readonly twice: readonly [first: H, second: H] | undefined;
}

/**
 * Which files belong together. One cluster has each object once: where two files have the same one, as for `dev` and `prod`, the folders that these
 * are in are environments of their own, and what else lies beside them belongs to none of them.
 */
export function environmentsOf<H extends Holder>(holders: readonly H[]): Environments<H> {
  const root: Folder<H> = { path: '', folders: new Map(), holders: [] };
  for (const holder of holders) {
    let folder = root;
    const path = dirname(normalize(holder.file)).replaceAll('\\', '/');
    let sofar = '';
    for (const step of path === '.' ? [] : path.split('/')) {
      sofar = sofar === '' ? step || '/' : `${sofar === '/' ? '' : sofar}/${step}`;
      let inner = folder.folders.get(step);
      if (inner === undefined) folder.folders.set(step, (inner = { path: sofar, folders: new Map(), holders: [] }));
      folder = inner;
    }
    folder.holders.push(holder);
  }
  const found = new Set<H>();
  const all = partition(root, found);
  const [first, second] = found;
  return { all, twice: first === undefined || second === undefined ? undefined : [first, second] };
}

interface Folder<H> {
  readonly path: string;
  readonly folders: Map<string, Folder<H>>;
  readonly holders: H[];
}

function partition<H extends Holder>(folder: Folder<H>, found: Set<H>): readonly Environment<H>[] {
  const { path, folders, holders } = folder;
  const below = holdersIn(folder);
  if (below.length === 0) return [];
  const [only] = folders.values();
  if (holders.length === 0 && folders.size === 1 && only !== undefined) return partition(only, found);
  if (!hasTwice(below, found)) return [{ place: path === '' ? '.' : path, holders: below }];
  const own =
    holders.length === 0 || !hasTwice(holders, found)
      ? [{ place: path === '' ? '.' : path, holders }]
      : holders.map((holder) => ({ place: holder.file, holders: [holder] }));
  return [
    ...own.filter((one) => one.holders.length > 0),
    ...[...folders.values()].flatMap((inner) => partition(inner, found)),
  ];
}

function holdersIn<H>({ folders, holders }: Folder<H>): readonly H[] {
  return [...holders, ...[...folders.values()].flatMap(holdersIn)];
}

/** Whether an object stands in two of some files; the first two that have one are remembered. */
function hasTwice<H extends Holder>(holders: readonly H[], found: Set<H>): boolean {
  const seen = new Map<string, H>();
  for (const holder of holders)
    for (const identity of holder.identities) {
      const first = seen.get(identity);
      if (first === undefined) seen.set(identity, holder);
      else if (first !== holder) {
        if (found.size === 0) found.add(first).add(holder);
        return true;
      }
    }
  return false;
}
