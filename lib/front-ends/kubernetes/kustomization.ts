import { dirname, join, normalize } from 'node:path';
import { parseDocument } from '../../languages';
import { parseDocuments } from '../../languages/parse-document';
import { patternOf } from '../../terraform/evaluation/functions/regex';
import { keptByText } from '../../text/kept-by-text';
import { dataAt, type Data, type Diagnostic } from '../../value';
import { isForUpgradeAlone } from './relevant';

/*
 * What the file of a kustomization says. Nothing is built here: of each object it is told whether something changes it that rules look at.
 * Sources: kubernetes-sigs/kustomize, api/types/kustomization.go, patch.go, selector.go and image.go, and api/filters/imagetag.
 */

export interface Kustomization {
  readonly folder: string;
  /** How people know it: its folder, or the file that holds it. */
  readonly title: string;
  /** The command that prints what comes out. */
  readonly build: string;
  /** Files and folders whose objects it takes. */
  readonly resources: readonly string[];
  /** Folders whose changes hold for what it takes. */
  readonly components: readonly string[];
  /** Files that are parts of objects. */
  readonly patchFiles: readonly string[];
  readonly namespace: string | undefined;
  /** Whether it changes all that it takes, or nobody can tell what. */
  readonly changesAll: boolean;
  /** Whether it changes names, and what refers to them where it knows that. */
  readonly renames: boolean;
  /** Whether it fills in the variables that objects have in their texts, as `${name}`. */
  readonly fillsIn: boolean;
  readonly patches: readonly Patch[];
  /** Of workloads of which it sets how many pods they have. */
  readonly replicas: readonly string[];
  readonly images: readonly ImageChange[];
  /** ConfigMaps that it makes, by name. */
  readonly generated: readonly string[];
}

/** A part of an object, or operations on what a target names. */
interface Patch {
  /** Patterns for the whole text. */
  readonly target?: { readonly kind: string | undefined; readonly name: string | undefined };
  readonly path?: string;
  readonly text?: string;
}

interface ImageChange {
  readonly name: string;
  readonly newName: string | undefined;
  readonly newTag: string | undefined;
  readonly digest: string | undefined;
}

/** What one selector may take; those of a run are many. */
const STEPS = 100_000;

/** Keys under which all objects are changed in ways that count, or in ways that only kustomize knows. */
const CHANGES_OF_ALL = ['replacements', 'vars', 'transformers', 'configurations'];

const CHANGES_OF_NAMES = ['namePrefix', 'nameSuffix'];

/**
 * Kinds of which rules say the same by any name: they find pods by labels, and a pool whose node class has another name is left open. Others are found by
 * name, as `aws-auth`, or by names that kustomize changes with them, as workloads with their service accounts.
 */
const OF_ANY_NAME: ReadonlySet<Data | undefined> = new Set([
  ...['EC2NodeClass', 'NodePool', 'AWSNodeTemplate', 'Provisioner'],
  ...['PodDisruptionBudget', 'SecurityGroupPolicy'],
]);

export function readKustomization(
  file: string,
  text: string,
): { readonly kustomization: Kustomization; readonly diagnostics: readonly Diagnostic[] } {
  const { root, diagnostics } = parseDocument(text, file, false);
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  return {
    kustomization: kustomizationOf(mapIn(root), dirname(normalize(file)), dirname(file)),
    diagnostics:
      problem === undefined
        ? []
        : [
            {
              ...problem,
              severity: 'warning',
              message: `this kustomization can't be read, so what it changes isn't known: ${problem.message}`,
              skipped: { what: 'kustomization', count: 1 },
            },
          ],
  };
}

/** What its settings say. @param folder from which their paths go @param title how people know it */
export function kustomizationOf(root: Unread, folder: string, title: string): Kustomization {
  const pathOf = (path: string): string => join(folder, path).replace(/(?<=[^\\/])[\\/]+$/, '');
  const paths = (...keys: readonly string[]): readonly string[] =>
    keys.flatMap((key) => listIn(root[key]).filter(isPath)).map(pathOf);
  const patches = [
    ...listIn(root['patchesStrategicMerge']).map((one) => (isPath(one) ? { path: one } : { patch: one })),
    ...listIn(root['patches']),
    ...listIn(root['patchesJson6902']),
  ].map((one): Patch => {
    const { path, patch, target } = mapIn(one);
    const { kind, name } = mapIn(target);
    return {
      ...(target === undefined ? {} : { target: { kind: textIn(kind), name: textIn(name) } }),
      ...(typeof path === 'string' ? { path: pathOf(path) } : {}),
      ...(typeof patch === 'string' ? { text: patch } : {}),
    };
  });
  return {
    folder,
    title,
    build: `kubectl kustomize ${title}`,
    resources: paths('resources', 'bases', 'components'),
    components: paths('components'),
    patchFiles: patches.flatMap(({ path }) => path ?? []),
    namespace: textIn(root['namespace']),
    changesAll: CHANGES_OF_ALL.some((key) => isFilled(root[key])),
    renames: CHANGES_OF_NAMES.some((key) => isFilled(root[key])),
    fillsIn: false,
    patches,
    replicas: listIn(root['replicas']).flatMap((one) => textIn(mapIn(one)['name']) ?? []),
    images: listIn(root['images']).flatMap((one): readonly ImageChange[] => {
      const { name, newName, newTag, digest } = mapIn(one);
      return typeof name === 'string'
        ? [{ name, newName: textIn(newName), newTag: scalarIn(newTag), digest: textIn(digest) }]
        : [];
    }),
    generated: listIn(root['configMapGenerator']).flatMap((one) => textIn(mapIn(one)['name']) ?? []),
  };
}

