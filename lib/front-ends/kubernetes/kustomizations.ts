import { dirname, join, normalize } from 'node:path';
import { parseDocument } from '../../languages';

/** Names of the file that makes a folder one of kustomize. Source: kubernetes-sigs/kustomize, api/konfig/general.go. */
export const KUSTOMIZATION = /^(?:kustomization\.ya?ml|Kustomization)$/;

/** What a kustomization makes of files: nothing is rendered here, so what it changes isn't judged. */
interface Kustomization {
  readonly file: string;
  readonly folder: string;
  /** Files and folders whose objects it takes. */
  readonly resources: readonly string[];
  /** Files that are parts of objects. */
  readonly patches: readonly string[];
  readonly namespace: string | undefined;
  /** Whether objects come out of it otherwise than they are written, beyond their namespace and labels. */
  readonly changes: boolean;
}

/** Keys under which objects are changed in ways that count. */
const CHANGES = [
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'components',
  'replicas',
  'replacements',
  'vars',
  'transformers',
  'images',
  'namePrefix',
  'nameSuffix',
  'configurations',
];

/** The kustomizations of a run, and what they make of its files. */
export class Kustomizations {
  private readonly byFolder = new Map<string, Kustomization>();

  add(file: string, text: string): void {
    const root = mapIn(parseDocument(text, file, false).root);
    const folder = dirname(normalize(file));
    const paths = (...keys: readonly string[]): readonly string[] =>
      keys.flatMap((key) => textsIn(root[key])).map((path) => join(folder, path).replace(/(?<=[^\\/])[\\/]+$/, ''));
    const kind = root['kind'];
    this.byFolder.set(folder, {
      file,
      folder,
      resources: paths('resources', 'bases', 'components'),
      patches: [
        ...paths('patchesStrategicMerge'),
        ...[...listIn(root['patches']), ...listIn(root['patchesJson6902'])].flatMap((patch) => {
          const path = mapIn(patch)['path'];
          return typeof path === 'string' ? [join(folder, path)] : [];
        }),
      ],
      namespace: typeof root['namespace'] === 'string' ? root['namespace'] : undefined,
      changes: kind === 'Component' || CHANGES.some((key) => !isEmpty(root[key])),
    });
  }

  /** What has to be rendered first: by file, the kustomization that changes it. */
  changedBy(): ReadonlyMap<string, string> {
    const changed = new Map<string, string>();
    for (const one of this.byFolder.values()) {
      for (const patch of one.patches) changed.set(patch, one.file);
      if (one.changes) this.mark(one, one.file, changed, new Set());
    }
    return changed;
  }

  private mark({ resources }: Kustomization, by: string, changed: Map<string, string>, seen: Set<string>): void {
    for (const path of resources) {
      if (seen.has(path)) continue;
      seen.add(path);
      const inner = this.byFolder.get(path);
      if (inner === undefined) changed.set(path, changed.get(path) ?? by);
      else this.mark(inner, by, changed, seen);
    }
  }

  /** By file, the namespace into which a kustomization puts its objects, the outermost one; those of several are left out. */
  namespaces(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const several = new Set<string>();
    const inner = new Set([...this.byFolder.values()].flatMap(({ resources }) => resources));
    const put = ({ resources, namespace: own }: Kustomization, outer: string | undefined, seen: Set<string>): void => {
      const namespace = outer ?? own;
      for (const path of resources) {
        if (seen.has(path)) continue;
        seen.add(path);
        const below = this.byFolder.get(path);
        if (below !== undefined) put(below, namespace, seen);
        else if (namespace !== undefined) {
          if ((found.get(path) ?? namespace) !== namespace) several.add(path);
          found.set(path, namespace);
        }
      }
    };
    for (const one of this.byFolder.values()) if (!inner.has(one.folder)) put(one, undefined, new Set());
    for (const path of several) found.delete(path);
    return found;
  }
}

type Unread = Readonly<Record<string, unknown>>;

function mapIn(raw: unknown): Unread {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Unread) : {};
}

function listIn(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? (raw as readonly unknown[]) : [];
}

/** Those that are paths: a patch may stand in the list itself. */
function textsIn(raw: unknown): readonly string[] {
  return listIn(raw).filter(
    (item): item is string => typeof item === 'string' && !item.includes('\n') && !/:\/\//.test(item),
  );
}

function isEmpty(raw: unknown): boolean {
  return raw === undefined || raw === null || (Array.isArray(raw) && raw.length === 0) || raw === '';
}