/**
 * Whether a kustomization may change an object beyond its namespace, labels and images, its name where that doesn't count, and what it fills in, which
 * is unknown (`fillsIn`).
 * @param textOf the text of a file with a part of an object; `null` of one that holds none that rules look at, undefined if it isn't known
 */
export function mayChange(
  { changesAll, patches, renames, replicas }: Kustomization,
  object: Data,
  textOf: (path: string) => string | null | undefined,
): boolean {
  if (changesAll) return true;
  const [kind, name] = [dataAt(object, 'kind'), dataAt(object, 'metadata', 'name')];
  if (renames && !OF_ANY_NAME.has(kind) && !isForUpgradeAlone(object)) return true;
  if (typeof kind !== 'string' || typeof name !== 'string') return patches.length + replicas.length > 0;
  if (replicas.includes(name)) return true;
  return patches.some(({ target, path, text }) => {
    if (target !== undefined) return isMeant(target.kind, kind) && isMeant(target.name, name);
    const written = text ?? (path === undefined ? undefined : textOf(path));
    if (written === null) return false;
    return written === undefined || isPartOf(written, kind, name);
  });
}

/** Selectors are patterns of Go for the whole text; what is no pattern, or takes too long, may mean anything. */
function isMeant(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || pattern === '') return true;
  try {
    return patternOf(`^(?:${pattern})$`).program.first(text, STEPS) !== undefined;
  } catch {
    return true;
  }
}

function isPartOf(text: string, kind: string, name: string): boolean {
  const wholes = wholesOf(text);
  return wholes === undefined || wholes.has(JSON.stringify([kind, name]));
}

/** The objects that a text is parts of, by kind and name; undefined if that is not all of them. Of many objects each asks for each patch. */
const wholesOf = keptByText((text): ReadonlySet<string> | undefined => {
  const wholes = new Set<string>();
  for (const { root } of parseDocuments(text, 'patch.yaml', 'last')) {
    const part = mapIn(root);
    const name = mapIn(part['metadata'])['name'];
    // Operations without a target, or what can't be read.
    if (typeof part['kind'] !== 'string' || typeof name !== 'string') return undefined;
    wholes.add(JSON.stringify([part['kind'], name]));
  }
  return wholes;
});

/** An image as kustomizations write it, one after the other. */
export function imageAfter(image: string, changes: readonly ImageChange[]): string {
  let current = image;
  for (const { name, newName, newTag, digest } of changes) {
    const [itsName, rest] = nameAndTag(current);
    if (itsName !== name) continue;
    const tag = newTag === undefined ? '' : `:${newTag}`;
    current = `${newName ?? itsName}${newTag === undefined && digest === undefined ? rest : `${tag}${digest === undefined ? '' : `@${digest}`}`}`;
  }
  return current;
}

/** A name may have a port in it, before its last slash. */
function nameAndTag(image: string): readonly [name: string, rest: string] {
  const mark = /[:@]/.exec(image.slice(image.lastIndexOf('/') + 1));
  const at = mark === null ? image.length : image.lastIndexOf('/') + 1 + mark.index;
  return [image.slice(0, at), image.slice(at)];
}

export type Unread = Readonly<Record<string, unknown>>;

export function mapIn(raw: unknown): Unread {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Unread) : {};
}

export function listIn(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? (raw as readonly unknown[]) : [];
}

export function textIn(raw: unknown): string | undefined {
  return typeof raw === 'string' ? raw : undefined;
}

function scalarIn(raw: unknown): string | undefined {
  return typeof raw === 'number' ? String(raw) : textIn(raw);
}

/** A patch may stand in the list itself. */
function isPath(item: unknown): item is string {
  return typeof item === 'string' && !item.includes('\n') && !/:\/\//.test(item);
}

/** Whether a setting is there, and isn't empty. */
export function isFilled(raw: unknown): boolean {
  return raw !== undefined && raw !== null && raw !== '' && !(Array.isArray(raw) && raw.length === 0);
}
